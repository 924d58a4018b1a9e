/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces that a scenario names, read without a file in between. */
#include <string.h>

#include "base/mem.h"
#include "import/import.h"
#include "model/ranks/step_trace.h"

/* An import with a copy of what it points to. */
typedef struct Trace {
    LpImport import;
    const char *file[1];
    char path[];
} Trace;

static void close_trace(void *trace) {
    if (trace == NULL)
        return;
    lp_import_free(&((Trace *)trace)->import);
    lp_free(trace);
}

static LpErr find_format(const char *name, const char *path, LpFormatMakes makes,
                         const LpFormat **out, LpDiag *diag) {
    if (strcmp(name, "auto") != 0)
        LP_TRY(lp_format_named(name, out, diag));
    else
        LP_TRY(lp_format_of(path, out, diag));
    if (*out == NULL)
        return lp_fail(diag, LP_EINVAL,
                       "which format the file is of cannot be told from its "
                       "contents: name it instead of \"auto\"");
    if ((*out)->makes != makes)
        return lp_fail(diag, LP_EINVAL, "%s holds no %s (it is %s)", (*out)->name,
                       makes == LP_MAKES_JOBS ? "jobs" : "step of ranks", (*out)->what);
    return LP_OK;
}

static LpErr open_trace(const char *name, const char *path, const LpImportOptions *options,
                        void **trace, uint64_t *jobs, LpDiag *diag) {
    const LpFormat *format = NULL;
    LP_TRY(find_format(name, path, LP_MAKES_JOBS, &format, diag));
    Trace *t = lp_alloc(1, sizeof *t + strlen(path) + 1);
    if (t == NULL)
        return lp_fail_memory(diag, "a trace of jobs");
    memcpy(t->path, path, strlen(path) + 1);
    t->file[0] = t->path;
    LpErr err = lp_import_read(format, t->file, 1, options, &t->import, diag);
    if (err != LP_OK) {
        close_trace(t);
        return err;
    }
    *trace = t;
    *jobs = lp_rows_taken(t->import.reading.rows);
    return LP_OK;
}

static void job_of(const void *trace, uint64_t i, LpTraceJob *out, double *arrival) {
    lp_rows_job(((const Trace *)trace)->import.reading.rows, i, out, arrival);
}

static LpErr read_step(const char *name, const char *const *file, size_t files,
                       const LpImportOptions *options, LpStepTrace **out, LpTraceRules *rules,
                       LpDiag *diag) {
    const LpFormat *format = NULL;
    LpImport import = {0};
    LP_TRY(find_format(name, file[0], LP_MAKES_STEP, &format, diag));
    LpErr err = lp_import_read(format, file, files, options, &import, diag);
    if (err == LP_OK)
        err = format->step(&import.reading, true, out, rules, diag);
    lp_import_free(&import);
    return err;
}

const LpTraceSource lp_import_source = {open_trace, job_of, close_trace, read_step};
