/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ghost of a run: the same arrivals decided again by the policy that is loaded now, a little at
 * a time, beside what was really decided - what would the saved policy have changed? */
#ifndef LP_ASK_WHATIF_GHOST_H
#define LP_ASK_WHATIF_GHOST_H

#include "session/session.h"

typedef struct LpGhost LpGhost;

/* What is known so far. Rates are NAN while no job has arrived. */
typedef struct LpGhostReport {
    bool done;            /* it has caught up with the run, or cannot go on */
    bool stale;           /* the policy was loaded again meanwhile: start another ghost */
    uint32_t jobs;        /* jobs compared: decided in both */
    uint32_t differ;      /* other outcome, degree or servers */
    uint32_t first;       /* job of the first difference, LP_NO_INDEX */
    double before, after; /* blocking rate of the run and of the ghost over the same jobs */
    double time;          /* s, how far the ghost has come */
} LpGhostReport;

/* From a world of the past (copied; of this session's context and seed) up to where the session is
 * now. Errors: LP_ENOMEM; LP_ERANGE when `from` is later than now. */
LpErr lp_ghost_new(const LpSession *session, const LpWorld *from, LpGhost **out,
                   LpDiag *diag) LP_MUST_USE;
void lp_ghost_free(LpGhost *ghost); /* NULL allowed; before the session is closed */
/* Takes at most `steps` steps. Where the policy fails at a decision the ghost is done: see
 * lp_ghost_failure. Errors: LP_ENOMEM, LP_EBUDGET; the ghost is done then. */
LpErr lp_ghost_work(LpGhost *ghost, uint32_t steps, LpDiag *diag) LP_MUST_USE;
/* How the policy failed, with its place in the script; NULL: it did not. What the ghost has come to
 * is no result then. */
const LpDiag *lp_ghost_failure(const LpGhost *ghost);
/* O(jobs). */
LpGhostReport lp_ghost_report(const LpGhost *ghost);
/* The next job, after that one, whose fate differs; after LP_NO_INDEX: the first. LP_NO_INDEX when
 * there is none. O(jobs). */
uint32_t lp_ghost_next(const LpGhost *ghost, uint32_t after);
/* "17 of 200 decisions differ, first at job 31, blocking 31 % -> 24 %". */
const char *lp_ghost_text(const LpGhostReport *report, char *buf, size_t size);
/* The ghost's world, for its curve; valid until it works again. */
const LpWorld *lp_ghost_world(const LpGhost *ghost);

#endif
