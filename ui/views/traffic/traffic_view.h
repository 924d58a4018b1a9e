/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of what jobs send, and how busy servers are, over time. */
#ifndef LP_UI_VIEWS_TRAFFIC_TRAFFIC_H
#define LP_UI_VIEWS_TRAFFIC_TRAFFIC_H

#include "moment/view.h"

extern const LpView lp_traffic_view;

#endif
