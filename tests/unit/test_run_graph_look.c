/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A computation graph for looking at: nodes and edges of a profile and of a partition, critical
 * paths without gaps, drawings whose ops do not lie on one another, and moves that go their way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/inspect/graph_draw.h"
#include "run/session/session.h"
#include "sim/store/store.h"

static LpSession *open_session(void) {
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json", .keep_timeline = true};
    LpEvent event;
    assert_int_equal(lp_session_open(&spec, &session, NULL), LP_OK);
    for (int i = 0; i < 30; i++)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    return session;
}

static void check_edges(const LpGraphLook *look) {
    uint32_t out = 0;
    for (uint32_t v = 0; v < look->nodes; v++) {
        for (uint32_t i = look->out[v]; i < look->out[v + 1]; i++, out++)
            assert_int_equal(look->src[look->to[i]], v);
        for (uint32_t i = look->in[v]; i < look->in[v + 1]; i++)
            assert_int_equal(look->dst[look->from[i]], v);
    }
    assert_int_equal(out, look->edges);
    assert_int_equal(look->in[look->nodes], look->edges);
    for (uint32_t e = 0; e < look->edges; e++) {
        assert_true(look->src[e] < look->nodes && look->dst[e] < look->nodes);
        assert_true(look->src[e] != look->dst[e]);
        if (e > 0)
            assert_true(look->src[e] > look->src[e - 1] ||
                        (look->src[e] == look->src[e - 1] && look->dst[e] > look->dst[e - 1]));
        if (look->critical_edge[e])
            assert_true(look->node[look->src[e]].critical && look->node[look->dst[e]].critical);
    }
}

/* Edges go to the right, ops do not lie on one another. */
static void check_drawing(LpGraphLook *look) {
    LpGraphDraw *draw;
    const double *x, *y;
    assert_true(look->width < 0);
    assert_int_equal(lp_graph_draw(look, &draw, NULL), LP_OK);
    assert_int_equal(lp_graph_draw_nodes(draw), look->nodes);
    assert_int_equal(lp_graph_draw_wait(draw, &x, &y, NULL), LP_OK);
    assert_false(lp_graph_draw_works(draw));
    assert_int_equal(lp_graph_look_place(look, x, y, NULL), LP_OK);
    lp_graph_draw_free(draw);
    for (uint32_t e = 0; e < look->edges; e++)
        assert_true(look->node[look->src[e]].x < look->node[look->dst[e]].x);
    for (uint32_t v = 0; v < look->nodes; v++) {
        const LpGraphNode *node = &look->node[v];
        assert_true(node->x >= 0 && node->x <= look->width);
        assert_true(node->y >= 0 && node->y <= look->height);
        assert_int_equal(lp_graph_look_near(look, node->x, node->y), v);
        for (uint32_t w = 0; w < v; w++)
            assert_true(look->node[w].x != node->x || fabs(look->node[w].y - node->y) >= 1 - 1e-9);
    }
}

static void check_moves(const LpGraphLook *look) {
    for (uint32_t v = 0; v < look->nodes; v++) {
        const LpGraphNode *node = &look->node[v];
        uint32_t right = lp_graph_look_next(look, v, 1, 0),
                 left = lp_graph_look_next(look, v, -1, 0);
        uint32_t down = lp_graph_look_next(look, v, 0, 1), up = lp_graph_look_next(look, v, 0, -1);
        assert_true(right == v || look->node[right].x > node->x);
        assert_true(left == v || look->node[left].x < node->x);
        assert_true(down == v || look->node[down].y > node->y);
        assert_true(up == v || look->node[up].y < node->y);
        if (look->out[v] < look->out[v + 1]) /* along an edge where there is one */
            assert_true(right != v);
    }
}

static void test_profiles(void **state) {
    LpSession *session = open_session();
    const LpContext *context = lp_session_context(session);
    (void)state;
    for (uint32_t g = 0; g < context->scenario->graphs; g++) {
        const LpGraph *graph = context->scenario->graph[g];
        LpGraphLook look = {0};
        double sum = 0;
        assert_int_equal(lp_graph_look(context, g, &look, NULL), LP_OK);
        assert_int_equal(look.nodes, graph->ops);
        assert_int_equal(look.edges, graph->edges);
        assert_false(look.cut);
        check_edges(&look);
        for (uint32_t v = 0; v < look.nodes; v++)
            sum += look.node[v].critical ? look.node[v].time : 0;
        assert_true(fabs(sum - look.critical_time) <= 1e-12 * sum);
        check_drawing(&look);
        check_moves(&look);
        lp_graph_look_fini(&look);
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
        const LpPartition *p = lp_store_partition(context->store, job->partition);
        LpGraphLook look = {0};
        uint32_t parts = 0, critical = 0;
        assert_int_equal(
            lp_graph_look_cut(context, job->partition, job->placement, job->orders, &look, NULL),
            LP_OK);
        assert_true(look.cut);
        assert_int_equal(look.nodes, 2 * p->graph->ops);
        assert_int_equal(look.servers, job->servers);
        check_edges(&look);
        for (uint32_t v = 0; v < look.nodes; v++) {
            const LpGraphNode *node = &look.node[v];
            assert_int_equal(node->parts, parts);
            parts += node->ways;
            critical += node->critical;
            for (uint32_t k = 0; k < node->ways; k++) {
                uint32_t server = look.part_server[node->parts + k];
                assert_true(server < look.servers);
                assert_int_equal(lp_world_server(world, look.server_id[server])->job, id);
            }
        }
        assert_int_equal(parts, p->parts);
        assert_true(critical > 0);
        assert_true(fabs(look.critical_time - job->step_time) <= 1e-9 * job->step_time);
        check_drawing(&look);
        lp_graph_look_fini(&look);
    }
    lp_session_close(session);
}

/* Equal shapes have equal hashes, whatever is cut how; others have not. */
static void test_shapes(void **state) {
    LpSession *session = open_session();
    const LpContext *context = lp_session_context(session);
    LpGraphLook a = {0}, b = {0}, c = {0};
    (void)state;
    assert_int_equal(lp_graph_look(context, 0, &a, NULL), LP_OK);
    assert_int_equal(lp_graph_look(context, 0, &b, NULL), LP_OK);
    assert_int_equal(lp_graph_look(context, 1, &c, NULL), LP_OK);
    assert_true(a.shape == b.shape);
    assert_true(a.shape != c.shape);
    lp_graph_look_fini(&a);
    lp_graph_look_fini(&b);
    lp_graph_look_fini(&c);
    lp_graph_look_fini(&c); /* zeroed: allowed */
    lp_session_close(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
