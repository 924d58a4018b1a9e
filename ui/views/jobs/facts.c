/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters and sorts the table of jobs. */
#include "views/jobs/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static const char *const headings[] = {
#define X(id, heading, meaning) heading,
    LP_JOB_COLUMN_TABLE(X)
#undef X
};

const char *lp_job_column_heading(LpJobColumn column) {
    return headings[column];
}

double lp_job_table_jct(const LpJob *job) {
    if (job->outcome == LP_JOB_COMPLETED)
        return job->end - job->arrival;
    return job->outcome == LP_JOB_RUNNING ? job->forecast_end - job->arrival : (double)NAN;
}

const char *lp_job_table_state(const LpJob *job) {
    if (job->outcome == LP_JOB_WAITING && job->held)
        return "preempted";
    return lp_outcome_name((LpOutcome)job->outcome);
}

static const char *graph_of(const LpScenario *scenario, const LpJob *job) {
    return job->graph < 0 ? "rigid" : scenario->graph[job->graph]->id;
}

static const char *cause_of(const LpJob *job) {
    const char *code = lp_cause_code((LpCause)job->cause);
    return job->outcome == LP_JOB_BLOCKED && code ? code : "";
}

/* --- who is in it --- */

static bool passes(const LpScenario *scenario, const LpJob *job, const char *filter) {
    char number[16];
    snprintf(number, sizeof number, "%u", (unsigned)job->id);
    return filter[0] == '\0' || strcmp(number, filter) == 0 ||
           strstr(graph_of(scenario, job), filter) || strstr(lp_job_table_state(job), filter) ||
           strstr(cause_of(job), filter);
}

/* --- the order --- */

typedef struct Key {
    double number;
    const char *text; /* instead of the number; NULL: none */
    uint32_t job;
    bool descending;
} Key;

static int compare(const void *x, const void *y) {
    const Key *a = x, *b = y;
    int order = 0;
    if (a->text)
        order = strcmp(a->text, b->text);
    else if (isnan(a->number) || isnan(b->number))
        return isnan(a->number) == isnan(b->number) ? (a->job > b->job) - (a->job < b->job)
               : isnan(a->number)                   ? 1
                                                    : -1;
    else
        order = (a->number > b->number) - (a->number < b->number);
    if (order != 0)
        return a->descending ? -order : order;
    return (a->job > b->job) - (a->job < b->job);
}

static Key key_of(const LpSession *session, const LpJob *job, const LpJobTableState *state) {
    Key key = {.job = job->id, .descending = state->descending};
    double jct = lp_job_table_jct(job);
    switch (state->sort) {
    case LP_JOB_COLUMN_GRAPH:
        key.text = graph_of(lp_session_scenario(session), job);
        break;
    case LP_JOB_COLUMN_STATE:
        key.text = lp_job_table_state(job);
        break;
    case LP_JOB_COLUMN_CAUSE:
        key.text = cause_of(job);
        break;
    case LP_JOB_COLUMN_WAYS:
        key.number = job->graph < 0 ? job->rigid_servers : job->partition_degree;
        break;
    case LP_JOB_COLUMN_ARRIVAL:
        key.number = job->arrival;
        break;
    case LP_JOB_COLUMN_WAIT:
        key.number = job->wait;
        break;
    case LP_JOB_COLUMN_JCT:
        key.number = jct;
        break;
    case LP_JOB_COLUMN_LIMIT:
        key.number = isinf(job->max_jct) ? (double)NAN : jct / job->max_jct;
        break;
    case LP_JOB_COLUMN_SERVERS:
        key.number = job->servers;
        break;
    case LP_JOB_COLUMN_ID:
    case LP_JOB_COLUMN_COUNT:
        key.number = job->id;
        break;
    }
    return key;
}

LpErr lp_job_table_update(LpJobTable *table, const LpSession *session, const LpJobTableState *state,
                          LpDiag *diag) {
    const LpWorld *world = lp_session_world(session);
    const LpScenario *scenario = lp_session_scenario(session);
    uint32_t jobs = lp_world_jobs(world);
    Key *key = lp_alloc(jobs, sizeof *key);
    if (key == NULL ||
        lp_grow((void **)&table->job, &table->cap, (size_t)jobs + 1, sizeof *table->job) != LP_OK) {
        lp_free(key);
        return lp_fail_memory(diag, "the table of jobs");
    }
    table->count = 0;
    table->all = jobs;
    for (uint32_t i = 0; i < jobs; i++) {
        const LpJob *job = lp_world_job(world, i);
        if (passes(scenario, job, state->filter))
            key[table->count++] = key_of(session, job, state);
    }
    qsort(key, table->count, sizeof *key, compare);
    for (uint32_t i = 0; i < table->count; i++)
        table->job[i] = key[i].job;
    lp_free(key);
    return LP_OK;
}

void lp_job_table_fini(LpJobTable *table) {
    lp_free(table->job);
    *table = (LpJobTable){0};
}

int lp_job_table_row(const LpJobTable *table, const LpJobTableState *state) {
    for (uint32_t i = 0; i < table->count; i++)
        if (table->job[i] == state->job)
            return (int)i;
    return table->count > 0 ? 0 : -1;
}
