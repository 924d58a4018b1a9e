/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of things: who comes when on a port, who needs a turn, which turn the switch does first
 * (docs/turning-light.md, 4). */
#include <math.h>
#include <stdlib.h>

#include "sim/turns/plan_impl.h"

LpTurnPlan *lp_turn_plan_new(uint32_t ports) {
    LpTurnPlan *plan = lp_alloc(1, sizeof *plan);
    if (plan != NULL)
        plan->ports = ports;
    return plan;
}

void lp_turn_plan_free(LpTurnPlan *plan) {
    if (plan == NULL)
        return;
    lp_free(plan->node);
    lp_free(plan->order);
    lp_free(plan->when);
    lp_free(plan);
}

LpTurnNode lp_turn_node(LpTurnKind kind, double seconds) {
    LpTurnNode node = {.kind = kind,
                       .length = seconds * LP_TURN_SECOND,
                       .circuit = LP_NO_INDEX,
                       .known = LP_NO_INDEX};
    for (int i = 0; i < LP_TURN_DEPS; i++)
        node.dep[i] = LP_NO_INDEX;
    for (int i = 0; i < LP_TURN_PORTS; i++)
        node.port[i] = node.before[i] = LP_NO_INDEX;
    node.switched_before = LP_NO_INDEX;
    return node;
}

LpErr lp_turn_plan_add(LpTurnPlan *plan, const LpTurnNode *node, uint32_t *id) {
    void *items = plan->node;
    LP_TRY(lp_grow(&items, &plan->cap, (size_t)plan->nodes + 1, sizeof *plan->node));
    plan->node = items;
    plan->node[plan->nodes] = *node;
    *id = plan->nodes++;
    return LP_OK;
}

/* ---- sorting ---- */

/* A node and what it is sorted by; equal times have equal ranks. */
typedef struct Key {
    double time;
    uint32_t rank, second, third, node;
} Key;

static int by_time(const void *a, const void *b) {
    const Key *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int by_rank(const void *a, const void *b) {
    const Key *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->second != y->second)
        return x->second < y->second ? -1 : 1;
    return x->third < y->third ? -1 : x->third > y->third;
}

/* Sorts by time and gives tied times the same rank, so that rounding decides nothing. first[rank]
 * is the least time of a rank. */
static void rank(Key *key, uint32_t count, double *first) {
    uint32_t ranks = 0;
    qsort(key, count, sizeof *key, by_time);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || !lp_turn_tied(first[ranks - 1], key[i].time))
            first[ranks++] = key[i].time;
        key[i].rank = ranks - 1;
    }
}

static void take_order(LpTurnPlan *plan, Key *key) {
    qsort(key, plan->nodes, sizeof *key, by_rank);
    for (uint32_t i = 0; i < plan->nodes; i++)
        plan->order[i] = key[i].node;
}

/* ---- the order on ports ---- */

static double end_of(const LpTurnPlan *plan, uint32_t id) {
    return id != LP_NO_INDEX ? plan->when[id].end.time : 0;
}

/* When each node starts without delays and limits on ports. Nodes follow what they need. */
static void start_unlimited(LpTurnPlan *plan) {
    for (uint32_t id = 0; id < plan->nodes; id++) {
        const LpTurnNode *node = &plan->node[id];
        double start = 0;
        for (int i = 0; i < LP_TURN_DEPS; i++)
            start = fmax(start, end_of(plan, node->dep[i]));
        plan->when[id].start = start;
        plan->when[id].end.time = start + node->length;
    }
}

/* A transfer needs a turn unless all its ports carried its circuit last. */
static void find_turns(LpTurnPlan *plan, uint32_t *latest) {
    for (uint32_t i = 0; i < plan->ports; i++)
        latest[i] = LP_NO_INDEX;
    for (uint32_t i = 0; i < plan->nodes; i++) {
        LpTurnNode *node = &plan->node[plan->order[i]];
        for (int k = 0; k < LP_TURN_PORTS; k++) {
            if (node->port[k] == LP_NO_INDEX)
                continue;
            uint32_t *last = &latest[node->port[k]];
            node->before[k] = *last;
            if (*last == LP_NO_INDEX || plan->node[*last].circuit != node->circuit)
                node->turn = true;
            *last = plan->order[i];
        }
        plan->turns += node->turn;
    }
}

/* ---- the order of a serial switch ---- */

/* Turns in the order in which their transfers start with delay 0 on these ports, then by making.
 * Of nodes that start at one time those which end at it come first, as they came on their ports:
 * others may wait for them. */
static void order_by_start(LpTurnPlan *plan, Key *key, double *first) {
    lp_turn_run(plan, LP_TURN_DEMAND, 0);
    for (uint32_t i = 0; i < plan->nodes; i++) {
        uint32_t id = plan->order[i];
        key[i] = (Key){.time = plan->when[id].start, .node = id, .second = i};
    }
    rank(key, plan->nodes, first);
    for (uint32_t i = 0; i < plan->nodes; i++) {
        bool brief = lp_turn_tied(first[key[i].rank], plan->when[key[i].node].end.time);
        key[i].third = brief ? key[i].second : key[i].node;
        key[i].second = !brief;
    }
    take_order(plan, key);
}

LpErr lp_turn_plan_order(LpTurnPlan *plan) {
    Key *key = lp_alloc(plan->nodes, sizeof *key);
    double *first = lp_alloc(plan->nodes, sizeof *first);
    uint32_t *latest = lp_alloc(plan->ports, sizeof *latest);
    plan->order = lp_alloc(plan->nodes, sizeof *plan->order);
    plan->when = lp_alloc(plan->nodes, sizeof *plan->when);
    bool there =
        key != NULL && first != NULL && latest != NULL && plan->order != NULL && plan->when != NULL;
    if (there) {
        /* By ready time, then by making. What a node needs comes before it: it starts no later and
         * was made earlier. */
        start_unlimited(plan);
        for (uint32_t id = 0; id < plan->nodes; id++)
            key[id] = (Key){.time = plan->when[id].start, .node = id, .second = id};
        rank(key, plan->nodes, first);
        take_order(plan, key);
        find_turns(plan, latest);
    }
    if (there && plan->serial) {
        /* at delay 0 with no cost of orders no turn waits for another one */
        double cost = plan->order_cost;
        plan->order_cost = 0;
        order_by_start(plan, key, first);
        plan->order_cost = cost;
        uint32_t last = LP_NO_INDEX;
        for (uint32_t i = 0; i < plan->nodes; i++) {
            LpTurnNode *node = &plan->node[plan->order[i]];
            if (!node->turn)
                continue;
            node->switched_before = last;
            last = plan->order[i];
        }
    }
    lp_free(key);
    lp_free(first);
    lp_free(latest);
    return there ? LP_OK : LP_ENOMEM;
}
