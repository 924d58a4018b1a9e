/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of a run, taken while its records are replayed. */
#include "ask/inspect/series.h"

#include <stdlib.h>

#include "base/csv_out.h"
#include "base/mem.h"
#include "session/replay.h"
#include "sim/condition.h"

typedef struct Taking {
    const LpContext *context;
    const LpWorld *world;
    LpSeries *series;
    bool *running; /* per job */
    size_t cap, jobs;
} Taking;

static LpErr add(Taking *t, const LpSample *sample, LpDiag *diag) {
    LpSeries *s = t->series;
    void *items = s->sample;
    if (lp_grow(&items, &s->cap, s->samples + 1, sizeof *s->sample) != LP_OK)
        return lp_fail_memory(diag, "the curves of a run");
    s->sample = items;
    s->sample[s->samples++] = *sample;
    return LP_OK;
}

/* ---- samples ---- */

static LpErr sample_job(Taking *t, const LpJob *job, LpDiag *diag) {
    uint32_t id = job->id;
    void *items = t->running;
    if (lp_grow(&items, &t->cap, (size_t)id + 1, sizeof *t->running) != LP_OK)
        return lp_fail_memory(diag, "the curves of a run");
    t->running = items;
    for (; t->jobs <= id; t->jobs++)
        t->running[t->jobs] = false;
    t->running[id] = true;
    LpSample sample = {
        .time = lp_world_now(t->world), .job = job->id, .dark = job->light.dark != LP_JOB_LIT};
    if (job->graph < 0)
        sample.compute = sample.resident = 1;
    if (job->graph < 0 || sample.dark || job->placed.step == LP_NO_INDEX ||
        !(job->forecast.step_time > 0))
        return add(t, &sample, diag);
    const LpStepSummary *step = lp_store_step(t->context->store, job->placed.step);
    double longer = job->forecast.step_time - step->step_time; /* others are in the way */
    sample.throughput = job->forecast.flow_bytes / job->forecast.step_time;
    sample.compute = step->computation / job->forecast.step_time;
    sample.resident = (step->computation + step->exposed + longer) / job->forecast.step_time;
    return add(t, &sample, diag);
}

/* A job that ran after the event before, and does not any more. */
static LpErr end_job(Taking *t, uint32_t id, LpDiag *diag) {
    LpSample sample = {.time = lp_world_now(t->world), .job = id};
    if (!t->running[id] || lp_world_job(t->world, id)->outcome == LP_JOB_RUNNING)
        return LP_OK;
    t->running[id] = false;
    return add(t, &sample, diag);
}

static LpErr take(void *user, const LpContext *context, const LpWorld *world, const LpEvent *event,
                  LpDiag *diag) {
    Taking *t = user;
    LpErr err = LP_OK;
    if (event == NULL)
        return LP_OK;
    t->context = context;
    t->world = world;
    for (uint32_t id = 0; err == LP_OK && id < t->jobs; id++)
        err = end_job(t, id, diag);
    for (uint32_t id = lp_world_first_running(t->world); err == LP_OK && id != LP_NO_INDEX;
         id = lp_world_next_running(t->world, id))
        err = sample_job(t, lp_world_job(t->world, id), diag);
    return err;
}

LpErr lp_series_make(const LpSession *s, LpSeries *out, LpDiag *diag) {
    LpSeries series = {0};
    Taking t = {.series = &series};
    LpErr err = lp_session_again(s, take, &t, diag);
    lp_free(t.running);
    if (err != LP_OK) {
        lp_series_fini(&series);
        return err;
    }
    *out = series;
    return LP_OK;
}

void lp_series_fini(LpSeries *series) {
    lp_free(series->sample);
    *series = (LpSeries){0};
}

/* Samples of one job and time keep their order: the later one lies behind. */
static int compare_samples(const void *a, const void *b) {
    const LpSample *x = a, *y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void lp_series_by_job(LpSeries *s) {
    for (size_t i = 0; i < s->samples; i++)
        s->sample[i].order = i;
    if (s->samples > 0)
        qsort(s->sample, s->samples, sizeof *s->sample, compare_samples);
}

const LpSample *lp_series_at(const LpSeries *s, uint32_t job, double time) {
    size_t low = 0, high = s->samples;
    while (low < high) { /* the first one that is later */
        size_t middle = low + (high - low) / 2;
        const LpSample *m = &s->sample[middle];
        if (m->job < job || (m->job == job && m->time <= time))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && s->sample[low - 1].job == job ? &s->sample[low - 1] : NULL;
}

void lp_series_csv(const LpSeries *series, LpBuf *out) {
    LpCsvOut csv = {.out = out};
    lp_buf_add(out, "time,job,light,throughput,compute_busy,kernel_resident\n");
    for (size_t i = 0; i < series->samples; i++) {
        const LpSample *s = &series->sample[i];
        lp_csv_put_number(&csv, s->time);
        lp_csv_put_count(&csv, s->job);
        lp_csv_put_words(&csv, s->dark ? "dark" : "lit");
        lp_csv_put_number(&csv, s->throughput);
        lp_csv_put_number(&csv, s->compute);
        lp_csv_put_number(&csv, s->resident);
        lp_csv_end(&csv);
    }
}
