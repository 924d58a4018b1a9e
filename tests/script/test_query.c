/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions in Lua about a moment, and breakpoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "session/breakpoint.h"

static LpSession *open_run(void) {
    static const char *const set[] = {"generator.count=80", "partition.kind=model",
                                      "options.shapes=published"};
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json", .sets = 3, .set = set};
    LpSession *s = NULL;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static void expect(const LpSession *s, const char *text, const char *answer) {
    LpBuf out = {0};
    LpDiag diag = {0};
    if (lp_session_query(s, text, &out, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_string_equal(lp_buf_text(&out), answer);
    lp_buf_fini(&out);
}

static void expect_fail(const LpSession *s, const char *text, LpErr err, const char *words) {
    LpBuf out = {0};
    LpDiag diag = {0};
    uint64_t hash = lp_session_hash(s);
    assert_int_equal(lp_session_query(s, text, &out, &diag), err);
    if (strstr(diag.text, words) == NULL)
        fail_msg("%s: \"%s\" lacks \"%s\"", text, diag.text, words);
    assert_string_equal(lp_buf_text(&out), "");
    assert_true(lp_session_hash(s) == hash);
    lp_buf_fini(&out);
}

static void test_questions(void **state) {
    LpSession *s = open_run();
    LpEvent event;
    LpDiag diag;
    (void)state;
    expect_fail(s, "job(0).state", LP_ERANGE, "has not arrived");
    for (int i = 0; i < 5; i++)
        assert_int_equal(lp_session_to_decision(s, &event, &diag), LP_OK);
    expect(s, "1 + 1", "2");
    expect(s, "cluster.servers", "32");
    expect(s, "cluster.free + cluster.busy * cluster.servers", "32.0");
    expect(s, "job(4).id", "4");
    expect(s, "{1, 2, {3}}", "{ 1, 2, { 3 } }");
    expect(s, "nil", "nil");
    expect(s, "print('a', 1) return 7", "a\t1\n7");
    expect(s, "local n = 0 for _, j in ipairs(cluster.running) do n = n + 1 end return n > 0",
           "true");
    lp_session_close(s);
}

static void test_bad_questions(void **state) {
    LpSession *s = open_run();
    char longest[LP_DIAG_TEXT * 16];
    (void)state;
    expect_fail(s, "", LP_EINVAL, "empty");
    expect_fail(s, "1 +", LP_ESCRIPT, "near");
    expect_fail(s, "job('x')", LP_ESCRIPT, "job");
    expect_fail(s, "cluster.nothing", LP_ESCRIPT, "nothing");
    expect_fail(s, "while true do end", LP_ESCRIPT, "");
    expect_fail(s, "os.exit()", LP_ESCRIPT, "os");
    expect_fail(s, "cluster.free = 3", LP_ESCRIPT, "read-only");
    expect_fail(s, ") end os = 1 --", LP_ESCRIPT, "");
    expect_fail(s, "string.rep('x', 1e9)", LP_ESCRIPT, "");
    memset(longest, '1', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    expect_fail(s, longest, LP_ELIMIT, "bytes");
    lp_session_close(s);
}

static void run_until(LpSession *s, const char *text, bool expected) {
    LpBreak *stop;
    LpDiag diag = {0};
    bool hit;
    if (lp_break_new(s, text, &stop, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_string_equal(lp_break_text(stop), text);
    if (lp_session_run_until(s, stop, NULL, NULL, &hit, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_int_equal(hit, expected);
    lp_break_free(stop);
}

static void test_breaks(void **state) {
    LpSession *s = open_run();
    const LpWorld *w = lp_session_world(s);
    (void)state;
    run_until(s, "job(11).state == 'blocked'", true);
    assert_int_equal(lp_world_jobs(w), 12);
    assert_int_equal(lp_world_job(w, 11)->outcome, LP_JOB_BLOCKED);
    run_until(s, "event completion", true);
    uint64_t blocked = lp_world_tally(w)->blocked;
    run_until(s, "cause declined", true);
    assert_int_equal(lp_world_tally(w)->blocked, blocked + 1);
    run_until(s, "job 40", true);
    assert_int_equal(lp_world_due(w), 40);
    run_until(s, "cluster.busy > 0.75", true);
    assert_true(lp_world_free_servers(w) < 8);
    run_until(s, "cluster.free > 1000", false);
    assert_true(lp_world_over(w));
    lp_session_close(s);
}

static void expect_bad_break(const LpSession *s, const char *text, LpErr err, const char *words) {
    LpBreak *stop = NULL;
    LpDiag diag = {0};
    assert_int_equal(lp_break_new(s, text, &stop, &diag), err);
    assert_null(stop);
    if (strstr(diag.text, words) == NULL)
        fail_msg("%s: \"%s\" lacks \"%s\"", text, diag.text, words);
}

static void test_bad_breaks(void **state) {
    LpSession *s = open_run();
    LpBreak *stop;
    LpDiag diag = {0};
    bool hit = true;
    (void)state;
    expect_bad_break(s, "event blok", LP_EINVAL, "did you mean \"block\"");
    expect_bad_break(s, "cause dedline", LP_EINVAL, "did you mean \"deadline\"");
    expect_bad_break(s, "job x1", LP_EINVAL, "number");
    expect_bad_break(s, "job(3", LP_ESCRIPT, "near");
    assert_int_equal(lp_break_new(s, "cluster.free.x", &stop, &diag), LP_OK);
    assert_int_equal(lp_session_run_until(s, stop, NULL, NULL, &hit, &diag), LP_ESCRIPT);
    assert_false(hit);
    lp_break_free(stop);
    lp_session_close(s);
}

TEST_GROUP(test_query) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_bad_questions),
        cmocka_unit_test(test_breaks),
        cmocka_unit_test(test_bad_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
