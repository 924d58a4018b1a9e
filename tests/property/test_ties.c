/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounding decides nothing: equal shares are equal bits, and a step whose times and sizes all grow
 * by one factor grows by that factor, whatever the factor does to the last bits. */
#include <math.h>

#include "base/rng.h"
#include "group.h"
#include "model/graph.h"
#include "model/partition.h"
#include "sim/forecast.h"
#include "sim/world.h"
#include "tiny.h"

enum { WAYS = 27, DENOMINATORS = WAYS * WAYS + 1, CASES = 150, OPS = 6 };

/* ---- shares ---- */

/* u -> v with this activation. */
static LpGraph *pair_graph(double activation) {
    LpGraphBuilder *builder = lp_graph_builder_new("g", "g.txt");
    LpGraph *graph = NULL;
    LpDiag diag = {0};
    for (uint32_t i = 1; i <= 2; i++) {
        LpOp op = {
            .number = i, .forward = 1, .backward = 2, .activation = activation, .name = "op"};
        assert_int_equal(lp_graph_builder_op(builder, &op, (int)i, 1, &diag), LP_OK);
    }
    assert_int_equal(lp_graph_builder_edge(builder, 1, 2, 3, 1, &diag), LP_OK);
    assert_int_equal(lp_graph_builder_finish(builder, &graph, &diag), LP_OK);
    lp_graph_builder_free(builder);
    return graph;
}

/* share[n][d]: what n/d of the tensor was the first time, NAN before. */
typedef struct Known {
    double share[WAYS + 1][DENOMINATORS];
} Known;

static uint32_t common(uint32_t a, uint32_t b) {
    return b == 0 ? a : common(b, a % b);
}

/* The overlap of [a/s, (a+1)/s) and [b/t, (b+1)/t) in lowest terms. */
static void overlap(uint32_t a, uint32_t s, uint32_t b, uint32_t t, uint32_t *n, uint32_t *d) {
    uint32_t from = a * t > b * s ? a * t : b * s;
    uint32_t to = (a + 1) * t < (b + 1) * s ? (a + 1) * t : (b + 1) * s;
    uint32_t g = common(s * t, to - from);
    *n = (to - from) / g;
    *d = s * t / g;
}

static void look_at_link(Known *known, const LpPartition *p, const LpLink *link, double tensor) {
    uint32_t s = p->ways[link->src], t = p->ways[link->dst];
    double sum = 0;
    for (uint32_t a = 0; a < s; a++) {
        uint32_t first, end, n, d;
        lp_link_heads(p, link, a, &first, &end);
        for (uint32_t b = first; b < end; b++) {
            double bytes = lp_link_bytes(p, link, a, b);
            overlap(a, s, b, t, &n, &d);
            if (isnan(known->share[n][d]))
                known->share[n][d] = bytes;
            if (bytes != known->share[n][d])
                fail_msg("%u/%u of %.17g is %.17g between %u and %u parts, else %.17g", n, d,
                         tensor, bytes, s, t, known->share[n][d]);
            sum += bytes;
        }
    }
    tiny_near("all shares", sum, tensor, 1e-12);
}

static void equal_shares_are_equal_bits(void **state) {
    LpRng rng = lp_rng_stream(1, "shares", 0);
    LpOptions options = lp_options_corrected();
    Known *known = lp_alloc(1, sizeof *known);
    (void)state;
    assert_non_null(known);
    for (int round = 0; round < 20; round++) {
        double tensor = round == 0 ? 3259280.79 : 1e7 * lp_rng_unit(&rng);
        LpGraph *graph = pair_graph(tensor);
        const LpCut cut = {.graph = graph,
                           .options = &options,
                           .kind = LP_PARTITION_DATA,
                           .min_op_time = 1,
                           .max_deps = 100000};
        for (uint32_t n = 0; n <= WAYS; n++)
            for (uint32_t d = 0; d < DENOMINATORS; d++)
                known->share[n][d] = (double)NAN;
        for (uint32_t i = 0; i < WAYS * WAYS; i++) {
            uint32_t ways[2] = {1 + i / WAYS, 1 + i % WAYS};
            LpPartition *p = NULL;
            assert_int_equal(lp_partition_build(&cut, ways, &p, NULL), LP_OK);
            for (uint32_t l = 0; l < p->links; l++)
                if (p->link[l].kind == LP_DEP_DATA)
                    look_at_link(known, p, &p->link[l], tensor);
            lp_partition_free(p);
        }
        lp_graph_free(graph);
    }
    lp_free(known);
}

/* ---- one factor on everything ---- */

/* Without latencies a step is linear in its times and sizes. */
#define FLAT                                                                                       \
    "\"node_bandwidth\": 1e10, \"propagation_latency\": 0, \"io_latency\": 0, \"slot\": 0 }, "     \
    "\"server\": { \"device\": \"A100\" } }"

static const char *const clusters[] = {
    "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 1, \"racks_per_group\": 1, "
    "\"servers_per_rack\": 9, " FLAT,
    "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 3, \"racks_per_group\": 3, "
    "\"servers_per_rack\": 1, " FLAT,
    "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2, \"racks_per_group\": 2, "
    "\"servers_per_rack\": 3, " FLAT};

typedef struct Shape {
    TinyOp op[OPS];
    uint32_t ops, edge[OPS * OPS][2], edges, degree;
    const char *cluster;
    LpOrder order;
} Shape;

/* Takes the graph. -1: it cannot be placed. */
static double run_shape(const Shape *shape, char *graph, const char *partition) {
    const Tiny t = {.cluster = shape->cluster, .graph = {graph}, .partition = partition};
    LpSession *s = tiny_open(&t);
    const LpAnswer answer = {.kind = LP_ANSWER_RUN,
                             .degree = shape->degree,
                             .order_ops = shape->order,
                             .order_flows = shape->order};
    LpForecast f = tiny_predict(s, &answer);
    double time = f.feasible ? f.step_time : -1;
    lp_session_close(s);
    free(graph);
    return time;
}

static double step_time(const Shape *shape, double factor) {
    char partition[128];
    TinyOp op[OPS];
    for (uint32_t i = 0; i < shape->ops; i++)
        op[i] = (TinyOp){shape->op[i].forward * factor, shape->op[i].backward * factor,
                         shape->op[i].activation * factor, 0};
    char *graph = tiny_profile(op, shape->ops, shape->edge, shape->edges);
    snprintf(partition, sizeof partition, "\"kind\": \"data\", \"min_op_time\": %.17g",
             9.9e-6 * factor);
    return run_shape(shape, graph, partition);
}

static void expect_linear(const Shape *shape, uint32_t number) {
    static const double factors[] = {3, 7, 1.1, 1 / 3.0, 0.123456789};
    char what[64];
    double time = step_time(shape, 1);
    if (time < 0)
        return;
    for (size_t i = 0; i < LP_COUNTOF(factors); i++) {
        snprintf(what, sizeof what, "case %u, %g times", (unsigned)number, factors[i]);
        tiny_near(what, step_time(shape, factors[i]), time * factors[i], 1e-9);
    }
}

/* Reported from outside: act * 3/27 and act * 1/9 of one tensor, and ops of 9, 3, 1, 3 parts. */
static void reported_shares_tie(void **state) {
    static const double forward[] = {89.1e-6, 29.7e-6, 9.9e-6, 29.7e-6};
    static const uint32_t all[][2] = {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    (void)state;
    for (uint32_t mask = 1; mask < 64; mask++) {
        Shape shape = {.ops = 4, .degree = 9, .cluster = clusters[0], .order = LP_ORDER_SRPT};
        for (uint32_t i = 0; i < 4; i++)
            shape.op[i] = (TinyOp){forward[i], 2 * forward[i], i == 0 ? 3259280.79 : 1e6, 0};
        for (uint32_t i = 0; i < 6; i++)
            if (mask >> i & 1) {
                shape.edge[shape.edges][0] = all[i][0];
                shape.edge[shape.edges++][1] = all[i][1];
            }
        expect_linear(&shape, mask);
    }
}

static const double TENSOR = 1086426.93; /* a third of the one that was reported */

/* The same shape in units in which no share is rounded: times are whole multiples of 2^-17 s,
 * tensors of 27 times a number of few bits, so that all shares have an exact double, and ties are
 * ties by construction. What it lasts, in the units of the other. */
static double exact_time(const Shape *shape) {
    const double unit = 9.9e-6, tick = ldexp(1, -17);
    const double tensor = 27 * ldexp(round(ldexp(TENSOR / unit * tick / 27, 10)), -10);
    Shape twin = *shape;
    for (uint32_t i = 0; i < shape->ops; i++) {
        const TinyOp *op = &shape->op[i];
        twin.op[i] = (TinyOp){round(op->forward / unit) * tick, round(op->backward / unit) * tick,
                              round(op->activation / TENSOR) * tensor, 0};
    }
    char partition[128];
    char *graph = tiny_profile(twin.op, twin.ops, shape->edge, twin.edges);
    snprintf(partition, sizeof partition, "\"kind\": \"data\", \"min_op_time\": %.17g", tick);
    return run_shape(&twin, graph, partition) / tick * unit;
}

/* Four ops in every topology of the order 1, 2, 3, 4 (chain, diamond, fan-out, all edges), each of
 * them the one with the odd tensor, 3, 9 and 27 ways: what rounding decided cost up to 25 %. */
static void rounded_shares_last_as_exact_ones(void **state) {
    static const double multiple[] = {9, 3, 1, 3};
    static const uint32_t all[][2] = {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    (void)state;
    for (uint32_t number = 0; number < 64 * 12; number++) {
        uint32_t mask = number % 64, odd = number / 64 % 4;
        Shape shape = {.ops = 4, .degree = number % 3 == 0 ? 3 : 9, .cluster = clusters[0]};
        shape.order = number % 2 ? LP_ORDER_SRPT : LP_ORDER_CRITICAL_PATH;
        for (uint32_t i = 0; i < 4; i++)
            shape.op[i] = (TinyOp){9.9e-6 * multiple[i], 19.8e-6 * multiple[i],
                                   i == odd ? 3259280.79 : TENSOR, 0};
        for (uint32_t i = 0; i < 6; i++)
            if (mask >> i & 1) {
                shape.edge[shape.edges][0] = all[i][0];
                shape.edge[shape.edges++][1] = all[i][1];
            }
        char what[64];
        snprintf(what, sizeof what, "topology %u, tensor of op %u, %u ways", (unsigned)mask,
                 (unsigned)odd + 1, (unsigned)shape.degree);
        double time = step_time(&shape, 1);
        assert_true(time > 0 || shape.edges == 0);
        if (time > 0)
            tiny_near(what, time, exact_time(&shape), 1e-7);
    }
}

/* Small multiples of one time and one size, so that sums and shares tie again and again. */
static Shape random_shape(LpRng *rng) {
    static const double multiple[] = {1, 1, 2, 3, 6, 9, 1 / 3.0};
    static const uint32_t degree[] = {2, 3, 6, 9, 12};
    Shape s = {.ops = 2 + (uint32_t)lp_rng_below(rng, OPS - 1), .order = LP_ORDER_SRPT};
    for (uint32_t i = 0; i < s.ops; i++) {
        double time = 9.9e-6 * multiple[lp_rng_below(rng, LP_COUNTOF(multiple))];
        s.op[i] = (TinyOp){time, time * (double)(1 + lp_rng_below(rng, 2)),
                           66000.1 * multiple[lp_rng_below(rng, LP_COUNTOF(multiple))], 0};
        for (uint32_t j = i + 1; j < s.ops; j++)
            if (lp_rng_below(rng, 2) == 0) {
                s.edge[s.edges][0] = i + 1;
                s.edge[s.edges++][1] = j + 1;
            }
    }
    s.cluster = clusters[lp_rng_below(rng, LP_COUNTOF(clusters))];
    s.degree = degree[lp_rng_below(rng, LP_COUNTOF(degree))];
    return s;
}

static void steps_scale(void **state) {
    LpRng rng = lp_rng_stream(1, "ties", 0);
    (void)state;
    for (uint32_t i = 0; i < CASES; i++) {
        Shape shape = random_shape(&rng);
        shape.order = i % 3 == 0 ? LP_ORDER_CRITICAL_PATH : LP_ORDER_SRPT;
        if (test_taken(i / 3 + i % 3))
            expect_linear(&shape, i);
    }
}

/* ---- the cluster's clock ---- */

/* 0.1 + 0.2 > 0.3: the servers are free when the second job arrives, and so on for other sums. */
static void a_completion_comes_before_the_arrival_at_its_instant(void **state) {
    (void)state;
    for (uint32_t i = 1; i < 40; i++)
        for (uint32_t j = 1; j < 40; j++) {
            char jobs[256];
            if (!test_taken(i + j))
                continue;
            snprintf(jobs, sizeof jobs,
                     "[ { \"servers\": 8, \"duration\": %u.%u, \"arrival\": %u.%u }, "
                     "{ \"servers\": 8, \"duration\": 1, \"arrival\": %u.%u } ]",
                     i / 10, i % 10, j / 10, j % 10, (i + j) / 10, (i + j) % 10);
            const Tiny t = {.cluster = "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 8 } }",
                            .jobs = jobs};
            LpSession *s = tiny_open(&t);
            tiny_run(s);
            if (tiny_job(s, 1)->times.start != tiny_job(s, 1)->asked.arrival)
                fail_msg("%s: the second one does not start at once", jobs);
            lp_session_close(s);
        }
}

/* An op of k quanta is cut k ways. */
static void whole_quanta_are_whole(void **state) {
    LpOptions options = lp_options_corrected();
    (void)state;
    for (uint32_t k = 1; k < 100; k++)
        for (uint32_t q = 1; q < 100; q++) {
            double quantum = q / 10.0, time = (double)(k * q) / 10.0;
            LpOp op = {.number = 1, .forward = time, .backward = time, .name = "op"};
            LpGraphBuilder *builder = lp_graph_builder_new("g", "g.txt");
            LpGraph *graph = NULL;
            uint32_t ways;
            assert_int_equal(lp_graph_builder_op(builder, &op, 1, 1, NULL), LP_OK);
            assert_int_equal(lp_graph_builder_finish(builder, &graph, NULL), LP_OK);
            lp_graph_builder_free(builder);
            const LpCut cut = {
                .graph = graph, .options = &options, .min_op_time = quantum, .max_deps = 100000};
            if (lp_cut_ways(&cut, 1000, &ways) != k)
                fail_msg("%.17g s in parts of %.17g s: %u ways", time, quantum, ways);
            lp_graph_free(graph);
        }
}

TEST_GROUP(test_ties) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_shares_are_equal_bits),
        cmocka_unit_test(reported_shares_tie),
        cmocka_unit_test(rounded_shares_last_as_exact_ones),
        cmocka_unit_test(steps_scale),
        cmocka_unit_test(a_completion_comes_before_the_arrival_at_its_instant),
        cmocka_unit_test(whole_quanta_are_whole),
    };
    return cmocka_run_group_tests_name("ties", tests, NULL, NULL);
}
