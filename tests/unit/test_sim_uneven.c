/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sim/uneven: the worked example by hand, ties, demands in words, and the heaviest
 * matching beside all of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "sim/uneven/uneven.h"
#include "sim/uneven/uneven_keys.h"
#include "sim/uneven/uneven_match.h"

typedef struct Case {
    LpArena *arena;
    LpUneven all;
    LpUnevenSlots slots;
} Case;

static void open_case(Case *c, const char *word) {
    int64_t *demand = NULL;
    *c = (Case){.arena = lp_arena_new(0)};
    c->all = (LpUneven){.ports = 1, .rate = 50e9, .hop = 500e-9, .compute = (double)INFINITY};
    assert_int_equal(lp_uneven_demand_read(word, c->arena, &c->all.servers, &demand, NULL), LP_OK);
    c->all.demand = demand;
}

static void close_case(Case *c) {
    lp_uneven_slots_free(&c->slots);
    lp_arena_free(c->arena);
}

static LpUnevenRun run_case(Case *c, LpUnevenCut cut, double delay) {
    LpUnevenRun run;
    lp_uneven_slots_free(&c->slots);
    assert_int_equal(lp_uneven_cut(&c->all, cut, delay, &c->slots, NULL), LP_OK);
    assert_int_equal(
        lp_uneven_run(&c->all, &c->slots, delay, c->slots.count, c->slots.count, &run, NULL, NULL),
        LP_OK);
    return run;
}

static void same_time(double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.12g is not %.12g", got, want);
}

static const char *const BY_HAND = "0,6MB,0,1MB/4MB,0,2MB,0/0,2MB,0,5MB/1MB,0,3MB,0";

static void the_worked_example(void **state) {
    (void)state;
    Case c;
    LpUnevenSlot slot[2];
    LpUnevenRun run;
    open_case(&c, BY_HAND);
    c.all.compute = 100e9;
    c.all.launch = 2e-6;
    run = run_case(&c, LP_UNEVEN_MAX_WEIGHT, 10e-6);
    assert_int_equal(c.slots.count, 2);
    assert_memory_equal(c.slots.to, "\1\0\3\2\3\2\1\0", 8);
    same_time(run.communication, 181e-6);
    same_time(run.time, 214.5e-6);
    same_time(lp_uneven_bound(&c.all, 10e-6), 181e-6);
    same_time(lp_uneven_ideal(&c.all), 242.5e-6);
    assert_int_equal(lp_uneven_run(&c.all, &c.slots, 10e-6, 2, 2, &run, slot, NULL), LP_OK);
    assert_int_equal(slot[0].bytes, 18000000);
    same_time(slot[0].from, 10.5e-6);
    same_time(slot[0].to, 130.5e-6);
    same_time(slot[1].to, 181e-6);
    same_time(run_case(&c, LP_UNEVEN_ROTATIONS, 10e-6).time, 263e-6);
    same_time(run_case(&c, LP_UNEVEN_ECLIPSE, 10e-6).time, 224.5e-6);
    assert_int_equal(c.slots.count, 5);
    close_case(&c);
}

/* Times at which sixteen servers are done, in us, cut by cut at delays of 0 and 10 us. */
static void a_random_demand(void **state) {
    (void)state;
    static const struct {
        double at_0, at_10;
        uint32_t matchings;
    } want[LP_UNEVEN_CUTS] = {{591.0, 741.0, 15},   {1260.8, 2597.9, 211}, {1076.6, 2083.1, 162},
                              {1333.7, 741.3, 222}, {459.65, 613.9, 16},   {450.9, 623.8, 18}};
    Case c;
    open_case(&c, "random:16,1,2MB,1");
    c.all.compute = 100e9;
    c.all.launch = 5e-6;
    for (int cut = 0; cut < LP_UNEVEN_CUTS; cut++) {
        double at_0 = run_case(&c, (LpUnevenCut)cut, 0).time;
        assert_int_equal(c.slots.count, want[cut].matchings);
        double at_10 = run_case(&c, (LpUnevenCut)cut, 10e-6).time;
        if (!(fabs(at_0 * 1e6 - want[cut].at_0) < .051 &&
              fabs(at_10 * 1e6 - want[cut].at_10) < .051))
            fail_msg("%s: %.9g, %.9g", lp_uneven_cut_name((LpUnevenCut)cut), at_0, at_10);
    }
    close_case(&c);
}

static void packets_carry_the_rest(void **state) {
    (void)state;
    static const double want[] = {620.6, 532.3, 444.0, 359.3, 330.3, 378.3, 447.7, 517.0};
    LpUnevenRun run[8];
    Case c;
    open_case(&c, "zipf:8,1,8MB");
    c.all.compute = 100e9;
    c.all.launch = 2e-6;
    run_case(&c, LP_UNEVEN_MAX_WEIGHT, 10e-6);
    assert_int_equal(lp_uneven_run(&c.all, &c.slots, 10e-6, 0, 3, run, NULL, NULL), LP_OK);
    assert_true(run[0].never && run[3].never);
    c.all.packet_ports = 1;
    assert_int_equal(c.slots.count, 7);
    assert_int_equal(lp_uneven_run(&c.all, &c.slots, 10e-6, 0, 7, run, NULL, NULL), LP_OK);
    for (int k = 0; k < 8; k++)
        assert_true(fabs(run[k].time * 1e6 - want[k]) < .051);
    close_case(&c);
}

/* Whole tiles, and what has arrived meanwhile as one batch. */
static void tiles_and_batches(void **state) {
    (void)state;
    Case c;
    open_case(&c, "0,1MB,1MB/1,0,3MB/1,1,0");
    c.all.compute = 1e9;
    c.all.tile = 2000000;
    same_time(lp_uneven_work(&c.all, 2000001), 4e-3);
    LpUnevenRun run = run_case(&c, LP_UNEVEN_ROTATIONS, 0);
    assert_int_equal(run.batches, 2);
    c.all.tile = 0;
    c.all.merge = true;
    /* server 2 gets 3 MB first, and 1 MB while it works them off */
    run = run_case(&c, LP_UNEVEN_ROTATIONS, 0);
    assert_int_equal(run.batches, 2);
    same_time(run.time, .5e-6 + 60e-6 + 4e-3);
    close_case(&c);
}

static void demands_in_words(void **state) {
    (void)state;
    static const struct {
        const char *word, *says;
    } bad[] = {{"0,1/1,0,2", "row 1 has 3 values: expected 2"},
               {"0,1.5/1,0", "1.5 in row 0"},
               {"5", "1 row: expected 2 to 64"},
               {"0,-1/1,0", "-1 in row 0"},
               {"0,1e14/1,0", "1e14 in row 0"},
               {"0,/1,0", "in row 0"},
               {"uniform:4", "uniform:N,BYTES"},
               {"zipf:65,1,8MB", "65"},
               {"random:4,2,8MB,1", "2: expected a share"},
               {"skew:4,-1,8MB", "-1: expected an exponent"},
               {"uniform:4,1EB", "1EB"}};
    Case c;
    LpDiag diag;
    int64_t *demand = NULL;
    uint32_t servers = 77;
    open_case(&c, "random:4,1,2MB,1");
    /* splitmix64 of 1 begins with 0x910a2dec89025cc1, 0xbeeb8da1658eec67 */
    double second = (double)(0xbeeb8da1658eec67 >> 11) * 0x1p-53;
    assert_int_equal(c.all.demand[1], 1 + (int64_t)(second * 2e6));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(lp_uneven_demand_read(bad[i].word, c.arena, &servers, &demand, &diag),
                         LP_EINVAL);
        if (strstr(diag.text, bad[i].says) == NULL)
            fail_msg("%s: %s", bad[i].word, diag.text);
        assert_int_equal(servers, 77);
    }
    assert_int_equal(
        lp_uneven_demand_file("a.csv", "0, 1MB\n2, 0\n\n", c.arena, &servers, &demand, &diag),
        LP_OK);
    assert_int_equal(servers, 2);
    assert_int_equal(demand[1], 1000000);
    assert_int_equal(
        lp_uneven_demand_file("a.csv", "0,1\n2,x\n", c.arena, &servers, &demand, &diag), LP_EINVAL);
    assert_int_equal(diag.line, 2);
    assert_int_equal(diag.col, 3);
    close_case(&c);
}

/* ---- matchings beside all of them ---- */

enum { SMALL = 6 };

typedef struct Best {
    const int64_t *weight;
    uint32_t n;
    int64_t most;
    uint8_t now[SMALL], to[SMALL];
} Best;

/* All assignments in the order of receivers. */
static void try_all(Best *b, uint32_t i, uint32_t taken, int64_t sum) {
    if (i == b->n) {
        if (sum > b->most) {
            b->most = sum;
            memcpy(b->to, b->now, b->n);
        }
        return;
    }
    for (uint32_t j = 0; j < b->n; j++)
        if ((taken >> j & 1) == 0 && b->weight[i * b->n + j] >= 0) {
            b->now[i] = (uint8_t)j;
            try_all(b, i + 1, taken | 1U << j, sum + b->weight[i * b->n + j]);
        }
}

static void the_first_of_the_heaviest(void **state) {
    (void)state;
    LpUnevenHeavy heavy = {0};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        LpRng rng = lp_rng_stream(seed, "heavy", 0);
        Best best = {.weight = heavy.weight, .most = -1};
        uint8_t to[LP_UNEVEN_SERVERS_MAX];
        best.n = heavy.n = 2 + (uint32_t)lp_rng_below(&rng, SMALL - 1);
        uint64_t most = 1 + lp_rng_below(&rng, 9);
        for (uint32_t k = 0; k < heavy.n * heavy.n; k++)
            heavy.weight[k] = (int64_t)lp_rng_below(&rng, most);
        /* receivers keep the prices that the last case gave them */
        try_all(&best, 0, 0, 0);
        assert_true(lp_uneven_heavy_bound(&heavy) >= best.most);
        assert_int_equal(lp_uneven_heavy_solve(&heavy), best.most);
        lp_uneven_heavy_first(&heavy, to);
        assert_memory_equal(to, best.to, heavy.n);
    }
}

static void the_first_of_allowed_pairs(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        LpRng rng = lp_rng_stream(seed, "first", 0);
        int64_t weight[SMALL * SMALL];
        uint64_t allowed[SMALL] = {0};
        uint8_t to[LP_UNEVEN_SERVERS_MAX];
        Best best = {
            .weight = weight, .n = 2 + (uint32_t)lp_rng_below(&rng, SMALL - 1), .most = -1};
        memset(to, LP_UNEVEN_NONE, sizeof to);
        for (uint32_t k = 0; k < best.n * best.n; k++) {
            bool may = lp_rng_below(&rng, 2) == 0;
            weight[k] = may ? 0 : -1;
            allowed[k / best.n] |= (uint64_t)may << k % best.n;
        }
        to[0] = (uint8_t)lp_rng_below(&rng, best.n); /* whether it is allowed or not */
        try_all(&best, 0, 0, 0);
        assert_int_equal(lp_uneven_first(allowed, best.n, to), best.most == 0);
        if (best.most == 0)
            assert_memory_equal(to, best.to, best.n);
    }
}

TEST_GROUP(test_sim_uneven) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),        cmocka_unit_test(a_random_demand),
        cmocka_unit_test(packets_carry_the_rest),    cmocka_unit_test(tiles_and_batches),
        cmocka_unit_test(demands_in_words),          cmocka_unit_test(the_first_of_the_heaviest),
        cmocka_unit_test(the_first_of_allowed_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
