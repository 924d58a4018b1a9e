/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no policy can beat, beside the agents of an experiment. */
#include <math.h>

#include "host/workers.h"
#include "many/experiment/experiment_impl.h"

typedef struct Work {
    const LpBatchSpec *batch;
    LpExperiment *e;
} Work;

/* The bound of the first agent's scenario, which is that of all agents at this point. */
static LpErr task(void *user, size_t index, LpDiag *diag) {
    Work *w = user;
    LpExperiment *e = w->e;
    uint32_t point = (uint32_t)(index / e->batch.seeds), seed = (uint32_t)(index % e->batch.seeds);
    LpVariant variant = e->variant[point * e->agents];
    LpSession *session;
    variant.policy = NULL;
    variant.params = 0;
    LP_TRY(lp_batch_open(w->batch, &variant, e->batch.seed[seed], lp_inputs_files(w->batch->inputs),
                         &session, diag));
    LpErr err = lp_bound_session(session, &e->bound[index], diag);
    lp_session_close(session);
    return err;
}

static bool go_on(void *user, size_t done, size_t count) {
    const LpBatchSpec *batch = user;
    (void)done;
    (void)count;
    return batch->cancelled == NULL || !batch->cancelled(batch->user);
}

LpErr lp_experiment_bounds(const LpBatchSpec *batch, LpExperiment *e, LpDiag *diag) {
    size_t count = (size_t)e->points * e->batch.seeds;
    Work work = {batch, e};
    bool stopped = false;
    e->bound = lp_arena_alloc(e->arena, count, sizeof *e->bound);
    if (e->bound == NULL)
        return lp_fail_memory(diag, "the bounds");
    LP_TRY(lp_workers_run(batch->threads, count, task, &work, go_on, (void *)(uintptr_t)batch,
                          &stopped, diag));
    if (stopped) {
        e->bound = NULL;
        e->batch.stopped = true;
    }
    return LP_OK;
}

double lp_experiment_bound(const LpExperiment *e, uint32_t point, LpBoundKind kind) {
    double sum = 0;
    for (uint32_t s = 0; e->bound != NULL && s < e->batch.seeds; s++)
        sum += e->bound[(size_t)point * e->batch.seeds + s].rate[kind];
    return e->bound != NULL && e->batch.seeds > 0 ? sum / e->batch.seeds : (double)NAN;
}

static bool waited(const LpRun *run) {
    for (uint32_t i = 0; run->done && i < run->jobs; i++)
        if (run->choice[i].start > run->choice[i].arrival)
            return true;
    return false;
}

/* More than one degree among the jobs that started; *degree: of those before, 0: none. */
static bool varies(const LpRun *run, uint32_t *degree) {
    for (uint32_t i = 0; run->done && i < run->jobs; i++) {
        const LpChoice *c = &run->choice[i];
        if (isnan(c->start))
            continue;
        if (*degree != 0 && c->degree != *degree)
            return true;
        *degree = c->degree;
    }
    return false;
}

unsigned lp_experiment_acts(const LpExperiment *e, uint32_t agent) {
    unsigned acts = 0;
    uint32_t degree = 0;
    for (uint32_t p = 0; p < e->points; p++)
        for (uint32_t s = 0; s < e->batch.seeds; s++) {
            const LpRun *run = lp_experiment_at(e, p, agent, s);
            acts |= run->done && run->summary.blocked_by[LP_CAUSE_DECLINED] > 0
                        ? 1u << LP_ACT_REFUSE
                        : 0;
            acts |= varies(run, &degree) ? 1u << LP_ACT_DEGREE : 0;
            acts |= run->places ? 1u << LP_ACT_PLACE : 0;
            acts |= waited(run) ? 1u << LP_ACT_QUEUE : 0;
            acts |= run->done && run->preemptions > 0 ? 1u << LP_ACT_PREEMPT : 0;
        }
    return acts;
}

LpBoundKind lp_experiment_bound_kind(const LpExperiment *e, uint32_t agent) {
    unsigned acts = lp_experiment_acts(e, agent);
    return acts >> LP_ACT_PREEMPT & 1 ? LP_BOUND_PREEMPTING
           : acts >> LP_ACT_QUEUE & 1 ? LP_BOUND_WAITING
                                      : LP_BOUND_AT_ONCE;
}
