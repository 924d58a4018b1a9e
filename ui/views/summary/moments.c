/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The moments at which a run was decided. */
#include <stdio.h>

#include "views/summary/summary_moments.h"
#include "views/summary/summary_view_impl.h"

const char *lp_summary_kind(LpSummaryMoment moment) {
    static const char *const kinds[LP_SUMMARY_MOMENTS] = {
        [LP_SUMMARY_FIRST_LOST] = "first job turned away", [LP_SUMMARY_WORST] = "worst time",
        [LP_SUMMARY_NEAREST] = "closest to its limit",     [LP_SUMMARY_LONGEST] = "longest job",
        [LP_SUMMARY_LONGEST_WAIT] = "longest wait",
    };
    return kinds[moment];
}

int lp_summary_moments(const LpModel *model, LpSummaryMoment out[LP_SUMMARY_MOMENTS]) {
    const LpSummaryFacts *f = lp_summary_facts(model);
    const bool there[LP_SUMMARY_MOMENTS] = {
        [LP_SUMMARY_FIRST_LOST] = f->first_lost != LP_NO_INDEX,
        [LP_SUMMARY_WORST] = f->worst.lost > 0,
        [LP_SUMMARY_NEAREST] = f->nearest != LP_NO_INDEX,
        [LP_SUMMARY_LONGEST] = f->longest != LP_NO_INDEX,
        [LP_SUMMARY_LONGEST_WAIT] = f->waits.any,
    };
    int count = 0;
    for (int i = 0; f->known && i < LP_SUMMARY_MOMENTS; i++)
        if (there[i])
            out[count++] = (LpSummaryMoment)i;
    return count;
}

void lp_summary_place(const LpModel *model, LpSummaryMoment moment, char *out, size_t size) {
    const LpSummaryFacts *f = lp_summary_facts(model);
    uint32_t job = moment == LP_SUMMARY_FIRST_LOST ? f->first_lost
                   : moment == LP_SUMMARY_NEAREST  ? f->nearest
                                                   : f->longest;
    if (moment == LP_SUMMARY_WORST)
        snprintf(out, size, "%.17g s", f->worst.from);
    else if (moment == LP_SUMMARY_LONGEST_WAIT)
        snprintf(out, size, "%.17g s", f->waits.longest.time);
    else
        snprintf(out, size, "j%u", (unsigned)job);
}
