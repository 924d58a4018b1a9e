/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of jobs. */
#ifndef LP_UI_VIEWS_JOBS_IMPL_H
#define LP_UI_VIEWS_JOBS_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/jobs/jobs_facts.h"
#include "widgets/widgets_keys.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpJobTableState *lp_jobs_state(const LpModel *model) {
    return model->state[LP_PANE_JOBS];
}

static inline LpJobTable *lp_jobs_facts(const LpModel *model) {
    return model->facts[LP_PANE_JOBS];
}

/* On the main screen; the table of all, where it has the screen for itself. */
void lp_view_jobs(const LpModel *model, const LpArea *area);
void lp_view_jobtable(const LpModel *model, const LpArea *area);

#endif
