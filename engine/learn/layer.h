/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One layer of the network (learn/net.h) over many rows, forwards and backwards, on BLAS; private
 * to learn/. Matrices are turned so that the inner loop of a plain BLAS runs along the longer side.
 */
#ifndef LP_LEARN_LAYER_H
#define LP_LEARN_LAYER_H

#include "base/mem.h"
#include "learn/blas/blas.h"
#include "learn/net.h"

#define LP_LAYER_EPSILON 1e-5 /* added to the variance in a layer norm */

/* What a layer with a norm leaves behind for its backward pass. */
typedef struct LpLayerTrail {
    const LpBlas *blas;
    double *hat;   /* rows x in: normalised, before gain and shift */
    double *scale; /* rows: 1 / standard deviation */
} LpLayerTrail;

/* rows x width numbers from an arena; NULL clears *ok. */
double *lp_layer_room(LpArena *arena, bool *ok, size_t rows, size_t width);
/* `blas` must outlive it. */
LpLayerTrail lp_layer_trail(const LpBlas *blas, LpArena *arena, bool *ok, size_t rows,
                            const LpNetLayer *layer);
/* Numbers that `turned` has room for below: two of the largest matrix of the network. */
size_t lp_layer_turned(const LpNetPlan *plan);

/* y = layer(x), rows x out, of a layer with a norm. */
void lp_layer_forward(const LpNetLayer *layer, const double *params, uint32_t rows, const double *x,
                      const LpLayerTrail *trail, double *turned, double *y);
/* dy (derivative by y) is spent; dx (NULL: nobody asks) gets that by x, and grad[params] is added
 * to. */
void lp_layer_backward(const LpNetLayer *layer, const double *params, uint32_t rows,
                       const LpLayerTrail *trail, const double *y, double *turned, double *dy,
                       double *dx, double *grad);

/* The parts of it that others need. out (columns x rows, `stride` apart) = matrix, turned. */
void lp_layer_turn(const double *matrix, uint32_t rows, uint32_t columns, uint32_t stride,
                   double *out);
/* Sets derivatives to 0 where relu cut y off. */
void lp_layer_unrelu(const double *y, double *dy, size_t count);
/* sum[width] += all rows. */
void lp_layer_add_rows(const double *rows, uint32_t count, uint32_t width, double *sum);
/* grad (out x in) += dy' x, of `rows` rows; those of x are `stride` apart. */
void lp_layer_outer(const LpBlas *blas, const double *dy, uint32_t out, const double *x,
                    uint32_t in, uint32_t stride, uint32_t rows, double *turned, double *grad);

#endif
