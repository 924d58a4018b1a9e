/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long files read piece by piece, unpacked on the way where gzip or zstd packed them: line by line,
 * or as blocks of bytes. Memory is that of the longest line. */
#ifndef LP_IO_FILES_LINES_H
#define LP_IO_FILES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { LP_LINES_HEAD = 4096 }; /* bytes that lp_lines_head can show */

typedef struct LpLineFile LpLineFile;

/* Opens a regular file, or "-": standard input. `max`: bytes after unpacking, 0: no limit; more is
 * LP_ELIMIT when it is met. Errors: LP_EIO, LP_ENOMEM. */
LpErr lp_lines_open(const char *path, uint64_t max, LpLineFile **out, LpDiag *diag) LP_MUST_USE;
void lp_lines_close(LpLineFile *lines); /* NULL allowed */

/* The first bytes, at most LP_LINES_HEAD, without taking them; call before anything was taken. A
 * byte-order mark of UTF-8 is not shown and not part of the first line. */
LpErr lp_lines_head(LpLineFile *lines, const char **head, size_t *len, LpDiag *diag) LP_MUST_USE;

/* The next line without its end (LF, or CR and LF), NUL-terminated, may be written to, valid until
 * the next call. *line NULL: the file is at its end. The last line needs no end. Errors: LP_EPARSE
 * at file:line for a NUL byte and for packed data that are damaged; LP_ELIMIT for a line over
 * 16 MiB and for a file over `max`; LP_EIO, LP_ENOMEM. */
LpErr lp_lines_next(LpLineFile *lines, char **line, size_t *len, LpDiag *diag) LP_MUST_USE;
/* Number of the line that was read last, from 1; 0: none was. */
int lp_lines_number(const LpLineFile *lines);
/* The file's name for messages: "standard input" for "-". Valid until the file is closed. */
const char *lp_lines_file(const LpLineFile *lines);
/* Fails at the line that was read last. */
#define lp_lines_fail(lines, diag, ...)                                                            \
    lp_fail_at(diag, LP_EPARSE, lp_lines_file(lines), lp_lines_number(lines), 0, __VA_ARGS__)

/* The next bytes, as many as are at hand (at least one), valid until the next call; *len 0: the
 * end. Lines are not counted; may follow lines. Errors as above, but NUL bytes are bytes. */
LpErr lp_lines_bytes(LpLineFile *lines, const char **bytes, size_t *len, LpDiag *diag) LP_MUST_USE;
/* All that is left, NUL-terminated, the caller's (lp_free). `text`: NUL bytes are refused. */
LpErr lp_lines_rest(LpLineFile *lines, bool text, char **bytes, size_t *len,
                    LpDiag *diag) LP_MUST_USE;

#endif
