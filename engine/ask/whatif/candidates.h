/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways to decide the due job, side by side, and which of them the policy takes. */
#ifndef LP_ASK_WHATIF_CANDIDATES_H
#define LP_ASK_WHATIF_CANDIDATES_H

#include "ask/inspect/figures.h"

/* One way to decide the due job (or, after the fact, the job last decided). */
typedef struct LpCandidate {
    uint32_t degree; /* of a plan: its servers */
    LpPlanFigures plan;
    LpForecast forecast;
    bool valid;      /* the mask allows it */
    bool chosen;     /* what the policy answers */
    double of_limit; /* lp_job_of_limit; NAN where the job does not fit */
    uint32_t free_after;
    uint32_t needs; /* servers, also where it does not fit; 0: it cannot be cut so */
} LpCandidate;

/* The table of candidates for the job whose decision is due: one per degree worth showing, of a job
 * with plans one per plan (by servers, of equals the fastest first), and the policy's choice
 * marked, with a row of its own where it is none of these (the policy is asked on a copy of its
 * stream; nothing changes). Computed once per decision, cached. count 0 when no decision is due. */
LpErr lp_session_candidates(LpSession *session, const LpCandidate **out, uint32_t *count,
                            LpDiag *diag) LP_MUST_USE;

#endif
