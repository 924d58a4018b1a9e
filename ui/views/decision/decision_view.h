/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the decision that is due, or was taken last. */
#ifndef LP_UI_VIEWS_DECISION_DECISION_H
#define LP_UI_VIEWS_DECISION_DECISION_H

#include "moment/view.h"

extern const LpView lp_decision_view;

#endif
