/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a plan to tasks and transfers on rails. */
#include "sim/parallel/rails.h"

#include "base/num.h"
#include "model/parallel/shard.h"
#include "model/parallel/times.h"
#include "sim/parallel/parallel_step.h"
#include "sim/parallel/stages.h"

typedef struct Case {
    const LpDecoder *model;
    const LpParallel *plan;
    const LpRails *rails;
    LpMachine machine; /* with rails for a network */
    uint32_t parts;
    double *bucket, *gather, *optimiser; /* by stage */
} Case;

/* ---- what rails are not for ---- */

static LpErr check_rails(const LpParallel *plan, const LpMachine *machine, const LpRails *rails,
                         LpDiag *diag) {
    char shown[LP_NUM_TEXT];
    if (plan->tensor > machine->node)
        return lp_fail(
            diag, LP_EINVAL,
            "tensor is %u and a node has %s devices: expected at most that, since tensor "
            "parallelism never uses a rail",
            (unsigned)plan->tensor, lp_num_print(machine->node, shown));
    if (lp_parallel_context(plan) > 1)
        return lp_fail(diag, LP_EINVAL,
                       "context is %u: expected 1, since the keys and values of other tokens go "
                       "over no rail",
                       (unsigned)plan->context);
    if (plan->zero == 2)
        return lp_fail(
            diag, LP_EINVAL,
            "zero is 2: expected 0, 1 or 3, since rails reduce the gradients of the last "
            "micro-batch alone or, with weights that are gathered, of all");
    if (rails->parts > LP_TURN_NODES_MAX)
        return lp_fail(diag, LP_EINVAL, "parts is %u: expected at most %d", (unsigned)rails->parts,
                       (int)LP_TURN_NODES_MAX);
    if (!(rails->delay >= 0 && rails->delay <= LP_TURN_LONGEST))
        return lp_fail(diag, LP_EINVAL, "delay is %s s: expected 0 or more, and at most %g s",
                       lp_num_print(rails->delay, shown), LP_TURN_LONGEST);
    if (!(rails->rate >= 0 && rails->rate <= 1e18))
        return lp_fail(diag, LP_EINVAL, "rate is %s B/s: expected more than 0, and at most 1e18",
                       lp_num_print(rails->rate, shown));
    return LP_OK;
}

/* ---- the step ---- */

/* Rings of the replicas of a stage; with both directions at the full rate half as many bytes pass
 * each way. */
static void fill_stage(Case *c, uint32_t stage) {
    const LpMachine *m = &c->machine;
    double parameters = lp_stage_parameters(c->model, c->plan, stage);
    double share = (c->rails->both_ways ? 0.5 : 1) / c->plan->chunks;
    LpUnit unit = {parameters, lp_stage_expert_parameters(c->model, c->plan, stage)};
    c->bucket[stage] = lp_gradient_time(c->model, c->plan, stage, share / c->parts, m);
    if (c->plan->zero == 1) /* and the weights that others updated, part by part */
        c->bucket[stage] += lp_replica_time(LP_STEP_ALL_GATHER, c->plan, unit,
                                            share / c->parts * LP_WEIGHT_BYTES, m);
    c->gather[stage] =
        lp_ring_time(LP_STEP_ALL_GATHER, c->plan->data, 1, share * LP_WEIGHT_BYTES * parameters, m);
    c->optimiser[stage] = m->optimiser_bytes * lp_shard_updated(c->model, c->plan, stage) /
                          (m->bandwidth * m->memory_efficiency);
}

static LpTurnTimes times(const double *item, uint32_t count) {
    return (LpTurnTimes){.count = count, .item = item};
}

static LpTurnStep step_of(const Case *c, const LpStages *s) {
    const LpRails *r = c->rails;
    uint32_t p = c->plan->pipeline, chunks = c->plan->chunks;
    return (LpTurnStep){.stages = p,
                        .chunks = chunks,
                        .replicas = c->plan->data,
                        .micro_batches = s->pipeline.micro_batches,
                        .layers = c->parts,
                        .ports = r->ports,
                        .steps = 1,
                        .serial = r->serial,
                        .overlap = r->overlap || c->plan->overlap,
                        .reduce = c->plan->zero == 3 ? LP_TURN_REDUCE_ZERO3 : r->reduce,
                        .forward = times(s->forward, p * chunks),
                        .backward = times(s->backward, p * chunks),
                        .send = times(s->wire, chunks > 1 ? p : p - 1),
                        .bucket = times(c->bucket, p),
                        .gather = times(c->gather, p),
                        .optimiser = times(c->optimiser, p),
                        .notice = r->notice,
                        .order_cost = r->order_cost};
}

static LpErr work_out(Case *c, LpStages *s, LpTurnPlan **out, LpDiag *diag) {
    uint32_t p = c->plan->pipeline;
    LpParallel passes = *c->plan;
    passes.zero = 0; /* what is gathered and scattered are transfers of their own */
    LP_TRY(lp_stages_init(s, c->model, &passes, &c->machine, diag));
    c->bucket = lp_alloc(p, sizeof *c->bucket);
    c->gather = lp_alloc(p, sizeof *c->gather);
    c->optimiser = lp_alloc(p, sizeof *c->optimiser);
    if (c->bucket == NULL || c->gather == NULL || c->optimiser == NULL)
        return lp_fail_memory(diag, "the stages of a step on rails");
    for (uint32_t i = 0; i < p; i++)
        fill_stage(c, i);
    LpTurnStep step = step_of(c, s);
    return lp_turn_plan_make(&step, out, diag);
}

/* A tensor group is a server of its own, so that whatever leaves it is on a rail. */
static LpMachine on_rails(const LpMachine *machine, const LpParallel *plan, const LpRails *rails) {
    LpMachine changed = *machine;
    changed.node = plan->tensor;
    if (rails->rate > 0)
        changed.network_rate = rails->rate;
    return changed;
}

LpErr lp_rails_plan(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    const LpRails *rails, LpTurnPlan **out, double *more, LpDiag *diag) {
    LpParallelStep usual;
    LpStages stages = {0};
    LP_TRY(lp_parallel_step(model, plan, machine, &usual, diag));
    LP_TRY(check_rails(plan, machine, rails, diag));
    Case c = {.model = model,
              .plan = plan,
              .rails = rails,
              .machine = on_rails(machine, plan, rails),
              .parts = rails->parts > 0 ? rails->parts : lp_parallel_layers(model, plan, 0)};
    LpErr err = work_out(&c, &stages, out, diag);
    lp_stages_fini(&stages);
    lp_free(c.bucket);
    lp_free(c.gather);
    lp_free(c.optimiser);
    *more = usual.embedding_time;
    return err;
}

LpErr lp_rails_step(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    const LpRails *rails, LpRailsStep *out, LpDiag *diag) {
    LpTurnPlan *turns = NULL;
    double more;
    LP_TRY(lp_rails_plan(model, plan, machine, rails, &turns, &more, diag));
    out->without = lp_turn_run(turns, rails->orders, 0);
    out->without.time += more;
    for (int i = 0; i < LP_TURN_ORDERS_COUNT; i++) {
        out->with[i] = lp_turn_run(turns, (LpTurnOrders)i, rails->delay);
        out->with[i].time += more;
    }
    lp_turn_plan_free(turns);
    return LP_OK;
}
