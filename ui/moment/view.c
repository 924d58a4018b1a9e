/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views within views. */
#include "moment/view.h"

void lp_view_part(const LpModel *model, LpPane pane, const LpArea *area) {
    const LpView *view = model->views ? model->views[pane] : NULL;
    if (view && view->part)
        view->part(model, area);
}
