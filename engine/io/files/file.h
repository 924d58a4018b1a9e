/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading whole input files safely, and finding files by name. All that lightpath reads is text. */
#ifndef LP_IO_FILES_FILE_H
#define LP_IO_FILES_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/files.h"

/* Whole regular file (or "-": standard input) as NUL-terminated text, owned by the caller
 * (lp_free). max 0: 64 MiB. Devices, FIFOs, folders and larger files are refused, naming both
 * sizes; a NUL byte is refused with its place, so *len is the length of *text. What gzip or zstd
 * packed is unpacked, and `max` counts the bytes after that. Errors: LP_EIO,
 * LP_ELIMIT, LP_EPARSE, LP_ENOMEM. */
LpErr lp_file_read(const char *path, size_t max, char **text, size_t *len,
                   LpDiag *diag) LP_MUST_USE;

/* Why what has this mode (st_mode) is neither read nor written: "is a folder, expected a regular
 * file", to follow a name; NULL for regular files. Of a link only lstat knows. */
const char *lp_file_refusal(mode_t mode);

/* The same two where `files` (NULL: the disk) has them. */
LpErr lp_files_read(const LpFiles *files, const char *path, size_t max, char **text, size_t *len,
                    LpDiag *diag) LP_MUST_USE;
LpErr lp_files_find(const LpFiles *files, const char *name, const char *beside,
                    const char *const *dirs, const char *sub, char *path, size_t size,
                    LpDiag *diag) LP_MUST_USE;

#endif
