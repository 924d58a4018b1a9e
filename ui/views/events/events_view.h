/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of events. */
#ifndef LP_UI_VIEWS_EVENTS_EVENTS_H
#define LP_UI_VIEWS_EVENTS_EVENTS_H

#include "moment/view.h"

extern const LpView lp_events_view;

#endif
