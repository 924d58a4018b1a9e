/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts by kind against another implementation of the same rules (tests/golden/open/cuts.txt: three
 * graphs, one of them with sequence parallelism too), and a step of one against times worked out by
 * hand. */
#include "group.h"
#include "model/device/device.h"
#include "tiny.h"

#include <math.h>

#include "model/cuts/cuts.h"
#include "model/partition.h"
#include "model/zoo/zoo.h"
#include "sim/forecast.h"

enum { OPS = 128, COLLECTIVES = 256, LINE = 256 };

/* ---- the goldens ---- */

typedef struct Golden {
    char name[LINE];
    unsigned ways, sequence;
    uint32_t ops, collectives;
    LpOpKind kind[OPS];
    LpCutWay way[OPS];
    LpTypedCollective collective[COLLECTIVES];
    bool backward[COLLECTIVES];
    double one_way, model, data;
    LpGraphBuilder *builder;
} Golden;

/* "op conv 411041792 7168 0|Conv2d": times are long, but of what does no work. */
static void read_op(Golden *g, const char *line) {
    char kind[32];
    double bytes, parameters;
    int at = 0;
    const char *bar = strchr(line, '|');
    assert_non_null(bar);
    assert_int_equal(sscanf(line, "op %31s %lf %lf%n", kind, &bytes, &parameters, &at), 3);
    g->kind[g->ops] = lp_op_kind_find(kind);
    bool idle = strstr("Input View Loss Tokens CrossEntropyLoss", bar + 1) != NULL;
    LpOp op = {.number = ++g->ops,
               .name = bar + 1,
               .forward = !idle,
               .backward = !idle,
               .activation = bytes,
               .parameters = parameters};
    assert_int_equal(lp_graph_builder_op(g->builder, &op, 0, 0, NULL), LP_OK);
    unsigned input;
    for (int step = 0; sscanf(line + at, " %u%n", &input, &step) == 1; at += step)
        assert_int_equal(lp_graph_builder_edge(g->builder, input + 1, g->ops, 0, 0, NULL), LP_OK);
}

static void read_way(Golden *g, const char *line) {
    unsigned op;
    char word[8];
    assert_int_equal(sscanf(line, "way %u %7s", &op, word), 2);
    g->way[op] = strcmp(word, "col") == 0 ? LP_WAY_COLUMN : LP_WAY_ROW;
}

static void read_collective(Golden *g, const char *line) {
    static const char *const words[] = {"rs", "ag", "ar"};
    unsigned op;
    char pass, word[4];
    LpTypedCollective *c = &g->collective[g->collectives];
    assert_int_equal(sscanf(line, "collective %u %c %3s %lf", &op, &pass, word, &c->bytes), 4);
    c->op = op;
    g->backward[g->collectives++] = pass == 'b';
    for (int i = 0; i < 3; i++)
        if (strcmp(word, words[i]) == 0)
            c->exchange = (LpExchange)i;
}

static LpCut cut_of(const LpGraph *graph, LpPartitionKind kind, bool sequence,
                    const LpOptions *options) {
    return (LpCut){.graph = graph,
                   .options = options,
                   .kind = kind,
                   .overlap = true,
                   .sequence = sequence,
                   .reserve = true,
                   .min_op_time = 1e-9,
                   .max_deps = 1000000};
}

static LpPartition *cut(const LpGraph *graph, LpPartitionKind kind, bool sequence, uint32_t ways) {
    LpOptions options = lp_options_corrected();
    LpCut how = cut_of(graph, kind, sequence, &options);
    uint32_t *list = calloc(graph->ops, sizeof *list);
    LpPartition *p = NULL;
    assert_int_equal(lp_cut_ways(&how, ways, list), ways);
    assert_int_equal(lp_partition_build(&how, list, &p, NULL), LP_OK);
    free(list);
    return p;
}

static void expect_bytes(const Golden *g, const LpGraph *graph, LpPartitionKind kind, double want) {
    LpPartition *p = cut(graph, kind, g->sequence, g->ways);
    if (fabs(p->collective_bytes - want) > 1e-6 * want)
        fail_msg("%s, %s: %.17g bytes, expected %.17g", g->name, lp_partition_kind_word(kind),
                 p->collective_bytes, want);
    if (kind == LP_PARTITION_TENSOR)
        assert_int_equal(p->collectives, g->collectives);
    lp_partition_free(p);
}

static LpTypedGraph typed_graph(const Golden *g, const LpGraph *graph, LpTypedOp *op) {
    for (uint32_t u = 0; u < graph->ops; u++) {
        if (graph->op[u].kind != g->kind[u])
            fail_msg("%s: %s is %s, expected %s", g->name, graph->op[u].name,
                     lp_op_kind_word(graph->op[u].kind), lp_op_kind_word(g->kind[u]));
        op[u] = (LpTypedOp){graph->op[u].kind, g->ways, graph->op[u].activation,
                            graph->op[u].parameters, false};
    }
    return (LpTypedGraph){graph->ops,        op,          graph->succ_begin, graph->succ,
                          graph->pred_begin, graph->pred, graph->topo,       g->sequence};
}

static bool is_backward(const LpTypedCollective *c) {
    return c->role != LP_TYPED_OUTPUT && c->role != LP_TYPED_READERS;
}

/* Each of those expected is there; there are as many. */
static void compare(const Golden *g, const LpTypedCollective *got, uint32_t count) {
    bool used[COLLECTIVES] = {false};
    assert_int_equal(count, g->collectives);
    for (uint32_t i = 0; i < g->collectives; i++) {
        uint32_t c = 0;
        while (c < count && (used[c] || got[c].op != g->collective[i].op ||
                             is_backward(&got[c]) != g->backward[i] ||
                             got[c].exchange != g->collective[i].exchange ||
                             got[c].bytes != g->collective[i].bytes))
            c++;
        if (c == count)
            fail_msg("%s: collective %u of op %u is not there", g->name, i, g->collective[i].op);
        used[c] = true;
    }
}

static void check_choice(const Golden *g, const LpGraph *graph) {
    LpTypedOp op[OPS];
    LpTypedChoice choice[OPS];
    LpTypedGraph typed = typed_graph(g, graph, op);
    LpTypedCollective *got = calloc(lp_typed_collectives_max(&typed), sizeof *got);
    uint32_t to[2 * OPS], from[2 * OPS];
    assert_true(graph->edges <= 2 * OPS);
    lp_typed_choose(&typed, choice);
    for (uint32_t u = 0; u < graph->ops; u++)
        if (g->kind[u] == LP_OP_LINEAR || g->kind[u] == LP_OP_CONV)
            assert_int_equal(choice[u].way, g->way[u]);
    compare(g, got, lp_typed_collectives(&typed, choice, got, to, from));
    free(got);
}

static void check_golden(Golden *g) {
    LpGraph *graph = NULL;
    assert_int_equal(lp_graph_builder_finish(g->builder, &graph, NULL), LP_OK);
    check_choice(g, graph);
    expect_bytes(g, graph, LP_PARTITION_TENSOR, g->one_way);
    expect_bytes(g, graph, LP_PARTITION_MODEL, g->model);
    expect_bytes(g, graph, LP_PARTITION_DATA, g->data);
    lp_graph_free(graph);
    lp_graph_builder_free(g->builder);
}

static void every_graph_is_cut_as_expected(void **state) {
    (void)state;
    char line[LINE];
    unsigned graphs = 0;
    Golden *g = calloc(1, sizeof *g);
    FILE *file = fopen("tests/golden/open/cuts.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "graph ", 6) == 0) {
            *g = (Golden){.builder = lp_graph_builder_new("g", NULL)};
            assert_int_equal(sscanf(line, "graph %u %u %[^\n]", &g->ways, &g->sequence, g->name),
                             3);
        } else if (strncmp(line, "op ", 3) == 0) {
            read_op(g, line);
        } else if (strncmp(line, "way ", 4) == 0) {
            read_way(g, line);
        } else if (strncmp(line, "collective ", 11) == 0) {
            read_collective(g, line);
        } else if (strncmp(line, "total ", 6) == 0) {
            assert_int_equal(sscanf(line, "total %lf %lf %lf", &g->one_way, &g->model, &g->data),
                             3);
            check_golden(g);
            graphs++;
        }
    }
    fclose(file);
    free(g);
    assert_int_equal(graphs, 4);
}

/* ---- the zoo, by hand ---- */

static LpGraph *zoo(LpZooSpec spec) {
    LpGraph *graph = NULL;
    assert_int_equal(lp_zoo_build("g", &spec, &graph, NULL), LP_OK);
    lp_graph_cost(graph, &(LpRates){.device = lp_device_find("A100")});
    return graph;
}

static void expect_zoo(const char *name, uint32_t collectives, double bytes) {
    LpGraph *graph = zoo((LpZooSpec){.name = name, .batch = 32});
    LpPartition *p = cut(graph, LP_PARTITION_TENSOR, false, 8);
    assert_int_equal(p->collectives, collectives);
    assert_true(p->collective_bytes == bytes);
    lp_partition_free(p);
    lp_graph_free(graph);
}

/* docs/cuts.md works the first out: 8 940 520 and 1 681 896 values of 4 bytes, 32 images, both
 * ways. */
static void images_by_hand(void **state) {
    (void)state;
    expect_zoo("vgg16", 29, 8940520.0 * 2 * 128);
    expect_zoo("resnet18", 39, 1681896.0 * 2 * 128);
}

/* Each further layer: two all-reduces forward, two backward, of one hidden tensor. */
static void a_layer_of_a_transformer_costs_two_and_two(void **state) {
    (void)state;
    LpZooSpec spec = {.name = "transformer",
                      .batch = 1,
                      .hidden = 1024,
                      .heads = 16,
                      .sequence = 2048,
                      .vocabulary = 51200,
                      .bytes_per_value = 2};
    double before = 0;
    for (spec.layers = 1; spec.layers <= 4; spec.layers++) {
        LpGraph *graph = zoo(spec);
        LpPartition *p = cut(graph, LP_PARTITION_TENSOR, false, 8);
        uint32_t forward = 0, backward = 0;
        for (uint32_t c = 0; c < p->collectives; c++)
            if (p->collective[c].kind == LP_ALL_REDUCE && p->collective[c].bytes == 4194304)
                (*(p->collective[c].op < graph->ops ? &forward : &backward))++;
        assert_int_equal(forward, 2 * spec.layers + 1);           /* the embedding's */
        assert_int_equal(backward, 2 * spec.layers + 1);          /* the last norm's */
        assert_int_equal(p->collectives, forward + backward + 1); /* logits, gathered once */
        if (before > 0)
            assert_true(p->collective_bytes - before == 4 * 2 * 4194304.0);
        before = p->collective_bytes;
        lp_partition_free(p);
        lp_graph_free(graph);
    }
}

/* ---- a step by hand ---- */

/* Two servers, 1e9 bytes/s, 2 ms a message; a ring over two: one message of half the bytes, and the
 * adds of half the bytes where sums are made. */
#define CLUSTER                                                                                    \
    "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 2, \"node_bandwidth\": 1e9, "              \
    "\"latency\": 1e-3, \"io_latency\": 5e-4 }, \"server\": { \"device\": \"A100\" } }"

static double pass(double bytes) {
    return 2e-3 + bytes / 2 / 1e9;
}

/* Halves of the bytes are added: two operands read, one result written, of 2 bytes a value. */
static double adds(double bytes) {
    return bytes / 2 / 2 / (2039e9 / 6);
}

/* Tokens -> column (1 s, 2 s back) -> ReLU (1, 1) -> row (3, 4) -> Loss. The row's output is
 * reduced for the loss, and the gradient of the tokens is wanted by nobody: one all-reduce, on the
 * way of all. Everything else is halved, but the loss, which both servers work out: 0.5 s, 0.25 s
 * back. */
static const char CHAIN[] =
    "node1 -- Tokens() -- forward_compute_time=0, backward_compute_time=0, "
    "activation_size=4e8, parameter_size=0\n"
    "node2 -- Linear(1) -- forward_compute_time=1, backward_compute_time=2, "
    "activation_size=8e8, parameter_size=1e9\n"
    "node3 -- ReLU() -- forward_compute_time=1, backward_compute_time=1, "
    "activation_size=8e8, parameter_size=0\n"
    "node4 -- Linear(2) -- forward_compute_time=3, backward_compute_time=4, "
    "activation_size=2e8, parameter_size=1e9\n"
    "node5 -- Loss -- forward_compute_time=0.5, backward_compute_time=0.25, "
    "activation_size=0, parameter_size=0\n"
    "\tnode1 -- node2\n\tnode2 -- node3\n\tnode3 -- node4\n\tnode4 -- node5\n";

static LpForecast predict(const char *graph, const char *partition) {
    const Tiny t = {.cluster = CLUSTER, .partition = partition, .graph = {graph}};
    LpSession *s = tiny_open(&t);
    LpForecast f = tiny_predict_degree(s, 2);
    if (!f.feasible)
        fail_msg("%s", f.why);
    lp_session_close(s);
    return f;
}

#define TENSOR "\"kind\": \"tensor\", \"min_op_time\": 0.001, \"max_degree\": 2"

static void a_chain_by_hand(void **state) {
    (void)state;
    LpForecast f = predict(CHAIN, TENSOR);
    double reduce = 2 * pass(2e8) + adds(2e8);
    tiny_near("step", f.step_time, 12.0 / 2 + 0.75 + reduce, 1e-12);
    tiny_near("communication", f.communication, reduce, 1e-12);
    assert_int_equal(f.ops, 20); /* every op twice, both ways */
}

/* Embedding -> LayerNorm -> column: with everything whole the embedding is reduced forward and the
 * column's gradients backward; with sequence parallelism both are scattered and gathered, the norm
 * is cut, and the gradients of its parameters are reduced while the embedding's are gathered. */
static const char NORM[] = "node1 -- Tokens() -- forward_compute_time=0, backward_compute_time=0, "
                           "activation_size=1e3, parameter_size=0\n"
                           "node2 -- Embedding -- forward_compute_time=1, backward_compute_time=2, "
                           "activation_size=8e8, parameter_size=1e9\n"
                           "node3 -- LayerNorm -- forward_compute_time=1, backward_compute_time=3, "
                           "activation_size=8e8, parameter_size=4e3\n"
                           "node4 -- Linear(2) -- forward_compute_time=3, backward_compute_time=4, "
                           "activation_size=2e8, parameter_size=1e9\n"
                           "\tnode1 -- node2\n\tnode2 -- node3\n\tnode3 -- node4\n";

static void a_norm_by_hand(void **state) {
    (void)state;
    LpForecast f = predict(NORM, TENSOR);
    double reduce = 2 * pass(8e8) + adds(8e8);
    tiny_near("step", f.step_time, (1 + 2 + 3 + 4) / 2.0 + 1 + 3 + 2 * reduce, 1e-12);
    f = predict(NORM, TENSOR ", \"sequence\": true");
    double both = 2 * pass(8e8) + adds(8e8); /* scattered, gathered */
    tiny_near("step", f.step_time, 14 / 2.0 + 2 * both, 1e-12);
    tiny_near("communication", f.communication, 2 * both, 1e-12);
}

/* ---- refusals ---- */

static void published_rules_know_no_such_cut(void **state) {
    (void)state;
    LpGraph *graph = zoo((LpZooSpec){.name = "alexnet"});
    LpOptions options = lp_options_published();
    LpCut how = cut_of(graph, LP_PARTITION_TENSOR, false, &options);
    uint32_t ways[OPS] = {0};
    LpPartition *p = NULL;
    LpDiag diag = {0};
    lp_cut_ways(&how, 2, ways);
    assert_int_equal(lp_partition_build(&how, ways, &p, &diag), LP_EREFUSED);
    assert_non_null(strstr(diag.text, "\"tensor\" while option weight_sync is \"published\""));
    lp_graph_free(graph);
}

TEST_GROUP(test_cuts) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_graph_is_cut_as_expected),
        cmocka_unit_test(images_by_hand),
        cmocka_unit_test(a_layer_of_a_transformer_costs_two_and_two),
        cmocka_unit_test(a_chain_by_hand),
        cmocka_unit_test(a_norm_by_hand),
        cmocka_unit_test(published_rules_know_no_such_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
