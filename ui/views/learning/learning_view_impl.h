/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of learning curves. */
#ifndef LP_UI_VIEWS_LEARNING_IMPL_H
#define LP_UI_VIEWS_LEARNING_IMPL_H

#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/learning/learning_facts.h"
#include "widgets/widgets_keys.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpLearnPane *lp_learning_state(const LpModel *model) {
    return model->state[LP_PANE_LEARNING];
}

void lp_view_learning(const LpModel *model, const LpArea *area);

#endif
