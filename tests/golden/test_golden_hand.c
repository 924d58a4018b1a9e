/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two-op example that can be checked by hand (published semantics): two servers, ticks one by
 * one, the overshoot of a channel's winner, and the strict deadline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "golden.h"
#include "group.h"
#include "sim/forecast.h"
#include "sim/world.h"

static const char profile[] =
    "node1 -- A(x) -- forward_compute_time=1.0, backward_compute_time=2.0, "
    "activation_size=1000000000.0, parameter_size=0.0\n"
    "node2 -- B(y) -- forward_compute_time=3.0, backward_compute_time=4.0, "
    "activation_size=[1500000000.0; 500000000.0], parameter_size=500000000.0\n"
    "\tnode1 -- node2\n";

static LpSession *open_example(const char *extra) {
    char path[] = "/tmp/lightpath-hand-XXXXXX", text[2048];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, profile, sizeof profile - 1), sizeof profile - 1);
    close(fd);
    snprintf(text, sizeof text,
             "{ \"lightpath\": 1, \"name\": \"hand\", \"semantics\": \"published\",\n"
             "\"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2, "
             "\"racks_per_group\": 2, \"servers_per_rack\": 2, \"node_bandwidth\": 2e9, "
             "\"propagation_latency\": \"1 ms\", \"io_latency\": \"500 us\" } },\n"
             "\"graphs\": [ { \"id\": \"hand\", \"file\": \"%s\", \"format\": \"pipedream\", "
             "\"time_unit\": \"s\" } ],\n"
             "\"jobs\": [ { \"graph\": \"hand\", \"arrival\": 0, \"steps\": 10 %s } ],\n"
             "\"partition\": { \"max_degree\": 8, \"min_op_time\": 0.01 } }",
             path, extra);
    LpSession *s = golden_open_text(text, NULL, NULL);
    unlink(path);
    assert_non_null(s);
    return s;
}

static void due(LpSession *s) {
    LpEvent event;
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_world_due(lp_session_world(s)), 0);
}

/* Semantics 20.3, tick by tick. */
static void ticks_one_by_one(void **state) {
    (void)state;
    static const double lengths[] = {0.5, 0, 1.00475, 1.5, 0,      2.505875,
                                     2.0, 0, 1.00475, 1.0, 1.00475};
    static const uint32_t active[] = {2, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0};
    LpSession *s = open_example("");
    const LpContext *cx = lp_session_context(s);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 2};
    LpForecast f;
    LpStepGraph g;
    LpTrace trace;
    due(s);
    assert_int_equal(lp_world_predict(lp_session_world(s), cx, 0, &answer, &f, NULL), LP_OK);
    assert_true(f.feasible);
    assert_int_equal(f.ops, 8);
    assert_int_equal(f.deps, 16);
    assert_int_equal(f.servers, 2);
    assert_int_equal(f.server[0], 0);
    assert_int_equal(f.server[1], 4);
    assert_int_equal(f.ticks, 11);
    assert_true(golden_close("step", f.step_time, 10.520125));
    assert_true(golden_close("jct", f.jct, 105.20125));
    assert_true(golden_close("communication", f.communication, 65.20125));
    assert_true(golden_close("computation", f.computation, 50));
    assert_int_equal(lp_store_trace(cx, f.partition, f.placement, LP_RULES_SRPT, &g, &trace, NULL),
                     LP_OK);
    assert_int_equal(trace.ticks, LP_COUNTOF(lengths));
    for (uint32_t i = 0; i < trace.ticks; i++) {
        assert_int_equal(trace.tick_active[i], active[i]);
        assert_true(golden_close("tick", trace.tick_length[i], lengths[i]));
    }
    lp_trace_fini(&trace);
    lp_session_close(s);
}

/* JCT 105.2 against 100 s unsplit: blocked even at fraction 1; utilisation as published. */
static void blocked_at_fraction_one(void **state) {
    (void)state;
    LpSession *s = open_example(", \"max_jct_fraction\": 1");
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 2};
    LpEvent event;
    due(s);
    assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    assert_int_equal(event.kind, LP_EVENT_BLOCK);
    assert_int_equal(job->cause, LP_CAUSE_DEADLINE);
    assert_true(golden_close("sequential", job->asked.sequential_jct, 100));
    assert_true(
        golden_close("utilisation", job->published.worker_utilisation, 0.047527952376991714));
    lp_session_close(s);
}

/* The bytes of every dependency (semantics 4.2, the table): split before or after the other end. */
static void sizes_of_dependencies(void **state) {
    (void)state;
    LpSession *s = open_example("");
    const LpContext *cx = lp_session_context(s);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 2};
    LpForecast f;
    int seen[4] = {0};
    due(s);
    assert_int_equal(lp_world_predict(lp_session_world(s), cx, 0, &answer, &f, NULL), LP_OK);
    const LpPartition *p = lp_store_partition(cx->store, f.partition);
    for (uint32_t l = 0; l < p->links; l++) {
        const LpLink *link = &p->link[l];
        if (link->kind == LP_DEP_SYNC) /* ops 3 (twin of 2) and 4 (twin of 1) */
            assert_true(link->bytes == (link->src == 3 ? 1.25e9 : 5e8));
        else if (link->src == 0) /* 1 -> 2 */
            assert_true(link->bytes == 2.5e8 && seen[0]++ == 0);
        else if (link->src == 1) /* 2 -> 3 */
            assert_true(link->bytes == 6.25e8 && seen[1]++ == 0);
        else /* 3 -> 4: derived from the consumer's memory (Q5) */
            assert_true(link->bytes == 2.5e8 && seen[2]++ == 0);
    }
    assert_int_equal(seen[0] + seen[1] + seen[2], 3);
    lp_session_close(s);
}

TEST_GROUP(test_golden_hand) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ticks_one_by_one),
                                       cmocka_unit_test(blocked_at_fraction_one),
                                       cmocka_unit_test(sizes_of_dependencies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
