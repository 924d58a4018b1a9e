/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two futures of the same jobs: what both have done and how long it took them, counted job by job;
 * shares differ in points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ask/whatif/pair.h"
#include "group.h"
#include "session/moment/moment.h"
#include "session/time.h"

#define SCENARIO LP_SOURCEDIR "/scenarios/pac-ml-32.json"

/* The numbers below were counted under these rules. */
static const char *const COUNTED[] = {"partition.kind=model", "options.shapes=published"};

static LpSession *open_at(const char *policy, const char *moment) {
    LpSessionSpec spec = {
        .scenario = SCENARIO, .sets = 2, .set = COUNTED, .policy = policy, .keep_timeline = true};
    LpSession *session;
    LpDiag diag = {0};
    LpAt at;
    if (lp_session_open(&spec, &session, &diag) != LP_OK ||
        lp_at_parse(moment, &at, &diag) != LP_OK || lp_session_go(session, &at, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return session;
}

/* Of a run of 61 jobs. */
static void means_are_of_the_jobs_that_both_have_done(void **state) {
    (void)state;
    LpSession *s[2] = {open_at("meets_deadline", "d60"), open_at("max_parallelism", "d60")};
    const LpWorld *a = lp_session_world(s[0]), *b = lp_session_world(s[1]);
    LpPair pair = lp_pair_of(a, b), back = lp_pair_of(b, a);
    double sum[2] = {0.0, 0.0};
    uint32_t both = 0, done = 0, only = 0;
    for (uint32_t i = 0; i < lp_world_jobs(a); i++) {
        const LpJob *x = lp_world_job(a, i), *y = lp_world_job(b, i);
        done += x->outcome == LP_JOB_COMPLETED;
        only += y->outcome == LP_JOB_BLOCKED && x->outcome != LP_JOB_BLOCKED;
        if (x->outcome != LP_JOB_COMPLETED || y->outcome != LP_JOB_COMPLETED)
            continue;
        sum[0] += x->times.end - x->asked.arrival;
        sum[1] += y->times.end - y->asked.arrival;
        both++;
    }
    assert_int_equal(both, 25);
    assert_int_equal(done, 42); /* many more than in both */
    assert_int_equal(pair.both, both);
    assert_int_equal(pair.only[1], only);
    assert_true(fabs(pair.mean_jct[0] - sum[0] / both) < 1e-12);
    assert_true(fabs(pair.mean_jct[1] - sum[1] / both) < 1e-12);
    assert_true(fabs(pair.sooner - 2.88) < 0.01);
    assert_true(fabs(back.sooner * pair.sooner - 1.0) < 1e-12);
    assert_int_equal(back.only[0], only);
    lp_session_close(s[0]);
    lp_session_close(s[1]);
}

static void jobs_that_differ_are_listed_from_the_newest_on(void **state) {
    (void)state;
    LpSession *s[2] = {open_at("meets_deadline", "d60"), open_at("max_parallelism", "d60")};
    const LpWorld *a = lp_session_world(s[0]), *b = lp_session_world(s[1]);
    LpPair pair = lp_pair_of(a, b);
    uint32_t count = 0, job = LP_NO_INDEX, last = LP_NO_INDEX;
    while ((job = lp_pair_before(a, b, job)) != LP_NO_INDEX) {
        assert_true(last == LP_NO_INDEX || job < last);
        assert_true(lp_pair_job_differs(lp_world_job(a, job), lp_world_job(b, job)));
        if (last == LP_NO_INDEX)
            assert_int_equal(job, pair.newest);
        last = job;
        count++;
    }
    assert_int_equal(count, pair.differ);
    assert_true(count > 0);
    LpPair same = lp_pair_of(a, a); /* the job that is decided differs from none */
    assert_int_equal(same.differ, 0);
    assert_int_equal(same.newest, LP_NO_INDEX);
    assert_int_equal(lp_pair_before(a, a, LP_NO_INDEX), LP_NO_INDEX);
    lp_session_close(s[0]);
    lp_session_close(s[1]);
}

static void nothing_done_in_both_has_no_mean(void **state) {
    (void)state;
    LpSession *s = open_at("meets_deadline", "d1");
    LpPair pair = lp_pair_of(lp_session_world(s), lp_session_world(s));
    assert_int_equal(pair.both, 0);
    assert_true(isnan(pair.mean_jct[0]) && isnan(pair.sooner));
    lp_session_close(s);
}

static void shares_differ_in_points(void **state) {
    (void)state;
    char text[LP_PAIR_TEXT];
    assert_string_equal(lp_pair_points(10.0 / 61, 30.0 / 61, text), "+32.8 pt");
    assert_string_equal(lp_pair_points(0.01, 0.61, text), "+60.0 pt"); /* not +6000 % */
    assert_string_equal(lp_pair_points(0.5, 0.25, text), "-25.0 pt");
    assert_string_equal(lp_pair_points(0.25, 0.2501, text), "0.0 pt");
    assert_string_equal(lp_pair_points((double)NAN, 0.5, text), "-");
}

TEST_GROUP(test_ask_pair) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_of_the_jobs_that_both_have_done),
        cmocka_unit_test(jobs_that_differ_are_listed_from_the_newest_on),
        cmocka_unit_test(nothing_done_in_both_has_no_mean),
        cmocka_unit_test(shares_differ_in_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
