/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boards make use of their room: in every shipped scenario, at four sizes and at two moments, no
 * board has more than four empty rows over half of the screen's width beside or below what it
 * shows. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "group.h"
#include "screen/screen.h"

enum { ROWS_MOST = 4 };

static const struct { int cols, rows; } sizes[] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};

/* Moments of each, as numbers of decisions; 0: none. All are before the run is over. */
static const struct {
    const char *scenario;
    int next[2];
} cases[] = {
    {"circuits-ocs", {1, 0}},
    {"disaggregated-rack-3-3", {1, 2}},
    {"disaggregated-rack", {1, 2}},
    {"five-decisions", {1, 3}},
    {"ideal-loss", {1, 40}},
    {"leaf-spine", {1, 40}},
    {"llama-405b-rails", {1, 2}},
    {"mixtral-regional", {1, 2}},
    {"my-queue", {0, 0}}, /* shown as a tree; what rigid jobs send is not known */
    {"ocs-failures", {1, 40}},
    {"optics-vs-packets", {1, 3}},
    {"orders-ramp", {1, 0}},
    {"pac-ml-32", {1, 40}},
    {"place-ramp", {1, 0}},
    {"pod-64", {1, 40}},
    {"pod-failures", {1, 20}},
    {"published-32", {1, 40}},
    {"rigid", {1, 3}},
    {"transformers", {1, 20}},
    {"two-servers", {1, 0}},
    {"two-traces", {1, 0}},
    {"zones-servers", {1, 20}},
    {"zones", {1, 20}},
};

/* No scenario is forgotten. */
static void test_all_are_there(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("scenarios/*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        bool known = false;
        for (size_t c = 0; c < LP_COUNTOF(cases); c++) {
            char path[200];
            snprintf(path, sizeof path, "scenarios/%s.json", cases[c].scenario);
            known |= strcmp(path, found.gl_pathv[i]) == 0;
        }
        if (!known)
            fail_msg("%s is not among the cases", found.gl_pathv[i]);
    }
    globfree(&found);
}

static bool is_empty(const LpCell *cell) {
    return cell->cp == ' ' && !(cell->style & (LP_FILL | LP_REVERSE | LP_SWAP));
}

/* Columns beside each other that are empty in ROWS_MOST + 1 rows from y on, at most. */
static int empty_columns(const LpCanvas *canvas, int y) {
    int most = 0, run = 0;
    for (int x = 0; x < canvas->cols; x++) {
        bool empty = true;
        for (int i = 0; i <= ROWS_MOST; i++)
            empty &= is_empty(lp_canvas_at(canvas, x, y + i));
        run = empty ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most;
}

/* Says where a region is empty. Returns how many screens have one. */
static int look(LpApp *app, const char *where) {
    LpScreenLayout layout = lp_screen_layout(&app->model, &app->canvas);
    LpRect a = layout.pane[LP_PANE_SERVERS], b = layout.pane[LP_PANE_CIRCUITS];
    assert_true(a.h > 0 && b.h > 0);
    for (int y = a.y; y + ROWS_MOST < a.y + a.h; y++)
        if (empty_columns(&app->canvas, y) >= app->canvas.cols / 2) {
            print_error("%s at %dx%d: rows from %d on\n", where, app->canvas.cols, app->canvas.rows,
                        y);
            return 1;
        }
    return 0;
}

static void test_boards_make_use_of_their_room(void **state) {
    (void)state;
    int bad = 0;
    for (size_t c = 0; c < LP_COUNTOF(cases); c++) {
        char path[200];
        snprintf(path, sizeof path, "scenarios/%s.json", cases[c].scenario);
        LpSessionSpec spec = {.scenario = path, .keep_events = true, .keep_timeline = true};
        LpUiOptions options = {.no_motion = true};
        LpSession *session;
        LpApp app;
        LpDiag diag = {0};
        if (lp_session_open(&spec, &session, &diag) != LP_OK)
            fail_msg("%s: %s", path, diag.text);
        assert_int_equal(lp_app_open(&app, session, &options, 24, 80, &diag), LP_OK);
        int done = 0;
        for (int m = 0; m < 2 && cases[c].next[m] > 0; m++) {
            char text[40];
            snprintf(text, sizeof text, "next %d", cases[c].next[m] - done);
            done = cases[c].next[m];
            if (lp_app_command(&app, text, 0, &diag) != LP_OK)
                fail_msg("%s: %s", path, diag.text);
            for (size_t s = 0; s < LP_COUNTOF(sizes); s++) {
                assert_int_equal(lp_app_resize(&app, sizes[s].rows, sizes[s].cols, &diag), LP_OK);
                assert_int_equal(lp_app_draw(&app, &diag), LP_OK);
                if (app.model.ui->only == LP_PANE_COUNT)
                    bad += look(&app, path);
            }
        }
        lp_app_fini(&app);
        lp_session_close(session);
    }
    assert_int_equal(bad, 0);
}

TEST_GROUP(test_ui_room) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_are_there),
                                       cmocka_unit_test(test_boards_make_use_of_their_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
