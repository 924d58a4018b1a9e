/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layer "reduce", taken apart. */
#include "learn/reduce.h"

#include <math.h>
#include <string.h>

#include "learn/layer.h"

/* ---- making it ---- */

static LpHalf make_half(LpArena *arena, bool *ok, uint32_t rows, uint32_t half, uint32_t out) {
    return (LpHalf){.rows = rows,
                    .x = lp_layer_room(arena, ok, rows, half),
                    .mean = lp_layer_room(arena, ok, rows, 1),
                    .square = lp_layer_room(arena, ok, rows, 1),
                    .turned = lp_layer_room(arena, ok, half, out),
                    .y = lp_layer_room(arena, ok, rows, out),
                    .dy = lp_layer_room(arena, ok, rows, out),
                    .dx = lp_layer_room(arena, ok, rows, half),
                    .d_mean = lp_layer_room(arena, ok, rows, 1),
                    .d_square = lp_layer_room(arena, ok, rows, 1)};
}

LpReduce lp_reduce_make(const LpBlas *blas, LpArena *arena, bool *ok, const LpNetLayer *l,
                        const LpMessages *m) {
    LpReduce r = {.blas = blas, .half = l->in / 2, .out = l->out};
    r.p = make_half(arena, ok, m->nodes, r.half, r.out);
    r.q = make_half(arena, ok, m->kinds, r.half, r.out);
    r.w = lp_layer_room(arena, ok, r.out, 1);
    r.c = lp_layer_room(arena, ok, r.out, 1);
    r.mean = lp_layer_room(arena, ok, m->count, 1);
    r.scale = lp_layer_room(arena, ok, m->count, 1);
    r.state = lp_layer_room(arena, ok, m->count, r.out);
    r.d_w = lp_layer_room(arena, ok, r.out, 1);
    r.d_c = lp_layer_room(arena, ok, r.out, 1);
    r.d_matrix = lp_layer_room(arena, ok, r.out, r.half);
    r.room = lp_layer_room(arena, ok, r.out, r.half);
    return r;
}

/* ---- forwards ---- */

/* W', w and c. */
static void fold(LpReduce *r, const LpNetLayer *l, const double *params) {
    const double *gain = params + l->gain, *shift = params + l->shift;
    for (uint32_t o = 0; o < r->out; o++) {
        const double *row = params + l->weight + (size_t)o * l->in;
        double sum = 0, constant = params[l->bias + o];
        for (uint32_t k = 0; k < l->in; k++) {
            double *turned = k < r->half ? r->p.turned : r->q.turned;
            double weight = row[k] * gain[k];
            turned[(size_t)(k < r->half ? k : k - r->half) * r->out + o] = weight;
            sum += weight;
            constant += row[k] * shift[k];
        }
        r->w[o] = sum;
        r->c[o] = constant;
    }
}

static void apply(const LpReduce *r, LpHalf *h) {
    int rows = (int)h->rows, half = (int)r->half, out = (int)r->out;
    for (uint32_t i = 0; i < h->rows; i++) {
        const double *x = h->x + (size_t)i * r->half;
        double mean = 0, square = 0;
        for (uint32_t k = 0; k < r->half; k++)
            mean += x[k];
        mean /= r->half;
        for (uint32_t k = 0; k < r->half; k++)
            square += (x[k] - mean) * (x[k] - mean);
        h->mean[i] = mean;
        h->square[i] = square;
    }
    r->blas->dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, out, half, 1, h->x, half,
                   h->turned, out, 0, h->y, out);
}

/* Adds one message's state to z, both of `out` numbers. */
static void send(uint32_t out, double mean, double scale, const double *restrict w,
                 const double *restrict c, const double *restrict p, const double *restrict q,
                 double *restrict state, double *restrict z) {
    for (uint32_t o = 0; o < out; o++) {
        double x = scale * (p[o] + q[o] - mean * w[o]) + c[o];
        x = x > 0 ? x : 0;
        state[o] = x;
        z[o] += x;
    }
}

void lp_reduce_forward(LpReduce *r, const LpNetLayer *l, const double *params,
                       const LpMessages *messages, double *z) {
    fold(r, l, params);
    apply(r, &r->p);
    apply(r, &r->q);
    memset(z, 0, (size_t)messages->nodes * r->out * sizeof *z);
    for (uint32_t m = 0; m < messages->count; m++) {
        size_t from = messages->from[m], kind = messages->kind[m];
        double apart = (r->p.mean[from] - r->q.mean[kind]) / 2;
        double variance = (r->p.square[from] + r->q.square[kind]) / l->in + apart * apart;
        r->mean[m] = (r->p.mean[from] + r->q.mean[kind]) / 2;
        r->scale[m] = 1 / sqrt(variance + LP_LAYER_EPSILON);
        send(r->out, r->mean[m], r->scale[m], r->w, r->c, r->p.y + from * r->out,
             r->q.y + kind * r->out, r->state + (size_t)m * r->out,
             z + (size_t)messages->to[m] * r->out);
    }
    for (uint32_t v = 0; v < messages->nodes; v++)
        for (uint32_t o = 0; o < r->out; o++)
            z[(size_t)v * r->out + o] *= messages->share[v];
}

/* ---- backwards ---- */

/* The derivatives that one message leaves; returns that by its scale. d: that by its state. */
static double unsend(uint32_t out, double mean, double scale, const double *restrict w,
                     const double *restrict p, const double *restrict q,
                     const double *restrict state, const double *restrict d, double *restrict d_c,
                     double *restrict d_p, double *restrict d_q) {
    double sum[4] = {0}; /* four chains, which a processor adds at once */
    for (uint32_t o = 0; o < out; o++) {
        double x = state[o] > 0 ? d[o] : 0;
        d_c[o] += x;
        d_p[o] += scale * x;
        d_q[o] += scale * x;
    }
    for (uint32_t o = 0; o + 4 <= out; o += 4)
        for (uint32_t k = 0; k < 4; k++)
            sum[k] += (state[o + k] > 0 ? d[o + k] : 0) * (p[o + k] + q[o + k] - mean * w[o + k]);
    for (uint32_t o = out / 4 * 4; o < out; o++)
        sum[0] += (state[o] > 0 ? d[o] : 0) * (p[o] + q[o] - mean * w[o]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void clear(const LpReduce *r, LpHalf *h) {
    memset(h->dy, 0, (size_t)h->rows * r->out * sizeof *h->dy);
    memset(h->d_mean, 0, h->rows * sizeof *h->d_mean);
    memset(h->d_square, 0, h->rows * sizeof *h->d_square);
}

/* The derivative by a half's numbers, and by w. */
static void unapply(LpReduce *r, LpHalf *h) {
    for (uint32_t i = 0; i < h->rows; i++) {
        const double *dy = h->dy + (size_t)i * r->out;
        double along = 0;
        for (uint32_t o = 0; o < r->out; o++) {
            along += dy[o] * r->w[o];
            r->d_w[o] -= h->mean[i] / 2 * dy[o];
        }
        h->d_mean[i] -= along / 2;
    }
    lp_layer_turn(h->turned, r->half, r->out, r->half, r->room);
    r->blas->dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)h->rows, (int)r->half,
                   (int)r->out, 1, h->dy, (int)r->out, r->room, (int)r->half, 0, h->dx,
                   (int)r->half);
    for (uint32_t i = 0; i < h->rows; i++) {
        const double *x = h->x + (size_t)i * r->half;
        double *dx = h->dx + (size_t)i * r->half;
        for (uint32_t k = 0; k < r->half; k++)
            dx[k] += h->d_mean[i] / r->half + 2 * h->d_square[i] * (x[k] - h->mean[i]);
    }
}

/* The derivative by the columns of the matrix that belong to a half. */
static void unfold(LpReduce *r, const LpHalf *h, const LpNetLayer *l, const double *params,
                   uint32_t column, double *grad) {
    const double *gain = params + l->gain + column, *shift = params + l->shift + column;
    double *d_gain = grad + l->gain + column, *d_shift = grad + l->shift + column;
    memset(r->d_matrix, 0, (size_t)r->out * r->half * sizeof *r->d_matrix);
    lp_layer_outer(r->blas, h->dy, r->out, h->x, r->half, r->half, h->rows, r->room, r->d_matrix);
    for (uint32_t o = 0; o < r->out; o++) {
        const double *d = r->d_matrix + (size_t)o * r->half;
        size_t at = l->weight + (size_t)o * l->in + column;
        for (uint32_t k = 0; k < r->half; k++) {
            double folded = d[k] + r->d_w[o]; /* by W' */
            grad[at + k] += folded * gain[k] + r->d_c[o] * shift[k];
            d_gain[k] += folded * params[at + k];
            d_shift[k] += r->d_c[o] * params[at + k];
        }
    }
}

void lp_reduce_backward(LpReduce *r, const LpNetLayer *l, const double *params,
                        const LpMessages *messages, double *d_z, double *grad) {
    for (uint32_t v = 0; v < messages->nodes; v++)
        for (uint32_t o = 0; o < r->out; o++)
            d_z[(size_t)v * r->out + o] *= messages->share[v];
    /* Through all messages, to what they were made of. */
    clear(r, &r->p);
    clear(r, &r->q);
    memset(r->d_c, 0, r->out * sizeof *r->d_c);
    for (uint32_t m = 0; m < messages->count; m++) {
        size_t from = messages->from[m], kind = messages->kind[m];
        double scale = r->scale[m], apart = (r->p.mean[from] - r->q.mean[kind]) / 2;
        double d_scale =
            unsend(r->out, r->mean[m], scale, r->w, r->p.y + from * r->out, r->q.y + kind * r->out,
                   r->state + (size_t)m * r->out, d_z + (size_t)messages->to[m] * r->out, r->d_c,
                   r->p.dy + from * r->out, r->q.dy + kind * r->out);
        double d_variance = -0.5 * scale * scale * scale * d_scale;
        r->p.d_mean[from] += d_variance * apart;
        r->q.d_mean[kind] -= d_variance * apart;
        r->p.d_square[from] += d_variance / l->in;
        r->q.d_square[kind] += d_variance / l->in;
    }
    memset(r->d_w, 0, r->out * sizeof *r->d_w);
    unapply(r, &r->p);
    unapply(r, &r->q);
    unfold(r, &r->p, l, params, 0, grad);
    unfold(r, &r->q, l, params, r->half, grad);
    lp_layer_add_rows(r->d_c, 1, r->out, grad + l->bias);
}
