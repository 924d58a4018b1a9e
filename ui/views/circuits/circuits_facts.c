/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the circuits of each running job between two groups. */
#include "views/circuits/circuits_facts.h"

#include "base/mem.h"

const LpPod *lp_circuits_pod(const LpContext *context) {
    return &context->fabric.cluster->pod.net;
}

static void clear(LpCircuitsModel *model) {
    for (uint32_t i = 0; i < model->jobs; i++)
        lp_circuit_inspection_fini(&model->job[i].seen);
    model->jobs = 0;
    model->known = false;
}

void lp_circuits_model_fini(LpCircuitsModel *model) {
    clear(model);
    lp_free(model->job);
    *model = (LpCircuitsModel){0};
}

static bool same(const LpPairJob *pair, const LpJob *job) {
    return pair->job == job->id && pair->partition == job->placed.partition &&
           pair->placement == job->placed.placement && pair->scales == job->placed.scales &&
           pair->orders.ops == job->placed.orders.ops &&
           pair->orders.flows == job->placed.orders.flows;
}

/* Takes what was made for the job before out of its place from `at` on; false: nothing was. */
static bool take(LpCircuitsModel *model, uint32_t at, const LpJob *job) {
    for (uint32_t i = at; i < model->jobs; i++)
        if (same(&model->job[i], job)) {
            LpPairJob found = model->job[i];
            model->job[i] = model->job[at];
            model->job[at] = found;
            return true;
        }
    return false;
}

/* Puts a new one in place `at`. */
static LpErr make(LpCircuitsModel *model, const LpContext *context, uint32_t at, const LpJob *job,
                  LpDiag *diag) {
    LpPairJob made = {.job = job->id,
                      .partition = job->placed.partition,
                      .placement = job->placed.placement,
                      .scales = job->placed.scales,
                      .orders = job->placed.orders};
    if (lp_grow((void **)&model->job, &model->cap, (size_t)model->jobs + 1, sizeof *model->job) !=
        LP_OK)
        return lp_fail_memory(diag, "the board of circuits");
    context = lp_job_context(job, context);
    LP_TRY(lp_circuit_inspect(context, job->placed.partition, job->placed.placement,
                              job->placed.orders, model->from, model->to, &made.seen, diag));
    model->job[model->jobs++] = model->job[at];
    model->job[at] = made;
    return LP_OK;
}

static bool lights(const LpJob *job) {
    return job->placed.partition != LP_NO_INDEX && job->placed.placement != LP_NO_INDEX &&
           job->placed.circuits > 0;
}

LpErr lp_circuits_model_update(LpCircuitsModel *model, const LpSession *session, uint32_t from,
                               uint32_t to, LpDiag *diag) {
    const LpWorld *world = lp_session_world(session);
    uint32_t count = 0;
    if (!model->known || model->from != from || model->to != to)
        clear(model);
    model->from = from;
    model->to = to;
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        if (!lights(job))
            continue;
        if (!take(model, count, job))
            LP_TRY(make(model, lp_session_context(session), count, job, diag));
        count++;
    }
    for (uint32_t i = count; i < model->jobs; i++)
        lp_circuit_inspection_fini(&model->job[i].seen);
    model->jobs = count;
    model->known = true;
    return LP_OK;
}

const LpCircuit *lp_circuits_model_find(const LpCircuitsModel *model, uint32_t src, uint32_t dst,
                                        const LpPairJob **whose) {
    for (uint32_t i = 0; i < model->jobs; i++) {
        const LpCircuit *found = lp_circuit_inspection_find(&model->job[i].seen, src, dst);
        if (found) {
            *whose = &model->job[i];
            return found;
        }
    }
    return NULL;
}
