/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace of jobs is read into: each of its rows becomes a job, or is left out for exactly one
 * reason, so that rows = taken + left out. Readers add rows; what is made of them by the options
 * of an import (a window, a sample, what is too large) is the same for all formats. */
#ifndef LP_IMPORT_ROWS_ROWS_H
#define LP_IMPORT_ROWS_ROWS_H

#include "base/str.h"
#include "model/trace/import_options.h"
#include "model/trace/trace_job.h"

/* X(name, word, plain): why a row is no job. Words stand in reports and files. */
#define LP_LEFT_TABLE(X)                                                                           \
    X(BAD_ROW, "bad_row", "that cannot be read")                                                   \
    X(STEP, "step", "steps of jobs")                                                               \
    X(PARTIAL, "partial", "parts of jobs that were checkpointed or swapped")                       \
    X(NO_TASK, "no_task", "without a task")                                                        \
    X(NO_ATTEMPT, "no_attempt", "never tried")                                                     \
    X(NO_START, "no_start", "that never ran")                                                      \
    X(NO_END, "no_end", "that still ran when the trace ended")                                     \
    X(NO_GPUS, "no_gpus", "without GPUs")                                                          \
    X(NO_PROCESSORS, "no_processors", "without processors")                                        \
    X(NO_RUNTIME, "no_runtime", "without a run time")                                              \
    X(ZERO_DURATION, "zero_duration", "of no duration")                                            \
    X(REQUEUED, "requeued", "earlier runs of jobs that ran again")                                 \
    X(TOO_LARGE, "too_large", "wider than the cluster")                                            \
    X(TOO_LARGE_LEVEL, "too_large_level", "wider than any node of the level that they require")    \
    X(OUTSIDE_WINDOW, "outside_window", "outside the window")                                      \
    X(NOT_SAMPLED, "not_sampled", "not in the sample")                                             \
    X(STATE, "state", "in a state that is not kept")

typedef enum LpLeft {
#define X(name, word, plain) LP_LEFT_##name,
    LP_LEFT_TABLE(X)
#undef X
        LP_LEFT_COUNT
} LpLeft;

const char *lp_left_word(LpLeft why);  /* "no_gpus" */
const char *lp_left_plain(LpLeft why); /* "without GPUs": what is said after a count */

typedef struct LpJobRows LpJobRows;

LpErr lp_rows_new(LpJobRows **out, LpDiag *diag) LP_MUST_USE;
void lp_rows_free(LpJobRows *rows); /* NULL allowed */

/* ---- for readers: one of these for each row ---- */

/* Takes a job; its texts are copied. Errors: LP_EPARSE, without a place, where it lasts or asks for
 * LP_NS_SECONDS or more; LP_ENOMEM, LP_ELIMIT over 2^32 - 1 jobs. */
LpErr lp_rows_take(LpJobRows *rows, const LpTraceJob *job, LpDiag *diag) LP_MUST_USE;
/* Takes a job of a trace in which one may run again under its id: an earlier one of this id is left
 * out as requeued, and this one takes its place. Errors as above. */
LpErr lp_rows_take_last(LpJobRows *rows, const LpTraceJob *job, LpDiag *diag) LP_MUST_USE;
void lp_rows_leave(LpJobRows *rows, LpLeft why);
/* A bad row: with `lenient` it is counted, and its place kept if it is among the first ten; else
 * its error, in *diag, is returned. */
LpErr lp_rows_bad(LpJobRows *rows, bool lenient, const LpDiag *diag) LP_MUST_USE;

/* ---- for readers: what else is to be told ---- */

/* Counts what removes no row: "shares_rounded_up". `word` stays the caller's, a constant. */
void lp_rows_note(LpJobRows *rows, const char *word, uint64_t count);
/* A figure that only this format has, under its key of the report; both are copied or constants. */
LpErr lp_rows_figure(LpJobRows *rows, const char *key, double value, LpDiag *diag) LP_MUST_USE;
/* A value of the trace's own header, such as MaxProcs of SWF; the first of a key counts. */
LpErr lp_rows_header(LpJobRows *rows, const char *key, const char *value, LpDiag *diag) LP_MUST_USE;
/* A sentence of the report's "assumed" line; a constant, each once. */
void lp_rows_assume(LpJobRows *rows, const char *sentence);
/* Submissions are moments since 1970, in UTC unless lp_rows_assume says otherwise. */
void lp_rows_dated(LpJobRows *rows);

/* ---- for what is made of them ---- */

/* Orders the jobs by submission (equal ones as in the file), applies the options, counts what they
 * leave out, and sets arrivals. Once, after the last row. O(n log n). Errors: LP_EINVAL where
 * options ask for what the trace does not have; LP_EREFUSED for a job that is too large where that
 * is an error; LP_ENOMEM. */
LpErr lp_rows_finish(LpJobRows *rows, const LpImportOptions *options, LpDiag *diag) LP_MUST_USE;

uint64_t lp_rows_count(const LpJobRows *rows); /* rows that were read: taken + left out */
uint64_t lp_rows_taken(const LpJobRows *rows);
uint64_t lp_rows_left(const LpJobRows *rows, LpLeft why);
/* Job i in order of arrival; texts are NULL where there are none, and stay the rows'. `arrival`: s
 * after the first, NULL allowed. */
void lp_rows_job(const LpJobRows *rows, uint64_t i, LpTraceJob *out, double *arrival);
/* Seconds since 1970 of the first arrival; false where the trace has no dates. */
bool lp_rows_epoch(const LpJobRows *rows, double *out);

typedef struct LpRowsNote {
    const char *word;
    uint64_t count;
} LpRowsNote;
size_t lp_rows_notes(const LpJobRows *rows, const LpRowsNote **out); /* by word */
typedef struct LpRowsFigure {
    const char *key;
    double value;
} LpRowsFigure;
size_t lp_rows_figures(const LpJobRows *rows, const LpRowsFigure **out);
typedef struct LpRowsHeader {
    const char *key, *value;
} LpRowsHeader;
size_t lp_rows_headers(const LpJobRows *rows, const LpRowsHeader **out);
const char *lp_rows_header_value(const LpJobRows *rows, const char *key); /* NULL: none */
size_t lp_rows_assumed(const LpJobRows *rows, const char *const **out);
/* Places and sentences of the first ten bad rows. */
size_t lp_rows_bad_rows(const LpJobRows *rows, const LpDiag **out);

/* What the jobs come to. */
typedef struct LpRowsSums {
    double gpu_hours, server_hours;
    uint32_t largest; /* servers of the widest job */
    double over;      /* s from the first arrival to the last */
} LpRowsSums;
LpRowsSums lp_rows_sums(const LpJobRows *rows);

#endif
