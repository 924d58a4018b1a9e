/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message passing on BLAS. Rows are nodes and messages (first each node's own, then one per edge);
 * every array is taken from one arena when the encoder is made. */
#include "learn/encode.h"

#include <string.h>

#include "learn/layer.h"

typedef struct Round {
    LpTrail node, edge, reduce;
    double *p, *q, *message, *state, *z; /* after relu; z: nodes x out */
} Round;

struct LpEncoder {
    LpNetPlan plan;
    LpArena *arena;
    uint32_t graphs, nodes, edges;
    uint32_t *node_begin; /* graphs + 1 */
    uint32_t *src, *dst;  /* edges, over all nodes */
    double *node, *edge;  /* features */
    double *share;        /* nodes: weight of each of a node's messages */
    double *turned;
    Round round[LP_NET_ROUNDS];
    /* backward: one array per kind of row */
    double *d_z, *d_zin, *d_state, *d_message, *d_p, *d_q, *d_edge;
};

/* ---- making it ---- */

static double *room(LpEncoder *b, bool *ok, size_t rows, size_t width) {
    return lp_layer_room(b->arena, ok, rows, width);
}

static void make_round(LpEncoder *b, uint32_t r, bool *ok) {
    const LpNetPlan *p = &b->plan;
    Round *round = &b->round[r];
    size_t messages = (size_t)b->nodes + b->edges;
    round->node = lp_layer_trail(b->arena, ok, b->nodes, &p->node[r]);
    round->edge = lp_layer_trail(b->arena, ok, b->edges, &p->edge[r]);
    round->reduce = lp_layer_trail(b->arena, ok, messages, &p->reduce[r]);
    round->p = room(b, ok, b->nodes, p->node[r].out);
    round->q = room(b, ok, b->edges, p->edge[r].out);
    round->message = room(b, ok, messages, p->shape.messages);
    round->state = room(b, ok, messages, p->reduce[r].out);
    round->z = room(b, ok, b->nodes, p->reduce[r].out);
}

static void make_slopes(LpEncoder *b, bool *ok) {
    const LpNetShape *s = &b->plan.shape;
    size_t messages = (size_t)b->nodes + b->edges;
    size_t width = s->width > s->embedding ? s->width : s->embedding;
    width = width > LP_NET_NODE ? width : LP_NET_NODE;
    b->turned = room(b, ok, lp_layer_turned(&b->plan), 1);
    b->d_z = room(b, ok, b->nodes, width);
    b->d_zin = room(b, ok, b->nodes, width);
    b->d_state = room(b, ok, messages, width);
    b->d_message = room(b, ok, messages, s->messages);
    b->d_p = room(b, ok, b->nodes, s->messages / 2);
    b->d_q = room(b, ok, b->edges, s->messages / 2);
    b->d_edge = room(b, ok, b->edges, LP_NET_EDGE);
}

static void fill_graph(LpEncoder *b, const LpNetGraph *g, uint32_t nodes, uint32_t edges) {
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

static bool fill_graphs(LpEncoder *b, const LpNetGraph *graphs) {
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

LpErr lp_encoder_new(const LpNetPlan *plan, const LpNetGraph *graphs, uint32_t count,
                     LpEncoder **out, LpDiag *diag) {
    LpEncoder *b = lp_alloc(1, sizeof *b);
    if (b == NULL || (b->arena = lp_arena_new(1 << 20)) == NULL) {
        lp_free(b);
        return lp_fail_memory(diag, "the graphs of a network");
    }
    b->plan = *plan;
    b->graphs = count;
    for (uint32_t g = 0; g < count; g++) {
        b->nodes += graphs[g].nodes;
        b->edges += graphs[g].edges;
    }
    bool ok = fill_graphs(b, graphs);
    for (uint32_t r = 0; ok && r < plan->shape.rounds; r++)
        make_round(b, r, &ok);
    if (ok)
        make_slopes(b, &ok);
    if (!ok) {
        lp_encoder_free(b);
        return lp_fail_memory(diag, "the graphs of a network");
    }
    *out = b;
    return LP_OK;
}

void lp_encoder_free(LpEncoder *encoder) {
    if (encoder == NULL)
        return;
    lp_arena_free(encoder->arena);
    lp_free(encoder);
}

/* ---- forwards ---- */

static void fill_messages(const LpEncoder *b, Round *round) {
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

static void gather(const LpEncoder *b, Round *round, uint32_t width) {
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

void lp_encoder_forward(LpEncoder *b, const double *params, double *embedding) {
    const LpNetPlan *p = &b->plan;
    uint32_t rounds = p->shape.rounds, width = p->shape.embedding;
    for (uint32_t r = 0; r < rounds; r++) {
        Round *round = &b->round[r];
        double *z = r == 0 ? b->node : b->round[r - 1].z;
        lp_layer_forward(&p->node[r], params, b->nodes, z, &round->node, b->turned, round->p);
        lp_layer_forward(&p->edge[r], params, b->edges, b->edge, &round->edge, b->turned, round->q);
        fill_messages(b, round);
        lp_layer_forward(&p->reduce[r], params, b->nodes + b->edges, round->message, &round->reduce,
                         b->turned, round->state);
        gather(b, round, p->reduce[r].out);
    }
    const double *z = b->round[rounds - 1].z;
    memset(embedding, 0, (size_t)b->graphs * width * sizeof *embedding);
    for (uint32_t g = 0; g < b->graphs; g++) {
        double *sum = embedding + (size_t)g * width;
        uint32_t nodes = b->node_begin[g + 1] - b->node_begin[g];
        for (uint32_t v = b->node_begin[g]; v < b->node_begin[g + 1]; v++)
            for (uint32_t i = 0; i < width; i++)
                sum[i] += z[(size_t)v * width + i];
        for (uint32_t i = 0; i < width; i++)
            sum[i] /= nodes;
    }
}

/* ---- backwards ---- */

/* From d_message to the node's and the edge's half. */
static void split_messages(LpEncoder *b) {
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
static void backward_round(LpEncoder *b, const double *params, uint32_t r, double *grad) {
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
    lp_layer_backward(&p->reduce[r], params, b->nodes + b->edges, &round->reduce, round->state,
                      b->turned, b->d_state, b->d_message, grad);
    split_messages(b);
    lp_layer_backward(&p->edge[r], params, b->edges, &round->edge, round->q, b->turned, b->d_q,
                      b->d_edge, grad);
    lp_layer_backward(&p->node[r], params, b->nodes, &round->node, round->p, b->turned, b->d_p,
                      b->d_zin, grad);
    double *spent = b->d_z;
    b->d_z = b->d_zin;
    b->d_zin = spent;
}

void lp_encoder_backward(LpEncoder *b, const double *params, const double *slope, double *grad) {
    uint32_t width = b->plan.shape.embedding;
    for (uint32_t g = 0; g < b->graphs; g++) {
        const double *d = slope + (size_t)g * width;
        uint32_t nodes = b->node_begin[g + 1] - b->node_begin[g];
        for (uint32_t v = b->node_begin[g]; v < b->node_begin[g + 1]; v++)
            for (uint32_t i = 0; i < width; i++)
                b->d_z[(size_t)v * width + i] = d[i] / nodes;
    }
    for (uint32_t r = b->plan.shape.rounds; r-- > 0;)
        backward_round(b, params, r, grad);
}

const double *lp_encoder_node_slope(const LpEncoder *encoder) {
    return encoder->d_z;
}
