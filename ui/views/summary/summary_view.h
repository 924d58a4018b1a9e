/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a run as a whole, at its end or so far. */
#ifndef LP_UI_VIEWS_SUMMARY_SUMMARY_H
#define LP_UI_VIEWS_SUMMARY_SUMMARY_H

#include "moment/view.h"

extern const LpView lp_summary_view;

#endif
