/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forward pass in plain loops, for those who take it apart; private to learn/. Sums run from
 * index 0 upwards and are never split up. */
#ifndef LP_LEARN_INFER_IMPL_H
#define LP_LEARN_INFER_IMPL_H

#include <math.h>

#include "learn/infer.h"

#define LP_NORM_EPSILON 1e-5

/* out = (x - mean) * scale, the layer norm before gain and shift; returns the scale. */
static inline double lp_layer_unit(uint32_t n, const double *x, double *out) {
    double mean = 0, variance = 0;
    for (uint32_t i = 0; i < n; i++)
        mean += x[i];
    mean /= n;
    for (uint32_t i = 0; i < n; i++)
        variance += (x[i] - mean) * (x[i] - mean);
    double scale = 1 / sqrt(variance / n + LP_NORM_EPSILON);
    for (uint32_t i = 0; i < n; i++)
        out[i] = (x[i] - mean) * scale;
    return scale;
}

/* What lp_layer makes output o of, before relu, with the same bits. */
static inline double lp_layer_sum(const LpNetLayer *l, const double *params, uint32_t o,
                                  const double *x) {
    const double *weight = params + l->weight + (size_t)o * l->in;
    double sum = 0;
    for (uint32_t i = 0; i < l->in; i++)
        sum += weight[i] * x[i];
    return sum + params[l->bias + o];
}

/* out = layer(x); room: layer->in numbers. */
void lp_layer(const LpNetLayer *l, const double *params, const double *x, double *room,
              double *out);

/* Working room of an embedding, in this order. */
typedef struct LpInferRoom {
    double *z, *next;        /* nodes x the wider of width and embedding */
    double *p;               /* nodes x messages / 2 */
    double *degree;          /* nodes: edges that lead there */
    double *message, *state; /* one message, and what it becomes */
    double *scratch;         /* one normalised input */
} LpInferRoom;

/* Divides the room of lp_infer_room and counts the degrees. */
LpInferRoom lp_infer_split(const LpNetShape *shape, const LpNetGraph *graph, double *room);
/* Round r: node states z into w->next. */
void lp_infer_pass(const LpNetPlan *plan, const double *params, const LpNetGraph *graph, uint32_t r,
                   const double *z, LpInferRoom *w);
/* The mean over the nodes of z into out[shape.embedding]. */
void lp_infer_pool(const LpNetShape *shape, const LpNetGraph *graph, const double *z, double *out);

#endif
