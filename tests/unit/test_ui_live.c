/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen of a training: what it shows at every size, what its keys wish for, and that a stop is
 * told with what it keeps and loses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "front/live.h"
#include "group.h"

static LpTrainReport report_of(uint64_t update) {
    bool evaluated = update % 3 == 0;
    return (LpTrainReport){.update = update,
                           .steps = 1000 * update,
                           .total = 20000,
                           .episodes = update,
                           .reward = -0.5 + 0.1 * (double)update,
                           .blocked = 0.75 - 0.05 * (double)update,
                           .rate = 1e-3,
                           .learnt = {.policy_loss = -0.01,
                                      .value_loss = 0.1,
                                      .entropy = 1.5,
                                      .kl = 0.004,
                                      .norm = 0.5},
                           .evaluated = evaluated,
                           .eval_reward = 0.1 * (double)update,
                           .eval_blocked = 0.4,
                           .best_reward = update < 3 ? (double)NAN : 0.1 * (double)(update / 3 * 3),
                           .saved = evaluated,
                           .kept = update / 5 * 5000,
                           .keeps = (update / 5 + 1) * 5};
}

static LpLive live_of(uint64_t updates) {
    LpLive live = {.scenario = "pac-ml-32",
                   .out = "W.json",
                   .settings = "ppo seed=1",
                   .state = {.cursor = -1.0}};
    for (uint64_t i = 1; i <= updates; i++) {
        LpTrainReport r = report_of(i);
        assert_int_equal(lp_live_report(&live, &r, (int64_t)(500 * i), NULL), LP_OK);
    }
    return live;
}

static void text_of(const LpLive *live, int cols, int rows, bool ascii, LpBuf *out) {
    LpCanvas canvas = {.ascii = ascii};
    assert_int_equal(lp_canvas_resize(&canvas, rows, cols, NULL), LP_OK);
    lp_live_draw(live, &canvas, 6000);
    lp_buf_clear(out);
    lp_canvas_print(&canvas, out);
    lp_canvas_fini(&canvas);
}

static void every_size_shows_what_matters(void **state) {
    (void)state;
    static const int sizes[][2] = {{80, 24}, {100, 30}, {200, 60}};
    static const char *const words[] = {"pac-ml-32",
                                        "update 11",
                                        "11 000 of 20 000 decisions",
                                        "2 000 decisions/s",
                                        "ETA 5 s",
                                        "best 0.9 at update 9",
                                        "reward 0.6",
                                        "blocked 20 %",
                                        "entropy 1.5",
                                        "kl 0.004",
                                        "value loss 0.1",
                                        "ppo seed=1",
                                        "q stop, loses 1 000 decisions"};
    LpLive live = live_of(11);
    LpBuf text = {0};
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++)
        for (int ascii = 0; ascii < 2; ascii++) {
            text_of(&live, sizes[i][0], sizes[i][1], ascii != 0, &text);
            for (size_t k = 0; k < LP_COUNTOF(words); k++)
                if (strstr(lp_buf_text(&text), words[k]) == NULL)
                    fail_msg("%dx%d lacks %s:\n%s", sizes[i][0], sizes[i][1], words[k],
                             lp_buf_text(&text));
            for (const char *c = lp_buf_text(&text); ascii && *c; c++)
                assert_true((unsigned char)*c < 0x80);
        }
    lp_buf_fini(&text);
    lp_live_fini(&live);
}

static void any_size_can_be_drawn(void **state) {
    (void)state;
    LpLive live = live_of(11), none = live_of(0);
    LpBuf text = {0};
    for (int cols = 1; cols <= 130; cols += cols < 20 ? 1 : 13)
        for (int rows = 1; rows <= 50; rows += rows < 16 ? 1 : 7) {
            text_of(&live, cols, rows, false, &text);
            text_of(&none, cols, rows, false, &text);
        }
    text_of(&none, 80, 24, false, &text);
    assert_non_null(strstr(lp_buf_text(&text), "the first update is being played"));
    lp_buf_fini(&text);
    lp_live_fini(&live);
    lp_live_fini(&none);
}

static void time_left_follows_the_rate_of_late(void **state) {
    (void)state;
    LpLive live = live_of(0);
    assert_true(isnan(lp_live_left(&live)));
    LpTrainReport r = report_of(8);
    r.first = 6000; /* that a checkpoint brought */
    assert_int_equal(lp_live_report(&live, &r, 1000, NULL), LP_OK);
    assert_true(lp_live_left(&live) == 6.0);
    lp_live_fini(&live);
}

static void stops_are_told_with_what_they_cost(void **state) {
    (void)state;
    LpLive live = live_of(11);
    lp_live_key(&live, 'q');
    assert_int_equal(live.wish, LP_TRAIN_STOP);
    assert_non_null(strstr(live.message, "stops after update 12"));
    assert_non_null(strstr(live.message, "W.json.checkpoint keeps 10 000 decisions"));
    lp_live_key(&live, LP_KEY_ESC);
    assert_int_equal(live.wish, LP_TRAIN_GO_ON);
    lp_live_key(&live, 'm');
    assert_int_equal(live.wish, LP_TRAIN_AT_CHECKPOINT);
    assert_non_null(strstr(live.message, "stops after update 15"));
    lp_live_key(&live, 'c' - 'a' + 1);
    assert_int_equal(live.wish, LP_TRAIN_STOP);
    assert_false(live.closed);
    live.ended = true;
    lp_live_key(&live, 'q');
    assert_true(live.closed);
    lp_live_fini(&live);
}

static void before_the_first_checkpoint_all_is_lost(void **state) {
    (void)state;
    LpTrainReport r = report_of(2);
    LpBuf text = {0};
    lp_live_tell(&r, true, "W", &text);
    assert_non_null(strstr(lp_buf_text(&text), "no checkpoint yet: all 2 000 decisions are lost"));
    assert_non_null(strstr(lp_buf_text(&text), "W was not written"));
    lp_buf_clear(&text);
    r = report_of(15);
    lp_live_tell(&r, true, "W", &text);
    assert_non_null(strstr(lp_buf_text(&text), "keeps all 15 000 decisions"));
    lp_buf_fini(&text);
}

static void keys_choose_what_is_drawn(void **state) {
    (void)state;
    LpLive live = live_of(11);
    LpBuf text = {0};
    lp_live_key(&live, 'k');
    lp_live_key(&live, LP_KEY_ENTER);
    text_of(&live, 80, 24, false, &text);
    assert_non_null(strstr(lp_buf_text(&text), "step size 0.001"));
    assert_null(strstr(lp_buf_text(&text), "entropy 1.5"));
    lp_live_key(&live, LP_KEY_ESC);
    lp_live_key(&live, 'v');
    text_of(&live, 80, 24, false, &text);
    assert_non_null(strstr(lp_buf_text(&text), "reward evaluated 0.9"));
    lp_live_key(&live, 'x');
    assert_non_null(strstr(live.message, "x does nothing here"));
    lp_buf_fini(&text);
    lp_live_fini(&live);
}

static void print(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.3g", value);
}

static void axes_hold_whatever_comes(void **state) {
    (void)state;
    static const double ends[][2] = {{0, 0},          {-1, 1},        {-0.2, -0.2}, {1e300, 1e300},
                                     {-1e308, 1e308}, {1, 1 + 1e-15}, {3e-7, 4e-7}, {0.1, 0.93}};
    for (size_t i = 0; i < LP_COUNTOF(ends); i++) {
        LpChart chart = {.to = 1.0};
        LpCanvas canvas = {0};
        lp_chart_fit(&chart, ends[i][0], ends[i][1], i % 2 == 0);
        if (isfinite(chart.top) && isfinite(chart.bottom)) {
            assert_true(chart.top > chart.bottom);
            double slack = 1e-8 * (chart.top - chart.bottom);
            assert_true(chart.bottom <= ends[i][0] + slack && chart.top >= ends[i][1] - slack);
        }
        chart.print_x = chart.print_y = print;
        assert_int_equal(lp_canvas_resize(&canvas, 20, 60, NULL), LP_OK);
        LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, 60, 20});
        lp_chart_draw(&chart, &area);
        lp_canvas_fini(&canvas);
    }
}

TEST_GROUP(test_ui_live) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_shows_what_matters),
        cmocka_unit_test(any_size_can_be_drawn),
        cmocka_unit_test(time_left_follows_the_rate_of_late),
        cmocka_unit_test(stops_are_told_with_what_they_cost),
        cmocka_unit_test(before_the_first_checkpoint_all_is_lost),
        cmocka_unit_test(keys_choose_what_is_drawn),
        cmocka_unit_test(axes_hold_whatever_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
