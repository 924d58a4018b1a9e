/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of a lesson's figure, worked out one by one, a little at a time. */
#ifndef LP_MANY_STUDY_LESSON_FILL_H
#define LP_MANY_STUDY_LESSON_FILL_H

#include "many/study/lesson_known.h"
#include "model/lesson/lesson.h"
#include "session/session.h"

typedef enum LpLessonFillState { LP_FILL_WAITS, LP_FILL_KNOWN, LP_FILL_FAILED } LpLessonFillState;

enum { LP_LESSON_SAMPLES = 97 /* of a formula, over the x axis */ };

/* One value, in the order of lp_lesson_figure_value. */
typedef struct LpLessonFilled {
    LpLessonFillState state;
    double number; /* in SI units; NAN: words */
    char *text;    /* as Lua or JSON print it, or why it failed; untrusted */
} LpLessonFilled;

typedef struct LpLessonFill LpLessonFill;

/* Begins with a step's figure, which must live as long. Its values are those of the lesson's own
 * run with their own settings, whatever run the step shows: one figure compares several. Nothing is
 * computed yet. What `known` (NULL: nothing) knows of the same file is not computed again, and what
 * is computed is kept there; it is borrowed. Errors: LP_ENOMEM. */
LpErr lp_lesson_fill_new(const char *scenario, const LpLessonFigure *figure, LpLessonKnown *known,
                         LpLessonFill **out, LpDiag *diag) LP_MUST_USE;
void lp_lesson_fill_free(LpLessonFill *fill); /* NULL allowed */
/* Does at most `steps` steps of a run, or one piece of other work. A value that cannot be worked
 * out has failed and says why. Errors: LP_ENOMEM. */
LpErr lp_lesson_fill_work(LpLessonFill *fill, uint32_t steps, LpDiag *diag) LP_MUST_USE;
bool lp_lesson_fill_done(const LpLessonFill *fill);
const LpLessonFigure *lp_lesson_fill_figure(const LpLessonFill *fill);
const LpLessonFilled *lp_lesson_fill_at(const LpLessonFill *fill, uint32_t index);
/* Ends of the x axis of a plot: as written, else of its points. */
void lp_lesson_fill_ends(const LpLessonFill *fill, double *from, double *to);
/* Heights of a formula at LP_LESSON_SAMPLES places, evenly over the axis, in its unit (NAN: none
 * there); NULL: not worked out yet, or no formula. */
const double *lp_lesson_fill_formula(const LpLessonFill *fill, uint32_t series);
/* A value as the figure shows it, "..." while it is worked out, "-" where it failed. Untrusted
 * texts are escaped. */
void lp_lesson_fill_text(const LpLessonFill *fill, uint32_t index, char *text, size_t size);
/* The figure as a table of Markdown, what is hidden as `?` where `hide` says so. */
void lp_lesson_fill_paper(const LpLessonFill *fill, bool hide, LpBuf *out);
/* Appends a line for each value that is not as it `shows`, or has failed; *computed and *wrong
 * count on. */
void lp_lesson_fill_verify(const LpLessonFill *fill, uint32_t *computed, uint32_t *wrong,
                           LpBuf *out);

#endif
