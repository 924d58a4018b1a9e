/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds of every cut by kind: what is free, what numbering and batch change, and that a step
 * waits for its collectives. */
#include "group.h"
#include "model/device/device.h"
#include "tiny.h"

#include <math.h>

#include "base/rng.h"
#include "model/cuts/cuts.h"
#include "model/partition.h"
#include "model/zoo/zoo.h"
#include "sim/forecast.h"

enum { CASES = 300, OPS = 24, EDGES = 80, COLLECTIVES = 4 * (OPS + EDGES) };

/* A random graph: op i reads ops before it. */
typedef struct Case {
    LpRng rng;
    uint32_t ops, edges;
    LpOpKind kind[OPS];
    double bytes[OPS], parameters[OPS];
    uint32_t edge[EDGES][2];
} Case;

static uint32_t pick(Case *c, uint32_t count) {
    return (uint32_t)lp_rng_below(&c->rng, count);
}

static bool has_parameters(LpOpKind kind) {
    return kind == LP_OP_LINEAR || kind == LP_OP_CONV || kind == LP_OP_EMBEDDING ||
           kind == LP_OP_NORM_CHANNEL || kind == LP_OP_NORM_FEATURE || kind == LP_OP_RECURRENT ||
           kind == LP_OP_BLOCK || kind == LP_OP_UNKNOWN;
}

static void add_edge(Case *c, uint32_t from, uint32_t to) {
    for (uint32_t e = 0; e < c->edges; e++)
        if (c->edge[e][0] == from && c->edge[e][1] == to)
            return;
    c->edge[c->edges][0] = from;
    c->edge[c->edges++][1] = to;
}

/* only: of this kind alone, LP_OP_UNSTATED for any. */
static void make(Case *c, uint64_t seed, LpOpKind only) {
    *c = (Case){.rng = lp_rng_stream(seed, "cuts", 0)};
    c->ops = 2 + pick(c, OPS - 2);
    for (uint32_t i = 0; i < c->ops; i++) {
        LpOpKind any = (LpOpKind)(1 + pick(c, LP_OP_KIND_COUNT - 1));
        c->kind[i] = only != LP_OP_UNSTATED ? only : i == 0 ? LP_OP_INPUT : any;
        c->bytes[i] = 64.0 * (1 + pick(c, 1000));
        /* whole graphs without, too: what needs no gradient must show */
        bool bare = !has_parameters(c->kind[i]) || seed % 3 == 0 || pick(c, 4) == 0;
        c->parameters[i] = bare ? 0 : 64.0 * pick(c, 1000);
        for (uint32_t k = i > 0 ? 1 + pick(c, 2) : 0; k-- > 0;)
            add_edge(c, i - 1 - pick(c, i < 6 ? i : 6), i);
    }
}

/* As a graph whose op i has the number (and place) order[i]. */
static LpGraph *graph_of(const Case *c, const uint32_t *order, double batch) {
    LpGraphBuilder *builder = lp_graph_builder_new("g", NULL);
    LpGraph *graph = NULL;
    for (uint32_t at = 0; at < c->ops; at++)
        for (uint32_t i = 0; i < c->ops; i++) {
            LpOp op = {.number = at + 1,
                       .kind = c->kind[i],
                       .forward = 1,
                       .backward = 2,
                       .activation = batch * c->bytes[i],
                       .parameters = c->parameters[i]};
            if (order[i] == at)
                assert_int_equal(lp_graph_builder_op(builder, &op, 0, 0, NULL), LP_OK);
        }
    for (uint32_t e = 0; e < c->edges; e++)
        assert_int_equal(lp_graph_builder_edge(builder, order[c->edge[e][0]] + 1,
                                               order[c->edge[e][1]] + 1, 0, 0, NULL),
                         LP_OK);
    assert_int_equal(lp_graph_builder_finish(builder, &graph, NULL), LP_OK);
    lp_graph_builder_free(builder);
    return graph;
}

static const uint32_t *as_they_are(void) {
    static uint32_t order[OPS];
    for (uint32_t i = 0; i < OPS; i++)
        order[i] = i;
    return order;
}

/* A graph, its choice and its collectives. */
typedef struct Cut {
    LpGraph *graph;
    LpTypedOp op[OPS];
    LpTypedGraph typed;
    LpTypedChoice choice[OPS];
    LpTypedCollective collective[COLLECTIVES];
    uint32_t count, to[EDGES], from[EDGES];
    double bytes, parameters; /* one way: of tensors, of parameters */
} Cut;

static void cut_graph(Cut *cut, LpGraph *graph, uint32_t ways, bool sequence) {
    *cut = (Cut){.graph = graph};
    for (uint32_t u = 0; u < graph->ops; u++)
        cut->op[u] = (LpTypedOp){graph->op[u].kind, ways, graph->op[u].activation,
                                 graph->op[u].parameters, false};
    cut->typed = (LpTypedGraph){graph->ops,        cut->op,     graph->succ_begin, graph->succ,
                                graph->pred_begin, graph->pred, graph->topo,       sequence};
    lp_typed_choose(&cut->typed, cut->choice);
    cut->count =
        lp_typed_collectives(&cut->typed, cut->choice, cut->collective, cut->to, cut->from);
    assert_true(cut->count <= lp_typed_collectives_max(&cut->typed));
    for (uint32_t i = 0; i < cut->count; i++)
        *(cut->collective[i].role == LP_TYPED_PARAMETERS ? &cut->parameters : &cut->bytes) +=
            lp_typed_one_way(&cut->collective[i]);
}

static void each_case(LpOpKind only, void (*check)(Case *c, Cut *cut)) {
    Case *c = malloc(sizeof *c);
    Cut *cut = malloc(sizeof *cut);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        make(c, seed, only);
        cut_graph(cut, graph_of(c, as_they_are(), 1), 1 + pick(c, 8), pick(c, 2) > 0);
        check(c, cut);
        lp_graph_free(cut->graph);
    }
    free(c);
    free(cut);
}

/* ---- one server ---- */

static void check_alone(Case *c, Cut *cut) {
    (void)c;
    if (cut->op[0].ways == 1)
        assert_int_equal(cut->count, 0);
}

static void one_way_costs_nothing(void **state) {
    (void)state;
    each_case(LP_OP_UNSTATED, check_alone);
}

/* ---- numbering and batch ---- */

/* Any order of the ops in the file. */
static void shuffle(Case *c, uint32_t *order) {
    memcpy(order, as_they_are(), sizeof(uint32_t[OPS]));
    for (uint32_t i = c->ops; i-- > 1;) {
        uint32_t k = pick(c, i + 1), keep = order[i];
        order[i] = order[k];
        order[k] = keep;
    }
}

static void check_numbering(Case *c, Cut *cut) {
    uint32_t order[OPS];
    Cut *other = malloc(sizeof *other);
    shuffle(c, order);
    cut_graph(other, graph_of(c, order, 1), cut->op[0].ways, cut->typed.sequence);
    assert_int_equal(other->count, cut->count);
    tiny_near("bytes", other->bytes, cut->bytes, 1e-12);
    for (uint32_t u = 0; u < c->ops; u++) {
        assert_int_equal(other->choice[order[u]].way, cut->choice[u].way);
        assert_int_equal(other->choice[order[u]].rest, cut->choice[u].rest);
    }
    lp_graph_free(other->graph);
    free(other);
}

static void numbering_changes_nothing(void **state) {
    (void)state;
    each_case(LP_OP_UNSTATED, check_numbering);
}

static void check_batch(Case *c, Cut *cut) {
    Cut *twice = malloc(sizeof *twice);
    cut_graph(twice, graph_of(c, as_they_are(), 2), cut->op[0].ways, cut->typed.sequence);
    assert_int_equal(twice->count, cut->count);
    tiny_near("bytes", twice->bytes, 2 * cut->bytes, 1e-12);
    tiny_near("parameters", twice->parameters, cut->parameters, 1e-12);
    lp_graph_free(twice->graph);
    free(twice);
}

static void bytes_go_with_the_batch(void **state) {
    (void)state;
    each_case(LP_OP_UNSTATED, check_batch);
}

/* ---- what is free, and what is charged once ---- */

static void check_once(Case *c, Cut *cut) {
    (void)c;
    for (uint32_t i = 0; i < cut->count; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_false(cut->collective[i].op == cut->collective[k].op &&
                         cut->collective[i].role == cut->collective[k].role &&
                         cut->collective[i].exchange == cut->collective[k].exchange);
}

static void readers_share_a_gather(void **state) {
    (void)state;
    each_case(LP_OP_UNSTATED, check_once);
}

/* Input -> column -> elementwise ops -> row: only the row's output is reduced. */
static void column_to_row_is_free(void **state) {
    (void)state;
    for (uint32_t between = 0; between < 5; between++) {
        Case c = {.ops = 3 + between, .edges = 2 + between};
        Cut *cut = malloc(sizeof *cut);
        for (uint32_t i = 0; i < c.ops; i++) {
            c.kind[i] = i == 0                     ? LP_OP_INPUT
                        : i == 1 || i + 1 == c.ops ? LP_OP_LINEAR
                                                   : LP_OP_ELEMENTWISE;
            c.bytes[i] = i + 1 == c.ops ? 128 : 1024;
            c.parameters[i] = c.kind[i] == LP_OP_LINEAR ? 64 : 0;
            c.edge[i][0] = i;
            c.edge[i][1] = i + 1;
        }
        cut_graph(cut, graph_of(&c, as_they_are(), 1), 4, false);
        assert_int_equal(cut->choice[1].way, LP_WAY_COLUMN);
        assert_int_equal(cut->choice[c.ops - 1].way, LP_WAY_ROW);
        assert_int_equal(cut->count, 2);
        for (uint32_t i = 0; i < 2; i++)
            assert_int_equal(cut->collective[i].op, c.ops - 1);
        lp_graph_free(cut->graph);
        free(cut);
    }
}

/* ---- beside the other kinds ---- */

static LpPartition *partition(const LpGraph *graph, LpPartitionKind kind, uint32_t ways) {
    static const LpOptions corrected = {{false}};
    LpCut how = {.graph = graph,
                 .options = &corrected,
                 .kind = kind,
                 .overlap = true,
                 .reserve = true,
                 .min_op_time = 1e-9,
                 .max_deps = 10000000};
    uint32_t *list = calloc(graph->ops, sizeof *list);
    LpPartition *p = NULL;
    lp_cut_ways(&how, ways, list);
    assert_int_equal(lp_partition_build(&how, list, &p, NULL), LP_OK);
    free(list);
    return p;
}

static void check_unknown(Case *c, Cut *cut) {
    uint32_t ways = 2 + pick(c, 7);
    LpPartition *tensor = partition(cut->graph, LP_PARTITION_TENSOR, ways);
    LpPartition *model = partition(cut->graph, LP_PARTITION_MODEL, ways);
    assert_int_equal(tensor->collectives, model->collectives);
    tiny_near("bytes", tensor->collective_bytes, model->collective_bytes, 1e-12);
    for (uint32_t i = 0; i < model->collectives; i++) {
        const LpCollectiveTask *want = &model->collective[i];
        uint32_t k = 0;
        while (k < tensor->collectives &&
               (tensor->collective[k].op != want->op || tensor->collective[k].kind != want->kind ||
                tensor->collective[k].when != want->when ||
                tensor->collective[k].bytes != want->bytes))
            k++;
        assert_true(k < tensor->collectives);
    }
    for (uint32_t o = 0; o < model->ops; o++)
        assert_true(tensor->op_time[o] == model->op_time[o]);
    lp_partition_free(tensor);
    lp_partition_free(model);
}

static void unknown_ops_cost_what_model_costs(void **state) {
    (void)state;
    each_case(LP_OP_UNKNOWN, check_unknown);
}

static void the_zoo_is_never_dearer(void **state) {
    (void)state;
    size_t models;
    const LpZooModel *model = lp_zoo_table(&models);
    for (size_t i = 0; i < models; i++)
        for (uint32_t ways = 2; ways <= 16; ways *= 2) {
            LpZooSpec spec = {.name = model[i].name};
            LpGraph *graph = NULL;
            assert_int_equal(lp_zoo_build("g", &spec, &graph, NULL), LP_OK);
            lp_graph_cost(graph, &(LpRates){.device = lp_device_find("A100")});
            LpPartition *a = partition(graph, LP_PARTITION_TENSOR, ways);
            LpPartition *b = partition(graph, LP_PARTITION_MODEL, ways);
            if (a->collective_bytes > b->collective_bytes || a->collectives > b->collectives)
                fail_msg("%s, %u ways: %u collectives of %g bytes, the kind model has %u of %g",
                         model[i].name, ways, a->collectives, a->collective_bytes, b->collectives,
                         b->collective_bytes);
            lp_partition_free(a);
            lp_partition_free(b);
            lp_graph_free(graph);
        }
}

/* ---- steps wait for their collectives ---- */

static const char *name_of(LpOpKind kind) {
    static const char *const names[LP_OP_KIND_COUNT] = {[LP_OP_UNKNOWN] = "Op()",
                                                        [LP_OP_INPUT] = "Input",
                                                        [LP_OP_LINEAR] = "Linear(1, 2)",
                                                        [LP_OP_CONV] = "Conv2d(3)",
                                                        [LP_OP_ATTENTION] = "AttentionScores",
                                                        [LP_OP_ELEMENTWISE] = "ReLU()",
                                                        [LP_OP_RESHAPE] = "View(-1)",
                                                        [LP_OP_POOL] = "MaxPool2d(2)",
                                                        [LP_OP_NORM_CHANNEL] = "BatchNorm2d(8)",
                                                        [LP_OP_NORM_FEATURE] = "LayerNorm((8,))",
                                                        [LP_OP_EMBEDDING] = "Embedding(9)",
                                                        [LP_OP_LOSS] = "Loss",
                                                        [LP_OP_RECURRENT] = "LSTM(4)",
                                                        [LP_OP_BLOCK] = "Attention(4)"};
    return names[kind];
}

static char *profile_of(Case *c) {
    LpBuf text = {0};
    for (uint32_t i = 0; i < c->ops; i++)
        lp_buf_addf(&text,
                    "node%u -- %s -- forward_compute_time=%u, backward_compute_time=%u, "
                    "activation_size=%.17g, parameter_size=%.17g\n",
                    i + 1, name_of(c->kind[i]), pick(c, 5), pick(c, 5), 1e7 * c->bytes[i],
                    c->parameters[i]);
    for (uint32_t e = 0; e < c->edges; e++)
        lp_buf_addf(&text, "\tnode%u -- node%u\n", c->edge[e][0] + 1, c->edge[e][1] + 1);
    char *copy = malloc(text.len + 1);
    memcpy(copy, lp_buf_text(&text), text.len + 1);
    lp_buf_fini(&text);
    return copy;
}

typedef struct Step {
    const LpPartition *p;
    const LpStepGraph *g;
    const LpTrace *trace;
} Step;

static double start_of(const Step *s, uint32_t op) {
    double first = (double)INFINITY;
    for (uint32_t k = 0; k < s->p->ways[op]; k++)
        first = fmin(first, s->trace->start[s->p->part_begin[op] + k]);
    return first;
}

static double end_of(const Step *s, uint32_t op) {
    double last = 0;
    for (uint32_t k = 0; k < s->p->ways[op]; k++)
        last = fmax(last, s->trace->end[s->p->part_begin[op] + k]);
    return last;
}

static uint32_t task_of(const Step *s, uint32_t collective) {
    return s->g->parts + s->g->transfers + collective;
}

static void check_collective(const Step *s, uint32_t c) {
    const LpCollectiveTask *task = &s->p->collective[c];
    double start = s->trace->start[task_of(s, c)], end = s->trace->end[task_of(s, c)];
    assert_true(end > start);
    if (task->when == LP_WHEN_BEFORE)
        assert_true(start_of(s, task->op) >= end);
    if (task->when == LP_WHEN_AFTER || task->when == LP_WHEN_ASIDE)
        assert_true(start >= end_of(s, task->op));
}

/* When what an op makes is there: after its own collective, where it has one. */
static double made(const Step *s, uint32_t op) {
    double at = end_of(s, op);
    for (uint32_t c = 0; c < s->p->collectives; c++)
        if (s->p->collective[c].op == op && s->p->collective[c].when == LP_WHEN_AFTER)
            at = fmax(at, s->trace->end[task_of(s, c)]);
    return at;
}

static void check_link(const Step *s, const LpLink *link) {
    if (link->kind != LP_DEP_DATA || link->via == LP_NO_INDEX)
        return;
    uint32_t task = task_of(s, link->via);
    assert_int_equal(s->p->collective[link->via].when, LP_WHEN_BETWEEN);
    assert_true(s->trace->start[task] >= made(s, link->src));
    assert_true(start_of(s, link->dst) >= s->trace->end[task]);
}

static uint32_t check_steps(LpSession *session, uint32_t degree) {
    LpForecast f = tiny_predict_degree(session, degree);
    if (!f.feasible) /* no block of so many */
        return 0;
    const LpContext *context = lp_session_context(session);
    LpStepGraph graph;
    LpTrace trace;
    assert_int_equal(
        lp_store_trace(context, f.partition, f.placement, LP_RULES_SRPT, &graph, &trace, NULL),
        LP_OK);
    Step s = {lp_store_partition(context->store, f.partition), &graph, &trace};
    uint32_t between = 0;
    for (uint32_t c = 0; c < s.p->collectives; c++) {
        check_collective(&s, c);
        between += s.p->collective[c].when == LP_WHEN_BETWEEN;
    }
    for (uint32_t l = 0; l < s.p->links; l++)
        check_link(&s, &s.p->link[l]);
    lp_trace_fini(&trace);
    return between;
}

static void steps_wait_for_their_collectives(void **state) {
    (void)state;
    uint32_t between = 0;
    Case *c = malloc(sizeof *c);
    for (uint64_t seed = 1; seed <= CASES / 3; seed++) {
        make(c, seed, LP_OP_UNSTATED);
        char *graph = profile_of(c), partition[128];
        snprintf(partition, sizeof partition,
                 "\"kind\": \"tensor\", \"min_op_time\": %g, \"max_degree\": 8, \"sequence\": %s",
                 seed % 2 ? 0.5 : 3, seed % 3 ? "false" : "true");
        const Tiny t = {.cluster =
                            "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2, "
                            "\"racks_per_group\": 2, \"servers_per_rack\": 2 }, "
                            "\"server\": { \"memory\": \"1 EB\" } }",
                        .partition = partition,
                        .graph = {graph}};
        LpSession *session = tiny_open(&t);
        between += check_steps(session, 2);
        between += check_steps(session, 8);
        lp_session_close(session);
        free(graph);
    }
    free(c);
    assert_true(between > 200);
}

TEST_GROUP(test_cuts) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_way_costs_nothing),
        cmocka_unit_test(numbering_changes_nothing),
        cmocka_unit_test(bytes_go_with_the_batch),
        cmocka_unit_test(readers_share_a_gather),
        cmocka_unit_test(column_to_row_is_free),
        cmocka_unit_test(unknown_ops_cost_what_model_costs),
        cmocka_unit_test(the_zoo_is_never_dearer),
        cmocka_unit_test(steps_wait_for_their_collectives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
