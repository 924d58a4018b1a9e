/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of a collective on circuits, how long each takes on each network, and when it pays to
 * turn between them. */
#ifndef LP_MODEL_COLLECTIVE_COLL_PLAN_H
#define LP_MODEL_COLLECTIVE_COLL_PLAN_H

#include "model/collective/coll.h"

/* A plan answers any number of questions; for one thread at a time. */
typedef struct LpCollPlan LpCollPlan;

/* When a turn is ordered: when the data are there, or when the last transfer is over. */
typedef enum LpCollOrders {
    LP_COLL_DEMAND,
    LP_COLL_PROVISIONED,
    LP_COLL_ORDERS_COUNT
} LpCollOrders;
const char *lp_coll_orders_name(LpCollOrders orders);

/* Times closer than this, relatively, are one. */
#define LP_COLL_TIE 1e-12

/* Checks the spec and times its steps. Errors: those of lp_coll_check, LP_ENOMEM. For n servers,
 * S different steps and N networks O(S N n), on a torus O(S n^2). */
LpErr lp_coll_plan_make(const LpCollSpec *spec, LpCollPlan **out, LpDiag *diag) LP_MUST_USE;
void lp_coll_plan_free(LpCollPlan *plan); /* NULL allowed */
uint32_t lp_coll_steps_count(const LpCollPlan *plan);

/* A step alone, without its gap and without turning. NAN where it cannot go so. */
typedef struct LpCollStep {
    double bytes; /* that each server sends, all ways together */
    double gap;   /* before it, in which nothing is sent: adding what came, and starting */
    double stay;  /* on the base */
    double load;  /* there: bytes on a port of the fullest link */
    uint32_t hops;
    double turned;      /* on its own network */
    double turned_load; /* there */
    uint32_t ways;
} LpCollStep;
LpCollStep lp_coll_step(const LpCollPlan *plan, uint32_t step);
/* To whom a server sends along a way of a step; LP_NO_INDEX where it rests. */
uint32_t lp_coll_partner(const LpCollPlan *plan, uint32_t step, uint32_t way, uint32_t server);

/* Is there a step before which nothing is sent? If not, orders ahead of time gain nothing. */
bool lp_coll_has_gaps(const LpCollPlan *plan);
/* All steps on the base, or each on its own network; NAN where that cannot be. O(steps). */
double lp_coll_stay(const LpCollPlan *plan);
double lp_coll_every_turn(const LpCollPlan *plan, LpCollOrders orders, double delay);

/* The least time at a delay; of equals the fewest exposed turns, then the fewest turns, then the
 * first choice by letters from the first step on: s stay, t turn to the own network, b turn back to
 * the base, o turn to another one. */
typedef struct LpCollBest {
    double time;
    uint32_t turns;
    uint32_t exposed; /* by how many delays the time grows */
} LpCollBest;
/* `choice`: room for a letter a step and a NUL, or NULL. `lit`: room for the network that each step
 * goes on, for comparing only, or NULL. O(S N). */
LpCollBest lp_coll_best(const LpCollPlan *plan, LpCollOrders orders, double delay, char *choice,
                        uint32_t *lit);
/* How long a step of a choice takes on the network that is lit for it, without its gap. */
double lp_coll_step_on(const LpCollPlan *plan, uint32_t step, uint32_t net);
/* Seconds that a turn before a step adds. */
double lp_coll_extra(const LpCollPlan *plan, uint32_t step, LpCollOrders orders, double delay);
/* The network of a step's own circuits; LP_NO_INDEX: it has none. */
uint32_t lp_coll_own(const LpCollPlan *plan, uint32_t step);

/* The least time where one half of the ports turns while the other sends; NAN where ports cannot be
 * halved or some step has no network of its own. *out is not changed on failure. Errors: LP_ENOMEM,
 * LP_ELIMIT. */
LpErr lp_coll_overlap(const LpCollPlan *plan, double delay, double *out, LpDiag *diag) LP_MUST_USE;

/* A stretch of the least time by delay: from here on it grows by `slope` delays. */
typedef struct LpCollPiece {
    double delay, time;
    uint32_t slope;
} LpCollPiece;

/* The curve with its exact corners: *out is an array of *count >= 1 pieces to free with lp_free.
 * Errors: LP_ENOMEM. O(pieces S N). */
LpErr lp_coll_curve(const LpCollPlan *plan, LpCollOrders orders, LpCollPiece **out, uint32_t *count,
                    LpDiag *diag) LP_MUST_USE;
double lp_coll_curve_at(const LpCollPiece *piece, uint32_t count, double delay);
/* The delay up to which a curve lies below a time: 0 never, INFINITY always. */
double lp_coll_curve_below(const LpCollPiece *piece, uint32_t count, double time);

/* What stands beside a collective, NAN where there is none: the ring algorithm for the same op on a
 * ring, and an all-to-all all at once on the base. Errors: LP_ENOMEM. */
LpErr lp_coll_beside(const LpCollSpec *spec, double *ring, double *direct,
                     LpDiag *diag) LP_MUST_USE;

#endif
