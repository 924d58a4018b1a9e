/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of jobs, column by column: this file is all that a column needs. */
#include "views/jobs/jobs_columns.h"

#include <stdio.h>

#include "moment/picture/words.h"

/* "running", "preempted", "late" ... */
static const char *state_of(const LpJob *job) {
    if (job->outcome == LP_JOB_WAITING && job->queue.held)
        return "preempted";
    return lp_outcome_name((LpOutcome)job->outcome);
}

/* ---- values ---- */

static const LpJob *job_of(const LpTableRow *row) {
    return row->item;
}

static const char *graph(const LpTableRow *row) {
    return lp_words_graph(row->list, job_of(row));
}

static double jct(const LpJob *job) {
    if (job->outcome == LP_JOB_COMPLETED)
        return job->times.end - job->asked.arrival;
    return job->outcome == LP_JOB_RUNNING ? job->times.forecast_end - job->asked.arrival
                                          : (double)NAN;
}

static double of_limit(const LpJob *job) {
    return lp_job_of_limit(job, jct(job));
}

static const char *cause(const LpJob *job) {
    return job->outcome == LP_JOB_BLOCKED ? lp_cause_code((LpCause)job->cause) : "";
}

static const char *why(const LpTableRow *row) {
    const LpModel *model = row->list;
    return model->session ? lp_session_why(model->session, job_of(row)->id).why : "";
}

/* ---- as text ---- */

static bool is_placed(const LpJob *job) {
    return job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_RUNNING;
}

static const char *print_id(const LpTableRow *row LP_UNUSED, LpTableValue value,
                            char text[LP_SHOW_TEXT]) {
    snprintf(text, LP_SHOW_TEXT, "%.0f", value.number);
    return text;
}

static const char *print_ways(const LpTableRow *row, LpTableValue value LP_UNUSED,
                              char text[LP_SHOW_TEXT]) {
    char cut[LP_WORDS_CUT];
    if (!is_placed(job_of(row)))
        return "-";
    snprintf(text, LP_SHOW_TEXT, "%s", lp_words_cut(row->list, job_of(row), cut));
    return text;
}

static const char *print_placed(const LpTableRow *row, LpTableValue value,
                                char text[LP_SHOW_TEXT]) {
    return is_placed(job_of(row)) ? print_id(row, value, text) : "-";
}

static const char *print_clock(const LpTableRow *row, LpTableValue value, char text[LP_SHOW_TEXT]) {
    return lp_show_clock(value.number, ((const LpModel *)row->list)->marks.scale, text);
}

/* ---- the table ---- */

/* As in widgets/widgets_table.h. */
#define LP_TABLE_ITEM LpJob
#define COLUMNS(X)                                                                                 \
    X(ID, "job", NULL, "", "number in order of arrival", 0, print_id, it->id)                      \
    X(GRAPH, "graph", NULL, "", "name of its computation graph", 14, lp_table_words, graph(row))   \
    X(STATE, "state", NULL, "", "running, waiting, completed, blocked ...", 14, lp_table_words,    \
      state_of(it))                                                                                \
    X(WAYS, "ways", NULL, "", "partition degree; servers of a rigid job", 0, print_ways,           \
      it->graph < 0 ? it->asked.rigid_servers : it->placed.partition_degree)                       \
    X(ARRIVAL, "arrived", NULL, "s", "time of arrival", 0, print_clock, it->asked.arrival)         \
    X(WAIT, "waited", NULL, "s", "time in the queue", 0, lp_table_seconds, it->times.wait)         \
    X(JCT, "JCT", NULL, "s", "from arrival to completion; running: forecast", 0, lp_table_seconds, \
      jct(it))                                                                                     \
    X(LIMIT, "of limit", NULL, "%", "JCT as a share of its limit", 0, lp_table_percent,            \
      of_limit(it))                                                                                \
    X(SERVERS, "servers", NULL, "", "servers that it has or had", 0, print_placed,                 \
      it->placed.servers)                                                                          \
    X(CAUSE, "cause", NULL, "", "why it is blocked", 13, lp_table_words, cause(it))                \
    X(WHY, "the policy's reason", NULL, "", "what the policy said of it", LP_TABLE_REST,           \
      lp_table_words, lp_table_text(why(row)))

enum { COLUMNS(LP_TABLE_ID) COLUMN_COUNT };

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

const int *lp_jobs_form(int width, bool plans) {
    static const int forms[][4][COLUMN_COUNT] = {{{7, 9, 26, 41, 54, 66, 79, 89, 98, 101, 114},
                                                  {6, 8, 23, 37, 50, 61, 73, 82, 0, 84, 0},
                                                  {6, 8, 23, 37, 0, 0, 49, 58, 0, 60, 0},
                                                  {4, 6, 21, 0, 0, 0, 0, 0, 0, 0, 0}},
                                                 {{7, 9, 26, 49, 61, 72, 84, 93, 102, 104, 116},
                                                  {6, 8, 23, 44, 56, 0, 68, 77, 0, 79, 0},
                                                  {6, 8, 23, 44, 0, 0, 56, 65, 0, 67, 0},
                                                  {4, 6, 21, 0, 0, 0, 0, 0, 0, 0, 0}}};
    return forms[plans][width >= 130 ? 0 : width >= 96 ? 1 : width >= 70 ? 2 : 3];
}

bool lp_job_sorts(int column) {
    return columns[column].width < LP_TABLE_REST;
}

static LpStyle style_of_state(const LpJob *job) {
    static const LpRole roles[LP_JOB_OUTCOMES] = {[LP_JOB_COMPLETED] = LP_ROLE_GOOD,
                                                  [LP_JOB_ABORTED] = LP_ROLE_BAD,
                                                  [LP_JOB_BLOCKED] = LP_ROLE_BAD,
                                                  [LP_JOB_WAITING] = LP_ROLE_WAIT,
                                                  [LP_JOB_DECIDING] = LP_ROLE_PENDING};
    return (LpStyle)roles[job->outcome];
}

/* Forecasts are muted, what is late is not. */
static LpStyle style_of(const LpTableRow *row, int column) {
    const LpJob *job = job_of(row);
    switch (column) {
    case COLUMN_STATE:
        return style_of_state(job);
    case COLUMN_CAUSE:
        return LP_ROLE_BAD;
    case COLUMN_WHY:
        return LP_ROLE_MUTED;
    case COLUMN_LIMIT:
    case COLUMN_JCT:
        if (column == COLUMN_LIMIT && jct(job) > job->asked.max_jct * (1 + 1e-9))
            return LP_ROLE_BAD;
        return job->outcome == LP_JOB_RUNNING ? LP_ROLE_MUTED : LP_ROLE_TEXT;
    default:
        return LP_ROLE_TEXT;
    }
}

const LpTable lp_jobs_table = {.column = columns,
                               .columns = COLUMN_COUNT,
                               .hit = LP_PANE_JOBS * LP_TABLE_COLUMNS,
                               .style = style_of};
