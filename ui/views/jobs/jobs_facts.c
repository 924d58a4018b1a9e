/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters and sorts the table of jobs. */
#include "views/jobs/jobs_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "sim/facts/standing.h"

/* ---- who is in it ---- */

static bool passes(const LpTableRow *row, const char *filter) {
    const LpJob *job = row->item;
    char number[16];
    snprintf(number, sizeof number, "%u", (unsigned)job->id);
    if (filter[0] == '\0' || strcmp(number, filter) == 0)
        return true;
    for (int c = 0; c < lp_jobs_table.columns; c++) {
        const char *words = lp_job_sorts(c) ? lp_table_value(&lp_jobs_table, row, c).text : NULL;
        if (words && strstr(words, filter))
            return true;
    }
    return false;
}

/* ---- the order ---- */

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

static Key key_of(const LpTableRow *row, const LpJobTableState *state) {
    LpTableValue value = lp_table_value(&lp_jobs_table, row, state->sort);
    return (Key){value.number, value.text, ((const LpJob *)row->item)->id, state->descending};
}

static LpErr count_overtakings(LpJobTable *table, const LpModel *model, LpDiag *diag) {
    LpStanding standing;
    void *items = table->overtaken;
    LP_TRY(lp_standing_new(model->world, model->context, false, &standing, diag));
    LpErr err =
        lp_grow(&items, &table->overtaken_cap, (size_t)standing.jobs + 1, sizeof *table->overtaken);
    if (err == LP_OK) {
        table->overtaken = items;
        for (uint32_t i = 0; i < standing.jobs; i++)
            table->overtaken[i] = standing.job[i].overtaken;
    }
    lp_standing_fini(&standing);
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "the table of jobs");
}

LpErr lp_job_table_update(LpJobTable *table, const LpModel *model, const LpJobTableState *state,
                          LpDiag *diag) {
    const LpWorld *world = model->world;
    uint32_t jobs = lp_world_jobs(world);
    LP_TRY(count_overtakings(table, model, diag));
    Key *key = lp_alloc(jobs, sizeof *key);
    if (key == NULL ||
        lp_grow((void **)&table->job, &table->cap, (size_t)jobs + 1, sizeof *table->job) != LP_OK) {
        lp_free(key);
        return lp_fail_memory(diag, "the table of jobs");
    }
    table->count = 0;
    table->all = jobs;
    for (uint32_t i = 0; i < jobs; i++) {
        LpTableRow row = {.list = model, .item = lp_world_job(world, i)};
        if (passes(&row, state->filter))
            key[table->count++] = key_of(&row, state);
    }
    qsort(key, table->count, sizeof *key, compare);
    for (uint32_t i = 0; i < table->count; i++)
        table->job[i] = key[i].job;
    lp_free(key);
    return LP_OK;
}

void lp_job_table_fini(LpJobTable *table) {
    lp_free(table->job);
    lp_free(table->overtaken);
    *table = (LpJobTable){0};
}

int lp_job_table_row(const LpJobTable *table, const LpJobTableState *state) {
    for (uint32_t i = 0; i < table->count; i++)
        if (table->job[i] == state->job)
            return (int)i;
    return table->count > 0 ? 0 : -1;
}
