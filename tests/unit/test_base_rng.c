/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of base/rng: published and golden sequences, independent streams, and the shapes of the
 * variates. All seeds are fixed, so a statistical bound holds always or never. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "group.h"

enum { DRAWS = 200000 };

static void close_to(double value, double want, double tolerance) {
    if (!(fabs(value - want) <= tolerance))
        fail_msg("%.9g is not within %g of %.9g", value, tolerance, want);
}

/* A state whose first draw is `draw`: the output function of xoshiro256** undone. */
static LpRng with_first_draw(uint64_t draw) {
    const uint64_t inverse_of_9 = UINT64_C(0x8e38e38e38e38e39);
    const uint64_t inverse_of_5 = UINT64_C(0xcccccccccccccccd);
    uint64_t x = draw * inverse_of_9;
    x = (x >> 7) | (x << 57);
    return (LpRng){.s = {1, x * inverse_of_5, 3, 4}};
}

static void generator_is_xoshiro256starstar(void **state) {
    (void)state;
    /* The published test vector for the state 1, 2, 3, 4. */
    static const uint64_t want[] = {11520,
                                    0,
                                    1509978240,
                                    UINT64_C(1215971899390074240),
                                    UINT64_C(1216172134540287360),
                                    UINT64_C(607988272756665600),
                                    UINT64_C(16172922978634559625),
                                    UINT64_C(8476171486693032832),
                                    UINT64_C(10595114339597558777),
                                    UINT64_C(2904607092377533576)};
    LpRng rng = {.s = {1, 2, 3, 4}};
    for (size_t i = 0; i < LP_COUNTOF(want); i++)
        assert_true(lp_rng_u64(&rng) == want[i]);
}

static void streams_have_golden_values(void **state) {
    (void)state;
    static const struct {
        uint64_t seed;
        const char *purpose;
        uint64_t entity, want[3];
    } rows[] = {
        {1,
         "arrivals",
         0,
         {UINT64_C(0x600fb9b1d74ccbc1), UINT64_C(0x9134e04f3ff52af5),
          UINT64_C(0xfac81a53bf0713a7)}},
        {1,
         "arrivals",
         1,
         {UINT64_C(0x314906a40b6441e2), UINT64_C(0x843f9eeed8f10d6c),
          UINT64_C(0xb055e7088c49a369)}},
        {2,
         "arrivals",
         0,
         {UINT64_C(0xe6476f1b3b6399d4), UINT64_C(0x8b2212c4fd4d29b0),
          UINT64_C(0x00b4d17d7d0a848e)}},
        {1,
         "policy",
         0,
         {UINT64_C(0x187ee4ce17fa0970), UINT64_C(0xf8e84ea0cd39c507),
          UINT64_C(0x8ee58d7d997ede80)}},
        {UINT64_MAX,
         "",
         UINT64_MAX,
         {UINT64_C(0x9a5fe0533288278a), UINT64_C(0xd96e2f9779262c01),
          UINT64_C(0xca6168fda47c4386)}},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        LpRng rng = lp_rng_stream(rows[i].seed, rows[i].purpose, rows[i].entity);
        for (size_t k = 0; k < 3; k++)
            assert_true(lp_rng_u64(&rng) == rows[i].want[k]);
    }
}

static void variates_have_golden_values(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "arrivals", 0);
    assert_true(lp_rng_unit(&rng) == 0x1.803ee6c75d332p-2);
    assert_true(lp_rng_unit(&rng) == 0x1.2269c09e7fea5p-1);
    assert_true(lp_rng_unit(&rng) == 0x1.f59034a77e0e2p-1);
    static const uint64_t below[] = {985, 965, 983, 909, 738, 272, 35, 645};
    rng = lp_rng_stream(1, "arrivals", 0);
    for (size_t i = 0; i < LP_COUNTOF(below); i++)
        assert_true(lp_rng_below(&rng, 1000) == below[i]);
    rng = lp_rng_stream(1, "arrivals", 0);
    assert_true(lp_rng_exponential(&rng, 1000.0) == 0x1.d6633b44e6189p+8);
    assert_true(lp_rng_exponential(&rng, 1000.0) == 0x1.a2c1400841e84p+9);
    rng = lp_rng_stream(1, "arrivals", 0);
    assert_true(lp_rng_normal(&rng) == -0x1.fa20212d7ce2cp+0);
    assert_true(lp_rng_normal(&rng) == -0x1.d9e34b70eaa67p-2);
}

static void streams_do_not_shift_each_other(void **state) {
    (void)state;
    LpRng alone = lp_rng_stream(5, "lengths", 2);
    LpRng a = lp_rng_stream(5, "lengths", 2), b = lp_rng_stream(5, "arrivals", 2);
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < i % 3; k++)
            lp_rng_u64(&b);
        assert_true(lp_rng_u64(&a) == lp_rng_u64(&alone));
    }
}

static void a_copied_stream_continues_alike(void **state) {
    (void)state;
    LpRng a = lp_rng_stream(5, "x", 0), b;
    lp_rng_normal(&a);
    memcpy(&b, &a, sizeof b); /* as a clone of the world does */
    for (int i = 0; i < 100; i++)
        assert_true(lp_rng_normal(&a) == lp_rng_normal(&b));
}

/* Correlation of the unit draws of two streams: about N(0, 1/sqrt(DRAWS)). */
static double correlation(LpRng a, LpRng b) {
    double sum = 0;
    for (int i = 0; i < DRAWS; i++)
        sum += (lp_rng_unit(&a) - 0.5) * (lp_rng_unit(&b) - 0.5);
    return sum / DRAWS * 12.0;
}

static void streams_are_uncorrelated(void **state) {
    (void)state;
    const LpRng base = lp_rng_stream(1, "arrivals", 0);
    const double bound = 4.0 / sqrt(DRAWS);
    close_to(correlation(base, base), 1.0, 0.02);
    close_to(correlation(base, lp_rng_stream(1, "arrivals", 1)), 0.0, bound);
    close_to(correlation(base, lp_rng_stream(2, "arrivals", 0)), 0.0, bound);
    close_to(correlation(base, lp_rng_stream(1, "lengths", 0)), 0.0, bound);
    close_to(correlation(base, lp_rng_stream(0, "arrivals", 1)), 0.0, bound);
}

static void unit_stays_below_one(void **state) {
    (void)state;
    LpRng top = with_first_draw(UINT64_MAX), bottom = with_first_draw(0);
    assert_true(lp_rng_unit(&top) == 1.0 - 0x1p-53);
    assert_true(lp_rng_unit(&bottom) == 0.0);
}

static void unit_is_uniform(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(9, "unit", 0);
    double sum = 0, squares = 0;
    int cells[100] = {0};
    for (int i = 0; i < DRAWS; i++) {
        double u = lp_rng_unit(&rng);
        assert_true(u >= 0.0 && u < 1.0);
        sum += u;
        squares += u * u;
        cells[(int)(u * 100)]++;
    }
    close_to(sum / DRAWS, 0.5, 0.003);
    close_to(squares / DRAWS, 1.0 / 3.0, 0.003);
    double chi2 = 0;
    for (int i = 0; i < 100; i++)
        chi2 += (cells[i] - DRAWS / 100.0) * (cells[i] - DRAWS / 100.0) / (DRAWS / 100.0);
    close_to(chi2, 99.0, 57.0); /* 4 standard deviations of chi-square with 99 degrees */
}

static void below_is_uniform(void **state) {
    (void)state;
    static const uint64_t sizes[] = {2, 3, 7, 10, 64, 97};
    for (size_t k = 0; k < LP_COUNTOF(sizes); k++) {
        LpRng rng = lp_rng_stream(11, "below", k);
        double cells[97] = {0}, chi2 = 0, want = (double)DRAWS / (double)sizes[k];
        for (int i = 0; i < DRAWS; i++) {
            uint64_t draw = lp_rng_below(&rng, sizes[k]);
            assert_true(draw < sizes[k]);
            cells[draw] += 1;
        }
        for (uint64_t i = 0; i < sizes[k]; i++)
            chi2 += (cells[i] - want) * (cells[i] - want) / want;
        double freedom = (double)sizes[k] - 1.0;
        assert_true(chi2 < freedom + 4.0 * sqrt(2.0 * freedom) + 4.0);
    }
}

static void below_rejects_the_uneven_rest(void **state) {
    (void)state;
    LpRng rng = with_first_draw(0), next = rng; /* 2^64 mod 3 = 1: the draw 0 does not count */
    lp_rng_u64(&next);
    uint64_t second = lp_rng_u64(&next);
    assert_true(lp_rng_below(&rng, 3) == second % 3);
    assert_memory_equal(&rng, &next, sizeof rng);
    rng = with_first_draw(1);
    next = rng;
    lp_rng_u64(&next);
    assert_true(lp_rng_below(&rng, 3) == 1);
    assert_memory_equal(&rng, &next, sizeof rng);
}

static void below_takes_extreme_sizes(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(12, "below", 0);
    const uint64_t large = (UINT64_C(1) << 63) + 1;
    int upper = 0;
    assert_true(lp_rng_below(&rng, 1) == 0);
    assert_true(lp_rng_below(&rng, 0) == 0); /* outside the contract, and harmless */
    for (int i = 0; i < 1000; i++) {
        uint64_t draw = lp_rng_below(&rng, large);
        assert_true(draw < large);
        upper += draw > large / 2;
        assert_true(lp_rng_below(&rng, UINT64_MAX) < UINT64_MAX);
    }
    assert_true(upper >= 430 && upper <= 570);
}

static void exponential_has_its_mean_and_shape(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(13, "arrivals", 0);
    double sum = 0, squares = 0, beyond[4] = {0};
    for (int i = 0; i < DRAWS; i++) {
        double x = lp_rng_exponential(&rng, 250.0);
        assert_true(x >= 0.0 && isfinite(x));
        sum += x;
        squares += x * x;
        for (int k = 0; k < 4; k++)
            beyond[k] += x > 250.0 * k;
    }
    close_to(sum / DRAWS, 250.0, 2.3); /* 4 standard errors */
    close_to(squares / DRAWS, 2 * 250.0 * 250.0, 2800.0);
    for (int k = 1; k < 4; k++)
        close_to(beyond[k] / DRAWS, exp(-k), 0.0045);
}

static void exponential_survives_the_ends(void **state) {
    (void)state;
    LpRng bottom = with_first_draw(0), top = with_first_draw(UINT64_MAX);
    double least = lp_rng_exponential(&bottom, 1000.0);
    assert_true(least == 0.0 && !signbit(least));
    close_to(lp_rng_exponential(&top, 1.0), 53.0 * 0.69314718055994531, 1e-12);
}

static void normal_is_standard(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(14, "noise", 0);
    double sum = 0, squares = 0, fourth = 0, within = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = lp_rng_normal(&rng);
        assert_true(isfinite(x));
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
        within += fabs(x) < 1.0;
    }
    close_to(sum / DRAWS, 0.0, 0.009);
    close_to(squares / DRAWS, 1.0, 0.013);
    close_to(fourth / DRAWS, 3.0, 0.09);
    close_to(within / DRAWS, 0.682689, 0.0042);
}

TEST_GROUP(test_base_rng) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_is_xoshiro256starstar),
        cmocka_unit_test(streams_have_golden_values),
        cmocka_unit_test(variates_have_golden_values),
        cmocka_unit_test(streams_do_not_shift_each_other),
        cmocka_unit_test(a_copied_stream_continues_alike),
        cmocka_unit_test(streams_are_uncorrelated),
        cmocka_unit_test(unit_stays_below_one),
        cmocka_unit_test(unit_is_uniform),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(below_rejects_the_uneven_rest),
        cmocka_unit_test(below_takes_extreme_sizes),
        cmocka_unit_test(exponential_has_its_mean_and_shape),
        cmocka_unit_test(exponential_survives_the_ends),
        cmocka_unit_test(normal_is_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
