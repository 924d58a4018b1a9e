/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the single lines. */
#ifndef LP_UI_VIEWS_LEDGER_IMPL_H
#define LP_UI_VIEWS_LEDGER_IMPL_H

#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "widgets/widgets_keys.h"

void lp_view_title(const LpModel *model, const LpArea *area);
void lp_view_ledger(const LpModel *model, const LpArea *area);
/* What letters and marks on the boards mean. */
void lp_view_legend(const LpModel *model, const LpArea *area);
void lp_view_timeline(const LpModel *model, const LpArea *area);
void lp_view_keys(const LpModel *model, const LpArea *area);
/* The keys that do something now. */
void lp_ledger_draw_keys(const LpModel *model, const LpArea *area);

#endif
