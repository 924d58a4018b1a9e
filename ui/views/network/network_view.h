/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of what the policy's network says, and what moved it. */
#ifndef LP_UI_VIEWS_NETWORK_NETWORK_H
#define LP_UI_VIEWS_NETWORK_NETWORK_H

#include "moment/view.h"

extern const LpView lp_network_view;

#endif
