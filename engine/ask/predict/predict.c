/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One job on an empty cluster, per degree: running it. */
#include "ask/predict/predict.h"

#include <math.h>

#include "ask/inspect/trace_tasks.h"
#include "ask/predict/predict_impl.h"
#include "base/mem.h"
#include "sim/world.h"

enum { PIECE = 1 << 16 };

static LpErr predict(LpPrediction *p, const LpPredictSpec *spec, LpDiag *diag) {
    LpEvent event = {0};
    LP_TRY(lp_predict_scenario(spec, &p->scenario, diag));
    LP_TRY(lp_context_new(p->scenario, &p->context, diag));
    lp_context_log(p->context, spec->log);
    LP_TRY(lp_world_new(p->context, p->scenario->seed, &p->world, diag));
    p->row = lp_alloc(spec->degrees, sizeof *p->row);
    if (p->row == NULL)
        return lp_fail_memory(diag, "a prediction");
    LP_TRY(lp_world_advance(p->world, p->context, &event, diag));
    if (event.kind != LP_EVENT_ARRIVAL || lp_world_job(p->world, event.job)->graph < 0)
        return lp_fail(diag, LP_EINVAL, "the first job must be one with a graph, arriving at 0 s");
    p->collectives = spec->kind != NULL || p->scenario->job[0].kind == LP_PARTITION_TENSOR;
    p->sequential_jct = lp_world_job(p->world, event.job)->asked.sequential_jct;
    uint32_t job = lp_world_due(p->world);
    for (; p->rows < spec->degrees; p->rows++) {
        LpPredictRow *row = &p->row[p->rows];
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = spec->degree[p->rows]};
        row->degree = answer.degree;
        LP_TRY(lp_world_predict(p->world, p->context, job, &answer, &row->forecast, diag));
    }
    return LP_OK;
}

LpErr lp_predict_run(const LpPredictSpec *spec, LpPrediction **out, LpDiag *diag) {
    LpPrediction *p = lp_alloc(1, sizeof *p);
    if (p == NULL)
        return lp_fail_memory(diag, "a prediction");
    LpErr err = predict(p, spec, diag);
    if (err == LP_OK)
        *out = p;
    else
        lp_prediction_free(p);
    return err;
}

void lp_prediction_free(LpPrediction *p) {
    if (p == NULL)
        return;
    lp_free(p->row);
    lp_world_free(p->world);
    lp_context_free(p->context);
    lp_scenario_free(p->scenario);
    lp_free(p);
}

uint32_t lp_prediction_rows(const LpPrediction *p) {
    return p->rows;
}

const LpPredictRow *lp_prediction_row(const LpPrediction *p, uint32_t index) {
    return &p->row[index];
}

/* ---- trace ---- */

static LpErr write_tasks(const LpPrediction *p, LpTraceTasks *tasks, LpSink sink, void *user,
                         LpDiag *diag) {
    LpBuf out = {0};
    LpErr err = LP_OK;
    while (err == LP_OK && tasks->at < tasks->count) {
        lp_trace_tasks_print(tasks, p->context, &out);
        if (out.len < PIECE && tasks->at < tasks->count)
            continue;
        err = lp_buf_ok(&out, diag);
        if (err == LP_OK)
            err = sink(user, out.text, out.len, diag);
        lp_buf_clear(&out);
    }
    lp_buf_fini(&out);
    return err;
}

LpErr lp_prediction_trace(const LpPrediction *p, LpSink sink, void *user, uint32_t *degree,
                          LpDiag *diag) {
    LpTraceTasks tasks;
    uint32_t i = 0;
    while (i < p->rows && !p->row[i].forecast.feasible)
        i++;
    if (i == p->rows)
        return lp_fail(diag, LP_EREFUSED, "no degree is feasible, so there is no step to trace");
    const LpForecast *f = &p->row[i].forecast;
    *degree = p->row[i].degree;
    LP_TRY(lp_trace_tasks(lp_world_context(p->world, p->context), lp_world_due(p->world), 0,
                          f->partition, f->placement, LP_RULES_SRPT,
                          p->context->fabric.network != NULL ? f->step_time : (double)NAN, &tasks,
                          diag));
    LpErr err = write_tasks(p, &tasks, sink, user, diag);
    lp_trace_tasks_fini(&tasks);
    return err;
}
