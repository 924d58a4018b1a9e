/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a text. */
#include "widgets/lines.h"

#include <string.h>

int lp_lines_count(const char *text) {
    int count = 0;
    for (; *text; count++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return count;
}

void lp_lines_add(const char *text, int line, LpBuf *out) {
    for (; line > 0 && *text; line--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    lp_buf_add_bytes(out, text, strcspn(text, "\n"));
}
