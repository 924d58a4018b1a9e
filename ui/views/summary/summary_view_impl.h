/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of a run as a whole. */
#ifndef LP_UI_VIEWS_SUMMARY_IMPL_H
#define LP_UI_VIEWS_SUMMARY_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/summary/summary_facts.h"
#include "views/summary/summary_moments.h"
#include "widgets/widgets_keys.h"

typedef struct LpSummaryState {
    int row; /* marked moment */
} LpSummaryState;

static inline LpSummaryState *lp_summary_state(const LpModel *model) {
    return model->state[LP_PANE_SUMMARY];
}

static inline LpSummaryFacts *lp_summary_facts(const LpModel *model) {
    return model->facts[LP_PANE_SUMMARY];
}

void lp_view_summary(const LpModel *model, const LpArea *area);

#endif
