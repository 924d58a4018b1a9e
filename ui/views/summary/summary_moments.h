/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The moments of a run that are worth a look: where they are, and what is said of them. */
#ifndef LP_UI_VIEWS_SUMMARY_MOMENTS_H
#define LP_UI_VIEWS_SUMMARY_MOMENTS_H

#include "moment/picture/model.h"

/* Moments that are worth a look. */
typedef enum LpSummaryMoment {
    LP_SUMMARY_FIRST_LOST,
    LP_SUMMARY_WORST,
    LP_SUMMARY_NEAREST,
    LP_SUMMARY_LONGEST,
    LP_SUMMARY_LONGEST_WAIT,
    LP_SUMMARY_MOMENTS
} LpSummaryMoment;

/* Those that there are, in order; returns how many. */
int lp_summary_moments(const LpModel *model, LpSummaryMoment out[LP_SUMMARY_MOMENTS]);
/* "worst time" */
const char *lp_summary_kind(LpSummaryMoment moment);
/* "45.1 to 50.1 s: 5 of 7 jobs turned away" */
void lp_summary_say(const LpModel *model, LpSummaryMoment moment, LpBuf *out);
/* Where it is, as people write it ("j12", "70.5 s"). */
void lp_summary_place(const LpModel *model, LpSummaryMoment moment, char *out, size_t size);

#endif
