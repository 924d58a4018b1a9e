/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step with one delay: a pass over its tasks and transfers (docs/turning-light.md, 4 and 5). */
#include <math.h>

#include "sim/turns/plan_impl.h"

const char *lp_turn_orders_name(LpTurnOrders orders) {
    static const char *const name[] = {
#define X(id, word) word,
        LP_TURN_ORDERS_TABLE(X)
#undef X
    };
    return name[orders];
}

const char *lp_turn_kind_name(LpTurnKind kind) {
    static const char *const name[] = {
#define X(id, word) word,
        LP_TURN_KIND_TABLE(X)
#undef X
            "task"};
    return name[kind];
}

/* The later one; of two that end together the time of the later and the most turns. */
static LpTurnPath later(LpTurnPath a, LpTurnPath b) {
    LpTurnPath most = a.time < b.time ? b : a;
    if (lp_turn_tied(a.time, b.time))
        most.turns = a.turns > b.turns ? a.turns : b.turns;
    return most;
}

static LpTurnPath after(const LpTurnPlan *plan, const uint32_t *id, int count) {
    LpTurnPath path = {0};
    for (int i = 0; i < count; i++)
        if (id[i] != LP_NO_INDEX)
            path = later(path, plan->when[id[i]].end);
    return path;
}

/* When a turn is ordered, if the switch is free: the ports are idle from `idle` on. */
static LpTurnPath ordered(const LpTurnPlan *plan, const LpTurnNode *node, LpTurnOrders orders,
                          LpTurnPath ready, LpTurnPath idle) {
    if (lp_turn_orders_of(node, orders) == LP_TURN_PROVISIONED)
        return node->known != LP_NO_INDEX ? later(idle, plan->when[node->known].end) : idle;
    if (node->noticed)
        ready.time -= plan->notice;
    return later(ready, idle);
}

static LpTurnPath light(const LpTurnPlan *plan, const LpTurnNode *node, LpTurnPath order,
                        double delay) {
    if (node->switched_before != LP_NO_INDEX)
        order = later(order, plan->when[node->switched_before].lit);
    return (LpTurnPath){.time = order.time + delay, .turns = order.turns + 1};
}

static void run_node(LpTurnPlan *plan, uint32_t id, LpTurnOrders orders, double delay) {
    const LpTurnNode *node = &plan->node[id];
    LpTurnWhen *when = &plan->when[id];
    LpTurnPath ready = after(plan, node->dep, LP_TURN_DEPS);
    LpTurnPath idle = after(plan, node->before, LP_TURN_PORTS);
    LpTurnPath start = later(ready, idle);
    *when = (LpTurnWhen){.ready = ready.time, .ordered = (double)NAN};
    if (node->turn) {
        LpTurnPath order = ordered(plan, node, orders, ready, idle);
        when->ordered = order.time;
        when->lit = light(plan, node, order, delay);
        when->waits = when->lit.time > start.time && !lp_turn_tied(when->lit.time, start.time);
        start = later(start, when->lit);
    }
    when->start = start.time;
    when->end = (LpTurnPath){.time = start.time + node->length, .turns = start.turns};
}

LpTurnResult lp_turn_run(LpTurnPlan *plan, LpTurnOrders orders, double delay) {
    LpTurnResult result = {.turns = plan->turns};
    LpTurnPath end = {0};
    double before = 0;
    for (uint32_t i = 0; i < plan->nodes; i++) {
        run_node(plan, plan->order[i], orders, delay * LP_TURN_SECOND + plan->order_cost);
        result.waiting += plan->when[plan->order[i]].waits;
    }
    for (uint32_t id = 0; id < plan->nodes; id++) {
        const LpTurnNode *node = &plan->node[id];
        if (!node->last)
            continue;
        if (node->step + 1 == plan->steps)
            end = later(end, plan->when[id].end);
        else if (node->step + 2 == plan->steps)
            before = fmax(before, plan->when[id].end.time);
    }
    result.time = end.time / LP_TURN_SECOND;
    result.step_time = (end.time - before) / LP_TURN_SECOND;
    result.exposed = end.turns;
    return result;
}

void lp_turn_choose(LpTurnPlan *plan, uint32_t id, LpTurnOrders orders) {
    plan->node[id].chosen = (uint8_t)(1 + orders);
}

uint32_t lp_turn_nodes(const LpTurnPlan *plan) {
    return plan->nodes;
}

uint32_t lp_turn_at(const LpTurnPlan *plan, uint32_t i) {
    return plan->order[i];
}

LpTurnTransfer lp_turn_transfer(const LpTurnPlan *plan, uint32_t id) {
    const LpTurnNode *node = &plan->node[id];
    const LpTurnWhen *when = &plan->when[id];
    return (LpTurnTransfer){.kind = node->kind,
                            .ring = node->kind > LP_TURN_KIND_GRAD,
                            .place = node->place,
                            .step = node->step,
                            .number = node->number,
                            .pass = node->pass,
                            .chunk = node->chunk,
                            .exposed = when->exposed,
                            .turned = node->turn,
                            .waits = when->waits,
                            .ordered = when->ordered / LP_TURN_SECOND,
                            .lit = node->turn ? when->lit.time / LP_TURN_SECOND : (double)NAN,
                            .ready = when->ready / LP_TURN_SECOND,
                            .start = when->start / LP_TURN_SECOND,
                            .end = when->end.time / LP_TURN_SECOND};
}
