/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an output owes to what the network read: against finite differences of the forward pass,
 * against the derivatives that training uses, and by hand where that can be done. Names of the
 * numbers that are read. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "learn/attribute.h"
#include "learn/feature.h"
#include "learn/infer.h"
#include "learn/minibatch.h"

enum { FEATURES = 7, ACTIONS = 4, NODES = 5, EDGES = 6 };

/* A diamond with a tail and a way back; node 0 has no inputs. */
static const uint32_t SRC[] = {0, 0, 1, 2, 3, 3}, DST[] = {1, 2, 3, 3, 4, 1};

typedef struct Case {
    LpNetPlan plan;
    double node[NODES * LP_NET_NODE], edge[EDGES * LP_NET_EDGE], features[FEATURES];
    double weight[ACTIONS];
    LpNetGraph graph;
    LpNetHead head;
    double *params, *room;
    double pooled[NODES];
    double by_feature[FEATURES], by_node[NODES * LP_NET_NODE], by_edge[EDGES * LP_NET_EDGE];
} Case;

static void fill(LpRng *rng, double *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = lp_rng_normal(rng);
}

static void make_shaped(Case *c, const LpNetShape *shape) {
    assert_int_equal(lp_net_check(shape, NULL), LP_OK);
    lp_net_plan(shape, &c->plan);
    c->graph = (LpNetGraph){NODES, EDGES, c->node, c->edge, SRC, DST};
    c->params = calloc(c->plan.params, sizeof *c->params);
    /* exactly the room that is asked for: a sanitizer sees more */
    c->room = malloc(lp_attribute_room(&c->plan, NODES, EDGES) * sizeof *c->room);
    assert_non_null(c->params);
    assert_non_null(c->room);
}

static void make(Case *c, LpNetHead head, bool silent, uint32_t rounds) {
    LpRng rng = lp_rng_stream(5, "attribute", rounds);
    LpNetShape shape = {FEATURES, ACTIONS, rounds, 6, 5, 4, 3, 8, silent, 0};
    make_shaped(c, &shape);
    fill(&rng, c->node, LP_COUNTOF(c->node));
    fill(&rng, c->edge, LP_COUNTOF(c->edge));
    fill(&rng, c->features, LP_COUNTOF(c->features));
    fill(&rng, c->weight, LP_COUNTOF(c->weight));
    c->head = head;
    lp_net_init(&c->plan, 3, c->params);
    for (size_t i = 0; i < c->plan.params; i++) /* biases too, away from the kinks of relu */
        c->params[i] += 0.3 * lp_rng_normal(&rng);
}

static void drop(Case *c) {
    free(c->params);
    free(c->room);
}

static double attribute(Case *c) {
    LpSlopes slopes = {c->by_feature, c->by_node, c->by_edge, c->pooled};
    memset(c->by_feature, 0x55, sizeof c->by_feature); /* all is overwritten */
    memset(c->by_node, 0x55, sizeof c->by_node);
    memset(c->by_edge, 0x55, sizeof c->by_edge);
    return lp_attribute(&c->plan, c->params, &c->graph, c->features, c->head, c->weight, c->room,
                        &slopes);
}

/* y by the forward pass. */
static double forward(const Case *c) {
    double room[4096], embedding[64], out[ACTIONS], sum = 0;
    assert_true(lp_infer_room(&c->plan, NODES, EDGES) <= LP_COUNTOF(room));
    lp_infer_embed(&c->plan, c->params, &c->graph, room, embedding);
    lp_infer_head(&c->plan, c->params, c->head, embedding, c->features, room, out);
    for (uint32_t a = 0; a < (c->head == LP_HEAD_VALUE ? 1 : ACTIONS); a++)
        sum += c->weight[a] * out[a];
    return sum;
}

static void expect(double found, double expected, const char *what, size_t at) {
    if (!(fabs(found - expected) <= 2e-6 * (1 + fabs(expected))))
        fail_msg("%s %zu: derivative %.12g, expected %.12g", what, at, found, expected);
}

/* (y(x + h) - y(x - h)) / 2h */
static double difference(const Case *c, double *x) {
    const double h = 1e-6, kept = *x;
    *x = kept + h;
    double above = forward(c);
    *x = kept - h;
    double below = forward(c);
    *x = kept;
    return (above - below) / (2 * h);
}

/* y with all states after the last round larger by so much of themselves: the embedding is. */
static double scaled(const Case *c, double more) {
    double room[4096], embedding[64], out[ACTIONS], sum = 0;
    lp_infer_embed(&c->plan, c->params, &c->graph, room, embedding);
    for (uint32_t i = 0; i < c->plan.shape.embedding; i++)
        embedding[i] *= 1 + more;
    lp_infer_head(&c->plan, c->params, c->head, embedding, c->features, room, out);
    for (uint32_t a = 0; a < (c->head == LP_HEAD_VALUE ? 1 : ACTIONS); a++)
        sum += c->weight[a] * out[a];
    return sum;
}

static void check(LpNetHead head, bool silent, uint32_t rounds) {
    Case c;
    make(&c, head, silent, rounds);
    assert_true(attribute(&c) == forward(&c)); /* to the bit */
    for (size_t i = 0; i < LP_COUNTOF(c.features); i++)
        expect(c.by_feature[i], difference(&c, &c.features[i]), "feature", i);
    for (size_t i = 0; i < LP_COUNTOF(c.node); i++)
        expect(c.by_node[i], difference(&c, &c.node[i]), "node", i);
    for (size_t i = 0; i < LP_COUNTOF(c.edge); i++)
        expect(c.by_edge[i], difference(&c, &c.edge[i]), "edge", i);
    double pooled = 0;
    for (size_t i = 0; i < LP_COUNTOF(c.pooled); i++)
        pooled += c.pooled[i];
    expect(pooled, (scaled(&c, 1e-6) - scaled(&c, -1e-6)) / 2e-6, "pooled", 0);
    drop(&c);
}

static void slopes_are_those_of_differences(void **state) {
    (void)state;
    for (int head = 0; head < LP_HEAD_COUNT; head++)
        for (uint32_t rounds = 1; rounds <= 3; rounds++)
            for (int silent = 0; silent < 2; silent++)
                check((LpNetHead)head, silent, rounds);
}

static void slopes_are_those_of_training(void **state) {
    (void)state;
    Case c;
    LpMinibatch *b;
    uint32_t graph = 0;
    make(&c, LP_HEAD_POLICY, true, 2);
    attribute(&c);
    double *grad = calloc(c.plan.params, sizeof *grad);
    assert_int_equal(lp_minibatch_new(&c.plan, &c.graph, 1, 1, &b, NULL), LP_OK);
    lp_minibatch_forward(b, c.params, 1, &graph, c.features);
    memcpy(lp_minibatch_slope(b, LP_HEAD_POLICY), c.weight, sizeof c.weight);
    lp_minibatch_backward(b, c.params, 1u << LP_HEAD_POLICY, grad);
    for (size_t i = 0; i < LP_COUNTOF(c.features); i++)
        assert_true(fabs(lp_minibatch_feature_slope(b)[i] - c.by_feature[i]) < 1e-12);
    for (size_t i = 0; i < LP_COUNTOF(c.node); i++)
        assert_true(fabs(lp_minibatch_node_slope(b)[i] - c.by_node[i]) < 1e-12);
    lp_minibatch_free(b);
    free(grad);
    drop(&c);
}

static double *tensor(Case *c, const char *name) {
    int at = lp_net_find(&c->plan, name);
    assert_true(at >= 0);
    return c->params + c->plan.tensor[at].offset;
}

/* Two features a > b, of which the layer norm leaves u = d / sqrt(d^2 + 1e-5) with d = (a - b) / 2;
 * y = 3 u. */
static void the_branch_by_hand(void **state) {
    (void)state;
    Case c;
    LpNetShape shape = {2, 2, 1, 2, 1, 1, 1, 1, false, 0};
    make_shaped(&c, &shape);
    c.head = LP_HEAD_POLICY;
    tensor(&c, "branch.gain")[0] = 1;
    tensor(&c, "branch.weight")[0] = 1;
    tensor(&c, "policy.hidden.weight")[1] = 1; /* graph, branch */
    tensor(&c, "policy.out.weight")[0] = 3;
    memset(c.node, 0, sizeof c.node);
    memset(c.edge, 0, sizeof c.edge);
    memcpy(c.weight, (double[]){1, 0, 0, 0}, sizeof c.weight);
    memcpy(c.features, (double[FEATURES]){0.014, 0.01}, sizeof c.features);
    double d = 0.002, square = d * d + 1e-5, slope = 3 * 0.5 * 1e-5 / (square * sqrt(square));
    expect(attribute(&c), 3 * d / sqrt(square), "y", 0);
    expect(c.by_feature[0], slope, "feature", 0);
    expect(c.by_feature[1], -slope, "feature", 1);
    for (size_t i = 0; i < LP_COUNTOF(c.node); i++)
        assert_true(c.by_node[i] == 0);
    /* the other way round relu is shut: nothing moves it */
    memcpy(c.features, (double[FEATURES]){0.01, 0.014}, sizeof c.features);
    assert_true(attribute(&c) == 0);
    assert_true(c.by_feature[0] == 0 && c.by_feature[1] == 0);
    drop(&c);
}

/* Of node v only u = its first number after the layer norm goes on, as a message [u, 0] to itself
 * that the next layer norm makes f(u) = u / 2 / sqrt(u^2 / 4 + 1e-5); y is the mean over the nodes
 * of f, times 4. Edges bring messages [u of their source, 0]. */
static void a_node_by_hand(void **state) {
    (void)state;
    Case c;
    LpNetShape shape = {2, 2, 1, 2, 1, 1, 1, 1, false, 0};
    make_shaped(&c, &shape);
    c.head = LP_HEAD_VALUE;
    c.graph.nodes = 2;
    c.graph.edges = 1; /* 0 -> 1 */
    tensor(&c, "round0.node.gain")[0] = 1;
    tensor(&c, "round0.node.weight")[0] = 1;
    tensor(&c, "round0.reduce.gain")[0] = 1;
    tensor(&c, "round0.reduce.weight")[0] = 1;
    tensor(&c, "value.hidden.weight")[0] = 1;
    tensor(&c, "value.out.weight")[0] = 4;
    memset(c.edge, 0, sizeof c.edge);
    memset(c.node, 0, sizeof c.node);
    memset(c.features, 0, sizeof c.features);
    c.node[0] = 0.01;           /* of node 0: mean 0.002 */
    c.node[LP_NET_NODE] = 0.02; /* of node 1: mean 0.004 */
    c.weight[0] = 1;
    double by_u[2], u[2], f[2];
    for (int v = 0; v < 2; v++) {
        double x = c.node[v * LP_NET_NODE], mean = x / 5;
        double variance = ((x - mean) * (x - mean) + 4 * mean * mean) / 5;
        u[v] = (x - mean) / sqrt(variance + 1e-5);
        double square = u[v] * u[v] / 4 + 1e-5;
        f[v] = u[v] / 2 / sqrt(square);
        by_u[v] = 0.5 * 1e-5 / (square * sqrt(square));
    }
    /* node 0: f0; node 1: (f1 + f0) / 2 */
    expect(attribute(&c), 4 * (f[0] + (f[0] + f[1]) / 2) / 2, "y", 0);
    expect(c.pooled[0], 4 * f[0] / 2, "pooled", 0);
    expect(c.pooled[1], 4 * (f[0] + f[1]) / 2 / 2, "pooled", 1);
    const double share[] = {4 * 1.5 / 2, 4 * 0.5 / 2};
    for (int v = 0; v < 2; v++) {
        double x = c.node[v * LP_NET_NODE], mean = x / 5;
        double variance = ((x - mean) * (x - mean) + 4 * mean * mean) / 5;
        double scale = 1 / sqrt(variance + 1e-5), other = -mean * scale;
        /* du/dx_i = scale ([i = 0] - 1/5 - u_i u / 5) */
        expect(c.by_node[v * LP_NET_NODE], share[v] * by_u[v] * scale * (1 - 0.2 - u[v] * u[v] / 5),
               "node", (size_t)v);
        for (int i = 1; i < LP_NET_NODE; i++)
            expect(c.by_node[v * LP_NET_NODE + i],
                   share[v] * by_u[v] * scale * (-0.2 - other * u[v] / 5), "other", (size_t)i);
    }
    drop(&c);
}

static void every_number_has_a_name(void **state) {
    (void)state;
    const uint32_t actions = lp_observe_actions(8, 2);
    for (int e = 0; e < LP_ENCODING_COUNT; e++) {
        const uint32_t all = lp_encoding_actions((LpEncoding)e, 8, 2);
        uint32_t features = lp_observe_features((LpEncoding)e, 8, 2);
        for (uint32_t i = 0; i < features; i++) {
            LpFeature f = lp_feature((LpEncoding)e, all, i);
            assert_true(f.name[0] != '\0' && f.doc[0] != '\0');
            bool of_action = f.kind == LP_FEATURE_ACTION || f.kind == LP_FEATURE_MASK ||
                             f.kind == LP_FEATURE_OWN;
            assert_true(of_action ? f.action < all : f.action == UINT32_MAX);
        }
        LpFeature last = lp_feature((LpEncoding)e, all, features - 1);
        LpFeature first = lp_feature((LpEncoding)e, all, features - all);
        assert_string_equal(last.name, "open");
        assert_int_equal(last.action, all - 1);
        assert_string_equal(first.name, "open");
        assert_int_equal(first.action, 0);
    }
    LpFeature f = lp_feature(LP_ENCODING_CORRECTED, actions, 17 + 6 + 2 * actions + 3);
    assert_string_equal(f.name, "block left");
    assert_int_equal(f.action, 3);
    assert_string_equal(lp_feature(LP_ENCODING_CORRECTED, actions, 18).name, "free in 2 arrivals");
    assert_string_equal(lp_feature(LP_ENCODING_PUBLISHED, actions, 16).name, "running jobs");
    assert_string_equal(lp_feature_node(4).name, "depth");
    assert_string_equal(lp_feature_edge(1).name, "most bytes");
}

TEST_GROUP(test_learn_attribute) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_those_of_differences),
        cmocka_unit_test(slopes_are_those_of_training),
        cmocka_unit_test(the_branch_by_hand),
        cmocka_unit_test(a_node_by_hand),
        cmocka_unit_test(every_number_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
