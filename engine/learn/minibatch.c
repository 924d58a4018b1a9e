/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs and heads joined, for one thread. */
#include "learn/minibatch.h"

#include <string.h>

#include "base/mem.h"
#include "learn/encode.h"
#include "learn/heads.h"

struct LpMinibatch {
    LpEncoder *encoder;
    LpHeads *heads;
    double *embedding, *d_embedding; /* graphs x embedding */
    double *d_features, *d_node;
    uint32_t *graph; /* samples */
};

static LpErr fill(LpMinibatch *b, const LpNetPlan *plan, const LpNetGraph *graphs, uint32_t count,
                  uint32_t samples, LpDiag *diag) {
    size_t nodes = 0;
    for (uint32_t g = 0; g < count; g++)
        nodes += graphs[g].nodes;
    b->embedding = lp_alloc((size_t)count * plan->shape.embedding, sizeof *b->embedding);
    b->d_embedding = lp_alloc((size_t)count * plan->shape.embedding, sizeof *b->d_embedding);
    b->d_features = lp_alloc((size_t)samples * plan->shape.features, sizeof *b->d_features);
    b->d_node = lp_alloc(nodes * LP_NET_NODE, sizeof *b->d_node);
    b->graph = lp_alloc(samples, sizeof *b->graph);
    if (b->embedding == NULL || b->d_embedding == NULL || b->d_features == NULL ||
        b->d_node == NULL || b->graph == NULL)
        return lp_fail_memory(diag, "a batch of decisions");
    LP_TRY(lp_encoder_new(plan, graphs, count, &b->encoder, diag));
    return lp_heads_new(plan, count, samples, &b->heads, diag);
}

LpErr lp_minibatch_new(const LpNetPlan *plan, const LpNetGraph *graphs, uint32_t count,
                       uint32_t samples, LpMinibatch **out, LpDiag *diag) {
    LpMinibatch *b = lp_alloc(1, sizeof *b);
    if (b == NULL)
        return lp_fail_memory(diag, "a batch of decisions");
    LpErr err = fill(b, plan, graphs, count, samples, diag);
    if (err != LP_OK) {
        lp_minibatch_free(b);
        return err;
    }
    *out = b;
    return LP_OK;
}

void lp_minibatch_free(LpMinibatch *b) {
    if (b == NULL)
        return;
    lp_encoder_free(b->encoder);
    lp_heads_free(b->heads);
    lp_free(b->embedding);
    lp_free(b->d_embedding);
    lp_free(b->d_features);
    lp_free(b->d_node);
    lp_free(b->graph);
    lp_free(b);
}

void lp_minibatch_forward(LpMinibatch *b, const double *params, uint32_t count,
                          const uint32_t *graph, const double *features) {
    memcpy(b->graph, graph, count * sizeof *graph);
    lp_encoder_forward(b->encoder, params, b->embedding);
    lp_heads_forward(b->heads, params, count, b->embedding, b->graph, features, NULL);
}

const double *lp_minibatch_out(const LpMinibatch *batch, LpNetHead head) {
    return lp_heads_out(batch->heads, head);
}

double *lp_minibatch_slope(LpMinibatch *batch, LpNetHead head) {
    return lp_heads_slope(batch->heads, head);
}

void lp_minibatch_backward(LpMinibatch *b, const double *params, unsigned heads, double *grad) {
    lp_heads_backward(b->heads, params, heads, grad, b->d_embedding, b->d_features);
    lp_encoder_backward(b->encoder, params, b->d_embedding, grad, b->d_node);
}

const double *lp_minibatch_feature_slope(const LpMinibatch *batch) {
    return batch->d_features;
}

const double *lp_minibatch_node_slope(const LpMinibatch *batch) {
    return batch->d_node;
}
