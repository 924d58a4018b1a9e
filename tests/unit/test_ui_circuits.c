/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circuits alone: every light path can be counted, the list says what is held and lit, and
 * every fabric says how full it is. */
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
#include "sim/world.h"

typedef struct Bench {
    LpSession *session;
    LpApp app;
    LpBuf text;
} Bench;

/* The numbers below were counted under these rules. */
static const char *const COUNTED[] = {"partition.kind=model", "options.shapes=published"};

static void open_bench(Bench *b, const char *scenario, int cols, int rows) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", LP_SOURCEDIR, scenario);
    LpSessionSpec spec = {
        .scenario = path, .sets = 2, .set = COUNTED, .keep_events = true, .keep_timeline = true};
    LpUiOptions options = {.no_motion = true};
    LpDiag diag = {0};
    b->text = (LpBuf){0};
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, rows, cols, &diag), LP_OK);
}

static void close_bench(Bench *b) {
    lp_buf_fini(&b->text);
    lp_app_fini(&b->app);
    lp_session_close(b->session);
}

static void look(Bench *b) {
    LpDiag diag = {0};
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
    lp_buf_fini(&b->text);
    b->text = (LpBuf){0};
    lp_canvas_print(&b->app.canvas, &b->text);
}

static void command(Bench *b, const char *text) {
    LpDiag diag = {0};
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    look(b);
}

static void press(Bench *b, LpKey key) {
    lp_app_key(&b->app, key, 0);
    look(b);
}

static void says(Bench *b, const char *words) {
    if (strstr(lp_buf_text(&b->text), words) == NULL)
        fail_msg("no \"%s\" in\n%s", words, lp_buf_text(&b->text));
}

/* Filled letters in columns from .. to - 1 of the rows below the one that has `title`. */
static uint32_t letters_below(Bench *b, const char *title, int rows, int from, int to) {
    const LpCanvas *canvas = &b->app.canvas;
    uint32_t count = 0;
    for (int y = 0; y < canvas->rows; y++) {
        char line[LP_CANVAS_MAX + 1];
        for (int x = 0; x < canvas->cols; x++) {
            uint32_t cp = lp_canvas_at(canvas, x, y)->cp;
            line[x] = cp < 128 ? (char)cp : '?';
        }
        line[canvas->cols] = '\0';
        if (strstr(line, title) == NULL)
            continue;
        for (int r = y + 1; r <= y + rows && r < canvas->rows; r++)
            for (int x = from; x < to && x < canvas->cols; x++) {
                const LpCell *cell = lp_canvas_at(canvas, x, r);
                bool letter =
                    (cell->cp >= 'A' && cell->cp <= 'Z') || (cell->cp >= 'a' && cell->cp <= 'z');
                count += letter && (cell->style & LP_FILL);
            }
        return count;
    }
    fail_msg("no row has \"%s\"", title);
    return 0;
}

/* Light paths whose sender is of the group, or of any (LP_NO_INDEX). */
static uint32_t paths_of(const Bench *b, uint32_t group) {
    const LpModel *model = &b->app.model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->running_count; i++)
        for (uint32_t k = 0; k < model->running[i].paths; k++)
            count +=
                group == LP_NO_INDEX ||
                lp_fabric_group(&model->context->fabric, model->running[i].path[k].src) == group;
    return count;
}

static void test_every_path_is_a_letter(void **state) {
    (void)state;
    Bench b;
    uint32_t seen = 0;
    open_bench(&b, "scenarios/pac-ml-32.json", 200, 60);
    command(&b, "view circuits");
    for (int n = 0; n < 8; n++) {
        command(&b, "next 9");
        assert_int_equal(letters_below(&b, "LIGHT PATHS from", 34, 0, 98),
                         paths_of(&b, LP_NO_INDEX));
        seen += paths_of(&b, LP_NO_INDEX);
    }
    assert_true(seen > 100);
    close_bench(&b);
    open_bench(&b, "scenarios/pac-ml-32.json", 100, 30);
    command(&b, "seek d11");
    command(&b, "view circuits");
    for (uint32_t group = 0; group < 4; group++) {
        char title[64];
        snprintf(title, sizeof title, "LIGHT PATHS of group %u", (unsigned)group);
        assert_int_equal(letters_below(&b, title, 10, 0, 100), paths_of(&b, group));
        press(&b, LP_KEY_DOWN);
    }
    close_bench(&b);
}

/* At decision 11 the 25 busy servers hold all of their four transmitters, and light 38. */
static void test_held_is_not_lit(void **state) {
    (void)state;
    static const int sizes[][2] = {{80, 24}, {100, 30}, {200, 60}};
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
        Bench b;
        open_bench(&b, "scenarios/pac-ml-32.json", sizes[i][0], sizes[i][1]);
        command(&b, "seek d11");
        command(&b, "view circuits");
        says(&b, "HOW FULL");
        says(&b, i < 2 ? "transmitters held 100/128  78 %" : "transmitters held 100 of 128");
        says(&b, i < 2 ? "lit in a step      38/128  30 %" : "lit in a step      38 of 128");
        says(&b, "server     job held  lit");
        says(&b, "s0 g0r0    A      4    1  s8 g1r0 w0 25 %");
        close_bench(&b);
    }
}

static void test_lists_scroll_with_a_mark(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, "scenarios/pac-ml-32.json", 60, 20);
    command(&b, "view circuits");
    says(&b, "1-6 of 8, PgDn: more");
    for (int i = 0; i < 3; i++)
        press(&b, LP_KEY_PGDN);
    says(&b, "3-8 of 8, PgDn: more");
    says(&b, "s7 g0r3");
    close_bench(&b);
}

/* Whatever joins the servers: what is held or in use, of how many, at every size. */
static void test_every_fabric_says_how_full(void **state) {
    (void)state;
    static const struct {
        const char *scenario, *words;
    } fabrics[] = {
        {"scenarios/pac-ml-32.json", "transmitters held"},
        {"scenarios/ideal-loss.json", "transmitters held"},
        {"scenarios/disaggregated-rack.json", "ports lit"},
        {"scenarios/leaf-spine.json", "links in use"},
        {"scenarios/zones.json", "links in use"},
        {"tests/tui/scenarios/big.json", "HOW FULL"},
    };
    static const int sizes[][2] = {{80, 24}, {100, 30}, {200, 60}};
    for (size_t f = 0; f < LP_COUNTOF(fabrics); f++)
        for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
            Bench b;
            open_bench(&b, fabrics[f].scenario, sizes[i][0], sizes[i][1]);
            command(&b, "view circuits");
            says(&b, "HOW FULL");
            says(&b, "servers busy");
            says(&b, fabrics[f].words);
            close_bench(&b);
        }
}

/* Cells of a pane that are filled letters, from its row `from` on to before `to`. */
static uint32_t letters_in(Bench *b, LpPane pane, int from, int to) {
    LpScreenLayout layout = lp_screen_layout(&b->app.model, &b->app.canvas);
    LpRect r = layout.pane[pane];
    uint32_t count = 0;
    for (int y = r.y + from; y < r.y + to && y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++) {
            const LpCell *cell = lp_canvas_at(&b->app.canvas, x, y);
            bool letter =
                (cell->cp >= 'A' && cell->cp <= 'Z') || (cell->cp >= 'a' && cell->cp <= 'z');
            bool accent = (cell->style & 0xFF) == LP_ROLE_STAGE; /* only planned */
            count += letter && !accent && (cell->style & LP_FILL);
        }
    return count;
}

static uint32_t doubles_in(Bench *b, LpPane pane) {
    LpScreenLayout layout = lp_screen_layout(&b->app.model, &b->app.canvas);
    LpRect r = layout.pane[pane];
    uint32_t count = 0;
    for (int y = r.y + 1; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++)
            count += lp_canvas_at(&b->app.canvas, x, y)->cp == lp_glyph(LP_GLYPH_DOUBLE, false);
    return count;
}

/* Jobs that light anything from group a to b or back, over all pairs. */
static uint32_t wires_of(const LpModel *model) {
    uint32_t count = 0, groups = model->context->fabric.groups;
    for (uint32_t a = 0; a < groups; a++)
        for (uint32_t c = a; c < groups; c++)
            for (uint32_t i = 0; i < model->running_count; i++) {
                const double *light = model->running[i].light;
                count += light && light[a * groups + c] + light[c * groups + a] > 0.0;
            }
    return count;
}

/* The picture, on a screen of its own: busy servers in the boxes, jobs on the wires between groups,
 * and double wires for the job in focus only. */
static void test_the_fabric_is_a_picture(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, "scenarios/pac-ml-32.json", 200, 60);
    command(&b, "seek d11");
    command(&b, "view fabric");
    for (int n = 0; n < 5; n++) {
        const LpModel *model = &b.app.model;
        assert_int_equal(letters_in(&b, LP_PANE_FABRIC, 2, 6),
                         lp_world_tally(model->world)->busy_servers);
        assert_int_equal(letters_in(&b, LP_PANE_FABRIC, 7, 20), wires_of(model));
        command(&b, "next 3");
    }
    command(&b, "seek d11");
    assert_int_equal(doubles_in(&b, LP_PANE_FABRIC), 0); /* L lights nothing yet */
    press(&b, ';');
    says(&b, "transmitters light");
    says(&b, "double: light of");
    assert_true(doubles_in(&b, LP_PANE_FABRIC) > 4);
    close_bench(&b);
}

/* Where it is no picture, it is the board of circuits, ports or links. */
static void test_other_fabrics_have_their_board(void **state) {
    (void)state;
    static const char *const scenarios[] = {"scenarios/zones.json", "scenarios/leaf-spine.json",
                                            "scenarios/disaggregated-rack.json",
                                            "scenarios/ideal-loss.json"};
    for (size_t i = 0; i < LP_COUNTOF(scenarios); i++) {
        Bench b;
        open_bench(&b, scenarios[i], 200, 60);
        command(&b, "next");
        command(&b, "view fabric");
        says(&b, i == 0 ? "SITES" : i == 1 ? "LINKS" : "CIRCUITS");
        close_bench(&b);
    }
}

/* Esc takes a job out of focus again, before it does anything else on the main screen. */
static void test_escape_ends_the_focus(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, "scenarios/pac-ml-32.json", 80, 24);
    command(&b, "seek d11");
    uint32_t before = b.app.model.focus;
    press(&b, ';');
    press(&b, ';');
    assert_int_not_equal(b.app.model.focus, before);
    press(&b, LP_KEY_ESC);
    assert_int_equal(b.app.ui.focus_job, 0);
    assert_int_equal(b.app.model.focus, before);
    close_bench(&b);
}

/* Left and Right go from instant to instant where a training step is shown as bars. */
static void test_left_and_right_move_the_instant(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, "scenarios/pac-ml-32.json", 100, 30);
    command(&b, "seek d11");
    b.app.ui.stage = LP_STAGE_ORDER_OPS;
    command(&b, "frame 1");
    assert_int_equal(b.app.model.motion.scene, LP_SCENE_ORDER_OPS);
    double first = b.app.model.motion.at;
    press(&b, LP_KEY_RIGHT);
    assert_int_equal(b.app.ui.frame, 1);
    assert_true(b.app.model.motion.at > first);
    press(&b, LP_KEY_LEFT);
    assert_int_equal(b.app.ui.frame, 0);
    close_bench(&b);
}

/* Where nothing tells how long a run takes: no nine digits, and the scale follows it. */
static void test_a_clock_at_zero_is_short(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, "scenarios/disaggregated-rack.json", 100, 30);
    command(&b, "next");
    assert_null(strstr(lp_buf_text(&b.text), "0.000000"));
    assert_null(strstr(lp_buf_text(&b.text), "1 ns"));
    command(&b, "seek 100 s");
    assert_true(b.app.model.marks.scale >= 100.0);
    close_bench(&b);
}

/* Names of sites and figures between them are whole at every size that shows them. */
static void test_sites_are_not_cut(void **state) {
    (void)state;
    static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}};
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
        Bench b;
        open_bench(&b, "scenarios/zones.json", sizes[i][0], sizes[i][1]);
        command(&b, "next 4");
        says(&b, "centre");
        assert_null(strstr(lp_buf_text(&b.text), "cent~"));
        assert_null(strstr(lp_buf_text(&b.text), "0.07~"));
        close_bench(&b);
    }
}

TEST_GROUP(test_ui_circuits) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_path_is_a_letter),
        cmocka_unit_test(test_held_is_not_lit),
        cmocka_unit_test(test_lists_scroll_with_a_mark),
        cmocka_unit_test(test_every_fabric_says_how_full),
        cmocka_unit_test(test_the_fabric_is_a_picture),
        cmocka_unit_test(test_other_fabrics_have_their_board),
        cmocka_unit_test(test_escape_ends_the_focus),
        cmocka_unit_test(test_left_and_right_move_the_instant),
        cmocka_unit_test(test_a_clock_at_zero_is_short),
        cmocka_unit_test(test_sites_are_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
