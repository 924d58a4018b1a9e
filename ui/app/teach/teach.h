/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons, the tour, and presenting them. */
#ifndef LP_UI_APP_TEACH_H
#define LP_UI_APP_TEACH_H

#include "app/state/state.h"

/* ---- app/teach/stage.c: the screen of a step ---- */

/* Stages the present step of the lesson anew: its run from the first decision on, its commands and
 * marks, and what its answer shows where it is known. Errors: of its run and its commands, at their
 * place in the lesson. */
LpErr lp_app_stage_step(LpApp *app, int64_t now, LpDiag *diag) LP_MUST_USE;

/* ---- app/teach/teach_lesson.c: what is told beside the run ---- */

/* Begins the lesson of a scenario that has one. */
void lp_app_lesson_open(LpApp *app);
/* To a step, from 0, with the state that it speaks about. Errors: those of staging it. */
LpErr lp_app_lesson_go(LpApp *app, uint32_t step, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Goes on in the lesson, or back: text, question and answer of each step in turn. */
LpErr lp_app_lesson_turn(LpApp *app, bool on, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Answers the step's question (0: the first choice); a wrong answer shows what speaks against it.
 */
LpErr lp_app_lesson_choose(LpApp *app, int choice, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Shows the answer. */
LpErr lp_app_lesson_answer(LpApp *app, int64_t now, LpDiag *diag) LP_MUST_USE;
/* "", "next", "back", "3", "b", "answer", "exercise", "hint", "off". */
LpErr lp_app_lesson(LpApp *app, const char *word, int64_t now, LpDiag *diag) LP_MUST_USE;
/* The commands, and the words that may follow them. */
LpErr lp_app_run_lesson(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_lesson(LpBuf *out);
/* Ends the tour, where it is on. */
void lp_app_leave_tour(LpApp *app);

/* ---- app/teach/exercise.c ---- */

/* What is left until the lesson counts as done, "step 2 is not read; steps 3 and 5 are not
 * answered", added to out. False: nothing. */
bool lp_app_lesson_left(const LpApp *app, LpBuf *out);
/* The page of the exercise. LP_ESTATE where there is none. */
LpErr lp_app_tell_exercise(LpApp *app, LpDiag *diag) LP_MUST_USE;
/* The page of the exercise with one more hint. LP_ESTATE where there is none. */
LpErr lp_app_tell_hint(LpApp *app, LpDiag *diag) LP_MUST_USE;
/* Opens the lesson that comes after this one. LP_ESTATE where it is the last one, or nothing can be
 * opened. */
LpErr lp_app_next_lesson(LpApp *app, LpDiag *diag) LP_MUST_USE;

/* ---- app/teach/present.c: presenting, and the keys of a lesson ---- */

LpErr lp_app_run_present(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_present(LpBuf *out);
/* False when the key is none of the presenter's now. */
bool lp_app_presenter_key(LpApp *app, LpKey key, int64_t now);

/* ---- app/teach/tour.c: seven stops in the real program ---- */

/* To a stop, from 0. Elsewhere than in the default scenario that one is opened. LP_EINVAL when
 * there is none, LP_ESTATE where nothing can be opened. */
LpErr lp_app_tour(LpApp *app, uint32_t stop, int64_t now, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_run_tour(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;

#endif
