/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which turns are on a longest path: backwards through a run, from what ended last along what each
 * start waited for (docs/turning-light.md, 5). */
#include "sim/turns/plan_impl.h"

/* What something waited for: the end of a node, or its light. */
typedef struct Cause {
    uint32_t id; /* LP_NO_INDEX: nothing */
    bool light;
} Cause;

typedef struct Search {
    const LpTurnPlan *plan;
    double time; /* at which the path must have come */
    uint32_t turns;
    Cause found;
} Search;

static LpTurnPath path_of(const LpTurnPlan *plan, Cause cause) {
    return cause.light ? plan->when[cause.id].lit : plan->when[cause.id].end;
}

/* Takes the first one of the causes that ended in time and have all the turns. */
static void consider(Search *s, uint32_t id, bool light) {
    Cause cause = {id, light};
    if (id == LP_NO_INDEX || s->found.id != LP_NO_INDEX)
        return;
    LpTurnPath path = path_of(s->plan, cause);
    if (path.turns == s->turns && lp_turn_tied(path.time, s->time))
        s->found = cause;
}

static void consider_all(Search *s, const uint32_t *id, int count) {
    for (int i = 0; i < count; i++)
        consider(s, id[i], false);
}

/* What the start of a node waited for. */
static Cause before_end(const LpTurnPlan *plan, uint32_t id) {
    const LpTurnNode *node = &plan->node[id];
    Search s = {plan, plan->when[id].start, plan->when[id].end.turns, {LP_NO_INDEX, false}};
    if (node->turn)
        consider(&s, id, true);
    consider_all(&s, node->dep, LP_TURN_DEPS);
    consider_all(&s, node->before, LP_TURN_PORTS);
    return s.found;
}

/* What a node's order waited for. */
static Cause before_light(const LpTurnPlan *plan, uint32_t id, LpTurnOrders orders, double turn) {
    const LpTurnNode *node = &plan->node[id];
    Search s = {
        plan, plan->when[id].lit.time - turn, plan->when[id].lit.turns - 1, {LP_NO_INDEX, false}};
    consider(&s, node->switched_before, true);
    consider_all(&s, node->before, LP_TURN_PORTS);
    if (lp_turn_orders_of(node, orders) == LP_TURN_PROVISIONED) {
        consider(&s, node->known, false);
        return s.found;
    }
    if (node->noticed)
        s.time += plan->notice;
    consider_all(&s, node->dep, LP_TURN_DEPS);
    return s.found;
}

static Cause latest(const LpTurnPlan *plan) {
    Cause cause = {LP_NO_INDEX, false};
    for (uint32_t id = 0; id < plan->nodes; id++) {
        const LpTurnNode *node = &plan->node[id];
        if (!node->last || node->step + 1 != plan->steps)
            continue;
        LpTurnPath end = plan->when[id].end;
        LpTurnPath best = cause.id != LP_NO_INDEX ? path_of(plan, cause) : (LpTurnPath){0};
        bool tied = lp_turn_tied(end.time, best.time);
        if (cause.id == LP_NO_INDEX || (tied ? end.turns > best.turns : end.time > best.time))
            cause.id = id;
    }
    return cause;
}

void lp_turn_longest(LpTurnPlan *plan, LpTurnOrders orders, double delay) {
    double turn = delay * LP_TURN_SECOND + plan->order_cost;
    for (uint32_t id = 0; id < plan->nodes; id++)
        plan->when[id].exposed = false;
    for (Cause c = latest(plan); c.id != LP_NO_INDEX;) {
        if (c.light)
            plan->when[c.id].exposed = true;
        c = c.light ? before_light(plan, c.id, orders, turn) : before_end(plan, c.id);
    }
}
