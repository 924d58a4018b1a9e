/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run came to: by model, by cause, and the moments at which it was decided. */
#ifndef LP_UI_VIEWS_SUMMARY_FACTS_H
#define LP_UI_VIEWS_SUMMARY_FACTS_H

#include "session/time.h"
#include "sim/facts/metrics.h"
#include "sim/facts/worst.h"

/* Jobs of one model; graph -1: rigid jobs. */
typedef struct LpSummaryModel {
    uint32_t came, done, blocked;
    double jct; /* s, sum over those that are done */
} LpSummaryModel;

/* The time window of a fixed length in which the largest share of the arriving jobs was lost. */
typedef struct LpSummaryWorst {
    double from, length; /* s */
    uint32_t came, lost; /* lost 0: there is none */
} LpSummaryWorst;

/* Zero-initialise. Jobs are LP_NO_INDEX where there is none. */
typedef struct LpSummaryFacts {
    LpMoment of; /* what it was worked out for */
    bool known;
    LpSummaryModel *model; /* of each graph, then of rigid jobs */
    uint32_t models;
    LpSummary summary;
    uint32_t first_lost, before; /* the first job turned away; the last one that started before */
    uint32_t nearest;            /* done closest to its limit */
    uint32_t longest;            /* the longest JCT */
    LpSummaryWorst worst;
    LpWorst waits;                /* when waiting was worst */
    double waited[LP_WAIT_COUNT]; /* s of all jobs that ask for slices, by what they waited for */
    double waiting;               /* their sum */
} LpSummaryFacts;

/* Works all of it out for the present moment, unless it is known. Errors: LP_ENOMEM. O(jobs log
 * jobs + events). */
LpErr lp_summary_update(LpSummaryFacts *facts, const LpSession *session, LpDiag *diag) LP_MUST_USE;
void lp_summary_fini(LpSummaryFacts *facts);

#endif
