/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network that scores the ways to decide a job: a mean-pool graph neural network over the job's
 * computation graph, a branch for the features of job and cluster, and heads for policy, value and
 * action values (semantics 14.1; Parsonson et al., arXiv 2301.13799). Here: its shape, and its
 * parameters as one flat array with a table of named tensors. What it computes is in infer.h (own
 * loops, for runs) and minibatch.h (BLAS, for training).
 *
 * With LN a layer norm with gain and bias, x -> g (x - mean) / sqrt(variance + 1e-5) + b:
 *   round r, input z (node features in round 0), edge features e:
 *     p_u  = relu(node.weight LN(z_u) + node.bias)          messages/2 wide
 *     q_uv = relu(edge.weight LN(e_uv) + edge.bias)         messages/2 wide
 *     h    = relu(reduce.weight LN(m) + reduce.bias)        of m = [p_u, q_uv] for each edge u -> v
 *                                                           and m = [p_v, 0] for v itself
 *     z'_v = mean of the h of v itself and of the edges that lead to v
 *            (shape.silent_sources: 0 where none leads to v, as the published one has it)
 *   graph  = mean over nodes of the last z'                 embedding wide
 *   branch = branch.weight LN(features) + branch.bias       branch wide
 *   x      = [graph, branch]
 *   logits, value, q = out.weight relu(hidden.weight x + hidden.bias) + out.bias, a pair per head
 *
 * A network that scores one by one (shape.own > 0; encoding "queue", queue.h) has no graph, branch
 * and action values, and as many parameters whatever the number of actions. Its features are those
 * in common c, then `own` numbers per action (the first of all actions, the second of all ...),
 * then the mask. With the same two layers logit of an action = policy.out relu(policy.hidden [c,
 * own numbers of the action]) value = value.out relu(value.hidden c): the priority of a job,
 * whether it waits or runs
 */
#ifndef LP_LEARN_NET_H
#define LP_LEARN_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
    LP_NET_NODE = 5, /* features of a node (observe.h) */
    LP_NET_EDGE = 2, /* features of an edge (observe.h) */
    LP_NET_ROUNDS = 4,
    LP_NET_WIDTH = 512, /* most that any width of a shape may be */
    LP_NET_TENSORS = LP_NET_ROUNDS * 12 + 16,
    LP_NET_NAME = 32
};

typedef struct LpNetShape {
    uint32_t features;  /* of job and cluster, mask included */
    uint32_t actions;   /* ways to decide, declining included */
    uint32_t rounds;    /* of message passing, 1..LP_NET_ROUNDS */
    uint32_t messages;  /* width of a message, even */
    uint32_t width;     /* of a node between rounds */
    uint32_t embedding; /* of a node after the last round */
    uint32_t branch;    /* of the branch for features */
    uint32_t hidden;    /* of each head */
    bool silent_sources;
    uint32_t own; /* 0; else numbers per action of a network that scores one by one, see above */
} LpNetShape;

/* The published widths: 2 rounds, 32, 64, 16, 8, and `hidden` 256. */
LpNetShape lp_net_shape(uint32_t features, uint32_t actions);
/* Errors: LP_EINVAL, LP_ERANGE naming the width that is out of range. */
LpErr lp_net_check(const LpNetShape *shape, LpDiag *diag) LP_MUST_USE;
/* Features in common of a network that scores one by one. */
static inline uint32_t lp_net_common(const LpNetShape *s) {
    return s->features - (s->own + 1) * s->actions;
}
bool lp_net_same(const LpNetShape *a, const LpNetShape *b);

/* rows x columns, row-major, at params[offset]; a vector has 1 row. */
typedef struct LpTensor {
    char name[LP_NET_NAME]; /* "round0.node.weight" */
    uint32_t rows, columns;
    size_t offset;
} LpTensor;

/* Offsets of one layer norm followed by one linear layer; norm is NO_NORM for the heads. */
typedef struct LpNetLayer {
    uint32_t in, out;
    size_t gain, shift; /* in each; equal where there is no norm */
    size_t weight;      /* out x in */
    size_t bias;        /* out */
    bool norm, relu;
} LpNetLayer;

typedef enum LpNetHead { LP_HEAD_POLICY, LP_HEAD_VALUE, LP_HEAD_Q, LP_HEAD_COUNT } LpNetHead;

/* Where everything is; a pure function of the shape. */
typedef struct LpNetPlan {
    LpNetShape shape;
    LpNetLayer node[LP_NET_ROUNDS], edge[LP_NET_ROUNDS], reduce[LP_NET_ROUNDS];
    LpNetLayer branch;
    LpNetLayer hidden[LP_HEAD_COUNT], out[LP_HEAD_COUNT];
    uint32_t tensors;
    LpTensor tensor[LP_NET_TENSORS];
    size_t params;
    size_t graph_params; /* the first ones are those of the message passing */
} LpNetPlan;

/* shape must have passed lp_net_check. */
void lp_net_plan(const LpNetShape *shape, LpNetPlan *out);
/* Index of a tensor by name, -1: there is none. */
int lp_net_find(const LpNetPlan *plan, const char *name);

/* Draws the parameters: weights uniform in +-sqrt(6 / (in + out)) (Glorot & Bengio 2010), those of
 * the heads' outputs a hundredth of that, biases 0, gains 1. The same seed gives the same bytes. */
void lp_net_init(const LpNetPlan *plan, uint64_t seed, double *params);

/* A graph as the network reads it: nodes x LP_NET_NODE, edges x LP_NET_EDGE features, and edge e
 * from src[e] to dst[e]. */
typedef struct LpNetGraph {
    uint32_t nodes, edges;
    const double *node, *edge;
    const uint32_t *src, *dst;
} LpNetGraph;

#endif
