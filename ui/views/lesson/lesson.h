/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lesson tells beside all else. */
#ifndef LP_UI_VIEWS_LESSON_LESSON_H
#define LP_UI_VIEWS_LESSON_LESSON_H

#include "moment/view.h"

extern const LpView lp_lesson_view;

/* Lines of its text that do not fit below those shown; lines that it shows at a time. */
int lp_lesson_below(const LpUiState *ui);
int lp_lesson_lines(const LpUiState *ui);
/* Does the step's text stand beside its question, or answer, that is told now? */
bool lp_lesson_fits(const LpUiState *ui);

#endif
