/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The branch and the heads of the network (learn/net.h) for many decisions at once, forwards and
 * backwards, for training. The graphs' embeddings come from outside (learn/encode.h), one row per
 * graph, and what they add to the hidden layers is worked out once per graph. Private to learn/. */
#ifndef LP_LEARN_HEADS_H
#define LP_LEARN_HEADS_H

#include "learn/net.h"

typedef struct LpHeads LpHeads;

/* Room for at most `samples` decisions about `graphs` graphs. No other function here allocates.
 * Errors: LP_ENOMEM; LP_EIO where BLAS cannot be loaded. */
LpErr lp_heads_new(const LpNetPlan *plan, uint32_t graphs, uint32_t samples, LpHeads **out,
                   LpDiag *diag) LP_MUST_USE;
void lp_heads_free(LpHeads *heads); /* NULL allowed */

/* count <= samples decisions: graph[i] is a row of embedding (graphs x shape.embedding), features
 * count x shape.features. action NULL: all action values; else only that of action[i], so that the
 * outputs and slopes of LP_HEAD_Q are count x 1. embedding, graph and action must stay until
 * lp_heads_backward. */
void lp_heads_forward(LpHeads *heads, const double *params, uint32_t count, const double *embedding,
                      const uint32_t *graph, const double *features, const uint32_t *action);
/* Outputs of a head: count x actions, of the value head count x 1. */
const double *lp_heads_out(const LpHeads *heads, LpNetHead head);
/* Where the derivative of a loss by a head's outputs is written before lp_heads_backward. */
double *lp_heads_slope(LpHeads *heads, LpNetHead head);
/* Adds the derivative of the loss by the parameters to grad[params], from the slopes of the heads
 * that `which` names (bit 1 << LpNetHead); d_embedding (graphs x shape.embedding) gets that by the
 * embeddings, d_features (count x shape.features; NULL: nobody asks) that by the features. */
void lp_heads_backward(LpHeads *heads, const double *params, unsigned which, double *grad,
                       double *d_embedding, double *d_features);

#endif
