/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of a study. */
#ifndef LP_UI_VIEWS_STUDY_IMPL_H
#define LP_UI_VIEWS_STUDY_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/study/study_facts.h"
#include "widgets/widgets_keys.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpStudyPane *lp_study_state(const LpModel *model) {
    return model->state[LP_PANE_STUDY];
}

void lp_view_study(const LpModel *model, const LpArea *area);

#endif
