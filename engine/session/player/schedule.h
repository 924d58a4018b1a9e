/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network that lets jobs wait (encoding "queue") at the points where a policy decides: who is
 * offered first, what a job gets, and who gives way to whom. A policy asks these one by one
 * (scripts/pac_ml_queue.lua); a training plays whole runs with them, without a script, and comes to
 * the same run. */
#ifndef LP_SESSION_PLAYER_SCHEDULE_H
#define LP_SESSION_PLAYER_SCHEDULE_H

#include "session/player/player.h"
#include "sim/state/state.h"

/* A job's priority by the value head: the greater, the sooner. Jobs that wait, run or are due, in
 * any semantics; deadlines are the true ones. Errors: LP_EINVAL for another encoding; LP_ENOMEM.
 * O(count * (waiting + running)). */
LpErr lp_player_priorities(LpPlayer *player, const LpContext *context, const LpWorld *world,
                           const uint32_t *jobs, uint32_t count, double *out,
                           LpDiag *diag) LP_MUST_USE;
/* Jobs by priority, the greatest first, of equals the one that arrived first. */
LpErr lp_player_order(LpPlayer *player, const LpContext *context, const LpWorld *world,
                      uint32_t *jobs, uint32_t count, LpDiag *diag) LP_MUST_USE;

/* What the network does with the job whose decision is due: the open action with the highest score
 * whose forecast is in time, the first of equals. scores: a number per action; mask: likewise, what
 * turns out not to be in time is closed in it. *out also has what lp_player_answer makes of it. */
LpErr lp_player_choose(LpPlayer *player, const LpContext *context, const LpWorld *world,
                       uint32_t job, const double *scores, double *mask, uint32_t *action,
                       LpAnswer *out, LpDiag *diag) LP_MUST_USE;

/* Running jobs that stop for a waiting one: as few as make room for the degree that scores highest
 * of those in time, those of the least priority first, each of less priority than it. *count 0:
 * nobody, because there is room already, because others matter more, or because nothing would be in
 * time. victim: room for all running jobs. Errors: LP_EINVAL for another encoding, LP_ENOMEM. */
LpErr lp_player_give_way(LpPlayer *player, const LpContext *context, const LpWorld *world,
                         uint32_t job, uint32_t *victim, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* A whole run of a seed, to its horizon or end. lost: jobs that were blocked, did not end, or ended
 * after their true deadline, of `arrived`; decisions: that were taken. Errors: LP_ENOMEM, and as
 * lp_world_advance. */
typedef struct LpScheduled {
    uint64_t arrived, lost, decisions, preemptions;
    double late; /* sum over served jobs of the share of the limit that they took */
} LpScheduled;
LpErr lp_player_run(LpPlayer *player, const LpContext *context, uint64_t seed, LpScheduled *out,
                    LpDiag *diag) LP_MUST_USE;

#endif
