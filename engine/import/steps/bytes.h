/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A binary file from its first byte to its last, unpacked on the way: a window over it that holds
 * as much as one asks for, so memory is that of the longest piece. */
#ifndef LP_IMPORT_STEPS_BYTES_H
#define LP_IMPORT_STEPS_BYTES_H

#include "io/files/lines.h"

typedef struct LpBytes {
    LpLineFile *lines;
    unsigned char *buf;
    size_t cap, at, len; /* bytes at .. len are at hand */
    uint64_t passed;     /* bytes of the file before buf[0] */
} LpBytes;

/* As lp_lines_open; lp_bytes_close in any case. */
LpErr lp_bytes_open(LpBytes *bytes, const char *path, uint64_t max, LpDiag *diag) LP_MUST_USE;
void lp_bytes_close(LpBytes *bytes);
/* Brings `want` bytes to hand, which *data then points to until the next call; *got of them, less
 * only at the end of the file. The window grows with what there is, not with what is wanted. */
LpErr lp_bytes_look(LpBytes *bytes, uint64_t want, const unsigned char **data, size_t *got,
                    LpDiag *diag) LP_MUST_USE;
/* Takes `count` bytes that are at hand. */
void lp_bytes_take(LpBytes *bytes, size_t count);
/* Byte of the file, from 0, that comes next. */
uint64_t lp_bytes_place(const LpBytes *bytes);
/* Fails with LP_EPARSE: "FILE: byte N: ...". */
LpErr lp_bytes_fail(const LpBytes *bytes, uint64_t place, LpDiag *diag, const char *fmt, ...)
    LP_PRINTF(4, 5);
LpErr lp_bytes_fail_in(const char *file, uint64_t place, LpDiag *diag, const char *fmt, ...)
    LP_PRINTF(4, 5);

#endif
