/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of curves. */
#ifndef LP_UI_VIEWS_CURVES_IMPL_H
#define LP_UI_VIEWS_CURVES_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/curves/curves_facts.h"
#include "views/curves/curves_values.h"
#include "widgets/widgets_keys.h"

typedef struct LpCurvesFacts {
    LpCurvesModel curves;
    LpValuesModel values; /* kept while they are not shown */
} LpCurvesFacts;

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpCurvesState *lp_curves_state(const LpModel *model) {
    return model->state[LP_PANE_CURVE];
}

static inline LpCurvesFacts *lp_curves_facts(const LpModel *model) {
    return model->facts[LP_PANE_CURVE];
}

/* On the main screen, and without a box: this branch, and the one compared with or the ghost. */
void lp_view_curve(const LpModel *model, const LpArea *area);
void lp_view_jct_plot(const LpModel *model, const LpArea *area);
/* Where they have the screen for themselves; columns of one on a screen of this size. */
void lp_view_curves(const LpModel *model, const LpArea *area);
int lp_view_curves_columns(int cols, int rows);
/* Are all of them shown on a screen of this size? Is this one shown at all? */
bool lp_view_curves_all(int cols, int rows);
bool lp_view_curve_is_shown(const LpModel *model, LpCurve curve);
bool lp_view_curve_is_time(LpCurve curve);

#endif
