/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the table of jobs: one row here is all that a column needs. The table on the
 * screen, its order, its filter and searching read it. */
#ifndef LP_UI_VIEWS_JOBS_COLUMNS_H
#define LP_UI_VIEWS_JOBS_COLUMNS_H

#include "moment/model.h"

/* X(ID, "name", "unit", "meaning", width, value, print). Words have a width and are what the filter
 * and searching look into; numbers have none, end where the column stands, and are printed. */
#define LP_JOB_COLUMN_TABLE(X)                                                                     \
    X(ID, "job", "", "number in order of arrival", 0, id, id)                                      \
    X(GRAPH, "graph", "", "name of its computation graph", 14, graph, words)                       \
    X(STATE, "state", "", "running, waiting, completed, blocked ...", 14, state, words)            \
    X(WAYS, "ways", "", "partition degree; servers of a rigid job", 0, ways, ways)                 \
    X(ARRIVAL, "arrived", "s", "time of arrival", 0, arrival, clock)                               \
    X(WAIT, "waited", "s", "time in the queue", 0, wait, seconds)                                  \
    X(JCT, "JCT", "s", "from arrival to completion; of a running job the forecast", 0, jct,        \
      seconds)                                                                                     \
    X(LIMIT, "of limit", "%", "JCT as a share of its limit", 0, limit, percent)                    \
    X(SERVERS, "servers", "", "servers that it has or had", 0, servers, count)                     \
    X(CAUSE, "cause", "", "why it is blocked", 13, cause, words)

typedef enum LpJobColumn {
#define X(id, name, unit, meaning, width, value, print) LP_JOB_COLUMN_##id,
    LP_JOB_COLUMN_TABLE(X)
#undef X
        LP_JOB_COLUMN_COUNT
} LpJobColumn;

/* What a column says of a job: words, or, with text NULL, a number (NAN: not known). */
typedef struct LpJobValue {
    const char *text;
    double number;
} LpJobValue;

typedef struct LpJobColumnInfo {
    const char *name, *unit, *meaning;
    int width;
    LpJobValue (*value)(const LpScenario *scenario, const LpJob *job);
    void (*print)(const LpModel *model, const LpJob *job, LpJobValue value,
                  char text[LP_SHOW_TEXT]);
} LpJobColumnInfo;

const LpJobColumnInfo *lp_job_column(LpJobColumn column);
LpJobValue lp_job_value(const LpScenario *scenario, const LpJob *job, LpJobColumn column);
/* As it stands in the table, "-" where nothing is known; good until `text` is. */
const char *lp_job_print(const LpModel *model, const LpJob *job, LpJobColumn column,
                         char text[LP_SHOW_TEXT]);
/* "running", "preempted", "late" ... */
const char *lp_job_state(const LpJob *job);

#endif
