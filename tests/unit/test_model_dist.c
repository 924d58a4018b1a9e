/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions: exact grids, frequencies, moments, and what is refused. Seeds are fixed, so every
 * statistic here is one number, not a chance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/num.h"
#include "base/rng.h"
#include "group.h"
#include "model/dist.h"

enum { DRAWS = 100000 };

static LpDist uniform(double min, double max, int decimals) {
    return (LpDist){.kind = LP_DIST_UNIFORM, .min = min, .max = max, .decimals = decimals};
}

static LpDist skew_normal(double skewness) {
    return (LpDist){
        .kind = LP_DIST_SKEW_NORMAL, .min = 0.1, .max = 1.0, .decimals = 2, .skewness = skewness};
}

/* ---- grids ---- */

static void uniform_draws_every_point_of_its_grid_equally(void **state) {
    (void)state;
    const struct {
        double min, max;
        int decimals, low, high; /* the grid is low / 10^decimals .. high / 10^decimals */
        double power;
    } cases[] = {
        {0.1, 1.0, 2, 10, 100, 100.0}, {0.3, 0.9, 2, 30, 90, 100.0}, {0.5, 1.0, 1, 5, 10, 10.0},
        {0.05, 1.0, 1, 1, 10, 10.0},   {1.0, 6.0, 0, 1, 6, 1.0},     {0.29, 0.29, 2, 29, 29, 100.0},
        {-0.2, 0.1, 1, -2, 1, 10.0},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpDist dist = uniform(cases[i].min, cases[i].max, cases[i].decimals);
        LpRng rng = lp_rng_stream(1, "uniform", i);
        int points = cases[i].high - cases[i].low + 1, hits[128] = {0};
        double low, high, chi = 0.0, expected = (double)DRAWS / points;
        lp_dist_bounds(&dist, &low, &high);
        assert_true(low == cases[i].low / cases[i].power);
        assert_true(high == cases[i].high / cases[i].power);
        for (int n = 0; n < DRAWS; n++) {
            double value = lp_dist_draw(&dist, NULL, &rng);
            int point = (int)floor(value * cases[i].power + 0.5);
            assert_true(value == point / cases[i].power); /* the nearest double of the decimal */
            assert_true(point - cases[i].low >= 0 && point - cases[i].low <= points - 1);
            hits[point - cases[i].low]++;
        }
        for (int p = 0; p < points; p++)
            chi += (hits[p] - expected) * (hits[p] - expected) / expected;
        /* mean points - 1, deviation sqrt(2 (points - 1)) */
        assert_true(chi <= points - 1 + 4.0 * sqrt(2.0 * (points - 1)));
    }
}

static void rounding_gives_the_nearest_decimal(void **state) {
    (void)state;
    assert_true(lp_num_round(0.123456, 2) == 0.12);
    assert_true(lp_num_round(0.999, 2) == 1.0);
    assert_true(lp_num_round(0.1 + 0.2, 1) == 0.3);
    assert_true(lp_num_round(17.4, 0) == 17.0);
}

/* ---- moments ---- */

typedef struct Moments {
    double mean, deviation, min, max;
} Moments;

static Moments moments_of(const LpDist *dist, const LpSkewTable *table, uint64_t seed) {
    LpRng rng = lp_rng_stream(seed, "moments", 0);
    double sum = 0.0, squares = 0.0;
    Moments m = {.min = (double)INFINITY, .max = -(double)INFINITY};
    for (int n = 0; n < DRAWS; n++) {
        double value = lp_dist_draw(dist, table, &rng);
        sum += value;
        squares += value * value;
        m.min = value < m.min ? value : m.min;
        m.max = value > m.max ? value : m.max;
    }
    m.mean = sum / DRAWS;
    m.deviation = sqrt(squares / DRAWS - m.mean * m.mean);
    return m;
}

static void expect_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not within %g of %g", value, tolerance, expected);
}

static void moments_are_those_of_the_distribution(void **state) {
    (void)state;
    LpDist even = uniform(2.0, 4.0, -1);
    Moments m = moments_of(&even, NULL, 1);
    expect_near(m.mean, 3.0, 0.008);
    expect_near(m.deviation, 2.0 / sqrt(12.0), 0.005);
    assert_true(m.min >= 2.0 && m.max <= 4.0);
    assert_true(lp_dist_mean(&even) == 3.0);
    LpDist waiting = {.kind = LP_DIST_EXPONENTIAL, .value = 1000.0};
    m = moments_of(&waiting, NULL, 1);
    expect_near(m.mean, 1000.0, 13.0);
    expect_near(m.deviation, 1000.0, 20.0);
    assert_true(m.min >= 0.0);
    assert_true(lp_dist_mean(&waiting) == 1000.0);
    LpDist fixed = {.kind = LP_DIST_FIXED, .value = 7.5};
    m = moments_of(&fixed, NULL, 1);
    assert_true(m.min == 7.5 && m.max == 7.5);
    assert_true(lp_dist_mean(&fixed) == 7.5);
    LpDist grid = uniform(0.1, 1.0, 2);
    m = moments_of(&grid, NULL, 1);
    expect_near(m.mean, 0.55, 0.004);
    expect_near(m.deviation, 0.2627, 0.003);
    expect_near(lp_dist_mean(&grid), 0.55, 1e-15);
}

static void a_fixed_value_draws_nothing(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "fixed", 0), before = rng;
    LpDist fixed = {.kind = LP_DIST_FIXED, .value = 1.0};
    assert_true(lp_dist_draw(&fixed, NULL, &rng) == 1.0);
    assert_memory_equal(&rng, &before, sizeof rng);
}

static void a_pmf_keeps_its_frequencies(void **state) {
    (void)state;
    const double values[] = {0.25, 0.5, 0.75, 1.0}, weights[] = {0.1, 0.0, 0.6, 0.3 + 1e-10};
    LpDist dist = {.kind = LP_DIST_PMF, .count = 4, .values = values, .weights = weights};
    LpRng rng = lp_rng_stream(1, "pmf", 0);
    int hits[4] = {0};
    double low, high;
    assert_int_equal(lp_dist_check(&dist, "key", NULL), LP_OK);
    for (int n = 0; n < DRAWS; n++) {
        double value = lp_dist_draw(&dist, NULL, &rng);
        int at = (int)(value * 4.0) - 1;
        assert_true(value == values[at]);
        hits[at]++;
    }
    assert_int_equal(hits[1], 0);
    for (int i = 0; i < 4; i++)
        expect_near((double)hits[i] / DRAWS, weights[i], 0.006);
    lp_dist_bounds(&dist, &low, &high);
    assert_true(low == 0.25 && high == 1.0);
    expect_near(lp_dist_mean(&dist), 0.775, 1e-9);
}

static void a_choice_spans_its_members(void **state) {
    (void)state;
    const LpDist members[] = {uniform(0.1, 0.5, 1), {.kind = LP_DIST_FIXED, .value = 0.9}};
    LpDist dist = {.kind = LP_DIST_CHOICE, .count = 2, .choices = members};
    double low, high;
    lp_dist_bounds(&dist, &low, &high);
    assert_true(low == 0.1 && high == 0.9);
    expect_near(lp_dist_mean(&dist), 0.6, 1e-15);
}

/* ---- skew normal ---- */

static double mass_at(const LpSkewTable *table, double value) {
    for (uint32_t i = 0; i < table->entries; i++)
        if (table->value[i] == value)
            return (table->upto[i] - (i ? table->upto[i - 1] : 0.0)) / table->total;
    return 0.0;
}

static void skew_normals_have_the_published_moments(void **state) {
    (void)state;
    /* mean and deviation over instances, one instance's deviation: each instance is rescaled by its
     * own extremes */
    const struct {
        double skewness, mean, spread, deviation;
    } cases[] = {
        {5.0, 0.284, 0.012, 0.121}, {0.0, 0.502, 0.019, 0.120}, {-5.0, 0.715, 0.014, 0.123}};
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpDist dist = skew_normal(cases[i].skewness);
        double mean = 0.0;
        assert_int_equal(lp_dist_check(&dist, "key", NULL), LP_OK);
        for (uint64_t seed = 0; seed < 3; seed++) {
            LpSkewTable table;
            LpRng rng = lp_rng_stream(seed, "skew", i);
            assert_int_equal(lp_skew_make(&dist, true, &rng, &table, NULL), LP_OK);
            assert_int_equal(table.total, 50000);
            Moments m = moments_of(&dist, &table, seed);
            expect_near(m.mean, cases[i].mean, 4.0 * cases[i].spread);
            expect_near(m.deviation, cases[i].deviation, 0.015);
            mean += m.mean / 3.0;
        }
        expect_near(mean, cases[i].mean, 2.5 * cases[i].spread);
        expect_near(lp_dist_mean(&dist), cases[i].mean, 4.0 * cases[i].spread);
    }
}

static void skew_normals_stay_on_their_grid(void **state) {
    (void)state;
    for (int clamp = 0; clamp < 2; clamp++) {
        LpDist dist = skew_normal(5.0);
        LpRng rng = lp_rng_stream(3, "skew", 0);
        LpSkewTable table;
        assert_int_equal(lp_skew_make(&dist, clamp, &rng, &table, NULL), LP_OK);
        assert_true(table.entries >= 20 && table.entries <= 91);
        for (uint32_t i = 0; i < table.entries; i++) {
            assert_true(table.value[i] == floor(table.value[i] * 100.0 + 0.5) / 100.0);
            assert_true(table.value[i] >= 0.1 && table.value[i] <= 1.0);
            assert_true(i == 0 || table.value[i] > table.value[i - 1]);
            assert_true(table.upto[i] > (i ? table.upto[i - 1] : 0));
        }
        assert_true(table.value[table.entries - 1] == 1.0);
        assert_int_equal(table.upto[table.entries - 1], table.total);
    }
}

/* Published: what falls below min is all counted at min. */
static void what_falls_below_the_minimum_is_drawn_again(void **state) {
    (void)state;
    LpDist dist = skew_normal(5.0);
    LpSkewTable clamped, redrawn;
    LpRng rng = lp_rng_stream(4, "skew", 0), same = rng;
    assert_int_equal(lp_skew_make(&dist, true, &rng, &clamped, NULL), LP_OK);
    assert_int_equal(lp_skew_make(&dist, false, &same, &redrawn, NULL), LP_OK);
    assert_true(mass_at(&clamped, 0.1) > 1.5 * mass_at(&clamped, 0.11));
    assert_true(mass_at(&redrawn, 0.1) < mass_at(&redrawn, 0.11));
    assert_true(mass_at(&redrawn, 0.2) > mass_at(&clamped, 0.2));
    assert_int_equal(redrawn.total, clamped.total);
}

static void degenerate_skew_normals_are_tables_too(void **state) {
    (void)state;
    LpDist dist = skew_normal(1e6);
    LpRng rng = lp_rng_stream(5, "skew", 0);
    LpSkewTable table;
    dist.min = dist.max = 0.5;
    assert_int_equal(lp_dist_check(&dist, "key", NULL), LP_OK);
    assert_int_equal(lp_skew_make(&dist, false, &rng, &table, NULL), LP_OK);
    assert_true(table.entries == 1 && table.value[0] == 0.5);
    dist = skew_normal(5.0);
    dist.min = 0.99; /* hardly anything lies there */
    assert_int_equal(lp_skew_make(&dist, false, &rng, &table, NULL), LP_OK);
    assert_true(table.total >= 1 && table.value[0] >= 0.99);
}

/* ---- what is refused ---- */

static void bad_distributions_are_refused_by_name(void **state) {
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY, one = 1.0, half = 0.5, minus = -0.5;
    const LpDist none = {.kind = LP_DIST_NONE}, bad = uniform(2.0, 1.0, 0);
    const LpDist nested = {.kind = LP_DIST_CHOICE, .count = 1, .choices = &none};
    LpDist low = skew_normal(1.0), high = low, steep = low, coarse = low, fine = low;
    low.min = -0.1;
    high.min = high.max = 0.0;
    steep.skewness = nan;
    coarse.decimals = -1;
    fine.decimals = 6;
    const struct {
        LpDist dist;
        const char *part;
    } cases[] = {
        {{.kind = LP_DIST_FIXED, .value = nan}, "jobs.x is not finite"},
        {{.kind = LP_DIST_EXPONENTIAL, .value = 0.0}, "jobs.x.exponential.mean is 0"},
        {{.kind = LP_DIST_EXPONENTIAL, .value = inf}, "jobs.x.exponential.mean"},
        {uniform(1.0, 0.5, 2), "jobs.x.max is 0.5: expected a number not below min"},
        {uniform(nan, 0.5, 2), "jobs.x.min"},
        {uniform(0.0, inf, -1), "jobs.x.max"},
        {uniform(0.0, 1.0, 16), "jobs.x.decimals is 16: expected 0 to 15"},
        {uniform(0.0, 1e6, 12), "jobs.x.decimals is 12"},
        {{.kind = LP_DIST_PMF}, "jobs.x.pmf is empty"},
        {{.kind = LP_DIST_PMF, .count = 1, .values = &one, .weights = &half}, "is 0.5: expected 1"},
        {{.kind = LP_DIST_PMF, .count = 1, .values = &one, .weights = &minus},
         "is -0.5: expected 0"},
        {{.kind = LP_DIST_PMF, .count = 1, .values = &nan, .weights = &one}, "jobs.x.pmf value"},
        {low, "jobs.x.min is -0.1"},
        {high, "jobs.x.max is 0"},
        {steep, "jobs.x.skewness"},
        {coarse, "jobs.x.decimals is -1"},
        {fine, "jobs.x.decimals is 6"},
        {{.kind = LP_DIST_CHOICE}, "jobs.x.choice is empty"},
        {{.kind = LP_DIST_CHOICE, .count = 1, .choices = &none}, "jobs.x.choice[0] is no plain"},
        {{.kind = LP_DIST_CHOICE, .count = 1, .choices = &nested}, "jobs.x.choice[0] is no plain"},
        {{.kind = LP_DIST_CHOICE, .count = 1, .choices = &bad}, "jobs.x.choice[0].max is 1"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpDiag diag;
        assert_int_equal(lp_dist_check(&cases[i].dist, "jobs.x", &diag), LP_EINVAL);
        if (!strstr(diag.text, cases[i].part))
            fail_msg("\"%s\" lacks \"%s\"", diag.text, cases[i].part);
    }
    assert_int_equal(lp_dist_check(&none, "jobs.x", NULL), LP_OK);
}

TEST_GROUP(test_model_dist) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_draws_every_point_of_its_grid_equally),
        cmocka_unit_test(rounding_gives_the_nearest_decimal),
        cmocka_unit_test(moments_are_those_of_the_distribution),
        cmocka_unit_test(a_fixed_value_draws_nothing),
        cmocka_unit_test(a_pmf_keeps_its_frequencies),
        cmocka_unit_test(a_choice_spans_its_members),
        cmocka_unit_test(skew_normals_have_the_published_moments),
        cmocka_unit_test(skew_normals_stay_on_their_grid),
        cmocka_unit_test(what_falls_below_the_minimum_is_drawn_again),
        cmocka_unit_test(degenerate_skew_normals_are_tables_too),
        cmocka_unit_test(bad_distributions_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
