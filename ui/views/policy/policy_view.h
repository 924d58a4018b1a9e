/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the policy and its source. */
#ifndef LP_UI_VIEWS_POLICY_POLICY_H
#define LP_UI_VIEWS_POLICY_POLICY_H

#include "moment/view.h"

extern const LpView lp_policy_view;

#endif
