/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layers that zoo families share, with exact sizes and the costing rule of
 * model/zoo/zoo_impl.h. */
#include <math.h>
#include <stdio.h>

#include "model/zoo/zoo_impl.h"

enum { NAME = 128 };

double lp_zoo_values(const LpZoo *zoo, LpZooTensor x) {
    return zoo->batch * x.channels * x.height * x.width;
}

/* ---- one op ---- */

static LpWork work_of(const LpZoo *zoo, const LpZooAmounts *a, bool input_learns) {
    if (a->view)
        return (LpWork){0};
    LpWork work = {.forward_flops = a->flops,
                   .forward_bytes = zoo->value_bytes * (a->in + a->out + a->weights + a->extra),
                   .product = a->shape};
    if (a->product && work.product.flops == 0)
        work.product.flops = a->flops;
    if (!input_learns && a->weights == 0)
        return work;
    double gradients = input_learns ? a->in : 0;
    double saved = a->saves_input ? a->in : 0;
    work.backward_flops = a->product && input_learns ? 2 * a->flops : a->flops;
    work.backward_bytes =
        zoo->value_bytes * (a->out + saved + gradients + 2 * a->weights + a->extra);
    return work;
}

static void add(LpZoo *zoo, const LpOp *op, const LpZooTensor *input, size_t count) {
    zoo->err = lp_graph_builder_op(zoo->builder, op, 0, 0, zoo->diag);
    for (size_t i = 0; i < count && zoo->err == LP_OK; i++)
        zoo->err = lp_graph_builder_edge(zoo->builder, input[i].op, op->number, 0, 0, zoo->diag);
}

LpZooTensor lp_zoo_op(LpZoo *zoo, const char *name, const LpZooTensor *input, size_t count,
                      const LpZooAmounts *amounts, LpZooTensor shape) {
    if (zoo->err != LP_OK)
        return shape;
    bool input_learns = false;
    for (size_t i = 0; i < count; i++)
        input_learns = input_learns || input[i].learns;
    const LpOp op = {.number = ++zoo->ops,
                     .has_work = true,
                     .activation = zoo->value_bytes * amounts->out,
                     .parameters = zoo->value_bytes * amounts->parameters,
                     .work = work_of(zoo, amounts, input_learns),
                     .channels = shape.heads > 0 ? shape.heads : shape.channels,
                     .name = name};
    add(zoo, &op, input, count);
    shape.op = op.number;
    shape.learns = input_learns || amounts->weights > 0;
    return shape;
}

LpZooTensor lp_zoo_input(LpZoo *zoo, const char *name, double channels, double height, double width,
                         double bytes_per_value) {
    LpZooTensor x = {.channels = channels, .height = height, .width = width};
    const double bytes = lp_zoo_values(zoo, x) * bytes_per_value;
    const LpZooAmounts amounts = {.out = bytes / zoo->value_bytes};
    return lp_zoo_op(zoo, name, NULL, 0, &amounts, x);
}

/* ---- windows over images ---- */

static double positions(double size, LpZooWindow window) {
    const double span = (size + 2.0 * window.pad - window.kernel) / window.stride;
    return (window.ceil ? ceil(span) : floor(span)) + 1;
}

static LpZooTensor slide(LpZooTensor x, double channels, LpZooWindow window) {
    return (LpZooTensor){.channels = channels,
                         .height = positions(x.height, window),
                         .width = positions(x.width, window)};
}

LpProduct lp_zoo_product(double rows, double columns, double depth) {
    return (LpProduct){.serial = 1, .count = 1, .rows = rows, .columns = columns, .depth = depth};
}

LpZooTensor lp_zoo_conv(LpZoo *zoo, LpZooTensor x, uint32_t channels, LpZooWindow window,
                        bool bias) {
    const LpZooTensor y = slide(x, channels, window);
    const double taps = (double)window.kernel * window.kernel * x.channels;
    const double out = lp_zoo_values(zoo, y);
    const double parameters = taps * channels + (bias ? channels : 0);
    const LpZooAmounts amounts = {.in = lp_zoo_values(zoo, x),
                                  .out = out,
                                  .parameters = parameters,
                                  .weights = parameters,
                                  .flops = 2 * taps * out,
                                  .product = true,
                                  .shape = lp_zoo_product(out / channels, channels, taps),
                                  .saves_input = true};
    char name[NAME];
    snprintf(name, sizeof name, "Conv2d(%.0f, %u, %ux%u, stride %u, pad %u%s)", x.channels,
             (unsigned)channels, (unsigned)window.kernel, (unsigned)window.kernel,
             (unsigned)window.stride, (unsigned)window.pad, bias ? "" : ", no bias");
    return lp_zoo_op(zoo, name, &x, 1, &amounts, y);
}

static LpZooTensor pool(LpZoo *zoo, const char *name, LpZooTensor x, LpZooWindow window) {
    const LpZooTensor y = slide(x, x.channels, window);
    const double out = lp_zoo_values(zoo, y);
    const LpZooAmounts amounts = {.in = lp_zoo_values(zoo, x),
                                  .out = out,
                                  .flops = (double)window.kernel * window.kernel * out};
    return lp_zoo_op(zoo, name, &x, 1, &amounts, y);
}

LpZooTensor lp_zoo_max_pool(LpZoo *zoo, LpZooTensor x, LpZooWindow window) {
    char name[NAME];
    snprintf(name, sizeof name, "MaxPool2d(%ux%u, stride %u, pad %u%s)", (unsigned)window.kernel,
             (unsigned)window.kernel, (unsigned)window.stride, (unsigned)window.pad,
             window.ceil ? ", ceil" : "");
    return pool(zoo, name, x, window);
}

LpZooTensor lp_zoo_average_pool(LpZoo *zoo, LpZooTensor x) {
    char name[NAME];
    snprintf(name, sizeof name, "AvgPool2d(%.0fx%.0f)", x.height, x.width);
    return pool(zoo, name, x, (LpZooWindow){.kernel = (uint32_t)x.height, .stride = 1});
}

/* ---- products ---- */

LpZooTensor lp_zoo_linear(LpZoo *zoo, LpZooTensor x, uint32_t features) {
    LpZooTensor y = x;
    y.channels = features;
    y.heads = 0;
    const double parameters = (x.channels + 1) * features;
    const double out = lp_zoo_values(zoo, y);
    const LpZooAmounts amounts = {.in = lp_zoo_values(zoo, x),
                                  .out = out,
                                  .parameters = parameters,
                                  .weights = parameters,
                                  .flops = 2 * x.channels * out,
                                  .product = true,
                                  .shape = lp_zoo_product(out / features, features, x.channels),
                                  .saves_input = true};
    char name[NAME];
    snprintf(name, sizeof name, "Linear(%.0f, %u)", x.channels, (unsigned)features);
    return lp_zoo_op(zoo, name, &x, 1, &amounts, y);
}

/* ---- value by value ---- */

LpZooTensor lp_zoo_map(LpZoo *zoo, const char *name, LpZooTensor x, double flops,
                       bool saves_input) {
    const double values = lp_zoo_values(zoo, x);
    const LpZooAmounts amounts = {
        .in = values, .out = values, .flops = flops * values, .saves_input = saves_input};
    return lp_zoo_op(zoo, name, &x, 1, &amounts, x);
}

LpZooTensor lp_zoo_relu(LpZoo *zoo, LpZooTensor x) {
    return lp_zoo_map(zoo, "ReLU", x, LP_ZOO_FLOPS_RELU, true);
}

LpZooTensor lp_zoo_dropout(LpZoo *zoo, LpZooTensor x) {
    return lp_zoo_map(zoo, "Dropout", x, LP_ZOO_FLOPS_DROPOUT, false);
}

static LpZooTensor norm(LpZoo *zoo, const char *name, LpZooTensor x, double extra) {
    const double values = lp_zoo_values(zoo, x);
    const LpZooAmounts amounts = {.in = values,
                                  .out = values,
                                  .parameters = 2 * x.channels,
                                  .weights = 2 * x.channels,
                                  .flops = LP_ZOO_FLOPS_NORM * values,
                                  .saves_input = true,
                                  .extra = extra};
    return lp_zoo_op(zoo, name, &x, 1, &amounts, x);
}

LpZooTensor lp_zoo_batch_norm(LpZoo *zoo, LpZooTensor x) {
    char name[NAME];
    snprintf(name, sizeof name, "BatchNorm2d(%.0f)", x.channels);
    /* the statistics run over the whole batch, which no cache holds: one pass more */
    return norm(zoo, name, x, lp_zoo_values(zoo, x));
}

LpZooTensor lp_zoo_layer_norm(LpZoo *zoo, LpZooTensor x) {
    char name[NAME];
    snprintf(name, sizeof name, "LayerNorm(%.0f)", x.channels);
    return norm(zoo, name, x, 0);
}

/* ---- joining and viewing ---- */

LpZooTensor lp_zoo_flatten(LpZoo *zoo, LpZooTensor x) {
    LpZooTensor y = {.channels = x.channels * x.height * x.width, .height = 1, .width = 1};
    const LpZooAmounts amounts = {.out = lp_zoo_values(zoo, x), .view = true};
    return lp_zoo_op(zoo, "View", &x, 1, &amounts, y);
}

LpZooTensor lp_zoo_add(LpZoo *zoo, LpZooTensor a, LpZooTensor b) {
    const LpZooTensor input[] = {a, b};
    const double values = lp_zoo_values(zoo, a);
    const LpZooAmounts amounts = {
        .in = 2 * values, .out = values, .flops = LP_ZOO_FLOPS_ADD * values};
    return lp_zoo_op(zoo, "Add", input, LP_COUNTOF(input), &amounts, a);
}

LpZooTensor lp_zoo_concat(LpZoo *zoo, LpZooTensor a, LpZooTensor b) {
    const LpZooTensor input[] = {a, b};
    LpZooTensor y = a;
    y.channels = a.channels + b.channels;
    const double values = lp_zoo_values(zoo, y);
    const LpZooAmounts amounts = {.in = values, .out = values};
    return lp_zoo_op(zoo, "Concat", input, LP_COUNTOF(input), &amounts, y);
}
