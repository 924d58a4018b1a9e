/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "lesson": what is told step by step, questions, facts, and the exercise. */
#include <math.h>
#include <string.h>

#include "io/scenario/loader.h"
#include "model/lesson.h"

/* A list of objects, each read by its own function. */
typedef LpErr ReadOne(LpJsonValue value, void *one, LpLoader *loader, LpDiag *diag);

static LpErr read_list(LpJsonValue value, size_t size, size_t least, size_t most, ReadOne *read,
                       LpLoader *loader, void **out, uint32_t *count, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t entries = lp_json_count(value), i = 0;
    if (entries < least || entries > most)
        return lp_json_fail(value, diag, LP_EINVAL, "\"%s\" has %zu entries, expected %zu to %zu",
                            lp_json_key(value), entries, least, most);
    char *list = lp_arena_alloc(loader->scenario->arena, entries + 1, size);
    if (list == NULL)
        return lp_fail_memory(diag, "a lesson");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read(v, list + size * i++, loader, diag));
    *out = list;
    *count = (uint32_t)entries;
    return LP_OK;
}

enum { LIST_MOST = 256 };

/* ---- texts ---- */

static LpErr keep_text(const LpBuf *text, LpLoader *loader, const char **out, LpDiag *diag) {
    LP_TRY(lp_buf_ok(text, diag));
    *out = lp_arena_strdup(loader->scenario->arena, lp_buf_text(text));
    return *out != NULL ? LP_OK : lp_fail_memory(diag, "a lesson");
}

static LpErr read_text(LpJsonValue value, void *one, LpLoader *loader, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    if (lp_json_text(value)[0] == '\0')
        return lp_json_fail(value, diag, LP_EINVAL, "the text is empty, expected some words");
    *(const char **)one = lp_arena_strdup(loader->scenario->arena, lp_json_text(value));
    return *(const char **)one != NULL ? LP_OK : lp_fail_memory(diag, "a lesson");
}

/* A text, or a list of texts: paragraphs. */
static LpErr read_paragraphs(LpJsonValue value, LpLoader *loader, const char **out, LpDiag *diag) {
    LpBuf text = {0};
    LpErr err = LP_OK;
    if (lp_json_kind(value) != LP_JSON_LIST)
        return read_text(value, out, loader, diag);
    for (LpJsonValue v = lp_json_first(value); v.item != NULL && err == LP_OK;
         v = lp_json_next(v)) {
        const char *line = "";
        err = read_text(v, &line, loader, diag);
        if (err == LP_OK)
            lp_buf_addf(&text, "%s%s", text.len > 0 ? "\n" : "", line);
    }
    if (err == LP_OK && lp_json_count(value) == 0)
        err = lp_json_fail(value, diag, LP_EINVAL, "the list is empty, expected paragraphs");
    if (err == LP_OK)
        err = keep_text(&text, loader, out, diag);
    lp_buf_fini(&text);
    return err;
}

#define PARAGRAPHS(structure, field)                                                               \
    static LpErr read_##structure##_##field(LpJsonValue value, void *target, void *context,        \
                                            LpDiag *diag) {                                        \
        return read_paragraphs(value, context, &((structure *)target)->field, diag);               \
    }
PARAGRAPHS(LpLessonStep, text)
PARAGRAPHS(LpLessonQuestion, reveal)
PARAGRAPHS(LpLessonExercise, task)
PARAGRAPHS(LpLessonExercise, hint)
PARAGRAPHS(LpLessonExercise, done)

#define REQUIRED(key, reader)                                                                      \
    { .name = key, .type = LP_KEY_CUSTOM, .read = reader, .required = true }
#define REQUIRED_TEXT(key, structure, field)                                                       \
    { LP_FIELD(key, LP_KEY_TEXT, structure, field), .required = true }

static LpErr read_sets(LpJsonValue value, LpLoader *loader, const char *const **out,
                       uint32_t *count, LpDiag *diag) {
    void *list;
    LP_TRY(read_list(value, sizeof(char *), 0, LIST_MOST, read_text, loader, &list, count, diag));
    *out = list;
    return LP_OK;
}

/* Exactly one of the keys stands in the object. */
static LpErr check_one_of(LpJsonValue object, const char *const *names, size_t count,
                          LpDiag *diag) {
    size_t found = 0;
    LpBuf list = {0};
    for (size_t i = 0; i < count; i++) {
        found += lp_json_member(object, names[i]).item != NULL;
        lp_buf_addf(&list, "%s\"%s\"", i == 0 ? "" : i + 1 < count ? ", " : " or ", names[i]);
    }
    if (found != 1)
        lp_json_fail(object, diag, LP_EINVAL, "%s, expected one of %s",
                     found == 0 ? "it does not say where the value is from"
                                : "it says more than once where the value is from",
                     lp_buf_text(&list));
    lp_buf_fini(&list);
    return found == 1 ? LP_OK : LP_EINVAL;
}

/* ---- facts ---- */

static LpErr read_source(LpJsonValue value, LpLessonSource source, LpLoader *loader,
                         LpLessonFact *fact, LpDiag *diag) {
    fact->source = source;
    return read_text(value, &fact->text, loader, diag);
}

static LpErr read_fact_lua(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_source(value, LP_LESSON_LUA, context, target, diag);
}

static LpErr read_fact_result(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_source(value, LP_LESSON_RESULT, context, target, diag);
}

static LpErr read_fact_cited(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_source(value, LP_LESSON_CITED, context, target, diag);
}

static LpErr read_fact_set(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonFact *fact = target;
    return read_sets(value, context, &fact->set, &fact->sets, diag);
}

static LpErr read_fact(LpJsonValue value, void *one, LpLoader *loader, LpDiag *diag) {
    static const char *const sources[] = {"lua", "result", "cited"};
    static const LpJsonKey keys[] = {
        REQUIRED_TEXT("shows", LpLessonFact, shows),
        LP_CUSTOM("lua", read_fact_lua),
        LP_CUSTOM("result", read_fact_result),
        LP_CUSTOM("cited", read_fact_cited),
        LP_CUSTOM("set", read_fact_set),
        {LP_FIELD("at", LP_KEY_TEXT, LpLessonFact, at)},
    };
    LpLessonFact *fact = one;
    *fact = (LpLessonFact){0};
    lp_json_place(value, &fact->line, &fact->col);
    LP_TRY(
        lp_json_read(value, keys, LP_COUNTOF(keys), fact, loader->scenario->arena, loader, diag));
    LP_TRY(check_one_of(value, sources, LP_COUNTOF(sources), diag));
    if (fact->at != NULL && fact->source != LP_LESSON_LUA)
        return lp_json_fail_key(lp_json_member(value, "at"), diag, LP_EINVAL,
                                "\"at\" is the moment of a Lua expression: expected it beside "
                                "\"lua\"");
    return LP_OK;
}

/* ---- questions ---- */

static const char *const choice_words[] = {"a", "b", "c", "d", "e", "f", NULL};

static LpErr read_choices(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonQuestion *question = target;
    void *list;
    LP_TRY(read_list(value, sizeof(char *), 2, LP_LESSON_CHOICES, read_text, context, &list,
                     &question->choices, diag));
    question->choice = list;
    return LP_OK;
}

static LpErr read_question(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        REQUIRED_TEXT("ask", LpLessonQuestion, ask),
        REQUIRED("choices", read_choices),
        {LP_FIELD("answer", LP_KEY_WORD, LpLessonQuestion, answer), .words = choice_words,
         .required = true},
        REQUIRED("reveal", read_LpLessonQuestion_reveal),
    };
    LpLoader *loader = context;
    LpLessonStep *step = target;
    LpLessonQuestion *question = lp_arena_alloc(loader->scenario->arena, 1, sizeof *question);
    if (question == NULL)
        return lp_fail_memory(diag, "a lesson");
    *question = (LpLessonQuestion){0};
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), question, loader->scenario->arena, loader,
                        diag));
    if (question->answer >= question->choices)
        return lp_json_fail(lp_json_member(value, "answer"), diag, LP_EINVAL,
                            "\"answer\" is \"%s\", expected one of the %u choices, a to %s",
                            choice_words[question->answer], (unsigned)question->choices,
                            choice_words[question->choices - 1]);
    step->question = question;
    return LP_OK;
}

/* ---- steps ---- */

static LpErr read_highlight(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const char *const panes[] = {
#define X(name) name,
        LP_LESSON_PANE_TABLE(X)
#undef X
            NULL};
    LpLessonStep *step = target;
    int pane;
    (void)context;
    LP_TRY(lp_json_word(value, panes, &pane, diag));
    step->highlight = panes[pane];
    return LP_OK;
}

static LpErr read_command(LpJsonValue value, void *one, LpLoader *loader, LpDiag *diag) {
    LpLessonCommand *command = one;
    lp_json_place(value, &command->line, &command->col);
    return read_text(value, &command->text, loader, diag);
}

static LpErr read_commands(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonStep *step = target;
    void *list;
    LP_TRY(read_list(value, sizeof *step->command, 0, LIST_MOST, read_command, context, &list,
                     &step->commands, diag));
    step->command = list;
    return LP_OK;
}

static LpErr read_facts(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonStep *step = target;
    void *list;
    LP_TRY(read_list(value, sizeof *step->fact, 0, LIST_MOST, read_fact, context, &list,
                     &step->facts, diag));
    step->fact = list;
    return LP_OK;
}

static LpErr read_step(LpJsonValue value, void *one, LpLoader *loader, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        REQUIRED_TEXT("title", LpLessonStep, title), REQUIRED("text", read_LpLessonStep_text),
        LP_CUSTOM("highlight", read_highlight),      LP_CUSTOM("do", read_commands),
        LP_CUSTOM("question", read_question),        LP_CUSTOM("facts", read_facts),
    };
    *(LpLessonStep *)one = (LpLessonStep){0};
    return lp_json_read(value, keys, LP_COUNTOF(keys), one, loader->scenario->arena, loader, diag);
}

/* ---- the exercise ---- */

static LpErr read_check_lua(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonCheck *check = target;
    check->source = LP_LESSON_LUA;
    return read_text(value, &check->text, context, diag);
}

static LpErr read_check_result(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonCheck *check = target;
    check->source = LP_LESSON_RESULT;
    return read_text(value, &check->text, context, diag);
}

static LpErr read_check(LpJsonValue value, void *one, LpLoader *loader, LpDiag *diag) {
    static const char *const sources[] = {"lua", "result"};
    static const LpJsonKey keys[] = {
        LP_CUSTOM("lua", read_check_lua),
        LP_CUSTOM("result", read_check_result),
        LP_QUANTITY("min", LpLessonCheck, min, .min = -1e300),
        LP_QUANTITY("max", LpLessonCheck, max, .min = -1e300),
        REQUIRED_TEXT("else", LpLessonCheck, otherwise),
    };
    LpLessonCheck *check = one;
    *check = (LpLessonCheck){.min = -HUGE_VAL, .max = HUGE_VAL};
    LP_TRY(
        lp_json_read(value, keys, LP_COUNTOF(keys), check, loader->scenario->arena, loader, diag));
    LP_TRY(check_one_of(value, sources, LP_COUNTOF(sources), diag));
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
    LP_TRY(read_list(value, sizeof *exercise->check, 1, LIST_MOST, read_check, context, &list,
                     &exercise->checks, diag));
    exercise->check = list;
    return LP_OK;
}

static LpErr read_exercise_set(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonExercise *exercise = target;
    return read_sets(value, context, &exercise->set, &exercise->sets, diag);
}

static LpErr read_exercise(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        REQUIRED("task", read_LpLessonExercise_task), LP_CUSTOM("hint", read_LpLessonExercise_hint),
        LP_CUSTOM("set", read_exercise_set),          REQUIRED("checks", read_checks),
        REQUIRED("done", read_LpLessonExercise_done),
    };
    LpLoader *loader = context;
    LpLesson *lesson = target;
    LpLessonExercise *exercise = lp_arena_alloc(loader->scenario->arena, 1, sizeof *exercise);
    if (exercise == NULL)
        return lp_fail_memory(diag, "a lesson");
    *exercise = (LpLessonExercise){0};
    lesson->exercise = exercise;
    return lp_json_read(value, keys, LP_COUNTOF(keys), exercise, loader->scenario->arena, loader,
                        diag);
}

/* ---- the lesson ---- */

static LpErr read_steps(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLesson *lesson = target;
    void *list;
    LP_TRY(read_list(value, sizeof *lesson->step, 1, LP_LESSON_STEPS, read_step, context, &list,
                     &lesson->steps, diag));
    lesson->step = list;
    return LP_OK;
}

static const LpJsonKey lesson_keys[] = {
    LP_COUNTED("number", LpLesson, number, 1, 1000),
    {LP_FIELD("minutes", LP_KEY_COUNT, LpLesson, minutes), .range = {.min = 1, .max = 600},
     .required = true},
    REQUIRED_TEXT("goal", LpLesson, goal),
    REQUIRED("steps", read_steps),
    LP_CUSTOM("exercise", read_exercise),
};

const LpJsonShape lp_shape_lesson = LP_OBJECT_SHAPE(lesson_keys);

LpErr lp_load_lesson(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLoader *loader = context;
    LpScenario *scenario = target;
    LpLesson *lesson = lp_arena_alloc(scenario->arena, 1, sizeof *lesson);
    if (lesson == NULL)
        return lp_fail_memory(diag, "a lesson");
    *lesson = (LpLesson){0};
    if (lp_json_member(lp_json_root(loader->doc), "semantics").item == NULL)
        return lp_json_fail_key(value, diag, LP_EINVAL,
                                "a lesson says by which rules it computes: expected the key "
                                "\"semantics\" in the scenario");
    LP_TRY(lp_json_read(value, lesson_keys, LP_COUNTOF(lesson_keys), lesson, scenario->arena,
                        loader, diag));
    scenario->lesson = lesson;
    return LP_OK;
}
