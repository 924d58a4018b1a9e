/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runner of lessons: from step to step, each with its state staged by commands; questions; and
 * the presenter's keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/impl.h"
#include "views/lesson/lesson.h"

/* ---- the state that a step speaks about ---- */

/* The screen as it is at first: a step says all that it wants otherwise. */
static void clean(LpApp *app) {
    LpHost host = lp_app_host(app, 0);
    LpUiState *ui = &app->ui;
    lp_app_show(app, LP_PANE_COUNT);
    ui->playing = ui->explain = ui->completed_only = ui->focus = false;
    ui->versus = -1;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (lp_app_view((LpPane)pane)->clean)
            lp_app_view((LpPane)pane)->clean(&host);
    lp_app_arrive(app);
}

/* Commands that only look: done again where a step is come back to. */
static bool only_inspects(LpUiCommand command) {
    const char *section = lp_ui_command_info(command)->section;
    return strcmp(section, "Decision") == 0 || strcmp(section, "Screen") == 0 ||
           command == LP_UI_COMMAND_COMPARE || command == LP_UI_COMMAND_BRANCHES;
}

/* Its place in the scenario's file stands before what is wrong. */
static LpErr fail_command(const LpApp *app, const LpLessonCommand *command, const LpDiag *cause,
                          LpDiag *diag) {
    const char *file = lp_session_scenario(app->session)->file;
    return lp_fail_at(diag, cause->code, file ? file : "lesson", command->line, command->col,
                      "\"%s\": %s", command->text, cause->text);
}

static LpErr run_command(LpApp *app, const LpLessonCommand *command, bool again, int64_t now,
                         LpDiag *diag) {
    LpUiLine line;
    LpDiag cause = {0};
    LpErr err = lp_ui_command_read(command->text, &line, &cause);
    if (err == LP_OK && again && !only_inspects(line.command))
        return LP_OK;
    if (err == LP_OK &&
        (line.command == LP_UI_COMMAND_LESSON || line.command == LP_UI_COMMAND_QUIT))
        err = lp_fail(&cause, LP_EINVAL, "a step cannot do that");
    if (err == LP_OK)
        err = lp_app_run(app, &line, now, &cause);
    app->dirty = true;
    if (err == LP_OK)
        err = lp_app_draw(app, &cause); /* commands look at what is shown */
    return err == LP_OK ? LP_OK : fail_command(app, command, &cause, diag);
}

static LpErr run_commands(LpApp *app, const LpLessonStep *step, bool again, int64_t now,
                          LpDiag *diag) {
    clean(app);
    for (uint32_t i = 0; i < step->commands; i++)
        LP_TRY(run_command(app, &step->command[i], again, now, diag));
    app->ui.lesson.points = app->dirty = true;
    return LP_OK;
}

/* To where step `index` left the run, wherever one has been since. */
static LpErr come_back(LpApp *app, uint32_t index, LpDiag *diag) {
    LpMoment there = app->lesson_moment[index], here = lp_session_moment(app->session);
    if (!lp_app_has_time(app))
        return LP_OK;
    if (here.branch == there.branch && here.step == there.step)
        return LP_OK;
    return lp_app_go_to(app, there, diag);
}

/* Stages a step for the first time; the one before it must have been. */
static LpErr stage_first(LpApp *app, uint32_t index, int64_t now, LpDiag *diag) {
    if (index > 0)
        LP_TRY(come_back(app, index - 1, diag));
    LP_TRY(run_commands(app, &app->ui.lesson.lesson->step[index], false, now, diag));
    if (lp_app_has_time(app))
        app->lesson_moment[index] = lp_session_moment(app->session);
    app->lesson_seen = index + 1;
    return LP_OK;
}

static LpErr stage(LpApp *app, uint32_t index, int64_t now, LpDiag *diag) {
    if (index < app->lesson_seen) {
        LP_TRY(come_back(app, index, diag));
        return run_commands(app, &app->ui.lesson.lesson->step[index], true, now, diag);
    }
    for (uint32_t i = app->lesson_seen; i <= index; i++)
        LP_TRY(stage_first(app, i, now, diag));
    return LP_OK;
}

/* ---- going through it ---- */

static void note_progress(LpApp *app) {
    const LpLessonState *l = &app->ui.lesson;
    uint32_t number = l->lesson->number;
    app->progress.toured |= l->tour;
    if (number > 0 && number < LP_PROGRESS_LESSONS)
        app->progress.lesson[number] = true;
}

LpErr lp_app_lesson_go(LpApp *app, uint32_t index, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    if (index + 1 == l->lesson->steps) /* seen to its end */
        note_progress(app);
    l->on = true;
    l->step = index;
    l->phase = LP_LESSON_TEXT;
    l->first = 0;
    app->dirty = true;
    return stage(app, index, now, diag);
}

void lp_app_leave_tour(LpApp *app) {
    LpLessonState *l = &app->ui.lesson;
    if (!l->tour)
        return;
    l->on = l->tour = false;
    l->lesson = lp_session_scenario(app->session)->lesson;
    l->step = app->lesson_seen = 0;
    app->dirty = true;
    lp_app_tell(app, "the tour is left; :tour begins it again, {?} explains words");
}

/* The next thing to be told: more of the text, the question, its answer, the next step. */
static LpErr forward(LpApp *app, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    bool asks = l->lesson->step[l->step].question != NULL;
    if (lp_lesson_below(&app->ui) > 0) {
        l->first += lp_lesson_lines(&app->ui);
        return LP_OK;
    }
    l->first = 0;
    if (asks && l->phase < LP_LESSON_REVEAL) {
        l->phase = l->told[l->step] ? LP_LESSON_REVEAL : (LpLessonPhase)(l->phase + 1);
        l->told[l->step] |= l->phase == LP_LESSON_REVEAL;
        return LP_OK;
    }
    if (l->step + 1 < l->lesson->steps)
        return lp_app_lesson_go(app, l->step + 1, now, diag);
    if (l->tour) {
        lp_app_leave_tour(app);
        lp_app_tell(app, "the tour is over: {q} leads to the list, lesson 1 is next");
        return LP_OK;
    }
    lp_app_say(app, false,
               l->lesson->exercise ? "the lesson is over; its exercise: :lesson exercise"
                                   : "the lesson is over");
    return LP_OK;
}

static LpErr backward(LpApp *app, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    bool begins = l->first == 0 && l->phase == LP_LESSON_TEXT;
    l->first = 0;
    if (!begins)
        l->phase = LP_LESSON_TEXT;
    else if (l->step > 0)
        return lp_app_lesson_go(app, l->step - 1, now, diag);
    else
        lp_app_say(app, false, "the lesson begins here");
    return LP_OK;
}

LpErr lp_app_lesson_turn(LpApp *app, bool on, int64_t now, LpDiag *diag) {
    app->dirty = true;
    return on ? forward(app, now, diag) : backward(app, now, diag);
}

LpErr lp_app_lesson_choose(LpApp *app, int choice, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    const LpLessonQuestion *q = l->on ? l->lesson->step[l->step].question : NULL;
    if (!q)
        return lp_fail(diag, LP_ESTATE, "nothing is asked here");
    if (choice < 0 || choice >= (int)q->choices)
        return lp_fail(diag, LP_EINVAL, "expected one of the choices, a to %c",
                       'a' + (int)q->choices - 1);
    if (!l->told[l->step])
        l->choice[l->step] = (signed char)choice;
    l->told[l->step] = true;
    l->phase = LP_LESSON_REVEAL;
    l->first = 0;
    app->dirty = true;
    return LP_OK;
}

static void tell_exercise(LpApp *app) {
    const LpLessonExercise *e = app->ui.lesson.lesson->exercise;
    const char *file = lp_session_scenario(app->session)->name;
    LpBuf text = {0};
    lp_buf_addf(&text, "%s\n", e->task);
    for (uint32_t h = 0; h < e->hints; h++)
        lp_buf_addf(&text, "# a hint\n%s\n", e->hint[h]);
    lp_buf_addf(&text, "# to check it\nlightpath lesson %s --check FILE.lua", file ? file : "");
    lp_app_page(app, "exercise", &text);
    lp_buf_fini(&text);
}

LpErr lp_app_lesson(LpApp *app, const char *word, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    char *end;
    if (!l->lesson)
        return lp_fail(diag, LP_ESTATE, "this scenario has no lesson; lightpath lesson lists them");
    long step = strtol(word, &end, 10);
    if (!*word)
        return lp_app_lesson_go(app, l->step, now, diag);
    if (strcmp(word, "next") == 0 || strcmp(word, "back") == 0)
        return l->on ? lp_app_lesson_turn(app, word[0] == 'n', now, diag)
                     : lp_app_lesson_go(app, l->step, now, diag);
    if (strcmp(word, "off") == 0) {
        l->on = false;
        return LP_OK;
    }
    if (strcmp(word, "exercise") == 0 && l->lesson->exercise) {
        tell_exercise(app);
        return LP_OK;
    }
    if (word[0] >= 'a' && word[0] <= 'f' && !word[1])
        return lp_app_lesson_choose(app, word[0] - 'a', diag);
    if (end == word || *end || step < 1 || step > (long)l->lesson->steps)
        return lp_fail(diag, LP_EINVAL,
                       "expected next, back, a step from 1 to %u, the letter of a choice, exercise "
                       "or off",
                       (unsigned)l->lesson->steps);
    return lp_app_lesson_go(app, (uint32_t)step - 1, now, diag);
}

LpErr lp_app_run_lesson(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    return lp_app_lesson(app, line->words > 0 ? line->word[0] : "", now, diag);
}

void lp_app_words_lesson(LpBuf *out) {
    lp_buf_add(out, "next\nback\nexercise\noff\n");
}

void lp_app_lesson_open(LpApp *app) {
    LpLessonState *l = &app->ui.lesson;
    LpDiag diag = {0};
    l->lesson = lp_session_scenario(app->session)->lesson;
    l->tour = false;
    memset(l->choice, -1, sizeof l->choice);
    if (!l->lesson || app->session_file || !lp_app_has_time(app))
        return;
    LpErr err = lp_app_draw(app, &diag);
    if (err == LP_OK)
        err = lp_app_lesson_go(app, 0, 0, &diag);
    lp_app_check(app, err, &diag);
}

/* ---- the presenter's keys ---- */

/* On or back by one thing to be told, or by a decision. */
static void turn(LpApp *app, bool on, int64_t now) {
    LpDiag diag = {0};
    if (app->ui.lesson.on) {
        if (lp_app_lesson_turn(app, on, now, &diag) != LP_OK)
            lp_app_say(app, true, "%s", diag.text);
        lp_app_record_line(app, on ? "lesson next" : "lesson back");
    } else if (on) {
        lp_app_next(app, true, 1);
        lp_app_record_line(app, "next");
    } else if (lp_app_has_time(app)) {
        lp_app_back(app, true);
        lp_app_record_line(app, "back");
    }
}

/* The letter of a choice while a question is open. */
static bool chooses(LpApp *app, LpKey key) {
    const LpLessonState *l = &app->ui.lesson;
    LpDiag diag = {0};
    if (!l->on || l->phase != LP_LESSON_ASK || key < 'a' ||
        key >= 'a' + l->lesson->step[l->step].question->choices)
        return false;
    char line[16];
    snprintf(line, sizeof line, "lesson %c", (char)key);
    lp_app_record_line(app, line);
    return lp_app_lesson_choose(app, (int)key - 'a', &diag) == LP_OK;
}

bool lp_app_presenter_key(LpApp *app, LpKey key, int64_t now) {
    LpLessonState *l = &app->ui.lesson;
    LpUiAction action = lp_keymap_action(&app->keymap, key);
    if (l->blank) { /* any key brings the screen back */
        l->blank = false;
        app->redraw = true;
        lp_app_record_line(app, "do redraw");
        return true;
    }
    if ((!l->on && !l->presenting) || app->ui.page)
        return false;
    if (chooses(app, key))
        return true;
    if (action == LP_UI_ACTION_OUT && l->tour && app->ui.only == LP_PANE_COUNT && app->ui.row < 0 &&
        !app->ui.words.open) {
        lp_app_leave_tour(app);
        lp_app_record_line(app, "tour off");
        return true;
    }
    if (action == LP_UI_ACTION_BLANK)
        l->blank = true, lp_app_record_line(app, "present blank");
    else if (action == LP_UI_ACTION_PAGE_UP || action == LP_UI_ACTION_PAGE_DOWN)
        turn(app, action == LP_UI_ACTION_PAGE_DOWN, now);
    else
        return false;
    return true;
}

LpErr lp_app_run_present(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    const char *word = line->words > 0 ? line->word[0] : "on";
    LpLessonState *l = &app->ui.lesson;
    char shown[64];
    if (strcmp(word, "on") != 0 && strcmp(word, "off") != 0 && strcmp(word, "blank") != 0)
        return lp_fail(diag, LP_EINVAL, "\"%s\": expected on, off or blank",
                       lp_str_show(shown, sizeof shown, word));
    l->blank = word[0] == 'b';
    if (!l->blank)
        l->presenting = strcmp(word, "on") == 0;
    lp_app_say(app, false,
               strcmp(word, "off") == 0 ? "PgUp and PgDn scroll" : "PgDn on, PgUp back, . blank");
    return LP_OK;
}

void lp_app_words_present(LpBuf *out) {
    lp_buf_add(out, "on\noff\nblank\n");
}
