/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer without a terminal: a script of keys drives it, on a clock of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_impl.h"
#include "front/front.h"
#include "host/write_file.h"
#include "term/cast.h"
#include "term/output.h"
#include "term/picture.h"

enum {
    PATIENCE_MS = 600000,
    KEY_MS = 150,
    COMMAND_MS = 1000, /* in a cast, so that it can be watched */
    PAUSE_MS = 4000
};

/* A script while it is read. */
typedef struct Script {
    const char *name;
    LpScript script;
    int line, col; /* of what is done */
    int64_t now;   /* ms, the program's clock */
    LpApp app;
    LpCast *cast;     /* NULL: none */
    int64_t cast_ms;  /* what keys and commands took on the cast's own time */
    bool show_screen; /* what was there instead is told */
    int exit_code;
} Script;

LpErr lp_ui_parse_size(const char *text, int *cols, int *rows, LpDiag *diag) {
    char *end = NULL;
    long w = strtol(text, &end, 10), h = 0;
    bool good = end != text && *end == 'x' && text[0] >= '0' && text[0] <= '9';
    if (good) {
        const char *second = end + 1;
        h = strtol(second, &end, 10);
        good = end != second && *end == '\0' && second[0] >= '0' && second[0] <= '9';
    }
    if (!good || w < 1 || h < 1 || w > LP_CANVAS_MAX || h > LP_CANVAS_ROWS)
        return lp_fail(diag, LP_EINVAL,
                       "\"%s\" is no size: expected COLUMNSxROWS, 1x1 to %dx%d, such as 100x30",
                       text, LP_CANVAS_MAX, LP_CANVAS_ROWS);
    *cols = (int)w;
    *rows = (int)h;
    return LP_OK;
}

/* ---- running a script ---- */

static LpErr draw(Script *script, LpDiag *diag) {
    LP_TRY(lp_app_draw(&script->app, diag));
    if (!script->cast)
        return LP_OK;
    return lp_cast_frame(script->cast, &script->app.canvas, &script->app.theme,
                         script->now + script->cast_ms, diag);
}

/* What fails in a key, or while time goes by, ends the script as a command that fails does: what
 * would come after it goes on from another state than whoever wrote it had before him. */
static LpErr draw_after(Script *script, LpDiag *diag) {
    char text[LP_DIAG_FILE + LP_DIAG_TEXT];
    if (!script->app.failed)
        return draw(script, diag);
    const LpDiag *cause = &script->app.diag;
    script->exit_code = 1;
    if (script->line == 0) { /* before the first key */
        *diag = *cause;
        return diag->code;
    }
    return lp_fail_at(diag, cause->code, script->name, script->line, script->col, "%s",
                      lp_diag_format(cause, text, sizeof text));
}

/* Goes to the next frame, or to `until` if that is sooner. */
static LpErr next_frame(Script *script, int64_t until, LpDiag *diag) {
    int64_t deadline = lp_app_deadline(&script->app);
    script->now = deadline < 0 || deadline > until ? until
                  : deadline > script->now         ? deadline
                                                   : script->now + 1;
    lp_app_tick(&script->app, script->now);
    lp_app_demo_tick(&script->app, script->now);
    return draw_after(script, diag);
}

/* *found: does the screen show the text? */
static LpErr find_text(const Script *script, const char *text, bool *found, LpDiag *diag) {
    LpBuf screen = {0};
    lp_canvas_print(&script->app.canvas, &screen);
    LpErr err = lp_buf_ok(&screen, diag);
    *found = err == LP_OK && strstr(lp_buf_text(&screen), text) != NULL;
    lp_buf_fini(&screen);
    return err;
}

static LpErr not_shown(Script *script, const char *text, const char *how, LpDiag *diag) {
    script->exit_code = 1;
    script->show_screen = true;
    return lp_fail_at(diag, LP_ESTATE, script->name, script->line, 1,
                      "the screen does not show \"%s\"%s", text, how);
}

static LpErr run_wait(Script *script, const LpScriptStep *step, LpDiag *diag) {
    for (int64_t until = script->now + step->ms; script->now < until;)
        LP_TRY(next_frame(script, until, diag));
    return LP_OK;
}

static LpErr run_wait_until(Script *script, const LpScriptStep *step, LpDiag *diag) {
    const char *text = step->text;
    int64_t until = script->now + PATIENCE_MS;
    bool found;
    LP_TRY(find_text(script, text, &found, diag));
    while (!found) {
        if (script->now >= until || lp_app_deadline(&script->app) < 0)
            return not_shown(script, text, ", however long one waits", diag);
        LP_TRY(next_frame(script, until, diag));
        LP_TRY(find_text(script, text, &found, diag));
    }
    return LP_OK;
}

static LpErr run_expect(Script *script, const LpScriptStep *step, LpDiag *diag) {
    bool found;
    LP_TRY(find_text(script, step->text, &found, diag));
    return found ? LP_OK : not_shown(script, step->text, "", diag);
}

static LpErr run_size(Script *script, const LpScriptStep *step, LpDiag *diag) {
    int cols, rows;
    LP_TRY(lp_ui_parse_size(step->text, &cols, &rows, diag));
    LP_TRY(lp_app_resize(&script->app, rows, cols, diag));
    return draw_after(script, diag);
}

static LpErr run_pointer(Script *script, const LpScriptStep *step, LpDiag *diag) {
    lp_app_mouse(&script->app, &step->mouse, script->now);
    return draw_after(script, diag);
}

static LpErr run_key(Script *script, const LpScriptStep *step, LpDiag *diag) {
    LpKey key = step->key;
    script->cast_ms += KEY_MS;
    lp_app_key(&script->app, key, script->now);
    return draw_after(script, diag);
}

/* Nobody is there to go on: playing stops, and a cast shows for a while what there is to see. */
static LpErr run_pause(Script *script, const LpScriptStep *step, LpDiag *diag) {
    lp_app_pause(&script->app, step->text, script->now);
    script->cast_ms += PAUSE_MS;
    return draw_after(script, diag);
}

/* A command of the explorer; one that fails ends the script. */
static LpErr run_command(Script *script, const LpScriptStep *step, LpDiag *diag) {
    LpDiag cause = {0};
    char text[LP_DIAG_FILE + LP_DIAG_TEXT];
    script->cast_ms += COMMAND_MS;
    LpErr err = lp_app_command(&script->app, step->text, script->now, &cause);
    if (err == LP_OK)
        return draw_after(script, diag);
    script->exit_code = err == LP_EINVAL ? 2 : 1;
    return lp_fail_at(diag, err, script->name, script->line, 1, "%s",
                      lp_diag_format(&cause, text, sizeof text));
}

static LpErr (*const runs[])(Script *script, const LpScriptStep *step, LpDiag *diag) = {
    [LP_SCRIPT_KEY] = run_key,         [LP_SCRIPT_COMMAND] = run_command,
    [LP_SCRIPT_WAIT] = run_wait,       [LP_SCRIPT_WAIT_UNTIL] = run_wait_until,
    [LP_SCRIPT_EXPECT] = run_expect,   [LP_SCRIPT_SIZE] = run_size,
    [LP_SCRIPT_POINTER] = run_pointer, [LP_SCRIPT_PAUSE] = run_pause,
};

static LpErr run_script(Script *script, LpDiag *diag) {
    LpScriptStep step = {.kind = LP_SCRIPT_KEY};
    LP_TRY(draw_after(script, diag));
    while (!script->app.quit) {
        LP_TRY(lp_script_next(&script->script, &step, diag));
        if (step.kind == LP_SCRIPT_END)
            break;
        script->line = step.line;
        script->col = step.col;
        LP_TRY(runs[step.kind](script, &step, diag));
    }
    return LP_OK;
}

/* Prints the screen on which the expected text was missing. */
static void show_screen(const Script *script) {
    LpBuf screen = {0};
    lp_canvas_print(&script->app.canvas, &screen);
    fprintf(stderr, "%s", lp_buf_text(&screen));
    lp_buf_fini(&screen);
}

/* Casts as the script goes on, if one is wished for. */
static LpErr run_and_cast(Script *script, const char *path, int cols, int rows, LpDiag *diag) {
    if (path)
        LP_TRY(lp_cast_open(path, cols, rows, &script->cast, diag));
    LpErr err = run_script(script, diag);
    if (err == LP_OK)
        err = lp_cast_close(script->cast, diag);
    else
        lp_cast_drop(script->cast);
    script->cast = NULL;
    return err;
}

/* The script, the end of what it wrote, and the last screen, which is written only if all went
 * well. */
static LpErr run_all(Script *script, const LpUiOptions *options, int cols, int rows, LpDiag *diag) {
    LpDiag ending;
    LpErr err = run_and_cast(script, options->cast, cols, rows, diag);
    if (script->show_screen)
        show_screen(script);
    LpErr ended = lp_app_end(&script->app, &ending);
    if (err == LP_OK && ended != LP_OK) {
        *diag = ending;
        return LP_EIO;
    }
    if (err == LP_OK && script->app.failed) {
        *diag = script->app.diag;
        script->exit_code = 1;
        return diag->code;
    }
    return err == LP_OK && options->save_screen
               ? lp_ui_save_screen(&script->app, options->save_screen, diag)
               : err;
}

/* The screen would take the place of the asciicast. */
static LpErr check_files(const LpUiOptions *options, LpDiag *diag) {
    char shown[LP_DIAG_FILE];
    if (options->cast == NULL || options->save_screen == NULL ||
        !lp_write_same_place(options->cast, options->save_screen))
        return LP_OK;
    return lp_fail(diag, LP_EINVAL,
                   "--cast and --save-screen both name %s: expected a file for each",
                   lp_str_show(shown, sizeof shown, options->cast));
}

int lp_ui_run_keys(LpSession *session, const LpUiOptions *options, LpDiag *diag) {
    Script script = {.name = options->keys_file, .exit_code = 2};
    int cols = 80, rows = 24;
    if (options->size && lp_ui_parse_size(options->size, &cols, &rows, diag) != LP_OK)
        return 2;
    if (check_files(options, diag) != LP_OK)
        return 2;
    LpErr read = lp_script_open(options->keys_file, &script.script, diag);
    if (read != LP_OK)
        return read == LP_ENOMEM ? 1 : 2;
    LpUiOptions mine = *options;
    mine.autosave = false; /* a script says what it wants to be written */
    LpErr err = lp_app_open(&script.app, session, &mine, rows, cols, diag);
    if (err == LP_OK)
        err = run_all(&script, options, cols, rows, diag);
    lp_app_fini(&script.app);
    lp_script_free(&script.script);
    return err == LP_OK ? 0 : err == LP_ENOMEM || err == LP_EIO ? 1 : script.exit_code;
}
