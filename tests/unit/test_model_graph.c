/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The computation graph: order of its lists, errors at their place, sums, costs, hash. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "model/device/device.h"
#include "model/graph.h"

static LpOp timed(uint32_t number, double forward, double backward) {
    return (LpOp){.number = number,
                  .forward = forward,
                  .backward = backward,
                  .activation = 10.0 * number,
                  .parameters = number,
                  .name = "op"};
}

static void add_op(LpGraphBuilder *builder, const LpOp *op, int line) {
    LpDiag diag;
    assert_int_equal(lp_graph_builder_op(builder, op, line, 1, &diag), LP_OK);
}

static void add_ops(LpGraphBuilder *builder, const uint32_t *number, size_t count) {
    for (size_t i = 0; i < count; i++) {
        LpOp op = timed(number[i], number[i], 2.0 * number[i]);
        add_op(builder, &op, (int)i + 1);
    }
}

static void add_edge(LpGraphBuilder *builder, uint32_t src, uint32_t dst, int line) {
    LpDiag diag;
    assert_int_equal(lp_graph_builder_edge(builder, src, dst, line, 2, &diag), LP_OK);
}

static LpGraph *finish(LpGraphBuilder *builder) {
    LpGraph *graph = NULL;
    LpDiag diag = {.text = ""};
    LpErr err = lp_graph_builder_finish(builder, &graph, &diag);
    if (err != LP_OK)
        fail_msg("%s", diag.text);
    lp_graph_builder_free(builder);
    return graph;
}

static void expect_list(const uint32_t *list, const uint32_t *expected, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_int_equal(list[i], expected[i]);
}

/* File order 3 1 4 2 5, so indices are 0:3 1:1 2:4 3:2 4:5. */
static LpGraph *shuffled(void) {
    LpGraphBuilder *builder = lp_graph_builder_new("g", "g.txt");
    const uint32_t number[] = {3, 1, 4, 2, 5};
    add_ops(builder, number, 5);
    add_edge(builder, 2, 5, 6);
    add_edge(builder, 1, 4, 7);
    add_edge(builder, 1, 3, 8);
    add_edge(builder, 4, 5, 9);
    add_edge(builder, 1, 4, 10); /* again */
    add_edge(builder, 3, 5, 11);
    return finish(builder);
}

static void lists_follow_the_file(void **state) {
    (void)state;
    LpGraph *graph = shuffled();
    assert_string_equal(graph->id, "g");
    assert_int_equal(graph->ops, 5);
    assert_int_equal(graph->edges, 5);
    expect_list(graph->edge_src, (uint32_t[]){3, 1, 1, 2, 0}, 5);
    expect_list(graph->edge_dst, (uint32_t[]){4, 2, 0, 4, 4}, 5);
    expect_list(graph->by_number + 1, (uint32_t[]){1, 3, 0, 2, 4}, 5);
    expect_list(graph->succ_begin, (uint32_t[]){0, 1, 3, 4, 5, 5}, 6);
    expect_list(graph->succ, (uint32_t[]){4, 2, 0, 4, 4}, 5);
    expect_list(graph->pred_begin, (uint32_t[]){0, 1, 1, 2, 2, 5}, 6);
    /* op 5's predecessors by file position (3, 4, 2), not by edge line (2, 4, 3) */
    expect_list(graph->pred, (uint32_t[]){1, 1, 0, 2, 3}, 5);
    /* seeds 1 and 2 in file order; 1 releases 4, then 3; 5 comes last */
    expect_list(graph->topo, (uint32_t[]){1, 3, 2, 0, 4}, 5);
    lp_graph_free(graph);
}

static void sums_run_in_file_order(void **state) {
    (void)state;
    LpGraph *graph = shuffled();
    assert_true(graph->forward_sum == 15);
    assert_true(graph->backward_sum == 30);
    assert_true(graph->activation_sum == 150);
    assert_true(graph->parameter_sum == 15);
    assert_true(lp_graph_sequential_time(graph) == 45);
    lp_graph_free(graph);

    LpGraphBuilder *builder = lp_graph_builder_new("g", NULL);
    const double forward[] = {0.1, 0.2, 0.3}, backward[] = {0.7, 1e-17, 1e16};
    double expected = 0;
    for (uint32_t i = 0; i < 3; i++) {
        LpOp op = timed(i + 1, forward[i], backward[i]);
        add_op(builder, &op, 0);
        expected += forward[i];
    }
    for (size_t i = 0; i < 3; i++)
        expected += backward[i];
    graph = finish(builder);
    assert_true(lp_graph_sequential_time(graph) == expected);
    lp_graph_free(graph);
}

static void scaling_leaves_worked_out_times_alone(void **state) {
    (void)state;
    const LpDevice device = {.name = "D",
                             .peak_flops = 100,
                             .bandwidth = 10,
                             .flops_efficiency = 0.5,
                             .memory_efficiency = 0.25};
    LpGraphBuilder *builder = lp_graph_builder_new("g", NULL);
    LpOp stated = timed(1, 4, 6), work = timed(2, 0, 0);
    work.has_work = true;
    work.work = (LpWork){
        .forward_flops = 500, .backward_flops = 100, .forward_bytes = 5, .backward_bytes = 50};
    add_op(builder, &stated, 0);
    add_op(builder, &work, 0);
    LpGraph *graph = finish(builder);
    uint64_t hash = graph->hash;
    assert_null(graph->device);

    lp_graph_cost(graph, &(LpRates){.device = &device});
    assert_string_equal(graph->device, "D");
    assert_true(graph->op[0].forward == 4 && graph->op[0].backward == 6);
    assert_true(graph->op[1].forward == 10);  /* 500 / 50 FLOP/s, over 5 / 2.5 */
    assert_true(graph->op[1].backward == 20); /* 50 / 2.5 B/s, over 100 / 50 */
    assert_true(graph->forward_sum == 14 && graph->backward_sum == 26);
    assert_true(graph->hash != hash);

    hash = graph->hash;
    lp_graph_scale_time(graph, 0.5);
    assert_true(graph->op[0].forward == 2 && graph->op[0].backward == 3);
    assert_true(graph->op[1].forward == 10 && graph->op[1].backward == 20);
    assert_true(graph->forward_sum == 12 && graph->backward_sum == 23);
    assert_true(graph->hash != hash);
    lp_graph_scale_time(graph, 2);
    assert_true(graph->hash == hash);
    lp_graph_free(graph);
}

static void stated_times_name_no_device(void **state) {
    (void)state;
    LpGraph *graph = shuffled();
    lp_graph_cost(graph, &(LpRates){.device = lp_device_default()});
    assert_null(graph->device);
    lp_graph_free(graph);
}

/* One op and an edge whose details each case may change. */
static uint64_t hash_of(const char *id, const char *name, double activation, uint32_t dst) {
    LpGraphBuilder *builder = lp_graph_builder_new(id, id);
    for (uint32_t i = 1; i <= 3; i++) {
        LpOp op = timed(i, i, i);
        op.name = name;
        if (i == 1)
            op.activation = activation;
        add_op(builder, &op, 0);
    }
    add_edge(builder, 1, dst, 0);
    LpGraph *graph = finish(builder);
    uint64_t hash = graph->hash;
    lp_graph_free(graph);
    return hash;
}

static void hash_covers_what_matters_and_no_names(void **state) {
    (void)state;
    uint64_t hash = hash_of("a", "x", 5, 2);
    assert_true(hash == hash_of("a", "x", 5, 2));
    assert_true(hash == hash_of("b", "y", 5, 2));
    assert_true(hash != hash_of("a", "x", 6, 2));
    assert_true(hash != hash_of("a", "x", 5, 3));
}

static void expect_diag(const LpDiag *diag, LpErr code, int line, int col, const char *text) {
    assert_int_equal(diag->code, code);
    assert_string_equal(diag->file, "g.txt");
    assert_int_equal(diag->line, line);
    assert_int_equal(diag->col, col);
    if (strstr(diag->text, text) == NULL)
        fail_msg("'%s' does not contain '%s'", diag->text, text);
}

static void bad_ops_are_refused(void **state) {
    (void)state;
    const struct {
        LpOp op;
        LpErr code;
        const char *text;
    } bad[] = {
        {timed(0, 1, 1), LP_EINVAL, "op number 0"},
        {timed(1, 1, 1), LP_EINVAL, "op number 1 is used twice, first at line 4"},
        {timed(LP_GRAPH_MAX_OPS + 1, 1, 1), LP_ELIMIT, "at most 1048576"},
        {timed(UINT32_MAX, 1, 1), LP_ELIMIT, "at most 1048576"},
        {timed(2, -1.5, 1), LP_EINVAL, "forward time of op 2 is -1.5"},
        {timed(2, 1, (double)NAN), LP_EINVAL, "backward time of op 2 is not a number"},
        {timed(2, (double)INFINITY, 1), LP_EINVAL, "forward time of op 2 is infinite"},
        {{.number = 2, .activation = -1}, LP_EINVAL, "activation size of op 2 is -1"},
        {{.number = 2, .parameters = -2}, LP_EINVAL, "parameter size of op 2 is -2"},
        {{.number = 2, .work.backward_bytes = -3}, LP_EINVAL, "backward bytes moved of op 2"},
    };
    LpGraphBuilder *builder = lp_graph_builder_new("g", "g.txt");
    LpOp first = timed(1, 1, 1);
    add_op(builder, &first, 4);
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        LpDiag diag;
        assert_int_equal(lp_graph_builder_op(builder, &bad[i].op, 7, 3, &diag), bad[i].code);
        expect_diag(&diag, bad[i].code, 7, 3, bad[i].text);
    }
    LpGraph *graph = finish(builder); /* what was refused left nothing behind */
    assert_int_equal(graph->ops, 1);
    lp_graph_free(graph);
}

typedef struct EdgeLine {
    uint32_t src, dst;
} EdgeLine;

/* ops at lines 1..ops with the given numbers, edges at lines 11, 12, ... */
static LpDiag failure(const uint32_t *number, size_t ops, const EdgeLine *edge, size_t edges) {
    LpGraphBuilder *builder = lp_graph_builder_new("g", "g.txt");
    add_ops(builder, number, ops);
    for (size_t i = 0; i < edges; i++)
        add_edge(builder, edge[i].src, edge[i].dst, 11 + (int)i);
    LpGraph *graph = NULL;
    LpDiag diag = {0};
    assert_int_not_equal(lp_graph_builder_finish(builder, &graph, &diag), LP_OK);
    assert_null(graph);
    lp_graph_builder_free(builder);
    return diag;
}

static void an_empty_graph_is_refused(void **state) {
    (void)state;
    LpDiag diag = failure(NULL, 0, NULL, 0);
    expect_diag(&diag, LP_EINVAL, 0, 0, "no ops");
}

static void gaps_are_found(void **state) {
    (void)state;
    const uint32_t number[] = {1, 4, 2, 5};
    LpDiag diag = failure(number, 4, NULL, 0);
    expect_diag(&diag, LP_EINVAL, 4, 1, "op number 5 leaves a gap");
    expect_diag(&diag, LP_EINVAL, 4, 1, "3 is missing");
}

static void missing_ends_are_found(void **state) {
    (void)state;
    const uint32_t number[] = {1, 2, 3};
    const EdgeLine after[] = {{1, 2}, {2, 4}}, before[] = {{0, 2}}, far[] = {{UINT32_MAX, 1}};
    LpDiag diag = failure(number, 3, after, 2);
    expect_diag(&diag, LP_EINVAL, 12, 2, "there is no op 4");
    diag = failure(number, 3, before, 1);
    expect_diag(&diag, LP_EINVAL, 11, 2, "there is no op 0");
    diag = failure(number, 3, far, 1);
    expect_diag(&diag, LP_EINVAL, 11, 2, "there is no op 4294967295");
}

static void self_loops_are_refused(void **state) {
    (void)state;
    LpGraphBuilder *builder = lp_graph_builder_new("g", "g.txt");
    LpDiag diag;
    assert_int_equal(lp_graph_builder_edge(builder, 3, 3, 8, 2, &diag), LP_EINVAL);
    expect_diag(&diag, LP_EINVAL, 8, 2, "op 3 depends on itself");
    lp_graph_builder_free(builder);
}

/* 1 -> 2 -> 3 -> 4 -> 2 with 5 and 6 behind the cycle and 1 before it. */
static void cycles_name_an_op_and_an_edge_on_them(void **state) {
    (void)state;
    const uint32_t number[] = {6, 5, 1, 2, 3, 4};
    const EdgeLine edge[] = {{1, 2}, {4, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {1, 6}};
    LpDiag diag = failure(number, 6, edge, LP_COUNTOF(edge));
    expect_diag(&diag, LP_ECYCLE, 14, 2, "edge from op 3 to op 4 closes a cycle of 3 ops");
    const uint32_t pair[] = {2, 1};
    const EdgeLine both[] = {{1, 2}, {2, 1}};
    diag = failure(pair, 2, both, 2);
    expect_diag(&diag, LP_ECYCLE, 12, 2, "closes a cycle of 2 ops");
}

static void a_finished_builder_takes_nothing_more(void **state) {
    (void)state;
    LpGraphBuilder *builder = lp_graph_builder_new("g", "g.txt");
    LpOp op = timed(1, 1, 1), other = timed(2, 1, 1);
    add_op(builder, &op, 1);
    LpGraph *graph = NULL, *again = NULL;
    assert_int_equal(lp_graph_builder_finish(builder, &graph, NULL), LP_OK);
    assert_int_equal(lp_graph_builder_op(builder, &other, 1, 1, NULL), LP_ESTATE);
    assert_int_equal(lp_graph_builder_edge(builder, 1, 2, 1, 1, NULL), LP_ESTATE);
    assert_int_equal(lp_graph_builder_finish(builder, &again, NULL), LP_ESTATE);
    assert_null(again);
    lp_graph_builder_free(builder);
    assert_string_equal(graph->op[0].name, "op"); /* lives on in the graph */
    lp_graph_free(graph);
    lp_graph_free(NULL);
    lp_graph_builder_free(NULL);
}

/* A chain of 20 000 ops in reverse file order: every list is long, nothing recurses. */
static void long_chains_are_ordered(void **state) {
    (void)state;
    enum { OPS = 20000 };
    LpGraphBuilder *builder = lp_graph_builder_new("chain", NULL);
    for (uint32_t i = OPS; i >= 1; i--) {
        LpOp op = timed(i, 1, 1);
        add_op(builder, &op, 0);
    }
    for (uint32_t i = 1; i < OPS; i++)
        add_edge(builder, i, i + 1, 0);
    lp_graph_builder_batch(builder, 64);
    LpGraph *graph = finish(builder);
    assert_true(graph->batch == 64);
    for (uint32_t i = 0; i < OPS; i++)
        assert_int_equal(graph->op[graph->topo[i]].number, i + 1);
    lp_graph_free(graph);
}

TEST_GROUP(test_model_graph) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_follow_the_file),
        cmocka_unit_test(sums_run_in_file_order),
        cmocka_unit_test(scaling_leaves_worked_out_times_alone),
        cmocka_unit_test(stated_times_name_no_device),
        cmocka_unit_test(hash_covers_what_matters_and_no_names),
        cmocka_unit_test(bad_ops_are_refused),
        cmocka_unit_test(an_empty_graph_is_refused),
        cmocka_unit_test(gaps_are_found),
        cmocka_unit_test(missing_ends_are_found),
        cmocka_unit_test(self_loops_are_refused),
        cmocka_unit_test(cycles_name_an_op_and_an_edge_on_them),
        cmocka_unit_test(a_finished_builder_takes_nothing_more),
        cmocka_unit_test(long_chains_are_ordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
