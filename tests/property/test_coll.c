/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every collective on circuits: who is never slower, the shape of the least time by
 * delay, one factor on everything, twice the ports of half the rate, and steps that bring every
 * block home. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "model/collective/coll_plan.h"

enum { CASES = 600, DELAYS = 6 };
#define ROUND 1e-9

/* A case that is allowed; most draws are not. */
static LpCollSpec draw(uint64_t seed) {
    static const uint32_t servers[] = {2, 3, 4, 5, 6, 8, 9, 12, 16};
    static const uint32_t ports[] = {1, 2, 4, 8};
    LpRng rng = lp_rng_stream(seed, "collective", 0);
    LpCollSpec it;
    do {
        it = (LpCollSpec){.algorithm = (LpCollAlgorithm)lp_rng_below(&rng, LP_COLL_ALGORITHMS),
                          .op = (LpCollOp)lp_rng_below(&rng, LP_COLL_OPS),
                          .order = (LpCollOrder)lp_rng_below(&rng, LP_COLL_ORDERS),
                          .base = (LpCollBase)lp_rng_below(&rng, 3)};
        it.servers = servers[lp_rng_below(&rng, LP_COUNTOF(servers))];
        it.ports = ports[lp_rng_below(&rng, LP_COUNTOF(ports))];
        it.fan = it.algorithm == LP_COLL_ROTATIONS ? 1u << lp_rng_below(&rng, 3) : 1;
        it.side[0] = it.side[1] = 2;
        for (uint32_t a = 2; it.base == LP_COLL_BASE_TORUS && a < it.servers; a++)
            if (it.servers % a == 0 && it.servers / a >= 2)
                it.side[0] = a;
        it.side[1] = it.servers / it.side[0];
        it.any = lp_rng_below(&rng, 4) == 0;
        it.bytes = 1e3 + 1e7 * lp_rng_unit(&rng);
        it.rate = 1e9 + 1e11 * lp_rng_unit(&rng);
        it.start = lp_rng_below(&rng, 2) == 0 ? 0 : 1e-5 * lp_rng_unit(&rng);
        it.hop = lp_rng_below(&rng, 2) == 0 ? 0 : 1e-6 * lp_rng_unit(&rng);
        it.adds = lp_rng_below(&rng, 2) == 0 ? 0 : 1e11 * lp_rng_unit(&rng) + 1e9;
    } while (lp_coll_check(&it, NULL) != LP_OK);
    return it;
}

static LpCollPlan *plan_of(const LpCollSpec *spec) {
    LpCollPlan *plan = NULL;
    assert_int_equal(lp_coll_plan_make(spec, &plan, NULL), LP_OK);
    return plan;
}

static double delay_of(uint64_t seed, int i) {
    LpRng rng = lp_rng_stream(seed, "delay", (uint64_t)i);
    return i == 0 ? 0 : 1e-7 * pow(10, 4 * lp_rng_unit(&rng));
}

/* a <= b but for rounding; NAN is nothing to be compared with. */
#define ASSERT_AT_MOST(seed, a, b)                                                                 \
    do {                                                                                           \
        double less_ = (a), more_ = (b);                                                           \
        if (less_ > more_ * (1 + ROUND))                                                           \
            fail_msg("seed %u: %s = %.17g is more than %s = %.17g", (unsigned)(seed), #a, less_,   \
                     #b, more_);                                                                   \
    } while (0)

static void nobody_is_slower(LP_UNUSED void **state) {
    for (unsigned seed = 0; seed < CASES; seed++) {
        if (!test_taken(seed))
            continue;
        LpCollSpec spec = draw(seed), freer = spec;
        freer.any = true;
        LpCollPlan *plan = plan_of(&spec), *any = plan_of(&freer);
        for (int i = 0; i < DELAYS; i++) {
            double delay = delay_of(seed, i), overlap = 0;
            double demand = lp_coll_best(plan, LP_COLL_DEMAND, delay, NULL, NULL).time;
            double ahead = lp_coll_best(plan, LP_COLL_PROVISIONED, delay, NULL, NULL).time;
            double stay = lp_coll_stay(plan);
            double every = lp_coll_every_turn(plan, LP_COLL_DEMAND, delay);
            assert_int_equal(lp_coll_overlap(plan, delay, &overlap, NULL), LP_OK);
            ASSERT_AT_MOST(seed, demand, stay);
            ASSERT_AT_MOST(seed, demand, every);
            ASSERT_AT_MOST(seed, ahead, demand);
            ASSERT_AT_MOST(seed, overlap, ahead);
            ASSERT_AT_MOST(seed, lp_coll_bound(&spec), ahead);
            ASSERT_AT_MOST(seed, lp_coll_bound(&spec), overlap);
            ASSERT_AT_MOST(seed, lp_coll_best(any, LP_COLL_DEMAND, delay, NULL, NULL).time, demand);
            if (!lp_coll_has_gaps(plan))
                ASSERT_AT_MOST(seed, demand, ahead);
        }
        lp_coll_plan_free(any);
        lp_coll_plan_free(plan);
    }
}

static void curve_has_its_shape(LP_UNUSED void **state) {
    for (unsigned seed = 0; seed < CASES; seed++) {
        if (!test_taken(seed))
            continue;
        LpCollSpec spec = draw(seed);
        LpCollPlan *plan = plan_of(&spec);
        for (int orders = 0; orders < LP_COLL_ORDERS_COUNT; orders++) {
            LpCollPiece *piece = NULL;
            uint32_t count = 0;
            assert_int_equal(lp_coll_curve(plan, (LpCollOrders)orders, &piece, &count, NULL),
                             LP_OK);
            for (uint32_t i = 1; i < count; i++) {
                double reached =
                    piece[i - 1].time + piece[i - 1].slope * (piece[i].delay - piece[i - 1].delay);
                assert_true(fabs(reached - piece[i].time) <= ROUND * reached);
                assert_true(piece[i].delay > piece[i - 1].delay);
                assert_true(orders == LP_COLL_PROVISIONED || piece[i].slope < piece[i - 1].slope);
            }
            for (int i = 0; i < DELAYS; i++) {
                double delay = delay_of(seed, i);
                double time = lp_coll_best(plan, (LpCollOrders)orders, delay, NULL, NULL).time;
                assert_true(fabs(lp_coll_curve_at(piece, count, delay) - time) <= ROUND * time);
            }
            if (lp_coll_stay(plan) > 0)
                assert_int_equal(piece[count - 1].slope, 0);
            lp_free(piece);
        }
        lp_coll_plan_free(plan);
    }
}

static void assert_alike(unsigned seed, const LpCollSpec *a, const LpCollSpec *b, double times,
                         double by) {
    LpCollPlan *one = plan_of(a), *other = plan_of(b);
    for (int i = 0; i < DELAYS; i++) {
        double delay = delay_of(seed, i);
        double x = lp_coll_best(one, LP_COLL_PROVISIONED, delay, NULL, NULL).time * times;
        double y = lp_coll_best(other, LP_COLL_PROVISIONED, delay * by, NULL, NULL).time;
        if (fabs(x - y) > ROUND * x)
            fail_msg("seed %u, delay %g: %.17g, not %.17g", seed, delay, y, x);
    }
    lp_coll_plan_free(other);
    lp_coll_plan_free(one);
}

static void scaled(LP_UNUSED void **state) {
    for (unsigned seed = 0; seed < CASES; seed++) {
        if (!test_taken(seed))
            continue;
        LpCollSpec spec = draw(seed), all = spec, faster = spec, ports = spec;
        all.bytes *= 3;
        all.start *= 3;
        all.hop *= 3;
        assert_alike(seed, &spec, &all, 3, 3);
        faster.bytes *= 3;
        faster.rate *= 3;
        faster.adds *= 3;
        assert_alike(seed, &spec, &faster, 1, 1);
        ports.ports *= 2;
        ports.rate /= 2;
        if (spec.ports % 2 == 0 && spec.algorithm != LP_COLL_DIRECT)
            assert_alike(seed, &spec, &ports, 1, 1);
    }
}

/* Servers that have something of each other, as bits. */
static void blocks_come_home(LP_UNUSED void **state) {
    for (int order = LP_COLL_NEAR; order < LP_COLL_ORDERS; order++)
        for (uint32_t n = 2; n <= 32; n *= 2) {
            LpCollSpec spec = {.algorithm = LP_COLL_HALVING,
                               .op = LP_COLL_REDUCE_SCATTER,
                               .order = (LpCollOrder)order,
                               .servers = n,
                               .ports = 2,
                               .fan = 1,
                               .bytes = 1,
                               .rate = 1};
            LpCollPlan *plan = plan_of(&spec);
            uint64_t has[32];
            for (uint32_t i = 0; i < n; i++)
                has[i] = UINT64_C(1) << i;
            for (uint32_t j = 0; j < lp_coll_steps_count(plan); j++) {
                uint64_t next[32];
                for (uint32_t i = 0; i < n; i++) {
                    uint64_t more = has[lp_coll_partner(plan, j, 0, i)];
                    assert_int_equal(has[i] & more, 0); /* nothing comes twice */
                    next[i] = has[i] | more;
                }
                memcpy(has, next, sizeof has);
            }
            for (uint32_t i = 0; i < n; i++)
                assert_true(has[i] == (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX));
            lp_coll_plan_free(plan);
        }
}

static void everybody_is_served_once(LP_UNUSED void **state) {
    for (uint32_t n = 2; n <= 20; n++)
        for (int matchings = 0; matchings < 2; matchings++) {
            LpCollSpec spec = {.algorithm = matchings ? LP_COLL_MATCHINGS : LP_COLL_ROTATIONS,
                               .op = LP_COLL_ALL_TO_ALL,
                               .servers = n,
                               .ports = 4,
                               .fan = matchings ? 1 : 4,
                               .bytes = 1,
                               .rate = 1};
            LpCollPlan *plan = plan_of(&spec);
            unsigned met[20][20] = {{0}};
            for (uint32_t j = 0; j < lp_coll_steps_count(plan); j++)
                for (uint32_t way = 0; way < lp_coll_step(plan, j).ways; way++)
                    for (uint32_t i = 0; i < n; i++) {
                        uint32_t partner = lp_coll_partner(plan, j, way, i);
                        if (partner != LP_NO_INDEX)
                            met[i][partner]++;
                    }
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t k = 0; k < n; k++)
                    assert_int_equal(met[i][k], i != k);
            lp_coll_plan_free(plan);
        }
}

TEST_GROUP(test_coll) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_slower),
        cmocka_unit_test(curve_has_its_shape),
        cmocka_unit_test(scaled),
        cmocka_unit_test(blocks_come_home),
        cmocka_unit_test(everybody_is_served_once),
    };
    return cmocka_run_group_tests_name("coll", tests, NULL, NULL);
}
