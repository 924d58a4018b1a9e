/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives by algorithm: formulas worked out by hand, the ring as every fabric has it, bytes
 * that add up, and a simulation of the ring step by step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "model/fabric/collective.h"
#include "model/fabric/fabric_impl.h"

static const double PEAK = 130e12, MEMORY = 2e12;

static LpCollectiveTeam team(LpAlgorithm algorithm, uint32_t n, uint32_t hops, const LpHop *hop) {
    return (LpCollectiveTeam){.algorithm = algorithm,
                              .n = n,
                              .hops = hops,
                              .hop = hop,
                              .peak = PEAK,
                              .memory_bandwidth = MEMORY};
}

static void same(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

static double adds(double bytes) {
    return lp_collective_adds(2, bytes, PEAK, MEMORY);
}

static void ring(void **state) {
    (void)state;
    const LpHop hop = {1e-6, 1e9};
    LpCollectiveTeam t = team(LP_ALGORITHM_RING, 4, 1, &hop);
    same(lp_collective_time(&t, LP_ALL_GATHER, 4e6), 3 * (1e-6 + 1e-3));
    same(lp_collective_time(&t, LP_REDUCE_SCATTER, 4e6), 3 * (1e-6 + 1e-3) + adds(3e6));
    same(lp_collective_time(&t, LP_ALL_REDUCE, 4e6), 6 * (1e-6 + 1e-3) + adds(3e6));
    LpCollectiveCost fabric = lp_collective_ring(4, 4e6, 1e-6, 1e9, PEAK, MEMORY);
    same(lp_collective_time(&t, LP_ALL_REDUCE, 4e6), lp_collective_total(LP_ALL_REDUCE, fabric));
    /* every step waits for the slowest hop */
    const LpHop hops[] = {{1e-6, 1e9}, {1e-6, 1e9}, {5e-6, 5e8}, {9e-6, 1e9}};
    t = team(LP_ALGORITHM_RING, 4, 4, hops);
    same(lp_collective_time(&t, LP_ALL_GATHER, 4e6), 3 * (5e-6 + 2e-3));
    t.n = 1;
    assert_true(lp_collective_time(&t, LP_ALL_REDUCE, 4e6) == 0);
    t.n = 4;
    assert_true(lp_collective_time(&t, LP_ALL_REDUCE, 0) == 0);
}

static void tree(void **state) {
    (void)state;
    const LpHop hop = {1e-6, 1e9};
    LpCollectiveTeam t = team(LP_ALGORITHM_TREE, 8, 1, &hop);
    double whole = 3 * (1e-6 + 8e-3), parts = 3e-6 + 7e-3;
    same(lp_collective_time(&t, LP_ALL_REDUCE, 8e6), 2 * whole + 3 * adds(8e6));
    same(lp_collective_time(&t, LP_ALL_GATHER, 8e6), parts + whole);
    same(lp_collective_time(&t, LP_REDUCE_SCATTER, 8e6), whole + 3 * adds(8e6) + parts);
    t.n = 5; /* levels hand over 1, 2 and 1 members' parts */
    same(lp_collective_time(&t, LP_ALL_GATHER, 5e6), 3e-6 + 4e-3 + 3 * (1e-6 + 5e-3));
}

static void halving(void **state) {
    (void)state;
    const LpHop hop = {1e-6, 1e9};
    LpCollectiveTeam t = team(LP_ALGORITHM_HALVING, 8, 1, &hop);
    same(lp_collective_time(&t, LP_ALL_GATHER, 8e6), 3e-6 + 7e-3);
    same(lp_collective_time(&t, LP_ALL_REDUCE, 8e6), 2 * (3e-6 + 7e-3) + adds(7e6));
    /* halves go far, small parts near: 4 MB over hop 2, 2 MB over hop 1, 1 MB over hop 0 */
    const LpHop hops[] = {{0, 1e9}, {0, 1e9}, {0, 1e8}};
    LpCollectiveTeam far = team(LP_ALGORITHM_HALVING, 8, 3, hops);
    same(lp_collective_time(&far, LP_ALL_GATHER, 8e6), 1e-3 + 2e-3 + 4e-2);
    t.n = 6; /* a power of four, two pairs fold and unfold */
    same(lp_collective_time(&t, LP_ALL_REDUCE, 6e6),
         2 * (2e-6 + 4.5e-3) + adds(4.5e6) + 2 * (1e-6 + 6e-3) + adds(6e6));
    same(lp_collective_time(&t, LP_ALL_GATHER, 6e6),
         2e-6 + (2e-3 + 4e-3) + (1e-6 + 1e-3) + (1e-6 + 6e-3));
}

static void hierarchical(void **state) {
    (void)state;
    const LpHop hops[] = {{1e-6, 1e9}, {10e-6, 1e8}};
    LpCollectiveTeam t = team(LP_ALGORITHM_HIERARCHICAL, 8, 2, hops);
    t.group = 4; /* rings of 4 over 8 MB, then rings of 2 over 2 MB */
    same(lp_collective_time(&t, LP_ALL_REDUCE, 8e6),
         6 * (1e-6 + 2e-3) + adds(6e6) + 2 * (10e-6 + 10e-3) + adds(1e6));
    t.group = 8; /* one group: a ring */
    LpCollectiveTeam r = team(LP_ALGORITHM_RING, 8, 1, hops);
    same(lp_collective_time(&t, LP_ALL_REDUCE, 8e6), lp_collective_time(&r, LP_ALL_REDUCE, 8e6));
}

/* Sends are among members, never to oneself, each pair once, and add up. */
static void sends_add_up(void **state) {
    (void)state;
    static const LpCollective ops[] = {LP_REDUCE_SCATTER, LP_ALL_GATHER, LP_ALL_REDUCE};
    const LpHop hop = {0, 1};
    LpSend out[512];
    for (uint32_t n = 1; n <= 20; n++)
        for (int a = 0; a < LP_ALGORITHM_COUNT; a++)
            for (int k = 0; k < 3; k++) {
                LpCollectiveTeam t = team((LpAlgorithm)a, n, 1, &hop);
                t.group = n % 3 == 0 ? 3 : n % 2 == 0 ? n / 2 : 1;
                uint32_t count = lp_collective_sends(&t, ops[k], 1e6, out);
                double sum = 0, in[20] = {0};
                assert_true(count <= lp_collective_sends_max(&t));
                for (uint32_t i = 0; i < count; i++) {
                    assert_true(out[i].from < n && out[i].to < n && out[i].from != out[i].to);
                    for (uint32_t j = 0; j < i; j++)
                        assert_false(out[i].from == out[j].from && out[i].to == out[j].to);
                    sum += out[i].bytes;
                    in[out[i].to] += out[i].bytes;
                }
                bool exact = a == LP_ALGORITHM_RING || a == LP_ALGORITHM_HIERARCHICAL ||
                             (a == LP_ALGORITHM_HALVING && (n & (n - 1)) == 0);
                if (exact)
                    assert_true(fabs(sum - (k == 2 ? 2 : 1) * 1e6 * (n - 1)) < 1e-6 * 1e6);
                /* nobody can learn the whole from less than what it does not have */
                for (uint32_t i = 0; n > 1 && ops[k] == LP_ALL_GATHER && i < n; i++)
                    assert_true(in[i] >= 1e6 * (n - 1) / n * (1 - 1e-12));
            }
}

/* Every member sends a chunk to the next when it has it: the formula, found by stepping. */
static void ring_by_steps(void **state) {
    (void)state;
    enum { N = 7 };
    LpHop hops[N];
    double ready[N] = {0};
    for (int i = 0; i < N; i++)
        hops[i] = (LpHop){1e-6, 1e9};
    for (int step = 0; step < N - 1; step++) {
        double next[N];
        for (int i = 0; i < N; i++) { /* i sends to i + 1 what it got in the step before */
            int from = (i + N - 1) % N;
            next[i] = (ready[from] > ready[i] ? ready[from] : ready[i]) + 1e-6 + 1e6 / N / 1e9;
        }
        memcpy(ready, next, sizeof ready);
    }
    LpCollectiveTeam t = team(LP_ALGORITHM_RING, N, N, hops);
    same(lp_collective_time(&t, LP_ALL_GATHER, 1e6), ready[0]);
}

TEST_GROUP(test_model_algorithms) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring),         cmocka_unit_test(tree),
        cmocka_unit_test(halving),      cmocka_unit_test(hierarchical),
        cmocka_unit_test(sends_add_up), cmocka_unit_test(ring_by_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
