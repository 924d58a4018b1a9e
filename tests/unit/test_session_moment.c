/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forks in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/word.h"
#include "group.h"
#include "session/moment/line.h"
#include "session/moment/moment.h"

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

static void test_plans(void **state) {
    LpForkText fork;
    LpParallel expected = lp_parallel_default();
    (void)state;
    parse("tensor=8 servers=3,4 pipeline=2 wait=false recompute=full sequence=true zero=1", &fork);
    expected.tensor = 8;
    expected.pipeline = 2;
    expected.recompute = LP_RECOMPUTE_FULL;
    expected.sequence = true;
    expected.zero = 1;
    expected.wait = false;
    assert_ptr_equal(fork.spec.answer, &fork.answer);
    assert_int_equal(fork.answer.kind, LP_ANSWER_RUN);
    assert_true(fork.answer.has_plan);
    assert_true(lp_parallel_same(&fork.answer.parallel, &expected));
    assert_int_equal(fork.answer.degree, 16);
    assert_int_equal(fork.answer.servers, 2);
}

/* What a plan says of itself makes it again, whatever its numbers are. */
static void test_plan_words(void **state) {
    char words[LP_PARALLEL_TEXT];
    (void)state;
    for (uint32_t key = 0; key < LP_PARALLEL_NUMBERS; key++) {
        uint32_t number[LP_PARALLEL_NUMBERS];
        double changed[LP_PARALLEL_NUMBERS];
        LpParallel plan = lp_parallel_default();
        LpForkText fork;
        lp_parallel_numbers(&plan, number);
        for (uint32_t i = 0; i < LP_PARALLEL_NUMBERS; i++)
            changed[i] = number[i];
        if (key != LP_PARALLEL_AT_batch) /* is left out */
            changed[key] = key == LP_PARALLEL_AT_wait ? 0 : changed[key] + 1;
        assert_true(lp_parallel_of_numbers(changed, LP_PARALLEL_NUMBERS, &plan));
        parse(lp_parallel_words(&plan, words), &fork);
        if (!lp_parallel_same(&fork.answer.parallel, &plan))
            fail_msg("\"%s\" is read as another plan", words);
    }
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
        {"wait=1", "wait is 1: expected true or false"},
        {"decline=1", "takes no"},
        {"servers=1,,2", "commas"},
        {"servers=", "commas"},
        {"wait decline", "another answer"},
        {"degree=2 wait", "another answer"},
        {"tensor=2 wait", "another answer"},
        {"tensor=2 degree=4", "degree=4 beside a plan"},
        {"tensor=0", "tensor is 0: expected a whole number from 1"},
        {"tensor=2 tensor=4", "tensor is given twice"},
        {"recompute=some", "expected none, selective or full"},
        {"tensor", "needs a value"},
        {"tensr=2", "did you mean tensor"},
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

/* What is written as a word is read as that word, whatever is in it. */
static void test_quotes(void **state) {
    (void)state;
    static const char letters[] = "ab \t\"\\=,'";
    LpForkText fork;
    LpDiag diag = {0};
    LpRng rng = lp_rng_stream(7, "quotes", 0);
    for (int i = 0; i < 2000; i++) {
        char value[3][9];
        LpBuf line = {0};
        for (int v = 0; v < 3; v++) {
            size_t len = 1 + lp_rng_below(&rng, 8);
            for (size_t k = 0; k < len; k++)
                value[v][k] = letters[lp_rng_below(&rng, sizeof letters - 1)];
            value[v][len] = '\0';
        }
        lp_buf_add(&line, "  name=");
        lp_word_add(&line, value[0]);
        lp_buf_add(&line, "  policy=");
        lp_word_add(&line, value[1]);
        lp_buf_add(&line, "\tparam=k=");
        lp_word_add(&line, value[2]);
        lp_buf_add(&line, " degree=2 ");
        parse(lp_buf_text(&line), &fork);
        assert_string_equal(fork.spec.name, value[0]);
        assert_string_equal(fork.spec.policy, value[1]);
        assert_int_equal(fork.spec.params, 1);
        assert_string_equal(fork.spec.param[0] + 2, value[2]);
        assert_int_equal(fork.answer.degree, 2);
        lp_buf_fini(&line);
    }
    parse("\"name=a b\" policy=\"x y\".lua", &fork);
    assert_string_equal(fork.spec.name, "a b");
    assert_string_equal(fork.spec.policy, "x y.lua");
    assert_int_equal(lp_fork_parse("name=\"a b", arena, &fork, &diag), LP_EINVAL);
    assert_string_equal(diag.text, "fork: a quote is not closed: expected \" at the end");
}

TEST_GROUP(test_session_moment) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),     cmocka_unit_test(test_policies_and_conditions),
        cmocka_unit_test(test_plans),       cmocka_unit_test(test_plan_words),
        cmocka_unit_test(test_bad),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_shell_words), cmocka_unit_test(test_quotes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
