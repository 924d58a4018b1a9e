/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the policy's network expects along the branches that the curves show. */
#ifndef LP_UI_VIEWS_CURVES_VALUES_H
#define LP_UI_VIEWS_CURVES_VALUES_H

#include "ask/inspect/values.h"
#include "views/curves/curves_facts.h"
#include "widgets/chart.h"

/* Zero-initialise. */
typedef struct LpValuesModel {
    uint32_t networks; /* of the policy in charge; 0: nobody expects anything */
    LpValues *values;  /* NULL: not asked for yet */
    bool more;         /* some decisions are still to be asked about */
    double low, high;  /* of what is shown; low > high: nothing */
    LpChartPoint *q;   /* of the answers taken on the present branch, by time */
    size_t q_cap;
    uint32_t q_count;
} LpValuesModel;

/* Fills in values of the branches of `curves`, asking about at most `most` decisions now (0: all).
 * Errors: LP_ENOMEM; the session's. */
LpErr lp_values_model_update(LpValuesModel *model, LpSession *session, const LpCurvesModel *curves,
                             uint32_t most, LpDiag *diag) LP_MUST_USE;
void lp_values_model_fini(LpValuesModel *model);

#endif
