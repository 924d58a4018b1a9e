/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the what-if view. */
#ifndef LP_UI_VIEWS_WHATIF_IMPL_H
#define LP_UI_VIEWS_WHATIF_IMPL_H

#include "ask/whatif/work.h"
#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "widgets/widgets_keys.h"

typedef struct LpWhatIfState {
    LpWhatIfWork *work;  /* rows run to the end on other threads; NULL: none */
    LpWhatIfWork *spent; /* was stopped, may still end */
    uint64_t of;         /* the table that it is for (LpModel.whatif_of) */
    int64_t until;       /* ms, when it is looked at next */
} LpWhatIfState;

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpWhatIfState *lp_whatif_state(const LpModel *model) {
    return model->state[LP_PANE_WHATIF];
}

extern const LpTable lp_whatif_columns;

void lp_view_whatif(const LpModel *model, const LpArea *area);
/* The rows alone. */
void lp_view_whatif_rows(const LpModel *model, const LpArea *area);

#endif
