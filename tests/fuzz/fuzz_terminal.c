/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as names, notes, reasons, messages, commands and files: on the canvas every cell is one
 * column wide, and in reports and messages no byte of the input below 0x20, no DEL and no C1 is
 * left. Opening a run whose every text is the input, and drawing all of its screens, takes as long
 * as hundreds of single commands: only inputs that begin with a NUL are such a run, and all others
 * one command of an explorer that stays open, and files of every kind. */
#include "fuzz.h"

#include "app.h"
#include "app_impl.h"
#include "io/keys.h"
#include "io/scenario.h"
#include "io/theme.h"
#include "run/failure.h"
#include "run/report.h"

enum { TEXT_MAX = 160, ROWS = 24, COLS = 80, INPUTS_EACH = 1000, BRANCHES = 8 };

/* --- what must hold --- */

/* Own newlines are allowed, and what is of one column (`data`: of any width, see lp_str_guard). */
static void check_text(const char *text, size_t len, bool data) {
    for (size_t i = 0, used; i < len; i += used) {
        uint32_t cp;
        used = lp_utf8_decode(text + i, len - i, &cp);
        bool control = cp < 0x20 || (cp >= 0x7F && cp < 0xA0);
        if (cp == '\n')
            continue;
        if (control || (used == 1 && cp == 0xFFFD) || (!data && !lp_utf8_is_narrow(cp)))
            abort();
    }
}

static void check_diag(LpErr err, const LpDiag *diag) {
    char text[LP_DIAG_FILE + LP_DIAG_TEXT + 32];
    if (err == LP_OK)
        return;
    lp_diag_format(diag, text, sizeof text);
    if (strchr(text, '\n') != NULL)
        abort();
    check_text(text, strlen(text), false);
}

static void check_canvas(const LpCanvas *canvas) {
    for (int i = 0; i < canvas->rows * canvas->cols; i++)
        if (!lp_utf8_is_narrow(canvas->cell[i].cp))
            abort();
}

/* --- a run of such texts --- */

/* The policy, whose every text is the input. */
typedef struct Script {
    LpBuf text;
} Script;

static LpErr read_script(void *user, const char *path, size_t max, char **text, size_t *len,
                         LpDiag *diag) {
    const Script *script = user;
    (void)max;
    if (strstr(path, "p.lua") == NULL)
        return lp_fail(diag, LP_EIO, "%s: no such file", path);
    *text = lp_alloc(script->text.len + 1, 1);
    if (*text == NULL)
        return lp_fail_memory(diag, "a policy");
    memcpy(*text, lp_buf_text(&script->text), script->text.len + 1);
    *len = script->text.len;
    return LP_OK;
}

static bool script_exists(void *user, const char *path) {
    (void)user;
    return strstr(path, "p.lua") != NULL;
}

/* As a text of Lua, byte by byte. */
static void add_lua(LpBuf *out, const uint8_t *data, size_t size) {
    lp_buf_add(out, "\"");
    for (size_t i = 0; i < size; i++)
        lp_buf_addf(out, "\\%03u", (unsigned)data[i]);
    lp_buf_add(out, "\"");
}

static void make_script(const uint8_t *data, size_t size, LpBuf *out) {
    lp_buf_add(out, "local E = ");
    add_lua(out, data, size);
    lp_buf_add(out, "\nlocal policy = {name = E, api = 1, params = {n = {default = 1, doc = E}}}\n"
                    "function policy:partition(job)\n"
                    "  print(E)\n  explain{columns = {E}, rows = {{E}, {1}}, chosen = 1}\n"
                    "  if job.id == 1 then return nil, E end\n"
                    "  if job.id == 2 then error(E) end\n  return 1, E\nend\nreturn policy\n");
}

static void make_scenario(const char *text, LpBuf *out) {
    static const char *const keys[] = {"name", "title", "notes"};
    lp_buf_add(out, "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":4,"
                    "\"node_bandwidth\":1e12},\"server\":{\"device\":\"A100\"}}");
    for (size_t i = 0; i < LP_COUNTOF(keys); i++) {
        lp_buf_addf(out, ",\"%s\":", keys[i]);
        lp_str_json(out, text);
    }
    lp_buf_add(out, ",\"graphs\":[{\"zoo\":\"alexnet\",\"batch\":8,\"id\":");
    lp_str_json(out, text);
    lp_buf_add(out, "}],\"jobs\":[");
    for (int i = 0; i < 4; i++) {
        lp_buf_addf(out, "%s{\"arrival\":%d,\"steps\":2,\"graph\":", i ? "," : "", i);
        lp_str_json(out, text);
        lp_buf_add(out, "}");
    }
    lp_buf_add(out, "],\"policy\":{\"script\":\"p.lua\"}}");
}

static LpErr sink(void *data, const char *bytes, size_t len, LpDiag *diag) {
    (void)diag;
    check_text(bytes, len, *(bool *)data);
    return LP_OK;
}

static void check_reports(LpSession *session) {
    static const LpReportKind kinds[] = {LP_REPORT_JSON, LP_REPORT_CSV, LP_REPORT_TEXT,
                                         LP_REPORT_TRACE};
    LpDiag diag = {0};
    for (size_t i = 0; i < LP_COUNTOF(kinds); i++) {
        bool data = kinds[i] != LP_REPORT_TEXT;
        check_diag(lp_report_write(session, kinds[i], sink, &data, &diag), &diag);
    }
    for (uint32_t i = 0; i < lp_session_failures(session); i++) {
        LpBuf text = {0}, safe = {0};
        lp_failure_text(lp_session_failure(session, i), &text);
        lp_str_escape_lines(&safe, lp_buf_text(&text), text.len); /* as lp_cli_tell does */
        check_text(lp_buf_text(&safe), safe.len, false);
        lp_buf_fini(&text);
        lp_buf_fini(&safe);
    }
}

static void draw(LpApp *app) {
    LpDiag diag = {0};
    app->dirty = true;
    check_diag(lp_app_draw(app, &diag), &diag);
    check_canvas(&app->canvas);
}

static const char *const commands[] = {"%s",        "fork name=\"%s\"", "filter %s", "theme %s",
                                       "rename %s", "story 1",          "view %s",   "lua %s",
                                       "help %s",   "seek %s",          "yank"};

/* One of the commands with the text; nothing that writes files. */
static void check_command(LpApp *app, size_t command, const char *text) {
    char line[2 * TEXT_MAX];
    LpDiag diag = {0};
    LpUiLine read;
    const char *at = strstr(commands[command], "%s");
    lp_str_copy(line, sizeof line, commands[command]);
    if (at) {
        lp_str_copy(line + (at - commands[command]), TEXT_MAX, text);
        strcat(line, at + 2);
    }
    if (!at || lp_ui_command_read(line, &read, &diag) != LP_OK ||
        (read.command != LP_UI_COMMAND_WRITE && read.command != LP_UI_COMMAND_SAVE_SCREEN &&
         read.command != LP_UI_COMMAND_RECORD && read.command != LP_UI_COMMAND_YANK))
        check_diag(lp_app_command(app, line, 0, &diag), &diag);
    draw(app);
    check_text(lp_buf_text(&app->yanked), app->yanked.len, true);
}

static void check_app(LpApp *app, const char *text) {
    static const char keys[] = "12345678ewxcby0:?";
    for (const char *key = keys; *key; key++) {
        lp_app_key(app, (LpKey)*key, 0);
        draw(app);
        if (app->ui.prompt.open)
            lp_app_key(app, LP_KEY_ESC, 0);
    }
    for (size_t i = 0; i < LP_COUNTOF(commands); i++)
        check_command(app, i, text);
}

/* A run and the explorer on it. */
typedef struct Stage {
    Script script;
    LpFiles files;
    LpSession *session;
    LpApp app;
    bool open;
} Stage;

static void open_stage(Stage *stage, const uint8_t *data, size_t size, const char *text) {
    *stage = (Stage){.files = {&stage->script, read_script, script_exists}};
    const LpLoadOptions load = {.files = &stage->files};
    LpSessionSpec spec = {
        .keep_events = true, .keep_timeline = true, .keep_explain = true, .files = &stage->files};
    const LpUiOptions options = {.no_motion = true};
    LpBuf json = {0};
    LpScenario *scenario = NULL;
    LpDiag diag = {0};
    make_script(data, size, &stage->script.text);
    make_scenario(text, &json);
    LpErr err = lp_scenario_parse(lp_buf_text(&json), json.len, "s.json", &load, &scenario, &diag);
    if (err == LP_OK)
        err = lp_session_open_with(scenario, &spec, &stage->session, &diag);
    check_diag(err, &diag);
    stage->open = err == LP_OK &&
                  lp_app_open(&stage->app, stage->session, &options, ROWS, COLS, &diag) == LP_OK;
    lp_buf_fini(&json);
    for (int i = 0; stage->open && i < 6; i++)
        lp_app_key(&stage->app, 'n', 0);
}

static void close_stage(Stage *stage) {
    if (stage->open)
        lp_app_fini(&stage->app);
    lp_session_close(stage->session);
    lp_buf_fini(&stage->script.text);
    *stage = (Stage){.open = false};
}

/* A run whose every text is the input. */
static void check_run(const uint8_t *data, size_t size, const char *text) {
    static Stage stage;
    open_stage(&stage, data, size, text);
    if (stage.open) {
        draw(&stage.app);
        check_app(&stage.app, text);
        lp_app_fini(&stage.app);
        check_reports(stage.session);
        stage.open = false;
    }
    close_stage(&stage);
}

/* One command, chosen by the first byte, in an explorer that serves many inputs: it is opened anew
 * where it was left, and before its tree of branches grows. */
static void check_one(uint8_t first, const char *text) {
    static const uint8_t name[] = "name";
    static Stage stage;
    static int left;
    if (left-- <= 0 || stage.app.quit || lp_session_branches(stage.session) > BRANCHES) {
        close_stage(&stage);
        open_stage(&stage, name, sizeof name - 1, "name");
        lp_fuzz_must(stage.open);
        left = INPUTS_EACH;
    }
    check_command(&stage.app, first % LP_COUNTOF(commands), text);
}

/* As files of every kind: what is said of them. */
static void check_files(const char *text, size_t len) {
    static const char *const roles[] = {"text", NULL};
    LpArena *arena = lp_arena_new(0);
    LpScenario *scenario = NULL;
    LpThemeSpec theme;
    LpBindings keys;
    LpDiag diag = {0};
    check_diag(lp_theme_parse(text, text, len, roles, &theme, &diag), &diag);
    if (arena)
        check_diag(lp_keys_parse(text, text, len, arena, &keys, &diag), &diag);
    const LpLoadOptions options = {.max_input = 1 << 12};
    check_diag(lp_scenario_parse(text, len, text, &options, &scenario, &diag), &diag);
    lp_scenario_free(scenario);
    lp_arena_free(arena);
}

bool lp_fuzz_input(const uint8_t *data, size_t size) {
    char text[TEXT_MAX + 1];
    size = size < TEXT_MAX ? size : TEXT_MAX;
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] ? (char)data[i] : ' ';
    text[size] = '\0';
    check_files(text, size);
    if (size == 0 || data[0] == 0)
        check_run(data, size, size ? text : "x");
    else
        check_one(data[0], text + 1);
    return true;
}
