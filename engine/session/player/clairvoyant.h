/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clairvoyant rollout: a schedule that somebody who knows all arrivals of a seed can reach. At
 * each decision every answer that is in time (declining, letting wait, each degree on each rule's
 * block) is tried in a clone of the world, in which the same jobs arrive and a network that lets
 * jobs wait plays on; the one that loses fewest is given (rollout: Tesauro & Galperin 1996;
 * Bertsekas, Tsitsiklis & Wu 1997). What it loses is what a real run loses, so the least possible
 * lies between a bound (many/bound) and this. */
#ifndef LP_SESSION_PLAYER_CLAIRVOYANT_H
#define LP_SESSION_PLAYER_CLAIRVOYANT_H

#include "session/player/schedule.h"

typedef struct LpClairvoyant {
    LpScheduled network; /* the network alone */
    LpScheduled run;     /* the rollout, or the network's run where that lost fewer */
    bool better;         /* the first of these */
    uint64_t simulated;  /* decisions, of all futures */
    uint64_t changed;    /* decisions in which another answer than the network's was given */
} LpClairvoyant;

/* horizon: decisions that each future is played on for; where it ends, jobs that wait count as half
 * lost. 0: to the end of the run, and then no answer loses more than the network's: out->run is
 * not worse than out->network by construction, else because the better one is taken. go_on (NULL
 * allowed) is asked at each decision; false ends the rollout with *stopped, and *out is what it
 * was. Errors: those of lp_player_run. O(decisions * open answers * horizon) decisions. */
LpErr lp_player_clairvoyant(LpPlayer *player, const LpContext *context, uint64_t seed,
                            uint32_t horizon, bool (*go_on)(void *user), void *user,
                            LpClairvoyant *out, bool *stopped, LpDiag *diag) LP_MUST_USE;

#endif
