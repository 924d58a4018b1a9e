/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers with experts as tasks and transfers on one port, the region. */
#include "sim/turns/experts.h"

#include "base/num.h"
#include "sim/turns/plan_impl.h"

typedef struct Maker {
    const LpTurnExperts *step;
    LpTurnPlan *plan;
    uint32_t last;    /* the node made last, which the next one waits for */
    uint32_t circuit; /* the next one that was not there before */
} Maker;

static LpErr add_task(Maker *mk, uint32_t step, uint32_t layer, LpTurnPass pass, double length) {
    LpTurnNode node = lp_turn_node(LP_TURN_TASK, length);
    node.pass = pass;
    node.dep[0] = mk->last;
    node.step = step;
    node.place = layer;
    return lp_turn_plan_add(mk->plan, &node, &mk->last);
}

/* `known`: what must have ended before its demand is known. */
static LpErr add_send(Maker *mk, LpTurnKind kind, uint32_t step, uint32_t layer, uint32_t known) {
    LpTurnNode node = lp_turn_node(kind, mk->step->all_to_all);
    node.dep[0] = mk->last;
    node.port[0] = 0;
    node.circuit = mk->step->each ? mk->circuit++ : mk->circuit;
    node.known = known;
    node.step = step;
    node.place = layer;
    return lp_turn_plan_add(mk->plan, &node, &mk->last);
}

/* The demand of a layer on the way back is the one on the way there: known for long. */
static LpErr backward(Maker *mk, uint32_t step, uint32_t layer, uint32_t circuit) {
    const LpTurnExperts *s = mk->step;
    if (!s->each)
        mk->circuit = circuit;
    LP_TRY(add_send(mk, LP_TURN_KIND_COMBINE, step, layer, LP_NO_INDEX));
    LP_TRY(add_task(mk, step, layer, LP_TURN_BACKWARD, s->experts_backward));
    LP_TRY(add_send(mk, LP_TURN_KIND_DISPATCH, step, layer, LP_NO_INDEX));
    return add_task(mk, step, layer, LP_TURN_BACKWARD, s->attention_backward);
}

static LpErr make_step(Maker *mk, uint32_t step) {
    uint32_t before = mk->circuit, layers = mk->step->layers;
    for (uint32_t i = 0; i < layers; i++) {
        const LpTurnExperts *s = mk->step;
        LP_TRY(add_task(mk, step, i, LP_TURN_FORWARD, s->attention));
        uint32_t gate = s->last ? LP_NO_INDEX : mk->last;
        mk->circuit++; /* the demand of this step is not that of the one before */
        LP_TRY(add_send(mk, LP_TURN_KIND_DISPATCH, step, i, gate));
        LP_TRY(add_task(mk, step, i, LP_TURN_FORWARD, s->experts));
        LP_TRY(add_send(mk, LP_TURN_KIND_COMBINE, step, i, gate));
    }
    uint32_t latest = mk->circuit;
    for (uint32_t i = layers; i-- > 0;)
        LP_TRY(backward(mk, step, i, before + 1 + i));
    if (!mk->step->each)
        mk->circuit = latest;
    mk->plan->node[mk->last].last = true;
    return LP_OK;
}

static LpErr make(Maker *mk) {
    for (uint32_t i = 0; i < mk->step->steps; i++)
        LP_TRY(make_step(mk, i));
    return lp_turn_plan_order(mk->plan);
}

static LpErr check(const LpTurnExperts *s, LpDiag *diag) {
    const struct {
        const char *key;
        double value;
        bool positive;
    } time[] = {{"attention", s->attention, true},
                {"experts", s->experts, true},
                {"attention_backward", s->attention_backward, true},
                {"experts_backward", s->experts_backward, true},
                {"all_to_all", s->all_to_all, false},
                {"order_cost", s->order_cost, false}};
    char shown[LP_NUM_TEXT];
    for (size_t i = 0; i < LP_COUNTOF(time); i++)
        if (!(time[i].positive ? time[i].value > 0 : time[i].value >= 0) ||
            time[i].value > LP_TURN_LONGEST)
            return lp_fail(diag, LP_EINVAL, "%s is %s s: expected %s, and at most %g s",
                           time[i].key, lp_num_print(time[i].value, shown),
                           time[i].positive ? "more than 0" : "0 or more", LP_TURN_LONGEST);
    double nodes = 8.0 * s->layers * s->steps;
    if (s->layers < 1 || s->steps < 1 || nodes > LP_TURN_NODES_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "%u layers and %u steps make %.0f tasks and transfers: expected 8 to %d",
                       (unsigned)s->layers, (unsigned)s->steps, nodes, (int)LP_TURN_NODES_MAX);
    return LP_OK;
}

LpErr lp_turn_experts_make(const LpTurnExperts *step, LpTurnPlan **out, LpDiag *diag) {
    LP_TRY(check(step, diag));
    Maker mk = {.step = step, .plan = lp_turn_plan_new(1), .last = LP_NO_INDEX};
    LpErr err = LP_ENOMEM;
    if (mk.plan != NULL) {
        mk.plan->steps = step->steps;
        mk.plan->order_cost = step->order_cost * LP_TURN_SECOND;
        err = make(&mk);
    }
    if (err != LP_OK) {
        lp_turn_plan_free(mk.plan);
        return lp_fail_memory(diag, "the layers of a step");
    }
    *out = mk.plan;
    return LP_OK;
}
