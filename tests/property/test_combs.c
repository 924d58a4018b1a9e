/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for all jobs that take turns on a link: no step below that of a job alone, nobody
 * waits where two fit, and the closed form of two equal jobs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "sim/combs/combs.h"

enum { CASES = 1500 };

static LpCombs make_case(unsigned seed, uint32_t jobs) {
    LpRng rng = lp_rng_stream(seed, "combs", 0);
    LpCombs combs = {.jobs = jobs, .rate = 10e9, .steps = 20, .tries = 8};
    bool whole = lp_rng_below(&rng, 2) == 0;
    for (uint32_t i = 0; i < jobs; i++) {
        double compute =
            whole ? 10e-3 * (double)(1 + lp_rng_below(&rng, 40)) : lp_rng_unit(&rng) + 1e-3;
        double bytes =
            whole ? 1e8 * (double)(1 + lp_rng_below(&rng, 20)) : 5e9 * lp_rng_unit(&rng) + 1e6;
        double cap = lp_rng_below(&rng, 3) > 0 ? 10e9 : 2e9 * (double)(1 + lp_rng_below(&rng, 5));
        combs.job[i] = (LpComb){.compute = compute, .bytes = bytes, .cap = cap};
    }
    return combs;
}

static void no_step_is_short(void **state) {
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        if (!test_taken(i))
            continue;
        LpRng rng = lp_rng_stream(i, "shifts", 0);
        LpCombs combs = make_case(i, 2 + i % 4);
        double shift[LP_COMBS_JOBS_MAX] = {0};
        for (uint32_t k = 0; k < combs.jobs; k++)
            shift[k] = lp_rng_unit(&rng);
        LpCombsRow row = lp_combs_row(&combs, shift);
        for (uint32_t k = 0; k < combs.jobs; k++)
            assert_true(row.step[k] >= lp_comb_alone(&combs.job[k]) * (1 - 1e-11));
        assert_true(row.slowdown >= 1 - 1e-11);
        assert_true(combs.jobs > 2 || !row.sensitive);
        assert_true(lp_combs_best(&combs).slowdown <=
                        lp_combs_row(&combs, (double[LP_COMBS_JOBS_MAX]){0}).slowdown *
                            (1 + 1e-8) ||
                    combs.jobs > 2);
    }
}

/* At both ends of what fits, in its middle, and a period later. */
static void nobody_waits_where_two_fit(void **state) {
    (void)state;
    unsigned fits = 0, taken = 0;
    for (unsigned i = 0; i < CASES; i++) {
        LpCombs combs = make_case(i, 2);
        LpCombsFit fit;
        taken += test_taken(i);
        if (!test_taken(i) || !lp_combs_fit(&combs, &fit))
            continue;
        fits++;
        double width = isnan(fit.width) ? 1 : fit.width, every = isnan(fit.every) ? 0 : fit.every;
        for (int k = 0; k <= 4; k++) {
            double shift[2] = {0, fit.from + width * k / 4 + (k == 1 ? every : 0)};
            double slowdown = lp_combs_row(&combs, shift).slowdown;
            if (fabs(slowdown - 1) > 1e-11 && k > 0 && k < 4)
                fail_msg("case %u, shift %.17g: %.17g", i, shift[1], slowdown);
        }
        assert_true(fabs(lp_combs_best(&combs).slowdown - 1) <= 1e-11);
        /* outside of it they meet; once they have, nothing drives them apart */
        double outside[2] = {0, fit.from + width + (every - width) / 2};
        assert_true(isnan(fit.width) || lp_combs_row(&combs, outside).slowdown > 1 + 1e-9);
    }
    assert_true(75 * fits > taken); /* some of them, however few are taken */
}

static void two_equal_jobs(void **state) {
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        if (!test_taken(i))
            continue;
        LpRng rng = lp_rng_stream(i, "equal", 0);
        LpComb one = {.compute = .05 + lp_rng_unit(&rng), .bytes = 5e9 * lp_rng_unit(&rng) + 1e8};
        one.cap = 10e9;
        LpCombs combs = {.jobs = 2, .job = {one, one}, .rate = 10e9, .steps = 100};
        double send = lp_comb_send(&one), alone = lp_comb_alone(&one);
        double shift = alone * lp_rng_unit(&rng), want = lp_combs_two(one.compute, send, shift);
        LpCombsRow row = lp_combs_row(&combs, (double[]){0, shift});
        for (int k = 0; k < 2; k++)
            if (fabs(row.step[k] - want) > want * 3 / combs.steps)
                fail_msg("case %u: %.17g and %.17g", i, row.step[k], want);
    }
}

TEST_GROUP(test_combs) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_step_is_short),
                                       cmocka_unit_test(nobody_waits_where_two_fit),
                                       cmocka_unit_test(two_equal_jobs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
