/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of runs that a network plays without a script; private to session/player. */
#ifndef LP_SESSION_PLAYER_SCHEDULE_IMPL_H
#define LP_SESSION_PLAYER_SCHEDULE_IMPL_H

#include "session/player/schedule.h"
#include "sim/world.h"

typedef struct LpScheduleRun {
    LpPlayer *player;
    const LpContext *context;
    LpWorld *world;
    double *features, *scores;
    uint32_t *list; /* room for jobs */
    size_t room;
} LpScheduleRun;

/* Errors: LP_EINVAL for a network that answers once, LP_ENOMEM; nothing is to be closed then. */
LpErr lp_schedule_open(LpScheduleRun *run, LpPlayer *player, const LpContext *context,
                       uint64_t seed, LpDiag *diag) LP_MUST_USE;
void lp_schedule_close(LpScheduleRun *run);
/* Up to the next event, or, where a decision is due, takes it: with this answer, or NULL with the
 * network's. The network orders who is offered and says who gives way. Not when the run is over. */
LpErr lp_schedule_step(LpScheduleRun *run, const LpAnswer *answer, LpDiag *diag) LP_MUST_USE;
/* What became of the jobs so far. O(jobs). */
void lp_schedule_count(const LpWorld *world, LpScheduled *out);

/* Would the job be accepted with this answer, and end before its true deadline? */
LpErr lp_schedule_in_time(const LpContext *context, const LpWorld *world, uint32_t job,
                          const LpAnswer *answer, bool *is, LpDiag *diag) LP_MUST_USE;

#endif
