/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rails and regions alike: a plan of turns, and what of the step stands beside it. */
#include "sim/parallel/rail_light.h"

#include "base/num.h"
#include "sim/parallel/parallel_step.h"
#include "sim/parallel/rails.h"

/* What of the step is no layer: embedding, head, gradients, update. The layers without delays are
 * part of the usual step, whose all-to-alls they have. */
static LpErr make_region(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                         const LpRegional *region, LpRailLight *out, LpDiag *diag) {
    LpParallelStep usual;
    char shown[LP_NUM_TEXT];
    if (!(region->delay >= 0 && region->delay <= LP_TURN_LONGEST))
        return lp_fail(diag, LP_EINVAL, "delay is %s s: expected 0 or more, and at most %g s",
                       lp_num_print(region->delay, shown), LP_TURN_LONGEST);
    LP_TRY(lp_parallel_step(model, plan, machine, &usual, diag));
    LP_TRY(lp_region_plan(model, plan, machine, region, &out->plan, diag));
    out->stages = 1;
    out->orders = region->orders;
    out->delay = region->delay;
    /* a cost of orders is no part of the usual step */
    LpTurnResult layers = lp_turn_run(out->plan, LP_TURN_DEMAND, 0);
    out->more = usual.step_time - (layers.time - layers.exposed * region->order_cost);
    return LP_OK;
}

LpErr lp_light_make(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    const LpTurning *turning, LpRailLight *out, LpDiag *diag) {
    *out = (LpRailLight){0};
    if (turning->form == LP_TURNING_REGION)
        return make_region(model, plan, machine, &turning->region, out, diag);
    out->stages = plan->pipeline;
    out->orders = turning->rails.orders;
    out->delay = turning->rails.delay;
    return lp_rails_plan(model, plan, machine, &turning->rails, &out->plan, &out->more, diag);
}

void lp_light_fini(LpRailLight *light) {
    lp_turn_plan_free(light->plan);
    *light = (LpRailLight){0};
}

uint32_t lp_light_turns(const LpRailLight *light) {
    uint32_t turns = 0, nodes = lp_turn_nodes(light->plan);
    for (uint32_t id = 0; id < nodes; id++)
        turns += lp_turn_transfer(light->plan, id).turned;
    return turns;
}

void lp_light_choose(LpRailLight *light, const double *choice, uint32_t count) {
    uint32_t turn = 0, nodes = lp_turn_nodes(light->plan);
    for (uint32_t i = 0; i < nodes && turn < count; i++) {
        uint32_t id = lp_turn_at(light->plan, i);
        if (!lp_turn_transfer(light->plan, id).turned)
            continue;
        lp_turn_choose(light->plan, id, choice[turn] > 0 ? LP_TURN_PROVISIONED : LP_TURN_DEMAND);
        turn++;
    }
}

LpLightStep lp_light_run(LpRailLight *light) {
    LpLightStep step = {.without = lp_turn_run(light->plan, light->orders, 0)};
    step.with = lp_turn_run(light->plan, light->orders, light->delay);
    lp_turn_longest(light->plan, light->orders, light->delay);
    /* The last run: what travels or waits for light while a stage computes nothing is bubble. */
    double work = 0, passed = 0;
    uint32_t nodes = lp_turn_nodes(light->plan);
    for (uint32_t id = 0; id < nodes; id++) {
        LpTurnTransfer t = lp_turn_transfer(light->plan, id);
        if (t.kind != LP_TURN_TASK || t.pass == LP_TURN_OPTIMISER)
            continue;
        work += t.end - t.start;
        passed = t.end > passed ? t.end : passed;
    }
    step.bubble = passed > 0 ? 1 - work / (light->stages * passed) : 0;
    step.without.time += light->more;
    step.with.time += light->more;
    return step;
}
