/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lesson tells at its present step, and how many rows of the screen that takes. */
#ifndef LP_UI_MOMENT_LESSON_TEXT_H
#define LP_UI_MOMENT_LESSON_TEXT_H

#include "moment/picture/model.h"

/* The step's text, its question or the answer, in the form that has room; out of memory shows in
 * the buffer. */
void lp_lesson_add_text(const LpUiState *ui, bool ascii, LpBuf *out);
/* Rows that it wants with its frame, at most LP_PANE_TOLD; 0: nothing is told. While a question is
 * open they hold whatever is said of a wrong choice, so that no answer moves the boards. O(letters
 * of the text). */
int lp_lesson_rows(const LpUiState *ui);
/* Columns and lines of the text in a pane of that size. */
LpRect lp_lesson_inside(LpRect pane);

/* Lines of its text that do not fit below those shown; lines that it shows at a time. */
int lp_lesson_below(const LpUiState *ui);
int lp_lesson_lines(const LpUiState *ui);
/* Does the step's text stand beside its question, or answer, that is told now? */
bool lp_lesson_fits(const LpUiState *ui);

#endif
