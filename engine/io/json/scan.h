/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the JSON reader: a strict pass over the text that notes where every value stands. */
#ifndef LP_IO_JSON_SCAN_H
#define LP_IO_JSON_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Byte offsets of one value in its source. `key` is that of its key's quote, or of the value. */
typedef struct LpJsonPlace {
    uint32_t source, key, value, end;
} LpJsonPlace;

/* Places in the order in which values begin. */
typedef struct LpJsonPlaces {
    LpJsonPlace *place;
    size_t count, cap;
} LpJsonPlaces;

/* Checks that text[0..len) from `start` on is one JSON value and appends a place for it and for
 * each value inside. On failure the appended places are of no meaning. Errors: LP_EPARSE at
 * file:line:col, LP_ELIMIT, LP_ENOMEM. O(len). */
LpErr lp_json_scan(const char *file, const char *text, size_t len, size_t start, uint32_t source,
                   LpJsonPlaces *out, LpDiag *diag) LP_MUST_USE;

#endif
