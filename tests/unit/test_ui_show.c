/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as the screen shows them, sizes as the command line gives them, and themes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "front/front.h"
#include "group.h"
#include "term/theme.h"
#include "widgets/show.h"

static void test_seconds(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0 s"},         {0.00183, "1.83 ms"},  {366.7, "367 s"},
                 {999.6, "1 000 s"},   {18336.0, "18 336 s"}, {1234567.0, "1 234 567 s"},
                 {-3639.0, "-3 639 s"}};
    char buf[LP_SHOW_TEXT];
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        assert_string_equal(lp_show_seconds(cases[i].value, buf), cases[i].text);
    assert_string_equal(lp_show_seconds((double)NAN, buf), "-");
    assert_string_equal(lp_show_seconds((double)INFINITY, buf), "never");
    assert_true(strlen(lp_show_seconds(1e300, buf)) < LP_SHOW_TEXT);
}

static void test_clock(void **state) {
    (void)state;
    char buf[LP_SHOW_TEXT];
    assert_string_equal(lp_show_left(0.3991, 200.0, buf), "0.40 s");
    assert_string_equal(lp_show_left(16.0, 200.0, buf), "16.0 s");
    assert_string_equal(lp_show_left(156456.2, 1e7, buf), "156 456 s");
    assert_string_equal(lp_show_left(0.0112, 0.1, buf), "11.2 ms");
    assert_string_equal(lp_show_left((double)INFINITY, 0.1, buf), "never");
    assert_string_equal(lp_show_clock(5000.0, 1e5, buf), "5 000.0");
    assert_string_equal(lp_show_clock(1.2034, 200.0, buf), "1.203");
    assert_string_equal(lp_show_clock(1234567.8, 5e7, buf), "1 234 568");
    assert_string_equal(lp_show_clock(0.0110737, 0.1, buf), "0.01107");
}

static void test_percent(void **state) {
    (void)state;
    char buf[LP_SHOW_TEXT];
    assert_string_equal(lp_show_percent(0.0, buf), "0 %");
    assert_string_equal(lp_show_percent(0.0002, buf), "0.02 %");
    assert_string_equal(lp_show_percent(0.00001, buf), "<0.01 %");
    assert_string_equal(lp_show_percent(0.0434, buf), "4.3 %");
    assert_string_equal(lp_show_percent(0.58, buf), "58 %");
    assert_string_equal(lp_show_percent(1.163, buf), "116 %");
    assert_string_equal(lp_show_percent(1e9, buf), ">999 %");
    assert_string_equal(lp_show_percent((double)NAN, buf), "-");
}

static void test_nice(void **state) {
    (void)state;
    static const double cases[][2] = {{1.0, 1.0},  {1.1, 2.0},    {2.0, 2.0},    {4.9, 5.0},
                                      {5.1, 10.0}, {8123.0, 1e4}, {0.003, 0.005}};
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        assert_true(fabs(lp_show_nice(cases[i][0]) / cases[i][1] - 1.0) < 1e-9);
}

static void test_size(void **state) {
    (void)state;
    static const char *const bad[] = {"",     "100",     "100x",   "x30",  "0x5",  "5x0",   "-1x5",
                                      "5x-1", "100x30x", "9999x5", " 5x5", "5x 5", "1e2x5", "5X5"};
    int cols = 1, rows = 2;
    LpDiag diag = {0};
    assert_int_equal(lp_ui_parse_size("100x30", &cols, &rows, &diag), LP_OK);
    assert_int_equal(cols, 100);
    assert_int_equal(rows, 30);
    for (size_t i = 0; i < LP_COUNTOF(bad); i++)
        assert_int_equal(lp_ui_parse_size(bad[i], &cols, &rows, &diag), LP_EINVAL);
    assert_int_equal(cols, 100); /* unchanged on failure */
}

TEST_GROUP(test_ui_show) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seconds), cmocka_unit_test(test_clock),
        cmocka_unit_test(test_percent), cmocka_unit_test(test_nice),
        cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
