/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a text UTF-8? */
#ifndef LP_BASE_UTF8_H
#define LP_BASE_UTF8_H

#include "base/str.h"

/* Is all of text[0..len) UTF-8? O(len). */
static inline bool lp_utf8_is_valid(const char *text, size_t len) {
    for (size_t at = 0; at < len;) {
        uint32_t cp;
        size_t used = lp_utf8_decode(text + at, len - at, &cp);
        if (cp == 0xFFFD && used == 1) /* written out it has 3 bytes */
            return false;
        at += used;
    }
    return true;
}

#endif
