/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans from the inside, for those who make them. */
#ifndef LP_SIM_TURNS_PLAN_IMPL_H
#define LP_SIM_TURNS_PLAN_IMPL_H

#include "sim/turns/turns.h"

enum { LP_TURN_DEPS = 3, LP_TURN_PORTS = 2 };

/* Plans count in picoseconds: whole ones, such as those of 0.1 s, add up without rounding. */
#define LP_TURN_SECOND 1e12

/* A task or a transfer. Numbers of nodes and ports are LP_NO_INDEX where there is none. */
typedef struct LpTurnNode {
    double length;              /* in the plan's unit, as all times below */
    uint32_t dep[LP_TURN_DEPS]; /* it is ready when these have ended; made before it */
    uint32_t circuit;           /* that a transfer needs */
    uint32_t port[LP_TURN_PORTS];
    uint32_t known; /* its circuit cannot be ordered before this node has ended */
    uint32_t place, step, number;
    LpTurnKind kind;
    LpTurnPass pass; /* of a task */
    uint32_t chunk;  /* of a task */
    uint8_t chosen;  /* 1 + orders of its own; 0: those of the run */
    bool noticed;    /* `notice` counts for it */
    bool last;       /* the end of a step */
    /* from here on: filled in by lp_turn_plan_order */
    bool turn;
    uint32_t before[LP_TURN_PORTS]; /* the transfer before it on each port */
    uint32_t switched_before;       /* serial: the turn that the switch does before its own */
} LpTurnNode;

/* The end of a path: when, and with the most turns of all that are as long. */
typedef struct LpTurnPath {
    double time;
    uint32_t turns;
} LpTurnPath;

/* Where a node stands in a run. */
typedef struct LpTurnWhen {
    LpTurnPath end, lit;
    double ready, ordered, start;
    bool waits;
    bool exposed; /* see lp_turn_longest */
} LpTurnWhen;

struct LpTurnPlan {
    uint32_t nodes, ports, turns, steps;
    size_t cap;
    LpTurnNode *node;
    uint32_t *order; /* in which a run goes through the nodes */
    LpTurnWhen *when;
    bool serial;
    double notice, order_cost;
};

/* An empty plan for this many ports; NULL: out of memory. */
LpTurnPlan *lp_turn_plan_new(uint32_t ports);
/* What follows from nothing and needs nothing. */
LpTurnNode lp_turn_node(LpTurnKind kind, double seconds);
/* Adds a node; *id is its number. */
LpErr lp_turn_plan_add(LpTurnPlan *plan, const LpTurnNode *node, uint32_t *id) LP_MUST_USE;
/* Settles the order on ports, the turns and, where the switch is serial, their order [4]. */
LpErr lp_turn_plan_order(LpTurnPlan *plan) LP_MUST_USE;

static inline LpTurnOrders lp_turn_orders_of(const LpTurnNode *node, LpTurnOrders orders) {
    return node->chosen > 0 ? (LpTurnOrders)(node->chosen - 1) : orders;
}

static inline bool lp_turn_tied(double a, double b) {
    double apart = a < b ? b - a : a - b, size = a < b ? b : a;
    return apart <= LP_TURN_TIE * (size < 0 ? -size : size);
}

#endif
