/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks of axes of times that are dates: round ones of the clocks that are shown, evenly spaced, no
 * more than there is room for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "moment/picture/dates.h"

#define HOUR 3600.0
#define DAY 86400.0

/* Mon 2026-03-02 00:00 UTC */
static const double monday = 1772409600.0;

static LpScenario scenario_at(double seconds, int32_t offset) {
    return (LpScenario){.epoch = {.given = true, .seconds = seconds, .offset = offset}};
}

static void expect_tick(const LpDateTicks *t, uint32_t i, double at, const char *text) {
    assert_true(i < t->count);
    assert_true(fabs(t->at[i] - at) < 1e-6);
    assert_string_equal(t->text[i], text);
    assert_ptr_equal(t->name[i], t->text[i]);
}

static void hours_and_midnight(void **state) {
    (void)state;
    LpScenario s = scenario_at(monday - 2.5 * HOUR, 0); /* Sun 21:30 */
    LpDateTicks t;
    lp_date_ticks(&s, 0, 5 * HOUR, 6, &t);
    assert_int_equal(t.count, 5);
    expect_tick(&t, 0, 0.5 * HOUR, "22:00");
    expect_tick(&t, 1, 1.5 * HOUR, "23:00");
    expect_tick(&t, 2, 2.5 * HOUR, "Mon 2");
    expect_tick(&t, 3, 3.5 * HOUR, "01:00");
    lp_date_ticks(&s, 0, 5 * HOUR, 3, &t);
    expect_tick(&t, 0, 0.5 * HOUR, "22:00");
    expect_tick(&t, 1, 2.5 * HOUR, "Mon 2");
    expect_tick(&t, 2, 4.5 * HOUR, "02:00");
    assert_int_equal(t.count, 3);
}

static void the_clocks_that_are_shown(void **state) {
    (void)state;
    LpScenario s = scenario_at(monday, 3600 + 1800); /* 01:30 there */
    LpDateTicks t;
    lp_date_ticks(&s, 0, 2 * HOUR, 3, &t);
    expect_tick(&t, 0, 0.5 * HOUR, "02:00");
    expect_tick(&t, 1, 1.5 * HOUR, "03:00");
}

static void days_weeks_years_seconds(void **state) {
    (void)state;
    LpScenario s = scenario_at(monday + 6 * HOUR, 0);
    LpDateTicks t;
    lp_date_ticks(&s, 0, 5 * DAY, 6, &t);
    expect_tick(&t, 0, 18 * HOUR, "Tue 3");
    expect_tick(&t, 4, 4 * DAY + 18 * HOUR, "Sat 7");
    lp_date_ticks(&s, 0, 30 * DAY, 8, &t); /* Mondays */
    assert_int_equal(t.count, 4);
    expect_tick(&t, 0, 7 * DAY - 6 * HOUR, "Mon 9");
    expect_tick(&t, 3, 28 * DAY - 6 * HOUR, "Mon 30");
    lp_date_ticks(&s, 0, 365 * DAY, 4, &t);
    assert_true(t.count >= 2 && t.count <= 4);
    assert_int_equal(strlen(t.text[0]), 10);
    assert_int_equal(strncmp(t.text[0], "2026-", 5), 0);
    lp_date_ticks(&s, 0, 20, 5, &t);
    expect_tick(&t, 0, 0, "06:00:00");
    expect_tick(&t, 1, 5, "06:00:05");
}

static void never_more_than_there_is_room_for(void **state) {
    (void)state;
    for (double span = 0.01; span < 1e9; span *= 1.7)
        for (int most = 1; most <= 20; most++) {
            LpScenario s = scenario_at(monday + span / 3, 3600);
            LpDateTicks t;
            lp_date_ticks(&s, 0, span, most, &t);
            assert_true(t.count <= (uint32_t)most && t.count <= LP_DATE_TICKS);
            for (uint32_t i = 0; i < t.count; i++) {
                assert_true(t.at[i] >= -1e-6 && t.at[i] <= span + 1e-6);
                assert_true(i == 0 || t.at[i] > t.at[i - 1]);
                assert_true(t.text[i][0] != '\0');
            }
            /* an epoch two weeks later moves no tick: those of hours and days are where they were
             */
            LpScenario later = scenario_at(monday + span / 3 + 14 * DAY, 3600);
            LpDateTicks u;
            lp_date_ticks(&later, 0, span, most, &u);
            for (uint32_t i = 0; span < 30 * DAY && most > 4 && i < t.count; i++)
                assert_true(i < u.count && fabs(t.at[i] - u.at[i]) < 1e-5);
        }
}

static void none_without_an_epoch(void **state) {
    (void)state;
    LpScenario s = {0};
    LpDateTicks t;
    lp_date_ticks(&s, 0, 100, 5, &t);
    assert_int_equal(t.count, 0);
    s = scenario_at(monday, 0);
    lp_date_ticks(&s, 5, 5, 5, &t);
    assert_int_equal(t.count, 0);
    lp_date_ticks(&s, 0, 5, 0, &t);
    assert_int_equal(t.count, 0);
}

TEST_GROUP(test_ui_dates) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hours_and_midnight),
                                       cmocka_unit_test(the_clocks_that_are_shown),
                                       cmocka_unit_test(days_weeks_years_seconds),
                                       cmocka_unit_test(never_more_than_there_is_room_for),
                                       cmocka_unit_test(none_without_an_epoch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
