/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view that compares two branches. */
#ifndef LP_UI_VIEWS_COMPARE_IMPL_H
#define LP_UI_VIEWS_COMPARE_IMPL_H

#include "moment/draw.h"
#include "moment/host.h"
#include "moment/model.h"
#include "moment/view.h"
#include "moment/words.h"

/* What can be shown below the table. */
enum { LP_COMPARE_VARIANTS = 5 };

typedef struct LpCompareState {
    int variant; /* 0: the jobs that differ, 1..: curves */
} LpCompareState;

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpCompareState *lp_compare_state(const LpModel *model) {
    return model->state[LP_PANE_COMPARE];
}

/* Jobs that differ. */
int lp_view_compare_jobs(const LpModel *model);
void lp_view_compare(const LpModel *model, const LpArea *area);

#endif
