/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of many/bound: schedules solved by hand, and every schedule of small random ones, none of
 * which serves more jobs than the bound says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "many/bound/relax.h"
#include "solve/packing.h"

static double most(const LpBoundJob *job, uint32_t jobs, double servers, LpFreedom freedom) {
    LpRelaxed out;
    LpDiag diag;
    assert_int_equal(lp_relax(job, jobs, servers, freedom, &out, &diag), LP_OK);
    assert_true(out.most >= out.value - 1e-6);
    return out.most;
}

static void assert_most(const LpBoundJob *job, uint32_t jobs, double servers, double at_once,
                        double waiting, double preempting) {
    assert_float_equal(most(job, jobs, servers, LP_FREEDOM_AT_ONCE), at_once, 1e-5);
    assert_float_equal(most(job, jobs, servers, LP_FREEDOM_WAITING), waiting, 1e-5);
    assert_float_equal(most(job, jobs, servers, LP_FREEDOM_PREEMPTING), preempting, 1e-5);
}

/* ---- by hand ---- */

static void test_packing(void **state) {
    const double room[] = {1, 4};
    const uint32_t row[] = {0, 1};
    const double small[] = {1, 1}, large[] = {1, 8};
    LpPacking *p;
    LpDiag diag;
    double value, price[2];
    (void)state;
    assert_int_equal(lp_packing_new(2, room, &p, &diag), LP_OK);
    assert_int_equal(lp_packing_add(p, 2, row, large, &diag), LP_OK);
    assert_int_equal(lp_packing_solve(p, &value, price, &diag), LP_OK);
    assert_float_equal(value, 0.5, 1e-9);
    assert_float_equal(price[1], 0.125, 1e-9);
    assert_int_equal(lp_packing_add(p, 2, row, small, &diag), LP_OK);
    assert_int_equal(lp_packing_solve(p, &value, price, &diag), LP_OK);
    assert_float_equal(value, 1, 1e-9);
    assert_float_equal(price[0], 1, 1e-9);
    lp_packing_free(p);
    lp_packing_free(NULL);
}

/* Two jobs come together, each takes both servers for 10 s. */
static void test_two_at_once(void **state) {
    const LpBoundWay both = {2, 10};
    LpBoundJob job[] = {{0, 10, 1, &both, 1}, {0, 10, 1, &both, 1}};
    (void)state;
    assert_most(job, 2, 2, 1, 1, 1);
    job[1].end = 20; /* one can wait for the other */
    assert_most(job, 2, 2, 1, 2, 2);
    job[1].end = 15; /* half of it is in time: a relaxation */
    assert_most(job, 2, 2, 1, 1.5, 1.5);
    assert_most(job, 2, 4, 2, 2, 2);
}

/* A long job could stop for a short one, but cannot wait for it. */
static void test_preempting_serves_more(void **state) {
    const LpBoundWay lasting = {2, 10}, brief = {2, 2};
    const LpBoundJob job[] = {{0, 12, 1, &lasting, 1}, {4, 6, 1, &brief, 1}};
    (void)state;
    assert_most(job, 2, 2, 1, 1, 2);
}

/* Fewer servers for longer: the second way of the first job leaves room for the other one. */
static void test_ways(void **state) {
    const LpBoundWay way[] = {{2, 5}, {1, 10}}, one = {1, 4};
    LpBoundJob job[] = {{0, 10, 1, way, 2}, {1, 5, 1, &one, 1}};
    (void)state;
    assert_most(job, 2, 2, 2, 2, 2);
    job[0].ways = 1; /* after the other one there is time; at once there is none */
    assert_most(job, 2, 2, 1.5, 2, 2);
    job[0].scale = 2; /* both servers for all of its time */
    assert_most(job, 2, 2, 1.5, 1.5, 1.5);
}

static void test_edges(void **state) {
    const LpBoundWay way = {1, 5};
    LpBoundJob job[] = {{0, 4, 1, &way, 1}, {3, (double)INFINITY, 1, &way, 1}, {3, 9, 1, NULL, 0}};
    LpRelaxed out;
    LpDiag diag;
    (void)state;
    assert_int_equal(lp_relax(job, 0, 4, LP_FREEDOM_WAITING, &out, &diag), LP_OK);
    assert_float_equal(out.most, 0, 0);
    assert_most(job, 1, 4, 0, 0, 0); /* too late by itself */
    assert_most(job, 3, 1, 1, 1, 1); /* no deadline; no way */
    job[0].end = 5;
    assert_most(job, 2, 1, 1, 2, 2);
    job[1].arrival = 5; /* one ends as the other comes */
    assert_most(job, 2, 1, 2, 2, 2);
}

/* ---- every schedule ---- */

enum { JOBS = 5, SERVERS = 4, TIMES = 24, CASES = 150 };

typedef struct Try {
    LpBoundJob job[JOBS];
    LpBoundWay way[JOBS][2];
    int used[TIMES];
} Try;

static bool fits(const Try *t, int from, const LpBoundWay *way) {
    if (from + (int)way->time > TIMES)
        return false;
    for (int i = from; i < from + (int)way->time; i++)
        if (t->used[i] + (int)way->servers > SERVERS)
            return false;
    return true;
}

static void hold(Try *t, int from, const LpBoundWay *way, int sign) {
    for (int i = from; i < from + (int)way->time; i++)
        t->used[i] += sign * (int)way->servers;
}

/* The most jobs from `at` on, by all ways and all whole starts. */
static int serve(Try *t, int at, bool wait) {
    if (at == JOBS)
        return 0;
    const LpBoundJob *job = &t->job[at];
    int best = serve(t, at + 1, wait);
    for (uint32_t w = 0; w < job->ways; w++)
        for (int from = (int)job->arrival; from + job->way[w].time <= job->end; from++) {
            if (fits(t, from, &job->way[w])) {
                hold(t, from, &job->way[w], 1);
                int all = 1 + serve(t, at + 1, wait);
                hold(t, from, &job->way[w], -1);
                best = all > best ? all : best;
            }
            if (!wait)
                break;
        }
    return best;
}

static int below(LpRng *rng, uint32_t n) {
    return (int)lp_rng_below(rng, n);
}

static void draw(Try *t, LpRng *rng) {
    int at = 0;
    for (int i = 0; i < JOBS; i++) {
        int servers = 1 + below(rng, SERVERS / 2), time = 2 + below(rng, 6);
        t->way[i][0] = (LpBoundWay){servers, time};
        t->way[i][1] = (LpBoundWay){2 * servers, (time + 1) / 2 + below(rng, 2)};
        at += below(rng, 3);
        t->job[i] = (LpBoundJob){at, at + time + below(rng, 4), 1, t->way[i], 2};
    }
}

static void test_no_schedule_serves_more(void **state) {
    LpRng rng = lp_rng_stream(7, "bound", 0);
    int tight = 0;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        Try t = {0};
        draw(&t, &rng);
        int once = serve(&t, 0, false), best = serve(&t, 0, true);
        double at_once = most(t.job, JOBS, SERVERS, LP_FREEDOM_AT_ONCE);
        double waiting = most(t.job, JOBS, SERVERS, LP_FREEDOM_WAITING);
        double preempting = most(t.job, JOBS, SERVERS, LP_FREEDOM_PREEMPTING);
        assert_true(once <= at_once + 1e-6);
        assert_true(best <= waiting + 1e-6);
        assert_true(best >= once && waiting >= floor(at_once) - 0.02);
        assert_true(preempting >= floor(waiting) - 0.02); /* as exact as they are worked out */
        tight += once == (int)floor(at_once + 1e-6);
    }
    assert_true(tight > CASES * 3 / 4); /* and it is a bound worth having */
}

TEST_GROUP(test_many_bound) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_preempting_serves_more),
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_no_schedule_serves_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
