/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A computation graph for looking at: nodes and edges of a profile and of a partition, critical
 * paths without gaps, drawings whose ops do not lie on one another, and moves that go their way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ask/inspect/graph_draw.h"
#include "group.h"
#include "model/parallel/memory.h"
#include "model/split/split.h"
#include "session/session.h"
#include "sim/store/store.h"

static LpSession *open_scenario(const char *scenario) {
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = scenario, .keep_timeline = true};
    LpEvent event;
    assert_int_equal(lp_session_open(&spec, &session, NULL), LP_OK);
    for (int i = 0; i < 30; i++)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    return session;
}

static LpSession *open_session(void) {
    return open_scenario("scenarios/pac-ml-32.json");
}

static void check_edges(const LpGraphInspection *seen) {
    uint32_t out = 0;
    for (uint32_t v = 0; v < seen->nodes; v++) {
        for (uint32_t i = seen->out[v]; i < seen->out[v + 1]; i++, out++)
            assert_int_equal(seen->src[seen->to[i]], v);
        for (uint32_t i = seen->in[v]; i < seen->in[v + 1]; i++)
            assert_int_equal(seen->dst[seen->from[i]], v);
    }
    assert_int_equal(out, seen->edges);
    assert_int_equal(seen->in[seen->nodes], seen->edges);
    for (uint32_t e = 0; e < seen->edges; e++) {
        assert_true(seen->src[e] < seen->nodes && seen->dst[e] < seen->nodes);
        assert_true(seen->src[e] != seen->dst[e]);
        if (e > 0)
            assert_true(seen->src[e] > seen->src[e - 1] ||
                        (seen->src[e] == seen->src[e - 1] && seen->dst[e] > seen->dst[e - 1]));
        if (seen->critical_edge[e])
            assert_true(seen->node[seen->src[e]].critical && seen->node[seen->dst[e]].critical);
    }
}

/* Edges go to the right, ops do not lie on one another. */
static void check_drawing(LpGraphInspection *seen) {
    LpGraphDraw *draw;
    const double *x, *y;
    assert_true(seen->width < 0);
    assert_int_equal(lp_graph_draw(seen, &draw, NULL), LP_OK);
    assert_int_equal(lp_graph_draw_nodes(draw), seen->nodes);
    assert_int_equal(lp_graph_draw_wait(draw, &x, &y, NULL), LP_OK);
    assert_false(lp_graph_draw_works(draw));
    assert_int_equal(lp_graph_inspection_place(seen, x, y, NULL), LP_OK);
    lp_graph_draw_free(draw);
    for (uint32_t e = 0; e < seen->edges; e++)
        assert_true(seen->node[seen->src[e]].x < seen->node[seen->dst[e]].x);
    for (uint32_t v = 0; v < seen->nodes; v++) {
        const LpGraphNode *node = &seen->node[v];
        assert_true(node->x >= 0 && node->x <= seen->width);
        assert_true(node->y >= 0 && node->y <= seen->height);
        assert_int_equal(lp_graph_inspection_near(seen, node->x, node->y), v);
        for (uint32_t w = 0; w < v; w++)
            assert_true(seen->node[w].x != node->x || fabs(seen->node[w].y - node->y) >= 1 - 1e-9);
    }
}

static void check_moves(const LpGraphInspection *seen) {
    for (uint32_t v = 0; v < seen->nodes; v++) {
        const LpGraphNode *node = &seen->node[v];
        uint32_t right = lp_graph_inspection_next(seen, v, 1, 0),
                 left = lp_graph_inspection_next(seen, v, -1, 0);
        uint32_t down = lp_graph_inspection_next(seen, v, 0, 1),
                 up = lp_graph_inspection_next(seen, v, 0, -1);
        assert_true(right == v || seen->node[right].x > node->x);
        assert_true(left == v || seen->node[left].x < node->x);
        assert_true(down == v || seen->node[down].y > node->y);
        assert_true(up == v || seen->node[up].y < node->y);
        if (seen->out[v] < seen->out[v + 1]) /* along an edge where there is one */
            assert_true(right != v);
    }
}

static void test_profiles(void **state) {
    LpSession *session = open_session();
    const LpContext *context = lp_session_context(session);
    (void)state;
    for (uint32_t g = 0; g < context->scenario->graphs; g++) {
        const LpGraph *graph = context->scenario->graph[g];
        LpGraphInspection seen = {0};
        double sum = 0;
        assert_int_equal(lp_graph_inspect(context, g, &seen, NULL), LP_OK);
        assert_int_equal(seen.nodes, graph->ops);
        assert_int_equal(seen.edges, graph->edges);
        assert_false(seen.cut);
        check_edges(&seen);
        for (uint32_t v = 0; v < seen.nodes; v++)
            sum += seen.node[v].critical ? seen.node[v].time : 0;
        assert_true(fabs(sum - seen.critical_time) <= 1e-12 * sum);
        check_drawing(&seen);
        check_moves(&seen);
        lp_graph_inspection_fini(&seen);
    }
    lp_session_close(session);
}

static void test_cut(void **state) {
    LpSession *session = open_session();
    const LpContext *context = lp_session_context(session);
    const LpWorld *world = lp_session_world(session);
    (void)state;
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        const LpPartition *p = lp_store_partition(context->store, job->placed.partition);
        LpGraphInspection seen = {0};
        uint32_t parts = 0, critical = 0;
        assert_int_equal(lp_graph_inspect_cut(context, job->placed.partition, job->placed.placement,
                                              job->placed.orders, &seen, NULL),
                         LP_OK);
        assert_true(seen.cut);
        assert_int_equal(seen.nodes, 2 * p->graph->ops);
        assert_int_equal(seen.servers, job->placed.servers);
        check_edges(&seen);
        for (uint32_t v = 0; v < seen.nodes; v++) {
            const LpGraphNode *node = &seen.node[v];
            assert_int_equal(node->parts, parts);
            parts += node->ways;
            critical += node->critical;
            for (uint32_t k = 0; k < node->ways; k++) {
                uint32_t server = seen.part_server[node->parts + k];
                assert_true(server < seen.servers);
                assert_int_equal(lp_world_server(world, seen.server_id[server])->job, id);
            }
        }
        assert_int_equal(parts, p->parts);
        assert_true(critical > 0);
        assert_true(fabs(seen.critical_time - job->forecast.step_time) <=
                    1e-9 * job->forecast.step_time);
        check_drawing(&seen);
        lp_graph_inspection_fini(&seen);
    }
    lp_session_close(session);
}

/* Each op of a plan is in one stage, and what its servers have of it adds up to the stage's
 * parameters. */
static void test_plan(void **state) {
    LpSession *session = open_scenario("scenarios/transformers.json");
    uint32_t seen_plans = 0;
    (void)state;
    const LpContext *context = lp_session_context(session);
    const LpWorld *world = lp_session_world(session);
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        const LpPartition *p = lp_store_partition(context->store, job->placed.partition);
        LpGraphInspection seen = {0};
        assert_int_equal(lp_graph_inspect_cut(context, job->placed.partition, job->placed.placement,
                                              job->placed.orders, &seen, NULL),
                         LP_OK);
        assert_int_equal(seen.stages, p->plan.pipeline);
        assert_int_equal(seen.tensor, p->plan.tensor);
        for (uint32_t stage = 0; stage < seen.stages; stage++) {
            double sum = 0, whole = lp_stage_parameters(&p->graph->split->model, &p->plan, stage);
            for (uint32_t v = 0; v < p->graph->ops; v++)
                sum += seen.node[v].stage == stage ? seen.node[v].parameters : 0;
            assert_true(fabs(sum - whole) <= 1e-12 * whole);
        }
        for (uint32_t v = 0; v < p->graph->ops; v++)
            assert_int_equal(seen.node[v].stage, seen.node[v + p->graph->ops].stage);
        seen_plans++;
        lp_graph_inspection_fini(&seen);
    }
    assert_true(seen_plans > 0);
    lp_session_close(session);
}

/* Equal shapes have equal hashes, whatever is cut how; others have not. */
static void test_shapes(void **state) {
    LpSession *session = open_session();
    const LpContext *context = lp_session_context(session);
    LpGraphInspection a = {0}, b = {0}, c = {0};
    (void)state;
    assert_int_equal(lp_graph_inspect(context, 0, &a, NULL), LP_OK);
    assert_int_equal(lp_graph_inspect(context, 0, &b, NULL), LP_OK);
    assert_int_equal(lp_graph_inspect(context, 1, &c, NULL), LP_OK);
    assert_true(a.shape == b.shape);
    assert_true(a.shape != c.shape);
    lp_graph_inspection_fini(&a);
    lp_graph_inspection_fini(&b);
    lp_graph_inspection_fini(&c);
    lp_graph_inspection_fini(&c); /* zeroed: allowed */
    lp_session_close(session);
}

TEST_GROUP(test_ask_inspect_graph) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
