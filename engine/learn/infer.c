/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forward pass in plain loops: sums run from index 0 upwards and are never split up. */
#include "learn/infer.h"

#include <string.h>

#include "learn/infer_impl.h"

enum { SIDE_BY_SIDE = 8 };

static double product(const double *row, uint32_t n, const double *x) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += row[i] * x[i];
    return sum;
}

/* Products of some rows with `x` at once: a processor adds to one sum while it waits for another.
 */
static void multiply(const double *rows, uint32_t n, const double *restrict x,
                     double *restrict out) {
    double sum[SIDE_BY_SIDE] = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < SIDE_BY_SIDE; k++)
            sum[k] += rows[(size_t)k * n + i] * x[i];
    memcpy(out, sum, sizeof sum);
}

void lp_layer(const LpNetLayer *l, const double *params, const double *x, double *room,
              double *out) {
    if (l->norm) {
        (void)lp_layer_unit(l->in, x, room);
        for (uint32_t i = 0; i < l->in; i++)
            room[i] = params[l->gain + i] * room[i] + params[l->shift + i];
        x = room;
    }
    uint32_t o = 0;
    for (; o + SIDE_BY_SIDE <= l->out; o += SIDE_BY_SIDE)
        multiply(params + l->weight + (size_t)o * l->in, l->in, x, out + o);
    for (; o < l->out; o++)
        out[o] = product(params + l->weight + (size_t)o * l->in, l->in, x);
    for (o = 0; o < l->out; o++) {
        double sum = out[o] + params[l->bias + o];
        out[o] = l->relu && !(sum > 0) ? 0 : sum;
    }
}

static uint32_t most(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t widest(const LpNetShape *s) {
    uint32_t width = most(most(s->width, s->embedding), most(s->messages, LP_NET_NODE));
    return most(width, most(s->features, s->embedding + s->branch));
}

size_t lp_infer_room(const LpNetPlan *plan, uint32_t nodes, uint32_t edges) {
    const LpNetShape *s = &plan->shape;
    (void)edges;
    return (size_t)nodes * (2 * (size_t)most(s->width, s->embedding) + s->messages / 2 + 1) +
           3 * (size_t)widest(s);
}

LpInferRoom lp_infer_split(const LpNetShape *s, const LpNetGraph *g, double *room) {
    size_t width = most(s->width, s->embedding);
    LpInferRoom r;
    r.z = room;
    r.next = r.z + g->nodes * width;
    r.p = r.next + g->nodes * width;
    r.degree = r.p + (size_t)g->nodes * (s->messages / 2);
    r.message = r.degree + g->nodes;
    r.state = r.message + widest(s);
    r.scratch = r.state + widest(s);
    memset(r.degree, 0, g->nodes * sizeof *r.degree);
    for (uint32_t e = 0; e < g->edges; e++)
        r.degree[g->dst[e]] += 1;
    return r;
}

static void add_message(const LpNetPlan *plan, const double *params, uint32_t r, LpInferRoom *w,
                        uint32_t to) {
    const LpNetLayer *reduce = &plan->reduce[r];
    lp_layer(reduce, params, w->message, w->scratch, w->state);
    double *sum = w->next + (size_t)to * reduce->out;
    for (uint32_t i = 0; i < reduce->out; i++)
        sum[i] += w->state[i];
}

void lp_infer_pass(const LpNetPlan *plan, const double *params, const LpNetGraph *g, uint32_t r,
                   const double *z, LpInferRoom *w) {
    const LpNetLayer *node = &plan->node[r], *edge = &plan->edge[r];
    uint32_t half = node->out, out = plan->reduce[r].out;
    for (uint32_t v = 0; v < g->nodes; v++)
        lp_layer(node, params, z + (size_t)v * node->in, w->scratch, w->p + (size_t)v * half);
    memset(w->next, 0, (size_t)g->nodes * out * sizeof *w->next);
    for (uint32_t v = 0; v < g->nodes; v++) {
        memcpy(w->message, w->p + (size_t)v * half, half * sizeof *w->p);
        memset(w->message + half, 0, half * sizeof *w->p);
        add_message(plan, params, r, w, v);
    }
    for (uint32_t e = 0; e < g->edges; e++) {
        memcpy(w->message, w->p + (size_t)g->src[e] * half, half * sizeof *w->p);
        lp_layer(edge, params, g->edge + (size_t)e * LP_NET_EDGE, w->scratch, w->message + half);
        add_message(plan, params, r, w, g->dst[e]);
    }
    for (uint32_t v = 0; v < g->nodes; v++) {
        bool silent = plan->shape.silent_sources && !(w->degree[v] > 0);
        double *sum = w->next + (size_t)v * out;
        for (uint32_t i = 0; i < out; i++)
            sum[i] = silent ? 0 : sum[i] / (w->degree[v] + 1);
    }
}

void lp_infer_pool(const LpNetShape *s, const LpNetGraph *g, const double *z, double *out) {
    for (uint32_t i = 0; i < s->embedding; i++)
        out[i] = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t i = 0; i < s->embedding; i++)
            out[i] += z[(size_t)v * s->embedding + i];
    for (uint32_t i = 0; i < s->embedding; i++)
        out[i] /= g->nodes;
}

void lp_infer_embed(const LpNetPlan *plan, const double *params, const LpNetGraph *g, double *room,
                    double *out) {
    LpInferRoom w = lp_infer_split(&plan->shape, g, room);
    const double *z = g->node;
    for (uint32_t r = 0; r < plan->shape.rounds; r++) {
        lp_infer_pass(plan, params, g, r, z, &w);
        double *free_room = w.z;
        w.z = w.next;
        w.next = free_room;
        z = w.z;
    }
    lp_infer_pool(&plan->shape, g, z, out);
}

/* ---- networks that score one by one ---- */

static void score_actions(const LpNetPlan *plan, const double *params, const double *features,
                          double *room, double *out) {
    const LpNetShape *s = &plan->shape;
    uint32_t common = lp_net_common(s);
    double *hidden = room + common + s->own;
    memcpy(room, features, common * sizeof *room);
    for (uint32_t a = 0; a < s->actions; a++) {
        for (uint32_t i = 0; i < s->own; i++)
            room[common + i] = features[common + (size_t)i * s->actions + a];
        lp_layer(&plan->hidden[LP_HEAD_POLICY], params, room, NULL, hidden);
        lp_layer(&plan->out[LP_HEAD_POLICY], params, hidden, NULL, &out[a]);
    }
}

void lp_infer_priority(const LpNetPlan *plan, const double *params, const double *common,
                       double *room, double *out) {
    lp_layer(&plan->hidden[LP_HEAD_VALUE], params, common, NULL, room);
    lp_layer(&plan->out[LP_HEAD_VALUE], params, room, NULL, out);
}

/* ---- a decision ---- */

size_t lp_infer_head_room(const LpNetPlan *plan) {
    const LpNetShape *s = &plan->shape;
    return (size_t)s->features + s->embedding + s->branch + s->hidden;
}

void lp_infer_head(const LpNetPlan *plan, const double *params, LpNetHead head,
                   const double *embedding, const double *features, double *room, double *out) {
    const LpNetShape *s = &plan->shape;
    if (s->own > 0) {
        if (head == LP_HEAD_POLICY)
            score_actions(plan, params, features, room, out);
        else if (head == LP_HEAD_VALUE)
            lp_infer_priority(plan, params, features, room, out);
        else
            memset(out, 0, plan->shape.actions * sizeof *out);
        return;
    }
    double *joined = room + s->features, *hidden = joined + s->embedding + s->branch;
    memcpy(joined, embedding, s->embedding * sizeof *joined);
    lp_layer(&plan->branch, params, features, room, joined + s->embedding);
    lp_layer(&plan->hidden[head], params, joined, NULL, hidden);
    lp_layer(&plan->out[head], params, hidden, NULL, out);
}
