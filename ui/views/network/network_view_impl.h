/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of the policy's network. */
#ifndef LP_UI_VIEWS_NETWORK_IMPL_H
#define LP_UI_VIEWS_NETWORK_IMPL_H

#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "widgets/widgets_keys.h"

void lp_view_network(const LpModel *model, const LpArea *area);
/* Without a box. */
void lp_view_network_panel(const LpModel *model, const LpArea *area);

#endif
