/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan is, for the files of this room. */
#ifndef LP_MODEL_COLLECTIVE_COLL_PLAN_IMPL_H
#define LP_MODEL_COLLECTIVE_COLL_PLAN_IMPL_H

#include "base/mem.h"
#include "model/collective/coll_plan.h"

/* What several steps have in common: along which ways how much is sent. */
typedef struct LpCollClass {
    bool pairs; /* one way, by `partner`; else by `offset` */
    uint32_t ways;
    const uint32_t *offset;  /* `ways`, ascending: server i sends to i + offset */
    const uint32_t *partner; /* n; LP_NO_INDEX rests */
    double sent;             /* bytes of one way */
    uint32_t parts;          /* into which ports are parted */
    uint32_t own;            /* network; LP_NO_INDEX: none */
    bool joined;             /* `own` is known */
} LpCollClass;

/* One that looks alike from every server, a ring, a torus or offsets, has links of which each leads
 * on by the same step of a group; one of pairs does not. */
typedef struct LpCollNet {
    bool pairs;
    const uint32_t *partner; /* pairs */
    uint32_t links;          /* from each server */
    const uint32_t *offset;  /* links; 0 is the first server, so the one that a link leads to */
    const uint32_t *ports;   /* links; of pairs: one number */
    uint32_t sides;          /* servers of a side of a torus, y; 0: offsets wrap around at n */
    uint32_t first;          /* step that may be the first to go on it; 0 for the base */
} LpCollNet;

/* How long a class takes on a network. */
typedef struct LpCollCost {
    double time; /* INFINITY: there is no way for somebody */
    double load;
    uint32_t hops;
} LpCollCost;

/* Least time from a step on that turns before it. */
typedef struct LpCollRest {
    double time; /* INFINITY: impossible */
    uint32_t exposed, turns;
} LpCollRest;

/* Steps on one network, from `from` up to the one before which the next turn is. */
typedef struct LpCollStay {
    LpCollRest rest; /* from its first step on, without what comes before it */
    uint32_t from, until;
} LpCollStay;

struct LpCollPlan {
    LpCollSpec spec;
    LpArena *arena; /* everything below */
    uint32_t steps, classes, nets;
    uint32_t *step;     /* steps: class */
    double *added;      /* steps: bytes that each server adds afterwards */
    double *gap;        /* steps */
    double last;        /* s, of adding after the last step */
    LpCollClass *class; /* room for `steps` */
    LpCollNet *net;     /* room for classes + 1 */
    uint32_t base;      /* net, or LP_NO_INDEX */
    LpCollCost *cost;   /* classes x nets */
    double *floor;      /* steps + 1: from a step on each on its fastest network, without turns */
    LpCollRest *rest;   /* steps + 1, of the last question */
    LpCollStay *stay;   /* nets: found last */
    double *extra;      /* steps: what a turn adds, of the last question */
    bool *exposed;      /* steps */
};

/* lp_coll_plan_make for a spec that need not be one that people may ask for. */
LpErr lp_coll_plan_new(const LpCollSpec *spec, LpCollPlan **out, LpDiag *diag) LP_MUST_USE;
/* Times every class on every network that may be lit for it. */
LpErr lp_coll_cost_make(LpCollPlan *plan, LpDiag *diag) LP_MUST_USE;
/* Adds the base, and the networks of classes. */
LpErr lp_coll_nets_make(LpCollPlan *plan, LpDiag *diag) LP_MUST_USE;

static inline const LpCollCost *lp_coll_cost(const LpCollPlan *plan, uint32_t step, uint32_t net) {
    return &plan->cost[(size_t)plan->step[step] * plan->nets + net];
}

/* Fills plan->rest for plan->extra and plan->exposed: the least time, or, where `flat`, the fewest
 * exposed turns and of these the least time. The answer is that of step 0 with what is lit then. */
LpCollRest lp_coll_solve(const LpCollPlan *plan, bool flat);
/* Goes through the choice that lp_coll_solve found, with a letter and a network for each step (both
 * may be NULL). Returns its time without what turns add. */
double lp_coll_trace(const LpCollPlan *plan, bool flat, char *choice, uint32_t *lit);

#endif
