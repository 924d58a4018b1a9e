/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the writers of JSON and CSV. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/csv_out.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "group.h"

static void expect(LpBuf *buf, const char *text) {
    assert_int_equal(lp_buf_ok(buf, NULL), LP_OK);
    assert_string_equal(lp_buf_text(buf), text);
    lp_buf_fini(buf);
}

static void values_are_written(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpJsonOut out = {.out = &buf};
    lp_json_open(&out, NULL, '{');
    lp_json_put_number(&out, "a", 0.1);
    lp_json_put_number(&out, "b", -3);
    lp_json_put_count(&out, "c", UINT64_MAX);
    lp_json_put_bool(&out, "d", true);
    lp_json_put_bool(&out, "e", false);
    lp_json_put_null(&out, "f");
    lp_json_put_text(&out, "g", "");
    lp_json_put_text(&out, "h", NULL);
    lp_json_put_hash(&out, "i", 0xabc);
    lp_json_put_raw(&out, "j", "[1]");
    lp_json_put_raw(&out, "k", NULL);
    lp_json_put_index(&out, "l", 7);
    lp_json_put_index(&out, "m", LP_NO_INDEX);
    lp_json_end(&out);
    expect(&buf, "{\"a\":0.1,\"b\":-3,\"c\":18446744073709551615,\"d\":true,\"e\":false,"
                 "\"f\":null,\"g\":\"\",\"h\":null,\"i\":\"0000000000000abc\",\"j\":[1],"
                 "\"k\":null,\"l\":7,\"m\":null}\n");
}

static void what_is_not_finite_is_null(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpJsonOut out = {.out = &buf};
    const LpJsonNumber row[] = {{"nan", (double)NAN}, {"inf", (double)INFINITY}, {"one", 1}};
    lp_json_open(&out, NULL, '{');
    lp_json_put_numbers(&out, row, LP_COUNTOF(row));
    lp_json_put_number(&out, "less", -(double)INFINITY);
    lp_json_close(&out, '}');
    expect(&buf, "{\"nan\":null,\"inf\":null,\"one\":1,\"less\":null}");
}

static void texts_are_escaped(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpJsonOut out = {.out = &buf};
    const char *const text[] = {"a\"b\\", "\n\x1b", "\xff", "\xe2\x80\xae"};
    lp_json_put_texts(&out, NULL, text, LP_COUNTOF(text));
    expect(&buf, "[\"a\\\"b\\\\\",\"\\n\\u001b\",\"\xef\xbf\xbd\",\"\\u202e\"]");
}

static void things_nest(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpJsonOut out = {.out = &buf};
    const uint32_t number[] = {1, 2};
    lp_json_open(&out, NULL, '[');
    lp_json_open(&out, NULL, '[');
    lp_json_close(&out, ']');
    lp_json_open(&out, NULL, '{');
    lp_json_put_counts(&out, "none", NULL, 0);
    lp_json_put_counts(&out, "two", number, 2);
    lp_json_open(&out, "in", '{');
    lp_json_close(&out, '}');
    lp_json_close(&out, '}');
    lp_json_put_count(&out, NULL, 3);
    lp_json_close(&out, ']');
    expect(&buf, "[[],{\"none\":[],\"two\":[1,2],\"in\":{}},3]");
}

/* Rows of a list stand on lines of their own, however deep. */
static void lines_are_broken(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpJsonOut out = {.out = &buf};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "a", 1);
    lp_json_break(&out);
    lp_json_open(&out, "rows", '[');
    for (unsigned i = 0; i < 2; i++) {
        lp_json_break(&out);
        lp_json_put_count(&out, NULL, i);
    }
    lp_json_close(&out, ']');
    lp_json_end(&out);
    lp_json_put_null(&out, NULL);
    expect(&buf, "{\"a\":1,\n\"rows\":[\n0,\n1]}\nnull");
}

static void what_is_for_people_is_indented(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpJsonOut out = {.out = &buf, .spaced = true};
    lp_json_lines(&out, NULL, '{');
    lp_json_put_count(&out, "a", 1);
    lp_json_lines(&out, "b", '[');
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "c", 2);
    lp_json_put_count(&out, "d", 3);
    lp_json_close(&out, '}');
    lp_json_put_null(&out, NULL);
    lp_json_close(&out, ']');
    lp_json_lines(&out, "e", '[');
    lp_json_close(&out, ']');
    lp_json_end(&out);
    expect(&buf, "{\n  \"a\": 1,\n  \"b\": [\n    {\"c\": 2, \"d\": 3},\n    null\n  ],\n"
                 "  \"e\": []\n}\n");
}

/* Deeper than the marks of lines reach: no line is broken there, and nothing else changes. */
static void depth_has_no_end(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpJsonOut out = {.out = &buf};
    for (int i = 0; i < 100; i++)
        lp_json_lines(&out, NULL, '[');
    for (int i = 0; i < 100; i++)
        lp_json_close(&out, ']');
    assert_int_equal(lp_buf_ok(&buf, NULL), LP_OK);
    size_t brackets = 0;
    for (const char *c = lp_buf_text(&buf); *c != '\0'; c++)
        brackets += *c == '[' || *c == ']';
    assert_int_equal(brackets, 200);
    lp_buf_fini(&buf);
}

static void cells_are_written(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpCsvOut out = {.out = &buf};
    lp_csv_put_words(&out, "a,b");
    lp_csv_put_text(&out, "c");
    lp_csv_end(&out);
    lp_csv_put_text(&out, NULL);
    lp_csv_put_words(&out, NULL);
    lp_csv_put_text(&out, "x,\"y\"");
    lp_csv_put_quoted(&out, "z");
    lp_csv_put_number(&out, 0.25);
    lp_csv_put_number(&out, (double)NAN);
    lp_csv_put_number(&out, -(double)INFINITY);
    lp_csv_put_count(&out, 12);
    lp_csv_end(&out);
    lp_csv_end(&out);
    expect(&buf, "a,b,c\n,,\"x,\"\"y\"\"\",\"z\",0.25,,,12\n\n");
}

/* Nothing is written any more; the buffer tells. */
static void lack_of_memory_is_told_at_the_end(void **state) {
    (void)state;
    LpBuf buf = {0};
    LpJsonOut json = {.out = &buf};
    LpCsvOut csv = {.out = &buf};
    LpDiag diag;
    lp_json_open(&json, NULL, '{');
    buf.failed = true;
    lp_json_put_text(&json, "a", "b");
    lp_json_put_number(&json, "c", 1);
    lp_json_end(&json);
    lp_csv_put_text(&csv, "d");
    lp_csv_put_number(&csv, 1);
    lp_csv_end(&csv);
    assert_int_equal(lp_buf_ok(&buf, &diag), LP_ENOMEM);
    assert_int_equal(buf.len, 1);
    lp_buf_fini(&buf);
}

TEST_GROUP(test_base_out) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_written),
        cmocka_unit_test(what_is_not_finite_is_null),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(things_nest),
        cmocka_unit_test(lines_are_broken),
        cmocka_unit_test(what_is_for_people_is_indented),
        cmocka_unit_test(depth_has_no_end),
        cmocka_unit_test(cells_are_written),
        cmocka_unit_test(lack_of_memory_is_told_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
