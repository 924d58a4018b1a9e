/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network: derivatives against finite differences, own loops against BLAS, Adam, and the table
 * of tensors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "learn/adam.h"
#include "learn/heads.h"
#include "learn/infer.h"
#include "learn/minibatch.h"

enum { FEATURES = 7, ACTIONS = 4, SAMPLES = 5, GRAPHS = 2, MOST = 12 };

/* A diamond with a tail, and a chain of two. */
static const uint32_t SRC[] = {0, 0, 1, 2, 3, 3}, DST[] = {1, 2, 3, 3, 4, 1};
static const uint32_t SRC2[] = {0}, DST2[] = {1};

typedef struct Case {
    LpNetPlan plan;
    double node[MOST * LP_NET_NODE], edge[MOST * LP_NET_EDGE];
    LpNetGraph graph[GRAPHS];
    uint32_t of[SAMPLES];
    double features[SAMPLES * FEATURES];
    double weight[LP_HEAD_COUNT][SAMPLES * ACTIONS]; /* the loss is linear in the outputs */
    double *params, *grad;
} Case;

static void fill(LpRng *rng, double *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = lp_rng_normal(rng);
}

static void make(Case *c, bool silent, uint32_t rounds) {
    LpRng rng = lp_rng_stream(7, "test", rounds);
    LpNetShape shape = {FEATURES, ACTIONS, rounds, 6, 5, 4, 3, 8, silent, 0};
    assert_int_equal(lp_net_check(&shape, NULL), LP_OK);
    lp_net_plan(&shape, &c->plan);
    fill(&rng, c->node, LP_COUNTOF(c->node));
    fill(&rng, c->edge, LP_COUNTOF(c->edge));
    /* edges that look the same go through the network together */
    memcpy(c->edge + 3 * LP_NET_EDGE, c->edge, LP_NET_EDGE * sizeof *c->edge);
    memcpy(c->edge + 6 * LP_NET_EDGE, c->edge + LP_NET_EDGE, LP_NET_EDGE * sizeof *c->edge);
    fill(&rng, c->features, LP_COUNTOF(c->features));
    fill(&rng, c->weight[0], LP_COUNTOF(c->weight) * LP_COUNTOF(c->weight[0]));
    c->graph[0] = (LpNetGraph){5, 6, c->node, c->edge, SRC, DST};
    c->graph[1] =
        (LpNetGraph){2, 1, c->node + 5 * LP_NET_NODE, c->edge + 6 * LP_NET_EDGE, SRC2, DST2};
    for (uint32_t i = 0; i < SAMPLES; i++)
        c->of[i] = i % GRAPHS;
    c->params = lp_alloc(c->plan.params, sizeof *c->params);
    c->grad = lp_alloc(c->plan.params, sizeof *c->grad);
    lp_net_init(&c->plan, 3, c->params);
    for (size_t i = 0; i < c->plan.params; i++) /* biases too, away from the kinks of relu */
        c->params[i] += 0.3 * lp_rng_normal(&rng);
}

static void drop(Case *c) {
    lp_free(c->params);
    lp_free(c->grad);
}

static uint32_t outputs(LpNetHead head) {
    return head == LP_HEAD_VALUE ? 1 : ACTIONS;
}

/* The same loss by own loops. */
static double loss(const Case *c) {
    double room[4096], embedding[64], out[ACTIONS], sum = 0;
    assert_true(lp_infer_room(&c->plan, 5, 6) <= LP_COUNTOF(room));
    for (uint32_t i = 0; i < SAMPLES; i++) {
        lp_infer_embed(&c->plan, c->params, &c->graph[c->of[i]], room, embedding);
        for (int h = 0; h < LP_HEAD_COUNT; h++) {
            lp_infer_head(&c->plan, c->params, (LpNetHead)h, embedding, c->features + i * FEATURES,
                          room, out);
            for (uint32_t a = 0; a < outputs((LpNetHead)h); a++)
                sum += c->weight[h][i * outputs((LpNetHead)h) + a] * out[a];
        }
    }
    return sum;
}

static LpMinibatch *run(const Case *c) {
    LpMinibatch *b;
    assert_int_equal(lp_minibatch_new(&c->plan, c->graph, GRAPHS, SAMPLES, &b, NULL), LP_OK);
    lp_minibatch_forward(b, c->params, SAMPLES, c->of, c->features);
    return b;
}

static void own_loops_agree_with_blas(void **state) {
    (void)state;
    for (int silent = 0; silent < 2; silent++) {
        Case c;
        make(&c, silent, 3);
        LpMinibatch *b = run(&c);
        double room[4096], embedding[64], out[ACTIONS];
        for (uint32_t i = 0; i < SAMPLES; i++) {
            lp_infer_embed(&c.plan, c.params, &c.graph[c.of[i]], room, embedding);
            for (int h = 0; h < LP_HEAD_COUNT; h++) {
                uint32_t n = outputs((LpNetHead)h);
                lp_infer_head(&c.plan, c.params, (LpNetHead)h, embedding, c.features + i * FEATURES,
                              room, out);
                for (uint32_t a = 0; a < n; a++)
                    assert_true(fabs(out[a] - lp_minibatch_out(b, (LpNetHead)h)[i * n + a]) <
                                1e-12 * (1 + fabs(out[a])));
            }
        }
        lp_minibatch_free(b);
        drop(&c);
    }
}

/* One action value per decision gives what all of them give where the others have no slope. */
static void action_values_can_be_asked_one_by_one(void **state) {
    (void)state;
    Case c;
    LpHeads *all, *one;
    double room[4096], embedding[GRAPHS * 4], by_all[GRAPHS * 4], by_one[GRAPHS * 4];
    uint32_t action[SAMPLES];
    make(&c, false, 2);
    double *grad = lp_alloc(c.plan.params, sizeof *grad);
    for (uint32_t g = 0; g < GRAPHS; g++)
        lp_infer_embed(&c.plan, c.params, &c.graph[g], room, embedding + g * 4);
    assert_int_equal(lp_heads_new(&c.plan, GRAPHS, SAMPLES, &all, NULL), LP_OK);
    assert_int_equal(lp_heads_new(&c.plan, GRAPHS, SAMPLES, &one, NULL), LP_OK);
    for (uint32_t i = 0; i < SAMPLES; i++)
        action[i] = (3 * i + 1) % ACTIONS;
    lp_heads_forward(all, c.params, SAMPLES, embedding, c.of, c.features, NULL);
    lp_heads_forward(one, c.params, SAMPLES, embedding, c.of, c.features, action);
    memset(lp_heads_slope(all, LP_HEAD_Q), 0, SAMPLES * ACTIONS * sizeof(double));
    for (uint32_t i = 0; i < SAMPLES; i++) {
        double value = lp_heads_out(all, LP_HEAD_Q)[i * ACTIONS + action[i]];
        assert_true(fabs(lp_heads_out(one, LP_HEAD_Q)[i] - value) < 1e-12 * (1 + fabs(value)));
        lp_heads_slope(all, LP_HEAD_Q)[i * ACTIONS + action[i]] = c.weight[0][i];
        lp_heads_slope(one, LP_HEAD_Q)[i] = c.weight[0][i];
    }
    lp_heads_backward(all, c.params, 1u << LP_HEAD_Q, c.grad, by_all, NULL);
    lp_heads_backward(one, c.params, 1u << LP_HEAD_Q, grad, by_one, NULL);
    double moved = 0;
    for (size_t k = 0; k < c.plan.params; k++) {
        moved += fabs(grad[k]);
        assert_true(fabs(grad[k] - c.grad[k]) < 1e-12 * (1 + fabs(grad[k])));
    }
    for (size_t k = 0; k < LP_COUNTOF(by_all); k++)
        assert_true(fabs(by_all[k] - by_one[k]) < 1e-12 * (1 + fabs(by_all[k])));
    assert_true(moved > 1);
    lp_heads_free(all);
    lp_heads_free(one);
    lp_free(grad);
    drop(&c);
}

static void expect_slope(double found, double expected, const char *what, size_t at) {
    if (!(fabs(found - expected) <= 1e-6 * (1 + fabs(expected))))
        fail_msg("%s %zu: derivative %.12g, by differences %.12g", what, at, found, expected);
}

/* (loss(x + h) - loss(x - h)) / 2h */
static double difference(const Case *c, double *x) {
    const double h = 1e-6, kept = *x;
    *x = kept + h;
    double above = loss(c);
    *x = kept - h;
    double below = loss(c);
    *x = kept;
    return (above - below) / (2 * h);
}

static void check_gradient(bool silent, uint32_t rounds) {
    Case c;
    make(&c, silent, rounds);
    LpMinibatch *b = run(&c);
    for (int h = 0; h < LP_HEAD_COUNT; h++)
        memcpy(lp_minibatch_slope(b, (LpNetHead)h), c.weight[h],
               SAMPLES * outputs((LpNetHead)h) * sizeof(double));
    lp_minibatch_backward(b, c.params, (1u << LP_HEAD_COUNT) - 1, c.grad);
    for (uint32_t t = 0; t < c.plan.tensors; t++) {
        const LpTensor *tensor = &c.plan.tensor[t];
        for (size_t k = 0; k < (size_t)tensor->rows * tensor->columns; k++)
            expect_slope(c.grad[tensor->offset + k], difference(&c, &c.params[tensor->offset + k]),
                         tensor->name, k);
    }
    for (size_t i = 0; i < SAMPLES * FEATURES; i++)
        expect_slope(lp_minibatch_feature_slope(b)[i], difference(&c, &c.features[i]), "feature",
                     i);
    for (size_t i = 0; i < 7 * LP_NET_NODE; i++)
        expect_slope(lp_minibatch_node_slope(b)[i], difference(&c, &c.node[i]), "node", i);
    lp_minibatch_free(b);
    drop(&c);
}

static void derivatives_are_those_of_the_loss(void **state) {
    (void)state;
    check_gradient(true, 2);
    check_gradient(false, 2);
    check_gradient(false, 1);
    check_gradient(true, 3);
}

static void a_head_left_out_gets_no_derivative(void **state) {
    (void)state;
    Case c;
    make(&c, false, 2);
    LpMinibatch *b = run(&c);
    memcpy(lp_minibatch_slope(b, LP_HEAD_POLICY), c.weight[0], sizeof c.weight[0]);
    lp_minibatch_backward(b, c.params, 1u << LP_HEAD_POLICY, c.grad);
    const LpTensor *q = &c.plan.tensor[lp_net_find(&c.plan, "q.hidden.weight")];
    const LpTensor *policy = &c.plan.tensor[lp_net_find(&c.plan, "policy.hidden.weight")];
    double of_q = 0, of_policy = 0;
    for (size_t k = 0; k < (size_t)q->rows * q->columns; k++) {
        of_q += fabs(c.grad[q->offset + k]);
        of_policy += fabs(c.grad[policy->offset + k]);
    }
    assert_true(of_q == 0 && of_policy > 0);
    lp_minibatch_free(b);
    drop(&c);
}

/* A node that nothing leads to is silent in the published network only. */
static void silent_sources_say_nothing(void **state) {
    (void)state;
    Case c;
    double room[4096], loud[64], silent[64], sum = 0;
    make(&c, false, 1);
    LpNetGraph alone = {1, 0, c.node, NULL, NULL, NULL};
    lp_infer_embed(&c.plan, c.params, &alone, room, loud);
    c.plan.shape.silent_sources = true;
    lp_infer_embed(&c.plan, c.params, &alone, room, silent);
    for (uint32_t i = 0; i < c.plan.shape.embedding; i++) {
        assert_true(silent[i] == 0);
        sum += loud[i];
    }
    assert_true(sum > 0);
    drop(&c);
}

static void the_same_seed_gives_the_same_network(void **state) {
    (void)state;
    LpNetShape shape = lp_net_shape(34, 17);
    LpNetPlan plan;
    assert_int_equal(lp_net_check(&shape, NULL), LP_OK);
    lp_net_plan(&shape, &plan);
    double *a = lp_alloc(plan.params, sizeof *a), *b = lp_alloc(plan.params, sizeof *b);
    lp_net_init(&plan, 1, a);
    lp_net_init(&plan, 1, b);
    assert_memory_equal(a, b, plan.params * sizeof *a);
    lp_net_init(&plan, 2, b);
    assert_true(memcmp(a, b, plan.params * sizeof *a) != 0);
    size_t covered = 0;
    for (uint32_t t = 0; t < plan.tensors; t++) {
        assert_int_equal(plan.tensor[t].offset, covered);
        covered += (size_t)plan.tensor[t].rows * plan.tensor[t].columns;
        assert_int_equal(lp_net_find(&plan, plan.tensor[t].name), t);
    }
    assert_int_equal(covered, plan.params);
    assert_int_equal(lp_net_find(&plan, "no.such.tensor"), -1);
    lp_free(a);
    lp_free(b);
}

static void widths_out_of_range_are_refused(void **state) {
    (void)state;
    LpDiag diag;
    LpNetShape shape = lp_net_shape(34, 17);
    shape.messages = 31;
    assert_int_equal(lp_net_check(&shape, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "even"));
    shape = lp_net_shape(34, 17);
    shape.rounds = 0;
    assert_int_equal(lp_net_check(&shape, &diag), LP_ERANGE);
    assert_string_equal(diag.text, "a network of rounds 0; expected 1 to 4");
    shape = lp_net_shape(LP_NET_WIDTH + 1, 17);
    assert_int_equal(lp_net_check(&shape, &diag), LP_ERANGE);
}

/* The first steps of Adam on f(x) = x are -rate each, whatever the slope's size. */
static void adam_takes_steps_of_its_rate(void **state) {
    (void)state;
    double x[2] = {1, 1}, grad[2] = {3, 4}, first[2] = {0}, second[2] = {0};
    LpAdam adam = {.rate = 0.1,
                   .beta1 = 0.9,
                   .beta2 = 0.999,
                   .epsilon = 1e-8,
                   .params = 2,
                   .first = first,
                   .second = second,
                   .power1 = 1,
                   .power2 = 1};
    assert_true(lp_adam_step(&adam, 1, grad, x) == 5);
    assert_true(fabs(x[0] - 0.9) < 1e-6 && fabs(x[1] - 0.9) < 1e-6);
    assert_true(fabs(first[0] - 0.1 * 0.6) < 1e-12); /* clipped from norm 5 to norm 1 */
    assert_true(lp_adam_step(&adam, 0, grad, x) == 5);
    assert_true(fabs(first[0] - (0.9 * 0.06 + 0.1 * 3)) < 1e-12);
    assert_int_equal(adam.steps, 2);
}

TEST_GROUP(test_learn_net) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_loops_agree_with_blas),
        cmocka_unit_test(action_values_can_be_asked_one_by_one),
        cmocka_unit_test(derivatives_are_those_of_the_loss),
        cmocka_unit_test(a_head_left_out_gets_no_derivative),
        cmocka_unit_test(silent_sources_say_nothing),
        cmocka_unit_test(the_same_seed_gives_the_same_network),
        cmocka_unit_test(widths_out_of_range_are_refused),
        cmocka_unit_test(adam_takes_steps_of_its_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
