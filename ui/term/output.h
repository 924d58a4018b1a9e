/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the results of a command go. */
#ifndef LP_UI_TERM_OUTPUT_H
#define LP_UI_TERM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "host/write_file.h"

/* Where results go. A file appears under its name only when it is complete (host/write_file.h).
 */
typedef struct LpOutput {
    int fd;
    const char *name; /* for messages */
    LpWriter file;    /* closed for standard output */
    bool quiet;       /* the reader has gone: nothing more to say */
} LpOutput;

LpOutput lp_output_standard(void);
/* Errors: LP_EINVAL where the file is the same as `input` (NULL: not checked), or "-"; LP_EIO. */
LpErr lp_output_open(LpOutput *output, const char *path, const char *input,
                     LpDiag *diag) LP_MUST_USE;
/* As lp_output_open, with all that a spec can say. */
LpErr lp_output_begin(LpOutput *output, const LpWriteSpec *spec, LpDiag *diag) LP_MUST_USE;
/* Could it be opened now? Leaves nothing behind. */
LpErr lp_output_try(const char *path, const char *input, LpDiag *diag) LP_MUST_USE;
/* An LpSink. */
LpErr lp_output_write(void *output, const char *bytes, size_t len, LpDiag *diag);
LpErr lp_output_add(LpOutput *output, const LpBuf *text, LpDiag *diag) LP_MUST_USE;
/* Ends a file and gives it its name. */
LpErr lp_output_close(LpOutput *output, LpDiag *diag) LP_MUST_USE;
/* Drops what was written to a file. */
void lp_output_drop(LpOutput *output);

#endif
