/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forks in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/moment/line.h"
#include "run/moment/moment.h"

static LpArena *arena;

static int set_up(void **state) {
    (void)state;
    arena = lp_arena_new(0);
    return arena == NULL;
}

static int tear_down(void **state) {
    (void)state;
    lp_arena_free(arena);
    return 0;
}

static void parse(const char *text, LpForkText *out) {
    LpDiag diag = {0};
    if (lp_fork_parse(text, arena, out, &diag) != LP_OK)
        fail_msg("\"%s\": %s", text, diag.text);
}

static void test_answers(void **state) {
    LpForkText fork;
    (void)state;
    parse("degree=8", &fork);
    assert_ptr_equal(fork.spec.answer, &fork.answer);
    assert_int_equal(fork.answer.kind, LP_ANSWER_RUN);
    assert_int_equal(fork.answer.degree, 8);
    assert_null(fork.spec.condition);
    parse("  degree=2   servers=0,8,16 name=wide ", &fork);
    assert_int_equal(fork.answer.degree, 2);
    assert_int_equal(fork.answer.servers, 3);
    assert_int_equal(fork.answer.server[2], 16);
    assert_string_equal(fork.spec.name, "wide");
    parse("wait", &fork);
    assert_int_equal(fork.answer.kind, LP_ANSWER_WAIT);
    parse("decline", &fork);
    assert_int_equal(fork.answer.kind, LP_ANSWER_DECLINE);
    parse("", &fork);
    assert_null(fork.spec.answer);
}

static void test_policies_and_conditions(void **state) {
    LpForkText fork;
    (void)state;
    parse("policy=edf.lua param=a=1 param=b=x=y", &fork);
    assert_string_equal(fork.spec.policy, "edf.lua");
    assert_int_equal(fork.spec.params, 2);
    assert_string_equal(fork.spec.param[1], "b=x=y");
    assert_null(fork.spec.answer);
    parse("bandwidth=0.5", &fork);
    assert_ptr_equal(fork.spec.condition, &fork.condition);
    assert_int_equal(fork.condition.kind, LP_CONDITION_BANDWIDTH);
    assert_true(fork.condition.value == 0.5);
    parse("degree=4 fail_server=3", &fork);
    assert_int_equal(fork.condition.kind, LP_CONDITION_FAIL_SERVER);
    assert_non_null(fork.spec.answer);
}

static void test_bad(void **state) {
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"degree=0", "whole number"},
        {"degree=x", "whole number"},
        {"degree", "needs a value"},
        {"wait=1", "takes no"},
        {"servers=1,,2", "commas"},
        {"servers=", "commas"},
        {"wait decline", "another answer"},
        {"degree=2 wait", "another answer"},
        {"degre=2", "did you mean degree"},
        {"bandwith=2", "did you mean bandwidth"},
        {"bandwidth=fast", "a number"},
        {"bandwidth", "needs a value"},
        {"bandwidth=2 latency=2", "second condition"},
        {"policy=", "name of a file"},
        {"param=x", "NAME=VALUE"},
        {"name=", "a name"},
        {"\x1b[31m=1", "\\x1b"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        LpForkText fork;
        LpDiag diag = {0};
        assert_int_equal(lp_fork_parse(bad[i].text, arena, &fork, &diag), LP_EINVAL);
        if (strstr(diag.text, bad[i].words) == NULL)
            fail_msg("\"%s\": \"%s\" lacks \"%s\"", bad[i].text, diag.text, bad[i].words);
    }
}

static void test_names(void **state) {
    (void)state;
    for (int k = 0; k < LP_CONDITION_COUNT; k++)
        assert_int_equal(lp_condition_find(lp_condition_name((LpConditionKind)k)), k);
    assert_int_equal(lp_condition_find("nothing"), -1);
}

static void word_is(const char *word, const char *expected) {
    LpBuf out = {0};
    lp_shell_word(&out, word);
    assert_string_equal(lp_buf_text(&out), expected);
    lp_buf_fini(&out);
}

/* A shell reads the very bytes back, and none of them acts on a terminal that shows the line. */
static void test_shell_words(void **state) {
    (void)state;
    word_is("a/b.json", "a/b.json");
    word_is("", "''");
    word_is("it's", "'it'\\''s'");
    word_is("a\\x0ab", "'a\\x0ab'");
    word_is("caf\xc3\xa9", "'caf\xc3\xa9'");
    word_is("a\nb'\\", "$'a\\x0ab\\'\\\\'");
    word_is("\x1b[1m\xff", "$'\\x1b[1m\\xff'");
    word_is("\xc2\x9b", "$'\\xc2\\x9b'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),     cmocka_unit_test(test_policies_and_conditions),
        cmocka_unit_test(test_bad),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_shell_words),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
