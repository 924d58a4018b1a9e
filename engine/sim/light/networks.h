/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circuits of one context: networks and schedules by content. Private to this room. */
#ifndef LP_SIM_LIGHT_NETWORKS_H
#define LP_SIM_LIGHT_NETWORKS_H

#include "sim/light/circuits_impl.h"
#include "sim/store/intern.h"

/* What becomes of a running job on another network. */
typedef struct LpNextStep {
    uint32_t job, step, load;
    bool dark;
} LpNextStep;

/* What a running job asks for on the ideal network, by all that it follows from. */
typedef struct LpAsked {
    uint32_t partition, placement;
    LpOrders orders;
    uint32_t network; /* the ideal one's */
    bool known;
    uint32_t step, pairs; /* rows of the store */
} LpAsked;

struct LpCircuits {
    const LpOcsParams *ocs;
    LpArena *arena;
    LpFirstLight first;
    uint32_t *reference; /* per scales of the family */
    size_t reference_cap;
    LpIntern network_key, schedule_key;
    LpSchedule **schedule;
    uint64_t *schedule_hash;
    size_t schedule_cap, hash_cap;
    LpLit *lit;
    size_t lit_cap;
    LpNextStep *next;
    size_t next_cap;
    uint32_t nexts;
    LpAsked *asked; /* a power of two; of a job there is one where its number leads to */
    size_t asked_cap;
    uint32_t *touched; /* per server: the round in which one of its circuits changed */
    size_t touched_cap;
    uint32_t round;
};

/* Number of the network of circuits->lit[0 .. count - 1], as fast as in the context; made when
 * there is none yet. Errors: LP_ENOMEM. */
LpErr lp_circuits_network(const LpContext *context, uint32_t count, uint32_t *number,
                          LpDiag *diag) LP_MUST_USE;
/* Number of a schedule, which is copied when it is new. Errors: LP_ENOMEM. */
LpErr lp_circuits_schedule(LpCircuits *circuits, const LpSchedule *schedule,
                           uint32_t *number) LP_MUST_USE;
/* Room in circuits->lit for all that a schedule lights, and one entry more. Errors: LP_ENOMEM. */
LpErr lp_circuits_lit_room(LpCircuits *circuits, const LpSchedule *schedule) LP_MUST_USE;

#endif
