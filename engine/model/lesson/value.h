/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that a lesson lets the program compute, and the runs that they are of. */
#ifndef LP_MODEL_LESSON_VALUE_H
#define LP_MODEL_LESSON_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* Where a value of a fact, a figure or a condition comes from. */
typedef enum LpLessonSource {
    LP_LESSON_LUA,    /* an expression about a moment of a run */
    LP_LESSON_RESULT, /* a value of `run --json`, such as summary.blocking_rate */
    LP_LESSON_CITED,  /* somebody else's text: nothing to compute */
    LP_LESSON_GIVEN,  /* a text that stands as it is */
    LP_LESSON_DOC,    /* what a policy says of itself, its `doc` */
    LP_LESSON_WORDS   /* the text of a policy */
} LpLessonSource;

/* A run of its own: the lesson's scenario, or another one, with something else. */
typedef struct LpLessonSetup {
    uint32_t sets; /* PATH=VALUE */
    const char *const *set;
    const char *policy; /* file or bare name; NULL: the scenario's */
    uint32_t params;    /* NAME=VALUE, of the policy */
    const char *const *param;
    const char *scenario; /* name or file; NULL: the lesson's */
    bool has_seed;
    uint64_t seed;
    int line, col;
} LpLessonSetup;

enum { LP_LESSON_RUNS = 64 /* seeds that one value is the mean of, at most */ };

/* A value that a figure shows. */
typedef struct LpLessonValue {
    LpLessonSetup run;     /* stands first, as in all that has one */
    LpLessonSource source; /* LUA, RESULT or GIVEN */
    const char *text;
    const char
        *at; /* moment of a Lua expression (session/moment/moment.h); NULL: the first decision */
    uint32_t runs;     /* seeds of which this is the mean, from the run's seed on; >= 1 */
    const char *unit;  /* what it is printed in; NULL: that of its axis, or none */
    uint32_t digits;   /* that count; 0: three */
    const char *shows; /* how it is printed, and what it has to be (lp_lesson_agrees); NULL: any */
    bool hidden;       /* until the question of the step is answered */
    int line, col;
} LpLessonValue;

#endif
