/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Max-min fair shares: cases by hand, an independent solver on random networks, nothing above
 * capacity, a bottleneck for every flow, and updates that give the bits of solving anew. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "group.h"
#include "sim/sharing/shares.h"

enum { FLOWS = 60, LINKS = 24, ROUTE = 5 };

typedef struct Net {
    double capacity[LINKS], cap[FLOWS], weight[FLOWS], use[FLOWS * ROUTE], rate[FLOWS];
    uint32_t begin[FLOWS + 1], link[FLOWS * ROUTE];
    LpShareProblem p;
} Net;

static double draw(LpRng *rng) {
    return lp_rng_unit(rng);
}

static void link_up(Net *net, uint32_t flows, uint32_t links) {
    net->p = (LpShareProblem){.links = links,
                              .flows = flows,
                              .capacity = net->capacity,
                              .begin = net->begin,
                              .link = net->link,
                              .use = net->use,
                              .cap = net->cap,
                              .weight = net->weight};
}

static void add_flow(Net *net, LpRng *rng, uint32_t f, uint32_t links) {
    uint32_t count = (uint32_t)lp_rng_below(rng, ROUTE + 1), at = net->begin[f];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t l = (uint32_t)lp_rng_below(rng, links);
        bool there = false;
        for (uint32_t k = net->begin[f]; k < at; k++)
            there = there || net->link[k] == l;
        net->use[at] = draw(rng) < 0.5 ? 1 : 0.1 + 3 * draw(rng);
        net->link[at] = l;
        at += !there;
    }
    net->begin[f + 1] = at;
    net->weight[f] = draw(rng) < 0.5 ? 1 : 0.1 + draw(rng);
    net->cap[f] = at > net->begin[f] && draw(rng) < 0.6 ? (double)INFINITY : 2 * draw(rng);
}

static void random_net(Net *net, LpRng *rng) {
    uint32_t links = 1 + (uint32_t)lp_rng_below(rng, LINKS);
    uint32_t flows = 1 + (uint32_t)lp_rng_below(rng, FLOWS);
    for (uint32_t l = 0; l < links; l++)
        net->capacity[l] = draw(rng) < 0.05 ? 0 : draw(rng) < 0.3 ? 1 : 4 * draw(rng);
    net->begin[0] = 0;
    for (uint32_t f = 0; f < flows; f++)
        add_flow(net, rng, f, links);
    link_up(net, flows, links);
}

/* ---- an independent solver: bisection for the level that still fits, again and again ---- */

static double load_of(const Net *net, uint32_t link, const double *rate) {
    double sum = 0;
    for (uint32_t f = 0; f < net->p.flows; f++)
        for (uint32_t i = net->begin[f]; i < net->begin[f + 1]; i++)
            if (net->link[i] == link)
                sum += net->use[i] * rate[f];
    return sum;
}

static void set_level(const Net *net, const bool *fixed, double level, double *rate) {
    for (uint32_t f = 0; f < net->p.flows; f++)
        if (!fixed[f]) {
            rate[f] = level * net->weight[f];
            if (rate[f] > net->cap[f])
                rate[f] = net->cap[f];
        }
}

static bool fits(const Net *net, const double *rate) {
    for (uint32_t l = 0; l < net->p.links; l++)
        if (load_of(net, l, rate) > net->capacity[l] * (1 + 1e-13) + 1e-15)
            return false;
    return true;
}

static void solve_slowly(const Net *net, double *rate) {
    bool fixed[FLOWS] = {false};
    for (uint32_t left = net->p.flows; left > 0;) {
        double low = 0, high = 1e3;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            set_level(net, fixed, middle, rate);
            if (fits(net, rate))
                low = middle;
            else
                high = middle;
        }
        set_level(net, fixed, low, rate);
        uint32_t before = left;
        bool stop[FLOWS] = {false};
        for (uint32_t f = 0; f < net->p.flows; f++) {
            stop[f] = !fixed[f] && rate[f] >= net->cap[f];
            for (uint32_t i = net->begin[f]; !fixed[f] && i < net->begin[f + 1]; i++)
                if (load_of(net, net->link[i], rate) >=
                    net->capacity[net->link[i]] * (1 - 1e-9) - 1e-12)
                    stop[f] = true;
        }
        for (uint32_t f = 0; f < net->p.flows; f++)
            if (stop[f]) {
                fixed[f] = true;
                left--;
            }
        assert_true(left < before);
    }
}

static void solve(LpShares *shares, Net *net) {
    assert_int_equal(lp_shares_solve(shares, &net->p, net->rate), LP_OK);
}

static void against_bisection(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(3, "shares", 0);
    LpShares *shares = lp_shares_new();
    for (int round = 0; round < 300; round++) {
        Net net;
        double slow[FLOWS];
        random_net(&net, &rng);
        solve(shares, &net);
        solve_slowly(&net, slow);
        for (uint32_t f = 0; f < net.p.flows; f++)
            if (!(fabs(net.rate[f] - slow[f]) <= 1e-8 * (1 + slow[f])))
                fail_msg("round %d flow %u: %.12g, expected %.12g", round, f, net.rate[f], slow[f]);
    }
    lp_shares_free(shares);
}

/* Full, and nobody on it goes faster for its weight. */
static bool is_bottleneck(const Net *net, uint32_t link, uint32_t flow) {
    if (load_of(net, link, net->rate) < net->capacity[link] * (1 - 1e-12))
        return false;
    for (uint32_t f = 0; f < net->p.flows; f++)
        for (uint32_t i = net->begin[f]; i < net->begin[f + 1]; i++)
            if (net->link[i] == link &&
                net->rate[f] / net->weight[f] >
                    net->rate[flow] / net->weight[flow] * (1 + 1e-12) + 1e-15)
                return false;
    return true;
}

static void conserved_and_fair(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(4, "shares", 0);
    LpShares *shares = lp_shares_new();
    for (int round = 0; round < 2000; round++) {
        Net net;
        random_net(&net, &rng);
        solve(shares, &net);
        for (uint32_t l = 0; l < net.p.links; l++)
            assert_true(load_of(&net, l, net.rate) <= net.capacity[l] * (1 + 1e-13));
        for (uint32_t f = 0; f < net.p.flows; f++) {
            bool stopped = net.rate[f] == net.cap[f];
            assert_true(net.rate[f] <= net.cap[f]);
            for (uint32_t i = net.begin[f]; i < net.begin[f + 1]; i++)
                stopped = stopped || is_bottleneck(&net, net.link[i], f);
            assert_true(stopped);
        }
    }
    lp_shares_free(shares);
}

/* Removes or replaces the last flow, or changes a capacity, and compares an update of what that
 * touches with solving anew: the same bits. */
static void updates_alike(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(5, "shares", 0);
    LpShares *shares = lp_shares_new();
    uint64_t kept = 0, all = 0;
    for (int round = 0; round < 5000; round++) {
        Net net;
        double anew[FLOWS], from = (double)INFINITY;
        random_net(&net, &rng);
        solve(shares, &net);
        uint32_t touched[2 * ROUTE + 1], count = 0, solved, last = net.p.flows - 1;
        for (uint32_t i = net.begin[last]; i < net.begin[last + 1]; i++)
            touched[count++] = net.link[i];
        from = net.rate[last] / net.weight[last];
        if (draw(&rng) < 0.3) {
            net.p.flows--;
        } else if (draw(&rng) < 0.5) { /* as if it had not been there */
            net.p.flows--;
            solve(shares, &net);
            net.p.flows++;
            net.rate[last] = (double)NAN;
            from = (double)INFINITY;
        } else {
            add_flow(&net, &rng, last, net.p.links);
            for (uint32_t i = net.begin[last]; i < net.begin[last + 1]; i++)
                touched[count++] = net.link[i];
            net.rate[last] = (double)NAN;
        }
        if (net.p.flows > last && net.begin[last] == net.begin[last + 1])
            net.rate[last] = net.cap[last];
        if (draw(&rng) < 0.3) {
            touched[count] = (uint32_t)lp_rng_below(&rng, net.p.links);
            net.capacity[touched[count++]] = draw(&rng);
            from = 0;
        }
        assert_int_equal(lp_shares_update(shares, &net.p, touched, count, from, net.rate), LP_OK);
        lp_shares_solved(shares, &solved);
        kept += net.p.flows - solved;
        all += net.p.flows;
        assert_int_equal(lp_shares_solve(shares, &net.p, anew), LP_OK);
        assert_memory_equal(anew, net.rate, net.p.flows * sizeof *anew);
    }
    assert_true(kept > all / 4); /* or the update would have nothing to spare */
    lp_shares_free(shares);
}

/* ---- by hand ---- */

static void hand(void **state) {
    (void)state;
    LpShares *shares = lp_shares_new();
    double rate[4];
    uint32_t count;
    /* Bertsekas and Gallager's chain: one flow over both links, one and two on each */
    const double capacity[] = {1, 2};
    const uint32_t begin[] = {0, 2, 3, 4, 5}, link[] = {0, 1, 0, 1, 1};
    LpShareProblem p = {.links = 2, .flows = 4, .capacity = capacity, .begin = begin, .link = link};
    assert_int_equal(lp_shares_solve(shares, &p, rate), LP_OK);
    assert_true(rate[0] == 0.5 && rate[1] == 0.5 && rate[2] == 0.75 && rate[3] == 0.75);
    /* a capped flow leaves its rest to the others; a weight of 2 counts double */
    const double none = (double)INFINITY;
    const double cap[] = {0.25, none, none, none}, weight[] = {1, 1, 2, 1};
    p.cap = cap;
    p.weight = weight;
    assert_int_equal(lp_shares_solve(shares, &p, rate), LP_OK);
    assert_true(rate[0] == 0.25 && rate[1] == 0.75);
    assert_true(fabs(rate[2] - 2 * 1.75 / 3) < 1e-15 && fabs(rate[3] - 1.75 / 3) < 1e-15);
    /* two crossings of one job and one of another on one uplink: thirds (a 2-2 ring, alternating)
     */
    const double uplink[] = {3}, use[] = {2, 1};
    const uint32_t two[] = {0, 1, 2}, same[] = {0, 0};
    p = (LpShareProblem){
        .links = 1, .flows = 2, .capacity = uplink, .begin = two, .link = same, .use = use};
    assert_int_equal(lp_shares_solve(shares, &p, rate), LP_OK);
    assert_true(rate[0] == 1 && rate[1] == 1);
    assert_ptr_not_equal(lp_shares_solved(shares, &count), NULL);
    assert_int_equal(count, 2);
    /* a dark link stops who crosses it */
    const double dark[] = {0};
    p.capacity = dark;
    assert_int_equal(lp_shares_solve(shares, &p, rate), LP_OK);
    assert_true(rate[0] == 0 && rate[1] == 0);
    p.flows = 0;
    assert_int_equal(lp_shares_solve(shares, &p, rate), LP_OK);
    lp_shares_free(shares);
}

TEST_GROUP(test_sim_shares) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand),
        cmocka_unit_test(against_bisection),
        cmocka_unit_test(conserved_and_fair),
        cmocka_unit_test(updates_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
