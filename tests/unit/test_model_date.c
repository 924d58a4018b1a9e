/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of model/trace/date: dates that are known, ways to write them, what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "io/scenario/scenario.h"
#include "model/trace/date.h"
#include "scenario_text.h"

static void dates_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double seconds;
        bool zoned;
        int32_t offset;
    } cases[] = {
        {"1970-01-01", 0, false, 0},
        {"2026-03-01T00:00:00Z", 1772323200, true, 0},
        {"2026-03-02 14:05", 1772460300, false, 0},
        {"2026-03-02 14:05:12", 1772460312, false, 0},
        {"2026-03-02T14:05:12.25+01:00", 1772460312.25, true, 3600},
        {"2000-02-29T23:59:59-0730", 951868799, true, -27000},
        {"2023-11-14 22:13:20", 1700000000, false, 0},
        {"9999-12-31", 253402214400, false, 0},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpDate date;
        assert_int_equal(lp_date_parse(cases[i].text, &date), LP_OK);
        assert_true(date.seconds == cases[i].seconds);
        assert_int_equal(date.zoned, cases[i].zoned);
        assert_int_equal(date.offset, cases[i].offset);
    }
}

static void what_is_no_date_is_refused(void **state) {
    (void)state;
    static const char *const cases[] = {
        "",
        "2026",
        "2026-3-1",
        "2026-02-29",
        "1900-01-01",
        "2026-13-01",
        "2026-04-31",
        "2026-03-01T",
        "2026-03-01 24:00",
        "2026-03-01 14:60",
        "4000 s",
        "2026-03-01 ",
        "2026-03-01 14:05 ",
        "2026-03-01 14:05.5",
        "2026-03-01 1:05",
        "2026-03-01T14:05:12.",
        "2026-03-01z",
        "2026-03-01+1:00",
        "2026-03-01T14:05+25:00",
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpDate date = {.seconds = -1};
        if (lp_date_parse(cases[i], &date) != LP_EINVAL)
            fail_msg("\"%s\" is read as a date", cases[i]);
        assert_true(date.seconds == -1);
    }
}

static void expect_print(double seconds, LpDateForm form, const char *expected) {
    char out[LP_DATE_TEXT];
    assert_string_equal(lp_date_print(seconds, form, out), expected);
}

static void dates_are_written(void **state) {
    (void)state;
    expect_print(1772460312.9, LP_DATE_WHOLE, "Mon 2026-03-02 14:05:12");
    expect_print(1772460312, LP_DATE_PLAIN, "2026-03-02 14:05:12");
    expect_print(1772460312, LP_DATE_ISO, "2026-03-02T14:05:12");
    expect_print(1772460312, LP_DATE_WEEKDAY, "Mon 14:05:12");
    expect_print(1772460312, LP_DATE_DAY, "03-02 14:05:12");
    expect_print(1772460312, LP_DATE_CLOCK, "14:05:12");
    expect_print(1772460312, LP_DATE_MINUTE, "14:05");
    expect_print(1772460312, LP_DATE_OF_MONTH, "Mon 2");
    expect_print(0, LP_DATE_WHOLE, "Thu 1970-01-01 00:00:00");
    expect_print(951868799, LP_DATE_WHOLE, "Tue 2000-02-29 23:59:59");
    expect_print(-1, LP_DATE_WHOLE, "");
    expect_print(253402300800.0, LP_DATE_WHOLE, "");
    expect_print((double)__builtin_nan(""), LP_DATE_WHOLE, "");
}

/* Each day of four centuries is written as what it is read from, and is the one after the last. */
static void days_follow_each_other(void **state) {
    (void)state;
    for (int day = 0; day < 146097; day++) {
        char out[LP_DATE_TEXT];
        LpDate date;
        lp_date_print(86400.0 * day + 5, LP_DATE_PLAIN, out);
        assert_int_equal(lp_date_parse(out, &date), LP_OK);
        assert_true(date.seconds == 86400.0 * day + 5);
    }
}

static void forms_follow_the_span(void **state) {
    (void)state;
    assert_int_equal(lp_date_form_rows(3600), LP_DATE_CLOCK);
    assert_int_equal(lp_date_form_rows(2 * 86400.0), LP_DATE_WEEKDAY);
    assert_int_equal(lp_date_form_rows(8 * 86400.0), LP_DATE_DAY);
    assert_int_equal(lp_date_form_axis(3600), LP_DATE_MINUTE);
    assert_int_equal(lp_date_form_axis(8 * 86400.0), LP_DATE_OF_MONTH);
}

/* ---- of a scenario ---- */

#define SCENARIO(keys)                                                                             \
    "{\"lightpath\":1," keys "\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":4}},"       \
    "\"jobs\":[{\"servers\":1,\"duration\":9}]}"

static void expect_epoch(const char *text, double seconds, const char *epoch, const char *date) {
    char out[LP_DATE_TEXT];
    LpScenario *scenario = load_text(text, NULL, 0);
    assert_true(scenario->epoch.given);
    assert_true(scenario->epoch.seconds == seconds);
    assert_string_equal(lp_scenario_epoch(scenario, out), epoch);
    assert_string_equal(lp_scenario_date(scenario, 12, LP_DATE_WHOLE, out), date);
    lp_scenario_free(scenario);
}

static void a_scenario_says_when_it_begins(void **state) {
    (void)state;
    expect_epoch(SCENARIO("\"epoch\":\"2026-03-02T14:05:00Z\","), 1772460300,
                 "2026-03-02T14:05:00Z", "Mon 2026-03-02 14:05:12");
    expect_epoch(SCENARIO("\"epoch\":1772460300,\"epoch_offset\":\"+01:00\","), 1772460300,
                 "2026-03-02T15:05:00+01:00", "Mon 2026-03-02 15:05:12");
    expect_epoch(SCENARIO("\"epoch\":\"2026-03-02 14:05\",\"epoch_offset\":\"-02:30\","),
                 1772460300 + 9000, "2026-03-02T14:05:00-02:30", "Mon 2026-03-02 14:05:12");
    expect_epoch(SCENARIO("\"epoch\":\"2026-03-02 14:05+01:00\","), 1772460300 - 3600,
                 "2026-03-02T14:05:00+01:00", "Mon 2026-03-02 14:05:12");
    expect_epoch(SCENARIO("\"epoch\":\"2026-03-02 14:05\","), 1772460300, "2026-03-02T14:05:00",
                 "Mon 2026-03-02 14:05:12");
}

static void an_epoch_that_is_none_is_refused(void **state) {
    (void)state;
    expect_load_error(SCENARIO("\n\"epoch\":\"yesterday\","), NULL, 0,
                      "s:2:9: \"epoch\" is the text \"yesterday\", expected a date such as "
                      "\"2026-03-01T00:00:00Z\", or seconds since 1970");
    expect_load_error(SCENARIO("\n\"epoch\":-1,"), NULL, 0,
                      "s:2:9: \"epoch\" is -1, expected a number >= 0 and <= 253402300799");
    expect_load_error(SCENARIO("\n\"epoch\":0,\"epoch_offset\":\"CET\","), NULL, 0,
                      "s:2:26: \"epoch_offset\" is the text \"CET\", expected how far clocks are "
                      "ahead of UTC, such as \"+01:00\"");
    expect_load_error(SCENARIO("\n\"epoch_offset\":\"+01:00\","), NULL, 0,
                      "s:2:1: \"epoch_offset\" says how far clocks are from UTC, and there is no "
                      "\"epoch\" that says when time 0 was");
}

static void a_date_is_a_moment_of_the_run(void **state) {
    (void)state;
    LpScenario *scenario = load_text(
        SCENARIO("\"epoch\":\"2026-03-02T14:05:00Z\",\"epoch_offset\":\"+01:00\","), NULL, 0);
    static const struct {
        const char *text;
        double time; /* < 0: refused */
    } cases[] = {{"2026-03-02 15:05:12", 12},
                 {"2026-03-02T14:05:12Z", 12},
                 {"2026-03-02 16:05:12+02:00", 12},
                 {"2026-03-02 14:05:12", -1}};
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpDate date;
        double time = -1;
        assert_int_equal(lp_date_parse(cases[i].text, &date), LP_OK);
        LpErr err = lp_scenario_moment_of(scenario, &date, &time);
        assert_int_equal(err, cases[i].time < 0 ? LP_EINVAL : LP_OK);
        assert_true(time == cases[i].time);
    }
    lp_scenario_free(scenario);
}

TEST_GROUP(test_model_date) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_are_read),
        cmocka_unit_test(what_is_no_date_is_refused),
        cmocka_unit_test(dates_are_written),
        cmocka_unit_test(days_follow_each_other),
        cmocka_unit_test(forms_follow_the_span),
        cmocka_unit_test(a_scenario_says_when_it_begins),
        cmocka_unit_test(an_epoch_that_is_none_is_refused),
        cmocka_unit_test(a_date_is_a_moment_of_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
