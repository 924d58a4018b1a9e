/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a lesson's runs that were worked out before: figures, facts and steps ask for the same
 * ones again and again, and each may be a run of 20 000 jobs. */
#ifndef LP_MANY_STUDY_LESSON_KNOWN_H
#define LP_MANY_STUDY_LESSON_KNOWN_H

#include "base/str.h"
#include "model/lesson/value.h"

/* Starts as zeros. Of one lesson's file, whose runs give the same whenever they are run. */
typedef struct LpLessonKnown {
    struct LpLessonKept *kept;
    uint32_t count, room;
} LpLessonKnown;

/* What is asked, of which run. Two settings that amount to the same give the same. */
typedef struct LpLessonAsk {
    const LpLessonSetup *base, *own; /* as of lp_lesson_run_open; NULL: none */
    LpLessonSource source;
    const char *text, *at; /* as of a fact; at NULL: none */
} LpLessonAsk;

/* The value, as it was printed; NULL: not known. Good until the next one is kept. */
const char *lp_lesson_known(const LpLessonKnown *known, const LpLessonAsk *ask);
/* Keeps one. Errors: LP_ENOMEM; then nothing is kept. */
LpErr lp_lesson_keep(LpLessonKnown *known, const LpLessonAsk *ask, const char *value,
                     LpDiag *diag) LP_MUST_USE;
void lp_lesson_forget(LpLessonKnown *known);

#endif
