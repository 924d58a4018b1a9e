/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The single lines as views. */
#include "views/ledger/ledger_view.h"
#include "views/ledger/ledger_view_impl.h"

const LpView lp_title_view = {.fixed = true, .draw = lp_view_title};
const LpView lp_ledger_view = {.fixed = true, .draw = lp_view_ledger};
const LpView lp_legend_view = {.fixed = true, .draw = lp_view_legend};
const LpView lp_timeline_view = {.fixed = true, .draw = lp_view_timeline};
const LpView lp_keys_view = {.fixed = true, .draw = lp_view_keys};
