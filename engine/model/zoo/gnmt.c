/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GNMT (Wu et al., arXiv 1609.08144) in its common four-layer form of width 1024 with 32 320 word
 * pieces: embeddings, a bidirectional and three plain LSTM layers, an LSTM with additive attention
 * and three LSTM layers that see its context, a classifier. The decoder reads one word less than
 * the encoder: the last has nothing to predict.
 *
 * An LSTM counts the multiply-adds of its four gates, has two bias vectors per gate as cuDNN does,
 * and reads its recurrent weights once per time step, as they do not stay on the chip. */
#include <stdio.h>

#include "model/zoo/zoo_impl.h"

enum { WIDTH = 1024, WORDS = 32320, TOKEN_BYTES = 8, GATES = 4 };

static double lstm_parameters(double in) {
    return GATES * WIDTH * (in + WIDTH + 2.0);
}

/* What one direction of one layer needs over the whole sequence x; its last state is part of the
 * output. */
static LpZooAmounts lstm_amounts(const LpZoo *zoo, LpZooTensor x) {
    const double recurrent = (double)GATES * WIDTH * WIDTH;
    const double tokens = zoo->batch * x.height;
    /* a time step after the other, each with the input beside the last state */
    LpProduct shape = lp_zoo_product(zoo->batch, GATES * WIDTH, x.channels + WIDTH);
    shape.serial = x.height;
    return (LpZooAmounts){.in = lp_zoo_values(zoo, x),
                          .out = tokens * WIDTH + 2 * zoo->batch * WIDTH,
                          .parameters = lstm_parameters(x.channels),
                          .weights = lstm_parameters(x.channels) + (x.height - 1) * recurrent,
                          .flops = 2.0 * GATES * WIDTH * (x.channels + WIDTH) * tokens,
                          .product = true,
                          .shape = shape,
                          .saves_input = true};
}

static LpZooTensor lstm(LpZoo *zoo, LpZooTensor x) {
    LpZooTensor y = x;
    y.channels = WIDTH;
    const LpZooAmounts amounts = lstm_amounts(zoo, x);
    char name[64];
    snprintf(name, sizeof name, "LSTM(%.0f, %d)", x.channels, (int)WIDTH);
    return lp_zoo_op(zoo, name, &x, 1, &amounts, y);
}

/* Both directions; hands on the joined sequence only. */
static LpZooTensor bidirectional(LpZoo *zoo, LpZooTensor x) {
    LpZooTensor y = x;
    y.channels = 2 * WIDTH;
    LpZooAmounts amounts = lstm_amounts(zoo, x);
    amounts.out = lp_zoo_values(zoo, y);
    amounts.parameters *= 2;
    amounts.weights *= 2;
    amounts.flops *= 2;
    amounts.shape.count = 2;
    return lp_zoo_op(zoo, "LSTM(1024, 1024, bidirectional)", &x, 1, &amounts, y);
}

static LpZooTensor embedding(LpZoo *zoo, LpZooTensor tokens) {
    LpZooTensor y = tokens;
    y.channels = WIDTH;
    const double rows = lp_zoo_values(zoo, y);
    const LpZooAmounts amounts = {
        .out = rows, .parameters = (double)WORDS * WIDTH, .weights = rows};
    return lp_zoo_op(zoo, "Embedding(32320, 1024)", &tokens, 1, &amounts, y);
}

/* Additive attention (Bahdanau et al., arXiv 1409.0473): v . tanh(Wq + Uk) for every pair of a
 * query and a key, softmax, mean of the keys. The sum inside tanh is as large as pairs times width
 * and goes through memory once. Makes the context and the weights. */
static LpZooTensor attention(LpZoo *zoo, LpZooTensor query, LpZooTensor keys) {
    const LpZooTensor input[] = {query, keys};
    const double queries = lp_zoo_values(zoo, query), all_keys = lp_zoo_values(zoo, keys);
    const double pairs = zoo->batch * query.height * keys.height;
    const double parameters = 2.0 * WIDTH * WIDTH + WIDTH;
    const double projections = 2.0 * WIDTH * (queries + all_keys);
    const double per_value = 4 + 2; /* add, tanh, multiply-add with v; multiply-add of the mean */
    const LpZooAmounts amounts = {.in = queries + all_keys,
                                  .out = queries + pairs,
                                  .parameters = parameters,
                                  .weights = parameters,
                                  .flops = projections + per_value * pairs * WIDTH +
                                           LP_ZOO_FLOPS_SOFTMAX * pairs,
                                  .product = true,
                                  .shape = {.flops = projections},
                                  .saves_input = true,
                                  .extra = 2 * pairs * WIDTH};
    return lp_zoo_op(zoo, "Attention(1024)", input, LP_COUNTOF(input), &amounts, query);
}

static LpZooTensor encoder(LpZoo *zoo) {
    LpZooTensor x = lp_zoo_input(zoo, "Source", 1, zoo->spec.sequence, 1, TOKEN_BYTES);
    x = bidirectional(zoo, embedding(zoo, x));
    x = lstm(zoo, lp_zoo_dropout(zoo, x));
    for (int layer = 2; layer < 4; layer++)
        x = lp_zoo_add(zoo, lstm(zoo, lp_zoo_dropout(zoo, x)), x);
    return x;
}

static LpZooTensor decoder(LpZoo *zoo, LpZooTensor keys) {
    LpZooTensor x = lp_zoo_input(zoo, "Target", 1, zoo->spec.sequence - 1, 1, TOKEN_BYTES);
    x = lstm(zoo, embedding(zoo, x));
    const LpZooTensor context = attention(zoo, x, keys);
    for (int layer = 1; layer < 4; layer++) {
        LpZooTensor y = lp_zoo_concat(zoo, lp_zoo_dropout(zoo, x), context);
        y = lstm(zoo, y);
        x = layer == 1 ? y : lp_zoo_add(zoo, y, x);
    }
    return x;
}

void lp_zoo_gnmt(LpZoo *zoo) {
    lp_zoo_linear(zoo, decoder(zoo, encoder(zoo)), WORDS);
}
