/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step: what is told, and the screen that it owns (its run, moment, panes and marks). */
#include "io/lesson/parts.h"
#include "model/pointer.h"

LP_LESSON_PARAGRAPHS(LpLessonStep, text)

/* ---- the run that it shows ---- */

/* LP_LESSON_RUN_KEYS are of a structure that begins with a run. */
typedef struct Run {
    LpLessonSetup run;
} Run;

static const LpJsonKey run_keys[] = {LP_LESSON_RUN_KEYS(Run)};
static const LpJsonShape run_shape = LP_OBJECT_SHAPE(run_keys);

static LpErr read_run(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonStep *step = target;
    LpLessonSetup *run = lp_arena_alloc(arena, 1, sizeof *run);
    if (run == NULL)
        return lp_fail_memory(diag, "a lesson");
    *run = (LpLessonSetup){0};
    lp_json_place(value, &run->line, &run->col);
    LP_TRY(lp_json_read(value, run_keys, LP_COUNTOF(run_keys), run, arena, arena, diag));
    if (lp_json_count(value) == 0)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"run\" is empty, expected set, policy, seed or scenario; without "
                            "\"run\" the step shows the lesson's own");
    step->run = run;
    return LP_OK;
}

/* ---- the screen ---- */

static LpErr read_highlight(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonStep *step = target;
    return lp_lesson_pane(value, &step->highlight, arena, diag);
}

static LpErr read_do(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonStep *step = target;
    return lp_lesson_commands(value, arena, &step->command, &step->commands, diag);
}

static LpErr read_panes(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonStep *step = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof(char *), 1, LP_LESSON_PANES, lp_lesson_pane, arena, &list,
                          &step->panes, diag));
    step->pane = list;
    return LP_OK;
}

static LpErr read_mark(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonCommand *mark = one;
    LpPointer pointer;
    LpDiag cause = {0};
    lp_json_place(value, &mark->line, &mark->col);
    LP_TRY(lp_lesson_text(value, &mark->text, arena, diag));
    if (lp_pointer_parse(mark->text, &pointer, &cause) != LP_OK)
        return lp_json_fail(value, diag, LP_EINVAL, "%s", cause.text);
    return LP_OK;
}

static LpErr read_marks(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonStep *step = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *step->mark, 1, LP_LESSON_MARKS, read_mark, arena, &list,
                          &step->marks, diag));
    step->mark = list;
    return LP_OK;
}

/* ---- facts ---- */

static LpErr read_facts(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonStep *step = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *step->fact, 0, LP_LESSON_LIST_MOST, lp_lesson_fact, arena,
                          &list, &step->facts, diag));
    step->fact = list;
    return LP_OK;
}

static const LpJsonKey keys[] = {
    LP_LESSON_REQUIRED_TEXT("title", LpLessonStep, title),
    LP_LESSON_REQUIRED("text", read_LpLessonStep_text, lp_lesson_shape_paragraphs),
    LP_LESSON_KEY("run", read_run, run_shape),
    LP_LESSON_KEY("highlight", read_highlight, lp_lesson_shape_pane),
    LP_LESSON_KEY("do", read_do, lp_lesson_shape_texts),
    LP_LESSON_KEY("panes", read_panes, lp_lesson_shape_panes),
    LP_LESSON_KEY("mark", read_marks, lp_lesson_shape_texts),
    LP_LESSON_KEY("question", lp_lesson_question, lp_lesson_shape_question),
    LP_LESSON_KEY("facts", read_facts, lp_lesson_shape_facts),
    LP_LESSON_KEY("figure", lp_lesson_figure, lp_lesson_shape_figure),
};
static const LpJsonShape shape = LP_OBJECT_SHAPE(keys);
static const LpJsonShape *const of[] = {&shape, NULL};
const LpJsonShape lp_lesson_shape_steps = {.form = LP_FORM_LIST, .of = of};

LpErr lp_lesson_step(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonStep *step = one;
    *step = (LpLessonStep){0};
    lp_json_place(value, &step->line, &step->col);
    return lp_json_read(value, keys, LP_COUNTOF(keys), one, arena, arena, diag);
}
