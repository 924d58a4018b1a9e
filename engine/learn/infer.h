/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network as runs use it: own loops in one fixed order, + - * / and sqrt only, so that scores
 * have the same bits on every machine and with every compiler. What depends on the graph alone is
 * worked out once per graph (lp_infer_embed); a decision is then a few thousand multiplications. */
#ifndef LP_LEARN_INFER_H
#define LP_LEARN_INFER_H

#include "learn/net.h"

/* Numbers of working room for graphs of at most `nodes` nodes and `edges` edges. */
size_t lp_infer_room(const LpNetPlan *plan, uint32_t nodes, uint32_t edges);
/* The graph's embedding into out[shape.embedding]. room: lp_infer_room(plan, graph) numbers.
 * O((nodes + edges) * messages * width). */
void lp_infer_embed(const LpNetPlan *plan, const double *params, const LpNetGraph *graph,
                    double *room, double *out);

/* Numbers of working room for a decision. */
size_t lp_infer_head_room(const LpNetPlan *plan);
/* One head's outputs (shape.actions, the value head 1) from an embedding and
 * features[shape.features]. room: lp_infer_head_room(plan) numbers. O(features * branch + hidden *
 * (embedding + branch + actions)). A network that scores one by one has no embedding (NULL) and no
 * action values: they are 0. */
void lp_infer_head(const LpNetPlan *plan, const double *params, LpNetHead head,
                   const double *embedding, const double *features, double *room, double *out);
/* The value head of a network that scores one by one, from the features in common alone: a job's
 * priority. room: lp_infer_head_room(plan) numbers. */
void lp_infer_priority(const LpNetPlan *plan, const double *params, const double *common,
                       double *room, double *out);

#endif
