/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views within views. */
#include "moment/view.h"

#include "base/assert.h"

void lp_view_part(const LpModel *model, LpPane pane, const LpArea *area) {
    LP_ASSERT(pane < LP_PANE_COUNT);
    const LpView *view = model->views ? model->views[pane] : NULL;
    if (view && view->part)
        view->part(model, area);
}
