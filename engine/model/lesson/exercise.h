/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exercise of a lesson: a policy to be written, what it is run on, and what it gets points for.
 * Plain data in the scenario's arena; all texts are untrusted. */
#ifndef LP_MODEL_LESSON_EXERCISE_H
#define LP_MODEL_LESSON_EXERCISE_H

#include "model/lesson/value.h"

enum { LP_LESSON_SEEDS = 32, LP_LESSON_TRIALS = 16, LP_LESSON_OWN = 16 };

/* A condition on a run, or on the policy itself. */
typedef struct LpLessonCondition {
    LpLessonSource source; /* LUA, RESULT, DOC or WORDS */
    const char *text;      /* DOC, WORDS: texts of which one is looked for, cut at '|' */
    double min, max;       /* of a result; -INFINITY and INFINITY: no bound */
    bool absent;           /* DOC, WORDS: none of them may stand there */
} LpLessonCondition;

/* What is told where a check fails, if its condition holds. */
typedef struct LpLessonReason {
    LpLessonCondition when; /* stands first, as in all that has one */
    const char *say;
    bool always; /* whatever the condition is */
} LpLessonReason;

/* Something that must hold at the end of a run. */
typedef struct LpLessonCheck {
    LpLessonCondition must; /* stands first */
    uint32_t run;           /* index of a trial; 0 where it asks the policy itself */
    uint32_t points;        /* >= 1 */
    const char *name;       /* what it asks for, in words; NULL: nothing is said */
    uint32_t reasons;       /* >= 1: the first that applies is told where it does not hold */
    const LpLessonReason *reason;
} LpLessonCheck;

/* A run of the exercise: once, or once for each of several seeds, of which results are means and
 * of which each must satisfy a Lua expression. */
typedef struct LpLessonTrial {
    LpLessonSetup run; /* stands first, as in all that has one; without a policy */
    const char *name;  /* NULL: the only one */
    bool hidden;       /* the task does not tell it */
    uint32_t seeds;
    const uint64_t *seed;
} LpLessonTrial;

/* A policy that is known to do well, or badly, at the exercise. */
typedef struct LpLessonSolution {
    const char *file;   /* beside the lesson, in solutions/ where it has no folder; or NULL: */
    const char *policy; /* one that comes with the program, or that a path leads to */
    uint32_t params;
    const char *const *param;
    bool has_points;
    uint32_t points;  /* that it gets */
    const char *says; /* what the reasons must hold; NULL: anything */
    int line, col;
} LpLessonSolution;

/* What differs from student to student: a seed, and one of each of several lists of overrides. */
typedef struct LpLessonOwn {
    uint64_t first, last; /* seeds */
    uint32_t lists;
    const struct LpLessonOwnList {
        uint32_t sets;
        const char *const *set;
    } * list;
} LpLessonOwn;

typedef struct LpLessonExercise {
    const char *task;
    uint32_t hints; /* told one by one */
    const char *const *hint;
    uint32_t trials; /* >= 1 */
    const LpLessonTrial *trial;
    uint32_t checks; /* >= 1 */
    const LpLessonCheck *check;
    uint32_t points, pass; /* of all checks; needed */
    const char *done;      /* told when it is passed */
    uint32_t passes, fails;
    const LpLessonSolution *passing, *failing;
    const LpLessonOwn *own; /* NULL: seeds 1 to 1000, and nothing else */
} LpLessonExercise;

/* What differs for the student of this id: a hash of it draws from `own`. *seed, and the index in
 * each list. The same on every machine. */
void lp_lesson_own(const LpLessonExercise *exercise, const char *id, uint64_t *seed,
                   uint32_t index[LP_LESSON_OWN]);

/* Does the text hold one of the words of a condition on DOC or WORDS (upper and lower case alike),
 * or none where they must be absent? */
bool lp_lesson_words_hold(const LpLessonCondition *condition, const char *text);

#endif
