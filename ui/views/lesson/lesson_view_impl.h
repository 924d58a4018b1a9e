/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of a lesson. */
#ifndef LP_UI_VIEWS_LESSON_IMPL_H
#define LP_UI_VIEWS_LESSON_IMPL_H

#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "widgets/flow.h"

void lp_view_lesson(const LpModel *model, const LpArea *area);

#endif
