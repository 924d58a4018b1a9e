/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of lessons, and values of them: facts that texts show. */
#ifndef LP_MANY_STUDY_STUDY_LESSON_H
#define LP_MANY_STUDY_STUDY_LESSON_H

#include "many/study/lesson_known.h"
#include "model/lesson/lesson.h"
#include "session/session.h"

/* A run of the lesson's scenario with other settings, kept for the next question about it. */
typedef struct LpLessonRun {
    const char *scenario;      /* file of the lesson; borrowed, like the settings */
    const LpLessonSetup *base; /* what is open: the settings of a step */
    LpLessonSetup own;         /* settings over those of `base` */
    LpSession *session;        /* NULL: none yet */
    bool done;                 /* it is at its end */
    bool moved;                /* it is at `at`, and goes only forward */
    const char *at;            /* a moment in words; borrowed */
    LpBuf result;              /* what `run --json` prints then, once somebody has asked */
    LpLessonKnown *known;      /* what was worked out before, and is kept; NULL: nothing is */
} LpLessonRun;

void lp_lesson_run_fini(LpLessonRun *run);
/* Opens the lesson's scenario with the settings of a step (NULL: none) and others over them (NULL:
 * none), at its beginning, unless that is what is open. Policies are looked for beside the
 * scenario, in solutions/ there, and among those that came with the program. Errors: as of opening;
 * then nothing has changed. */
LpErr lp_lesson_run_open(LpLessonRun *run, const LpLessonSetup *base, const LpLessonSetup *own,
                         LpDiag *diag) LP_MUST_USE;
/* Would it open the same? */
bool lp_lesson_run_same(const LpLessonRun *run, const LpLessonSetup *base,
                        const LpLessonSetup *own);

/* Can it still be read at that moment (NULL: its first decision)? */
bool lp_lesson_run_reaches(const LpLessonRun *run, const char *at);

/* Works out a fact (not a cited one) and appends its value as Lua or JSON print it. `here` is the
 * session at the step, `base` the settings of the step's run (NULL: none); other runs are opened
 * from run->scenario. Errors: those of opening and running, LP_ESCRIPT for the expression,
 * LP_EINVAL for a result that there is not. */
LpErr lp_lesson_fact_value(const LpLessonFact *fact, const LpSession *here,
                           const LpLessonSetup *base, LpLessonRun *run, LpBuf *out,
                           LpDiag *diag) LP_MUST_USE;

/* Appends as Markdown, for whoever teaches: the policies that are known to pass the exercise, with
 * their sources where they belong to the lesson, and those that do not, with the reason that a
 * student reads. Errors: of reading them, at their place in the lesson. */
LpErr lp_lesson_solutions(const LpLessonExercise *exercise, const char *scenario, LpBuf *out,
                          LpDiag *diag) LP_MUST_USE;

#endif
