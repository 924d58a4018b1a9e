/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of branches. */
#ifndef LP_UI_VIEWS_BRANCHES_IMPL_H
#define LP_UI_VIEWS_BRANCHES_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/branches/tracks.h"
#include "widgets/widgets_keys.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpBranchesState *lp_branches_state(const LpModel *model) {
    return model->state[LP_PANE_BRANCHES];
}

static inline LpTracks *lp_branches_facts(const LpModel *model) {
    return model->facts[LP_PANE_BRANCHES];
}

extern const LpTable lp_branches_table;

/* Where things stand on a screen of some width: as in widgets/widgets_table.h, and the track. */
typedef struct LpBranchesForm {
    int track, track_end, at[LP_TABLE_COLUMNS];
} LpBranchesForm;

LpBranchesForm lp_branches_form(int width);

/* Row of the tree that the cursor marks. */
int lp_branches_row(const LpModel *model);
void lp_view_branches(const LpModel *model, const LpArea *area);
/* Columns of its tracks on a screen so wide. */
int lp_view_track_columns(int cols);

#endif
