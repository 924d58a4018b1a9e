/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves: what they are made of agrees with the summary of the run, and charts keep to their area
 * whatever they are given. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "group.h"
#include "views/curves/curves_facts.h"

static LpSession *open_session(int steps) {
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json", .keep_timeline = true};
    LpEvent event;
    assert_int_equal(lp_session_open(&spec, &session, NULL), LP_OK);
    for (int i = 0; i < steps; i++)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    return session;
}

static void test_summary(void **state) {
    LpSession *session = open_session(150);
    const LpWorld *world = lp_session_world(session);
    LpCurvesModel model = {0};
    LpSummary summary;
    (void)state;
    assert_int_equal(lp_curves_model_update(&model, session, NULL), LP_OK);
    assert_int_equal(lp_metrics_summary(world, lp_session_context(session), &summary, NULL), LP_OK);
    const LpCurvesBranch *b = &model.branch[0];
    assert_int_equal(model.branches, 1);
    assert_int_equal(b->count, summary.completed);
    assert_int_equal(b->arrived, summary.arrived);
    assert_true(fabs(b->sum[b->count] / b->count - summary.mean_jct) <= 1e-9 * summary.mean_jct);
    for (uint32_t i = 1; i < b->count; i++) {
        assert_true(b->done[i].end >= b->done[i - 1].end);
        assert_true(b->jct[i] >= b->jct[i - 1]);
    }
    assert_int_equal(lp_curves_done_by(b, model.now), b->count);
    assert_int_equal(lp_curves_done_by(b, -1.0), 0);
    uint32_t jobs = 0;
    double sum = 0;
    for (int32_t g = -1; g < (int32_t)lp_session_scenario(session)->graphs; g++) {
        LpByModel row;
        assert_int_equal(lp_curves_by_model(b, g, &row), LP_OK);
        jobs += row.jobs;
        sum += row.mean * row.jobs;
        assert_true(row.jobs == 0 || row.p95 >= 0);
    }
    assert_int_equal(jobs, b->count);
    assert_true(fabs(sum - b->sum[b->count]) <= 1e-9 * sum);
    lp_curves_model_fini(&model);
    lp_session_close(session);
}

/* Of another branch what is known at the present time, and no more; deleted ones are gone. */
static void test_branches(void **state) {
    LpSession *session = open_session(60);
    LpCurvesModel model = {0};
    LpAnswer answer = {.kind = LP_ANSWER_DECLINE, .why = "test"};
    LpForkSpec fork = {.name = "other", .answer = &answer};
    LpEvent event;
    uint32_t branch;
    (void)state;
    uint32_t trunk = lp_session_moment(session).branch;
    if (lp_world_due(lp_session_world(session)) == LP_NO_INDEX)
        assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
    assert_int_equal(lp_session_fork(session, &fork, &branch, NULL), LP_OK);
    for (int i = 0; i < 50; i++)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    double now = lp_world_now(lp_session_world(session));
    assert_int_equal(lp_curves_model_update(&model, session, NULL), LP_OK);
    assert_int_equal(model.branches, 2);
    assert_string_equal(model.branch[0].name, "other");
    assert_string_equal(model.branch[1].name, "main");
    assert_true(model.branch[1].until < now && model.branch[0].until == now);
    for (uint32_t i = 0; i < model.branch[1].count; i++)
        assert_true(model.branch[1].done[i].end <= model.branch[1].until);
    assert_int_equal(lp_session_switch(session, trunk, NULL), LP_OK);
    assert_int_equal(lp_session_delete(session, branch, NULL), LP_OK);
    assert_int_equal(lp_curves_model_update(&model, session, NULL), LP_OK);
    assert_int_equal(model.branches, 1);
    lp_curves_model_fini(&model);
    lp_session_close(session);
}

/* ---- charts ---- */

static double wave(const void *data, double x) {
    (void)data;
    return x < 3 ? (double)NAN : x * x;
}

static void print(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%g m long", value);
}

/* In the middle of a larger canvas: nothing outside of the area is touched. */
static void check_chart(LpChart *chart, int w, int h, bool ascii) {
    LpCanvas canvas = {.ascii = ascii};
    LpRect rect = {5, 3, w, h};
    assert_int_equal(lp_canvas_resize(&canvas, h + 6, w + 10, NULL), LP_OK);
    LpArea area = lp_canvas_area(&canvas, rect);
    lp_chart_draw(chart, &area);
    for (int y = 0; y < canvas.rows; y++)
        for (int x = 0; x < canvas.cols; x++) {
            bool inside = x >= 5 && x < 5 + w && y >= 3 && y < 3 + h;
            const LpCell *cell = lp_canvas_at(&canvas, x, y);
            assert_true(lp_utf8_columns(cell->cp) == 1 && (!ascii || cell->cp < 0x80));
            if (!inside)
                assert_int_equal(cell->cp, ' ');
        }
    lp_canvas_fini(&canvas);
}

static void test_charts(void **state) {
    LpPlotLine line[3] = {{wave, NULL, "a", LP_ROLE_CURVE, false},
                          {wave, NULL, "b", LP_ROLE_MUTED, true},
                          {wave, NULL, "c", LP_ROLE_JOB0, true}};
    LpChartPoint point[] = {{-1, 5}, {5, 50}, {100, 1}, {9.99, 1e9}};
    (void)state;
    for (int i = 0; i < 400; i++) {
        LpChart chart = {.from = i % 3,
                         .to = 10,
                         .top = i % 5 ? 100 : 1e-7,
                         .print_x = print,
                         .print_y = print,
                         .lines = i % 4,
                         .line = line,
                         .points = 4,
                         .point = point,
                         .ink = i % 2 ? LP_CHART_BLOCK : LP_CHART_BRAILLE,
                         .cursor = i % 7 / 6.0 - 0.1};
        check_chart(&chart, i % 67, i * 7 % 29, i % 3 == 1);
    }
}

static void test_small(void **state) {
    (void)state;
    assert_int_equal(lp_chart_cursor_column(0.0, 10), 0);
    assert_int_equal(lp_chart_cursor_column(1.0, 10), 9);
    assert_int_equal(lp_chart_cursor_column(7.0, 10), 9);
}

TEST_GROUP(test_ui_curves) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_charts),
        cmocka_unit_test(test_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
