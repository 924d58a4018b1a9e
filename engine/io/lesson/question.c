/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The question of a step: its choices, what it hides while it is open, and what answering shows. */
#include <string.h>

#include "io/lesson/parts.h"

LP_LESSON_PARAGRAPHS(LpLessonQuestion, reveal)
LP_LESSON_PARAGRAPHS(LpLessonChoice, why)

static const char *const answer_words[] = {"a", "b", "c", "d", "e", "f", NULL};

/* ---- choices ---- */

static LpErr read_look(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonChoice *choice = target;
    return lp_lesson_commands(value, arena, &choice->look, &choice->looks, diag);
}

static const LpJsonKey choice_keys[] = {
    LP_LESSON_REQUIRED_TEXT("text", LpLessonChoice, text),
    LP_LESSON_KEY("why", read_LpLessonChoice_why, lp_lesson_shape_paragraphs),
    LP_LESSON_KEY("look", read_look, lp_lesson_shape_texts),
};
static const LpJsonShape choice_shape = LP_OBJECT_SHAPE(choice_keys);
static const LpJsonShape *const text_or_choice[] = {&lp_lesson_shape_text, &choice_shape, NULL};
static const LpJsonShape one_choice = {.form = LP_FORM_ONE_OF, .of = text_or_choice};
static const LpJsonShape *const of_choices[] = {&one_choice, NULL};
static const LpJsonShape choices_shape = {.form = LP_FORM_LIST, .of = of_choices};

/* A text alone is a choice that nothing is said of. */
static LpErr read_choice(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonChoice *choice = one;
    *choice = (LpLessonChoice){0};
    if (lp_json_kind(value) != LP_JSON_OBJECT)
        return lp_lesson_text(value, &choice->text, arena, diag);
    LP_TRY(lp_json_read(value, choice_keys, LP_COUNTOF(choice_keys), choice, arena, arena, diag));
    if (choice->looks > 0 && choice->why == NULL)
        return lp_json_fail_key(lp_json_member(value, "look"), diag, LP_EINVAL,
                                "\"look\" stands beside what is said of the choice: expected "
                                "\"why\", too");
    return LP_OK;
}

static LpErr read_choices(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonQuestion *question = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *question->choice, 2, LP_LESSON_CHOICES, read_choice, arena,
                          &list, &question->choices, diag));
    question->choice = list;
    return LP_OK;
}

/* ---- what is hidden ---- */

/* "pane events": what the pane shows; "title": the numbers in headings. */
static LpErr read_hide(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    static const char pane[] = "pane ";
    LpLessonHide *hide = one;
    *hide = (LpLessonHide){0};
    LP_TRY(lp_lesson_text(value, &hide->text, arena, diag));
    if (strcmp(hide->text, "title") == 0) {
        hide->headings = true;
    } else if (strncmp(hide->text, pane, sizeof pane - 1) == 0) {
        hide->pane = hide->text + sizeof pane - 1;
        if (!lp_lesson_is_pane(hide->pane))
            return lp_json_fail(value, diag, LP_EINVAL,
                                "\"%s\" is no pane: expected \"pane\" and a name such as events, "
                                "or a text to hide",
                                hide->pane);
    }
    return LP_OK;
}

static LpErr read_hides(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonQuestion *question = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *question->hide, 0, LP_LESSON_LIST_MOST, read_hide, arena,
                          &list, &question->hides, diag));
    question->hide = list;
    return LP_OK;
}

static LpErr read_show(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonQuestion *question = target;
    return lp_lesson_commands(value, arena, &question->show, &question->shows, diag);
}

/* ---- the question ---- */

static const LpJsonKey keys[] = {
    LP_LESSON_REQUIRED_TEXT("ask", LpLessonQuestion, ask),
    LP_LESSON_REQUIRED("choices", read_choices, choices_shape),
    {LP_FIELD("answer", LP_KEY_WORD, LpLessonQuestion, answer), .words = answer_words,
     .required = true},
    LP_LESSON_REQUIRED("reveal", read_LpLessonQuestion_reveal, lp_lesson_shape_paragraphs),
    LP_LESSON_KEY("show", read_show, lp_lesson_shape_texts),
    LP_LESSON_KEY("hide", read_hides, lp_lesson_shape_texts),
};
const LpJsonShape lp_lesson_shape_question = LP_OBJECT_SHAPE(keys);

LpErr lp_lesson_question(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonStep *step = target;
    LpLessonQuestion *question = lp_arena_alloc(arena, 1, sizeof *question);
    if (question == NULL)
        return lp_fail_memory(diag, "a lesson");
    *question = (LpLessonQuestion){0};
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), question, arena, arena, diag));
    if (question->answer >= question->choices)
        return lp_json_fail(lp_json_member(value, "answer"), diag, LP_EINVAL,
                            "\"answer\" is \"%s\", expected one of the %u choices, a to %s",
                            answer_words[question->answer], (unsigned)question->choices,
                            answer_words[question->choices - 1]);
    step->question = question;
    return LP_OK;
}
