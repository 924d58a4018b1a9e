/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all jobs that have arrived: its columns, its order, and who is in it. */
#ifndef LP_UI_VIEWS_JOBS_FACTS_H
#define LP_UI_VIEWS_JOBS_FACTS_H

#include "run/session/session.h"

/* X(ID, "heading", "what it is") */
#define LP_JOB_COLUMN_TABLE(X)                                                                     \
    X(ID, "job", "number in order of arrival")                                                     \
    X(GRAPH, "graph", "name of its computation graph")                                             \
    X(STATE, "state", "running, waiting, completed, blocked ...")                                  \
    X(WAYS, "ways", "partition degree; servers of a rigid job")                                    \
    X(ARRIVAL, "arrived", "time of arrival")                                                       \
    X(WAIT, "waited", "time in the queue")                                                         \
    X(JCT, "JCT", "from arrival to completion; of a running job the forecast")                     \
    X(LIMIT, "of limit", "JCT as a share of its limit")                                            \
    X(SERVERS, "servers", "servers that it has or had")                                            \
    X(CAUSE, "cause", "why it is blocked")

typedef enum LpJobColumn {
#define X(id, heading, meaning) LP_JOB_COLUMN_##id,
    LP_JOB_COLUMN_TABLE(X)
#undef X
        LP_JOB_COLUMN_COUNT
} LpJobColumn;

const char *lp_job_column_heading(LpJobColumn column);

enum { LP_JOB_FILTER = 64 };

/* The screen's own state of the table. */
typedef struct LpJobTableState {
    LpJobColumn sort;
    bool descending;
    char filter[LP_JOB_FILTER]; /* "" for all */
    uint32_t job;               /* marked, LP_NO_INDEX: the first */
} LpJobTableState;

/* Zero-initialise. */
typedef struct LpJobTable {
    uint32_t *job; /* ids in the order in which they are shown */
    size_t cap;
    uint32_t count, all; /* shown, arrived */
} LpJobTable;

/* Lists the jobs of the world whose graph, state, cause or number has the filter in it, sorted; NAN
 * comes last, ties by number. Errors: LP_ENOMEM. O(jobs log jobs). */
LpErr lp_job_table_update(LpJobTable *table, const LpSession *session, const LpJobTableState *state,
                          LpDiag *diag) LP_MUST_USE;
void lp_job_table_fini(LpJobTable *table);

/* Row of the marked job, 0 when it is not shown; -1 in an empty table. O(count). */
int lp_job_table_row(const LpJobTable *table, const LpJobTableState *state);

/* JCT of a completed job, the forecast of a running one, else NAN, s. */
double lp_job_table_jct(const LpJob *job);
/* "running", "preempted", "late" ... */
const char *lp_job_table_state(const LpJob *job);

#endif
