/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath import`: profiles of others as lightpath's own JSON; and `lightpath check`. */
#ifndef LP_SAY_IMPORT_H
#define LP_SAY_IMPORT_H

#include "base/str.h"

typedef struct LpImportSpec {
    const char *format;    /* "pipedream", or "stepfun" */
    const char *file;      /* "-": standard input */
    const char *time_unit; /* of the file's times; NULL: "ms" */
    size_t max_input;      /* bytes, 0: 64 MiB */
    /* stepfun: servers that there were, 0: 400, as its publisher says; what they are in a
     * scenario's trace, NULL: "host" */
    uint32_t servers;
    const char *kind;
} LpImportSpec;

/* Appends a profile's graph as a profile of format 1, or faults of servers as lines for a
 * scenario's `failures.trace`, whose first ones are remarks with their figures; these also go to
 * `figures` as text. Errors: LP_EINVAL for an unknown format or unit; those of reading and parsing
 * the file. */
LpErr lp_import_run(const LpImportSpec *spec, LpBuf *out, LpBuf *figures, LpDiag *diag) LP_MUST_USE;

/* Loads a scenario (its graphs and its policy, too), an own profile or a PipeDream profile, told
 * apart by contents, and drops it. What is good and yet to be known of it is appended to `notes`
 * (NULL: not), a line each without the file's name. Errors: what is wrong with it. */
LpErr lp_check_file(const char *file, size_t max_input, LpBuf *notes, LpDiag *diag) LP_MUST_USE;

#endif
