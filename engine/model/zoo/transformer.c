/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoder-only transformer (Radford et al., GPT-2, 2019): pre-norm blocks, learned positions, and
 * an output layer that shares the embedding's table. For L layers of width h, sequence s and
 * vocabulary V it has 12 L h^2 + 13 L h + (V + s) h parameters (Narayanan et al., arXiv 2104.04473,
 * equation 2), and 2 h of the last layer norm. Attention is counted over all s^2 pairs. */
#include <stdio.h>

#include "model/zoo/zoo_impl.h"

enum { TOKEN_BYTES = 8, EXPANSION = 4 };

static LpZooTensor embedding(LpZoo *zoo, LpZooTensor tokens) {
    const double h = zoo->spec.hidden;
    LpZooTensor y = tokens;
    y.channels = h;
    const double rows = lp_zoo_values(zoo, y);
    const LpZooAmounts amounts = {.out = rows,
                                  .parameters = ((double)zoo->spec.vocabulary + y.height) * h,
                                  .weights = rows + y.height * h,
                                  .flops = LP_ZOO_FLOPS_ADD * rows};
    char name[64];
    snprintf(name, sizeof name, "Embedding(%u + %u, %u)", (unsigned)zoo->spec.vocabulary,
             (unsigned)zoo->spec.sequence, (unsigned)zoo->spec.hidden);
    return lp_zoo_op(zoo, name, &tokens, 1, &amounts, y);
}

/* A product for each head of each sample. */
static LpProduct of_heads(const LpZoo *zoo, double rows, double columns, double depth) {
    LpProduct shape = lp_zoo_product(rows, columns, depth);
    shape.count = zoo->batch * zoo->spec.heads;
    return shape;
}

/* Queries times keys: heads x s scores for every token. */
static LpZooTensor scores(LpZoo *zoo, LpZooTensor qkv) {
    LpZooTensor y = qkv;
    const double head = (double)zoo->spec.hidden / zoo->spec.heads;
    y.channels = (double)zoo->spec.heads * qkv.height;
    y.heads = zoo->spec.heads;
    const LpZooAmounts amounts = {.in = lp_zoo_values(zoo, qkv) * 2 / 3,
                                  .out = lp_zoo_values(zoo, y),
                                  .flops = 2 * lp_zoo_values(zoo, qkv) / 3 * qkv.height,
                                  .product = true,
                                  .shape = of_heads(zoo, qkv.height, qkv.height, head),
                                  .saves_input = true};
    return lp_zoo_op(zoo, "AttentionScores", &qkv, 1, &amounts, y);
}

/* Weights times values. */
static LpZooTensor context(LpZoo *zoo, LpZooTensor weights, LpZooTensor qkv) {
    const LpZooTensor input[] = {weights, qkv};
    LpZooTensor y = qkv;
    y.channels = zoo->spec.hidden;
    y.heads = zoo->spec.heads;
    const double out = lp_zoo_values(zoo, y);
    const double head = (double)zoo->spec.hidden / zoo->spec.heads;
    const LpZooAmounts amounts = {.in = lp_zoo_values(zoo, weights) + out,
                                  .out = out,
                                  .flops = 2 * out * qkv.height,
                                  .product = true,
                                  .shape = of_heads(zoo, qkv.height, head, qkv.height),
                                  .saves_input = true};
    return lp_zoo_op(zoo, "AttentionContext", input, LP_COUNTOF(input), &amounts, y);
}

static LpZooTensor block(LpZoo *zoo, LpZooTensor x) {
    const uint32_t h = zoo->spec.hidden;
    const LpZooTensor qkv = lp_zoo_linear(zoo, lp_zoo_layer_norm(zoo, x), 3 * h);
    LpZooTensor y = lp_zoo_map(zoo, "Softmax", scores(zoo, qkv), LP_ZOO_FLOPS_SOFTMAX, true);
    y = lp_zoo_linear(zoo, context(zoo, y, qkv), h);
    x = lp_zoo_add(zoo, y, x);
    y = lp_zoo_linear(zoo, lp_zoo_layer_norm(zoo, x), EXPANSION * h);
    y = lp_zoo_map(zoo, "GELU", y, LP_ZOO_FLOPS_GELU, true);
    y = lp_zoo_linear(zoo, y, h);
    return lp_zoo_add(zoo, y, x);
}

/* The output layer reads the embedding's table, whose parameters are counted there. */
static LpZooTensor head(LpZoo *zoo, LpZooTensor x) {
    LpZooTensor y = x;
    y.channels = zoo->spec.vocabulary;
    const double out = lp_zoo_values(zoo, y);
    const LpZooAmounts amounts = {.in = lp_zoo_values(zoo, x),
                                  .out = out,
                                  .weights = x.channels * y.channels,
                                  .flops = 2 * x.channels * out,
                                  .product = true,
                                  .shape = lp_zoo_product(out / y.channels, y.channels, x.channels),
                                  .saves_input = true};
    char name[64];
    snprintf(name, sizeof name, "Head(%u, %u)", (unsigned)zoo->spec.hidden,
             (unsigned)zoo->spec.vocabulary);
    return lp_zoo_op(zoo, name, &x, 1, &amounts, y);
}

void lp_zoo_transformer(LpZoo *zoo) {
    LpZooTensor x = lp_zoo_input(zoo, "Tokens", 1, zoo->spec.sequence, 1, TOKEN_BYTES);
    x = embedding(zoo, x);
    for (uint32_t layer = 0; layer < zoo->spec.layers && zoo->err == LP_OK; layer++)
        x = block(zoo, x);
    /* Cross-entropy: the mean over all tokens is one number. */
    LpZooTensor logits = head(zoo, lp_zoo_layer_norm(zoo, x));
    const double values = lp_zoo_values(zoo, logits);
    const LpZooAmounts amounts = {
        .in = values, .out = 1, .flops = LP_ZOO_FLOPS_SOFTMAX * values, .saves_input = true};
    const LpZooTensor number = {.channels = 1, .height = 1, .width = 1};
    lp_zoo_op(zoo, "CrossEntropyLoss", &logits, 1, &amounts, number);
}
