/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the jobs of a report stand beside each other, and its summary. */
#include "say/report_impl.h"
#include "sim/facts/metrics.h"

LpErr lp_report_stand(LpReport *r) {
    if (r->around.standing != NULL)
        return LP_OK;
    LP_TRY(lp_standing_new(r->world, r->context, true, &r->standing, r->diag));
    r->around.standing = &r->standing;
    return LP_OK;
}

LpErr lp_report_sum(LpReport *r, LpSummary *out) {
    LP_TRY(lp_report_stand(r));
    return lp_metrics_of(r->world, r->context, &r->standing, out, r->diag);
}
