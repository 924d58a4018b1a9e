/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of graph/paths and of the lock around igraph: distances against repeated relaxation,
 * parents, orders and cycles, threads, and what becomes of igraph's own errors. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "graph/lock.h"
#include "graph/paths.h"
#include "group.h"

enum { NODES = 30, EDGES = 120, THREADS = 4 };

typedef struct Case {
    uint32_t src[EDGES], dst[EDGES];
    double weight[EDGES];
    LpEdgeList list;
} Case;

static void random_case(Case *c, LpRng *rng, bool ties) {
    uint32_t nodes = 1 + (uint32_t)lp_rng_below(rng, NODES);
    c->list = (LpEdgeList){nodes, (uint32_t)lp_rng_below(rng, EDGES), c->src, c->dst};
    for (uint32_t e = 0; e < c->list.edges; e++) {
        c->src[e] = (uint32_t)lp_rng_below(rng, nodes);
        c->dst[e] = (uint32_t)lp_rng_below(rng, nodes);
        c->weight[e] = ties ? (double)lp_rng_below(rng, 3) : lp_rng_unit(rng) * 1e-7;
    }
}

/* Distances and the fewest edges of a shortest path, by relaxing every edge until nothing moves. */
static void relax_all(const Case *c, double *distance, uint32_t *hops) {
    for (uint32_t v = 0; v < c->list.nodes; v++) {
        distance[v] = (double)INFINITY;
        hops[v] = LP_GRAPH_NONE;
    }
    distance[0] = hops[0] = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t e = 0; e < c->list.edges; e++) {
            uint32_t v = c->src[e], w = c->dst[e];
            double d = distance[v] + c->weight[e];
            if (isinf(d) || d > distance[w] || (d == distance[w] && hops[v] + 1 >= hops[w]))
                continue;
            distance[w] = d;
            hops[w] = hops[v] + 1;
            moved = true;
        }
    }
}

/* The first edge in the list that ends a shortest path of the fewest edges. */
static uint32_t parent_of(const Case *c, const double *distance, const uint32_t *hops, uint32_t w) {
    for (uint32_t e = 0; e < c->list.edges && w != 0; e++) {
        uint32_t v = c->src[e];
        if (c->dst[e] == w && hops[v] != LP_GRAPH_NONE && hops[v] + 1 == hops[w] &&
            distance[v] + c->weight[e] == distance[w])
            return e;
    }
    return LP_GRAPH_NONE;
}

static void shortest_is_the_shortest(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "paths", 0);
    Case c;
    for (int round = 0; round < 400; round++) {
        random_case(&c, &rng, round % 2);
        double distance[NODES], expected[NODES];
        uint32_t parent[NODES], hops[NODES];
        assert_int_equal(lp_graph_shortest(&c.list, c.weight, 0, distance, parent, NULL), LP_OK);
        relax_all(&c, expected, hops);
        for (uint32_t v = 0; v < c.list.nodes; v++) {
            assert_true(distance[v] == expected[v]);
            assert_int_equal(parent[v], parent_of(&c, expected, hops, v));
        }
        assert_int_equal(lp_graph_shortest(&c.list, c.weight, 0, expected, NULL, NULL), LP_OK);
        assert_memory_equal(distance, expected, c.list.nodes * sizeof *distance);
    }
}

/* Two ways of length 2, one of them with a circle of weight 0 and more edges; two equal edges. */
static void ties_take_fewest_then_first_edges(void **state) {
    (void)state;
    uint32_t src[] = {0, 1, 2, 3, 0, 0, 4}, dst[] = {1, 2, 1, 4, 3, 3, 1};
    double weight[] = {2, 0, 0, 0, 2, 2, 0}, distance[5];
    uint32_t parent[5];
    LpEdgeList list = {5, 7, src, dst};
    assert_int_equal(lp_graph_shortest(&list, weight, 0, distance, parent, NULL), LP_OK);
    uint32_t expected[] = {LP_GRAPH_NONE, 0, 1, 4, 3};
    assert_memory_equal(parent, expected, sizeof parent);
}

static void shortest_checks_input(void **state) {
    (void)state;
    uint32_t src[] = {0, 5}, dst[] = {1, 0}, parent[2] = {7, 7};
    double weight[] = {1, -1}, distance[] = {7, 7};
    LpEdgeList list = {2, 2, src, dst};
    LpDiag diag;
    assert_int_equal(lp_graph_shortest(&list, weight, 0, distance, parent, &diag), LP_ERANGE);
    src[1] = 1;
    assert_int_equal(lp_graph_shortest(&list, weight, 0, distance, parent, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "weight of edge 2"));
    weight[1] = (double)NAN;
    assert_int_equal(lp_graph_shortest(&list, weight, 0, distance, parent, &diag), LP_EINVAL);
    weight[1] = 1;
    assert_int_equal(lp_graph_shortest(&list, weight, 2, distance, parent, &diag), LP_ERANGE);
    list = (LpEdgeList){0, 0, NULL, NULL};
    assert_int_equal(lp_graph_shortest(&list, weight, 0, distance, parent, &diag), LP_ERANGE);
    assert_true(distance[0] == 7 && parent[1] == 7);
    list.nodes = 2;
    assert_int_equal(lp_graph_shortest(&list, NULL, 1, distance, parent, &diag), LP_OK);
    assert_true(isinf(distance[0]) && distance[1] == 0 && parent[1] == LP_GRAPH_NONE);
}

static void order_puts_edges_forward(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "order", 0);
    Case c;
    for (int round = 0; round < 200; round++) {
        random_case(&c, &rng, true);
        uint32_t kept = 0, order[NODES], depth[NODES], position[NODES];
        for (uint32_t e = 0; e < c.list.edges; e++) { /* downwards: no cycles */
            if (c.src[e] <= c.dst[e])
                continue;
            c.src[kept] = c.src[e];
            c.dst[kept++] = c.dst[e];
        }
        c.list.edges = kept;
        assert_int_equal(lp_graph_topological(&c.list, order, depth, NULL), LP_OK);
        for (uint32_t k = 0; k < c.list.nodes; k++)
            position[order[k]] = k;
        for (uint32_t e = 0; e < kept; e++) {
            assert_true(position[c.src[e]] < position[c.dst[e]]);
            assert_true(depth[c.src[e]] < depth[c.dst[e]]);
        }
        for (uint32_t k = 1; k < c.list.nodes; k++)
            assert_true(depth[order[k - 1]] < depth[order[k]] ||
                        (depth[order[k - 1]] == depth[order[k]] && order[k - 1] < order[k]));
    }
}

static void cycles_are_named(void **state) {
    (void)state;
    uint32_t src[] = {0, 1, 2, 3, 3}, dst[] = {1, 2, 3, 1, 4}, order[12] = {7}, depth[5];
    LpEdgeList list = {5, 5, src, dst};
    LpDiag diag;
    assert_int_equal(lp_graph_topological(&list, order, depth, &diag), LP_ECYCLE);
    assert_non_null(strstr(diag.text, "<- "));
    assert_null(strstr(diag.text, "0"));
    assert_null(strstr(diag.text, "4"));
    assert_int_equal(order[0], 7);
    dst[3] = 3;
    assert_int_equal(lp_graph_topological(&list, order, depth, &diag), LP_ECYCLE);
    assert_non_null(strstr(diag.text, "3 <- 3"));
    uint32_t ring_src[12], ring_dst[12];
    for (uint32_t v = 0; v < 12; v++) {
        ring_src[v] = v;
        ring_dst[v] = (v + 1) % 12;
    }
    list = (LpEdgeList){12, 12, ring_src, ring_dst};
    assert_int_equal(lp_graph_topological(&list, order, NULL, &diag), LP_ECYCLE);
    assert_non_null(strstr(diag.text, "..."));
    list = (LpEdgeList){0, 0, NULL, NULL};
    assert_int_equal(lp_graph_topological(&list, order, NULL, NULL), LP_OK);
}

/* Fails inside igraph with a graph on its stack, which the handler has to free. */
static igraph_error_t fail_inside(void *data) {
    (void)data;
    uint32_t src[] = {0}, dst[] = {1};
    LpEdgeList list = {2, 1, src, dst};
    igraph_t graph;
    igraph_vector_int_t edges;
    IGRAPH_CHECK(lp_igraph_create(&graph, &list));
    IGRAPH_FINALLY(igraph_destroy, &graph);
    IGRAPH_CHECK(igraph_vector_int_init(&edges, 0));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &edges);
    IGRAPH_CHECK(igraph_delete_vertices(&graph, igraph_vss_1(99)));
    return IGRAPH_SUCCESS;
}

static igraph_error_t warn_inside(void *data) {
    (void)data;
    igraph_warning("not to be seen", __FILE__, __LINE__);
    return IGRAPH_ENOMEM;
}

static void free_stack(const char *reason, const char *file, int line, igraph_error_t code) {
    (void)reason;
    (void)file;
    (void)line;
    (void)code;
    IGRAPH_FINALLY_FREE();
}

/* An error inside igraph comes back as a value; nothing aborts, prints or leaks, and whoever had
 * installed handlers finds them again. */
static void igraph_errors_are_values(void **state) {
    (void)state;
    igraph_error_handler_t *before = igraph_set_error_handler(free_stack);
    LpDiag diag;
    for (int round = 0; round < 3; round++) {
        assert_int_equal(lp_igraph_do(fail_inside, NULL, "a test", &diag), LP_ESTATE);
        assert_non_null(strstr(diag.text, "a test"));
        assert_true(IGRAPH_FINALLY_STACK_EMPTY);
    }
    assert_int_equal(lp_igraph_do(warn_inside, NULL, "a test", &diag), LP_ENOMEM);
    assert_ptr_equal(igraph_set_error_handler(before), free_stack);
}

typedef struct Worker {
    pthread_t thread;
    const Case *c;
    double distance[NODES];
    LpErr err;
} Worker;

static void *work(void *data) {
    Worker *w = data;
    for (int round = 0; round < 300 && w->err == LP_OK; round++)
        w->err = lp_graph_shortest(&w->c->list, w->c->weight, 0, w->distance, NULL, NULL);
    return NULL;
}

static void threads_get_the_same(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "threads", 0);
    Case c;
    do
        random_case(&c, &rng, false);
    while (c.list.nodes < NODES / 2 || c.list.edges < EDGES / 2);
    Worker workers[THREADS] = {0};
    for (int k = 0; k < THREADS; k++) {
        workers[k].c = &c;
        assert_int_equal(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(workers[k].thread, NULL), 0);
    double expected[NODES];
    assert_int_equal(lp_graph_shortest(&c.list, c.weight, 0, expected, NULL, NULL), LP_OK);
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(workers[k].err, LP_OK);
        assert_memory_equal(workers[k].distance, expected, c.list.nodes * sizeof *expected);
    }
}

typedef struct Turns {
    atomic_int inside, overlaps;
} Turns;

/* Gives way inside the lock: without it the others would come in. */
static igraph_error_t turn(void *data) {
    Turns *turns = data;
    if (atomic_fetch_add(&turns->inside, 1) != 0)
        atomic_fetch_add(&turns->overlaps, 1);
    sched_yield();
    atomic_fetch_sub(&turns->inside, 1);
    return IGRAPH_SUCCESS;
}

static void *take_turns(void *data) {
    for (int round = 0; round < 500; round++) {
        if (lp_igraph_do(turn, data, "a turn", NULL) != LP_OK)
            break;
    }
    return NULL;
}

static void one_thread_is_inside(void **state) {
    (void)state;
    Turns turns = {0};
    pthread_t threads[THREADS];
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, take_turns, &turns), 0);
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    assert_int_equal(atomic_load(&turns.overlaps), 0);
}

TEST_GROUP(test_graph_paths) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_is_the_shortest),
        cmocka_unit_test(ties_take_fewest_then_first_edges),
        cmocka_unit_test(shortest_checks_input),
        cmocka_unit_test(order_puts_edges_forward),
        cmocka_unit_test(cycles_are_named),
        cmocka_unit_test(igraph_errors_are_values),
        cmocka_unit_test(threads_get_the_same),
        cmocka_unit_test(one_thread_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
