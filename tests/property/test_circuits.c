/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits under random orders: one circuit per port at every instant, dark ones carry nothing,
 * links never carry more than they can, time is accounted for, and every moment can be visited
 * again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "session/session.h"
#include "session/time.h"
#include "sim/light/circuits.h"
#include "sim/sharing/links.h"
#include "sim/store/store.h"
#include "sim/world.h"

#define RACK LP_SOURCEDIR "/scenarios/disaggregated-rack.json"

enum { PORTS_MAX = 64 };

static LpSession *open(const char *file, uint32_t sets, const char *const *set, bool timeline) {
    LpDiag diag = {0};
    LpSession *s = NULL;
    LpSessionSpec spec = {
        .scenario = file, .sets = sets, .set = set, .keep_timeline = timeline, .keep_events = true};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s: %s", diag.file, diag.text);
    return s;
}

/* ---- what must hold at every instant ---- */

static void check_ports(const LpWorld *world, const LpContext *context) {
    uint32_t owner[PORTS_MAX], ports = lp_world_ports(world), lit = 0;
    memset(owner, 0xff, sizeof owner);
    for (uint32_t p = 0; p < ports; p++) {
        LpPortView view = lp_world_port(world, context, p);
        if (view.state == LP_LIGHT_DARK)
            continue;
        assert_true(view.out < ports && owner[view.out] == LP_DARK);
        owner[view.out] = p;
        assert_true((view.state == LP_LIGHT_TURNING) == (view.until > lp_world_now(world)));
        lit += view.state == LP_LIGHT_LIT;
    }
    if (lp_world_schedule(world, context)->entries == 1)
        assert_int_equal(lit, lp_world_lit(world));
}

/* The network of a world has links for lit circuits and cables only, and none carries too much. */
static void check_links(const LpWorld *world, const LpContext *context) {
    const LpOcsParams *o = &context->scenario->cluster.ocs;
    context = lp_world_context(world, context);
    const LpNetwork *n = context->fabric.network;
    double *rate = calloc((size_t)n->links + 1, sizeof *rate);
    lp_world_link_rates(world, context, rate);
    if (lp_world_schedule(world, context)->entries == 1)
        assert_int_equal(n->links, lp_world_lit(world) + 2 * o->cables);
    for (uint32_t l = 0; l < n->links; l++)
        assert_true(rate[l] <= n->capacity[l] * (1 + 1e-9));
    free(rate);
}

static void check_jobs(const LpWorld *world) {
    for (uint32_t j = 0; j < lp_world_jobs(world); j++) {
        const LpJob *job = lp_world_job(world, j);
        if (job->outcome == LP_JOB_RUNNING && job->light.dark != LP_JOB_LIT)
            assert_true(isinf(job->times.forecast_end) && job->sharing.rate == 0);
        if (job->outcome != LP_JOB_COMPLETED)
            continue;
        double spent =
            job->work.attained + job->light.reconfiguring + job->light.unlit + job->work.stalled;
        assert_true(fabs(spent - (job->times.end - job->times.start)) <=
                    1e-6 * (job->times.end - job->times.start));
        double held = lp_world_attained(world, j), all = job->placed.servers * job->work.attained;
        if (job->stops.moves + job->stops.preemptions + job->stops.count == 0)
            assert_true(fabs(held - all) <= 1e-6 * all);
    }
}

/* A step that was kept is the one that working it out on the network of now gives. */
static void check_steps(const LpWorld *world, const LpContext *context) {
    for (uint32_t j = 0; j < lp_world_jobs(world); j++) {
        const LpJob *job = lp_world_job(world, j);
        LpStepSummary again;
        LpDiag diag = {0};
        if (job->outcome != LP_JOB_RUNNING || job->light.dark != LP_JOB_LIT)
            continue;
        const LpStepSummary *kept = lp_store_step(context->store, job->placed.step);
        assert_int_equal(lp_store_step_again(lp_world_context(world, context),
                                             job->placed.partition, job->placed.placement,
                                             job->placed.orders, &again, &diag),
                         LP_OK);
        assert_true(again.step_time == kept->step_time);
        assert_true(again.communication == kept->communication);
        assert_true(again.exposed == kept->exposed);
    }
}

static void check(const LpSession *s) {
    check_steps(lp_session_world(s), lp_session_context(s));
    check_ports(lp_session_world(s), lp_session_context(s));
    check_links(lp_session_world(s), lp_session_context(s));
    check_jobs(lp_session_world(s));
}

/* ---- random regrouping of the rack ---- */

static void regroup(LpSession *s, LpRng *rng) {
    LpRegroupLink link[6];
    LpEvent event;
    LpCause cause;
    LpDiag diag = {0};
    char reason[LP_DIAG_TEXT];
    uint32_t count = 1 + (uint32_t)lp_rng_below(rng, 6);
    for (uint32_t i = 0; i < count; i++)
        link[i] = (LpRegroupLink){true, i, (uint32_t)lp_rng_below(rng, 2)};
    LpAction action = {.kind = LP_ACTION_REGROUP, .links = count, .link = link};
    if (lp_world_due(lp_session_world(s)) == LP_NO_INDEX && !lp_world_over(lp_session_world(s)))
        assert_int_equal(lp_session_act(s, &action, &event, &cause, reason, &diag), LP_OK);
}

static void regrouped_at_random(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        LpRng rng = lp_rng_stream(seed, "circuits", 0);
        const char *slow = "cluster.ocs.reconfiguration=\"7 s\"";
        LpSession *s = open(RACK, seed % 2, &slow, true);
        LpDiag diag = {0};
        uint64_t hash[256];
        for (uint32_t i = 0; i < 60 && !lp_world_over(lp_session_world(s)); i++) {
            double next = lp_world_now(lp_session_world(s)) + 30 * lp_rng_unit(&rng);
            assert_int_equal(lp_session_to_time(s, next, &diag), LP_OK);
            check(s);
            regroup(s, &rng);
            check(s);
        }
        uint64_t steps = lp_session_tip(s, 0);
        assert_true(steps < LP_COUNTOF(hash));
        for (uint64_t i = steps + 1; i-- > 0;) {
            assert_int_equal(lp_session_seek(s, i, &diag), LP_OK);
            hash[i] = lp_session_hash(s);
        }
        for (uint64_t i = 0; i <= steps; i++) {
            assert_int_equal(lp_session_seek(s, i, &diag), LP_OK);
            assert_true(lp_session_hash(s) == hash[i]);
            check(s);
        }
        lp_session_close(s);
    }
}

/* ---- random schedules between servers ---- */

static const char *const CROSSBAR[] = {
    ("cluster={\"fabric\":\"ocs\",\"ocs\":{\"servers\":6,\"server_bandwidth\":\"10 Gb/s\","
     "\"reconfiguration\":\"20 ms\",\"interval\":\"500 ms\"}}"),
    "jobs[0].steps=5", "jobs[1].steps=9", "policy={\"script\":\"regroup.lua\"}"};

static void shuffle(LpRng *rng, uint32_t *to, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        to[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = (uint32_t)lp_rng_below(rng, i), held = to[k];
        to[k] = to[i - 1];
        to[i - 1] = held;
    }
}

static void scheduled_at_random(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        LpRng rng = lp_rng_stream(seed, "schedules", 0);
        LpSession *s = open(RACK, LP_COUNTOF(CROSSBAR), CROSSBAR, true);
        LpDiag diag = {0};
        LpEvent event;
        uint64_t end;
        while (!lp_world_over(lp_session_world(s))) {
            assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
            check(s);
        }
        end = lp_session_hash(s);
        assert_int_equal(lp_world_job(lp_session_world(s), 0)->outcome, LP_JOB_COMPLETED);
        assert_int_equal(lp_session_seek(s, 3, &diag), LP_OK);
        assert_int_equal(lp_session_seek(s, lp_session_tip(s, 0), &diag), LP_OK);
        assert_true(lp_session_hash(s) == end);
        lp_session_close(s);
        /* shares of one port never add up to more than all of the time */
        uint32_t to[8 * 6], entries = 1 + (uint32_t)lp_rng_below(&rng, 8);
        double hold[8], out[6] = {0}, in[6] = {0};
        LpLit lit[8 * 6];
        for (uint32_t e = 0; e < entries; e++) {
            shuffle(&rng, to + e * 6, 6);
            hold[e] = 0.001 + lp_rng_unit(&rng);
        }
        LpSchedule schedule = {6, entries, to, hold};
        double delay = seed % 3 == 0 ? 0 : lp_rng_unit(&rng);
        uint32_t count = lp_schedule_lit(&schedule, delay, lit);
        for (uint32_t i = 0; i < count; i++) {
            out[lit[i].out] += lit[i].share;
            in[lit[i].in] += lit[i].share;
        }
        for (uint32_t p = 0; p < 6; p++)
            assert_true(in[p] <= 1 + 1e-12 && out[p] <= 1 + 1e-12);
    }
}

/* ---- conflicts are refused with their rule ---- */

static void conflicts_are_refused(void **state) {
    (void)state;
    LpSession *s = open(RACK, 0, NULL, true);
    LpDiag diag = {0};
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    assert_int_equal(lp_session_to_time(s, 1, &diag), LP_OK);
    uint64_t before = lp_session_hash(s);
    const LpRegroupLink twice[] = {{false, 0, 6}, {false, 1, 6}};
    LpAction action = {.kind = LP_ACTION_REGROUP, .links = 2, .link = twice};
    assert_int_equal(lp_session_act(s, &action, &event, &cause, reason, &diag), LP_OK);
    assert_int_equal(cause, LP_CAUSE_REFUSED);
    assert_non_null(strstr(reason, "one_circuit_per_port"));
    const LpRegroupLink nowhere = {true, 7, 0};
    action = (LpAction){.kind = LP_ACTION_REGROUP, .links = 1, .link = &nowhere};
    assert_int_equal(lp_session_act(s, &action, &event, &cause, reason, &diag), LP_OK);
    assert_int_equal(cause, LP_CAUSE_REFUSED);
    assert_true(lp_session_hash(s) == before);
    lp_session_close(s);
}

/* A circuit joins two nodes: one back to the same node would be a link that no network has. */
static void a_circuit_back_to_its_node_is_refused(void **state) {
    (void)state;
    LpSession *s = open(RACK, 0, NULL, true);
    const LpOcsParams *o = &lp_session_scenario(s)->cluster.ocs;
    uint32_t *to = malloc(o->ports * sizeof *to), pairs = 0;
    const double hold = 1;
    const LpSchedule schedule = {o->ports, 1, to, &hold};
    LpDiag diag = {0};
    assert_non_null(to);
    for (uint32_t p = 0; p < o->ports; p++)
        to[p] = LP_DARK;
    for (uint32_t p = 0; p < o->ports; p++) {
        for (uint32_t q = 0; q < o->ports; q++) {
            if (o->plug[p].node != o->plug[q].node)
                continue;
            to[p] = q;
            LpErr err = lp_schedule_check(o, &schedule, &diag);
            assert_int_equal(err, p == q ? LP_OK : LP_EREFUSED); /* itself: dark */
            assert_true(p == q || strstr(diag.text, "(rule two_nodes)") != NULL);
            pairs += p != q;
        }
        to[p] = LP_DARK;
    }
    assert_true(pairs > 0);
    free(to);
    lp_session_close(s);
}

/* ---- circuits that stay are a packet network ---- */

static const char *const PACKET[] = {
    "cluster.fabric=packet",
    "cluster.packet={\"topology\":\"links\",\"servers\":6,\"switches\":2,\"io_latency\":1e-6,"
    "\"ring\":\"given\",\"links\":["
    "{\"from\":\"server 0\",\"to\":\"switch 0\",\"bandwidth\":3.875e9,\"delay\":1e-6},"
    "{\"from\":\"server 1\",\"to\":\"switch 1\",\"bandwidth\":3.875e9,\"delay\":1e-6},"
    "{\"from\":\"server 2\",\"to\":\"switch 0\",\"bandwidth\":3.875e9,\"delay\":1e-6},"
    "{\"from\":\"server 3\",\"to\":\"switch 1\",\"bandwidth\":3.875e9,\"delay\":1e-6},"
    "{\"from\":\"server 4\",\"to\":\"switch 0\",\"bandwidth\":3.875e9,\"delay\":1e-6},"
    "{\"from\":\"server 5\",\"to\":\"switch 1\",\"bandwidth\":3.875e9,\"delay\":1e-6},"
    "{\"from\":\"switch 0\",\"to\":\"switch 1\",\"bandwidth\":1.25e9,\"delay\":1e-6}]}"};

static void circuits_that_stay_are_a_packet_network(void **state) {
    (void)state;
    LpSession *a = open(RACK, 0, NULL, false), *b = open(RACK, LP_COUNTOF(PACKET), PACKET, false);
    LpDiag diag = {0};
    bool stopped;
    assert_int_equal(lp_session_run(a, NULL, NULL, &stopped, &diag), LP_OK);
    assert_int_equal(lp_session_run(b, NULL, NULL, &stopped, &diag), LP_OK);
    for (uint32_t j = 0; j < 2; j++) {
        const LpJob *x = lp_world_job(lp_session_world(a), j);
        const LpJob *y = lp_world_job(lp_session_world(b), j);
        assert_true(x->times.end == y->times.end &&
                    x->forecast.communication == y->forecast.communication);
    }
    lp_session_close(a);
    lp_session_close(b);
}

/* ---- where nobody forwards ---- */

/* A job whose circuits stayed was not planned again: it has light, and the step, that planning it
 * on the circuits of now gives. Returns how many have light between servers. */
static uint32_t check_light(const LpSession *s) {
    const LpWorld *world = lp_session_world(s);
    const LpContext *now = lp_world_context(world, lp_session_context(s));
    uint32_t lit = 0;
    for (uint32_t j = 0; j < lp_world_jobs(world); j++) {
        const LpJob *job = lp_world_job(world, j);
        LpStepSummary again;
        LpDiag diag = {0};
        if (job->outcome != LP_JOB_RUNNING || job->light.dark == LP_JOB_HELD)
            continue;
        LpErr err = lp_store_step_again(now, job->placed.partition, job->placed.placement,
                                        job->placed.orders, &again, &diag);
        assert_int_equal(err, job->light.dark == LP_JOB_LIT ? LP_OK : LP_EREFUSED);
        if (err != LP_OK)
            continue;
        assert_true(again.hash == lp_store_step(now->store, job->placed.step)->hash);
        lit += job->placed.degree > 1;
    }
    return lit;
}

static void light_is_that_of_planning_anew(void **state) {
    (void)state;
    enum { STEPS = 600 };
    LpSession *s = open(LP_SOURCEDIR "/scenarios/optics-vs-packets.json", 0, NULL, false);
    LpDiag diag = {0};
    LpEvent event;
    uint32_t lit = 0;
    for (int i = 0; i < STEPS && !lp_world_over(lp_session_world(s)); i++) {
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
        lit += check_light(s);
    }
    assert_true(lit > 0 && lp_world_reconfigurations(lp_session_world(s)) > 2);
    lp_session_close(s);
}

TEST_GROUP(test_circuits) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regrouped_at_random),
        cmocka_unit_test(scheduled_at_random),
        cmocka_unit_test(conflicts_are_refused),
        cmocka_unit_test(a_circuit_back_to_its_node_is_refused),
        cmocka_unit_test(circuits_that_stay_are_a_packet_network),
        cmocka_unit_test(light_is_that_of_planning_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
