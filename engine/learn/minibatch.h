/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network as training uses it: many decisions at once, forwards and backwards, on BLAS. The
 * graphs of a scenario are few, so all of them go through the message passing together, once for
 * all decisions of a batch. Results differ from infer.h by rounding, and with the BLAS that is
 * installed. */
#ifndef LP_LEARN_MINIBATCH_H
#define LP_LEARN_MINIBATCH_H

#include "learn/net.h"

typedef struct LpMinibatch LpMinibatch;

/* Working room for at most `samples` decisions about these graphs, whose features are copied. No
 * other function here allocates. Errors: LP_ENOMEM; LP_EIO where BLAS cannot be loaded. */
LpErr lp_minibatch_new(const LpNetPlan *plan, const LpNetGraph *graphs, uint32_t count,
                       uint32_t samples, LpMinibatch **out, LpDiag *diag) LP_MUST_USE;
void lp_minibatch_free(LpMinibatch *batch); /* NULL allowed */

/* count <= samples decisions: graph[i] is an index into the graphs, features count x
 * shape.features. The outputs stay until the next call. */
void lp_minibatch_forward(LpMinibatch *batch, const double *params, uint32_t count,
                          const uint32_t *graph, const double *features);
/* Outputs of a head: count x actions, of the value head count x 1. */
const double *lp_minibatch_out(const LpMinibatch *batch, LpNetHead head);
/* Where the derivative of a loss by a head's outputs is written before lp_minibatch_backward. */
double *lp_minibatch_slope(LpMinibatch *batch, LpNetHead head);
/* Adds the derivative of the loss by the parameters to grad[params], from the slopes of the heads
 * that `heads` names (bit 1 << LpNetHead), for the decisions of the last lp_minibatch_forward with
 * the same parameters. The slopes are used up. */
void lp_minibatch_backward(LpMinibatch *batch, const double *params, unsigned heads, double *grad);
/* After lp_minibatch_backward: the derivative by the features (count x features), and by the node
 * features of all graphs together, in their order (nodes x LP_NET_NODE). */
const double *lp_minibatch_feature_slope(const LpMinibatch *batch);
const double *lp_minibatch_node_slope(const LpMinibatch *batch);

#endif
