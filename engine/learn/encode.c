/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message passing on BLAS. All graphs lie one after the other; every array is taken from one arena
 * when the encoder is made. */
#include "learn/encode.h"

#include <stdlib.h>
#include <string.h>

#include "learn/layer.h"
#include "learn/reduce.h"

typedef struct Round {
    LpLayerTrail node, edge;
    LpReduce reduce; /* of p, a row per node, and q, a row per kind of edge */
    double *z;       /* nodes x out */
} Round;

struct LpEncoder {
    LpNetPlan plan;
    LpBlas blas;
    LpArena *arena;
    uint32_t graphs;
    uint32_t *node_begin; /* graphs + 1 */
    double *node;         /* features */
    double *edge;         /* features of each kind of edge but the last */
    LpMessages messages;  /* each node's to itself, then one per edge */
    double *turned;
    Round round[LP_NET_ROUNDS];
    double *d_z, *d_zin; /* backward */
};

/* ---- making it ---- */

static uint32_t *indices(LpArena *arena, bool *ok, size_t count) {
    uint32_t *numbers = lp_arena_alloc(arena, count, sizeof *numbers);
    *ok = *ok && numbers != NULL;
    return numbers;
}

/* An edge that looks for its kind. */
typedef struct Look {
    double features[LP_NET_EDGE];
    uint32_t message;
} Look;

static int compare(const void *a, const void *b) {
    const Look *x = a, *y = b;
    int order = memcmp(x->features, y->features, sizeof x->features);
    return order != 0 ? order : (x->message > y->message) - (x->message < y->message);
}

/* Edges that look the same, by their bits, are of one kind. */
static void find_kinds(LpEncoder *b, Look *look, uint32_t edges) {
    LpMessages *m = &b->messages;
    if (edges > 1)
        qsort(look, edges, sizeof *look, compare);
    for (uint32_t e = 0; e < edges; e++) {
        bool same =
            e > 0 && memcmp(look[e].features, look[e - 1].features, sizeof look[e].features) == 0;
        if (!same)
            memcpy(b->edge + (size_t)m->kinds++ * LP_NET_EDGE, look[e].features,
                   sizeof look[e].features);
        m->kind[look[e].message] = m->kinds - 1;
    }
    for (uint32_t v = 0; v < m->nodes; v++)
        m->kind[v] = m->kinds;
    m->kinds++;
}

static void add_graph(LpEncoder *b, const LpNetGraph *g, uint32_t first, Look *look) {
    LpMessages *m = &b->messages;
    memcpy(b->node + (size_t)first * LP_NET_NODE, g->node,
           (size_t)g->nodes * LP_NET_NODE * sizeof *b->node);
    for (uint32_t e = 0; e < g->edges; e++, m->count++) {
        memcpy(look[e].features, g->edge + (size_t)e * LP_NET_EDGE, sizeof look[e].features);
        look[e].message = m->count;
        m->from[m->count] = first + g->src[e];
        m->to[m->count] = first + g->dst[e];
        m->share[m->to[m->count]] += 1;
    }
}

static void add_graphs(LpEncoder *b, const LpNetGraph *graphs, Look *look) {
    LpMessages *m = &b->messages;
    bool silent = b->plan.shape.silent_sources;
    uint32_t edges = 0;
    for (m->count = 0; m->count < m->nodes; m->count++)
        m->from[m->count] = m->to[m->count] = m->count;
    for (uint32_t g = 0; g < b->graphs; edges += graphs[g++].edges) {
        add_graph(b, &graphs[g], b->node_begin[g], look + edges);
        b->node_begin[g + 1] = b->node_begin[g] + graphs[g].nodes;
    }
    for (uint32_t v = 0; v < m->nodes; v++)
        m->share[v] = silent && !(m->share[v] > 0) ? 0 : 1 / (m->share[v] + 1);
    find_kinds(b, look, edges);
}

static bool fill_graphs(LpEncoder *b, const LpNetGraph *graphs) {
    LpMessages *m = &b->messages;
    uint32_t edges = 0;
    bool ok = true;
    for (uint32_t g = 0; g < b->graphs; g++) {
        m->nodes += graphs[g].nodes;
        edges += graphs[g].edges;
    }
    size_t count = (size_t)m->nodes + edges;
    b->node = lp_layer_room(b->arena, &ok, m->nodes, LP_NET_NODE);
    b->edge = lp_layer_room(b->arena, &ok, edges, LP_NET_EDGE);
    m->share = lp_layer_room(b->arena, &ok, m->nodes, 1);
    m->from = indices(b->arena, &ok, count);
    m->kind = indices(b->arena, &ok, count);
    m->to = indices(b->arena, &ok, count);
    b->node_begin = indices(b->arena, &ok, (size_t)b->graphs + 1);
    Look *look = lp_alloc(edges > 0 ? edges : 1, sizeof *look);
    ok = ok && look != NULL;
    if (ok)
        add_graphs(b, graphs, look);
    lp_free(look);
    return ok;
}

static bool make_rounds(LpEncoder *b) {
    const LpNetPlan *p = &b->plan;
    const LpNetShape *s = &p->shape;
    const LpMessages *m = &b->messages;
    size_t width = s->width > s->embedding ? s->width : s->embedding;
    bool ok = true;
    width = width > LP_NET_NODE ? width : LP_NET_NODE;
    for (uint32_t r = 0; r < s->rounds; r++) {
        Round *round = &b->round[r];
        round->node = lp_layer_trail(&b->blas, b->arena, &ok, m->nodes, &p->node[r]);
        round->edge = lp_layer_trail(&b->blas, b->arena, &ok, m->kinds - 1, &p->edge[r]);
        round->reduce = lp_reduce_make(&b->blas, b->arena, &ok, &p->reduce[r], m);
        round->z = lp_layer_room(b->arena, &ok, m->nodes, p->reduce[r].out);
    }
    b->turned = lp_layer_room(b->arena, &ok, lp_layer_turned(p), 1);
    b->d_z = lp_layer_room(b->arena, &ok, m->nodes, width);
    b->d_zin = lp_layer_room(b->arena, &ok, m->nodes, width);
    return ok;
}

LpErr lp_encoder_new(const LpNetPlan *plan, const LpNetGraph *graphs, uint32_t count,
                     LpEncoder **out, LpDiag *diag) {
    LpEncoder *b = lp_alloc(1, sizeof *b);
    if (b == NULL || (b->arena = lp_arena_new(1 << 20)) == NULL) {
        lp_free(b);
        return lp_fail_memory(diag, "the graphs of a network");
    }
    LpErr err = lp_blas_load(&b->blas, diag);
    if (err != LP_OK) {
        lp_encoder_free(b);
        return err;
    }
    b->plan = *plan;
    b->graphs = count;
    if (!fill_graphs(b, graphs) || !make_rounds(b)) {
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

void lp_encoder_forward(LpEncoder *b, const double *params, double *embedding) {
    const LpNetPlan *p = &b->plan;
    const LpMessages *m = &b->messages;
    uint32_t width = p->shape.embedding;
    const double *z = b->node;
    for (uint32_t r = 0; r < p->shape.rounds; r++) {
        Round *round = &b->round[r];
        LpReduce *reduce = &round->reduce;
        lp_layer_forward(&p->node[r], params, m->nodes, z, &round->node, b->turned, reduce->p.x);
        lp_layer_forward(&p->edge[r], params, m->kinds - 1, b->edge, &round->edge, b->turned,
                         reduce->q.x);
        lp_reduce_forward(reduce, &p->reduce[r], params, m, round->z);
        z = round->z;
    }
    memset(embedding, 0, (size_t)b->graphs * width * sizeof *embedding);
    for (uint32_t g = 0; g < b->graphs; g++) {
        double *sum = embedding + (size_t)g * width;
        uint32_t nodes = b->node_begin[g + 1] - b->node_begin[g];
        lp_layer_add_rows(z + (size_t)b->node_begin[g] * width, nodes, width, sum);
        for (uint32_t i = 0; i < width; i++)
            sum[i] /= nodes;
    }
}

/* ---- backwards ---- */

/* d_z is the derivative by the round's result; d_in (NULL: nobody asks) gets that by its input. */
static void backward_round(LpEncoder *b, const double *params, uint32_t r, double *d_in,
                           double *grad) {
    const LpNetPlan *p = &b->plan;
    const LpMessages *m = &b->messages;
    Round *round = &b->round[r];
    LpReduce *reduce = &round->reduce;
    lp_reduce_backward(reduce, &p->reduce[r], params, m, b->d_z, grad);
    lp_layer_backward(&p->edge[r], params, m->kinds - 1, &round->edge, reduce->q.x, b->turned,
                      reduce->q.dx, NULL, grad);
    lp_layer_backward(&p->node[r], params, m->nodes, &round->node, reduce->p.x, b->turned,
                      reduce->p.dx, d_in, grad);
}

void lp_encoder_backward(LpEncoder *b, const double *params, const double *slope, double *grad,
                         double *d_node) {
    uint32_t width = b->plan.shape.embedding;
    for (uint32_t g = 0; g < b->graphs; g++) {
        const double *d = slope + (size_t)g * width;
        uint32_t nodes = b->node_begin[g + 1] - b->node_begin[g];
        for (uint32_t v = b->node_begin[g]; v < b->node_begin[g + 1]; v++)
            for (uint32_t i = 0; i < width; i++)
                b->d_z[(size_t)v * width + i] = d[i] / nodes;
    }
    for (uint32_t r = b->plan.shape.rounds; r-- > 0;) {
        backward_round(b, params, r, r > 0 ? b->d_zin : d_node, grad);
        double *spent = b->d_z;
        b->d_z = b->d_zin;
        b->d_zin = spent;
    }
}
