/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "exercise" of a lesson: the task, its runs, what must hold, and who is known to pass and fail. */
#include <math.h>
#include <string.h>

#include "io/lesson/parts.h"

/* ---- conditions ---- */

static LpErr read_asked(LpJsonValue value, LpLessonSource source, LpArena *arena,
                        LpLessonCondition *condition, LpDiag *diag) {
    condition->source = source;
    return lp_lesson_text(value, &condition->text, arena, diag);
}

static LpErr read_lua(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_asked(value, LP_LESSON_LUA, context, target, diag);
}

static LpErr read_result(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_asked(value, LP_LESSON_RESULT, context, target, diag);
}

static LpErr read_doc(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_asked(value, LP_LESSON_DOC, context, target, diag);
}

static LpErr read_source(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_asked(value, LP_LESSON_WORDS, context, target, diag);
}

static const char *const sources[] = {"lua", "result", "doc", "source"};

/* Keys of a structure whose first field is a condition. */
#define CONDITION_KEYS                                                                             \
    LP_LESSON_KEY("lua", read_lua, lp_lesson_shape_text),                                          \
        LP_LESSON_KEY("result", read_result, lp_lesson_shape_text),                                \
        LP_LESSON_KEY("doc", read_doc, lp_lesson_shape_text),                                      \
        LP_LESSON_KEY("source", read_source, lp_lesson_shape_text),                                \
        LP_QUANTITY("min", LpLessonCondition, min, .min = -1e300),                                 \
        LP_QUANTITY("max", LpLessonCondition, max, .min = -1e300), {                               \
        LP_FIELD("absent", LP_KEY_FLAG, LpLessonCondition, absent)                                 \
    }

static const LpLessonCondition no_condition = {.min = -HUGE_VAL, .max = HUGE_VAL};

static LpErr check_condition(LpJsonValue object, const LpLessonCondition *c, LpDiag *diag) {
    bool bounded = isfinite(c->min) || isfinite(c->max);
    LP_TRY(lp_lesson_one_of(object, sources, LP_COUNTOF(sources), diag));
    if (bounded && c->source == LP_LESSON_LUA)
        return lp_json_fail(object, diag, LP_EINVAL,
                            "a Lua expression is true or not: expected no \"min\" and no \"max\"");
    if (bounded != (c->source == LP_LESSON_RESULT))
        return lp_json_fail(object, diag, LP_EINVAL,
                            bounded ? "a text has no bounds: expected no \"min\" and no \"max\""
                                    : "a result is compared: expected \"min\", \"max\" or both");
    if (c->min > c->max)
        return lp_json_fail(object, diag, LP_EINVAL,
                            "\"min\" is above \"max\", expected the other way round");
    if (c->absent && c->source != LP_LESSON_DOC && c->source != LP_LESSON_WORDS)
        return lp_json_fail_key(lp_json_member(object, "absent"), diag, LP_EINVAL,
                                "\"absent\" is about words: expected it beside \"doc\" or "
                                "\"source\"");
    return LP_OK;
}

/* ---- why it does not hold ---- */

static const LpJsonKey reason_keys[] = {CONDITION_KEYS,
                                        LP_LESSON_REQUIRED_TEXT("say", LpLessonReason, say)};

static LpErr read_reason(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonReason *reason = one;
    *reason = (LpLessonReason){.when = no_condition};
    reason->always = lp_json_kind(value) == LP_JSON_TEXT;
    if (reason->always)
        return lp_lesson_text(value, &reason->say, arena, diag);
    LP_TRY(lp_json_read(value, reason_keys, LP_COUNTOF(reason_keys), reason, arena, arena, diag));
    return check_condition(value, &reason->when, diag);
}

/* The last one applies always, so that there is one to be told. */
static LpErr read_reasons(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonCheck *check = target;
    LpArena *arena = context;
    void *list;
    if (check->reasons > 0)
        return lp_json_fail_key(value, diag, LP_EINVAL,
                                "\"else\" and \"otherwise\" say the same: expected one of them");
    if (lp_json_kind(value) != LP_JSON_LIST) {
        LpLessonReason *only = lp_arena_alloc(arena, 1, sizeof *only);
        if (only == NULL)
            return lp_fail_memory(diag, "a lesson");
        check->reason = only;
        check->reasons = 1;
        *only = (LpLessonReason){.always = true, .when = no_condition};
        return lp_lesson_text(value, &only->say, arena, diag);
    }
    LP_TRY(lp_lesson_list(value, sizeof *check->reason, 1, LP_LESSON_LIST_MOST, read_reason, arena,
                          &list, &check->reasons, diag));
    check->reason = list;
    if (!check->reason[check->reasons - 1].always)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "the last reason has a condition, expected a text that always applies");
    return LP_OK;
}

static const LpJsonShape reason_shape = LP_OBJECT_SHAPE(reason_keys);
static const LpJsonShape *const text_or_reason[] = {&lp_lesson_shape_text, &reason_shape, NULL};
static const LpJsonShape one_reason_shape = {.form = LP_FORM_ONE_OF, .of = text_or_reason};
static const LpJsonShape *const of_reason[] = {&one_reason_shape, NULL};
static const LpJsonShape reason_list_shape = {.form = LP_FORM_LIST, .of = of_reason};
static const LpJsonShape *const text_or_reasons[] = {&lp_lesson_shape_text, &reason_list_shape,
                                                     NULL};
static const LpJsonShape reasons_shape = {.form = LP_FORM_ONE_OF, .of = text_or_reasons};

/* ---- checks ---- */

static const LpJsonKey check_keys[] = {
    CONDITION_KEYS,
    {.name = "run", .type = LP_KEY_SKIP, .shape = &lp_lesson_shape_text},
    LP_COUNTED("points", LpLessonCheck, points, 1, 1000),
    {LP_FIELD("name", LP_KEY_TEXT, LpLessonCheck, name)},
    LP_LESSON_KEY("else", read_reasons, reasons_shape),
    LP_LESSON_KEY("otherwise", read_reasons, reasons_shape),
};

static LpErr read_check(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonCheck *check = one;
    *check = (LpLessonCheck){.must = no_condition, .points = 1};
    LP_TRY(lp_json_read(value, check_keys, LP_COUNTOF(check_keys), check, arena, arena, diag));
    if (check->reasons == 0)
        return lp_json_fail(value, diag, LP_EINVAL, "the key \"otherwise\" is missing here");
    return check_condition(value, &check->must, diag);
}

/* The run that a check is about, by its name. */
static LpErr find_run(LpJsonValue value, const LpLessonExercise *exercise, LpLessonCheck *check,
                      LpDiag *diag) {
    LpJsonValue run = lp_json_member(value, "run");
    char shown[80];
    if (run.item == NULL)
        return LP_OK;
    LP_TRY(lp_json_expect(run, LP_JSON_TEXT, diag));
    for (uint32_t i = 0; i < exercise->trials; i++)
        if (exercise->trial[i].name != NULL &&
            strcmp(exercise->trial[i].name, lp_json_text(run)) == 0) {
            check->run = i;
            return LP_OK;
        }
    return lp_json_fail(run, diag, LP_EINVAL, "there is no run \"%s\": expected a name of \"runs\"",
                        lp_str_show(shown, sizeof shown, lp_json_text(run)));
}

static LpErr read_checks(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    LpLessonCheck *check;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *check, 1, LP_LESSON_LIST_MOST, read_check, context, &list,
                          &exercise->checks, diag));
    exercise->check = check = list;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(find_run(v, exercise, check, diag));
        exercise->points += check++->points;
    }
    return LP_OK;
}

static const LpJsonShape check_shape = LP_OBJECT_SHAPE(check_keys);
static const LpJsonShape *const of_check[] = {&check_shape, NULL};
static const LpJsonShape checks_shape = {.form = LP_FORM_LIST, .of = of_check};

/* ---- runs ---- */

static LpErr read_one_seed(LpJsonValue value, void *one, LpArena *arena LP_UNUSED, LpDiag *diag) {
    return lp_json_u64(value, 0, UINT64_MAX, one, diag);
}

static LpErr read_seeds(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonTrial *trial = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *trial->seed, 1, LP_LESSON_SEEDS, read_one_seed, context,
                          &list, &trial->seeds, diag));
    trial->seed = list;
    return LP_OK;
}

static const LpJsonShape *const of_seed[] = {&lp_lesson_shape_number, NULL};
static const LpJsonShape seeds_shape = {.form = LP_FORM_LIST, .of = of_seed};
static const LpJsonKey trial_keys[] = {
    LP_LESSON_REQUIRED_TEXT("name", LpLessonTrial, name),
    LP_LESSON_KEY("set", lp_lesson_run_set, lp_lesson_shape_texts),
    LP_LESSON_KEY("seed", lp_lesson_run_seed, lp_lesson_shape_number),
    LP_LESSON_KEY("seeds", read_seeds, seeds_shape),
    {LP_FIELD("hidden", LP_KEY_FLAG, LpLessonTrial, hidden)},
};

static LpErr read_trial(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonTrial *trial = one;
    *trial = (LpLessonTrial){0};
    LP_TRY(lp_json_read(value, trial_keys, LP_COUNTOF(trial_keys), trial, arena, arena, diag));
    if (trial->run.has_seed && trial->seeds > 0)
        return lp_json_fail_key(lp_json_member(value, "seeds"), diag, LP_EINVAL,
                                "\"seed\" and \"seeds\" say the same: expected one of them");
    return LP_OK;
}

static LpErr read_runs(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    void *list;
    char shown[80];
    LP_TRY(lp_lesson_list(value, sizeof *exercise->trial, 1, LP_LESSON_TRIALS, read_trial, context,
                          &list, &exercise->trials, diag));
    exercise->trial = list;
    for (uint32_t i = 0; i < exercise->trials; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(exercise->trial[i].name, exercise->trial[k].name) == 0)
                return lp_json_fail(value, diag, LP_EINVAL,
                                    "two runs are called \"%s\", expected different names",
                                    lp_str_show(shown, sizeof shown, exercise->trial[i].name));
    return LP_OK;
}

static const LpJsonShape trial_shape = LP_OBJECT_SHAPE(trial_keys);
static const LpJsonShape *const of_trial[] = {&trial_shape, NULL};
static const LpJsonShape trials_shape = {.form = LP_FORM_LIST, .of = of_trial};

/* The only run, where none are named: of the overrides of the exercise itself. */
static LpErr read_only_run(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    LpArena *arena = context;
    LpLessonTrial *trial = lp_arena_alloc(arena, 1, sizeof *trial);
    if (trial == NULL)
        return lp_fail_memory(diag, "a lesson");
    *trial = (LpLessonTrial){0};
    if (exercise->trials > 0)
        return lp_json_fail_key(value, diag, LP_EINVAL,
                                "the exercise has \"runs\": expected \"set\" in each of them");
    exercise->trial = trial;
    exercise->trials = 1;
    return lp_lesson_run_set(value, trial, arena, diag);
}

/* ---- known solutions ---- */

static LpErr read_points(LpJsonValue value, void *target, void *context LP_UNUSED, LpDiag *diag) {
    LpLessonSolution *solution = target;
    uint64_t points = 0;
    LP_TRY(lp_json_u64(value, 0, 100000, &points, diag));
    solution->has_points = true;
    solution->points = (uint32_t)points;
    return LP_OK;
}

static LpErr read_own_params(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonSolution *solution = target;
    return lp_lesson_sets(value, context, &solution->param, &solution->params, diag);
}

static const LpJsonKey solution_keys[] = {
    {LP_FIELD("file", LP_KEY_TEXT, LpLessonSolution, file)},
    {LP_FIELD("policy", LP_KEY_TEXT, LpLessonSolution, policy)},
    LP_LESSON_KEY("params", read_own_params, lp_lesson_shape_texts),
    LP_LESSON_KEY("points", read_points, lp_lesson_shape_number),
    {LP_FIELD("says", LP_KEY_TEXT, LpLessonSolution, says)},
};

static LpErr read_solution(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonSolution *solution = one;
    *solution = (LpLessonSolution){0};
    lp_json_place(value, &solution->line, &solution->col);
    LP_TRY(lp_json_read(value, solution_keys, LP_COUNTOF(solution_keys), solution, arena, arena,
                        diag));
    const char *path = solution->file != NULL ? solution->file : solution->policy;
    if ((solution->file != NULL) == (solution->policy != NULL) || path[0] == '\0')
        return lp_json_fail(value, diag, LP_EINVAL,
                            "expected \"file\", a policy beside the lesson, or \"policy\", one "
                            "that comes with the program");
    return LP_OK;
}

static LpErr read_passes(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *exercise->passing, 0, LP_LESSON_LIST_MOST, read_solution,
                          context, &list, &exercise->passes, diag));
    exercise->passing = list;
    return LP_OK;
}

static LpErr read_fails(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *exercise->failing, 0, LP_LESSON_LIST_MOST, read_solution,
                          context, &list, &exercise->fails, diag));
    exercise->failing = list;
    return LP_OK;
}

static const LpJsonShape solution_shape = LP_OBJECT_SHAPE(solution_keys);
static const LpJsonShape *const of_solution[] = {&solution_shape, NULL};
static const LpJsonShape solutions_shape = {.form = LP_FORM_LIST, .of = of_solution};

/* ---- what differs from student to student ---- */

static LpErr read_own_list(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    struct LpLessonOwnList *list = one;
    void *sets;
    LP_TRY(lp_lesson_list(value, sizeof *list->set, 1, LP_LESSON_LIST_MOST, lp_lesson_text, arena,
                          &sets, &list->sets, diag));
    list->set = sets;
    return LP_OK;
}

static LpErr read_own_lists(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonOwn *own = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *own->list, 0, LP_LESSON_OWN, read_own_list, context, &list,
                          &own->lists, diag));
    own->list = list;
    return LP_OK;
}

static LpErr read_range(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonOwn *own = target;
    void *list;
    uint32_t count;
    LP_TRY(
        lp_lesson_list(value, sizeof(uint64_t), 2, 2, read_one_seed, context, &list, &count, diag));
    own->first = ((uint64_t *)list)[0];
    own->last = ((uint64_t *)list)[1];
    if (own->last < own->first)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "the first seed is above the last, expected the other way round");
    return LP_OK;
}

static const LpJsonShape *const of_sets[] = {&lp_lesson_shape_texts, NULL};
static const LpJsonShape own_lists_shape = {.form = LP_FORM_LIST, .of = of_sets};
static const LpJsonKey own_keys[] = {
    LP_LESSON_KEY("seeds", read_range, seeds_shape),
    LP_LESSON_KEY("set", read_own_lists, own_lists_shape),
};

static LpErr read_own(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    LpArena *arena = context;
    LpLessonOwn *own = lp_arena_alloc(arena, 1, sizeof *own);
    if (own == NULL)
        return lp_fail_memory(diag, "a lesson");
    *own = (LpLessonOwn){.first = 1, .last = 1000};
    exercise->own = own;
    return lp_json_read(value, own_keys, LP_COUNTOF(own_keys), own, arena, arena, diag);
}

static const LpJsonShape own_shape = LP_OBJECT_SHAPE(own_keys);

/* ---- the exercise ---- */

static LpErr read_task(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return lp_lesson_paragraphs(value, context, &((LpLessonExercise *)target)->task, diag);
}

static LpErr read_done(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return lp_lesson_paragraphs(value, context, &((LpLessonExercise *)target)->done, diag);
}

static LpErr read_hints(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    if (exercise->hints > 0)
        return lp_json_fail_key(value, diag, LP_EINVAL,
                                "\"hint\" and \"hints\" say the same: expected one of them");
    return lp_lesson_sets(value, context, &exercise->hint, &exercise->hints, diag);
}

/* One hint, of paragraphs. */
static LpErr read_hint(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    LpArena *arena = context;
    const char **hint = lp_arena_alloc(arena, 1, sizeof *hint);
    if (hint == NULL)
        return lp_fail_memory(diag, "a lesson");
    exercise->hint = hint;
    exercise->hints = 1;
    return lp_lesson_paragraphs(value, arena, hint, diag);
}

static const LpJsonKey exercise_keys[] = {
    LP_LESSON_REQUIRED("task", read_task, lp_lesson_shape_paragraphs),
    LP_LESSON_KEY("hint", read_hint, lp_lesson_shape_paragraphs),
    LP_LESSON_KEY("hints", read_hints, lp_lesson_shape_texts),
    LP_LESSON_KEY("runs", read_runs, trials_shape),
    LP_LESSON_KEY("set", read_only_run, lp_lesson_shape_texts),
    LP_LESSON_REQUIRED("checks", read_checks, checks_shape),
    LP_COUNTED("pass", LpLessonExercise, pass, 1, 100000),
    LP_LESSON_REQUIRED("done", read_done, lp_lesson_shape_paragraphs),
    LP_LESSON_KEY("passes", read_passes, solutions_shape),
    LP_LESSON_KEY("fails", read_fails, solutions_shape),
    LP_LESSON_KEY("own", read_own, own_shape),
};

const LpJsonShape lp_lesson_shape_exercise = LP_OBJECT_SHAPE(exercise_keys);

static LpErr finish(LpJsonValue value, LpLessonExercise *exercise, LpDiag *diag) {
    static const LpLessonTrial as_it_is = {0};
    if (exercise->trials == 0) {
        exercise->trial = &as_it_is;
        exercise->trials = 1;
    }
    if (exercise->pass > exercise->points)
        return lp_json_fail(lp_json_member(value, "pass"), diag, LP_EINVAL,
                            "\"pass\" is %u, but there are only %u points",
                            (unsigned)exercise->pass, (unsigned)exercise->points);
    if (exercise->pass == 0)
        exercise->pass = exercise->points;
    return LP_OK;
}

LpErr lp_lesson_exercise(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpArena *arena = context;
    LpLesson *lesson = target;
    LpLessonExercise *exercise = lp_arena_alloc(arena, 1, sizeof *exercise);
    if (exercise == NULL)
        return lp_fail_memory(diag, "a lesson");
    *exercise = (LpLessonExercise){0};
    LP_TRY(lp_json_read(value, exercise_keys, LP_COUNTOF(exercise_keys), exercise, arena, arena,
                        diag));
    LP_TRY(finish(value, exercise, diag));
    lesson->exercise = exercise;
    return LP_OK;
}
