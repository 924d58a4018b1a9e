/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where input files come from, so that many runs can be given the same bytes: a table of two
 * functions. Who is given none reads the disk. */
#ifndef LP_BASE_FILES_H
#define LP_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum {
    LP_NETWORK_FILE_MAX = 64 << 20
}; /* bytes of a network's file; its checkpoint has four times */

typedef struct LpFiles {
    void *user;
    /* The whole file as NUL-terminated text without other NULs, the caller's (lp_free). max: bytes,
     * 0: 64 MiB. Errors: LP_EIO, LP_ELIMIT, LP_EPARSE, LP_ENOMEM. Called from any thread. */
    LpErr (*read)(void *user, const char *path, size_t max, char **text, size_t *len, LpDiag *diag);
    bool (*exists)(void *user, const char *path);
    /* A file that is about to be read piece by piece, and so not by `read`; NULL: nobody asks. */
    void (*note)(void *user, const char *path);
} LpFiles;

#endif
