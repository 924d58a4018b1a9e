/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward and backward passes on BLAS. Rows are nodes, messages (first each node's own, then one
 * per edge) or decisions; every array is taken from one arena when the batch is made. */
#include "learn/minibatch.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

#define NORM_EPSILON 1e-5

/* What a layer leaves behind for its backward pass; rows x in each. */
typedef struct Trail {
    double *hat;   /* normalised, before gain and shift */
    double *scale; /* rows: 1 / standard deviation */
    double *input; /* what the matrix was applied to; borrowed where there is no norm */
} Trail;

typedef struct Round {
    Trail node, edge, reduce;
    double *p, *q, *message, *state, *z; /* after relu; z: nodes x out */
} Round;

struct LpMinibatch {
    LpNetPlan plan;
    LpArena *arena;
    uint32_t graphs, nodes, edges, samples, count;
    uint32_t *node_begin; /* graphs + 1 */
    uint32_t *src, *dst;  /* edges, over all nodes */
    double *node, *edge;  /* features */
    double *share;        /* nodes: weight of each of a node's messages */
    uint32_t *graph;      /* samples */
    Round round[LP_NET_ROUNDS];
    double *embedding; /* graphs x embedding */
    Trail branch, hidden_in[LP_HEAD_COUNT], out_in[LP_HEAD_COUNT];
    double *features, *joined, *branched; /* samples x ... */
    double *hidden[LP_HEAD_COUNT], *out[LP_HEAD_COUNT], *slope[LP_HEAD_COUNT];
    /* backward: one array per kind of row */
    double *d_hidden, *d_part, *d_joined, *d_branched, *d_features;
    double *d_embedding, *d_z, *d_zin, *d_state, *d_message, *d_p, *d_q, *d_edge, *d_node;
};

/* ---- one layer ---- */

static void normalise(const LpNetLayer *l, const double *params, uint32_t rows, const double *x,
                      Trail *t) {
    const double *gain = params + l->gain, *shift = params + l->shift;
    uint32_t n = l->in;
    for (uint32_t r = 0; r < rows; r++) {
        const double *row = x + (size_t)r * n;
        double *hat = t->hat + (size_t)r * n, *input = t->input + (size_t)r * n;
        double mean = 0, variance = 0;
        for (uint32_t i = 0; i < n; i++)
            mean += row[i];
        mean /= n;
        for (uint32_t i = 0; i < n; i++)
            variance += (row[i] - mean) * (row[i] - mean);
        t->scale[r] = 1 / sqrt(variance / n + NORM_EPSILON);
        for (uint32_t i = 0; i < n; i++) {
            hat[i] = (row[i] - mean) * t->scale[r];
            input[i] = gain[i] * hat[i] + shift[i];
        }
    }
}

static void forward(const LpNetLayer *l, const double *params, uint32_t rows, double *x, Trail *t,
                    double *y) {
    int n = (int)rows, in = (int)l->in, out = (int)l->out;
    if (rows == 0)
        return;
    if (l->norm)
        normalise(l, params, rows, x, t);
    else
        t->input = x;
    for (uint32_t r = 0; r < rows; r++)
        memcpy(y + (size_t)r * l->out, params + l->bias, l->out * sizeof *y);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, out, in, 1, t->input, in,
                params + l->weight, in, 1, y, out);
    for (size_t i = 0; l->relu && i < (size_t)rows * l->out; i++)
        if (!(y[i] > 0))
            y[i] = 0;
}

/* dx: derivative by the normalised input in, by the layer's input out. */
static void unnormalise(const LpNetLayer *l, const double *params, uint32_t rows, const Trail *t,
                        double *dx, double *grad) {
    const double *gain = params + l->gain;
    double *d_gain = grad + l->gain, *d_shift = grad + l->shift;
    uint32_t n = l->in;
    for (uint32_t r = 0; r < rows; r++) {
        const double *hat = t->hat + (size_t)r * n;
        double *d = dx + (size_t)r * n, mean = 0, along = 0;
        for (uint32_t i = 0; i < n; i++) {
            d_gain[i] += d[i] * hat[i];
            d_shift[i] += d[i];
            d[i] *= gain[i];
            mean += d[i];
            along += d[i] * hat[i];
        }
        mean /= n;
        along /= n;
        for (uint32_t i = 0; i < n; i++)
            d[i] = t->scale[r] * (d[i] - mean - hat[i] * along);
    }
}

/* dy is spent; dx gets the derivative by the layer's input. */
static void backward(const LpNetLayer *l, const double *params, uint32_t rows, const Trail *t,
                     const double *y, double *dy, double *dx, double *grad) {
    int n = (int)rows, in = (int)l->in, out = (int)l->out;
    if (rows == 0)
        return;
    for (size_t i = 0; l->relu && i < (size_t)rows * l->out; i++)
        if (!(y[i] > 0))
            dy[i] = 0;
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, out, in, n, 1, dy, out, t->input, in, 1,
                grad + l->weight, in);
    double *d_bias = grad + l->bias;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t i = 0; i < l->out; i++)
            d_bias[i] += dy[(size_t)r * l->out + i];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, in, out, 1, dy, out,
                params + l->weight, in, 0, dx, in);
    if (l->norm)
        unnormalise(l, params, rows, t, dx, grad);
}

/* ---- making it ---- */

static double *room(LpMinibatch *b, bool *ok, size_t rows, size_t width) {
    double *numbers = lp_arena_alloc(b->arena, rows * width, sizeof *numbers);
    *ok = *ok && numbers != NULL;
    return numbers;
}

static Trail trail(LpMinibatch *b, bool *ok, size_t rows, const LpNetLayer *l) {
    Trail t = {0};
    if (l->norm)
        t = (Trail){room(b, ok, rows, l->in), room(b, ok, rows, 1), room(b, ok, rows, l->in)};
    return t;
}

static void make_round(LpMinibatch *b, uint32_t r, bool *ok) {
    const LpNetPlan *p = &b->plan;
    Round *round = &b->round[r];
    size_t messages = (size_t)b->nodes + b->edges;
    round->node = trail(b, ok, b->nodes, &p->node[r]);
    round->edge = trail(b, ok, b->edges, &p->edge[r]);
    round->reduce = trail(b, ok, messages, &p->reduce[r]);
    round->p = room(b, ok, b->nodes, p->node[r].out);
    round->q = room(b, ok, b->edges, p->edge[r].out);
    round->message = room(b, ok, messages, p->shape.messages);
    round->state = room(b, ok, messages, p->reduce[r].out);
    round->z = room(b, ok, b->nodes, p->reduce[r].out);
}

static void make_heads(LpMinibatch *b, bool *ok) {
    const LpNetShape *s = &b->plan.shape;
    size_t n = b->samples, joined = (size_t)s->embedding + s->branch;
    b->graph = lp_arena_alloc(b->arena, n, sizeof *b->graph);
    *ok = *ok && b->graph != NULL;
    b->features = room(b, ok, n, s->features);
    b->branch = trail(b, ok, n, &b->plan.branch);
    b->branched = room(b, ok, n, s->branch);
    b->joined = room(b, ok, n, joined);
    for (int h = 0; h < LP_HEAD_COUNT; h++) {
        b->hidden[h] = room(b, ok, n, s->hidden);
        b->out[h] = room(b, ok, n, b->plan.out[h].out);
        b->slope[h] = room(b, ok, n, b->plan.out[h].out);
    }
    b->d_hidden = room(b, ok, n, s->hidden);
    b->d_part = room(b, ok, n, joined);
    b->d_joined = room(b, ok, n, joined);
    b->d_branched = room(b, ok, n, s->branch);
    b->d_features = room(b, ok, n, s->features);
}

static void make_slopes(LpMinibatch *b, bool *ok) {
    const LpNetShape *s = &b->plan.shape;
    size_t messages = (size_t)b->nodes + b->edges;
    size_t width = s->width > s->embedding ? s->width : s->embedding;
    width = width > LP_NET_NODE ? width : LP_NET_NODE;
    b->embedding = room(b, ok, b->graphs, s->embedding);
    b->d_embedding = room(b, ok, b->graphs, s->embedding);
    b->d_z = room(b, ok, b->nodes, width);
    b->d_zin = room(b, ok, b->nodes, width);
    b->d_state = room(b, ok, messages, width);
    b->d_message = room(b, ok, messages, s->messages);
    b->d_p = room(b, ok, b->nodes, s->messages / 2);
    b->d_q = room(b, ok, b->edges, s->messages / 2);
    b->d_edge = room(b, ok, b->edges, LP_NET_EDGE);
    b->d_node = room(b, ok, b->nodes, LP_NET_NODE);
}

static void fill_graph(LpMinibatch *b, const LpNetGraph *g, uint32_t nodes, uint32_t edges) {
    memcpy(b->node + (size_t)nodes * LP_NET_NODE, g->node,
           (size_t)g->nodes * LP_NET_NODE * sizeof *b->node);
    if (g->edges > 0)
        memcpy(b->edge + (size_t)edges * LP_NET_EDGE, g->edge,
               (size_t)g->edges * LP_NET_EDGE * sizeof *b->edge);
    for (uint32_t e = 0; e < g->edges; e++) {
        b->src[edges + e] = nodes + g->src[e];
        b->dst[edges + e] = nodes + g->dst[e];
        b->share[nodes + g->dst[e]] += 1;
    }
}

static bool fill_graphs(LpMinibatch *b, const LpNetGraph *graphs) {
    bool ok = true;
    b->node = room(b, &ok, b->nodes, LP_NET_NODE);
    b->edge = room(b, &ok, b->edges, LP_NET_EDGE);
    b->share = room(b, &ok, b->nodes, 1);
    b->src = lp_arena_alloc(b->arena, b->edges, sizeof *b->src);
    b->dst = lp_arena_alloc(b->arena, b->edges, sizeof *b->dst);
    b->node_begin = lp_arena_alloc(b->arena, (size_t)b->graphs + 1, sizeof *b->node_begin);
    if (!ok || b->src == NULL || b->dst == NULL || b->node_begin == NULL)
        return false;
    for (uint32_t g = 0, edges = 0; g < b->graphs; edges += graphs[g++].edges) {
        fill_graph(b, &graphs[g], b->node_begin[g], edges);
        b->node_begin[g + 1] = b->node_begin[g] + graphs[g].nodes;
    }
    for (uint32_t v = 0; v < b->nodes; v++)
        b->share[v] =
            b->plan.shape.silent_sources && !(b->share[v] > 0) ? 0 : 1 / (b->share[v] + 1);
    return true;
}

LpErr lp_minibatch_new(const LpNetPlan *plan, const LpNetGraph *graphs, uint32_t count,
                       uint32_t samples, LpMinibatch **out, LpDiag *diag) {
    LpMinibatch *b = lp_alloc(1, sizeof *b);
    if (b == NULL || (b->arena = lp_arena_new(1 << 20)) == NULL) {
        lp_free(b);
        return lp_fail_memory(diag, "a batch of decisions");
    }
    b->plan = *plan;
    b->graphs = count;
    b->samples = samples;
    for (uint32_t g = 0; g < count; g++) {
        b->nodes += graphs[g].nodes;
        b->edges += graphs[g].edges;
    }
    bool ok = fill_graphs(b, graphs);
    for (uint32_t r = 0; ok && r < plan->shape.rounds; r++)
        make_round(b, r, &ok);
    if (ok)
        make_heads(b, &ok);
    if (ok)
        make_slopes(b, &ok);
    if (!ok) {
        lp_minibatch_free(b);
        return lp_fail_memory(diag, "a batch of decisions");
    }
    *out = b;
    return LP_OK;
}

void lp_minibatch_free(LpMinibatch *batch) {
    if (batch == NULL)
        return;
    lp_arena_free(batch->arena);
    lp_free(batch);
}

/* ---- forwards ---- */

static void fill_messages(const LpMinibatch *b, Round *round) {
    uint32_t half = b->plan.shape.messages / 2;
    for (uint32_t v = 0; v < b->nodes; v++) /* the second half stays 0 */
        memcpy(round->message + (size_t)v * 2 * half, round->p + (size_t)v * half,
               half * sizeof *round->p);
    for (uint32_t e = 0; e < b->edges; e++) {
        double *m = round->message + (size_t)(b->nodes + e) * 2 * half;
        memcpy(m, round->p + (size_t)b->src[e] * half, half * sizeof *m);
        memcpy(m + half, round->q + (size_t)e * half, half * sizeof *m);
    }
}

static void gather(const LpMinibatch *b, Round *round, uint32_t width) {
    memcpy(round->z, round->state, (size_t)b->nodes * width * sizeof *round->z);
    for (uint32_t e = 0; e < b->edges; e++) {
        double *z = round->z + (size_t)b->dst[e] * width;
        const double *state = round->state + (size_t)(b->nodes + e) * width;
        for (uint32_t i = 0; i < width; i++)
            z[i] += state[i];
    }
    for (uint32_t v = 0; v < b->nodes; v++)
        for (uint32_t i = 0; i < width; i++)
            round->z[(size_t)v * width + i] *= b->share[v];
}

static void embed(LpMinibatch *b, const double *params) {
    const LpNetPlan *p = &b->plan;
    uint32_t rounds = p->shape.rounds, width = p->shape.embedding;
    for (uint32_t r = 0; r < rounds; r++) {
        Round *round = &b->round[r];
        double *z = r == 0 ? b->node : b->round[r - 1].z;
        forward(&p->node[r], params, b->nodes, z, &round->node, round->p);
        forward(&p->edge[r], params, b->edges, b->edge, &round->edge, round->q);
        fill_messages(b, round);
        forward(&p->reduce[r], params, b->nodes + b->edges, round->message, &round->reduce,
                round->state);
        gather(b, round, p->reduce[r].out);
    }
    const double *z = b->round[rounds - 1].z;
    memset(b->embedding, 0, (size_t)b->graphs * width * sizeof *b->embedding);
    for (uint32_t g = 0; g < b->graphs; g++) {
        double *sum = b->embedding + (size_t)g * width;
        uint32_t nodes = b->node_begin[g + 1] - b->node_begin[g];
        for (uint32_t v = b->node_begin[g]; v < b->node_begin[g + 1]; v++)
            for (uint32_t i = 0; i < width; i++)
                sum[i] += z[(size_t)v * width + i];
        for (uint32_t i = 0; i < width; i++)
            sum[i] /= nodes;
    }
}

void lp_minibatch_forward(LpMinibatch *b, const double *params, uint32_t count,
                          const uint32_t *graph, const double *features) {
    const LpNetPlan *p = &b->plan;
    const LpNetShape *s = &p->shape;
    size_t joined = (size_t)s->embedding + s->branch;
    b->count = count;
    embed(b, params);
    memcpy(b->graph, graph, count * sizeof *graph);
    memcpy(b->features, features, (size_t)count * s->features * sizeof *features);
    forward(&p->branch, params, count, b->features, &b->branch, b->branched);
    for (uint32_t i = 0; i < count; i++) {
        double *x = b->joined + i * joined;
        memcpy(x, b->embedding + (size_t)graph[i] * s->embedding, s->embedding * sizeof *x);
        memcpy(x + s->embedding, b->branched + (size_t)i * s->branch, s->branch * sizeof *x);
    }
    for (int h = 0; h < LP_HEAD_COUNT; h++) {
        forward(&p->hidden[h], params, count, b->joined, &b->hidden_in[h], b->hidden[h]);
        forward(&p->out[h], params, count, b->hidden[h], &b->out_in[h], b->out[h]);
    }
}

const double *lp_minibatch_out(const LpMinibatch *batch, LpNetHead head) {
    return batch->out[head];
}

double *lp_minibatch_slope(LpMinibatch *batch, LpNetHead head) {
    return batch->slope[head];
}

/* ---- backwards ---- */

/* Through the heads and the branch, into d_embedding. */
static void backward_heads(LpMinibatch *b, const double *params, unsigned heads, double *grad) {
    const LpNetPlan *p = &b->plan;
    const LpNetShape *s = &p->shape;
    size_t joined = (size_t)s->embedding + s->branch, all = b->count * joined;
    memset(b->d_joined, 0, all * sizeof *b->d_joined);
    for (int h = 0; h < LP_HEAD_COUNT; h++) {
        if ((heads & 1u << h) == 0)
            continue;
        backward(&p->out[h], params, b->count, &b->out_in[h], b->out[h], b->slope[h], b->d_hidden,
                 grad);
        backward(&p->hidden[h], params, b->count, &b->hidden_in[h], b->hidden[h], b->d_hidden,
                 b->d_part, grad);
        for (size_t i = 0; i < all; i++)
            b->d_joined[i] += b->d_part[i];
    }
    memset(b->d_embedding, 0, (size_t)b->graphs * s->embedding * sizeof *b->d_embedding);
    for (uint32_t i = 0; i < b->count; i++) {
        const double *d = b->d_joined + i * joined;
        double *sum = b->d_embedding + (size_t)b->graph[i] * s->embedding;
        for (uint32_t k = 0; k < s->embedding; k++)
            sum[k] += d[k];
        memcpy(b->d_branched + (size_t)i * s->branch, d + s->embedding, s->branch * sizeof *d);
    }
    backward(&p->branch, params, b->count, &b->branch, b->branched, b->d_branched, b->d_features,
             grad);
}

/* From d_message to the node's and the edge's half. */
static void split_messages(LpMinibatch *b) {
    uint32_t half = b->plan.shape.messages / 2;
    for (uint32_t v = 0; v < b->nodes; v++)
        memcpy(b->d_p + (size_t)v * half, b->d_message + (size_t)v * 2 * half,
               half * sizeof *b->d_p);
    for (uint32_t e = 0; e < b->edges; e++) {
        const double *m = b->d_message + (size_t)(b->nodes + e) * 2 * half;
        double *p = b->d_p + (size_t)b->src[e] * half;
        for (uint32_t i = 0; i < half; i++)
            p[i] += m[i];
        memcpy(b->d_q + (size_t)e * half, m + half, half * sizeof *m);
    }
}

/* d_z is the derivative by the round's result, and becomes that by its input. */
static void backward_round(LpMinibatch *b, const double *params, uint32_t r, double *grad) {
    const LpNetPlan *p = &b->plan;
    Round *round = &b->round[r];
    uint32_t out = p->reduce[r].out;
    for (uint32_t m = 0; m < b->nodes + b->edges; m++) {
        uint32_t v = m < b->nodes ? m : b->dst[m - b->nodes];
        const double *d_z = b->d_z + (size_t)v * out;
        double *d = b->d_state + (size_t)m * out;
        for (uint32_t i = 0; i < out; i++)
            d[i] = d_z[i] * b->share[v];
    }
    backward(&p->reduce[r], params, b->nodes + b->edges, &round->reduce, round->state, b->d_state,
             b->d_message, grad);
    split_messages(b);
    backward(&p->edge[r], params, b->edges, &round->edge, round->q, b->d_q, b->d_edge, grad);
    backward(&p->node[r], params, b->nodes, &round->node, round->p, b->d_p, b->d_zin, grad);
    double *spent = b->d_z;
    b->d_z = b->d_zin;
    b->d_zin = spent;
}

void lp_minibatch_backward(LpMinibatch *b, const double *params, unsigned heads, double *grad) {
    uint32_t width = b->plan.shape.embedding;
    backward_heads(b, params, heads, grad);
    for (uint32_t g = 0; g < b->graphs; g++) {
        const double *d = b->d_embedding + (size_t)g * width;
        uint32_t nodes = b->node_begin[g + 1] - b->node_begin[g];
        for (uint32_t v = b->node_begin[g]; v < b->node_begin[g + 1]; v++)
            for (uint32_t i = 0; i < width; i++)
                b->d_z[(size_t)v * width + i] = d[i] / nodes;
    }
    for (uint32_t r = b->plan.shape.rounds; r-- > 0;)
        backward_round(b, params, r, grad);
    memcpy(b->d_node, b->d_z, (size_t)b->nodes * LP_NET_NODE * sizeof *b->d_node);
}

const double *lp_minibatch_feature_slope(const LpMinibatch *batch) {
    return batch->d_features;
}

const double *lp_minibatch_node_slope(const LpMinibatch *batch) {
    return batch->d_node;
}
