/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session recorded, for whoever stores it, and carrying out such records again without
 * asking a policy: step by step, or all of a run on a world of its own. */
#ifndef LP_SESSION_REPLAY_H
#define LP_SESSION_REPLAY_H

#include "history/log.h"
#include "session/time.h"

/* Records of a branch of its own, those before its fork are its parent's. Without a time line
 * (branch 0): the whole log. Valid as long as the branch; grows at the end only. */
const LpLog *lp_session_log(const LpSession *session, uint32_t branch);

/* What one recorded step (1 ... tip; it leads to the moment with its number) consists of. The
 * same numbers that lp_session_replay_step takes. */
typedef struct LpStepRecords {
    size_t first, end; /* its records in the log of its branch, end excluded */
    uint64_t events;   /* events of the run once it is done (tally.events) */
    bool over;         /* the run is over once it is done */
} LpStepRecords;

/* Carries out one recorded step at the tip of the current branch, which gets one step longer; no
 * policy is asked. Each record must come at the time and event that it was made at. Errors:
 * LP_ESTATE before the tip; LP_EREFUSED naming the decision that differs. Afterwards the session
 * stands somewhere inside the step and can only be closed. */
LpErr lp_session_replay_step(LpSession *session, const LpLog *log, const LpStepRecords *step,
                             LpDiag *diag) LP_MUST_USE;

/* What is called after every event that a session shows, with the world as the event left it, and
 * once more at the end with event NULL. Both are valid until it returns. */
typedef LpErr (*LpAgain)(void *user, const LpContext *context, const LpWorld *world,
                         const LpEvent *event, LpDiag *diag);

/* Calls `take` from now on after every event, as the session goes on, with the world as the event
 * left it; NULL: nobody listens. An error of `take` ends the step with it. */
void lp_session_listen(LpSession *session, LpAgain take, void *user);

/* From the beginning up to the moment where the session is; the session is not touched and no
 * policy is asked. Errors: LP_ENOMEM; what a replay answers; what `take` answers ends it. Costs as
 * much as the run without its policy. */
LpErr lp_session_again(const LpSession *session, LpAgain take, void *user,
                       LpDiag *diag) LP_MUST_USE;

#endif
