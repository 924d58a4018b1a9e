/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marking the exercise of a lesson: points for every check, with the reason where it fails. */
#ifndef LP_MANY_STUDY_LESSON_MARK_H
#define LP_MANY_STUDY_LESSON_MARK_H

#include "model/lesson/lesson.h"
#include "session/session.h"

/* What is marked. Texts are borrowed. */
typedef struct LpLessonAttempt {
    const char *scenario; /* file of the lesson */
    const char *policy;   /* the solution: a file or the name of a policy, or a network (.json) */
    uint32_t params;      /* NAME=VALUE, of the policy */
    const char *const *param;
    const char *id;        /* a student's own numbers (lp_lesson_own); NULL: those of the lesson */
    double seconds;        /* of computing, for all runs together; 0: no limit */
    size_t max_memory;     /* of a run; 0: 1 GiB */
    const LpDebugLog *log; /* as in LpSessionSpec */
} LpLessonAttempt;

/* How one check did. */
typedef struct LpLessonCheckMark {
    bool held;
    double value; /* of a result, the mean over its seeds; NAN: none */
    LpBuf says;   /* why it does not hold; untrusted texts are escaped */
} LpLessonCheckMark;

/* How a solution did. */
typedef struct LpLessonMark {
    const LpLessonExercise *exercise; /* the marks's own; NULL: it was not marked */
    const char *lesson;               /* name of its scenario, NULL: it has none */
    bool passed;
    uint32_t points;          /* of exercise->points */
    LpLessonCheckMark *check; /* exercise->checks of them */
    LpSession *session;       /* of the lesson, which keeps the exercise */
} LpLessonMark;

/* Runs the exercise of the lesson with the solution, every run to its end, and marks it. Where the
 * policy fails, or takes too long, while it runs, the checks of that run do not hold and say so.
 * Errors: the scenario's, LP_EINVAL where there is no exercise or the policy does not load. Free
 * the mark in any case. */
LpErr lp_lesson_mark(const LpLessonAttempt *attempt, LpLessonMark *mark, LpDiag *diag) LP_MUST_USE;
void lp_lesson_mark_fini(LpLessonMark *mark); /* zeroed or filled */

/* Appends lines for people: whether it is passed, then every check with its points and reason. */
void lp_lesson_mark_text(const LpLessonMark *mark, LpBuf *out);
/* Appends one JSON object with a newline, for programs that collect marks. */
void lp_lesson_mark_json(const LpLessonMark *mark, const LpLessonAttempt *attempt, LpBuf *out);

/* Appends what differs for the student of this id: "seed 417, generator.load=0.5". */
void lp_lesson_own_text(const LpLessonExercise *exercise, const char *id, LpBuf *out);

/* Marks a policy that is known to pass, or to fail, and appends a line; *right: it does as the
 * lesson says, with the points and the reason. Errors: as lp_lesson_mark, at its place in the
 * lesson. */
LpErr lp_lesson_mark_known(const LpLessonAttempt *attempt, const LpLessonSolution *solution,
                           bool passes, bool *right, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
