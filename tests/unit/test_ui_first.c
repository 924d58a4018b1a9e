/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Anything may be the first thing that an explorer is told: each key and each command before a
 * picture was drawn, and after one, at sizes down to a single cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/app_impl.h"
#include "group.h"

static const struct { int cols, rows; } sizes[] = {{1, 1}, {200, 1}, {20, 5}, {100, 30}};

static const LpSessionSpec specs[] = {
    {.scenario = "scenarios/two-servers.json", .keep_events = true, .keep_timeline = true},
    {.scenario = "scenarios/rigid.json"}, /* keeps no time line */
};

/* Words that a command takes after its name; without a row it stands alone. Some are refused,
 * which is an answer too; a file is a new one in a folder of the test's own. */
static const struct {
    LpUiCommand command;
    const char *words;
} words[] = {
    {LP_UI_COMMAND_STEP, "1"},
    {LP_UI_COMMAND_PACE, "max"},
    {LP_UI_COMMAND_SEEK, "d1"},
    {LP_UI_COMMAND_FORK, "wait"},
    {LP_UI_COMMAND_POLICY, "scripts/edf.lua"},
    {LP_UI_COMMAND_PARAM, "a=1"},
    {LP_UI_COMMAND_CHANGE, "bandwidth=0.5"},
    {LP_UI_COMMAND_BRANCH, "main"},
    {LP_UI_COMMAND_RENAME, "trunk"},
    {LP_UI_COMMAND_DELETE, "main"},
    {LP_UI_COMMAND_YANK, "pane"},
    {LP_UI_COMMAND_WRITE, "session"},
    {LP_UI_COMMAND_RUN_UNTIL, "event block"},
    {LP_UI_COMMAND_BREAK, "cause time"},
    {LP_UI_COMMAND_LUA, "cluster.free"},
    {LP_UI_COMMAND_WHATIF, "1"},
    {LP_UI_COMMAND_STORY, "0"},
    {LP_UI_COMMAND_FILTER, "a"},
    {LP_UI_COMMAND_FRAME, "next"},
    {LP_UI_COMMAND_SEARCH, "a"},
    {LP_UI_COMMAND_VIEW, "branches"},
    {LP_UI_COMMAND_THEME, "light"},
    {LP_UI_COMMAND_SET, "motion=on"},
    {LP_UI_COMMAND_LESSON, "next"},
    {LP_UI_COMMAND_PRESENT, "on"},
    {LP_UI_COMMAND_DO, "compare"},
    {LP_UI_COMMAND_RECORD, "record"},
    {LP_UI_COMMAND_SAVE_SCREEN, "screen"},
};

typedef struct Bench {
    LpSession *session;
    LpApp app;
} Bench;

static void open_bench(Bench *b, size_t spec, size_t size, bool drawn) {
    LpUiOptions options = {.no_motion = true};
    LpDiag diag = {0};
    if (lp_session_open(&specs[spec], &b->session, &diag) != LP_OK)
        fail_msg("%s: %s", specs[spec].scenario, diag.text);
    assert_int_equal(
        lp_app_open(&b->app, b->session, &options, sizes[size].rows, sizes[size].cols, &diag),
        LP_OK);
    if (drawn)
        assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

static void close_bench(Bench *b) {
    LpDiag diag = {0};
    b->app.dirty = true;
    if (lp_app_draw(&b->app, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    lp_app_fini(&b->app);
    lp_session_close(b->session);
}

/* Calls `tell` with each scenario and size, drawn before and not. */
static void everywhere(void (*tell)(Bench *b, int what), int what) {
    for (size_t spec = 0; spec < LP_COUNTOF(specs); spec++)
        for (size_t size = 0; size < LP_COUNTOF(sizes); size++)
            for (int drawn = 0; drawn < 2; drawn++) {
                Bench b;
                if (!test_taken((unsigned)what + (unsigned)(spec * 5 + size * 2) + (unsigned)drawn))
                    continue;
                open_bench(&b, spec, size, drawn != 0);
                tell(&b, what);
                close_bench(&b);
            }
}

static void tell_action(Bench *b, int what) {
    lp_app_key(&b->app, b->app.keymap.key[what][0], 0);
}

static void test_keys(void **state) {
    (void)state;
    for (int action = 1; action < LP_UI_ACTION_COUNT; action++)
        everywhere(tell_action, action);
}

static void tell_command(Bench *b, int what) {
    char name[32], line[200], folder[] = "/tmp/lp-first.XXXXXX", file[64];
    const char *more = "";
    LpDiag diag = {0};
    bool writes = what == LP_UI_COMMAND_WRITE || what == LP_UI_COMMAND_RECORD ||
                  what == LP_UI_COMMAND_SAVE_SCREEN;
    for (size_t i = 0; i < LP_COUNTOF(words); i++)
        if ((int)words[i].command == what)
            more = words[i].words;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/%s", folder, more);
    snprintf(line, sizeof line, "%s %s", lp_ui_command_name((LpUiCommand)what, name),
             writes ? file : more);
    (void)!lp_app_command(&b->app, line, 0, &diag); /* may be refused */
    lp_app_record_end(&b->app);
    if (writes)
        (void)!unlink(file);
    rmdir(folder);
}

static void test_commands(void **state) {
    (void)state;
    for (int command = 0; command < LP_UI_COMMAND_COUNT; command++)
        everywhere(tell_command, command);
}

/* Names of actions are what key scripts and presenters use. */
static void tell_do(Bench *b, int what) {
    char name[LP_UI_ACTION_NAME], line[64];
    LpDiag diag = {0};
    snprintf(line, sizeof line, "do %s 2", lp_ui_action_name((LpUiAction)what, name));
    (void)!lp_app_command(&b->app, line, 0, &diag);
}

static void test_actions_by_name(void **state) {
    (void)state;
    for (int action = 1; action < LP_UI_ACTION_COUNT; action++)
        everywhere(tell_do, action);
}

static void tell_mouse(Bench *b, int what) {
    LpMouse mouse = {(LpMouseKind)what, 0, 0};
    lp_app_mouse(&b->app, &mouse, 0);
    mouse.x = mouse.y = 999;
    lp_app_mouse(&b->app, &mouse, 0);
}

static void test_mouse(void **state) {
    (void)state;
    for (int kind = 0; kind < LP_MOUSE_NOTHING; kind++)
        everywhere(tell_mouse, kind);
}

TEST_GROUP(test_ui_first) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_actions_by_name),
        cmocka_unit_test(test_mouse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
