/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sim/combs: rows by hand, shares under caps, what fits, what is unstable, and the sends.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "group.h"
#include "sim/combs/combs.h"

static LpCombs pair(double compute, double bytes, uint32_t steps) {
    LpComb one = {.compute = compute, .bytes = bytes, .cap = 10e9};
    return (LpCombs){.jobs = 2, .job = {one, one}, .rate = 10e9, .steps = steps, .tries = 64};
}

static void near_to(double got, double want, double tolerance) {
    if (!(fabs(got - want) <= tolerance * fabs(want)))
        fail_msg("%.12g is not %.12g", got, want);
}

static void two_equal_jobs(void **state) {
    (void)state;
    static const double shift[] = {0, .025, .05, .1}, want[] = {.3, .275, .25, .2};
    LpCombs combs = pair(.1, 1e9, 100);
    for (int i = 0; i < 4; i++) {
        LpCombsRow row = lp_combs_row(&combs, (double[]){0, shift[i]});
        near_to(row.step[0], want[i], 1e-9);
        near_to(row.slowdown, want[i] / .2, 1e-9);
        near_to(lp_combs_two(.1, .1, shift[i]), want[i], 1e-9);
        assert_false(row.sensitive);
    }
}

static void what_fits(void **state) {
    (void)state;
    LpCombsFit fit;
    LpCombs combs = pair(.3, 1e9, 100);
    assert_true(lp_combs_fit(&combs, &fit));
    near_to(fit.from, .1, 1e-9);
    near_to(fit.width, .2, 1e-9);
    near_to(fit.every, .4, 1e-9);
    near_to(lp_combs_best(&combs).shift[1], .2, 1e-9);
    combs.job[1] = (LpComb){.compute = .26, .bytes = 4e8, .cap = 10e9}; /* steps of .4 and .3 */
    assert_false(lp_combs_fit(&combs, &fit));
    combs.job[0].compute = .5; /* of .6 and .3 */
    assert_true(lp_combs_fit(&combs, &fit));
    near_to(fit.every, .3, 1e-9);
    near_to(lp_combs_best(&combs).slowdown, 1, 1e-11);
    combs.job[0].cap = combs.job[1].cap = 5e9;
    assert_true(lp_combs_fit(&combs, &fit) && isnan(fit.width) && isnan(fit.every));
    combs.jobs = 3;
    assert_false(lp_combs_fit(&combs, &fit));
}

/* The link has 10: one job is capped at 2, so that the other has 8. */
static void shares_under_caps(void **state) {
    (void)state;
    LpCombs combs = {
        .jobs = 2,
        .job = {{.compute = 1, .bytes = 8, .cap = 2}, {.compute = 1, .bytes = 8, .cap = 10}},
        .rate = 10,
        .steps = 1};
    LpCombsRow row = lp_combs_row(&combs, (double[]){0, 0});
    near_to(row.step[0], 5, 1e-12);
    near_to(row.step[1], 2, 1e-12);
    combs.job[0].cap = 10; /* both send at 5, then job 0 alone */
    combs.job[0].bytes = 20;
    row = lp_combs_row(&combs, (double[]){0, 0});
    near_to(row.step[1], 1 + 1.6, 1e-12);
    near_to(row.step[0], 4, 1e-12); /* alone for 1 s, then beside the next step of job 1 */
}

static void three_jobs(void **state) {
    (void)state;
    LpComb one = {.compute = .2, .bytes = 1e9, .cap = 10e9};
    LpCombs combs = {.jobs = 3, .job = {one, one, one}, .rate = 10e9, .steps = 8, .tries = 12};
    LpCombsRow best = lp_combs_best(&combs);
    near_to(best.shift[1], .1, 1e-9);
    near_to(best.shift[2], .2, 1e-9);
    near_to(best.slowdown, 1, 1e-9);
    LpCombs unstable = {.jobs = 3,
                        .job = {{.2, 1.5e9, 10e9}, {.1, 1.5e9, 10e9}, {.2, 1e9, 10e9}},
                        .rate = 10e9,
                        .steps = 100,
                        .tries = 1};
    assert_true(lp_combs_row(&unstable, (double[]){0, 0, .077}).sensitive);
}

typedef struct Sends {
    uint32_t count;
    double last, busy;
} Sends;

static void count_send(void *user, const LpCombsSend *send) {
    Sends *sends = user;
    assert_true(send->to > send->from && send->to >= sends->last);
    sends->last = send->to;
    sends->busy += send->to - send->from;
    sends->count++;
}

static void sends_one_by_one(void **state) {
    (void)state;
    LpCombs combs = pair(.1, 1e9, 5);
    Sends sends = {0};
    lp_combs_sends(&combs, (double[]){0, .1}, count_send, &sends);
    assert_in_range(sends.count, 10, 11);
    near_to(sends.busy, .1 * sends.count, 1e-9);
    near_to(sends.last, 1.1, 1e-9);
}

TEST_GROUP(test_sim_combs) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_equal_jobs), cmocka_unit_test(what_fits),
        cmocka_unit_test(shares_under_caps), cmocka_unit_test(three_jobs),
        cmocka_unit_test(sends_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
