/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the views show of the time line: the moment, the tree of branches, and the branch that is
 * compared with. */
#ifndef LP_UI_MOMENT_TIME_H
#define LP_UI_MOMENT_TIME_H

#include "ask/whatif/pair.h"
#include "session/time.h"

/* A branch in the order of the tree. */
typedef struct LpTwig {
    uint32_t branch;
    int depth; /* 0: the trunk */
    LpBranchInfo info;
} LpTwig;

/* Another branch at the present time, or at its tip where that is earlier. */
typedef struct LpOther {
    int branch; /* -1: none */
    LpMoment at;
    char name[64];
    LpWorld *world; /* owned; NULL: none. Where a decision is due here that is due there at the same
                       time, too, the moment before it is taken */
    LpWorld *after; /* the world once that decision is taken; owned, NULL: no such decision */
    size_t events;  /* kept ones up to there (lp_session_branch_event) */
    double time;    /* s, how far it could be followed */
    bool short_of;  /* it has not got as far as the present */
    LpSummary here, there;
    double *jct; /* its completion times, ascending */
    size_t jct_cap;
    uint32_t jct_count;
    LpMoment of;         /* the present moment that all this was made for */
    uint64_t of_tip;     /* the other branch's tip at that time */
    LpMomentFacts split; /* where the two part */
    LpPair pair;         /* the present one first */
} LpOther;

/* Zero-initialise. */
typedef struct LpTimeModel {
    bool known; /* the session has a time line */
    LpMoment moment;
    uint64_t tip;
    LpBranchInfo branch; /* the current one */
    LpTwig *twig;        /* not deleted ones */
    size_t twig_cap;
    uint32_t twigs;
    LpOther other;
} LpTimeModel;

/* versus: the branch to compare with, -1: none. Errors: LP_ENOMEM, the session's. */
LpErr lp_time_model_update(LpTimeModel *model, LpSession *session, int versus,
                           LpDiag *diag) LP_MUST_USE;
void lp_time_model_fini(LpTimeModel *model);

#endif
