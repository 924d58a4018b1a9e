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

/* An open question is passed by the key for that alone, and at its second time. */
static bool stays(LpApp *app, LpUiAction action) {
    LpLessonState *l = &app->ui.lesson;
    const LpLessonQuestion *q = lp_model_asked(&app->ui);
    char keys[120], text[160];
    if (!q || l->phase != LP_LESSON_ASK || lp_lesson_below(&app->ui) > 0)
        return false;
    if (action == LP_UI_ACTION_PAGE_DOWN && l->passing)
        return false;
    l->passing = action == LP_UI_ACTION_PAGE_DOWN;
    snprintf(text, sizeof text, "a to %c answer it, {answer}: the answer, {page-down}%s passes it",
             'a' + (int)q->choices - 1, l->passing ? " once more" : " {page-down}");
    lp_app_say(app, false, "%s", lp_keymap_text(&app->keymap, text, keys, sizeof keys));
    return true;
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

/* Do the keys that go on everywhere mean the lesson? They do not where somebody looks at rows,
 * words or another view than the step shows: there they have that view's meaning. */
static bool goes_on(const LpApp *app, LpUiAction action) {
    return action == LP_UI_ACTION_PLAY || action == LP_UI_ACTION_TAKE ? lp_model_tells(&app->ui)
                                                                      : false;
}

/* Notes whether the reader moves about on the screen, until he leaves that. */
static void note_moves(LpApp *app, LpUiAction action) {
    static const LpUiAction moves[] = {
        LP_UI_ACTION_UP,   LP_UI_ACTION_DOWN,  LP_UI_ACTION_TOP,   LP_UI_ACTION_BOTTOM,
        LP_UI_ACTION_LEFT, LP_UI_ACTION_RIGHT, LP_UI_ACTION_STAGE, LP_UI_ACTION_STAGE_BACK};
    LpLessonState *l = &app->ui.lesson;
    for (size_t i = 0; i < LP_COUNTOF(moves); i++)
        l->moved |= action == moves[i];
    l->moved &= action != LP_UI_ACTION_OUT;
    l->passing &= action == LP_UI_ACTION_PAGE_DOWN;
}

static bool lesson_key(LpApp *app, LpKey key, LpUiAction action, int64_t now) {
    bool on = goes_on(app, action);
    note_moves(app, action);
    if (chooses(app, key, now))
        return true;
    if ((on || action == LP_UI_ACTION_PAGE_DOWN) && stays(app, action))
        return true;
    if (action == LP_UI_ACTION_ANSWER)
        do_lesson(app, "answer", now);
    else if (action == LP_UI_ACTION_HINT)
        do_lesson(app, "hint", now);
    else if (on)
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
