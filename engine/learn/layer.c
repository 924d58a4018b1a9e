/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layer norm, a matrix, a bias and a relu, over rows. A plain BLAS multiplies by adding multiples
 * of columns, which is quick along a long side and slow for C = A B', sums of products one by one;
 * so matrices are turned first, which costs next to nothing. */
#include "learn/layer.h"

#include <math.h>
#include <string.h>

double *lp_layer_room(LpArena *arena, bool *ok, size_t rows, size_t width) {
    double *numbers = lp_arena_alloc(arena, rows * width, sizeof *numbers);
    *ok = *ok && numbers != NULL;
    return numbers;
}

LpLayerTrail lp_layer_trail(const LpBlas *blas, LpArena *arena, bool *ok, size_t rows,
                            const LpNetLayer *l) {
    return (LpLayerTrail){blas, lp_layer_room(arena, ok, rows, l->in),
                          lp_layer_room(arena, ok, rows, 1)};
}

size_t lp_layer_turned(const LpNetPlan *plan) {
    size_t most = 1;
    for (uint32_t i = 0; i < plan->tensors; i++) {
        size_t size = (size_t)plan->tensor[i].rows * plan->tensor[i].columns;
        most = size > most ? size : most;
    }
    return 2 * most;
}

void lp_layer_turn(const double *matrix, uint32_t rows, uint32_t columns, uint32_t stride,
                   double *out) {
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++)
            out[(size_t)c * stride + r] = matrix[(size_t)r * columns + c];
}

static void normalise(uint32_t n, uint32_t rows, const double *x, const LpLayerTrail *t) {
    for (uint32_t r = 0; r < rows; r++) {
        const double *row = x + (size_t)r * n;
        double *hat = t->hat + (size_t)r * n;
        double mean = 0, variance = 0;
        for (uint32_t i = 0; i < n; i++)
            mean += row[i];
        mean /= n;
        for (uint32_t i = 0; i < n; i++)
            variance += (row[i] - mean) * (row[i] - mean);
        double scale = 1 / sqrt(variance / n + LP_LAYER_EPSILON);
        t->scale[r] = scale;
        for (uint32_t i = 0; i < n; i++)
            hat[i] = (row[i] - mean) * scale;
    }
}

/* Gain and shift become part of matrix and bias: W (g x + s) + b = (W g) x + (W s + b). */
void lp_layer_forward(const LpNetLayer *l, const double *params, uint32_t rows, const double *x,
                      const LpLayerTrail *t, double *turned, double *y) {
    const double *gain = params + l->gain, *shift = params + l->shift;
    double constant[LP_NET_WIDTH];
    if (rows == 0)
        return;
    normalise(l->in, rows, x, t);
    for (uint32_t o = 0; o < l->out; o++) {
        const double *weight = params + l->weight + (size_t)o * l->in;
        double sum = params[l->bias + o];
        for (uint32_t i = 0; i < l->in; i++) {
            turned[(size_t)i * l->out + o] = weight[i] * gain[i];
            sum += weight[i] * shift[i];
        }
        constant[o] = sum;
    }
    for (uint32_t r = 0; r < rows; r++)
        memcpy(y + (size_t)r * l->out, constant, l->out * sizeof *y);
    t->blas->dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)l->out, (int)l->in, 1,
                   t->hat, (int)l->in, turned, (int)l->out, 1, y, (int)l->out);
    for (size_t i = 0; l->relu && i < (size_t)rows * l->out; i++)
        y[i] = y[i] > 0 ? y[i] : 0;
}

void lp_layer_unrelu(const double *y, double *dy, size_t count) {
    for (size_t i = 0; i < count; i++)
        dy[i] = y[i] > 0 ? dy[i] : 0;
}

void lp_layer_add_rows(const double *rows, uint32_t count, uint32_t width, double *sum) {
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t i = 0; i < width; i++)
            sum[i] += rows[(size_t)r * width + i];
}

void lp_layer_outer(const LpBlas *blas, const double *dy, uint32_t out, const double *x,
                    uint32_t in, uint32_t stride, uint32_t rows, double *turned, double *grad) {
    int n = (int)rows, i = (int)in, o = (int)out, apart = (int)stride;
    if (in >= out) {
        blas->dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, o, i, n, 1, dy, o, x, apart, 1, grad,
                    i);
        return;
    }
    blas->dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, i, o, n, 1, x, apart, dy, o, 0, turned, o);
    for (uint32_t r = 0; r < out; r++)
        for (uint32_t c = 0; c < in; c++)
            grad[(size_t)r * in + c] += turned[(size_t)c * out + r];
}

/* The derivative by the parameters. */
static void backward_params(const LpNetLayer *l, const double *params, uint32_t rows,
                            const LpLayerTrail *t, double *turned, const double *dy, double *grad) {
    const double *gain = params + l->gain, *shift = params + l->shift;
    double *folded = turned + (size_t)l->out * l->in; /* by W g */
    double constant[LP_NET_WIDTH] = {0};
    memset(folded, 0, (size_t)l->out * l->in * sizeof *folded);
    lp_layer_outer(t->blas, dy, l->out, t->hat, l->in, l->in, rows, turned, folded);
    lp_layer_add_rows(dy, rows, l->out, constant);
    for (uint32_t o = 0; o < l->out; o++) {
        const double *weight = params + l->weight + (size_t)o * l->in;
        const double *d = folded + (size_t)o * l->in;
        double *d_weight = grad + l->weight + (size_t)o * l->in;
        for (uint32_t i = 0; i < l->in; i++) {
            d_weight[i] += d[i] * gain[i] + constant[o] * shift[i];
            grad[l->gain + i] += d[i] * weight[i];
            grad[l->shift + i] += constant[o] * weight[i];
        }
        grad[l->bias + o] += constant[o];
    }
}

/* The derivative by the input. */
static void backward_input(const LpNetLayer *l, const double *params, uint32_t rows,
                           const LpLayerTrail *t, double *folded, const double *dy, double *dx) {
    uint32_t n = l->in;
    for (uint32_t o = 0; o < l->out; o++)
        for (uint32_t i = 0; i < n; i++)
            folded[(size_t)o * n + i] = params[l->weight + (size_t)o * n + i] * params[l->gain + i];
    t->blas->dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)n, (int)l->out, 1, dy,
                   (int)l->out, folded, (int)n, 0, dx, (int)n);
    for (uint32_t r = 0; r < rows; r++) {
        const double *hat = t->hat + (size_t)r * n;
        double *d = dx + (size_t)r * n, mean = 0, along = 0;
        for (uint32_t i = 0; i < n; i++) {
            mean += d[i];
            along += d[i] * hat[i];
        }
        mean /= n;
        along /= n;
        for (uint32_t i = 0; i < n; i++)
            d[i] = t->scale[r] * (d[i] - mean - hat[i] * along);
    }
}

void lp_layer_backward(const LpNetLayer *l, const double *params, uint32_t rows,
                       const LpLayerTrail *t, const double *y, double *turned, double *dy,
                       double *dx, double *grad) {
    if (rows == 0)
        return;
    if (l->relu)
        lp_layer_unrelu(y, dy, (size_t)rows * l->out);
    backward_params(l, params, rows, t, turned, dy, grad);
    if (dx != NULL)
        backward_input(l, params, rows, t, turned, dy, dx);
}
