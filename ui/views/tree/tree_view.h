/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of the cluster's tree: who holds its nodes, what fits in them, who waits and why. */
#ifndef LP_UI_VIEWS_TREE_TREE_H
#define LP_UI_VIEWS_TREE_TREE_H

#include "moment/view.h"

extern const LpView lp_tree_view;

#endif
