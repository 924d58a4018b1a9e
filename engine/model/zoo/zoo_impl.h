/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vocabulary that the families of the zoo are written in. Only zoo*.c include this.
 *
 * How an op is costed (everything in values of `value_bytes` bytes, at the whole batch):
 * - FLOPs: a multiply-add is two. Convolutions and matrix products count their multiply-adds and
 *   not their biases; other ops a few FLOPs per value (LpZooFlops), as memory bounds them anyway.
 * - Forward bytes: every input read once, the output written once, the parameters used read once.
 * - Backward FLOPs: a product needs two of its size, for the gradients of its input and of its
 *   parameters (or of both inputs), but one where the input is data, which needs no gradient; other
 *   ops cost as much as forward.
 * - Backward bytes: the output's gradient and the saved input read, the input's gradient written
 *   (unless the input is data), the parameters read and their gradients written: about twice.
 * - Ops through which nothing learns have no backward work; views move nothing. */
#ifndef LP_MODEL_ZOO_INTERNAL_H
#define LP_MODEL_ZOO_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/graph.h"
#include "model/zoo/zoo.h"

/* FLOPs per value of ops that are not products: our counts. */
enum LpZooFlops {
    LP_ZOO_FLOPS_RELU = 1, /* compare */
    LP_ZOO_FLOPS_ADD = 1,
    LP_ZOO_FLOPS_DROPOUT = 2, /* mask, scale */
    LP_ZOO_FLOPS_NORM = 7,    /* mean 1, variance 2, normalise 2, scale and shift 2 */
    LP_ZOO_FLOPS_SOFTMAX = 5, /* maximum, subtract, exponential, sum, divide */
    LP_ZOO_FLOPS_GELU = 8     /* cubic polynomial, tanh, two products */
};

/* A tensor between ops. Text: channels = features, height = tokens per sample, width = 1. */
typedef struct LpZooTensor {
    uint32_t op;                    /* number of the op that made it */
    double channels, height, width; /* of one sample */
    double heads;                   /* of attention, along which it is cut; 0: by channels */
    bool learns;                    /* parameters lie upstream, so a gradient must flow back */
} LpZooTensor;

/* A graph in the making. The first failure sticks: later calls do nothing, and lp_zoo_build reports
 * it at the end, so that a family reads like its layer table. */
typedef struct LpZoo {
    LpGraphBuilder *builder;
    LpZooSpec spec; /* with the defaults filled in */
    double batch, value_bytes;
    uint32_t ops;
    LpErr err;
    LpDiag *diag;
} LpZoo;

/* One op by its amounts, in values at the whole batch. */
typedef struct LpZooAmounts {
    double in;         /* all inputs */
    double out;        /* all outputs: the activation */
    double parameters; /* owned, so counted in the model's size */
    double weights;    /* parameters read in a pass: not more for an embedding's few rows, and
                        * also those of another op (a tied table) or read once per time step */
    double flops;      /* forward */
    bool product;      /* backward needs two products of this size */
    LpProduct shape;   /* of such a product; without flops: all of them */
    bool saves_input;  /* backward reads the input again */
    double extra;      /* values moved besides, forward and backward alike */
    bool view;         /* another shape for the same memory: no work */
} LpZooAmounts;

double lp_zoo_values(const LpZoo *zoo, LpZooTensor x); /* at the whole batch */
/* One product of rows x depth by depth x columns. */
LpProduct lp_zoo_product(double rows, double columns, double depth);

/* Adds an op that reads `count` tensors and makes a tensor of the given shape. */
LpZooTensor lp_zoo_op(LpZoo *zoo, const char *name, const LpZooTensor *input, size_t count,
                      const LpZooAmounts *amounts, LpZooTensor shape);

/* A source of data of the given shape and bytes per value; it is written once and learns nothing.
 */
LpZooTensor lp_zoo_input(LpZoo *zoo, const char *name, double channels, double height, double width,
                         double bytes_per_value);

/* An op that makes each value from one value, or few, of a tensor of the same shape. */
LpZooTensor lp_zoo_map(LpZoo *zoo, const char *name, LpZooTensor x, double flops_per_value,
                       bool saves_input);

typedef struct LpZooWindow {
    uint32_t kernel, stride, pad;
    bool ceil; /* pooling without padding: a last, partial window counts */
} LpZooWindow;

LpZooTensor lp_zoo_conv(LpZoo *zoo, LpZooTensor x, uint32_t channels, LpZooWindow window,
                        bool bias);
LpZooTensor lp_zoo_max_pool(LpZoo *zoo, LpZooTensor x, LpZooWindow window);
LpZooTensor lp_zoo_average_pool(LpZoo *zoo, LpZooTensor x); /* over the whole image, to 1 x 1 */
LpZooTensor lp_zoo_batch_norm(LpZoo *zoo, LpZooTensor x);
LpZooTensor lp_zoo_layer_norm(LpZoo *zoo, LpZooTensor x);
/* Applied to the channels of every position; a view makes an image one vector first. */
LpZooTensor lp_zoo_linear(LpZoo *zoo, LpZooTensor x, uint32_t features);
LpZooTensor lp_zoo_relu(LpZoo *zoo, LpZooTensor x);
LpZooTensor lp_zoo_dropout(LpZoo *zoo, LpZooTensor x);
LpZooTensor lp_zoo_flatten(LpZoo *zoo, LpZooTensor x);
LpZooTensor lp_zoo_add(LpZoo *zoo, LpZooTensor a, LpZooTensor b);    /* equal shapes */
LpZooTensor lp_zoo_concat(LpZoo *zoo, LpZooTensor a, LpZooTensor b); /* joins the channels */

/* The families: add their ops to zoo->builder. */
void lp_zoo_alexnet(LpZoo *zoo);
void lp_zoo_vgg16(LpZoo *zoo);
void lp_zoo_resnet18(LpZoo *zoo);
void lp_zoo_squeezenet(LpZoo *zoo);
void lp_zoo_gnmt(LpZoo *zoo);
void lp_zoo_transformer(LpZoo *zoo);

#endif
