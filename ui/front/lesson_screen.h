/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a student sees of a lesson's step, beside what the lesson itself says: is every number of
 * the text there, and is the answer of an open question not? */
#ifndef LP_UI_FRONT_LESSON_SCREEN_H
#define LP_UI_FRONT_LESSON_SCREEN_H

#include "app/app.h"
#include "many/study/lesson_fill.h"

/* Appends the screens of the step that is shown, at the sizes that lessons are made for, without
 * the lesson's pane and the line above the boards, which repeats its question. The screen has the
 * size that it had. Errors: those of drawing. */
LpErr lp_lesson_screens(LpApp *app, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Appends what the facts and the figure of a step show, as they are told. `fill` may be NULL. */
void lp_lesson_told(const LpLessonStep *step, const LpLessonFill *fill, LpBuf *out);
/* Is every number of the text (NULL: none) in `seen`, with the digits that it has there, in any
 * unit? False with the first that is not, and the word that follows it. */
bool lp_lesson_all_seen(const char *text, const char *seen, char *number, size_t size);
/* Is the number of the right answer in `seen`? True with it. A number that has neither a unit nor
 * a decimal point is one of many, and no number is none: then it is not. */
bool lp_lesson_answer_seen(const LpLessonQuestion *question, const char *seen, char *number,
                           size_t size);

#endif
