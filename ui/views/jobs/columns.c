/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each column of the table of jobs says. */
#include "views/jobs/columns.h"

#include <math.h>
#include <stdio.h>

#include "moment/words.h"

const char *lp_job_state(const LpJob *job) {
    if (job->outcome == LP_JOB_WAITING && job->held)
        return "preempted";
    return lp_outcome_name((LpOutcome)job->outcome);
}

/* --- values --- */

static LpJobValue words(const char *text) {
    return (LpJobValue){text, (double)NAN};
}

static LpJobValue number(double value) {
    return (LpJobValue){NULL, value};
}

static LpJobValue value_id(const LpScenario *scenario, const LpJob *job) {
    (void)scenario;
    return number(job->id);
}

static LpJobValue value_graph(const LpScenario *scenario, const LpJob *job) {
    return words(job->graph < 0 ? "rigid" : scenario->graph[job->graph]->id);
}

static LpJobValue value_state(const LpScenario *scenario, const LpJob *job) {
    (void)scenario;
    return words(lp_job_state(job));
}

static LpJobValue value_ways(const LpScenario *scenario, const LpJob *job) {
    (void)scenario;
    return number(job->graph < 0 ? job->rigid_servers : job->partition_degree);
}

static LpJobValue value_arrival(const LpScenario *scenario, const LpJob *job) {
    (void)scenario;
    return number(job->arrival);
}

static LpJobValue value_wait(const LpScenario *scenario, const LpJob *job) {
    (void)scenario;
    return number(job->wait);
}

static LpJobValue value_jct(const LpScenario *scenario, const LpJob *job) {
    (void)scenario;
    if (job->outcome == LP_JOB_COMPLETED)
        return number(job->end - job->arrival);
    return number(job->outcome == LP_JOB_RUNNING ? job->forecast_end - job->arrival : (double)NAN);
}

static LpJobValue value_limit(const LpScenario *scenario, const LpJob *job) {
    double jct = value_jct(scenario, job).number;
    return number(isinf(job->max_jct) ? (double)NAN : jct / job->max_jct);
}

static LpJobValue value_servers(const LpScenario *scenario, const LpJob *job) {
    (void)scenario;
    return number(job->servers);
}

static LpJobValue value_cause(const LpScenario *scenario, const LpJob *job) {
    const char *code = lp_cause_code((LpCause)job->cause);
    (void)scenario;
    return words(job->outcome == LP_JOB_BLOCKED && code ? code : "");
}

/* --- as text --- */

static void print_words(const LpModel *model, const LpJob *job, LpJobValue value,
                        char text[LP_SHOW_TEXT]) {
    (void)model;
    (void)job;
    lp_str_copy(text, LP_SHOW_TEXT, value.text);
}

static void print_id(const LpModel *model, const LpJob *job, LpJobValue value,
                     char text[LP_SHOW_TEXT]) {
    (void)model;
    (void)value;
    snprintf(text, LP_SHOW_TEXT, "%u", (unsigned)job->id);
}

static bool is_placed(const LpJob *job) {
    return job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_RUNNING;
}

static void print_ways(const LpModel *model, const LpJob *job, LpJobValue value,
                       char text[LP_SHOW_TEXT]) {
    (void)model;
    (void)value;
    snprintf(text, LP_SHOW_TEXT, is_placed(job) ? "x%u" : "-", (unsigned)lp_words_ways(job));
}

static void print_count(const LpModel *model, const LpJob *job, LpJobValue value,
                        char text[LP_SHOW_TEXT]) {
    (void)model;
    snprintf(text, LP_SHOW_TEXT, is_placed(job) ? "%.0f" : "-", value.number);
}

static void print_clock(const LpModel *model, const LpJob *job, LpJobValue value,
                        char text[LP_SHOW_TEXT]) {
    (void)job;
    lp_show_clock(value.number, model->marks.scale, text);
}

static void print_seconds(const LpModel *model, const LpJob *job, LpJobValue value,
                          char text[LP_SHOW_TEXT]) {
    (void)model;
    (void)job;
    lp_show_seconds(value.number, text);
}

static void print_percent(const LpModel *model, const LpJob *job, LpJobValue value,
                          char text[LP_SHOW_TEXT]) {
    (void)model;
    (void)job;
    lp_show_percent(value.number, text);
}

/* --- the table --- */

static const LpJobColumnInfo columns[] = {
#define X(id, name, unit, meaning, width, value, print)                                            \
    {name, unit, meaning, width, value_##value, print_##print},
    LP_JOB_COLUMN_TABLE(X)
#undef X
};

const LpJobColumnInfo *lp_job_column(LpJobColumn column) {
    return &columns[column];
}

LpJobValue lp_job_value(const LpScenario *scenario, const LpJob *job, LpJobColumn column) {
    return columns[column].value(scenario, job);
}

const char *lp_job_print(const LpModel *model, const LpJob *job, LpJobColumn column,
                         char text[LP_SHOW_TEXT]) {
    LpJobValue value = lp_job_value(model->scenario, job, column);
    if (value.text)
        return value.text;
    if (isnan(value.number))
        return "-";
    columns[column].print(model, job, value, text);
    return text;
}
