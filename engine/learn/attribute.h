/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an output of the network owes to the numbers that it read: its derivative by every feature
 * of the decision, of the nodes and of the edges, backwards through one decision in own loops. Like
 * infer.h it uses + - * / and sqrt only and one fixed order, so it has the same bits everywhere.
 *
 * Explained are weighted sums of one head's outputs before any softmax, y = sum of weight[a] *
 * out[a]: with weights 1 and -1, by how much one answer is ahead of another; the value head has one
 * output. "Gradient times input", x * dy/dx, is then what a number has moved y, to first order,
 * compared with 0 (Simonyan et al. 2014, Shrikumar et al. 2016). A number that is 0 moves nothing.
 * Because of the layer norms, which only see how numbers stand to each other, the products about
 * job and cluster nearly cancel in sum, as do those of each node and of each edge. So what a node
 * matters is told one step later, by its state after the last round. */
#ifndef LP_LEARN_ATTRIBUTE_H
#define LP_LEARN_ATTRIBUTE_H

#include "learn/net.h"

/* Where the derivatives are written; all are overwritten. */
typedef struct LpSlopes {
    double *feature; /* shape.features */
    double *node;    /* nodes x LP_NET_NODE */
    double *edge;    /* edges x LP_NET_EDGE */
    double *pooled;  /* nodes: what each moves y by through the mean that makes the graph's
                        embedding,  its last state times the slope by it */
} LpSlopes;

/* Numbers of working room for graphs of at most `nodes` nodes and `edges` edges. */
size_t lp_attribute_room(const LpNetPlan *plan, uint32_t nodes, uint32_t edges);
/* weight: one per output of the head (shape.actions, the value head 1). Returns y, by the loops of
 * infer.h. At the kink of a relu its derivative is 0. O((nodes + edges) * messages * width), about
 * four embeddings. */
double lp_attribute(const LpNetPlan *plan, const double *params, const LpNetGraph *graph,
                    const double *features, LpNetHead head, const double *weight, double *room,
                    const LpSlopes *out);

#endif
