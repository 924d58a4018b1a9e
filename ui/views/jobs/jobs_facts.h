/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all jobs that have arrived: its order, and who is in it. */
#ifndef LP_UI_VIEWS_JOBS_FACTS_H
#define LP_UI_VIEWS_JOBS_FACTS_H

#include "views/jobs/jobs_columns.h"

enum { LP_JOB_FILTER = 64 };

/* The screen's own state of the table. */
typedef struct LpJobTableState {
    int sort; /* column */
    bool descending;
    char filter[LP_JOB_FILTER]; /* "" for all */
    uint32_t job;               /* marked, LP_NO_INDEX: the first */
} LpJobTableState;

/* Zero-initialise. */
typedef struct LpJobTable {
    uint32_t *job; /* ids in the order in which they are shown */
    size_t cap;
    uint32_t count, all; /* shown, arrived */
    uint32_t *overtaken; /* by job: how many came later and started first */
    size_t overtaken_cap;
} LpJobTable;

/* Lists the jobs of the world whose graph, state, cause or number has the filter in it, sorted; NAN
 * comes last, ties by number. Errors: LP_ENOMEM. O(jobs log jobs). */
LpErr lp_job_table_update(LpJobTable *table, const LpModel *model, const LpJobTableState *state,
                          LpDiag *diag) LP_MUST_USE;
void lp_job_table_fini(LpJobTable *table);

/* Row of the marked job, 0 when it is not shown; -1 in an empty table. O(count). */
int lp_job_table_row(const LpJobTable *table, const LpJobTableState *state);

#endif
