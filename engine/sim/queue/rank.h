/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who goes before whom among those that wait, where the policy says so. Without keys that is the
 * order in which they came into the queue. */
#ifndef LP_SIM_QUEUE_RANK_H
#define LP_SIM_QUEUE_RANK_H

#include "sim/state/image.h"

/* How an order binds: bits. */
enum {
    LP_QUEUE_BLOCKS = 1, /* nobody is offered while one that goes before him waits */
    LP_QUEUE_TIES = 2,   /* of those with the first one's key all are */
    LP_QUEUE_AGAIN = 4,  /* an order of a round holds until one of its jobs starts: then it is asked
                            for again, by another LP_EVENT_ROUND */
    LP_QUEUE_IN_ORDER = 8, /* the order of a round offers nobody before who came before him */
    LP_QUEUE_FILLS = 16,   /* it offers nobody who would delay the first one */
    LP_QUEUE_RULES = 31    /* all of them */
};

/* Sets these bits. */
void lp_world_set_queue_rule(LpWorld *world, uint32_t rule);
uint32_t lp_world_queue_rule(const LpWorld *world);

/* The key of a job that waits, or is to be decided; the lower, the sooner; of equal ones the one
 * that arrived first. rule: bits of the above, of the whole queue. O(log Q). Errors: LP_ERANGE
 * where there is no such job, LP_EINVAL for a key that is no number or a job that neither waits nor
 * is to be decided. */
LpErr lp_world_rank(LpWorld *world, uint32_t job, double key, uint32_t rule,
                    LpDiag *diag) LP_MUST_USE;
/* Forgets all keys and needs: another policy asks, or the same one with other parameters. policy: a
 * hash of the one that declares from now on, 0 none. O(Q log Q). */
void lp_world_forget_ranks(LpWorld *world, uint64_t policy);
uint64_t lp_world_declared_by(const LpWorld *world);
/* A waiting job without a key, LP_NO_INDEX: none. O(1) where all have one, else those that came
 * after it. */
uint32_t lp_world_unranked(const LpWorld *world);
bool lp_world_is_ranked(const LpWorld *world, uint32_t job);
/* Is there anything to forget? */
bool lp_world_any_declared(const LpWorld *world);
/* Who waits and goes before this job, which has a key and is to be decided, so that it is not
 * asked; LP_NO_INDEX: nobody. O(needs). */
uint32_t lp_world_bound_by(const LpWorld *world, uint32_t job);
/* May it be offered at a completion: does it wait, neither held nor for a time of its own? */
bool lp_world_is_offered(const LpWorld *world, uint32_t job);
/* Is a block of that size free, or does nothing run? Then a job that needs them is offered.
 */
bool lp_world_need_fits(const LpWorld *world, const struct LpContext *context, uint32_t servers);
/* The first that waits to be offered, but for `except`; LP_NO_INDEX: none. */
uint32_t lp_world_first_in_queue(const LpWorld *world, uint32_t except);

/* After LP_EVENT_ROUND: offers the waiting jobs in this order; jobs left out wait this round, and
 * so does one whose need is not free when its turn comes. Without it they are offered in the order
 * of the queue. Errors: LP_ESTATE at any other moment, LP_EREFUSED for a job that is not to be
 * offered or named twice; the order is unchanged then. O(count). */
LpErr lp_world_order_queue(LpWorld *world, const uint32_t *jobs, uint32_t count,
                           LpDiag *diag) LP_MUST_USE;
/* Waiting jobs of this round in order, also those whose need is not free: writes at most room,
 * returns how many there are. */
uint32_t lp_world_round(const LpWorld *world, uint32_t *jobs, uint32_t room);

#endif
