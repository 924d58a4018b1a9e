/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stage.h"

#include "app/app_impl.h"
#include "io/scenario/scenario.h"
#include "say/report.h"
#include "session/failure.h"

enum { ROWS = 24, COLS = 80 };

void lp_fuzz_line(const uint8_t *data, size_t size, char text[LP_FUZZ_TEXT + 1]) {
    size = size < LP_FUZZ_TEXT ? size : LP_FUZZ_TEXT;
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] ? (char)data[i] : ' ';
    text[size] = '\0';
}

/* ---- what must hold ---- */

/* Own newlines are allowed, and what is of one column (`data`: of any width, see lp_str_guard). */
static void check_text(const char *text, size_t len, bool data) {
    for (size_t i = 0, used; i < len; i += used) {
        uint32_t cp;
        used = lp_utf8_decode(text + i, len - i, &cp);
        bool control = cp < 0x20 || (cp >= 0x7F && cp < 0xA0);
        if (cp == '\n')
            continue;
        if (control || (used == 1 && cp == 0xFFFD) || (!data && lp_utf8_columns(cp) < 0))
            abort();
    }
}

void lp_fuzz_diag(LpErr err, const LpDiag *diag) {
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
        if (lp_utf8_columns(canvas->cell[i].cp) < 1 && canvas->cell[i].cp != LP_CELL_REST)
            abort();
}

/* ---- a run of such texts ---- */

static LpErr read_script(void *user, const char *path, size_t max, char **text, size_t *len,
                         LpDiag *diag) {
    const LpBuf *script = user;
    (void)max;
    if (strstr(path, "p.lua") == NULL)
        return lp_fail(diag, LP_EIO, "%s: no such file", path);
    *text = lp_alloc(script->len + 1, 1);
    if (*text == NULL)
        return lp_fail_memory(diag, "a policy");
    memcpy(*text, lp_buf_text(script), script->len + 1);
    *len = script->len;
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

void lp_fuzz_reports(LpSession *session) {
    static const LpReportKind kinds[] = {LP_REPORT_JSON, LP_REPORT_CSV, LP_REPORT_TEXT,
                                         LP_REPORT_TRACE};
    LpDiag diag = {0};
    for (size_t i = 0; i < LP_COUNTOF(kinds); i++) {
        bool data = kinds[i] != LP_REPORT_TEXT;
        lp_fuzz_diag(lp_report_write(session, kinds[i], sink, &data, &diag), &diag);
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
    lp_fuzz_diag(lp_app_draw(app, &diag), &diag);
    check_canvas(&app->canvas);
}

static const char *const commands[LP_FUZZ_COMMANDS] = {
    "%s",      "fork name=\"%s\"", "filter %s", "theme %s", "rename %s", "story 1",
    "view %s", "lua %s",           "help %s",   "seek %s",  "yank"};

void lp_fuzz_command(LpApp *app, size_t command, const char *text) {
    char line[2 * LP_FUZZ_TEXT];
    LpDiag diag = {0};
    LpUiLine read;
    const char *at = strstr(commands[command], "%s");
    lp_str_copy(line, sizeof line, commands[command]);
    if (at) {
        lp_str_copy(line + (at - commands[command]), LP_FUZZ_TEXT, text);
        strcat(line, at + 2);
    }
    if (!at || lp_ui_command_read(line, &read, &diag) != LP_OK ||
        (read.command != LP_UI_COMMAND_WRITE && read.command != LP_UI_COMMAND_SAVE_SCREEN &&
         read.command != LP_UI_COMMAND_RECORD && read.command != LP_UI_COMMAND_YANK))
        lp_fuzz_diag(lp_app_command(app, line, 0, &diag), &diag);
    draw(app);
    check_text(lp_buf_text(&app->copied.text), app->copied.text.len, true);
}

void lp_fuzz_key(LpApp *app, size_t key) {
    static const char keys[LP_FUZZ_KEYS + 1] = "12345678ewxcby0:?";
    lp_app_key(app, (LpKey)keys[key], 0);
    draw(app);
    if (app->ui.prompt.open)
        lp_app_key(app, LP_KEY_ESC, 0);
}

void lp_fuzz_open(LpFuzzStage *stage, const uint8_t *data, size_t size) {
    char text[LP_FUZZ_TEXT + 1];
    *stage = (LpFuzzStage){.files = {&stage->script, read_script, script_exists, NULL}};
    const LpLoadOptions load = {.files = &stage->files};
    LpSessionSpec spec = {
        .keep_events = true, .keep_timeline = true, .keep_explain = true, .files = &stage->files};
    const LpUiOptions options = {.no_motion = true};
    LpBuf json = {0};
    LpScenario *scenario = NULL;
    LpDiag diag = {0};
    lp_fuzz_line(data, size, text);
    make_script(data, size < LP_FUZZ_TEXT ? size : LP_FUZZ_TEXT, &stage->script);
    make_scenario(text, &json);
    LpErr err = lp_scenario_parse(lp_buf_text(&json), json.len, "s.json", &load, &scenario, &diag);
    if (err == LP_OK)
        err = lp_session_open_with(scenario, &spec, &stage->session, &diag);
    lp_fuzz_diag(err, &diag);
    stage->open = err == LP_OK &&
                  lp_app_open(&stage->app, stage->session, &options, ROWS, COLS, &diag) == LP_OK;
    lp_buf_fini(&json);
    for (int i = 0; stage->open && i < 6; i++)
        lp_app_key(&stage->app, 'n', 0);
    if (stage->open)
        draw(&stage->app); /* keys look at what is shown */
}

void lp_fuzz_close(LpFuzzStage *stage) {
    if (stage->open)
        lp_app_fini(&stage->app);
    lp_session_close(stage->session);
    lp_buf_fini(&stage->script);
    *stage = (LpFuzzStage){.open = false};
}
