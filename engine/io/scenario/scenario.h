/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenario files (format 1) into LpScenario. Every complaint has file:line:col and says what was
 * expected. */
#ifndef LP_IO_SCENARIO_H
#define LP_IO_SCENARIO_H

#include "base/files.h"
#include "io/files/kept.h"
#include "model/scenario.h"
#include "model/trace/trace_job.h"

typedef struct LpLoadOptions {
    uint32_t sets; /* PATH=VALUE overrides, checked as the file is */
    const char *const *set;
    size_t max_input; /* bytes of any one file, 0: 64 MiB */
    /* NULL-terminated; a policy's bare name is looked up in DIR/scripts after the scenario's own
     * folder */
    const char *const *data_dirs;
    const LpFiles *files; /* where they come from, NULL: the disk */
    LpKept *keep;         /* gets what was read; NULL: not wanted */
    const LpTraceSource
        *traces; /* reads files of other programs; NULL: the scenario may name none */
} LpLoadOptions;

/* path "-" reads standard input. Nothing is half-loaded. Errors: LP_EIO, LP_EPARSE,
 * LP_EINVAL, LP_ERANGE, LP_ECYCLE, LP_ELIMIT, LP_ENOMEM. */
LpErr lp_scenario_load(const char *path, const LpLoadOptions *options, LpScenario **out,
                       LpDiag *diag) LP_MUST_USE;
/* From text; `file` is what messages call it and what relative paths start from. */
LpErr lp_scenario_parse(const char *text, size_t len, const char *file,
                        const LpLoadOptions *options, LpScenario **out, LpDiag *diag) LP_MUST_USE;

#endif
