/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every view at many sizes from 20x5 to 400x120: it draws without a fault, its box stays whole, and
 * nothing that cannot be shown gets onto the canvas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/app_impl.h"
#include "group.h"
#include "screen/screen.h"

enum { COLS_MOST = 400, ROWS_MOST = 120 };

static const struct {
    const char *scenario;
    int decisions;
} runs[] = {
    {"scenarios/pac-ml-32.json", 12},
    {"scenarios/disaggregated-rack.json", 1},
    {"scenarios/zones.json", 3},
    {"tests/tui/scenarios/big.json", 3},
};

/* Keys that move and change what a view shows. */
static const LpKey pressed[] = {LP_KEY_DOWN, 'v', LP_KEY_RIGHT, 'z', LP_KEY_PGDN,
                                'Z',         'v', 'z',          'z', LP_KEY_UP};

/* Below title, bar and counts the pane that is shown alone begins with its heading, at the left
 * edge; it leaves the last two lines to the time line and the keys. */
static bool has_heading(const LpApp *app, LpRect r) {
    const LpCell *first = lp_canvas_at(&app->canvas, r.x, r.y);
    const LpCell *second = lp_canvas_at(&app->canvas, r.x + 1, r.y);
    return r.y + r.h == app->canvas.rows - 2 && first && second && first->cp == ' ' &&
           second->cp >= 'A' && second->cp <= 'Z' && (second->style & 0xff) == LP_ROLE_LABEL;
}

static void check_cells(const LpApp *app) {
    for (int i = 0; i < app->canvas.rows * app->canvas.cols; i++)
        if (lp_utf8_columns(app->canvas.cell[i].cp) < 1 && app->canvas.cell[i].cp != LP_CELL_REST)
            fail_msg("cell %d holds U+%04X", i, (unsigned)app->canvas.cell[i].cp);
}

static void check_screen(LpApp *app, LpPane pane, int cols, int rows) {
    LpDiag diag = {0};
    assert_int_equal(lp_app_resize(app, rows, cols, &diag), LP_OK);
    if (lp_app_draw(app, &diag) != LP_OK)
        fail_msg("%s at %dx%d: %s", lp_pane_name(pane), cols, rows, diag.text);
    check_cells(app);
    LpScreenLayout layout = lp_screen_layout(&app->model, &app->canvas);
    if (layout.pane[pane].h >= 3 && !has_heading(app, layout.pane[pane]))
        fail_msg("%s at %dx%d has no heading of its own", lp_pane_name(pane), cols, rows);
}

/* Small sizes close together, large ones far apart; between two of them a key. */
static void check_pane(LpApp *app, LpPane pane) {
    size_t key = 0;
    lp_app_show(app, pane);
    for (int cols = 20; cols <= COLS_MOST; cols += cols < 60 ? 5 : cols < 130 ? 13 : 90)
        for (int rows = 5; rows <= ROWS_MOST; rows += rows < 14 ? 2 : rows < 40 ? 7 : 40) {
            if (test_taken((unsigned)(cols + rows) + (unsigned)pane))
                check_screen(app, pane, cols, rows);
            if (app->ui.only == pane)
                lp_app_key(app, pressed[key++ % LP_COUNTOF(pressed)], 0);
            app->ui.page = NULL;
        }
    app->ui.prompt.open = false;
}

static void check_run(size_t index, bool ascii) {
    LpSessionSpec spec = {.scenario = runs[index].scenario, .keep_timeline = true};
    LpUiOptions options = {.ascii = ascii, .no_motion = true};
    LpSession *session = NULL;
    LpDiag diag = {0};
    LpApp app;
    if (lp_session_open(&spec, &session, &diag) != LP_OK)
        fail_msg("%s: %s", runs[index].scenario, diag.text);
    assert_int_equal(lp_app_open(&app, session, &options, 24, 80, &diag), LP_OK);
    for (int i = 0; i < runs[index].decisions; i++)
        lp_app_key(&app, 'n', 0);
    for (int pane = LP_PANE_SERVERS; pane < LP_PANE_TIMELINE; pane++)
        if (pane != LP_PANE_LESSON) /* never alone */
            check_pane(&app, (LpPane)pane);
    lp_app_fini(&app);
    lp_session_close(session);
}

static void test_ramp(void **state) {
    (void)state;
    check_run(0, false);
}

static void test_switches(void **state) {
    (void)state;
    check_run(1, false);
}

static void test_zones(void **state) {
    (void)state;
    check_run(2, true);
}

static void test_big(void **state) {
    (void)state;
    check_run(3, false);
}

TEST_GROUP(test_views) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_zones),
        cmocka_unit_test(test_big),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
