/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer without a terminal: a script of keys drives it, on a clock of its own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "base/lack.h"
#include "base/mem.h"
#include "front/front.h"
#include "run/host/write_file.h"
#include "term/cast.h"
#include "term/output.h"
#include "term/picture.h"

enum {
    SCRIPT_MAX = 1 << 20,
    REPEAT_MAX = 100000,
    PATIENCE_MS = 600000,
    KEY_MS = 150,
    COMMAND_MS = 1000 /* in a cast, so that it can be watched */
};

/* A script while it is read. */
typedef struct Script {
    const char *name;
    char *text;
    int line, col;
    int64_t now; /* ms, the program's clock */
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

/* ---- files ---- */

static LpErr read_script(const char *path, char **out, LpDiag *diag) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file && errno == ENOMEM)
        return lp_fail_memory(diag, "the key script");
    if (!file)
        return lp_fail(diag, lp_err_of(errno), "%s: %s", path, strerror(errno));
    char *text = lp_alloc(SCRIPT_MAX + 1, 1);
    size_t len = text ? fread(text, 1, SCRIPT_MAX + 1, file) : 0;
    bool bad = ferror(file) != 0;
    if (!standard)
        fclose(file);
    LpErr err = !text              ? lp_fail_memory(diag, "the key script")
                : bad              ? lp_fail(diag, LP_EIO, "%s: cannot read", path)
                : len > SCRIPT_MAX ? lp_fail(diag, LP_ELIMIT, "%s: longer than 1 MiB", path)
                                   : lp_text_check(path, text, len, diag);
    if (err != LP_OK)
        lp_free(text);
    else
        *out = text;
    return err;
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

static LpErr press(Script *script, LpKey key, LpDiag *diag) {
    script->cast_ms += KEY_MS;
    lp_app_key(&script->app, key, script->now);
    return draw_after(script, diag);
}

/* Goes to the next frame, or to `until` if that is sooner. */
static LpErr next_frame(Script *script, int64_t until, LpDiag *diag) {
    int64_t deadline = lp_app_deadline(&script->app);
    script->now = deadline < 0 || deadline > until ? until
                  : deadline > script->now         ? deadline
                                                   : script->now + 1;
    lp_app_tick(&script->app, script->now);
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

static LpErr run_wait(Script *script, const char *text, LpDiag *diag) {
    char *end = NULL;
    long ms = strtol(text, &end, 10);
    if (end == text || *end || ms < 0 || ms > PATIENCE_MS)
        return lp_fail_at(diag, LP_EPARSE, script->name, script->line, 1,
                          "\"%s\" is no time to wait: expected 0 to %d ms", text, PATIENCE_MS);
    for (int64_t until = script->now + ms; script->now < until;)
        LP_TRY(next_frame(script, until, diag));
    return LP_OK;
}

static LpErr run_wait_until(Script *script, const char *text, LpDiag *diag) {
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

static LpErr run_expect(Script *script, const char *text, LpDiag *diag) {
    bool found;
    LP_TRY(find_text(script, text, &found, diag));
    return found ? LP_OK : not_shown(script, text, "", diag);
}

/* Every character is a key. */
static LpErr run_type(Script *script, const char *text, LpDiag *diag) {
    for (size_t left = strlen(text), used; left > 0; text += used, left -= used) {
        uint32_t cp;
        used = lp_utf8_decode(text, left, &cp);
        LP_TRY(press(script, cp, diag));
    }
    return LP_OK;
}

static LpErr run_size(Script *script, const char *text, LpDiag *diag) {
    int cols, rows;
    LP_TRY(lp_ui_parse_size(text, &cols, &rows, diag));
    LP_TRY(lp_app_resize(&script->app, rows, cols, diag));
    return draw_after(script, diag);
}

/* "press 10 3", "drag 20 3", "release 20 3", "up 5 5", "down 5 5": column and row from 0. */
static LpErr run_pointer(Script *script, const char *text, LpDiag *diag) {
    static const char *const kinds[] = {"press", "drag", "release", "up", "down"};
    LpMouse mouse = {LP_MOUSE_NOTHING, 0, 0};
    char word[16];
    int used = 0;
    if (sscanf(text, "%15s %d %d%n", word, &mouse.x, &mouse.y, &used) == 3 && !text[used])
        for (size_t i = 0; i < LP_COUNTOF(kinds); i++)
            if (strcmp(word, kinds[i]) == 0)
                mouse.kind = (LpMouseKind)i;
    if (mouse.kind == LP_MOUSE_NOTHING)
        return lp_fail_at(
            diag, LP_EPARSE, script->name, script->line, 1,
            "\"%s\" is nothing that a mouse does: expected press, drag, release, up or "
            "down, then column and row",
            text);
    lp_app_mouse(&script->app, &mouse, script->now);
    return draw_after(script, diag);
}

static const struct {
    const char *name;
    LpErr (*run)(Script *script, const char *text, LpDiag *diag);
} directives[] = {
    {"wait", run_wait}, {"wait-until", run_wait_until}, {"expect", run_expect}, {"size", run_size},
    {"type", run_type}, {"pointer", run_pointer},
};

/* Index of the directive that the line begins with, -1: none; *text: what follows. */
static int find_directive(char *line, char **text) {
    size_t len = strcspn(line, " \t");
    for (size_t i = 0; i < LP_COUNTOF(directives); i++)
        if (strlen(directives[i].name) == len && strncmp(line, directives[i].name, len) == 0) {
            *text = line + len + strspn(line + len, " \t");
            return (int)i;
        }
    return -1;
}

/* Removes quotes around a text. */
static char *unquote(char *text) {
    size_t len = strlen(text);
    if (len < 2 || text[0] != '"' || text[len - 1] != '"')
        return text;
    text[len - 1] = '\0';
    return text + 1;
}

static LpErr run_directive(Script *script, int index, char *text, LpDiag *diag) {
    if (!*text)
        return lp_fail_at(diag, LP_EPARSE, script->name, script->line, 1,
                          ":%s needs a word after it", directives[index].name);
    return directives[index].run(script, unquote(text), diag);
}

/* A command of the explorer; one that fails ends the script. */
static LpErr run_command(Script *script, const char *line, LpDiag *diag) {
    LpDiag cause = {0};
    char text[LP_DIAG_FILE + LP_DIAG_TEXT];
    script->cast_ms += COMMAND_MS;
    LpErr err = lp_app_command(&script->app, line, script->now, &cause);
    if (err == LP_OK)
        return draw_after(script, diag);
    script->exit_code = err == LP_EINVAL ? 2 : 1;
    return lp_fail_at(diag, err, script->name, script->line, 1, "%s",
                      lp_diag_format(&cause, text, sizeof text));
}

/* Is the first word of the line the name of a command? */
static bool names_command(const char *line) {
    char name[32];
    size_t len = strcspn(line, " \t");
    if (len == 0 || len >= sizeof name)
        return false;
    lp_str_copy(name, len + 1, line);
    return lp_ui_command_find(name) >= 0 && lp_key_find(name) == LP_KEY_NONE;
}

/* "n", "Tab", "n*12" */
static LpErr run_key(Script *script, char *word, LpDiag *diag) {
    char *star = strlen(word) > 2 ? strchr(word + 1, '*') : NULL, *end = NULL;
    long times = 1;
    if (star) {
        times = strtol(star + 1, &end, 10);
        if (end == star + 1 || *end || times < 1 || times > REPEAT_MAX)
            return lp_fail_at(diag, LP_EPARSE, script->name, script->line, script->col,
                              "\"%s\": expected KEY*N with N from 1 to %d", word, REPEAT_MAX);
        *star = '\0';
    }
    LpKey key = lp_key_find(word);
    if (key == LP_KEY_NONE)
        return lp_fail_at(diag, LP_EPARSE, script->name, script->line, script->col,
                          "\"%s\" names no key: expected a character, or a name such as space, "
                          "Tab, Enter, Esc, Up, C-c",
                          word);
    for (long i = 0; i < times && !script->app.quit; i++)
        LP_TRY(press(script, key, diag));
    return LP_OK;
}

static LpErr run_line(Script *script, char *line, LpDiag *diag) {
    char *start = line + strspn(line, " \t\r"), *text = NULL;
    line[strcspn(line, "\r")] = '\0';
    bool colon = start[0] == ':' && start[1] && !strchr(" \t", start[1]);
    int directive = find_directive(start + colon, &text);
    if (directive >= 0)
        return run_directive(script, directive, text, diag);
    if (colon || names_command(start))
        return run_command(script, start, diag);
    while (*start && *start != '#' && !script->app.quit) {
        size_t len = strcspn(start, " \t");
        char *next = start + len + strspn(start + len, " \t");
        start[len] = '\0';
        script->col = (int)(start - line) + 1;
        LP_TRY(run_key(script, start, diag));
        start = next;
    }
    return LP_OK;
}

static LpErr run_script(Script *script, LpDiag *diag) {
    char *line = script->text;
    LP_TRY(draw_after(script, diag));
    while (line && !script->app.quit) {
        char *end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        script->line++;
        script->col = 1;
        LP_TRY(run_line(script, line, diag));
        line = end;
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
    LpErr read = read_script(options->keys_file, &script.text, diag);
    if (read != LP_OK)
        return read == LP_ENOMEM ? 1 : 2;
    LpUiOptions mine = *options;
    mine.autosave = false; /* a script says what it wants to be written */
    LpErr err = lp_app_open(&script.app, session, &mine, rows, cols, diag);
    if (err == LP_OK)
        err = run_all(&script, options, cols, rows, diag);
    lp_app_fini(&script.app);
    lp_free(script.text);
    return err == LP_OK ? 0 : err == LP_ENOMEM || err == LP_EIO ? 1 : script.exit_code;
}
