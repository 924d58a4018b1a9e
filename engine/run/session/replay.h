/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session recorded, for whoever stores it, and carrying out such records again without
 * asking a policy. */
#ifndef LP_RUN_SESSION_REPLAY_H
#define LP_RUN_SESSION_REPLAY_H

#include "history/log.h"
#include "run/session/time.h"

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

#endif
