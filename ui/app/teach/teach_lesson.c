/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runner of lessons: from step to step, questions and their answers. */
#include <stdlib.h>
#include <string.h>

#include "app/teach/teach.h"
#include "model/lesson/lesson.h"
#include "moment/lesson_text.h"

/* ---- going through it ---- */

static const LpLessonQuestion *question_of(const LpLessonState *l) {
    return l->lesson->step[l->step].question;
}

/* The tour is done at its last stop, a lesson when all is read and every question answered. */
static void note_progress(LpApp *app) {
    const LpLessonState *l = &app->ui.lesson;
    uint32_t number = l->lesson->number;
    LpBuf left = {0};
    app->progress.toured |= l->tour && l->step + 1 == l->lesson->steps;
    if (number == 0 || number >= LP_PROGRESS_LESSONS)
        return;
    unsigned answered = 0, asked = 0;
    for (uint32_t i = 0; i < l->lesson->steps; i++)
        if (l->lesson->step[i].question) {
            asked++;
            answered += l->told[i];
        }
    /* A lesson without an answer is not begun, only looked at. */
    app->progress.asked[number] = (uint8_t)(answered > 0 ? asked : 0);
    app->progress.answered[number] = (uint8_t)answered;
    if (!lp_app_lesson_left(app, &left))
        app->progress.lesson[number] = true;
    lp_buf_fini(&left);
}

/* As far as can be told at once: where text and question stand together, the question is asked. */
static void begin_telling(LpApp *app) {
    LpLessonState *l = &app->ui.lesson;
    l->phase = LP_LESSON_TEXT;
    l->first = 0;
    if (question_of(l))
        l->phase = l->told[l->step] ? LP_LESSON_REVEAL : LP_LESSON_ASK;
    if (!lp_lesson_fits(&app->ui))
        l->phase = LP_LESSON_TEXT;
}

LpErr lp_app_lesson_go(LpApp *app, uint32_t index, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    l->on = true;
    l->step = index;
    l->seen[index] = true;
    note_progress(app);
    begin_telling(app);
    app->dirty = true;
    return lp_app_stage_step(app, now, diag);
}

void lp_app_leave_tour(LpApp *app) {
    LpLessonState *l = &app->ui.lesson;
    if (!l->tour)
        return;
    l->on = l->tour = false;
    l->lesson = lp_session_scenario(app->base)->lesson;
    l->step = 0;
    app->dirty = true;
    lp_app_tell(app, "the tour is left; :tour begins it again, {words} explains words");
}

static LpErr end_lesson(LpApp *app, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    if (l->tour) {
        lp_app_leave_tour(app);
        lp_app_tell(app, "the tour is over: {quit} leads to the list, lesson 1 is next");
        return LP_OK;
    }
    if (l->lesson->exercise)
        return lp_app_tell_exercise(app, diag);
    LpBuf left = {0};
    bool more = lp_app_lesson_left(app, &left);
    lp_app_say(app, false, "%s%s",
               more ? "this was the last step; the lesson is not done: " : "the lesson is over",
               lp_buf_text(&left));
    lp_buf_fini(&left);
    return LP_OK;
}

/* The next thing to be told: more of the text, the question, its answer, the next step. */
static LpErr forward(LpApp *app, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    if (lp_lesson_below(&app->ui) > 0) {
        l->first += lp_lesson_lines(&app->ui);
        return LP_OK;
    }
    if (question_of(l) && l->phase == LP_LESSON_TEXT) {
        l->first = 0;
        l->phase = l->told[l->step] ? LP_LESSON_REVEAL : LP_LESSON_ASK;
        return LP_OK;
    }
    l->skipped[l->step] |= lp_model_asked(&app->ui) != NULL;
    if (l->step + 1 < l->lesson->steps)
        return lp_app_lesson_go(app, l->step + 1, now, diag);
    return end_lesson(app, diag);
}

static LpErr backward(LpApp *app, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    bool told_first = l->phase == LP_LESSON_TEXT || lp_lesson_fits(&app->ui);
    if (l->first > 0 || !told_first) {
        l->first = 0;
        l->phase = told_first ? l->phase : LP_LESSON_TEXT;
    } else if (l->step > 0) {
        return lp_app_lesson_go(app, l->step - 1, now, diag);
    } else {
        lp_app_say(app, false, "the lesson begins here");
    }
    return LP_OK;
}

LpErr lp_app_lesson_turn(LpApp *app, bool on, int64_t now, LpDiag *diag) {
    app->dirty = true;
    return on ? forward(app, now, diag) : backward(app, now, diag);
}

/* ---- questions ---- */

/* What is answered is seen at once: on the boards of the step, as it is staged anew, and beside
 * them. */
static LpErr settle(LpApp *app, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    l->phase = l->told[l->step] ? LP_LESSON_REVEAL : LP_LESSON_ASK;
    l->first = 0;
    app->dirty = true;
    note_progress(app);
    return lp_app_stage_step(app, now, diag);
}

LpErr lp_app_lesson_choose(LpApp *app, int choice, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    const LpLessonQuestion *q = l->on ? question_of(l) : NULL;
    uint32_t step = l->step;
    if (!q)
        return lp_fail(diag, LP_ESTATE, "nothing is asked here");
    if (choice < 0 || choice >= (int)q->choices)
        return lp_fail(diag, LP_EINVAL, "expected one of the choices, a to %c",
                       'a' + (int)q->choices - 1);
    if (l->told[step])
        return lp_fail(diag, LP_ESTATE, "the answer is known: %c", 'a' + (int)q->answer);
    if (l->choice[step] < 0)
        l->choice[step] = (signed char)choice;
    l->last[step] = (signed char)choice;
    if (choice == (int)q->answer)
        l->told[step] = true;
    else
        l->wrong[step] |= (uint8_t)(1 << choice);
    return settle(app, now, diag);
}

LpErr lp_app_lesson_answer(LpApp *app, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    if (!l->on || !question_of(l))
        return lp_fail(diag, LP_ESTATE, "nothing is asked here");
    if (l->told[l->step])
        return lp_fail(diag, LP_ESTATE, "the answer is known: %c",
                       'a' + (int)question_of(l)->answer);
    l->told[l->step] = l->shown[l->step] = true;
    return settle(app, now, diag);
}

/* ---- the command ---- */

/* Words that stand for what can be done, besides steps and choices. */
static LpErr do_word(LpApp *app, const char *word, int64_t now, bool *known, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    *known = true;
    if (!*word)
        return lp_app_lesson_go(app, l->step, now, diag);
    if (strcmp(word, "next") == 0 || strcmp(word, "back") == 0)
        return l->on ? lp_app_lesson_turn(app, word[0] == 'n', now, diag)
                     : lp_app_lesson_go(app, l->step, now, diag);
    if (strcmp(word, "answer") == 0)
        return lp_app_lesson_answer(app, now, diag);
    if (strcmp(word, "exercise") == 0)
        return lp_app_tell_exercise(app, diag);
    if (strcmp(word, "hint") == 0)
        return lp_app_tell_hint(app, diag);
    if (word[0] >= 'a' && word[0] <= 'f' && !word[1])
        return lp_app_lesson_choose(app, word[0] - 'a', now, diag);
    *known = strcmp(word, "off") == 0;
    l->on = l->on && !*known;
    return LP_OK;
}

LpErr lp_app_lesson(LpApp *app, const char *word, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    bool known;
    char *end;
    if (!l->lesson)
        return lp_fail(diag, LP_ESTATE, "this scenario has no lesson; lightpath lesson lists them");
    LP_TRY(do_word(app, word, now, &known, diag));
    if (known)
        return LP_OK;
    long step = strtol(word, &end, 10);
    if (end == word || *end || step < 1 || step > (long)l->lesson->steps)
        return lp_fail(diag, LP_EINVAL,
                       "expected next, back, a step from 1 to %u, the letter of a choice, answer, "
                       "exercise, hint or off",
                       (unsigned)l->lesson->steps);
    return lp_app_lesson_go(app, (uint32_t)step - 1, now, diag);
}

LpErr lp_app_run_lesson(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    return lp_app_lesson(app, line->words > 0 ? line->word[0] : "", now, diag);
}

void lp_app_words_lesson(LpBuf *out) {
    lp_buf_add(out, "next\nback\nanswer\nexercise\nhint\noff\n");
}

void lp_app_lesson_open(LpApp *app) {
    LpLessonState *l = &app->ui.lesson;
    LpDiag diag = {0};
    l->lesson = lp_session_scenario(app->session)->lesson;
    l->file = lp_session_scenario(app->session)->file;
    l->known = &app->known;
    lp_lesson_forget(&app->known);
    l->tour = false;
    memset(l->choice, -1, sizeof l->choice);
    memset(l->last, -1, sizeof l->last);
    if (!l->lesson || app->file.path || !lp_app_has_time(app))
        return;
    lp_app_check(app, lp_app_lesson_go(app, 0, 0, &diag), &diag);
}
