/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of a computation graph. */
#ifndef LP_UI_VIEWS_GRAPH_IMPL_H
#define LP_UI_VIEWS_GRAPH_IMPL_H

#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/graph/graph_facts.h"
#include "widgets/widgets_keys.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpGraphState *lp_graph_state(const LpModel *model) {
    return model->state[LP_PANE_GRAPH];
}

static inline LpGraphModel *lp_graph_facts(const LpModel *model) {
    return model->facts[LP_PANE_GRAPH];
}

void lp_view_graph(const LpModel *model, const LpArea *area);
/* How close the graph is looked at on a screen of this size, and how many of its rows stand in one
 * band (0: in all). */
LpGraphZoom lp_view_graph_zoom(const LpModel *model, int cols, int rows, int *band);

#endif
