/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs on shared links: hand-solved pairs of jobs, remaining steps that carry over, forecasts, and
 * on random runs shares that equal those solved anew, links never over capacity, and as many steps
 * as were asked for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "session/session.h"
#include "sim/forecast.h"
#include "sim/sharing/links.h"
#include "sim/sharing/shares.h"
#include "sim/store/store.h"
#include "sim/traffic/traffic_load.h"
#include "sim/world.h"

/* One op of 1 s each way and 1 GB of parameters, nothing else to send: cut by batch n ways a step
 * is 2/n s of computing, then a ring all-reduce of 1 GB, 2 (n-1)/n GB on each hop. */
static const char profile[] =
    "{ \"lightpath_profile\": 1, \"ops\": [ { \"id\": 1, \"forward\": 1, \"backward\": 1, "
    "\"activation\": 0, \"parameters\": 1e9 } ], \"edges\": [] }";

/* Two switches with servers 0 to 2 and 3 to 5 at 1 GB/s, and a link of `trunk` bytes/s. */
static const char two_switches[] =
    "\"topology\": \"links\", \"servers\": 6, \"switches\": 2, \"io_latency\": 0, \"links\": [ "
    "{ \"from\": \"server 0..2\", \"to\": \"switch 0\", \"bandwidth\": 1e9 }, "
    "{ \"from\": \"server 3..5\", \"to\": \"switch 1\", \"bandwidth\": 1e9 }, "
    "{ \"from\": \"switch 0\", \"to\": \"switch 1\", \"bandwidth\": %s } ], \"ring\": \"%s\"";

static LpSession *open_on(const char *packet, const char *work, const char *more) {
    char graph[] = "/tmp/lightpath-sharing-XXXXXX", file[] = "/tmp/lightpath-sharing-XXXXXX";
    char text[4096];
    const char *fabric = strstr(packet, "\"zones\"") != NULL ? "zones" : "packet";
    LpSession *s = NULL;
    LpDiag diag = {0};
    int g = mkstemp(graph), f = mkstemp(file);
    assert_true(g >= 0 && f >= 0);
    assert_int_equal(write(g, profile, sizeof profile - 1), sizeof profile - 1);
    int len = snprintf(text, sizeof text,
                       "{ \"lightpath\": 1, \"name\": \"sharing\", \"cluster\": { \"fabric\": "
                       "\"%s\", \"%s\": { %s } }, \"graphs\": [ { \"id\": \"one\", "
                       "\"file\": \"%s\", \"format\": \"lightpath\" } ], %s, "
                       "\"partition\": { \"kind\": \"data\", \"max_degree\": 8, \"min_op_time\": "
                       "0.01 }%s }",
                       fabric, fabric, packet, graph, work, more);
    assert_true(len > 0 && len < (int)sizeof text);
    assert_int_equal(write(f, text, (size_t)len), len);
    close(g);
    close(f);
    LpSessionSpec spec = {.scenario = file, .keep_events = true};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        printf("# %s\n", diag.text);
    unlink(graph);
    unlink(file);
    assert_non_null(s);
    return s;
}

static LpSession *open_two(const char *trunk, const char *ring, const char *jobs) {
    char packet[1024], work[1024];
    snprintf(packet, sizeof packet, two_switches, trunk, ring);
    snprintf(work, sizeof work, "\"jobs\": [ %s ]", jobs);
    return open_on(packet, work, "");
}

static const LpJob *job(LpSession *s, uint32_t id) {
    return lp_world_job(lp_session_world(s), id);
}

static void start(LpSession *s, const uint32_t *server, uint32_t n) {
    LpEvent event;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = n, .servers = n, .server = server};
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_START);
}

static void to_end(LpSession *s) {
    bool stopped;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, NULL), LP_OK);
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-9 * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

static double alone(LpSession *s, uint32_t id) {
    const LpContext *context = lp_session_context(s);
    return lp_store_step(context->store, job(s, id)->placed.step)->step_time;
}

static const char two_jobs[] = "{ \"graph\": \"one\", \"arrival\": 0, \"steps\": 10 }, "
                               "{ \"graph\": \"one\", \"arrival\": 5, \"steps\": 1 }";

/* Both rings of two cross the trunk once each way. Alone a step takes 1 s of computing, 1 s of
 * sending and the adds; together each gets half the trunk and sends for 2 s. */
static void two_share_a_link(void **state) {
    (void)state;
    const uint32_t a[] = {0, 3}, b[] = {1, 4};
    LpSession *s = open_two("1e9", "aware", two_jobs);
    start(s, a, 2);
    double t = alone(s, 0);
    assert_true(t > 2 && t < 2.001);
    assert_true(job(s, 0)->forecast.step_time == t && job(s, 0)->sharing.rate == 1e9);
    near(job(s, 0)->times.forecast_end, 10 * t);
    start(s, b, 2);
    near(job(s, 0)->sharing.rate, 0.5e9);
    near(job(s, 1)->sharing.rate, 0.5e9);
    near(job(s, 0)->forecast.step_time, t + 1);
    near(job(s, 1)->forecast.step_time, t + 1);
    double rate[32];
    const LpNetwork *n = lp_session_context(s)->fabric.network;
    assert_int_equal(n->links, 14);
    lp_world_link_rates(lp_session_world(s), lp_session_context(s), rate);
    near(rate[12], 1e9);
    near(rate[13], 1e9);
    double left = 10 - 5 / t;
    near(job(s, 0)->times.forecast_end, 5 + left * (t + 1));
    to_end(s);
    near(job(s, 1)->times.end, 5 + t + 1);
    double meanwhile = (t + 1) / (t + 1); /* one step of the slower pace */
    near(job(s, 0)->times.end, 5 + (t + 1) + (left - meanwhile) * t);
    near(job(s, 0)->forecast.jct, job(s, 0)->times.end);
    near(job(s, 0)->forecast.step_time, job(s, 0)->times.end / 10);
    near(job(s, 0)->forecast.communication, 10 * (t - 1) + meanwhile);
    near(job(s, 0)->forecast.exposed, 10 * (t - 1) + meanwhile);
    assert_int_equal(job(s, 0)->sharing.paces, 2);
    assert_int_equal(job(s, 1)->sharing.paces, 0); /* its pace was that of its forecast */
    lp_session_close(s);
}

/* Where nobody is met the step is the simulated one, to the last bit. */
static void alone_is_unshared(void **state) {
    (void)state;
    const uint32_t a[] = {0, 1}, b[] = {3, 4};
    LpSession *s = open_two("1e9", "aware", two_jobs);
    start(s, a, 2);
    start(s, b, 2);
    assert_int_equal(job(s, 0)->sharing.load, LP_NO_INDEX);
    to_end(s);
    assert_true(job(s, 0)->times.end == 10 * alone(s, 0) &&
                job(s, 0)->forecast.step_time == alone(s, 0));
    assert_true(job(s, 1)->times.end == 5 + alone(s, 1) && job(s, 1)->forecast.jct == alone(s, 1));
    lp_session_close(s);
}

/* Four servers on two switches and a pair of another job, trunk slower than the servers by 3.1: a
 * ring that alternates crosses twice and meets the other job, 3 shares; one along the network
 * crosses once, 2 shares (the arithmetic of Yan et al., OFC 2022). V = 1.5 GB per hop. */
static void ring_order_matters(void **state) {
    (void)state;
    static const char jobs[] = "{ \"graph\": \"one\", \"arrival\": 0, \"steps\": 1000 }, "
                               "{ \"graph\": \"one\", \"arrival\": 0, \"steps\": 1000 }";
    const uint32_t a[] = {0, 3, 1, 4}, b[] = {2, 5};
    double trunk = 1e9 / 3.1;
    for (int given = 0; given < 2; given++) {
        LpSession *s = open_two("322580645.16129035", given ? "given" : "aware", jobs);
        start(s, a, 4);
        double t = alone(s, 0), flows = given ? 2 : 1;
        near(job(s, 0)->sharing.rate, trunk / flows);
        near(job(s, 0)->forecast.step_time, t + (flows - 1) * 1.5e9 / trunk);
        start(s, b, 2);
        near(job(s, 0)->sharing.rate, trunk / (flows + 1));
        near(job(s, 1)->sharing.rate, trunk / (flows + 1));
        near(job(s, 0)->forecast.step_time, t + flows * 1.5e9 / trunk);
        near(job(s, 1)->forecast.step_time, alone(s, 1) + flows * 1e9 / trunk);
        lp_session_close(s);
    }
}

/* A forecast counts who runs now; preempting, resuming and moving give and take pace. */
static void forecasts_and_actions(void **state) {
    (void)state;
    static const char jobs[] = "{ \"graph\": \"one\", \"arrival\": 0, \"steps\": 100 }, "
                               "{ \"graph\": \"one\", \"arrival\": 10, \"steps\": 100 }";
    const uint32_t a[] = {0, 3}, b[] = {1, 4}, near_b[] = {1, 2};
    LpSession *s = open_two("1e9", "aware", jobs);
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    LpForecast f;
    start(s, a, 2);
    double t = alone(s, 0);
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 2, .servers = 2, .server = b};
    uint64_t before = lp_session_hash(s);
    assert_int_equal(
        lp_world_predict(lp_session_world(s), lp_session_context(s), 1, &answer, &f, NULL), LP_OK);
    assert_true(lp_session_hash(s) == before);
    near(f.step_time, t + 1);
    near(f.finish, 10 + 100 * (t + 1));
    near(lp_world_attained(lp_session_world(s), 0), 2 * 10);
    near(f.exposed, 100 * t);
    assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    near(job(s, 0)->forecast.step_time, t + 1);
    LpAction move = {.kind = LP_ACTION_MIGRATE, .job = 1, .servers = 2, .server = near_b};
    assert_int_equal(lp_session_act(s, &move, &event, &cause, reason, NULL), LP_OK);
    assert_int_equal(cause, LP_CAUSE_NONE);
    assert_true(job(s, 0)->forecast.step_time == t && job(s, 1)->sharing.load == LP_NO_INDEX);
    move.server = b;
    assert_int_equal(lp_session_act(s, &move, &event, &cause, reason, NULL), LP_OK);
    near(job(s, 0)->forecast.step_time, t + 1);
    LpAction preempt = {.kind = LP_ACTION_PREEMPT, .job = 1};
    assert_int_equal(lp_session_act(s, &preempt, &event, &cause, reason, NULL), LP_OK);
    assert_true(job(s, 0)->forecast.step_time == t);
    near(job(s, 0)->times.forecast_end, 100 * t); /* all of it happened at one instant */
    near(lp_world_attained(lp_session_world(s), 0), 2 * 10);
    assert_true(lp_world_attained(lp_session_world(s), 1) == 0);
    lp_session_close(s);
}

/* ---- random runs ---- */

enum { JOBS = 60, FLOWS = 64, ENTRIES = 1 << 14 };

typedef struct Anew {
    uint32_t begin[FLOWS + 1], link[ENTRIES], flows;
    double use[ENTRIES], cap[FLOWS], now[FLOWS], rate[FLOWS];
} Anew;

/* Progressive filling as the textbook tells it, without any of the tricks of sim/sharing/shares.c:
 * all rates rise together; at the first link that fills up, and at each cap, those concerned stop.
 */
static void fill_naively(const LpShareProblem *p, double *rate) {
    bool stopped[FLOWS] = {false};
    for (uint32_t left = p->flows; left > 0;) {
        double level = (double)INFINITY;
        for (uint32_t f = 0; f < p->flows; f++)
            if (!stopped[f] && p->cap[f] < level)
                level = p->cap[f];
        double *full = malloc(p->links * sizeof *full);
        assert_non_null(full);
        for (uint32_t l = 0; l < p->links; l++) {
            double taken = 0, slope = 0;
            for (uint32_t f = 0; f < p->flows; f++)
                for (uint32_t i = p->begin[f]; i < p->begin[f + 1]; i++) {
                    bool here = p->link[i] == l;
                    taken += here && stopped[f] ? p->use[i] * rate[f] : 0;
                    slope += here && !stopped[f] ? p->use[i] : 0;
                }
            full[l] = slope > 0 ? (p->capacity[l] - taken) / slope : (double)INFINITY;
            level = full[l] < level ? full[l] : level;
        }
        for (uint32_t f = 0; f < p->flows; f++) {
            bool stops = p->cap[f] <= level;
            for (uint32_t i = p->begin[f]; i < p->begin[f + 1]; i++)
                stops = stops || full[p->link[i]] <= level * (1 + 1e-12);
            if (stopped[f] || !stops)
                continue;
            rate[f] = level;
            stopped[f] = true;
            left--;
        }
        free(full);
    }
}

/* Those who send over a link, added up, are what boards show. */
static void check_links(const LpShareProblem *p, LpSession *s, const double *rate) {
    const LpContext *c = lp_session_context(s);
    LpLinkView *view = malloc(p->links * sizeof *view);
    double *sum = calloc(p->links, sizeof *sum);
    assert_true(view != NULL && sum != NULL);
    lp_world_links(lp_session_world(s), c, view);
    for (uint32_t f = 0; f < p->flows; f++)
        for (uint32_t i = p->begin[f]; i < p->begin[f + 1]; i++)
            sum[p->link[i]] += p->use[i] * rate[f];
    for (uint32_t l = 0; l < p->links; l++) {
        near(view[l].rate, sum[l]);
        assert_true(view[l].most <= view[l].rate);
        assert_true((view[l].jobs == 0) == (view[l].job == LP_NO_INDEX));
    }
    free(view);
    free(sum);
}

/* The running jobs' rates are those of the whole problem solved anew, and to twelve digits those of
 * another solver; no link is over capacity. */
static void check_rates(LpSession *s, LpShares *shares, Anew *a) {
    const LpWorld *w = lp_session_world(s);
    const LpContext *c = lp_session_context(s);
    const LpNetwork *n = c->fabric.network;
    uint32_t at = 0;
    a->flows = a->begin[0] = 0;
    for (uint32_t id = lp_world_first_running(w); id != LP_NO_INDEX;
         id = lp_world_next_running(w, id)) {
        const LpJob *j = lp_world_job(w, id);
        if (j->sharing.load == LP_NO_INDEX)
            continue;
        const LpLoad *load = lp_store_load(c->store, j->sharing.load);
        for (uint32_t i = 0; i < load->links; i++, at++) {
            a->link[at] = load->link[i];
            a->use[at] = load->use[i];
        }
        a->cap[a->flows] = load->rate;
        a->now[a->flows] = j->sharing.rate;
        a->begin[++a->flows] = at;
    }
    LpShareProblem p = {.links = n->links,
                        .flows = a->flows,
                        .capacity = n->capacity,
                        .begin = a->begin,
                        .link = a->link,
                        .use = a->use,
                        .cap = a->cap};
    assert_int_equal(lp_shares_solve(shares, &p, a->rate), LP_OK);
    assert_memory_equal(a->rate, a->now, a->flows * sizeof *a->rate);
    check_links(&p, s, a->now);
    fill_naively(&p, a->rate);
    for (uint32_t f = 0; f < a->flows; f++)
        if (!(fabs(a->rate[f] - a->now[f]) <= 1e-10 * a->now[f]))
            fail_msg("flow %u: %.17g, filled naively %.17g", f, a->now[f], a->rate[f]);
    double *rate = malloc(n->links * sizeof *rate);
    assert_non_null(rate);
    lp_world_link_rates(w, c, rate);
    for (uint32_t l = 0; l < n->links; l++)
        assert_true(rate[l] <= n->capacity[l] * (1 + 1e-12));
    free(rate);
}

/* Any free servers, in any order. */
static void answer_anyhow(LpSession *s, LpRng *rng, LpEvent *event) {
    const LpWorld *w = lp_session_world(s);
    uint32_t free[64], count = 0, n = 2 + (uint32_t)lp_rng_below(rng, 5);
    for (uint32_t i = 0; i < lp_world_servers(w); i++)
        if (lp_world_server_free(w, i))
            free[count++] = i;
    for (uint32_t i = 0; i < n && n <= count; i++) {
        uint32_t at = i + (uint32_t)lp_rng_below(rng, count - i), held = free[i];
        free[i] = free[at];
        free[at] = held;
    }
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = n, .servers = n, .server = free};
    if (n > count)
        answer = (LpAnswer){.kind = LP_ANSWER_DECLINE};
    assert_int_equal(lp_session_answer(s, &answer, event, NULL), LP_OK);
}

/* Takes the run event by event; the steps that each job's paces add up to are those it had. */
static void run_checked(const char *packet, uint32_t *paces) {
    char work[256];
    snprintf(work, sizeof work, "\"generator\": { \"count\": %d, \"load\": 1.5, \"steps\": 20 }",
             JOBS);
    LpSession *s = open_on(packet, work, ", \"seed\": 3");
    LpShares *shares = lp_shares_new();
    Anew *anew = malloc(sizeof *anew);
    double done[JOBS] = {0}, now = 0;
    LpEvent event = {.kind = LP_EVENT_NONE};
    LpRng rng = lp_rng_stream(1, "answers", 0);
    assert_true(anew != NULL && shares != NULL);
    while (event.kind != LP_EVENT_HORIZON) {
        double pace[JOBS] = {0};
        for (uint32_t i = 0; i < lp_world_jobs(lp_session_world(s)); i++)
            pace[i] = job(s, i)->outcome == LP_JOB_RUNNING ? 1 / job(s, i)->forecast.step_time : 0;
        if (lp_world_due(lp_session_world(s)) != LP_NO_INDEX)
            answer_anyhow(s, &rng, &event);
        else
            assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
        for (uint32_t i = 0; i < JOBS; i++)
            done[i] += (event.time - now) * pace[i];
        now = event.time;
        check_rates(s, shares, anew);
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        if (job(s, i)->outcome != LP_JOB_COMPLETED)
            continue;
        near(done[i], job(s, i)->asked.steps);
        near(job(s, i)->forecast.jct, job(s, i)->times.end - job(s, i)->times.start);
        *paces += job(s, i)->sharing.paces;
    }
    free(anew);
    lp_shares_free(shares);
    lp_session_close(s);
}

static void random_runs(void **state) {
    (void)state;
    static const char *const packets[] = {
        "\"topology\": \"leaf_spine\", \"leaves\": 6, \"spines\": 2, \"servers_per_leaf\": 3, "
        "\"server_bandwidth\": 1e9, \"uplink_bandwidth\": 1e9",
        "\"topology\": \"fat_tree\", \"k\": 6, \"server_bandwidth\": 1e9, \"uplink_bandwidth\": "
        "5e8, \"routes\": \"hash\"",
        "\"topology\": \"torus\", \"size\": [5, 5], \"server_bandwidth\": 1e9, \"collective\": "
        "\"halving_doubling\"",
        "\"topology\": \"leaf_spine\", \"leaves\": 5, \"spines\": 1, \"servers_per_leaf\": 5, "
        "\"server_bandwidth\": 1e9, \"uplink_bandwidth\": 2e9, \"collective\": \"hierarchical\"",
        "\"topology\": \"leaf_spine\", \"leaves\": 6, \"spines\": 2, \"servers_per_leaf\": 3, "
        "\"server_bandwidth\": 1e9, \"uplink_bandwidth\": 1e9, \"collective\": \"tree\", "
        "\"ring\": \"given\"",
        "\"zones\": [ { \"name\": \"a\", \"servers\": 7 }, { \"name\": \"b\", \"servers\": 3 }, "
        "{ \"name\": \"c\", \"servers\": 8 } ], \"between\": { \"delay\": \"1 ms\", \"loss\": 1e-6 "
        "}, "
        "\"links\": [ { \"from\": \"b\", \"to\": \"c\", \"bandwidth\": \"1 Gb/s\" } ], "
        "\"tcp\": { \"connections\": 8 }, \"collective\": \"hierarchical\"",
        "\"zones\": [ { \"name\": \"a\", \"servers\": 9 }, { \"name\": \"b\", \"servers\": 9 } ], "
        "\"between\": { \"delay\": \"100 us\", \"loss\": 0, \"bandwidth\": \"1 GB/s\" }, "
        "\"ring\": \"given\"",
    };
    for (size_t i = 0; i < LP_COUNTOF(packets); i++) {
        uint32_t paces = 0;
        run_checked(packets[i], &paces);
        if (paces == 0)
            fail_msg("run %zu shares nothing", i);
    }
}

TEST_GROUP(test_sim_sharing) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_share_a_link),   cmocka_unit_test(alone_is_unshared),
        cmocka_unit_test(ring_order_matters), cmocka_unit_test(forecasts_and_actions),
        cmocka_unit_test(random_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
