/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of one training step. */
#ifndef LP_UI_VIEWS_STEP_IMPL_H
#define LP_UI_VIEWS_STEP_IMPL_H

#include "moment/draw.h"
#include "moment/host.h"
#include "moment/model.h"
#include "moment/step.h"
#include "moment/table.h"
#include "moment/view.h"
#include "moment/words.h"

/* The screen's own state of the view. */
typedef struct LpStepState {
    bool chosen; /* `job` was asked for; else the decision's */
    uint32_t job;
    double at;    /* scrubber, share of the step, 0..1 */
    double from;  /* left edge of what is seen, likewise */
    double zoom;  /* the whole step is so many screens wide, >= 1; 0: 1 */
    int row;      /* marked row of what is shown */
    bool playing; /* the scrubber moves */
    LpStepRows rows;
    int64_t frame_at; /* ms, when it last moved */
} LpStepState;

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpStepState *lp_step_state(const LpModel *model) {
    return model->state[LP_PANE_STEP];
}

static inline LpStepModel *lp_step_facts(const LpModel *model) {
    return model->facts[LP_PANE_STEP];
}

void lp_view_step(const LpModel *model, const LpArea *area);
/* Rows that can be shown now, and columns of its bars on a screen so wide. */
int lp_view_step_rows(const LpModel *model);
int lp_view_step_columns(int cols);

#endif
