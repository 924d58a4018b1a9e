/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From messages to nodes: the layer "reduce" of a round (learn/net.h) and the mean over what
 * arrives at each node; private to learn/.
 *
 * A message [p_u, q_k] is made of a node's half and a half that depends on the kind of its edge
 * alone (edges with the same features are of one kind; the last kind is that of a node's message to
 * itself, q = 0). Neither its layer norm nor the matrix needs it whole. With W' = W gain, split
 * into W'p and W'q, w = row sums of W', c = W shift + bias, and the mean m and variance v of its n
 * numbers reduce([p, q]) = relu((W'p p + W'q q - m w) / sqrt(v + epsilon) + c) m = (mean p + mean
 * q) / 2,   v = (S p + S q) / n + ((mean p - mean q) / 2)^2 where S x is the sum of squares about
 * the mean. So the matrices are applied once per node and once per kind, not per message. */
#ifndef LP_LEARN_REDUCE_H
#define LP_LEARN_REDUCE_H

#include "base/mem.h"
#include "learn/blas/blas.h"
#include "learn/net.h"

/* Who sends what to whom. Kind kinds - 1 has q = 0. */
typedef struct LpMessages {
    uint32_t nodes, kinds, count;
    uint32_t *from, *kind, *to;
    double *share; /* nodes: weight of each message that arrives */
} LpMessages;

/* One kind of half: rows of `half` numbers, and what is worked out of them. */
typedef struct LpHalf {
    uint32_t rows;
    double *x;             /* rows x half; the last of q is 0 */
    double *mean, *square; /* rows: mean, and sum of squares about it */
    double *turned;        /* half x out: W' of this half */
    double *y;             /* rows x out: x W' */
    double *dy, *dx;       /* derivatives */
    double *d_mean, *d_square;
} LpHalf;

typedef struct LpReduce {
    const LpBlas *blas;
    uint32_t half, out;
    LpHalf p, q;
    double *w, *c;           /* out */
    double *mean, *scale;    /* messages: m, 1 / sqrt(v + epsilon) */
    double *state;           /* messages x out */
    double *d_w, *d_c;       /* out */
    double *d_matrix, *room; /* out x half each */
} LpReduce;

/* `blas` must outlive it. */
LpReduce lp_reduce_make(const LpBlas *blas, LpArena *arena, bool *ok, const LpNetLayer *layer,
                        const LpMessages *messages);
/* From p.x and q.x to z (nodes x out). */
void lp_reduce_forward(LpReduce *reduce, const LpNetLayer *layer, const double *params,
                       const LpMessages *messages, double *z);
/* d_z (derivative by z) is spent; p.dx and q.dx get that by p.x and q.x, grad is added to. */
void lp_reduce_backward(LpReduce *reduce, const LpNetLayer *layer, const double *params,
                        const LpMessages *messages, double *d_z, double *grad);

#endif
