/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object "lesson" of a scenario. */
#include "io/lesson/lesson.h"

#include "io/lesson/parts.h"

enum { NUMBER_MOST = 1000 };

static LpErr read_steps(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLesson *lesson = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *lesson->step, 1, LP_LESSON_STEPS, lp_lesson_step, arena,
                          &list, &lesson->steps, diag));
    lesson->step = list;
    return LP_OK;
}

/* ---- the lessons that come before it ---- */

static LpErr read_need(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    uint64_t number;
    (void)arena;
    LP_TRY(lp_json_u64(value, 1, NUMBER_MOST, &number, diag));
    *(uint32_t *)one = (uint32_t)number;
    return LP_OK;
}

static LpErr read_needs(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLesson *lesson = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *lesson->need, 0, LP_LESSON_NEEDS, read_need, arena, &list,
                          &lesson->needs, diag));
    lesson->need = list;
    return LP_OK;
}

static const LpJsonShape need_shape = {.form = LP_FORM_NUMBER};
static const LpJsonShape *const of_needs[] = {&need_shape, NULL};
static const LpJsonShape needs_shape = {.form = LP_FORM_LIST, .of = of_needs};

static const LpJsonKey keys[] = {
    LP_COUNTED("number", LpLesson, number, 1, NUMBER_MOST),
    LP_COUNTED("order", LpLesson, order, 1, NUMBER_MOST),
    LP_LESSON_KEY("needs", read_needs, needs_shape),
    {LP_FIELD("minutes", LP_KEY_COUNT, LpLesson, minutes), .range = {.min = 1, .max = 600},
     .required = true},
    LP_LESSON_REQUIRED_TEXT("goal", LpLesson, goal),
    LP_LESSON_REQUIRED("steps", read_steps, lp_lesson_shape_steps),
    LP_LESSON_KEY("exercise", lp_lesson_exercise, lp_lesson_shape_exercise),
};

const LpJsonShape lp_shape_lesson = LP_OBJECT_SHAPE(keys);

LpErr lp_lesson_read(LpJsonValue value, LpArena *arena, const LpLesson **out, LpDiag *diag) {
    LpLesson *lesson = lp_arena_alloc(arena, 1, sizeof *lesson);
    if (lesson == NULL)
        return lp_fail_memory(diag, "a lesson");
    *lesson = (LpLesson){0};
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), lesson, arena, arena, diag));
    if (lesson->order == 0)
        lesson->order = lesson->number;
    *out = lesson;
    return LP_OK;
}
