/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exercise of a lesson, and what must hold of its run. */
#include <math.h>

#include "io/lesson/parts.h"

LP_LESSON_PARAGRAPHS(LpLessonExercise, task)
LP_LESSON_PARAGRAPHS(LpLessonExercise, hint)
LP_LESSON_PARAGRAPHS(LpLessonExercise, done)

static LpErr read_lua(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonCheck *check = target;
    check->source = LP_LESSON_LUA;
    return lp_lesson_text(value, &check->text, context, diag);
}

static LpErr read_result(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonCheck *check = target;
    check->source = LP_LESSON_RESULT;
    return lp_lesson_text(value, &check->text, context, diag);
}

static const LpJsonKey check_keys[] = {
    LP_LESSON_KEY("lua", read_lua, lp_lesson_shape_text),
    LP_LESSON_KEY("result", read_result, lp_lesson_shape_text),
    LP_QUANTITY("min", LpLessonCheck, min, .min = -1e300),
    LP_QUANTITY("max", LpLessonCheck, max, .min = -1e300),
    LP_LESSON_REQUIRED_TEXT("else", LpLessonCheck, otherwise),
};
static const LpJsonShape check_shape = LP_OBJECT_SHAPE(check_keys);
static const LpJsonShape *const of_checks[] = {&check_shape, NULL};
static const LpJsonShape checks_shape = {.form = LP_FORM_LIST, .of = of_checks};

static LpErr read_check(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    static const char *const sources[] = {"lua", "result"};
    LpLessonCheck *check = one;
    *check = (LpLessonCheck){.min = -HUGE_VAL, .max = HUGE_VAL};
    LP_TRY(lp_json_read(value, check_keys, LP_COUNTOF(check_keys), check, arena, arena, diag));
    LP_TRY(lp_lesson_one_of(value, sources, LP_COUNTOF(sources), diag));
    bool bounded = isfinite(check->min) || isfinite(check->max);
    if (bounded != (check->source == LP_LESSON_RESULT))
        return lp_json_fail(value, diag, LP_EINVAL,
                            bounded ? "a Lua expression is true or not: expected no \"min\" and no "
                                      "\"max\""
                                    : "a result is compared: expected \"min\", \"max\" or both");
    return LP_OK;
}

static LpErr read_checks(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *exercise->check, 1, LP_LESSON_LIST_MOST, read_check,
                          context, &list, &exercise->checks, diag));
    exercise->check = list;
    return LP_OK;
}

static LpErr read_set(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    return lp_lesson_sets(value, context, &exercise->set, &exercise->sets, diag);
}

static const LpJsonKey keys[] = {
    LP_LESSON_REQUIRED("task", read_LpLessonExercise_task, lp_lesson_shape_paragraphs),
    LP_LESSON_KEY("hint", read_LpLessonExercise_hint, lp_lesson_shape_paragraphs),
    LP_LESSON_KEY("set", read_set, lp_lesson_shape_texts),
    LP_LESSON_REQUIRED("checks", read_checks, checks_shape),
    LP_LESSON_REQUIRED("done", read_LpLessonExercise_done, lp_lesson_shape_paragraphs),
};
const LpJsonShape lp_lesson_shape_exercise = LP_OBJECT_SHAPE(keys);

LpErr lp_lesson_exercise(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLesson *lesson = target;
    LpLessonExercise *exercise = lp_arena_alloc(arena, 1, sizeof *exercise);
    if (exercise == NULL)
        return lp_fail_memory(diag, "a lesson");
    *exercise = (LpLessonExercise){0};
    lesson->exercise = exercise;
    return lp_json_read(value, keys, LP_COUNTOF(keys), exercise, arena, arena, diag);
}
