/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of jobs, column by column: a row here is all that a column needs, besides its word in
 * ui/glossary. */
#include "views/jobs/jobs_view_impl.h"

#include <math.h>
#include <stdio.h>

#include "moment/picture/words.h"

/* "running", "preempted", "late" and so on. */
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

/* What it has waited so far, also where it waits still. */
static double waited(const LpTableRow *row) {
    const LpModel *model = row->list;
    return model->world ? lp_job_waited(job_of(row), lp_world_now(model->world)) : (double)NAN;
}

static double overtaken(const LpTableRow *row) {
    const LpJobTable *table = lp_jobs_facts(row->list);
    uint32_t id = job_of(row)->id;
    return table && id < table->all ? table->overtaken[id] : (double)NAN;
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

static const char *print_count(const LpTableRow *row, LpTableValue value, char text[LP_SHOW_TEXT]) {
    return isnan(value.number) ? "-" : print_id(row, value, text);
}

static const char *print_waited(const LpTableRow *row LP_UNUSED, LpTableValue value,
                                char text[LP_SHOW_TEXT]) {
    return lp_show_span(value.number, text);
}

static const char *print_clock(const LpTableRow *row, LpTableValue value, char text[LP_SHOW_TEXT]) {
    return lp_words_clock(row->list, value.number, text);
}

/* ---- the table ---- */

/* As in widgets/widgets_table.h. */
#define LP_TABLE_ITEM LpJob
/* The step of a column from the one before it that is shown, 0: it is not; at the four widths of
 * lp_jobs_form, where jobs have degrees and where they have plans, whose names are longer. */
#define AT(...)                                                                                    \
    { __VA_ARGS__ }
#define COLUMNS(X)                                                                                 \
    X(ID, AT(7, 6, 6, 4, 7, 6, 6, 4), "job", NULL, "", "number in order of arrival", 0, print_id,  \
      it->id)                                                                                      \
    X(GRAPH, AT(2, 2, 2, 2, 2, 2, 2, 2), "graph", NULL, "", "name of its computation graph", 14,   \
      lp_table_words, graph(row))                                                                  \
    X(STATE, AT(17, 15, 15, 15, 17, 15, 15, 15), "state", NULL, "",                                \
      "running, waiting, completed, blocked ...", 14, lp_table_words, state_of(it))                \
    X(WAYS, AT(15, 13, 14, 0, 23, 21, 21, 0), "ways", NULL, "",                                    \
      "partition degree; servers of a rigid job", 0, print_ways,                                   \
      it->graph < 0 ? it->asked.rigid_servers : it->placed.partition_degree)                       \
    X(ARRIVAL, AT(13, 12, 0, 0, 12, 12, 0, 0), "arrived", NULL, "s", "time of arrival", 0,         \
      print_clock, it->asked.arrival)                                                              \
    X(WAIT, AT(12, 12, 0, 0, 12, 0, 0, 0), "waited", NULL, "s", "time in the queue, so far", 0,    \
      print_waited, waited(row))                                                                   \
    X(OVER, AT(6, 5, 0, 0, 6, 0, 0, 0), "over", NULL, "",                                          \
      "overtaken: jobs that came later and started first", 0, print_count, overtaken(row))         \
    X(JCT, AT(13, 10, 12, 0, 12, 12, 12, 0), "JCT", NULL, "s",                                     \
      "from arrival to completion; running: forecast", 0, lp_table_seconds, jct(it))               \
    X(LIMIT, AT(10, 9, 9, 0, 9, 9, 9, 0), "of limit", NULL, "%", "JCT as a share of its limit", 0, \
      lp_table_percent, of_limit(it))                                                              \
    X(SERVERS, AT(9, 0, 0, 0, 9, 0, 0, 0), "servers", NULL, "", "servers that it has or had", 0,   \
      print_placed, it->placed.servers)                                                            \
    X(CAUSE, AT(3, 2, 2, 0, 2, 2, 2, 0), "cause", NULL, "", "why it is blocked", 13,               \
      lp_table_words, cause(it))                                                                   \
    X(WHY, AT(13, 0, 0, 0, 12, 0, 0, 0), "the policy's reason", NULL, "",                          \
      "what the policy said of it", LP_TABLE_REST, lp_table_words, lp_table_text(why(row)))

enum { COLUMNS(LP_TABLE_ID) COLUMN_COUNT };

#define VALUE(id, at, ...) LP_TABLE_VALUE(id, __VA_ARGS__)
#define COLUMN(id, at, ...) LP_TABLE_COLUMN(id, __VA_ARGS__)
#define STEPS(id, at, ...) at,
COLUMNS(VALUE)

static const LpColumn columns[] = {COLUMNS(COLUMN)};
static const signed char steps[COLUMN_COUNT][8] = {COLUMNS(STEPS)};

void lp_jobs_form(int width, bool plans, int at[LP_TABLE_COLUMNS]) {
    int form = (plans ? 4 : 0) + (width >= 130 ? 0 : width >= 96 ? 1 : width >= 70 ? 2 : 3);
    int last = 0;
    for (int c = 0; c < COLUMN_COUNT; c++) {
        at[c] = steps[c][form] > 0 ? last + steps[c][form] : 0;
        last += steps[c][form];
    }
}

bool lp_job_sorts(int column) {
    return columns[column].width < LP_TABLE_REST;
}

static LpStyle style_of_state(const LpJob *job) {
    static const LpRole roles[LP_JOB_OUTCOMES] = {
        [LP_JOB_COMPLETED] = LP_ROLE_GOOD, [LP_JOB_ABORTED] = LP_ROLE_BAD,
        [LP_JOB_KILLED] = LP_ROLE_BAD,     [LP_JOB_BLOCKED] = LP_ROLE_BAD,
        [LP_JOB_WAITING] = LP_ROLE_WAIT,   [LP_JOB_DECIDING] = LP_ROLE_PENDING};
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
