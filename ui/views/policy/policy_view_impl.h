/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of the policy. */
#ifndef LP_UI_VIEWS_POLICY_IMPL_H
#define LP_UI_VIEWS_POLICY_IMPL_H

#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"

/* Its source, "" without one. */
const char *lp_view_policy_source(const LpModel *model);
void lp_view_policy(const LpModel *model, const LpArea *area);
/* First line of the source that is shown in a view of `rows` rows, and the last that it can be. */
int lp_view_policy_first(const LpModel *model, int rows);
int lp_view_policy_last(const LpModel *model);

#endif
