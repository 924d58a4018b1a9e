/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a plan with expert ways to layers whose region turns (docs/turning-light.md, 12). */
#include "model/parallel/times.h"
#include "sim/parallel/rail_light.h"
#include "sim/turns/experts.h"

/* Times of a layer, one direction: between its two all-to-alls, elsewhere, and of one of them. */
typedef struct Layer {
    double inside, outside, all_to_all;
} Layer;

/* A list of one operator, to be timed like any other. */
static double time_of(const LpStepOp *op, const LpParallel *plan, const LpMachine *machine) {
    LpStepOps one = {.count = 1, .op = {*op}};
    return lp_step_ops_time(&one, plan, machine);
}

static void add_part(const LpStepShape *shape, LpStepPart part, const LpParallel *plan,
                     const LpMachine *machine, Layer *layer) {
    LpStepOps ops;
    bool inside = false;
    lp_step_ops(shape, part, &ops);
    for (uint32_t i = 0; i < ops.count; i++) {
        double time = time_of(&ops.op[i], plan, machine);
        if (ops.op[i].kind == LP_STEP_ALL_TO_ALL) {
            layer->all_to_all = time;
            inside = !inside;
        } else {
            *(inside ? &layer->inside : &layer->outside) += time;
        }
    }
}

static LpErr check_region(const LpDecoder *model, const LpParallel *plan, LpDiag *diag) {
    if (model->experts == 0 || lp_parallel_expert(plan) < 2)
        return lp_fail(diag, LP_EINVAL,
                       "expert is %u of %u experts: expected at least 2 ways of experts, which are "
                       "what a region joins",
                       (unsigned)lp_parallel_expert(plan), (unsigned)model->experts);
    if (plan->pipeline > 1)
        return lp_fail(diag, LP_EINVAL,
                       "pipeline is %u: expected 1, since regional circuits between the layers of "
                       "several stages are not computed",
                       (unsigned)plan->pipeline);
    if (plan->recompute == LP_RECOMPUTE_FULL)
        return lp_fail(diag, LP_EINVAL,
                       "recompute is full: expected none or selective, since all-to-alls that are "
                       "done again are not computed");
    return LP_OK;
}

LpErr lp_region_plan(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                     const LpRegional *region, LpTurnPlan **out, LpDiag *diag) {
    LP_TRY(check_region(model, plan, diag));
    LpStepShape shape = lp_step_shape(model, plan);
    Layer there = {0}, back = {0};
    add_part(&shape, LP_PART_FORWARD, plan, machine, &there);
    add_part(&shape, LP_PART_RECOMPUTE, plan, machine, &back);
    add_part(&shape, LP_PART_BACKWARD, plan, machine, &back);
    LpTurnExperts layers = {.layers = model->layers - model->dense,
                            .steps = lp_parallel_micro_batches(plan),
                            .last = region->last,
                            .each = region->each,
                            .attention = there.outside,
                            .experts = there.inside,
                            .attention_backward = back.outside,
                            .experts_backward = back.inside,
                            .all_to_all = there.all_to_all,
                            .order_cost = region->order_cost};
    return lp_turn_experts_make(&layers, out, diag);
}
