/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every uneven all-to-all: every byte once, matchings that are matchings, bounds of
 * time and of their number, uniform demands, and eclipse beside a search through all its choices.
 */
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
#include "sim/uneven/uneven_match.h"

enum { CASES = 900, MOST = 12 };

typedef struct Case {
    uint64_t seed;
    LpUneven all;
    int64_t demand[MOST * MOST];
    double delay;
    LpUnevenSlots slots;
} Case;

/* Half of all cases have small whole numbers, so that much is alike. */
static void make_case(Case *c, uint64_t seed) {
    LpRng rng = lp_rng_stream(seed, "uneven", 0);
    bool small = lp_rng_below(&rng, 2) == 0, stays = lp_rng_below(&rng, 2) == 0;
    uint64_t most = small ? 1 + lp_rng_below(&rng, 6) : 4000000;
    double share = .1 + .9 * lp_rng_unit(&rng);
    *c = (Case){.seed = seed};
    uint32_t n = 2 + (uint32_t)lp_rng_below(&rng, MOST - 1);
    for (uint32_t place = 0; place < n * n; place++)
        if (lp_rng_unit(&rng) < share && (stays || place % (n + 1) != 0))
            c->demand[place] = 1 + (int64_t)lp_rng_below(&rng, most);
    c->all = (LpUneven){.servers = n,
                        .demand = c->demand,
                        .ports = 1 + (uint32_t)lp_rng_below(&rng, 3),
                        .packet_ports = (uint32_t)lp_rng_below(&rng, 2),
                        .rate = small ? 1 : 50e9,
                        .start = small ? 0 : 1e-6 * lp_rng_unit(&rng),
                        .hop = small ? 1 : 500e-9,
                        .compute = small ? 2 : 100e9,
                        .launch = small ? 1 : 2e-6 * lp_rng_unit(&rng),
                        .merge = lp_rng_below(&rng, 2) == 0};
    if (lp_rng_below(&rng, 3) == 0)
        c->all.compute = (double)INFINITY;
    c->delay = small ? (double)lp_rng_below(&rng, 4) : 100e-6 * lp_rng_unit(&rng);
}

static void cut_case(Case *c, LpUnevenCut cut) {
    lp_uneven_slots_free(&c->slots);
    assert_int_equal(lp_uneven_cut(&c->all, cut, c->delay, &c->slots, NULL), LP_OK);
}

static LpUnevenRun run_case(Case *c) {
    LpUnevenRun run;
    assert_int_equal(lp_uneven_run(&c->all, &c->slots, c->delay, c->slots.count, c->slots.count,
                                   &run, NULL, NULL),
                     LP_OK);
    return run;
}

/* At most so many matchings of n servers. */
static uint32_t most_matchings(LpUnevenCut cut, uint32_t n) {
    switch (cut) {
    case LP_UNEVEN_ROTATIONS:
        return n - 1;
    case LP_UNEVEN_GREEDY:
    case LP_UNEVEN_MAX_WEIGHT:
        return n > 2 ? 2 * n - 3 : 1;
    case LP_UNEVEN_BVN:
        return n * n - 2 * n + 2;
    case LP_UNEVEN_SOLSTICE:
    case LP_UNEVEN_ECLIPSE:
    case LP_UNEVEN_CUTS:
        break;
    }
    return UINT32_MAX;
}

static void check_matchings(const Case *c) {
    int64_t sent[MOST * MOST] = {0};
    uint32_t n = c->all.servers;
    for (uint32_t k = 0; k < c->slots.count; k++) {
        uint32_t taken = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t j = c->slots.to[k * n + i];
            int64_t bytes = c->slots.bytes[k * n + i];
            assert_int_equal(bytes > 0, j != LP_UNEVEN_NONE);
            if (j == LP_UNEVEN_NONE)
                continue;
            assert_true(j < n && j != i && (taken >> j & 1) == 0);
            taken |= 1U << j;
            sent[i * n + j] += bytes;
        }
        assert_true(taken != 0);
    }
    for (uint32_t place = 0; place < n * n; place++)
        assert_int_equal(sent[place], place % (n + 1) == 0 ? 0 : c->demand[place]);
}

static void every_byte_once(void **state) {
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        Case c;
        if (!test_taken(i))
            continue;
        make_case(&c, i);
        double bound = lp_uneven_bound(&c.all, c.delay);
        LpUneven bare = c.all;
        bare.compute = (double)INFINITY;
        bare.launch = 0;
        double sent = lp_uneven_bound(&bare, c.delay);
        for (int cut = 0; cut < LP_UNEVEN_CUTS; cut++) {
            cut_case(&c, (LpUnevenCut)cut);
            check_matchings(&c);
            assert_true(c.slots.count <= most_matchings((LpUnevenCut)cut, c.all.servers));
            LpUnevenRun run = run_case(&c);
            if (run.never || run.time < bound * (1 - 1e-12) ||
                run.communication < sent * (1 - 1e-12) || run.time < run.communication)
                fail_msg("case %u, %s: %.17g, %.17g; bound %.17g", i,
                         lp_uneven_cut_name((LpUnevenCut)cut), run.communication, run.time, bound);
        }
        lp_uneven_slots_free(&c.slots);
    }
}

static void alike_for_all(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= MOST; n++) {
        Case c;
        make_case(&c, n);
        c.all.servers = n;
        c.all.packet_ports = 0;
        for (uint32_t place = 0; place < n * n; place++)
            c.demand[place] = place % (n + 1) == 0 ? 0 : 1000;
        double want =
            (n - 1) * (c.delay + c.all.start + c.all.hop + 1000 / c.all.rate / c.all.ports);
        cut_case(&c, LP_UNEVEN_ROTATIONS);
        assert_true(fabs(run_case(&c).communication - want) <= 1e-12 * want);
        cut_case(&c, LP_UNEVEN_MAX_WEIGHT);
        assert_true(fabs(run_case(&c).communication - want) <= 1e-12 * want);
        cut_case(&c, LP_UNEVEN_GREEDY);
        assert_true(n != 5 || c.slots.count == 7);
        lp_uneven_slots_free(&c.slots);
    }
}

/* All times and the bytes of all rates times k. */
static void one_factor(void **state) {
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        Case c;
        if (!test_taken(i))
            continue;
        make_case(&c, i);
        c.all.tile = 0;
        LpUneven times = c.all, bytes = c.all;
        int64_t more[MOST * MOST];
        for (uint32_t place = 0; place < c.all.servers * c.all.servers; place++)
            more[place] = 4 * c.demand[place];
        times.demand = bytes.demand = more;
        times.start *= 4;
        times.hop *= 4;
        times.launch *= 4;
        bytes.rate *= 4;
        bytes.compute *= 4;
        for (int cut = 0; cut < LP_UNEVEN_CUTS; cut++) {
            LpUneven all = c.all;
            cut_case(&c, (LpUnevenCut)cut);
            LpUnevenRun plain = run_case(&c);
            c.all = bytes;
            cut_case(&c, (LpUnevenCut)cut);
            LpUnevenRun same = run_case(&c);
            c.all = times;
            c.delay *= 4;
            cut_case(&c, (LpUnevenCut)cut);
            LpUnevenRun longer = run_case(&c);
            c.delay /= 4;
            c.all = all;
            if (fabs(same.time - plain.time) > 1e-12 * plain.time ||
                fabs(longer.time - 4 * plain.time) > 4e-12 * plain.time)
                fail_msg("case %u, %s: %.17g, %.17g, %.17g", i,
                         lp_uneven_cut_name((LpUnevenCut)cut), plain.time, same.time, longer.time);
        }
        lp_uneven_slots_free(&c.slots);
    }
}

/* ---- eclipse, one choice after the other ---- */

typedef struct Plain {
    uint32_t n;
    int64_t rest[MOST * MOST];
    LpUnevenHeavy heavy;
} Plain;

static int64_t next_lower(const Plain *p, int64_t than) {
    int64_t next = 0;
    for (uint32_t k = 0; k < p->n * p->n; k++)
        if (p->rest[k] < than && p->rest[k] > next)
            next = p->rest[k];
    return next;
}

/* The matching and its time by looking at each different entry. */
static int64_t choose(Plain *p, double rate, double delay, uint8_t *to) {
    int64_t best = 0;
    double most = 0;
    for (int64_t h = next_lower(p, INT64_MAX); h > 0; h = next_lower(p, h)) {
        memset(p->heavy.receiver, 0, sizeof p->heavy.receiver);
        for (uint32_t k = 0; k < p->n * p->n; k++)
            p->heavy.weight[k] = p->rest[k] < h ? p->rest[k] : h;
        lp_uneven_heavy_bound(&p->heavy);
        double gain = (double)lp_uneven_heavy_solve(&p->heavy) / ((double)h / rate + delay);
        if (best == 0 || gain > most * (1 + 1e-12)) {
            most = gain;
            best = h;
            lp_uneven_heavy_first(&p->heavy, to);
        }
    }
    return best;
}

static void eclipse_leaves_nothing_out(void **state) {
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        Case c;
        Plain p = {0};
        if (!test_taken(i))
            continue;
        make_case(&c, i);
        cut_case(&c, LP_UNEVEN_ECLIPSE);
        uint32_t n = p.n = p.heavy.n = c.all.servers;
        memcpy(p.rest, c.demand, sizeof p.rest);
        for (uint32_t k = 0; k < n; k++)
            p.rest[k * (n + 1)] = 0;
        for (uint32_t k = 0; k < c.slots.count; k++) {
            uint8_t to[MOST];
            int64_t hold = choose(&p, c.all.ports * c.all.rate, c.delay, to);
            for (uint32_t s = 0; s < n; s++) {
                int64_t *rest = &p.rest[s * n + to[s]], bytes = *rest < hold ? *rest : hold;
                if (bytes != c.slots.bytes[k * n + s])
                    fail_msg("case %u, matching %u, server %u", i, (unsigned)k, (unsigned)s);
                *rest -= bytes;
            }
        }
        lp_uneven_slots_free(&c.slots);
    }
}

TEST_GROUP(test_uneven) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_once), cmocka_unit_test(alike_for_all),
        cmocka_unit_test(one_factor), cmocka_unit_test(eclipse_leaves_nothing_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
