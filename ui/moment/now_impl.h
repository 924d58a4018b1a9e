/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that say what a moment is. */
#ifndef LP_UI_MOMENT_NOW_IMPL_H
#define LP_UI_MOMENT_NOW_IMPL_H

#include "moment/picture/model.h"

/* Says the draft of the job of this name in place of what was said. */
void lp_now_draft(LpModel *model, const char *name);

#endif
