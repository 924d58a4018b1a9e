/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of io/json: what is refused and where, places, printing, overrides, tables of keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "io/json/json.h"

static LpJson *parse(const char *text) {
    LpJson *doc = NULL;
    LpDiag diag = {0};
    char shown[LP_DIAG_TEXT];
    if (lp_json_parse("t", text, strlen(text), &doc, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, shown, sizeof shown));
    return doc;
}

static void expect_message(LpErr err, const LpDiag *diag, const char *message) {
    char shown[LP_DIAG_TEXT + LP_DIAG_FILE];
    assert_int_not_equal(err, LP_OK);
    assert_int_equal(diag->code, err);
    assert_string_equal(lp_diag_format(diag, shown, sizeof shown), message);
}

static void expect_syntax(const char *text, size_t len, const char *message) {
    LpJson *doc = NULL;
    LpDiag diag;
    LpErr err = lp_json_parse("t", text, len, &doc, &diag);
    expect_message(err, &diag, message);
    assert_null(doc);
}

/* ---- parsing ---- */

#define VALUE "a number, a text in double quotes, true, false, null, [ or {"

static void syntax_errors_have_a_place(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "t:1:1: the text ends here, expected " VALUE},
        {"  \n ", "t:2:2: the text ends here, expected " VALUE},
        {"{", "t:1:2: the text ends here, expected a key in double quotes"},
        {"[1,\n2", "t:2:2: the text ends here, expected ',' or ']'"},
        {"{\"a\" 1}", "t:1:6: found '1', expected ':' after the key"},
        {"{\"a\": 1 \"b\": 2}", "t:1:9: found '\"b', expected ',' or '}'"},
        {"{a: 1}", "t:1:2: found 'a', expected a key in double quotes"},
        {"{'a': 1}", "t:1:2: texts stand in double quotes in JSON"},
        {"[1, 2,]", "t:1:6: a comma after the last entry, expected none"},
        {"{\"a\":1,\n}", "t:1:7: a comma after the last entry, expected none"},
        {"[1] 2", "t:1:5: found '2', expected nothing after the value"},
        {"// no\n1", "t:1:1: comments are not JSON, expected plain JSON"},
        {"[1, /* no */ 2]", "t:1:5: comments are not JSON, expected plain JSON"},
        {"# no", "t:1:1: comments are not JSON, expected plain JSON"},
        {"NaN", "t:1:1: found 'NaN', expected " VALUE},
        {"nul", "t:1:1: found 'nul', expected " VALUE},
        {"+1", "t:1:1: found '+1', expected " VALUE},
        {".5", "t:1:1: found '.5', expected " VALUE},
        {"-", "t:1:2: the text ends here, expected the digits of a number"},
        {"-x", "t:1:2: found 'x', expected the digits of a number"},
        {"01", "t:1:1: a number begins with 0, expected no leading zeros"},
        {"1.", "t:1:3: the text ends here, expected digits after the point"},
        {"[1.e5]", "t:1:4: found 'e5', expected digits after the point"},
        {"[1e+]", "t:1:5: found ']', expected the digits of an exponent"},
        {"1e999", "t:1:1: the number is too large, expected less than 1.8e308"},
        {"[0,\n -1e999]", "t:2:2: the number is too large, expected less than 1.8e308"},
        {"\"abc", "t:1:1: a text begins here and never ends, expected \""},
        {"\"a\nb\"", "t:1:3: the line ends inside a text, expected \" (or \\n for a new line)"},
        {"\"a\tb\"", "t:1:3: a control byte inside a text, expected an escape"},
        {"\"\\q\"",
         "t:1:2: unknown escape in a text, expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u"},
        {"\"\\",
         "t:1:2: unknown escape in a text, expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u"},
        {"\"\\u12g4\"", "t:1:2: \\u without four hexadecimal digits"},
        {"\"x\\u0000\"", "t:1:3: a text must not hold a NUL (\\u0000)"},
        {"\"\\ud800\"", "t:1:2: the first half of a surrogate pair alone"},
        {"\"\\ud800\\u0041\"", "t:1:2: the first half of a surrogate pair alone"},
        {"\"\\udc00\"", "t:1:2: the second half of a surrogate pair alone"},
        {"\"\xff\"", "t:1:2: a text is not valid UTF-8"},
        {"\"\xc0\x80\"", "t:1:2: a text is not valid UTF-8"},
        {"{\"a\":1, \"b\":2,\n \"a\":3}",
         "t:2:2: the key \"a\" stands twice in one object, expected once"},
        {"[{\"x\":{\"k\":1,\"\\u006b\":1}}]",
         "t:1:14: the key \"k\" stands twice in one object, expected once"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect_syntax(cases[i][0], strlen(cases[i][0]), cases[i][1]);
}

static void nul_bytes_are_refused(void **state) {
    (void)state;
    expect_syntax("[1,\0 2]", 7, "t:1:4: a NUL byte, expected JSON text");
    expect_syntax("[1]\0", 4, "t:1:4: a NUL byte, expected JSON text");
    expect_syntax("\"a\0b\"", 5, "t:1:3: a control byte inside a text, expected an escape");
}

static void long_numbers_are_refused(void **state) {
    (void)state;
    char text[80];
    LpJson *doc;
    memset(text, '1', sizeof text);
    text[LP_JSON_DIGITS_MAX] = '\0';
    doc = parse(text);
    lp_json_free(doc);
    text[LP_JSON_DIGITS_MAX] = '1';
    text[LP_JSON_DIGITS_MAX + 1] = '\0';
    expect_syntax(text, strlen(text), "t:1:1: a number of more than 63 characters");
}

static void nesting_is_limited(void **state) {
    (void)state;
    char text[2 * LP_JSON_DEPTH_MAX + 3] = {0};
    memset(text, '[', LP_JSON_DEPTH_MAX);
    memset(text + LP_JSON_DEPTH_MAX, ']', LP_JSON_DEPTH_MAX);
    lp_json_free(parse(text));
    memset(text, '[', LP_JSON_DEPTH_MAX + 1);
    expect_syntax(text, strlen(text), "t:1:65: nested too deep, expected at most 64 levels");
}

static void values_are_read(void **state) {
    (void)state;
    LpJson *doc = parse("\xEF\xBB\xBF {\"A\": [1.5, true, false, null], \"a\": \"x\\u00e9\\ud83d"
                        "\\ude00\", \"o\": {}}\r\n");
    LpJsonValue root = lp_json_root(doc), list = lp_json_member(root, "A");
    assert_int_equal(lp_json_kind(root), LP_JSON_OBJECT);
    assert_int_equal(lp_json_count(root), 3);
    assert_int_equal(lp_json_kind(list), LP_JSON_LIST);
    assert_int_equal(lp_json_count(list), 4);
    LpJsonValue v = lp_json_first(list);
    assert_true(lp_json_number(v) == 1.5);
    assert_null(lp_json_key(v));
    v = lp_json_next(v);
    assert_true(lp_json_bool(v));
    v = lp_json_next(v);
    assert_int_equal(lp_json_kind(v), LP_JSON_BOOL);
    assert_false(lp_json_bool(v));
    v = lp_json_next(v);
    assert_int_equal(lp_json_kind(v), LP_JSON_NULL);
    v = lp_json_next(v);
    assert_int_equal(lp_json_kind(v), LP_JSON_NOTHING);
    assert_int_equal(lp_json_kind(lp_json_next(v)), LP_JSON_NOTHING);
    assert_string_equal(lp_json_text(lp_json_member(root, "a")), "x\xC3\xA9\xF0\x9F\x98\x80");
    assert_null(lp_json_text(list));
    assert_int_equal(lp_json_kind(lp_json_member(root, "O")), LP_JSON_NOTHING);
    assert_string_equal(lp_json_key(lp_json_member(root, "o")), "o");
    lp_json_free(doc);
}

static void places_are_those_of_the_file(void **state) {
    (void)state;
    LpJson *doc = parse("{\n \"a\" :  [10, 20,\n\n  {\"b\": \"c\"}]}");
    LpJsonValue a = lp_json_member(lp_json_root(doc), "a");
    LpJsonValue b = lp_json_member(lp_json_next(lp_json_next(lp_json_first(a))), "b");
    LpDiag diag;
    int line, col;
    lp_json_place(lp_json_root(doc), &line, &col);
    assert_int_equal(line, 1);
    assert_int_equal(col, 1);
    lp_json_place(a, &line, &col);
    assert_int_equal(line, 2);
    assert_int_equal(col, 9);
    lp_json_place(lp_json_next(lp_json_first(a)), &line, &col);
    assert_int_equal(line, 2);
    assert_int_equal(col, 14);
    expect_message(lp_json_fail(b, &diag, LP_EINVAL, "bad %d", 3), &diag, "t:4:9: bad 3");
    expect_message(lp_json_fail_key(b, &diag, LP_ERANGE, "bad"), &diag, "t:4:4: bad");
    lp_json_free(doc);
}

static void printing_keeps_numbers(void **state) {
    (void)state;
    LpJson *doc = parse("{ \"a\" : [1.50, -0, 1e+3, 18446744073709551615],\n\"b\":{}, "
                        "\"c\":\"q\\\"\\n\", \"d\":[], \"e\":true,\"f\":false, \"g\":null}");
    LpBuf out = {0};
    lp_json_print(lp_json_root(doc), &out);
    assert_string_equal(lp_buf_text(&out),
                        "{\"a\":[1.50,-0,1e+3,18446744073709551615],\"b\":{},\"c\":\"q\\\"\\n\","
                        "\"d\":[],\"e\":true,\"f\":false,\"g\":null}");
    lp_buf_fini(&out);
    lp_json_free(doc);
}

static void paths_lead_as_deep_as_they_can(void **state) {
    (void)state;
    LpJson *doc =
        parse("{\"g\":{\"steps\":{\"uniform\":{\"min\":3}}},\"jobs\":[{\"n\":1},{\"n\":2}]}");
    assert_true(lp_json_number(lp_json_at_path(doc, "g.steps.min is 3: bad")) == 3);
    assert_true(lp_json_number(lp_json_at_path(doc, "jobs[1].n is 2")) == 2);
    assert_string_equal(lp_json_key(lp_json_at_path(doc, "jobs[7].n is 2")), "jobs");
    assert_string_equal(lp_json_key(lp_json_at_path(doc, "g.none is missing")), "g");
    assert_string_equal(lp_json_key(lp_json_at_path(doc, "g: bad")), "g");
    assert_int_equal(lp_json_kind(lp_json_at_path(doc, "nothing is here")), LP_JSON_NOTHING);
    assert_int_equal(lp_json_kind(lp_json_at_path(doc, "")), LP_JSON_OBJECT);
    lp_json_free(doc);
}

/* ---- overrides ---- */

static const char BASE[] = "{\"a\":{\"b\":[1,{\"c\":2}]},\"n\":null}";

static void overrides_replace_and_create(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"a.b[1].c=3", "{\"a\":{\"b\":[1,{\"c\":3}]},\"n\":null}"},
        {"a.b[0]=[true]", "{\"a\":{\"b\":[[true],{\"c\":2}]},\"n\":null}"},
        {"a=1.6 TB/s", "{\"a\":\"1.6 TB/s\",\"n\":null}"},
        {"n={\"x\":1.50}", "{\"a\":{\"b\":[1,{\"c\":2}]},\"n\":{\"x\":1.50}}"},
        {"x.y.z= 7 ", "{\"a\":{\"b\":[1,{\"c\":2}]},\"n\":null,\"x\":{\"y\":{\"z\":7}}}"},
        {"n=", "{\"a\":{\"b\":[1,{\"c\":2}]},\"n\":\"\"}"},
        {"n=a=b", "{\"a\":{\"b\":[1,{\"c\":2}]},\"n\":\"a=b\"}"},
        {"n=\"1\"", "{\"a\":{\"b\":[1,{\"c\":2}]},\"n\":\"1\"}"},
        {"n=null", "{\"a\":{\"b\":[1,{\"c\":2}]}}"},
        {"a.b[0]=null", "{\"a\":{\"b\":[{\"c\":2}]},\"n\":null}"},
        {"n=[1,", "{\"a\":{\"b\":[1,{\"c\":2}]},\"n\":\"[1,\"}"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpJson *doc = parse(BASE);
        LpDiag diag;
        LpBuf out = {0};
        assert_int_equal(lp_json_set(doc, cases[i][0], &diag), LP_OK);
        lp_json_print(lp_json_root(doc), &out);
        assert_string_equal(lp_buf_text(&out), cases[i][1]);
        lp_buf_fini(&out);
        lp_json_free(doc);
    }
}

#define PATH_EXPECTED                                                                              \
    "expected PATH=VALUE, such as cluster.ramp.node_bandwidth=3.125e9 or jobs[0].steps=3"

static void overrides_that_fail_change_nothing(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "--set : " PATH_EXPECTED},
        {"a", "--set a: " PATH_EXPECTED},
        {"=1", "--set =1: " PATH_EXPECTED},
        {"a.=1", "--set a.=1: " PATH_EXPECTED},
        {".a=1", "--set .a=1: " PATH_EXPECTED},
        {"a.b[=1", "--set a.b[=1: " PATH_EXPECTED},
        {"a.b[x]=1", "--set a.b[x]=1: " PATH_EXPECTED},
        {"a.b[0]c=1", "--set a.b[0]c=1: " PATH_EXPECTED},
        {"[0]=1", "--set [0]=1: " PATH_EXPECTED},
        {"a.b[99999999999]=1", "--set a.b[99999999999]=1: " PATH_EXPECTED},
        {"a.b[2]=1", "--set a.b[2]=1: there is no entry [2], expected less than 2"},
        {"a.b.c=1", "--set a.b.c=1: \"c\" needs an object before it, found a list"},
        {"n.x=1", "--set n.x=1: \"x\" needs an object before it, found null"},
        {"a[0]=1", "--set a[0]=1: [0] needs a list before it, found an object"},
        {"n={\"k\":1,\"k\":1}",
         "--set n={\"k\":1,\"k\":1}: the key \"k\" stands twice in one object, expected once"},
        {"n=[1e999]", "--set n=[1e999]: the number is too large, expected less than 1.8e308"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpJson *doc = parse(BASE);
        LpDiag diag;
        LpBuf out = {0};
        expect_message(lp_json_set(doc, cases[i][0], &diag), &diag, cases[i][1]);
        lp_json_print(lp_json_root(doc), &out);
        assert_string_equal(lp_buf_text(&out), BASE);
        lp_buf_fini(&out);
        lp_json_free(doc);
    }
}

static void overridden_values_are_named(void **state) {
    (void)state;
    LpJson *doc = parse(BASE);
    LpDiag diag;
    int line = 9, col = 9;
    assert_int_equal(lp_json_set(doc, "x.y=fast", &diag), LP_OK);
    assert_int_equal(lp_json_set(doc, "n=5", &diag), LP_OK);
    LpJsonValue x = lp_json_member(lp_json_root(doc), "x");
    lp_json_place(x, &line, &col);
    assert_int_equal(line, 0);
    assert_int_equal(col, 0);
    expect_message(lp_json_fail_key(x, &diag, LP_EINVAL, "no"), &diag, "--set x.y=fast: no");
    expect_message(lp_json_fail(lp_json_member(x, "y"), &diag, LP_EINVAL, "no"), &diag,
                   "--set x.y=fast: no");
    expect_message(lp_json_fail(lp_json_member(lp_json_root(doc), "n"), &diag, LP_EINVAL, "no"),
                   &diag, "--set n=5: no");
    lp_json_free(doc);
}

static void deep_paths_are_refused(void **state) {
    (void)state;
    char path[400] = "a";
    LpJson *doc = parse("{}");
    LpDiag diag;
    for (int i = 0; i < 100; i++)
        strcat(path, ".a");
    strcat(path, "=1");
    assert_int_equal(lp_json_set(doc, path, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "the path is too deep, expected at most 64 levels"));
    lp_json_free(doc);
}

/* ---- tables of keys ---- */

typedef struct Thing {
    const char *name;
    bool flag;
    double time, share;
    uint32_t count;
    uint64_t big;
    int word;
    double seen;
} Thing;

static LpErr read_seen(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Thing *thing = target;
    const double *factor = context;
    LP_TRY(lp_json_expect(value, LP_JSON_NUMBER, diag));
    thing->seen = lp_json_number(value) * *factor;
    return LP_OK;
}

static const char *const words[] = {"model", "data", NULL};

static const LpJsonKey keys[] = {
    {.name = "name", .type = LP_KEY_TEXT, .offset = offsetof(Thing, name), .required = true},
    {.name = "flag", .type = LP_KEY_FLAG, .offset = offsetof(Thing, flag)},
    {.name = "time",
     .type = LP_KEY_QUANTITY,
     .offset = offsetof(Thing, time),
     .range = {.dim = LP_DIM_TIME, .above = true}},
    {.name = "share",
     .type = LP_KEY_QUANTITY,
     .offset = offsetof(Thing, share),
     .range = {.max = 1}},
    {.name = "count",
     .type = LP_KEY_COUNT,
     .offset = offsetof(Thing, count),
     .range = {.min = 1, .max = 16}},
    {.name = "big", .type = LP_KEY_COUNT64, .offset = offsetof(Thing, big)},
    {.name = "word", .type = LP_KEY_WORD, .offset = offsetof(Thing, word), .words = words},
    {.name = "seen", .type = LP_KEY_CUSTOM, .read = read_seen},
};

static LpErr read_thing(const char *text, Thing *thing, LpArena *arena, LpDiag *diag) {
    LpJson *doc = parse(text);
    double factor = 2;
    LpErr err =
        lp_json_read(lp_json_root(doc), keys, LP_COUNTOF(keys), thing, arena, &factor, diag);
    lp_json_free(doc);
    return err;
}

static void tables_fill_structures(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    Thing thing = {.share = 0.5};
    LpDiag diag;
    assert_int_equal(read_thing("{\"name\":\"x\",\"flag\":true,\"time\":\"50 ns\",\"count\":1.6e1,"
                                "\"big\":18446744073709551615,\"word\":\"data\",\"seen\":4}",
                                &thing, arena, &diag),
                     LP_OK);
    assert_string_equal(thing.name, "x");
    assert_true(thing.flag);
    assert_true(thing.time == 50e-9);
    assert_true(thing.share == 0.5);
    assert_int_equal(thing.count, 16);
    assert_true(thing.big == UINT64_MAX);
    assert_int_equal(thing.word, 1);
    assert_true(thing.seen == 8);
    lp_arena_free(arena);
}

static void tables_complain(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"[]", "t:1:1: the value is a list, expected an object {...}"},
        {"{}", "t:1:1: the key \"name\" is missing here"},
        {"{\"nme\":\"x\"}", "t:1:2: unknown key \"nme\", expected \"name\""},
        {"{\"name\":\"x\",\n\"zzzzz\":1}",
         "t:2:1: unknown key \"zzzzz\", expected one of \"name\", \"flag\", \"time\", \"share\", "
         "\"count\", \"big\", \"word\", \"seen\""},
        {"{\"name\":3}", "t:1:9: \"name\" is 3, expected a text"},
        {"{\"name\":\"x\",\"flag\":1}", "t:1:20: \"flag\" is 1, expected true or false"},
        {"{\"name\":\"x\",\"time\":[]}",
         "t:1:20: \"time\" is a list, expected a time > 0 such as \"50 ns\" or 50e-9"},
        {"{\"name\":\"x\",\"time\":0}",
         "t:1:20: \"time\" is 0, expected a time > 0 such as \"50 ns\" or 50e-9"},
        {"{\"name\":\"x\",\"time\":\"-1 ms\"}",
         "t:1:20: \"time\" is the text \"-1 ms\", expected a time > 0 such as \"50 ns\" or 50e-9"},
        {"{\"name\":\"x\",\"share\":1.5}",
         "t:1:21: \"share\" is 1.5, expected a number >= 0 and <= 1"},
        {"{\"name\":\"x\",\"count\":0}",
         "t:1:21: \"count\" is 0, expected a whole number from 1 to 16"},
        {"{\"name\":\"x\",\"count\":17}",
         "t:1:21: \"count\" is 17, expected a whole number from 1 to 16"},
        {"{\"name\":\"x\",\"count\":1.5}",
         "t:1:21: \"count\" is 1.5, expected a whole number from 1 to 16"},
        {"{\"name\":\"x\",\"count\":\"4\"}",
         "t:1:21: \"count\" is the text \"4\", expected a whole number from 1 to 16"},
        {"{\"name\":\"x\",\"big\":18446744073709551616}",
         "t:1:19: \"big\" is 1.8446744073709552e+19, expected a whole number from 0 to "
         "18446744073709551615"},
        {"{\"name\":\"x\",\"word\":\"Data\"}",
         "t:1:20: \"word\" is the text \"Data\", expected \"data\""},
        {"{\"name\":\"x\",\"word\":\"other\"}",
         "t:1:20: \"word\" is the text \"other\", expected one of \"model\", \"data\""},
        {"{\"name\":\"x\",\"word\":null}", "t:1:20: \"word\" is null, expected a text"},
        {"{\"name\":\"x\",\"seen\":{}}", "t:1:20: \"seen\" is an object, expected a number"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpArena *arena = lp_arena_new(0);
        Thing thing = {0};
        LpDiag diag;
        expect_message(read_thing(cases[i][0], &thing, arena, &diag), &diag, cases[i][1]);
        lp_arena_free(arena);
    }
}

static void wrong_units_are_refused(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    Thing thing = {0};
    LpDiag diag;
    assert_int_equal(read_thing("{\"name\":\"x\",\"time\":\"5 GB\"}", &thing, arena, &diag),
                     LP_EINVAL);
    assert_int_equal(diag.col, 20);
    assert_non_null(strstr(diag.text, "\"time\": "));
    assert_non_null(strstr(diag.text, "5 GB"));
    lp_arena_free(arena);
}

TEST_GROUP(test_io_json) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_errors_have_a_place),
        cmocka_unit_test(nul_bytes_are_refused),
        cmocka_unit_test(long_numbers_are_refused),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(places_are_those_of_the_file),
        cmocka_unit_test(printing_keeps_numbers),
        cmocka_unit_test(paths_lead_as_deep_as_they_can),
        cmocka_unit_test(overrides_replace_and_create),
        cmocka_unit_test(overrides_that_fail_change_nothing),
        cmocka_unit_test(overridden_values_are_named),
        cmocka_unit_test(deep_paths_are_refused),
        cmocka_unit_test(tables_fill_structures),
        cmocka_unit_test(tables_complain),
        cmocka_unit_test(wrong_units_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
