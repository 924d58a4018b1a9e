/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Priorities by hand: a list that says what a rule says gives the step of the rule; all equal is
 * srpt; other lists give other steps; and no two lists share a step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "session/session.h"
#include "sim/forecast.h"
#include "sim/store/store.h"
#include "sim/world.h"

enum { DEGREES = 3 };
static const uint32_t degrees[DEGREES] = {2, 4, 8};

typedef struct Case {
    LpSession *s;
    const LpWorld *world;
    const LpContext *context;
    LpAnswer answer;
    LpForecast rule; /* by srpt */
    double *list;
} Case;

static LpForecast forecast(const Case *c, const LpAnswer *answer) {
    LpForecast f;
    LpDiag diag = {0};
    if (lp_world_predict(c->world, c->context, lp_world_due(c->world), answer, &f, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return f;
}

static uint64_t step_hash(const Case *c, const LpForecast *f) {
    assert_true(f->feasible);
    return lp_store_step(c->context->store, f->step)->hash;
}

static uint32_t count_flows(const Case *c) {
    const LpFlow *flow;
    uint32_t count;
    assert_int_equal(
        lp_store_flows(c->context, c->rule.partition, c->rule.placement, &flow, &count, NULL),
        LP_OK);
    return count;
}

typedef void Check(Case *c, size_t *differ);

/* Over the first jobs of the default scenario with narrow light paths, where order matters. */
static size_t over_cases(Check *check) {
    static const char *const set[] = {"cluster.ramp.node_bandwidth=\"4 GB/s\"",
                                      "partition.kind=model"}; /* parts send to each other */
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json", .sets = 2, .set = set};
    Case c = {0};
    LpDiag diag = {0};
    LpEvent event;
    size_t differ = 0;
    if (lp_session_open(&spec, &c.s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    for (int job = 0; job < 6; job++) {
        assert_int_equal(lp_session_to_decision(c.s, &event, &diag), LP_OK);
        c.world = lp_session_world(c.s);
        c.context = lp_session_context(c.s);
        for (int i = 0; i < DEGREES; i++) {
            c.answer = (LpAnswer){.kind = LP_ANSWER_RUN, .degree = degrees[i]};
            c.rule = forecast(&c, &c.answer);
            if (!c.rule.feasible)
                continue;
            c.list = lp_alloc(c.rule.deps + c.rule.ops, sizeof *c.list);
            assert_non_null(c.list);
            check(&c, &differ);
            lp_free(c.list);
        }
        LpAnswer decline = {.kind = LP_ANSWER_DECLINE};
        assert_int_equal(lp_session_answer(c.s, &decline, &event, &diag), LP_OK);
    }
    lp_session_close(c.s);
    return differ;
}

static void check_equal(Case *c, size_t *differ) {
    LpAnswer answer = c->answer;
    (void)differ;
    answer.op_priority = c->list; /* all 0 */
    answer.op_priorities = c->rule.ops;
    answer.flow_priority = c->list;
    answer.flow_priorities = count_flows(c);
    LpForecast f = forecast(c, &answer);
    assert_true(step_hash(c, &f) == step_hash(c, &c->rule));
    assert_int_not_equal(f.step, c->rule.step);
}

static void test_all_equal_is_srpt(void **state) {
    (void)state;
    over_cases(check_equal);
}

/* Each rule's own ranks as a list. */
static void check_ranks(Case *c, size_t *differ) {
    for (int order = 0; order < LP_ORDER_COUNT; order++) {
        LpAnswer by_rule = c->answer, by_hand = c->answer;
        LpStepGraph g;
        LpOrders orders = {(uint32_t)order, LP_ORDER_SRPT};
        assert_int_equal(
            lp_store_graph(c->context, c->rule.partition, c->rule.placement, orders, &g, NULL),
            LP_OK);
        for (uint32_t i = 0; i < g.parts; i++) /* op and part: the op is what counts */
            c->list[i] =
                -(double)(g.op_priority[i] >> 32) - (double)(uint32_t)g.op_priority[i] / 4096;
        by_rule.order_ops = (LpOrder)order;
        by_hand.op_priority = c->list;
        by_hand.op_priorities = g.parts;
        LpForecast a = forecast(c, &by_rule), b = forecast(c, &by_hand);
        assert_true(step_hash(c, &a) == step_hash(c, &b));
        *differ += step_hash(c, &a) != step_hash(c, &c->rule);
    }
}

static void test_a_rules_ranks(void **state) {
    (void)state;
    assert_true(over_cases(check_ranks) > 0); /* the rules themselves do differ */
}

static void check_reversed(Case *c, size_t *differ) {
    LpAnswer answer = c->answer;
    uint32_t flows = count_flows(c);
    const LpFlow *flow;
    assert_int_equal(
        lp_store_flows(c->context, c->rule.partition, c->rule.placement, &flow, &flows, NULL),
        LP_OK);
    for (uint32_t i = 0; i < flows; i++) {
        assert_true(flow[i].src != flow[i].dst && flow[i].bytes > 0 && flow[i].transfers > 0);
        assert_true(i == 0 || flow[i - 1].link < flow[i].link ||
                    (flow[i - 1].link == flow[i].link &&
                     (flow[i - 1].src < flow[i].src ||
                      (flow[i - 1].src == flow[i].src && flow[i - 1].dst < flow[i].dst))));
        c->list[i] = flow[i].bytes; /* the largest first: the other way round than srpt */
    }
    answer.flow_priority = c->list;
    answer.flow_priorities = flows;
    LpForecast f = forecast(c, &answer);
    *differ += step_hash(c, &f) != step_hash(c, &c->rule);
    answer.flow_priorities = flows + 1;
    f = forecast(c, &answer);
    assert_false(f.feasible);
    assert_int_equal(f.cause, LP_CAUSE_REFUSED);
}

static void test_large_flows_first(void **state) {
    (void)state;
    assert_true(over_cases(check_reversed) > 0);
}

/* The priorities of parts are for the partition, and move with the job; those of flows are for one
 * placement, and do not. */
static void test_a_migrated_job(void **state) {
    (void)state;
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json"};
    LpSession *s;
    LpEvent event;
    LpForecast f;
    double list[40000];
    const LpFlow *flow;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 2};
    assert_int_equal(lp_session_open(&spec, &s, NULL), LP_OK);
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    const LpWorld *world = lp_session_world(s);
    const LpContext *context = lp_session_context(s);
    assert_int_equal(lp_world_predict(world, context, 0, &answer, &f, NULL), LP_OK);
    assert_true(f.feasible && f.ops < LP_COUNTOF(list));
    for (uint32_t i = 0; i < LP_COUNTOF(list); i++)
        list[i] = i;
    assert_int_equal(
        lp_store_flows(context, f.partition, f.placement, &flow, &answer.flow_priorities, NULL),
        LP_OK);
    answer.op_priority = answer.flow_priority = list;
    answer.op_priorities = f.ops;
    assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_START);
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    uint32_t ops = job->placed.orders.ops;
    assert_true(ops >= LP_ORDER_COUNT && job->placed.orders.flows >= LP_ORDER_COUNT);
    assert_int_equal(job->placed.servers, 2);
    LpCause cause = LP_CAUSE_REFUSED;
    for (uint32_t i = 0; i < 32 && cause != LP_CAUSE_NONE; i++) {
        const uint32_t server[] = {2, 3 + i};
        LpAction move = {.kind = LP_ACTION_MIGRATE, .job = 0, .servers = 2, .server = server};
        char reason[LP_DIAG_TEXT];
        assert_int_equal(lp_session_act(s, &move, &event, &cause, reason, NULL), LP_OK);
    }
    job = lp_world_job(lp_session_world(s), 0);
    assert_int_equal(event.kind, LP_EVENT_MOVE);
    assert_int_equal(job->placed.orders.ops, ops);
    assert_int_equal(job->placed.orders.flows, LP_ORDER_SRPT);
    lp_session_close(s);
}

/* What a hook in Lua cannot answer is refused by the world all the same. */
static void check_sound(Case *c, size_t *differ) {
    LpAnswer answer = c->answer;
    (void)differ;
    answer.op_priority = c->list;
    answer.op_priorities = c->rule.ops;
    c->list[c->rule.ops - 1] = (double)INFINITY;
    LpForecast f = forecast(c, &answer);
    assert_int_equal(f.cause, LP_CAUSE_REFUSED);
    assert_non_null(strstr(f.why, "is not a finite number"));
}

static void test_only_numbers(void **state) {
    (void)state;
    over_cases(check_sound);
}

TEST_GROUP(test_orders) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_equal_is_srpt), cmocka_unit_test(test_a_rules_ranks),
        cmocka_unit_test(test_large_flows_first), cmocka_unit_test(test_a_migrated_job),
        cmocka_unit_test(test_only_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
