/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two futures of the same jobs at the same time: what became of each job in both, and what may be
 * compared. A mean over the jobs that one of them has done says little beside the other's: whoever
 * turns long jobs away has short ones left. So means are of the jobs that both have done. */
#ifndef LP_ASK_WHATIF_PAIR_H
#define LP_ASK_WHATIF_PAIR_H

#include "sim/state/state.h"

typedef struct LpPair {
    uint64_t both;      /* jobs that both have done */
    double mean_jct[2]; /* s, of these jobs in each; NAN without any */
    double sooner;      /* how many times sooner the second one ends them: first over second */
    uint32_t differ;    /* jobs whose fate differs */
    uint32_t newest;    /* the last one of these to arrive, LP_NO_INDEX: none */
    uint32_t only[2];   /* jobs that only the first, or the second, turned away */
    uint32_t late[2];   /* done in each, but after its limit */
} LpPair;

/* Has a job in one world another fate than in the other: another outcome, other ways, another start
 * or end? Not while it is decided in one of them. */
bool lp_pair_job_differs(const LpJob *a, const LpJob *b);
/* The two worlds have the same arrivals. O(jobs). */
LpPair lp_pair_of(const LpWorld *a, const LpWorld *b);
/* The job with another fate that arrived last before job `before`; before LP_NO_INDEX: last of all.
 * LP_NO_INDEX: there is none. O(jobs in between). */
uint32_t lp_pair_before(const LpWorld *a, const LpWorld *b, uint32_t before);

/* Shares in words: "+32.8 pt", in points, so that nobody reads a change of 16 % to 49 % as one of
 * 200 %; "0.0 pt" without a difference. */
enum { LP_PAIR_TEXT = 24 };
const char *lp_pair_points(double from, double to, char text[LP_PAIR_TEXT]);

#endif
