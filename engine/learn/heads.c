/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch and heads on BLAS. The hidden layers of all heads lie side by side, as one of `wide`
 * columns; of its inputs the embedding is the same for all decisions about a graph. */
#include "learn/heads.h"

#include <string.h>

#include "learn/layer.h"

struct LpHeads {
    LpNetPlan plan;
    LpBlas blas;
    LpArena *arena;
    uint32_t graphs, samples, count, wide;
    const double *embedding; /* of the last pass */
    const uint32_t *graph, *action;
    LpLayerTrail branch;
    double *branched; /* samples x branch */
    double *base;     /* graphs x wide: bias and embedding's part */
    double *hidden;   /* samples x wide */
    double *out[LP_HEAD_COUNT], *slope[LP_HEAD_COUNT];
    double *joint;  /* (embedding + branch) x wide: the hidden layers' matrices, turned */
    double *turned; /* another matrix */
    /* backward */
    double *d_hidden, *d_base, *d_branched;
};

/* ---- making it ---- */

static bool fill(LpHeads *h) {
    const LpNetShape *s = &h->plan.shape;
    bool ok = true;
    h->branch = lp_layer_trail(&h->blas, h->arena, &ok, h->samples, &h->plan.branch);
    h->branched = lp_layer_room(h->arena, &ok, h->samples, s->branch);
    h->base = lp_layer_room(h->arena, &ok, h->graphs, h->wide);
    h->hidden = lp_layer_room(h->arena, &ok, h->samples, h->wide);
    for (int k = 0; k < LP_HEAD_COUNT; k++) {
        h->out[k] = lp_layer_room(h->arena, &ok, h->samples, h->plan.out[k].out);
        h->slope[k] = lp_layer_room(h->arena, &ok, h->samples, h->plan.out[k].out);
    }
    h->joint = lp_layer_room(h->arena, &ok, (size_t)s->embedding + s->branch, h->wide);
    h->turned = lp_layer_room(h->arena, &ok, lp_layer_turned(&h->plan), 1);
    h->d_hidden = lp_layer_room(h->arena, &ok, h->samples, h->wide);
    h->d_base = lp_layer_room(h->arena, &ok, h->graphs, h->wide);
    h->d_branched = lp_layer_room(h->arena, &ok, h->samples, s->branch);
    return ok;
}

LpErr lp_heads_new(const LpNetPlan *plan, uint32_t graphs, uint32_t samples, LpHeads **out,
                   LpDiag *diag) {
    LpHeads *h = lp_alloc(1, sizeof *h);
    if (h == NULL || (h->arena = lp_arena_new(1 << 20)) == NULL) {
        lp_free(h);
        return lp_fail_memory(diag, "a batch of decisions");
    }
    LpErr err = lp_blas_load(&h->blas, diag);
    if (err != LP_OK) {
        lp_heads_free(h);
        return err;
    }
    h->plan = *plan;
    h->graphs = graphs;
    h->samples = samples;
    h->wide = LP_HEAD_COUNT * plan->shape.hidden;
    if (!fill(h)) {
        lp_heads_free(h);
        return lp_fail_memory(diag, "a batch of decisions");
    }
    *out = h;
    return LP_OK;
}

void lp_heads_free(LpHeads *heads) {
    if (heads == NULL)
        return;
    lp_arena_free(heads->arena);
    lp_free(heads);
}

const double *lp_heads_out(const LpHeads *heads, LpNetHead head) {
    return heads->out[head];
}

double *lp_heads_slope(LpHeads *heads, LpNetHead head) {
    return heads->slope[head];
}

/* ---- forwards ---- */

static double *own_hidden(const LpHeads *h, double *hidden, int head) {
    return hidden + (size_t)head * h->plan.shape.hidden;
}

static void hide(LpHeads *h, const double *params) {
    const LpNetShape *s = &h->plan.shape;
    int wide = (int)h->wide, embedding = (int)s->embedding, branch = (int)s->branch;
    const double *of_branch = h->joint + (size_t)s->embedding * h->wide;
    for (int k = 0; k < LP_HEAD_COUNT; k++) {
        const LpNetLayer *l = &h->plan.hidden[k];
        lp_layer_turn(params + l->weight, l->out, l->in, h->wide, own_hidden(h, h->joint, k));
        for (uint32_t g = 0; g < h->graphs; g++)
            memcpy(own_hidden(h, h->base + (size_t)g * h->wide, k), params + l->bias,
                   l->out * sizeof *params);
    }
    h->blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)h->graphs, wide, embedding, 1,
                  h->embedding, embedding, h->joint, wide, 1, h->base, wide);
    for (uint32_t i = 0; i < h->count; i++)
        memcpy(h->hidden + (size_t)i * h->wide, h->base + (size_t)h->graph[i] * h->wide,
               h->wide * sizeof *h->hidden);
    h->blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)h->count, wide, branch, 1,
                  h->branched, branch, of_branch, wide, 1, h->hidden, wide);
    for (size_t i = 0; i < (size_t)h->count * h->wide; i++)
        h->hidden[i] = h->hidden[i] > 0 ? h->hidden[i] : 0;
}

/* All outputs of a head. */
static void answer(LpHeads *h, const double *params, int head) {
    const LpNetLayer *l = &h->plan.out[head];
    const double *x = own_hidden(h, h->hidden, head);
    int n = (int)h->count, in = (int)l->in, out = (int)l->out, wide = (int)h->wide;
    double *y = h->out[head];
    for (uint32_t i = 0; i < h->count; i++)
        memcpy(y + (size_t)i * l->out, params + l->bias, l->out * sizeof *y);
    if (l->out == 1) {
        h->blas.dgemv(CblasRowMajor, CblasNoTrans, n, in, 1, x, wide, params + l->weight, 1, 1, y,
                      1);
        return;
    }
    lp_layer_turn(params + l->weight, l->out, l->in, l->out, h->turned);
    h->blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, out, in, 1, x, wide, h->turned, out,
                  1, y, out);
}

/* One output per decision. */
static void answer_one(LpHeads *h, const double *params, int head) {
    const LpNetLayer *l = &h->plan.out[head];
    for (uint32_t i = 0; i < h->count; i++) {
        const double *x = own_hidden(h, h->hidden + (size_t)i * h->wide, head);
        const double *weight = params + l->weight + (size_t)h->action[i] * l->in;
        h->out[head][i] =
            params[l->bias + h->action[i]] + h->blas.ddot((int)l->in, x, 1, weight, 1);
    }
}

void lp_heads_forward(LpHeads *h, const double *params, uint32_t count, const double *embedding,
                      const uint32_t *graph, const double *features, const uint32_t *action) {
    h->count = count;
    h->embedding = embedding;
    h->graph = graph;
    h->action = action;
    lp_layer_forward(&h->plan.branch, params, count, features, &h->branch, h->turned, h->branched);
    hide(h, params);
    answer(h, params, LP_HEAD_POLICY);
    answer(h, params, LP_HEAD_VALUE);
    if (action == NULL)
        answer(h, params, LP_HEAD_Q);
    else
        answer_one(h, params, LP_HEAD_Q);
}

/* ---- backwards ---- */

static void unanswer(LpHeads *h, const double *params, int head, double *grad) {
    const LpNetLayer *l = &h->plan.out[head];
    int n = (int)h->count, in = (int)l->in, out = (int)l->out, wide = (int)h->wide;
    const double *dy = h->slope[head];
    lp_layer_outer(&h->blas, dy, l->out, own_hidden(h, h->hidden, head), l->in, h->wide, h->count,
                   h->turned, grad + l->weight);
    lp_layer_add_rows(dy, h->count, l->out, grad + l->bias);
    h->blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, in, out, 1, dy, out,
                  params + l->weight, in, 0, own_hidden(h, h->d_hidden, head), wide);
}

static void unanswer_one(LpHeads *h, const double *params, int head, double *grad) {
    const LpNetLayer *l = &h->plan.out[head];
    for (uint32_t i = 0; i < h->count; i++) {
        const double *x = own_hidden(h, h->hidden + (size_t)i * h->wide, head);
        double *dx = own_hidden(h, h->d_hidden + (size_t)i * h->wide, head);
        size_t row = l->weight + (size_t)h->action[i] * l->in;
        double dy = h->slope[head][i];
        grad[l->bias + h->action[i]] += dy;
        for (uint32_t k = 0; k < l->in; k++) {
            grad[row + k] += dy * x[k];
            dx[k] = dy * params[row + k];
        }
    }
}

static void clear(LpHeads *h, int head) {
    for (uint32_t i = 0; i < h->count; i++)
        memset(own_hidden(h, h->d_hidden + (size_t)i * h->wide, head), 0,
               h->plan.shape.hidden * sizeof *h->d_hidden);
}

/* Sums of d_hidden over the decisions about each graph. */
static void sum_graphs(LpHeads *h) {
    memset(h->d_base, 0, (size_t)h->graphs * h->wide * sizeof *h->d_base);
    for (uint32_t i = 0; i < h->count; i++)
        lp_layer_add_rows(h->d_hidden + (size_t)i * h->wide, 1, h->wide,
                          h->d_base + (size_t)h->graph[i] * h->wide);
}

/* The derivative by the hidden layers' parameters; what `joint` held is spent. */
static void unhide_params(LpHeads *h, double *grad) {
    const LpNetShape *s = &h->plan.shape;
    int wide = (int)h->wide, embedding = (int)s->embedding, branch = (int)s->branch;
    h->blas.dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, embedding, wide, (int)h->graphs, 1,
                  h->embedding, embedding, h->d_base, wide, 0, h->joint, wide);
    h->blas.dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, branch, wide, (int)h->count, 1,
                  h->branched, branch, h->d_hidden, wide, 0,
                  h->joint + (size_t)s->embedding * h->wide, wide);
    for (int k = 0; k < LP_HEAD_COUNT; k++) {
        const LpNetLayer *l = &h->plan.hidden[k];
        const double *turned = own_hidden(h, h->joint, k);
        for (uint32_t r = 0; r < l->out; r++)
            for (uint32_t c = 0; c < l->in; c++)
                grad[l->weight + (size_t)r * l->in + c] += turned[(size_t)c * h->wide + r];
        for (uint32_t g = 0; g < h->graphs; g++)
            lp_layer_add_rows(own_hidden(h, h->d_base + (size_t)g * h->wide, k), 1, l->out,
                              grad + l->bias);
    }
}

/* The derivative by the hidden layers' inputs. */
static void unhide_inputs(LpHeads *h, const double *params, double *d_embedding) {
    const LpNetShape *s = &h->plan.shape;
    int wide = (int)h->wide, embedding = (int)s->embedding, branch = (int)s->branch;
    for (int k = 0; k < LP_HEAD_COUNT; k++) {
        const LpNetLayer *l = &h->plan.hidden[k];
        const double *weight = params + l->weight;
        h->blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)h->graphs, embedding,
                      (int)l->out, 1, own_hidden(h, h->d_base, k), wide, weight, (int)l->in,
                      k == 0 ? 0 : 1, d_embedding, embedding);
        h->blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)h->count, branch, (int)l->out,
                      1, own_hidden(h, h->d_hidden, k), wide, weight + s->embedding, (int)l->in,
                      k == 0 ? 0 : 1, h->d_branched, branch);
    }
}

void lp_heads_backward(LpHeads *h, const double *params, unsigned which, double *grad,
                       double *d_embedding, double *d_features) {
    for (int k = 0; k < LP_HEAD_COUNT; k++) {
        if ((which & 1u << k) == 0)
            clear(h, k);
        else if (k == LP_HEAD_Q && h->action != NULL)
            unanswer_one(h, params, k, grad);
        else
            unanswer(h, params, k, grad);
    }
    lp_layer_unrelu(h->hidden, h->d_hidden, (size_t)h->count * h->wide);
    sum_graphs(h);
    unhide_params(h, grad);
    unhide_inputs(h, params, d_embedding);
    lp_layer_backward(&h->plan.branch, params, h->count, &h->branch, h->branched, h->turned,
                      h->d_branched, d_features, grad);
}
