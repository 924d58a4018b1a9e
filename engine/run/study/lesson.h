/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons put to work: their numbers are computed again, and exercises marked. */
#ifndef LP_RUN_STUDY_LESSON_H
#define LP_RUN_STUDY_LESSON_H

#include "model/lesson.h"
#include "run/session/session.h"

/* A run of the lesson's scenario with other settings, kept for the next question about it. */
typedef struct LpLessonRun {
    const char *scenario; /* file; borrowed, like the sets */
    uint32_t sets;
    const char *const *set;
    LpSession *session; /* NULL: none yet */
    LpBuf result;       /* what `run --json` prints, once the session is at its end */
} LpLessonRun;

void lp_lesson_run_fini(LpLessonRun *run);

/* Works out a fact (not a cited one) and appends its value as Lua or JSON print it. `here` is the
 * session at the step; other runs are opened from run->scenario. Errors: those of opening and
 * running, LP_ESCRIPT for the expression, LP_EINVAL for a result that there is not. */
LpErr lp_lesson_fact_value(const LpLessonFact *fact, const LpSession *here, LpLessonRun *run,
                           LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* How a solution did. */
typedef struct LpLessonMark {
    bool passed;
    uint32_t held, checks; /* conditions that hold, of how many */
    LpBuf reason;          /* what to tell; untrusted texts are escaped */
} LpLessonMark;

/* Runs the exercise of the lesson in `scenario` with the policy in `path`, or the network where it
 * ends in ".json", to its end and marks it: every condition in their order until one does not hold.
 * A policy that fails while it runs is marked as not passed, with its error. Errors: the
 * scenario's, LP_EINVAL where there is no exercise or the policy does not load. Free mark->reason
 * in any case. */
LpErr lp_lesson_mark(const char *scenario, const char *path, LpLessonMark *mark,
                     LpDiag *diag) LP_MUST_USE;

#endif
