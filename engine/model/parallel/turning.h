/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits that turn inside a training step, as a prediction or a scenario states them: rails for
 * stages and replicas, or a regional switch for experts. What follows from them is worked out in
 * sim/turns and sim/parallel; docs/turning-light.md, sections 11 and 12. Times are seconds. */
#ifndef LP_MODEL_PARALLEL_TURNING_H
#define LP_MODEL_PARALLEL_TURNING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

/* How the gradients of data-parallel replicas meet [2]. X(ID, "word") */
#define LP_TURN_REDUCE_TABLE(X)                                                                    \
    X(NONE, "none")     /* not at all */                                                           \
    X(BUCKET, "bucket") /* a ring transfer after each part of the last backward */                 \
    X(FLUSH, "flush")   /* one ring transfer after the last backward */                            \
    X(ZERO3, "zero3")   /* weights gathered before each pass, gradients scattered after each       \
                           backward */

typedef enum LpTurnReduce {
#define X(id, word) LP_TURN_REDUCE_##id,
    LP_TURN_REDUCE_TABLE(X)
#undef X
} LpTurnReduce;

/* When a circuit is ordered [4.3]. X(ID, "word") */
#define LP_TURN_ORDERS_TABLE(X)                                                                    \
    X(DEMAND, "on-demand")        /* when its transfer is ready and its ports are idle */          \
    X(PROVISIONED, "provisioned") /* as soon as its ports are idle */

typedef enum LpTurnOrders {
#define X(id, word) LP_TURN_##id,
    LP_TURN_ORDERS_TABLE(X)
#undef X
        LP_TURN_ORDERS_COUNT
} LpTurnOrders;

/* Rail k is a circuit switch with the k-th device of every server, and a tensor group is a server.
 * Rate in bytes/s. */
typedef struct LpRails {
    double delay; /* from an order until bits pass */
    LpTurnOrders orders;
    uint32_t ports; /* of a device: 1 or 2 */
    uint32_t parts; /* of a chunk's last backward, each with a bucket; 0: the layers of chunk 0 */
    bool serial;    /* a switch does one turn at a time */
    bool overlap;   /* ring transfers run beside computing */
    bool both_ways; /* rings run both ways, each at the full rate */
    LpTurnReduce reduce;
    double notice;     /* on demand, a bucket's circuit is ordered so long before it is ready */
    double order_cost; /* from an order to the beginning of its delay */
    double rate;       /* of a port, each way; 0: the machine's network rate */
} LpRails;

/* The expert ways of a plan are on one circuit switch, which turns between layers [8]. */
typedef struct LpRegional {
    double delay;
    LpTurnOrders orders;
    bool last; /* circuits are ordered for the demand of the step before; else for the gate's */
    bool each; /* a turn for every all-to-all, not one for a layer and direction */
    double order_cost;
} LpRegional;

typedef enum LpTurningForm { LP_TURNING_NONE, LP_TURNING_RAILS, LP_TURNING_REGION } LpTurningForm;

typedef struct LpTurning {
    LpTurningForm form;
    LpRails rails;     /* of the form RAILS */
    LpRegional region; /* of the form REGION */
} LpTurning;

/* Content; `hash` itself for the form NONE. */
static inline uint64_t lp_turning_hash(uint64_t hash, const LpTurning *t) {
    const LpRails *r = &t->rails;
    const LpRegional *g = &t->region;
    const double rails[] = {r->delay,  r->orders,     r->ports,     r->parts,
                            r->serial, r->overlap,    r->both_ways, r->reduce,
                            r->notice, r->order_cost, r->rate};
    const double region[] = {g->delay, g->orders, g->last, g->each, g->order_cost};
    if (t->form != LP_TURNING_NONE)
        hash = lp_hash_u64(hash, t->form);
    for (size_t i = 0; t->form == LP_TURNING_RAILS && i < sizeof rails / sizeof *rails; i++)
        hash = lp_hash_f64(hash, rails[i]);
    for (size_t i = 0; t->form == LP_TURNING_REGION && i < sizeof region / sizeof *region; i++)
        hash = lp_hash_f64(hash, region[i]);
    return hash;
}

#endif
