/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a computation graph. */
#ifndef LP_UI_VIEWS_GRAPH_GRAPH_H
#define LP_UI_VIEWS_GRAPH_GRAPH_H

#include "moment/view.h"

extern const LpView lp_graph_view;

#endif
