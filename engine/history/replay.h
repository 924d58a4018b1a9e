/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrying out the records of a log on a world: exactly what was done, without a policy. */
#ifndef LP_HISTORY_REPLAY_H
#define LP_HISTORY_REPLAY_H

#include "history/log.h"
#include "sim/context.h"
#include "sim/state/state.h"

/* What a replay tells on its way; all may be NULL. Event: one that a session shows (rounds of
 * offers are none). Decided: an answer was applied, with the engine's sentence. */
typedef struct LpReplayWatch {
    LpErr (*event)(void *user, const LpEvent *event, LpDiag *diag);
    LpErr (*decided)(void *user, uint32_t job, const LpAnswer *answer, const char *reason,
                     LpDiag *diag);
    void *user;
} LpReplayWatch;

/* A state that a world reaches by itself from its last record: after `events` events, over or not.
 */
typedef struct LpReplayGoal {
    uint64_t events;
    bool over;
} LpReplayGoal;

/* Carries out records [*at, end): before each the world advances to the event that it was made at.
 * *at: the first record not done. room: for answers; watch: NULL or whom to tell. Errors:
 * LP_EREFUSED naming the decision where world and log differ (time, event, job, refused action);
 * LP_EINVAL for a damaged record; LP_ENOMEM. */
LpErr lp_replay_records(LpWorld *world, const LpContext *context, const LpLog *log, size_t *at,
                        size_t end, LpAnswerRoom *room, const LpReplayWatch *watch,
                        LpDiag *diag) LP_MUST_USE;
/* Advances to the goal. Errors: LP_EREFUSED when it cannot be reached. */
LpErr lp_replay_reach(LpWorld *world, const LpContext *context, const LpReplayGoal *goal,
                      const LpReplayWatch *watch, LpDiag *diag) LP_MUST_USE;

#endif
