/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The boards of the fabrics beside RAMP: what stands on them is what the engine says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "group.h"
#include "screen/screen.h"
#include "sim/light/circuits.h"
#include "sim/sharing/links.h"
#include "sim/world.h"

#define RACK LP_SOURCEDIR "/scenarios/disaggregated-rack.json"
#define LEAVES LP_SOURCEDIR "/scenarios/leaf-spine.json"
#define SPREAD LP_SOURCEDIR "/scripts/spread_default.lua"
#define ZONES LP_SOURCEDIR "/scenarios/zones.json"

typedef struct Bench {
    LpSession *session;
    LpApp app;
    const LpModel *model;
} Bench;

static void open_bench(Bench *b, const char *scenario, const char *policy, int cols, int rows) {
    LpSessionSpec spec = {
        .scenario = scenario, .policy = policy, .keep_events = true, .keep_timeline = true};
    LpUiOptions options = {.no_motion = true};
    LpDiag diag = {0};
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, rows, cols, &diag), LP_OK);
    b->model = &b->app.model;
}

static void close_bench(Bench *b) {
    lp_app_fini(&b->app);
    lp_session_close(b->session);
}

static void command(Bench *b, const char *text) {
    LpDiag diag = {0};
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

/* A row of a pane as text of ASCII: what is not shows as '?'. */
static void row_of(const Bench *b, LpPane pane, int line, char out[256]) {
    LpScreenLayout layout = lp_screen_layout(b->model, &b->app.canvas);
    LpRect r = layout.pane[pane];
    int used = 0;
    for (int x = r.x; x < r.x + r.w && used < 255; x++) {
        uint32_t cp = lp_canvas_at(&b->app.canvas, x, r.y + line)->cp;
        out[used++] = cp < 128 ? (char)cp : '?';
    }
    out[used] = '\0';
}

/* The first row of a pane that has the word; fails where none has. */
static void row_with(const Bench *b, LpPane pane, const char *word, char out[256]) {
    LpScreenLayout layout = lp_screen_layout(b->model, &b->app.canvas);
    for (int line = 1; line < layout.pane[pane].h; line++) {
        row_of(b, pane, line, out);
        if (strstr(out, word))
            return;
    }
    fail_msg("no row of the pane has \"%s\"", word);
}

static const char *said(const Bench *b) {
    return lp_buf_text(&b->model->now.said.form[LP_FORM_LONG]);
}

/* ---- links ---- */

/* Whoever is named for a link is all that the sums are made of. */
static void check_links(const Bench *b) {
    enum { MOST = 64 };
    const LpNetwork *n = lp_world_context(b->model->world, b->model->context)->fabric.network;
    LpLinkView *link = calloc(n->links, sizeof *link);
    assert_non_null(link);
    lp_world_links(b->model->world, b->model->context, link);
    uint32_t shared = 0;
    for (uint32_t l = 0; l < n->links; l++) {
        uint32_t job[MOST];
        double rate[MOST], sum = 0.0;
        uint32_t count = lp_world_link_jobs(b->model->world, b->model->context, l, MOST, job, rate);
        assert_int_equal(count, link[l].jobs);
        for (uint32_t i = 0; i < count; i++)
            sum += rate[i];
        assert_float_equal((float)(sum / 1e9), (float)(link[l].rate / 1e9), 1e-6f);
        shared += count > 1;
        assert_int_equal(lp_world_link_jobs(b->model->world, b->model->context, l, 0, NULL, NULL),
                         count);
    }
    assert_true(shared > 0);
    free(link);
}

static void test_leaves_name_who_shares_a_link(void **state) {
    (void)state;
    Bench b;
    char row[256];
    open_bench(&b, LEAVES, NULL, 80, 24);
    command(&b, "next 8");
    check_links(&b);
    /* leaf 1 to spine 0: A and H */
    row_with(&b, LP_PANE_CIRCUITS, "up 0", row);
    assert_non_null(strstr(row, "?AH"));
    row_with(&b, LP_PANE_CIRCUITS, "down 1", row);
    assert_non_null(strstr(row, ". ")); /* nobody sends from spine 1 down to leaf 0 */
    close_bench(&b);
}

static void test_sites_show_delay_and_letters(void **state) {
    (void)state;
    Bench b;
    char row[256];
    open_bench(&b, ZONES, SPREAD, 200, 60);
    command(&b, "next 30");
    check_links(&b);
    row_with(&b, LP_PANE_CIRCUITS, "north", row);
    assert_non_null(strstr(row, "1.57"));
    assert_non_null(strstr(row, "centre"));
    row_with(&b, LP_PANE_CIRCUITS, "1.07", row);
    assert_non_null(strstr(row, "3.57"));
    close_bench(&b);
}

/* ---- the rack ---- */

static uint32_t count_of(const char *text, char c) {
    uint32_t count = 0;
    for (; *text; text++)
        count += *text == c;
    return count;
}

/* Ports of servers that are being set. */
static uint32_t turning(const Bench *b) {
    const LpOcsParams *ocs = &b->model->scenario->cluster.ocs;
    uint32_t count = 0;
    for (uint32_t p = 0; p < ocs->ports; p++)
        count += ocs->plug[p].node < ocs->servers &&
                 lp_world_port(b->model->world, b->model->context, p).state == LP_LIGHT_TURNING;
    return count;
}

static uint32_t marked(const Bench *b, LpServerMark mark) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < lp_world_servers(b->model->world); s++)
        count += lp_model_mark(b->model, s) == mark;
    return count;
}

static void test_a_regroup_is_told_in_frames(void **state) {
    (void)state;
    static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
        Bench b;
        char row[256];
        open_bench(&b, RACK, NULL, sizes[i][0], sizes[i][1]);
        command(&b, "next 3");
        command(&b, "seek 200 s");
        row_with(&b, LP_PANE_CIRCUITS, "0", row);
        command(&b, "regroup");
        assert_int_equal(b.model->motion.scene, LP_SCENE_REGROUP);
        assert_int_equal(b.model->motion.frames, 3);
        assert_int_equal(turning(&b), 3);
        command(&b, "frame 1");
        row_with(&b, LP_PANE_CIRCUITS, "~ ", row); /* "~ dark, lit in" may stand beside it */
        assert_int_equal(count_of(row, '~') - (strstr(row, "~ dark") != NULL), 3);
        assert_non_null(strstr(said(&b), "s1 s3 s4"));
        assert_int_equal(marked(&b, LP_SERVER_NEWEST), 3);
        command(&b, "frame 2");
        assert_non_null(strstr(said(&b), "A and B stand still"));
        assert_int_equal(marked(&b, LP_SERVER_PAUSED), 6);
        command(&b, "frame 3");
        assert_non_null(strstr(said(&b), "s1 s3 to aggregator 0, s4 to 1"));
        command(&b, "step");
        assert_int_equal(b.model->motion.scene, LP_SCENE_RELIT);
        assert_int_equal(turning(&b), 0);
        assert_non_null(strstr(said(&b), "s1 s3 s4. A and B go on."));
        close_bench(&b);
    }
}

TEST_GROUP(test_ui_fabrics) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_name_who_shares_a_link),
        cmocka_unit_test(test_sites_show_delay_and_letters),
        cmocka_unit_test(test_a_regroup_is_told_in_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
