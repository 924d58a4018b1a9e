/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The single lines: title, ledger, legend, time line and keys. */
#ifndef LP_UI_VIEWS_LEDGER_LEDGER_H
#define LP_UI_VIEWS_LEDGER_LEDGER_H

#include "moment/view.h"

extern const LpView lp_title_view, lp_ledger_view, lp_legend_view, lp_timeline_view, lp_keys_view;

#endif
