/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The message passing of the network (learn/net.h) over some graphs at once, forwards and
 * backwards, for training: an embedding per graph. Private to learn/. */
#ifndef LP_LEARN_ENCODE_H
#define LP_LEARN_ENCODE_H

#include "learn/net.h"

typedef struct LpEncoder LpEncoder;

/* Copies the graphs' features. No other function here allocates. Errors: LP_ENOMEM; LP_EIO where
 * BLAS cannot be loaded. */
LpErr lp_encoder_new(const LpNetPlan *plan, const LpNetGraph *graphs, uint32_t count,
                     LpEncoder **out, LpDiag *diag) LP_MUST_USE;
void lp_encoder_free(LpEncoder *encoder); /* NULL allowed */

/* embedding: graphs x shape.embedding. */
void lp_encoder_forward(LpEncoder *encoder, const double *params, double *embedding);
/* slope: derivative of a loss by the embeddings of the last lp_encoder_forward with the same
 * parameters; adds that by the parameters to grad[params]. d_node (nodes x LP_NET_NODE; NULL:
 * nobody asks) gets that by the node features of all graphs. */
void lp_encoder_backward(LpEncoder *encoder, const double *params, const double *slope,
                         double *grad, double *d_node);

#endif
