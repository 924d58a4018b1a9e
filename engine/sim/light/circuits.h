/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits as state: which ports a world's switches join, what is lit, and what that means for the
 * jobs that run. A world without circuit switches has no ports, and everything here is then empty.
 *
 * The lit circuits and the fixed cables are a packet network at every moment. Such networks are
 * kept by content, each with its context; a world knows the number of its own (lp_world_context).
 * When light changes, running jobs go on at the pace that their step has on the new network,
 * finished and part steps carried over; a job one of whose routes is gone makes no progress until
 * it is back. */
#ifndef LP_SIM_LIGHT_CIRCUITS_H
#define LP_SIM_LIGHT_CIRCUITS_H

#include "sim/state/state.h"

typedef enum LpPortLight { LP_LIGHT_DARK, LP_LIGHT_TURNING, LP_LIGHT_LIT } LpPortLight;

/* What a port's input is joined to. */
typedef struct LpPortView {
    LpPortLight state;
    uint32_t out; /* LP_DARK: nothing; under a cycle of matchings that of the first */
    double until; /* reconfiguring: lit from then on, s */
    double share; /* of the time that it is lit, once it is */
} LpPortView;

uint32_t lp_world_ports(const LpWorld *world);
LpPortView lp_world_port(const LpWorld *world, const LpContext *context, uint32_t port);
/* The schedule ordered last; valid as long as the context. NULL without circuit switches. */
const LpSchedule *lp_world_schedule(const LpWorld *world, const LpContext *context);
/* Circuits lit now; of a cycle those of all its matchings. */
uint32_t lp_world_lit(const LpWorld *world);
/* Circuits lit at once: as before, but of a cycle a port's input counts once. O(ports * entries).
 */
uint32_t lp_world_lit_at_once(const LpWorld *world, const LpContext *context);
/* When the last reconfiguration under way is over; now or earlier when there is none. */
double lp_world_lit_at(const LpWorld *world);
/* Times that circuits were changed. */
uint32_t lp_world_reconfigurations(const LpWorld *world);
/* Seconds from an order to light now. */
double lp_world_reconfiguration_time(const LpWorld *world, const LpContext *context);

/* Orders a schedule. Circuits that stay as they are stay lit; all others are dark for the
 * reconfiguration time (a cycle of several matchings pays it inside the cycle instead, and its
 * circuits carry their share of the rate from now on). *event: LP_EVENT_CONFIGURE, or NONE where
 * nothing changes. A schedule against the rules (lp_schedule_check) has the cause REFUSED and
 * changes nothing. Errors: LP_ESTATE while a decision is due or the run is over, or without circuit
 * switches; LP_ENOMEM; world unchanged then. */
LpErr lp_world_configure(LpWorld *world, const LpContext *context, const LpSchedule *schedule,
                         LpEvent *event, LpCause *cause, char reason[LP_DIAG_TEXT],
                         LpDiag *diag) LP_MUST_USE;

/* What running jobs would send if all of their circuits were lit: bytes/s from port i to port j at
 * out[i * ports + j], each server's traffic at its lowest port that works. O(ports^2 + pairs). */
LpErr lp_world_demand(const LpWorld *world, const LpContext *context, double *out,
                      LpDiag *diag) LP_MUST_USE;

/* What one job asks for from port to port. */
typedef struct LpPortDemand {
    uint32_t in, out;
    double rate; /* bytes/s */
} LpPortDemand;
/* Demand as a list of what is asked for, in the order of running jobs: *out (free it) has *count
 * entries, and a pair of ports may have several, which add up. Errors: LP_ENOMEM; outputs unchanged
 * then. O(servers + ports + pairs). */
LpErr lp_world_demand_pairs(const LpWorld *world, const LpContext *context, LpPortDemand **out,
                            uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* The context of another speed, number `scales` of the family, with the circuits that network
 * `network` has; where circuits do not come and go that context alone. Valid as long as the base
 * context. Errors: LP_ENOMEM. */
LpErr lp_circuits_at(const LpContext *context, uint32_t scales, uint32_t network,
                     const LpContext **out, LpDiag *diag) LP_MUST_USE;

#endif
