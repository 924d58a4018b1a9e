/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light paths between two groups: every flow and collective of the step is found on its circuit,
 * shares add up, and what is lit agrees with what the boards say of the groups. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ask/inspect/circuit.h"
#include "ask/inspect/inspect_light.h"
#include "group.h"
#include "session/session.h"
#include "session/time.h"
#include "sim/condition.h"
#include "sim/forecast.h"
#include "sim/store/store.h"
#include "sim/world.h"

static LpSession *open_session(const char *scenario) {
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = scenario, .keep_timeline = true};
    LpEvent event;
    assert_int_equal(lp_session_open(&spec, &session, NULL), LP_OK);
    for (int i = 0; i < 30; i++)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    return session;
}

static void check_circuit(const LpCircuitInspection *seen, const LpCircuit *c) {
    enum { PARTS = 53 };
    double lit = 0, width = seen->step_time / PARTS, waited = 0;
    assert_ptr_equal(lp_circuit_inspection_find(seen, c->src, c->dst), c);
    assert_true(c->end > c->first && c->lit > 0 && c->lit <= 1 + 1e-12);
    for (uint32_t i = c->first; i < c->end; i++) {
        const LpCircuitSpan *s = &seen->span[i];
        assert_true(s->ready <= s->start && s->start < s->end);
        assert_true(s->end <= seen->step_time * (1 + 1e-12));
        assert_true(s->turn >= 0 && s->start + s->turn <= s->end);
        assert_true(i == c->first || s->start >= seen->span[i - 1].start);
        waited += s->start - s->ready;
    }
    assert_true(fabs(waited - c->waited) <= 1e-12 * (1 + waited));
    for (int i = 0; i < PARTS; i++) {
        LpCircuitState state = lp_circuit_inspection_state(seen, c, i * width, (i + 1) * width);
        assert_true(state.lit >= 0 && state.turning >= 0 && state.waiting >= -1e-12);
        assert_true(state.lit + state.turning + state.waiting <= 1 + 1e-9);
        lit += (state.lit + state.turning) * width;
    }
    assert_true(fabs(lit - c->lit * seen->step_time) <= 1e-9 * seen->step_time);
}

/* No circuit is lit longer than the groups are, and together they are lit as long at least. */
static void check_pair(const LpCircuitInspection *seen, double share) {
    double most = 0, sum = 0;
    for (uint32_t i = 0; i < seen->circuits; i++) {
        check_circuit(seen, &seen->circuit[i]);
        most = fmax(most, seen->circuit[i].lit);
        sum += seen->circuit[i].lit;
    }
    assert_true(most <= share + 1e-9);
    assert_true(sum >= share - 1e-9);
}

static void check_session(LpSession *session) {
    const LpContext *context = lp_session_context(session);
    const LpWorld *world = lp_session_world(session);
    uint32_t lit_jobs = 0;
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        uint32_t circuits = 0;
        LpPlanLight lit = lp_session_light(session, id);
        if (!lit.share)
            continue;
        for (uint32_t i = 0; i < lit.groups * lit.groups; i++) {
            LpCircuitInspection seen = {0};
            assert_int_equal(lp_circuit_inspect(context, job->placed.partition,
                                                job->placed.placement, job->placed.orders,
                                                i / lit.groups, i % lit.groups, &seen, NULL),
                             LP_OK);
            check_pair(&seen, lit.share[i]);
            circuits += seen.circuits;
            lp_circuit_inspection_fini(&seen);
        }
        assert_true(circuits >= job->placed.servers - 1);
        lit_jobs++;
    }
    assert_true(lit_jobs > 0);
}

static void test_ramp(void **state) {
    LpSession *session = open_session("scenarios/pac-ml-32.json");
    (void)state;
    check_session(session);
    lp_session_close(session);
}

static void test_none(void **state) {
    LpCircuitInspection seen = {0};
    (void)state;
    assert_null(lp_circuit_inspection_find(&seen, 0, 1));
    lp_circuit_inspection_fini(&seen);
}

/* ---- the light of a forecast belongs to its conditions and orders ---- */

enum { CELLS_MAX = 4096 };

/* The matrix of the due job on two servers, as the session shows it. */
static uint32_t light_ahead(LpSession *session, LpOrder ops, double *out) {
    const LpWorld *world = lp_session_world(session);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 2, .order_ops = ops};
    LpForecast f;
    assert_int_equal(lp_world_predict(world, lp_session_context(session), lp_world_due(world),
                                      &answer, &f, NULL),
                     LP_OK);
    assert_true(f.feasible);
    LpPlanLight light = lp_session_light_ahead(session, &f);
    assert_non_null(light.share);
    assert_true(light.groups * light.groups <= CELLS_MAX);
    for (uint32_t i = 0; i < light.groups * light.groups; i++)
        out[i] = light.share[i];
    return light.groups * light.groups;
}

static LpSession *open_due(void) {
    static const char *const set[] = {"partition.kind=model"}; /* its flows have an order */
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json", .sets = 1, .set = set};
    LpSession *session;
    LpEvent event;
    assert_int_equal(lp_session_open(&spec, &session, NULL), LP_OK);
    while (lp_world_due(lp_session_world(session)) == LP_NO_INDEX)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    return session;
}

static void slow_down(LpSession *session) {
    LpCondition slow = {.kind = LP_CONDITION_BANDWIDTH, .value = 0.001};
    LpEvent event;
    assert_int_equal(lp_session_change(session, &slow, &event, NULL), LP_OK);
}

static double most(const double *light, uint32_t cells) {
    double most = 0;
    for (uint32_t i = 0; i < cells; i++)
        most = fmax(most, light[i]);
    return most;
}

/* A session that has looked before shows what one shows that looks for the first time. */
static void test_change(void **state) {
    static double before[CELLS_MAX], again[CELLS_MAX], fresh[CELLS_MAX];
    LpSession *looked = open_due(), *new = open_due();
    (void)state;
    uint32_t cells = light_ahead(looked, LP_ORDER_SRPT, before);
    slow_down(looked);
    slow_down(new);
    assert_int_equal(light_ahead(looked, LP_ORDER_SRPT, again), cells);
    assert_int_equal(light_ahead(new, LP_ORDER_SRPT, fresh), cells);
    assert_memory_equal(again, fresh, cells * sizeof *fresh);
    assert_true(most(before, cells) < 0.5); /* on a network so slow a step is sending */
    assert_true(most(again, cells) > 0.9);
    lp_session_close(looked);
    lp_session_close(new);
}

static void test_orders(void **state) {
    static double rule[CELLS_MAX], other[CELLS_MAX], fresh[CELLS_MAX];
    LpSession *looked = open_due(), *new = open_due();
    (void)state;
    uint32_t cells = light_ahead(looked, LP_ORDER_SRPT, rule);
    assert_int_equal(light_ahead(looked, LP_ORDER_CRITICAL_PATH, other), cells);
    assert_int_equal(light_ahead(new, LP_ORDER_CRITICAL_PATH, fresh), cells);
    assert_memory_equal(other, fresh, cells * sizeof *fresh);
    assert_true(memcmp(rule, other, cells * sizeof *rule) != 0);
    lp_session_close(looked);
    lp_session_close(new);
}

TEST_GROUP(test_ask_inspect_circuit) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_change),
        cmocka_unit_test(test_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
