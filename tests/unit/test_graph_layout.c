/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of graph/layout: rows, spacing, the same picture every time, long edges, and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "graph/layout.h"
#include "group.h"

enum { NODES = 600, EDGES = 1500 };

typedef struct Case {
    uint32_t src[EDGES], dst[EDGES];
    double x[NODES], y[NODES];
    LpEdgeList list;
} Case;

static void check_layout(const Case *c) {
    double least = 1e9;
    for (uint32_t e = 0; e < c->list.edges; e++)
        assert_true(c->y[c->src[e]] < c->y[c->dst[e]]);
    for (uint32_t v = 0; v < c->list.nodes; v++) {
        least = c->x[v] < least ? c->x[v] : least;
        assert_true(c->x[v] >= 0 && c->y[v] >= 0);
        for (uint32_t w = 0; w < v; w++)
            assert_true(c->y[v] != c->y[w] || c->x[v] >= c->x[w] + 1 || c->x[w] >= c->x[v] + 1);
    }
    assert_true(c->list.nodes == 0 || least == 0);
}

static void random_graphs_are_laid_out(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "layout", 0);
    Case c;
    for (int round = 0; round < 60; round++) {
        uint32_t nodes = (uint32_t)lp_rng_below(&rng, 60), edges = 0;
        for (uint64_t k = nodes > 1 ? lp_rng_below(&rng, 120) : 0; k > 0; k--) {
            uint32_t v = (uint32_t)lp_rng_below(&rng, nodes);
            uint32_t w = (uint32_t)lp_rng_below(&rng, nodes);
            c.src[edges] = v < w ? v : w;
            c.dst[edges] = v < w ? w : v;
            edges += v != w;
        }
        c.list = (LpEdgeList){nodes, edges, c.src, c.dst};
        assert_int_equal(lp_graph_layers(&c.list, c.x, c.y, NULL), LP_OK);
        check_layout(&c);
        double x[NODES], y[NODES];
        assert_int_equal(lp_graph_layers(&c.list, x, y, NULL), LP_OK);
        assert_memory_equal(x, c.x, nodes * sizeof *x);
        assert_memory_equal(y, c.y, nodes * sizeof *y);
    }
}

/* A forward and a backward pass: every forward op also leads to its backward op, far below. */
static void long_edges_are_bounded(void **state) {
    (void)state;
    Case c;
    uint32_t edges = 0;
    for (uint32_t v = 0; v + 1 < NODES; v++) {
        c.src[edges] = v;
        c.dst[edges++] = v + 1;
    }
    for (uint32_t v = 0; v + 1 < NODES / 2; v++) {
        c.src[edges] = v;
        c.dst[edges++] = NODES - 1 - v;
    }
    c.list = (LpEdgeList){NODES, edges, c.src, c.dst};
    assert_int_equal(lp_graph_layers(&c.list, c.x, c.y, NULL), LP_OK);
    for (uint32_t v = 0; v < NODES; v++)
        assert_true(c.y[v] == v && c.x[v] < 100);
}

/* 0 -> 1 -> 2 and 3 -> 2: the source 3 stands beside 1, not beside 0. */
static void sources_stand_above_their_use(void **state) {
    (void)state;
    uint32_t src[] = {0, 1, 3}, dst[] = {1, 2, 2};
    LpEdgeList list = {5, 3, src, dst};
    double x[5], y[5], expected[] = {0, 1, 2, 1, 0};
    assert_int_equal(lp_graph_layers(&list, x, y, NULL), LP_OK);
    assert_memory_equal(y, expected, sizeof y);
}

/* Two chains whose nodes are numbered crosswise need no crossing. */
static void crossings_are_avoided(void **state) {
    (void)state;
    uint32_t src[] = {0, 1, 3, 2}, dst[] = {3, 2, 4, 5};
    LpEdgeList list = {6, 4, src, dst};
    double x[6], y[6];
    assert_int_equal(lp_graph_layers(&list, x, y, NULL), LP_OK);
    assert_true((x[0] < x[1]) == (x[3] < x[2]) && (x[3] < x[2]) == (x[4] < x[5]));
}

static void refusals_change_nothing(void **state) {
    (void)state;
    uint32_t src[] = {0, 1}, dst[] = {1, 0};
    LpEdgeList list = {2, 2, src, dst};
    double x[] = {7, 7}, y[] = {7, 7};
    LpDiag diag;
    assert_int_equal(lp_graph_layers(&list, x, y, &diag), LP_ECYCLE);
    assert_non_null(strstr(diag.text, "0 <- 1 <- 0"));
    dst[1] = 2;
    assert_int_equal(lp_graph_layers(&list, x, y, &diag), LP_ERANGE);
    list.nodes = LP_LAYOUT_NODES_MAX + 1;
    assert_int_equal(lp_graph_layers(&list, x, y, &diag), LP_ELIMIT);
    list = (LpEdgeList){2, LP_LAYOUT_EDGES_MAX + 1, src, dst};
    assert_int_equal(lp_graph_layers(&list, x, y, &diag), LP_ELIMIT);
    assert_true(x[0] == 7 && x[1] == 7 && y[0] == 7 && y[1] == 7);
}

TEST_GROUP(test_graph_layout) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_laid_out),    cmocka_unit_test(long_edges_are_bounded),
        cmocka_unit_test(sources_stand_above_their_use), cmocka_unit_test(crossings_are_avoided),
        cmocka_unit_test(refusals_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
