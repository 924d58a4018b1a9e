/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presenting, and the keys of a lesson: they come before all other meanings. */
#include <stdio.h>
#include <string.h>

#include "app/keep/keep.h"
#include "app/play/play.h"
#include "app/teach/teach.h"
#include "model/lesson/lesson.h"
#include "moment/lesson_text.h"

/* Does the line, which is a command of a lesson; what it refuses is shown. */
static void do_lesson(LpApp *app, const char *word, int64_t now) {
    LpDiag diag = {0};
    char line[32], text[sizeof app->ui.message];
    if (lp_app_lesson(app, word, now, &diag) != LP_OK)
        lp_app_say(app, true, "%s", lp_diag_format(&diag, text, sizeof text));
    snprintf(line, sizeof line, "lesson %s", word);
    lp_app_record_line(app, line);
}

/* On or back by one thing to be told, or by a decision. */
static void turn(LpApp *app, bool on, int64_t now) {
    if (app->ui.lesson.on) {
        do_lesson(app, on ? "next" : "back", now);
    } else if (on) {
        lp_app_next(app, true, 1);
        lp_app_record_line(app, "next");
    } else if (lp_app_has_time(app)) {
        lp_app_back(app, true);
        lp_app_record_line(app, "back");
    }
}

/* The letter of a choice while a question is open. */
static bool chooses(LpApp *app, LpKey key, int64_t now) {
    const LpLessonQuestion *q = lp_model_asked(&app->ui);
    if (!q || key < 'a' || key >= 'a' + q->choices)
        return false;
    if (app->ui.lesson.phase != LP_LESSON_ASK) { /* the choices come first */
        do_lesson(app, "next", now);
        return true;
    }
    do_lesson(app, (const char[]){(char)key, '\0'}, now);
    return true;
}

/* Enter has nothing else to take at the end of a lesson. */
static bool ends(const LpApp *app) {
    const LpUiState *ui = &app->ui;
    const LpLessonState *l = &ui->lesson;
    return !l->tour && l->step + 1 == l->lesson->steps && !lp_model_asked(ui) && ui->row < 0 &&
           ui->pick < 0 && !ui->words.open && lp_lesson_below(ui) == 0;
}

/* The exercise lies over the screen: the next lesson, or a hint. */
static bool exercise_key(LpApp *app, LpUiAction action, int64_t now) {
    LpDiag diag = {0};
    if (action == LP_UI_ACTION_TAKE)
        lp_app_attempt(app, lp_app_next_lesson(app, &diag), &diag);
    else if (action == LP_UI_ACTION_HINT)
        do_lesson(app, "hint", now);
    else
        return false;
    return true;
}

static bool lesson_key(LpApp *app, LpKey key, LpUiAction action, int64_t now) {
    if (chooses(app, key, now))
        return true;
    if (action == LP_UI_ACTION_ANSWER)
        do_lesson(app, "answer", now);
    else if (action == LP_UI_ACTION_HINT)
        do_lesson(app, "hint", now);
    else if (action == LP_UI_ACTION_TAKE && ends(app))
        do_lesson(app, "next", now);
    else
        return false;
    return true;
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
    if (!l->on && !l->presenting)
        return false;
    if (app->ui.page)
        return l->exercise && exercise_key(app, action, now);
    if (l->on && lesson_key(app, key, action, now))
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
    lp_app_tell(app, strcmp(word, "off") == 0 ? "{page-up} and {page-down} scroll"
                                              : "{page-down} on, {page-up} back, {blank} blank");
    return LP_OK;
}

void lp_app_words_present(LpBuf *out) {
    lp_buf_add(out, "on\noff\nblank\n");
}
