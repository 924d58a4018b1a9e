/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observation: hand-made graphs whose features can be checked by eye, in both encodings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../tiny.h"
#include "base/mem.h"
#include "group.h"
#include "learn/observe.h"
#include "sim/world.h"

/* Two ops in a row on the published cluster (semantics 20.3), jobs of fractions 0.5 and 1. */
static const TinyOp OPS[] = {{1, 2, 1e9, 0}, {3, 4, 2e9, 5e8}};
static const uint32_t EDGES[][2] = {{1, 2}};

static void expect(const double *found, const double *expected, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs(found[i] - expected[i]) <= 1e-12))
            fail_msg("%s %zu is %.17g; expected %.17g", what, i, found[i], expected[i]);
}

static LpSession *open_session(void) {
    char *profile = tiny_profile(OPS, 2, EDGES, 1);
    const Tiny tiny = {
        .semantics = "published",
        .cluster = "{\"fabric\": \"ramp\", \"ramp\": {\"communication_groups\": 2, "
                   "\"racks_per_group\": 2, \"servers_per_rack\": 2}}",
        .graph = {profile},
        .jobs = "[{\"graph\": \"g\", \"arrival\": 0, \"steps\": 10, "
                "\"max_jct_fraction\": 0.5},"
                " {\"graph\": \"g\", \"arrival\": 2, \"steps\": 30, \"max_jct_fraction\": 1}]",
        .partition = "\"max_degree\": 4, \"min_op_time\": 0.01"};
    LpSession *session = tiny_open(&tiny);
    free(profile);
    LpEvent event;
    assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
    return session;
}

static LpObserver *observer_of(const LpSession *session, LpEncoding encoding) {
    LpObserver *observer;
    LpDiag diag;
    if (lp_observer_new(lp_session_context(session), encoding, 4, NULL, &observer, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return observer;
}

static void nodes_and_edges_are_those_of_the_unsplit_graph(void **state) {
    (void)state;
    LpSession *session = open_session();
    LpObserver *observer = observer_of(session, LP_ENCODING_PUBLISHED);
    uint32_t count;
    const LpNetGraph *g = lp_observer_graphs(observer, &count);
    assert_int_equal(count, 1);
    assert_int_equal(g->nodes, 4);
    assert_int_equal(g->edges, 3);
    /* in node order: forward 1, 2, backward of 1, of 2; which is the largest time is unknown */
    const double nodes[] = {0.25, 0, 0.4, 0, 0.25, 0.75, 0, 1, 1, 0.5,
                            0.5,  0, 0.4, 0, 1,    1,    0, 1, 1, 0.75};
    expect(g->node, nodes, LP_COUNTOF(nodes), "node feature");
    for (uint32_t e = 0; e < g->edges; e++)
        assert_true(g->edge[2 * e] <= 1 && (g->edge[2 * e + 1] == (g->edge[2 * e] >= 1)));
    lp_observer_free(observer);
    observer = observer_of(session, LP_ENCODING_CORRECTED);
    g = lp_observer_graphs(observer, &count);
    double largest = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        largest += g->node[LP_NET_NODE * v + 1];
    assert_true(largest == 1);
    lp_observer_free(observer);
    lp_session_close(session);
}

static void features_of_job_and_cluster_follow_their_formulas(void **state) {
    (void)state;
    LpSession *session = open_session();
    LpObserver *observer = observer_of(session, LP_ENCODING_PUBLISHED);
    const LpWorld *world = lp_session_world(session);
    double f[64];
    uint32_t graph = 9;
    assert_int_equal(lp_observer_features(observer), 22);
    assert_int_equal(lp_observe(observer, lp_session_context(session), world, lp_world_due(world),
                                f, &graph, NULL),
                     LP_OK);
    assert_int_equal(graph, 0);
    /* nodes 4 of 4..16; edges 3 of 3..36; s 100 of 100..300; f s 50 of 50..300; f .5 of .5..1 */
    const double first[] = {0, 0, 0, 0, 0, 0.5, 1, 0, 0, 0.625, 0.625, 0.7, 0.7};
    expect(f, first, LP_COUNTOF(first), "feature");
    assert_true(f[15] == 0 && f[16] == 0);
    const double mask[] = {1, 1, 1, 0, 1};
    expect(f + 17, mask, LP_COUNTOF(mask), "mask");
    lp_observer_free(observer);
    lp_session_close(session);
}

static void the_corrected_encoding_says_what_would_be_accepted(void **state) {
    (void)state;
    LpSession *session = open_session();
    LpObserver *observer = observer_of(session, LP_ENCODING_CORRECTED);
    const LpContext *context = lp_session_context(session);
    const LpWorld *world = lp_session_world(session);
    double f[64];
    uint32_t graph;
    assert_int_equal(lp_observer_features(observer), 17 + 6 + 5 * 5);
    assert_int_equal(lp_observe(observer, context, world, lp_world_due(world), f, &graph, NULL),
                     LP_OK);
    const double *accepted = f + 23, *taken = f + 28, *lasting = f + 38, *mask = f + 43;
    for (uint32_t d = 1; d <= 4; d++) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = d};
        LpForecast forecast;
        assert_int_equal(
            lp_world_predict(world, context, lp_world_due(world), &answer, &forecast, NULL), LP_OK);
        bool accepts = forecast.feasible && forecast.cause == LP_CAUSE_NONE && d != 3;
        assert_true(accepted[d] == (accepts ? 1 : 0) && mask[d] == accepted[d]);
        assert_true(lasting[d] ==
                    (forecast.feasible && d != 3 ? forecast.jct / (forecast.jct + 2) : 0));
        assert_true(taken[d] == (forecast.feasible && d != 3 ? forecast.servers / 8.0 : 1));
    }
    assert_true(mask[0] == 1 && mask[3] == 0 && accepted[4] == 1 && taken[4] == 0.5);
    /* after it has started, its servers are busy and come back */
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 4};
    LpEvent event;
    assert_int_equal(lp_session_answer(session, &answer, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_START);
    assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
    assert_int_equal(lp_observe(observer, context, world, lp_world_due(world), f, &graph, NULL),
                     LP_OK);
    assert_true(f[15] == 0.5 && f[16] == 0.125);
    assert_true(f[17] == 0 && f[22] == 0.5);
    lp_observer_free(observer);
    lp_session_close(session);
}

static void what_cannot_be_observed_is_refused(void **state) {
    (void)state;
    char *profile = tiny_profile(OPS, 2, EDGES, 1);
    const Tiny tiny = {.cluster = "{\"fabric\": \"ideal\", \"ideal\": {\"servers\": 4}}",
                       .graph = {profile},
                       .jobs = "[{\"arrival\": 0, \"servers\": 2, \"duration\": 5}]"};
    LpSession *session = tiny_open(&tiny);
    LpObserver *observer;
    LpDiag diag;
    LpEvent event;
    double f[64];
    uint32_t graph;
    free(profile);
    assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
    observer = observer_of(session, LP_ENCODING_PUBLISHED);
    const LpWorld *world = lp_session_world(session);
    assert_int_equal(lp_observe(observer, lp_session_context(session), world, 0, f, &graph, &diag),
                     LP_EINVAL);
    assert_non_null(strstr(diag.text, "rigid"));
    lp_observer_free(observer);
    assert_int_equal(lp_observer_new(lp_session_context(session), LP_ENCODING_PUBLISHED, 0, NULL,
                                     &observer, &diag),
                     LP_ERANGE);
    lp_session_close(session);
}

TEST_GROUP(test_learn_observe) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_edges_are_those_of_the_unsplit_graph),
        cmocka_unit_test(features_of_job_and_cluster_follow_their_formulas),
        cmocka_unit_test(the_corrected_encoding_says_what_would_be_accepted),
        cmocka_unit_test(what_cannot_be_observed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
