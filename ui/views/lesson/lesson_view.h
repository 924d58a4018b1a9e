/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lesson tells beside all else. */
#ifndef LP_UI_VIEWS_LESSON_LESSON_H
#define LP_UI_VIEWS_LESSON_LESSON_H

#include "moment/view.h"

extern const LpView lp_lesson_view;

#endif
