/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layer norm, a matrix, a bias and a relu, over rows. A plain BLAS multiplies by adding multiples
 * of columns, which is quick along a long side and slow for C = A B', sums of products one by one;
 * so matrices are turned first, which costs next to nothing. */
#include "learn/layer.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

double *lp_layer_room(LpArena *arena, bool *ok, size_t rows, size_t width) {
    double *numbers = lp_arena_alloc(arena, rows * width, sizeof *numbers);
    *ok = *ok && numbers != NULL;
    return numbers;
}

LpTrail lp_layer_trail(LpArena *arena, bool *ok, size_t rows, const LpNetLayer *l) {
    LpTrail t = {0};
    if (!l->norm)
        return t;
    t.hat = lp_layer_room(arena, ok, rows, l->in);
    t.scale = lp_layer_room(arena, ok, rows, 1);
    t.room = lp_layer_room(arena, ok, rows, l->in);
    return t;
}

size_t lp_layer_turned(const LpNetPlan *plan) {
    size_t most = 1;
    for (uint32_t i = 0; i < plan->tensors; i++) {
        size_t size = (size_t)plan->tensor[i].rows * plan->tensor[i].columns;
        most = size > most ? size : most;
    }
    return most;
}

void lp_layer_turn(const double *matrix, uint32_t rows, uint32_t columns, uint32_t stride,
                   double *out) {
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++)
            out[(size_t)c * stride + r] = matrix[(size_t)r * columns + c];
}

static void normalise(const LpNetLayer *l, const double *params, uint32_t rows, const double *x,
                      LpTrail *t) {
    const double *gain = params + l->gain, *shift = params + l->shift;
    uint32_t n = l->in;
    for (uint32_t r = 0; r < rows; r++) {
        const double *row = x + (size_t)r * n;
        double *hat = t->hat + (size_t)r * n, *input = t->room + (size_t)r * n;
        double mean = 0, variance = 0;
        for (uint32_t i = 0; i < n; i++)
            mean += row[i];
        mean /= n;
        for (uint32_t i = 0; i < n; i++)
            variance += (row[i] - mean) * (row[i] - mean);
        double scale = 1 / sqrt(variance / n + LP_LAYER_EPSILON);
        t->scale[r] = scale;
        for (uint32_t i = 0; i < n; i++) {
            hat[i] = (row[i] - mean) * scale;
            input[i] = gain[i] * hat[i] + shift[i];
        }
    }
}

void lp_layer_forward(const LpNetLayer *l, const double *params, uint32_t rows, const double *x,
                      LpTrail *t, double *turned, double *y) {
    int n = (int)rows, in = (int)l->in, out = (int)l->out;
    if (rows == 0)
        return;
    if (l->norm)
        normalise(l, params, rows, x, t);
    t->input = l->norm ? t->room : x;
    for (uint32_t r = 0; r < rows; r++)
        memcpy(y + (size_t)r * l->out, params + l->bias, l->out * sizeof *y);
    lp_layer_turn(params + l->weight, l->out, l->in, l->out, turned);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, out, in, 1, t->input, in, turned, out,
                1, y, out);
    for (size_t i = 0; l->relu && i < (size_t)rows * l->out; i++)
        y[i] = y[i] > 0 ? y[i] : 0;
}

/* dx: derivative by the normalised input in, by the layer's input out. */
static void unnormalise(const LpNetLayer *l, const double *params, uint32_t rows, const LpTrail *t,
                        double *dx, double *grad) {
    const double *gain = params + l->gain;
    double *d_gain = grad + l->gain, *d_shift = grad + l->shift;
    uint32_t n = l->in;
    for (uint32_t r = 0; r < rows; r++) {
        const double *hat = t->hat + (size_t)r * n;
        double *d = dx + (size_t)r * n, mean = 0, along = 0;
        for (uint32_t i = 0; i < n; i++) {
            d_gain[i] += d[i] * hat[i];
            d_shift[i] += d[i];
            d[i] *= gain[i];
            mean += d[i];
            along += d[i] * hat[i];
        }
        mean /= n;
        along /= n;
        for (uint32_t i = 0; i < n; i++)
            d[i] = t->scale[r] * (d[i] - mean - hat[i] * along);
    }
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

void lp_layer_outer(const double *dy, uint32_t out, const double *x, uint32_t in, uint32_t stride,
                    uint32_t rows, double *turned, double *grad) {
    int n = (int)rows, i = (int)in, o = (int)out, apart = (int)stride;
    if (in >= out) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, o, i, n, 1, dy, o, x, apart, 1, grad,
                    i);
        return;
    }
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, i, o, n, 1, x, apart, dy, o, 0, turned, o);
    for (uint32_t r = 0; r < out; r++)
        for (uint32_t c = 0; c < in; c++)
            grad[(size_t)r * in + c] += turned[(size_t)c * out + r];
}

void lp_layer_backward(const LpNetLayer *l, const double *params, uint32_t rows, const LpTrail *t,
                       const double *y, double *turned, double *dy, double *dx, double *grad) {
    int n = (int)rows, in = (int)l->in, out = (int)l->out;
    if (rows == 0)
        return;
    if (l->relu)
        lp_layer_unrelu(y, dy, (size_t)rows * l->out);
    lp_layer_outer(dy, l->out, t->input, l->in, l->in, rows, turned, grad + l->weight);
    lp_layer_add_rows(dy, rows, l->out, grad + l->bias);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, in, out, 1, dy, out,
                params + l->weight, in, 0, dx, in);
    if (l->norm)
        unnormalise(l, params, rows, t, dx, grad);
}
