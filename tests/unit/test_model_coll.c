/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives on circuits: closed forms, a worked example step by step, choices against all of them
 * one by one, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "model/collective/coll_plan.h"

#define RATE 50e9
#define PAIR (2 * RATE) /* both ports */
#define NEAR 1e-12

static LpCollSpec spec_of(LpCollAlgorithm algorithm, LpCollOp op, uint32_t servers) {
    return (LpCollSpec){.algorithm = algorithm,
                        .op = op,
                        .servers = servers,
                        .ports = 2,
                        .fan = 1,
                        .bytes = 16 * 1048576.0,
                        .rate = RATE,
                        .start = 3e-7,
                        .hop = 5e-7};
}

static LpCollPlan *plan_of(const LpCollSpec *spec) {
    LpCollPlan *plan = NULL;
    LpDiag diag = {0};
    if (lp_coll_plan_make(spec, &plan, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return plan;
}

static void assert_near(double got, double want) {
    if (!(fabs(got - want) <= NEAR * fabs(want)))
        fail_msg("%.17g, not %.17g", got, want);
}

/* ---- closed forms ---- */

static double stay_time(const LpCollSpec *spec) {
    LpCollPlan *plan = plan_of(spec);
    double time = lp_coll_stay(plan);
    lp_coll_plan_free(plan);
    return time;
}

static double turning_time(const LpCollSpec *spec, double delay) {
    LpCollPlan *plan = plan_of(spec);
    double time = lp_coll_every_turn(plan, LP_COLL_DEMAND, delay);
    lp_coll_plan_free(plan);
    return time;
}

static void sums(LP_UNUSED void **state) {
    for (uint32_t k = 2; k <= 10; k++) {
        uint32_t n = 1u << k;
        double R = 7e-6, x = (n - 1.0) / n, far = n / 8.0;
        LpCollSpec ring = spec_of(LP_COLL_RING, LP_COLL_REDUCE_SCATTER, n);
        LpCollSpec halving = spec_of(LP_COLL_HALVING, LP_COLL_REDUCE_SCATTER, n);
        double a = ring.start, d = ring.hop, V = ring.bytes;
        assert_near(stay_time(&ring), (n - 1) * (a + d) + x * V / PAIR);
        assert_near(turning_time(&halving, R), k * (a + d + R) + x * V / PAIR);
        assert_near(stay_time(&halving), k * a + (n - 1) * d + (2 * k - 1) / 2.0 * V / PAIR);
        halving.order = LP_COLL_FAR;
        for (uint32_t i = 1; i < k; i++)
            far += n / pow(4, i + 1);
        assert_near(stay_time(&halving), k * a + (n - 1) * d + far * V / RATE);
    }
}

static void exchanges(LP_UNUSED void **state) {
    for (uint32_t n = 3; n <= 40; n++) {
        LpCollSpec it = spec_of(LP_COLL_DIRECT, LP_COLL_ALL_TO_ALL, n);
        double R = 7e-6, a = it.start, d = it.hop, s = it.bytes;
        double load = n % 2 == 0 ? n * (double)n / 8 : (n * (double)n - 1) / 8;
        assert_near(stay_time(&it), a + n / 2 * d + load * s / RATE);
        it.algorithm = LP_COLL_ROTATIONS;
        assert_near(turning_time(&it, R), (n - 1) * (a + d + R + s / PAIR));
        it.fan = 4;
        it.ports = 8;
        uint32_t steps = (n - 1 + 3) / 4;
        if (n > 5)
            assert_near(turning_time(&it, R), steps * (a + d + R + 4 * s / (8 * RATE)));
    }
    for (uint32_t k = 2; k <= 10; k++) {
        LpCollSpec it = spec_of(LP_COLL_BRUCK, LP_COLL_ALL_TO_ALL, 1u << k);
        double R = 7e-6;
        assert_near(turning_time(&it, R),
                    k * (it.start + it.hop + R) + k * (it.servers / 2) * it.bytes / PAIR);
    }
    uint32_t n = 9;
    for (uint32_t length = 2; length <= 6; length++, n *= 3) {
        LpCollSpec it = spec_of(LP_COLL_TERNARY, LP_COLL_ALL_TO_ALL, n);
        LpCollPlan *plan = plan_of(&it); /* its first network is the ring, which is lit */
        double time = lp_coll_every_turn(plan, LP_COLL_DEMAND, 1e-6);
        assert_near(time, length * (it.start + it.hop) + (length - 1) * 1e-6 +
                              length * (2 * (n / 3)) * it.bytes / PAIR);
        lp_coll_plan_free(plan);
    }
}

/* From R = (n-1-k)/k (a + d) on the ring algorithm is faster than turning for each step. */
static void threshold(LP_UNUSED void **state) {
    for (uint32_t k = 4; k <= 10; k += 2) {
        uint32_t n = 1u << k, count = 0;
        LpCollSpec it = spec_of(LP_COLL_HALVING, LP_COLL_REDUCE_SCATTER, n);
        LpCollPlan *plan = plan_of(&it);
        LpCollPiece *piece = NULL;
        double ring = 0, direct = 0;
        assert_int_equal(lp_coll_beside(&it, &ring, &direct, NULL), LP_OK);
        assert_true(isnan(direct));
        assert_int_equal(lp_coll_curve(plan, LP_COLL_DEMAND, &piece, &count, NULL), LP_OK);
        double below = lp_coll_curve_below(piece, count, ring);
        assert_true(fabs(below - (n - 1.0 - k) / k * (it.start + it.hop)) < 1e-9 * below);
        lp_free(piece);
        lp_coll_plan_free(plan);
    }
}

/* ---- a worked example ---- */

static void worked_example(LP_UNUSED void **state) {
    static const struct {
        double mib, stay, load;
        uint32_t hops;
        double turned;
    } steps[] = {{8, 168.27216, 8, 1, 84.38608},
                 {4, 168.77216, 8, 2, 42.44304},
                 {2, 169.77216, 8, 4, 21.47152},
                 {1, 87.88608, 4, 8, 10.98576}};
    static const struct {
        double delay, best, overlap;
        const char *choice;
    } rows[] = {{10, 199.2864, 199.2864, "tttt"},
                {50, 359.2864, 340.244, "tttt"},
                {100, 543.17248, 474.12976, "sttt"},
                {120, 594.70256, 514.12976, "ssss"}};
    static const LpCollPiece corners[] = {{0, 159.2864, 4}, {83.88608, 0, 3}, {117.1766933, 0, 0}};
    LpCollSpec it = spec_of(LP_COLL_HALVING, LP_COLL_REDUCE_SCATTER, 16);
    it.start = 0;
    LpCollPlan *plan = plan_of(&it);
    assert_int_equal(lp_coll_steps_count(plan), 4);
    for (uint32_t j = 0; j < 4; j++) {
        LpCollStep step = lp_coll_step(plan, j);
        assert_near(step.bytes, steps[j].mib * 1048576);
        assert_near(step.stay * 1e6, steps[j].stay);
        assert_near(step.load, steps[j].load * 1048576);
        assert_int_equal(step.hops, steps[j].hops);
        assert_near(step.turned * 1e6, steps[j].turned);
        assert_int_equal(lp_coll_partner(plan, j, 0, 5), 5u ^ 1u << j);
    }
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        char choice[8];
        double overlap = 0, delay = rows[i].delay * 1e-6;
        LpCollBest best = lp_coll_best(plan, LP_COLL_DEMAND, delay, choice, NULL);
        assert_near(best.time * 1e6, rows[i].best);
        assert_string_equal(choice, rows[i].choice);
        assert_int_equal(lp_coll_overlap(plan, delay, &overlap, NULL), LP_OK);
        assert_true(fabs(overlap * 1e6 - rows[i].overlap) < 1e-3);
    }
    LpCollPiece *piece = NULL;
    uint32_t count = 0;
    assert_int_equal(lp_coll_curve(plan, LP_COLL_DEMAND, &piece, &count, NULL), LP_OK);
    assert_int_equal(count, 3);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(fabs(piece[i].delay * 1e6 - corners[i].delay) < 1e-6);
        assert_int_equal(piece[i].slope, corners[i].slope);
    }
    lp_free(piece);
    lp_coll_plan_free(plan);
}

/* ---- all choices one by one ---- */

/* The least time of all words of s, t and b, as their definition has it. */
static double least_of_all(const LpCollPlan *plan, double delay, uint32_t step, uint32_t lit_step,
                           double (*on)(const LpCollPlan *, uint32_t, uint32_t)) {
    /* lit_step: the step whose own network is lit, LP_NO_INDEX: the base */
    if (step == lp_coll_steps_count(plan))
        return 0;
    LpCollStep it = lp_coll_step(plan, step);
    double stay = on(plan, step, lit_step) + least_of_all(plan, delay, step + 1, lit_step, on);
    double turn = delay + it.turned + least_of_all(plan, delay, step + 1, step, on);
    double back = delay + it.stay + least_of_all(plan, delay, step + 1, LP_NO_INDEX, on);
    double least = fmin(stay, fmin(turn, back)); /* fmin leaves NAN out */
    return it.gap + least;
}

/* On pairs that another step lit nobody else is reached. */
static double on_pairs(const LpCollPlan *plan, uint32_t step, uint32_t lit_step) {
    if (lit_step == LP_NO_INDEX)
        return lp_coll_step(plan, step).stay;
    if (lp_coll_own(plan, step) == lp_coll_own(plan, lit_step))
        return lp_coll_step(plan, step).turned;
    return (double)INFINITY;
}

static void all_choices(LP_UNUSED void **state) {
    for (int order = LP_COLL_NEAR; order < LP_COLL_ORDERS; order++)
        for (int op = LP_COLL_ALL_REDUCE; op <= LP_COLL_ALL_GATHER; op++)
            for (int i = 0; i < 12; i++) {
                LpCollSpec it = spec_of(LP_COLL_HALVING, (LpCollOp)op, 16);
                it.order = (LpCollOrder)order;
                LpCollPlan *plan = plan_of(&it);
                double delay = 2e-6 * pow(1.7, i);
                assert_near(lp_coll_best(plan, LP_COLL_DEMAND, delay, NULL, NULL).time,
                            least_of_all(plan, delay, 0, LP_NO_INDEX, on_pairs));
                lp_coll_plan_free(plan);
            }
}

/* ---- what is refused ---- */

static void refused(LP_UNUSED void **state) {
    const struct {
        const char *says;
        LpCollSpec spec;
    } cases[] = {
#define BAD(text, a, o, order_, n, p, f, b, x, y, d)                                               \
    {                                                                                              \
        text, {                                                                                    \
            .algorithm = LP_COLL_##a, .op = LP_COLL_##o, .order = LP_COLL_##order_, .servers = n,  \
            .ports = p, .fan = f, .base = LP_COLL_BASE_##b, .side = {x, y}, .hop = d, .bytes = 1,  \
            .rate = 1                                                                              \
        }                                                                                          \
    }
        BAD("as 8 or 16", HALVING, ALL_REDUCE, NEAR, 12, 2, 1, RING, 0, 0, 0),
        BAD("as 2 or 4", HALVING, ALL_REDUCE, SWING, 3, 2, 1, RING, 0, 0, 0),
        BAD("from 2 to 256", DIRECT, ALL_TO_ALL, NEAR, 257, 2, 1, RING, 0, 0, 0),
        BAD("from 2 to 1024", RING, ALL_REDUCE, NEAR, 1, 2, 1, RING, 0, 0, 0),
        BAD("ports=3: a ring needs 1 port", RING, ALL_REDUCE, NEAR, 8, 3, 1, RING, 0, 0, 0),
        BAD("fan=3: does not divide the 2", ROTATIONS, ALL_TO_ALL, NEAR, 8, 2, 3, RING, 0, 0, 0),
        BAD("fan=2: only rotations", RING, ALL_REDUCE, NEAR, 8, 2, 2, RING, 0, 0, 0),
        BAD("halving does all_reduce, re", HALVING, ALL_TO_ALL, NEAR, 8, 2, 1, RING, 0, 0, 0),
        BAD("order=far", RING, ALL_REDUCE, FAR, 8, 2, 1, RING, 0, 0, 0),
        BAD("3 x 4 are 12 servers, not 8", RING, ALL_REDUCE, NEAR, 8, 4, 1, TORUS, 3, 4, 0),
        BAD("needs a multiple of 4", RING, ALL_REDUCE, NEAR, 8, 2, 1, TORUS, 2, 4, 0),
        BAD("7 partners for 2 ports", DIRECT, ALL_TO_ALL, NEAR, 8, 2, 1, NONE, 0, 0, 0),
        BAD("ternary sends both ways", TERNARY, ALL_TO_ALL, NEAR, 8, 1, 1, RING, 0, 0, 0),
        BAD("expected more than 0", RING, ALL_REDUCE, NEAR, 8, 2, 1, RING, 0, 0, -1),
#undef BAD
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpDiag diag = {0};
        LpCollPlan *plan = NULL;
        assert_int_equal(lp_coll_plan_make(&cases[i].spec, &plan, &diag), LP_EINVAL);
        assert_null(plan);
        if (strstr(diag.text, cases[i].says) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", diag.text, cases[i].says);
    }
}

TEST_GROUP(test_model_coll) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),        cmocka_unit_test(exchanges),
        cmocka_unit_test(threshold),   cmocka_unit_test(worked_example),
        cmocka_unit_test(all_choices), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("model_coll", tests, NULL, NULL);
}
