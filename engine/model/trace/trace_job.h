/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job as a trace of a real cluster has it, and where such jobs come from. */
#ifndef LP_MODEL_TRACE_JOB_H
#define LP_MODEL_TRACE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/trace/import_options.h"

/* A job of a trace. Texts may be NULL or "" where the trace has none. */
typedef struct LpTraceJob {
    const char *id;   /* as the trace has it */
    const char *name; /* what its user calls it */
    const char *user;
    const char *group; /* partition, queue, virtual cluster */
    const char *state; /* "completed", "failed", "cancelled", or the trace's own word */
    const char *slice; /* on a torus: "4x4x8", "4x4x8 twisted" */
    const char *model; /* of a trace that names models */
    int64_t submit_ns; /* since 1970, or since whatever the trace counts from */
    double duration;   /* s that it held its servers, > 0 */
    double requested;  /* s that its user asked for; <= 0: unknown */
    double gpus;       /* exactly; shares are fractions */
    uint32_t servers;  /* of one unit each, >= 1 */
    uint32_t nodes;    /* machines that it lay on; 0: unknown */
    uint64_t steps;    /* of training; 0: unknown */
    /* Where a host of the cluster is several servers, one for each GPU: */
    bool in_one_host; /* the job fits in a host, and lies in one */
    uint32_t segment; /* servers that it has in each host; 0: as they come */
} LpTraceJob;

struct LpStepTrace; /* model/ranks/step_trace.h */
struct LpTraceRules;

/* Reads files of other programs for a scenario that names one; whoever loads scenarios may be given
 * none. */
typedef struct LpTraceSource {
    /* Reads the jobs of a file; `format` "auto": told from its contents. *jobs of them. Errors:
     * those of reading it, at their place in it; LP_EINVAL for an unknown format or one that holds
     * no jobs. */
    LpErr (*open)(const char *format, const char *path, const LpImportOptions *options,
                  void **trace, uint64_t *jobs, LpDiag *diag);
    /* Job i in order of arrival, s after the first. Texts stay the trace's. */
    void (*job)(const void *trace, uint64_t i, LpTraceJob *out, double *arrival);
    void (*close)(void *trace); /* NULL allowed */
    /* Reads a training step that ranks recorded, from `files` files; `rules`: how its format has
     * them take their nodes. *out is the caller's (lp_step_trace_free). Errors as of `open`. */
    LpErr (*step)(const char *format, const char *const *file, size_t files,
                  const LpImportOptions *options, struct LpStepTrace **out,
                  struct LpTraceRules *rules, LpDiag *diag);
} LpTraceSource;

#endif
