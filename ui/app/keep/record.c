/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records what is done in the explorer as a key script of commands with their meaning: never keys,
 * which may be bound otherwise, nor places on the screen. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/keep/keep.h"
#include "base/num.h"
#include "session/time.h"

static bool is_recording(const LpApp *app) {
    return lp_writer_is_open(&app->record.writer);
}

/* The record ends, and so does what asked for it, with this error. */
static void end_badly(LpApp *app, const LpDiag *diag) {
    lp_writer_drop(&app->record.writer);
    lp_app_check(app, diag->code, diag);
}

/* A line, in the file at once: a record is most wanted where the program does not end well. Frees
 * the line. */
static void put_line(LpApp *app, LpBuf *line) {
    LpDiag diag;
    lp_buf_add(line, "\n");
    LpErr err = lp_buf_ok(line, &diag);
    if (err == LP_OK && is_recording(app))
        err = lp_writer_add(&app->record.writer, lp_buf_text(line), line->len, &diag);
    lp_buf_fini(line);
    if (err != LP_OK && is_recording(app))
        end_badly(app, &diag);
}

static void add_line(LpApp *app, const char *text) {
    LpBuf line = {0};
    if (!is_recording(app))
        return;
    lp_buf_add(&line, text);
    put_line(app, &line);
}

static uint64_t step_now(const LpApp *app) {
    return lp_app_has_time(app) ? lp_session_moment(app->session).step : 0;
}

/* What playing has done since the last line. */
void lp_app_record_played(LpApp *app) {
    char text[64];
    uint64_t now = step_now(app);
    if (!is_recording(app) || !app->record.playing)
        return;
    if (now > app->record.step) {
        snprintf(text, sizeof text, "step %llu", (unsigned long long)(now - app->record.step));
        add_line(app, text);
        for (int stage = 0; stage < (int)app->ui.stage; stage++)
            add_line(app, "do stage");
        if (app->ui.playing)
            add_line(app, "play");
    }
    app->record.playing = app->ui.playing;
    app->record.step = now;
}

void lp_app_record_from_here(LpApp *app) {
    app->record.step = step_now(app);
    app->record.playing = app->ui.playing;
}

void lp_app_record_line(LpApp *app, const char *text) {
    add_line(app, text);
    lp_app_record_from_here(app);
}

/* Writes the moment as a number of events, or the time between two events that is shown: neither
 * depends on the width of the time line. */
static void add_moment(LpApp *app) {
    LpMomentFacts facts;
    LpMoment now = lp_session_moment(app->session), seen = app->ui.look_at;
    char text[64];
    if (lp_session_moment_facts(app->session, now, &facts) != LP_OK)
        return;
    if (app->ui.look > facts.time && seen.branch == now.branch && seen.step == now.step)
        snprintf(text, sizeof text, "seek %.17g s", app->ui.look);
    else if (facts.events > 0)
        snprintf(text, sizeof text, "seek e%llu", (unsigned long long)(facts.events - 1));
    else
        lp_str_copy(text, sizeof text, "seek 0 s");
    lp_app_record_line(app, text);
}

/* Does the action go as far as the screen is wide? */
static bool goes_by_columns(const LpApp *app, LpUiAction action) {
    switch (action) {
    case LP_UI_ACTION_PAGE_BACK:
    case LP_UI_ACTION_PAGE_ON:
        return true;
    case LP_UI_ACTION_LEFT:
    case LP_UI_ACTION_RIGHT:
        return app->ui.focus;
    default:
        return false;
    }
}

void lp_app_record_action(LpApp *app, LpUiAction action) {
    char name[LP_UI_ACTION_NAME], text[LP_UI_ACTION_NAME + 8];
    if (!is_recording(app) || app->ui.prompt.open || app->ui.ask[0])
        return; /* what is answered or typed will be recorded */
    if (action == LP_UI_ACTION_QUIT && app->quit)
        return;
    if (action == LP_UI_ACTION_PLAY && !lp_app_shown(app)->play) {
        lp_app_record_line(app, app->ui.playing ? "play" : "stop");
    } else if (goes_by_columns(app, action) && lp_app_has_time(app)) {
        add_moment(app);
    } else {
        snprintf(text, sizeof text, "do %s", lp_ui_action_name(action, name));
        lp_app_record_line(app, text);
    }
}

/* After the mouse: where one is, and what is shown, as far as that changed. */
void lp_app_record_mouse(LpApp *app, LpMoment from, LpPane only) {
    LpMoment to = lp_app_has_time(app) ? lp_session_moment(app->session) : from;
    char text[64];
    if (!is_recording(app))
        return;
    if (to.branch == from.branch && to.step != from.step)
        add_moment(app);
    if (app->ui.only == only)
        return;
    snprintf(text, sizeof text, "view %s",
             app->ui.only == LP_PANE_COUNT ? "main" : lp_pane_name(app->ui.only));
    lp_app_record_line(app, text);
}

void lp_app_record_size(LpApp *app) {
    char text[64];
    snprintf(text, sizeof text, "size %dx%d", app->canvas.cols, app->canvas.rows);
    add_line(app, text);
}

void lp_app_record_end(LpApp *app) {
    LpDiag diag;
    lp_app_record_played(app);
    if (is_recording(app) && lp_writer_close(&app->record.writer, &diag) != LP_OK)
        end_badly(app, &diag);
}

static void add_linef(LpApp *app, const char *fmt, ...) LP_PRINTF(2, 3);
static void add_linef(LpApp *app, const char *fmt, ...) {
    LpBuf line = {0};
    va_list args;
    va_start(args, fmt);
    lp_buf_vaddf(&line, fmt, args);
    va_end(args);
    put_line(app, &line);
}

/* The beginning is there before the file takes its name, so that what was there gives way to a
 * record only. */
static LpErr begin_record(LpApp *app, const char *path, LpDiag *diag) {
    LpWriteSpec spec = {.path = path, .kind = {"record of keys", "# recorded by lightpath"}};
    LpWriter fresh;
    LP_TRY(lp_writer_open(&fresh, &spec, diag));
    lp_app_record_end(app);
    app->record.writer = fresh;
    /* From the start of the run to here. */
    char name[160];
    const LpScenario *scenario = lp_session_scenario(app->session);
    add_linef(app, "# recorded by lightpath " LP_VERSION "; scenario: %s",
              lp_str_show(name, sizeof name, scenario->file ? scenario->file : scenario->name));
    lp_app_record_size(app);
    add_line(app, "set motion=off");
    if (lp_app_has_time(app) && lp_session_moment(app->session).branch != 0)
        add_line(app, "# begins on a branch: what led to it is not in this file");
    else if (lp_app_has_time(app))
        add_moment(app);
    if (app->ui.lesson.on) {
        add_linef(app, "lesson %u", (unsigned)app->ui.lesson.step + 1);
        add_line(app, "# the lesson's step, as it is staged");
    }
    lp_app_record_from_here(app);
    if (!is_recording(app)) {
        *diag = app->diag;
        return diag->code;
    }
    LpErr err = lp_writer_place(&app->record.writer, diag);
    if (err != LP_OK)
        lp_writer_drop(&app->record.writer);
    return err;
}

LpErr lp_app_run_record(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    const char *path = line->words > 0 ? line->word[0] : "off";
    char shown[LP_DIAG_FILE];
    if (strcmp(path, "off") == 0) {
        bool was = is_recording(app), failed = app->failed;
        lp_app_record_end(app);
        if (app->failed && !failed) {
            *diag = app->diag;
            return diag->code;
        }
        lp_app_say(app, false, was ? "the record has ended" : "nothing is being recorded");
        return LP_OK;
    }
    LP_TRY(begin_record(app, path, diag));
    lp_app_say(app, false, "everything from here on goes to %s; record off ends it",
               lp_str_show(shown, sizeof shown, path));
    return LP_OK;
}
