/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worlds of one context with different circuits and speeds, asked in turns, answer as each alone:
 * nothing that is asked of one depends on which was asked before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/rng.h"
#include "group.h"
#include "session/session.h"
#include "sim/action.h"
#include "sim/condition.h"
#include "sim/context.h"
#include "sim/forecast.h"
#include "sim/light/circuits.h"
#include "sim/sharing/links.h"
#include "sim/store/store.h"
#include "sim/world.h"

#define RACK LP_SOURCEDIR "/scenarios/disaggregated-rack.json"

enum { WORLDS = 4, TURNS = 60, PORTS_MAX = 64 };

/* ---- all that can be asked of a world ---- */

static uint64_t hash_routes(uint64_t hash, const LpContext *context) {
    const LpNetwork *n = context->fabric.network;
    uint32_t route[LP_NETWORK_ROUTE_MAX];
    hash = lp_hash_u64(hash, n->links);
    for (uint32_t l = 0; l < n->links; l++)
        hash = lp_hash_f64(lp_hash_f64(hash, n->capacity[l]), n->delay[l]);
    for (uint32_t a = 0; a < n->servers; a++)
        for (uint32_t b = 0; b < n->servers; b++) {
            uint32_t links = lp_network_route(n, a, b, route);
            hash = lp_hash_bytes(lp_hash_u64(hash, links), route, links * sizeof *route);
        }
    return hash;
}

static uint64_t hash_rates(uint64_t hash, const LpWorld *world, const LpContext *any) {
    uint32_t links = lp_world_context(world, any)->fabric.network->links;
    double *rate = calloc((size_t)links + 1, sizeof *rate);
    LpLinkView *view = calloc((size_t)links + 1, sizeof *view);
    lp_world_link_rates(world, any, rate);
    lp_world_links(world, any, view);
    for (uint32_t l = 0; l < links; l++)
        hash = lp_hash_u64(lp_hash_f64(lp_hash_f64(hash, rate[l]), view[l].most), view[l].job);
    free(rate);
    free(view);
    return hash;
}

static uint64_t hash_ports(uint64_t hash, const LpWorld *world, const LpContext *any) {
    uint32_t ports = lp_world_ports(world);
    double demand[PORTS_MAX * PORTS_MAX];
    LpDiag diag = {0};
    assert_true(ports <= PORTS_MAX);
    for (uint32_t p = 0; p < ports; p++) {
        LpPortView view = lp_world_port(world, any, p);
        hash = lp_hash_f64(lp_hash_u64(lp_hash_u64(hash, view.state), view.out), view.share);
    }
    assert_int_equal(lp_world_demand(world, any, demand, &diag), LP_OK);
    for (uint32_t i = 0; i < ports * ports; i++)
        hash = lp_hash_f64(hash, demand[i]);
    return hash;
}

static uint64_t hash_trace(uint64_t hash, const LpJob *job, const LpContext *any) {
    LpStepGraph graph;
    LpTrace trace = {0};
    LpDiag diag = {0};
    const LpContext *context = lp_job_context(job, any);
    LpErr err = lp_store_trace(context, job->placed.partition, job->placed.placement,
                               job->placed.orders, &graph, &trace, &diag);
    assert_int_equal(err, LP_OK);
    for (uint32_t t = 0; t < trace.tasks; t++)
        hash = lp_hash_f64(lp_hash_f64(hash, trace.start[t]), trace.end[t]);
    lp_trace_fini(&trace);
    return lp_hash_f64(hash, lp_store_step(context->store, job->placed.step)->step_time);
}

static uint64_t hash_forecasts(uint64_t hash, const LpWorld *world, const LpContext *any) {
    uint32_t job = lp_world_due(world), degree[8], count;
    LpDiag diag = {0};
    if (job == LP_NO_INDEX)
        return hash;
    assert_int_equal(lp_world_degrees(world, any, job, 8, degree, 8, &count, &diag), LP_OK);
    hash = lp_hash_bytes(lp_hash_u64(hash, count), degree, count * sizeof *degree);
    for (uint32_t i = 0; i < count; i++) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree[i]};
        LpForecast f;
        assert_int_equal(lp_world_predict(world, any, job, &answer, &f, &diag), LP_OK);
        hash = lp_hash_f64(lp_hash_f64(lp_hash_u64(hash, f.cause), f.jct), f.step_time);
        hash = lp_hash_bytes(hash, f.server, f.servers * sizeof *f.server);
    }
    return hash;
}

static uint64_t answers(const LpWorld *world, const LpContext *any) {
    uint64_t hash = lp_world_hash(world);
    hash = hash_forecasts(hash, world, any);
    hash = hash_ports(hash, world, any);
    hash = hash_rates(hash, world, any);
    hash = hash_routes(hash, lp_world_context(world, any));
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id))
        hash = hash_trace(hash, lp_world_job(world, id), any);
    return hash;
}

/* ---- a life: what is done to a world follows from its number alone ---- */

typedef struct Life {
    LpWorld *world;
    LpRng rng;
} Life;

static Life begin(const LpContext *context, uint64_t number) {
    Life life = {.rng = lp_rng_stream(number, "lives", 0)};
    LpDiag diag = {0};
    assert_int_equal(lp_world_new(context, 1, &life.world, &diag), LP_OK);
    return life;
}

static void turn_circuits(Life *l, const LpContext *any) {
    uint32_t ports = lp_world_ports(l->world), to[PORTS_MAX];
    const LpSchedule *now = lp_world_schedule(l->world, any);
    const double hold = 1;
    LpEvent event;
    LpCause cause;
    LpDiag diag = {0};
    char reason[LP_DIAG_TEXT];
    memcpy(to, now->to, ports * sizeof *to);
    for (uint32_t k = 0; k < 3; k++) { /* what two ports are joined to changes places */
        uint32_t a = (uint32_t)lp_rng_below(&l->rng, ports);
        uint32_t b = (uint32_t)lp_rng_below(&l->rng, ports), held = to[a];
        to[a] = to[b];
        to[b] = held;
    }
    const LpOcsParams *o = &any->scenario->cluster.ocs;
    for (uint32_t p = 0; p < ports; p++)
        if (to[p] != LP_DARK && to[p] != p && o->plug[to[p]].node == o->plug[p].node)
            return;
    LpSchedule next = {ports, 1, to, &hold}; /* one against the rules changes nothing */
    assert_int_equal(lp_world_configure(l->world, any, &next, &event, &cause, reason, &diag),
                     LP_OK);
}

static void change_speed(Life *l, const LpContext *any) {
    LpCondition change = {.kind = LP_CONDITION_BANDWIDTH,
                          .value = 1 / (1.0 + (double)lp_rng_below(&l->rng, 4))};
    LpEvent event;
    LpDiag diag = {0};
    assert_int_equal(lp_world_change(l->world, any, &change, &event, &diag), LP_OK);
}

static void live(Life *l, const LpContext *any) {
    uint32_t due = lp_world_due(l->world);
    LpEvent event;
    LpDiag diag = {0};
    char reason[LP_DIAG_TEXT];
    uint64_t kind = lp_rng_below(&l->rng, 8);
    if (lp_world_over(l->world))
        return;
    if (kind == 0) {
        change_speed(l, any);
    } else if (due != LP_NO_INDEX) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 1 + (uint32_t)lp_rng_below(&l->rng, 4)};
        assert_int_equal(lp_world_decide(l->world, any, due, &answer, &event, reason, &diag),
                         LP_OK);
    } else if (kind < 5) {
        turn_circuits(l, any);
    } else {
        assert_int_equal(lp_world_advance(l->world, any, &event, &diag), LP_OK);
    }
}

/* ---- alone, and in turns ---- */

static void live_alone(const LpScenario *scenario, uint64_t number, uint64_t *said) {
    LpContext *context;
    LpDiag diag = {0};
    assert_int_equal(lp_context_new(scenario, &context, &diag), LP_OK);
    Life l = begin(context, number);
    for (uint32_t t = 0; t < TURNS; t++) {
        live(&l, context);
        said[t] = answers(l.world, context);
    }
    lp_world_free(l.world);
    lp_context_free(context);
}

static uint32_t live_in_turns(const LpScenario *scenario, uint64_t said[WORLDS][TURNS]) {
    LpContext *context;
    LpDiag diag = {0};
    Life life[WORLDS];
    uint32_t apart = 0;
    assert_int_equal(lp_context_new(scenario, &context, &diag), LP_OK);
    for (uint32_t w = 0; w < WORLDS; w++)
        life[w] = begin(context, w);
    for (uint32_t t = 0; t < TURNS; t++)
        for (uint32_t w = 0; w < WORLDS; w++) {
            /* any context of the family will do, that of another world, too */
            const LpContext *other = lp_world_context(life[(w + 1) % WORLDS].world, context);
            apart += other != lp_world_context(life[w].world, context);
            live(&life[w], other);
            assert_true(answers(life[w].world, other) == said[w][t]);
            assert_true(answers(life[w].world, context) == said[w][t]);
        }
    for (uint32_t w = 0; w < WORLDS; w++)
        lp_world_free(life[w].world);
    lp_context_free(context);
    return apart;
}

static void asked_in_turns(uint32_t sets, const char *const *set) {
    LpSession *s = NULL;
    LpDiag diag = {0};
    LpSessionSpec spec = {.scenario = RACK, .sets = sets, .set = set};
    uint64_t said[WORLDS][TURNS];
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s: %s", diag.file, diag.text);
    const LpScenario *scenario = lp_session_context(s)->scenario;
    for (uint32_t w = 0; w < WORLDS; w++)
        live_alone(scenario, w, said[w]);
    assert_true(live_in_turns(scenario, said) > TURNS);
    lp_session_close(s);
}

static void a_rack(void **state) {
    (void)state;
    asked_in_turns(0, NULL);
}

static void circuits_between_servers(void **state) {
    static const char *const sets[] = {
        ("cluster={\"fabric\":\"ocs\",\"ocs\":{\"servers\":6,\"server_bandwidth\":\"10 Gb/s\","
         "\"reconfiguration\":\"20 ms\",\"interval\":\"500 ms\"}}")};
    (void)state;
    asked_in_turns(LP_COUNTOF(sets), sets);
}

/* A twin has the same networks under the same numbers, and goes its own way from there. */
static void twins(void **state) {
    LpSession *s = NULL;
    LpDiag diag = {0};
    LpSessionSpec spec = {.scenario = RACK};
    LpContext *context, *twin;
    (void)state;
    assert_int_equal(lp_session_open(&spec, &s, &diag), LP_OK);
    assert_int_equal(lp_context_new(lp_session_context(s)->scenario, &context, &diag), LP_OK);
    Life l = begin(context, 3), copy;
    for (uint32_t t = 0; t < TURNS / 2; t++)
        live(&l, context);
    const LpContext *now = lp_world_context(l.world, context);
    assert_int_equal(lp_context_twin(now, &twin, &diag), LP_OK);
    copy = l;
    copy.world = lp_world_clone(l.world, NULL);
    for (uint32_t t = 0; t < TURNS / 2; t++) {
        assert_true(answers(l.world, context) == answers(copy.world, twin));
        live(&l, context);
        live(&copy, twin);
    }
    lp_world_free(copy.world);
    lp_context_free(twin);
    lp_world_free(l.world);
    lp_context_free(context);
    lp_session_close(s);
}

TEST_GROUP(test_worlds) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rack),
        cmocka_unit_test(circuits_between_servers),
        cmocka_unit_test(twins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
