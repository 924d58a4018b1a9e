/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of graph/flow: against every cut of small graphs, against igraph on larger ones, with
 * capacities far apart, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "graph/flow.h"
#include "graph/igraph_version.h"
#include "graph/lock.h"
#include "group.h"

enum { NODES = 8, EDGES = 300 };

typedef struct Case {
    uint32_t src[EDGES], dst[EDGES];
    double capacity[EDGES], flow[EDGES];
    LpEdgeList list;
} Case;

static void random_case(Case *c, LpRng *rng, uint32_t nodes, uint32_t edges) {
    c->list = (LpEdgeList){nodes, edges, c->src, c->dst};
    for (uint32_t e = 0; e < edges; e++) {
        c->src[e] = (uint32_t)lp_rng_below(rng, nodes);
        c->dst[e] = (uint32_t)lp_rng_below(rng, nodes);
        c->capacity[e] = (double)lp_rng_below(rng, 10);
    }
}

static double cut_of(const Case *c, unsigned side) {
    double sum = 0;
    for (uint32_t e = 0; e < c->list.edges; e++)
        if ((side >> c->src[e] & 1) && !(side >> c->dst[e] & 1))
            sum += c->capacity[e];
    return sum;
}

/* The cheapest of all cuts with node 0 on one side and node 1 on the other. */
static double least_cut(const Case *c) {
    double best = (double)INFINITY;
    for (unsigned side = 0; side < 1u << c->list.nodes; side++)
        if ((side & 3) == 1 && cut_of(c, side) < best)
            best = cut_of(c, side);
    return best;
}

/* The flow keeps to the capacities, nothing is lost on the way, and `value` arrives. */
static void check_flow(const Case *c, double value, double slack) {
    double balance[EDGES] = {0};
    for (uint32_t e = 0; e < c->list.edges; e++) {
        assert_true(c->flow[e] >= 0 && c->flow[e] <= c->capacity[e]);
        balance[c->src[e]] -= c->flow[e];
        balance[c->dst[e]] += c->flow[e];
    }
    assert_true(fabs(balance[1] - value) <= slack && fabs(balance[0] + value) <= slack);
    for (uint32_t v = 2; v < c->list.nodes; v++)
        assert_true(fabs(balance[v]) <= slack);
}

static void flow_equals_the_least_cut(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "flow", 0);
    Case c;
    for (int round = 0; round < 300; round++) {
        random_case(&c, &rng, 2 + (uint32_t)lp_rng_below(&rng, NODES - 1),
                    (uint32_t)lp_rng_below(&rng, 40));
        double value = -1;
        assert_int_equal(lp_graph_max_flow(&c.list, c.capacity, 0, 1, &value, c.flow, NULL), LP_OK);
        assert_true(value == least_cut(&c));
        check_flow(&c, value, 0);
    }
}

typedef struct Asked {
    const Case *c;
    double value;
} Asked;

static igraph_error_t flow_inside(void *data) {
    Asked *asked = data;
    const Case *c = asked->c;
    igraph_t graph;
    const igraph_vector_t capacity = lp_igraph_view(c->capacity, c->list.edges);
    IGRAPH_CHECK(lp_igraph_create(&graph, &c->list));
    igraph_error_t code = igraph_maxflow_value(&graph, &asked->value, 0, 1, &capacity, NULL);
    igraph_destroy(&graph);
    return code;
}

static double igraph_flow(const Case *c) {
    Asked asked = {c, -1};
    assert_int_equal(lp_igraph_do(flow_inside, &asked, "a flow", NULL), LP_OK);
    return asked.value;
}

static void agrees_with_igraph(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "igraph", 0);
    Case c;
    for (int round = 0; round < 50; round++) {
        random_case(&c, &rng, 60, EDGES);
        double value = -1, again[EDGES];
        assert_int_equal(lp_graph_max_flow(&c.list, c.capacity, 0, 1, &value, c.flow, NULL), LP_OK);
        assert_true(value == igraph_flow(&c));
        check_flow(&c, value, 0);
        assert_int_equal(lp_graph_max_flow(&c.list, c.capacity, 0, 1, &value, again, NULL), LP_OK);
        assert_memory_equal(again, c.flow, sizeof again);
    }
}

/* Edges "without limit" beside small ones, where sums of capacities have lost the small ones. */
static void capacities_far_apart(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "far", 0);
    Case c;
    for (int round = 0; round < 200; round++) {
        random_case(&c, &rng, NODES, 30);
        for (uint32_t e = 0; e < 30; e++)
            c.capacity[e] = lp_rng_below(&rng, 3) ? 1e18 : lp_rng_unit(&rng) / 3;
        double value = -1, best = least_cut(&c);
        assert_int_equal(lp_graph_max_flow(&c.list, c.capacity, 0, 1, &value, c.flow, NULL), LP_OK);
        assert_true(fabs(value - best) <= 1e-14 * best);
        check_flow(&c, value, 1e-13 * value);
    }
}

/* 0.1 and 0.2 are no sums of few bits: a full edge carries its capacity to the last bit. */
static void full_edges_are_full(void **state) {
    (void)state;
    uint32_t src[] = {0, 0, 2, 3}, dst[] = {2, 3, 1, 1};
    double capacity[] = {0.1, 0.2, 0.7, 0.7}, flow[4], value = 0;
    LpEdgeList list = {4, 4, src, dst};
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 1, &value, flow, NULL), LP_OK);
    assert_true(value == 0.1 + 0.2 && flow[0] == 0.1 && flow[1] == 0.2);
}

static void graphs_without_a_path(void **state) {
    (void)state;
    LpEdgeList none = {2, 0, NULL, NULL};
    double value = 7;
    assert_int_equal(lp_graph_max_flow(&none, NULL, 0, 1, &value, NULL, NULL), LP_OK);
    assert_true(value == 0);
    uint32_t src[] = {1, 0, 0}, dst[] = {0, 0, 2};
    LpEdgeList back = {3, 3, src, dst};
    double capacity[] = {1, 2, 3}, flow[] = {7, 7, 7};
    assert_int_equal(lp_graph_max_flow(&back, capacity, 0, 1, &value, flow, NULL), LP_OK);
    assert_true(value == 0 && flow[0] == 0 && flow[1] == 0 && flow[2] == 0);
}

static void input_is_checked(void **state) {
    (void)state;
    uint32_t src[] = {0, 0}, dst[] = {1, 2};
    double capacity[] = {1, -1}, value = 7, flow[] = {7, 7};
    LpEdgeList list = {2, 2, src, dst};
    LpDiag diag;
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 1, &value, flow, &diag), LP_ERANGE);
    assert_non_null(strstr(diag.text, "edge 2"));
    list.nodes = 3;
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 1, &value, flow, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "capacity of edge 2"));
    capacity[1] = (double)NAN;
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 1, &value, flow, &diag), LP_EINVAL);
    capacity[1] = (double)INFINITY;
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 1, &value, flow, &diag), LP_EINVAL);
    capacity[0] = capacity[1] = 9e299;
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 1, &value, flow, &diag), LP_ERANGE);
    capacity[0] = capacity[1] = 1;
    assert_int_equal(lp_graph_max_flow(&list, capacity, 1, 1, &value, flow, &diag), LP_EINVAL);
    assert_int_equal(lp_graph_max_flow(&list, capacity, 3, 1, &value, flow, &diag), LP_ERANGE);
    assert_non_null(strstr(diag.text, "source"));
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 3, &value, flow, &diag), LP_ERANGE);
    assert_non_null(strstr(diag.text, "target"));
    list.nodes = LP_GRAPH_NODES_MAX + 1;
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 1, &value, flow, &diag), LP_ELIMIT);
    list = (LpEdgeList){3, LP_GRAPH_EDGES_MAX + 1, src, dst};
    assert_int_equal(lp_graph_max_flow(&list, capacity, 0, 1, &value, flow, &diag), LP_ELIMIT);
    assert_true(value == 7 && flow[0] == 7 && flow[1] == 7);
}

TEST_GROUP(test_graph_flow) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_equals_the_least_cut), cmocka_unit_test(agrees_with_igraph),
        cmocka_unit_test(capacities_far_apart),      cmocka_unit_test(full_edges_are_full),
        cmocka_unit_test(graphs_without_a_path),     cmocka_unit_test(input_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
