/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backward pass of one decision in plain loops. What a layer computed on the way is worked out
 * once more from its input, so that only the states of the nodes are kept. */
#include "learn/attribute.h"

#include <string.h>

#include "learn/infer_impl.h"

/* One pass there and back, and its room. */
typedef struct Pass {
    const LpNetPlan *plan;
    const double *params;
    const LpNetGraph *graph;
    LpInferRoom w;
    double *z[LP_NET_ROUNDS + 1];  /* states before each round; z[0] is not ours to write */
    double *above, *below;         /* slopes by the states after and before a round */
    double *p;                     /* slopes by w.p */
    double *joined, *hidden;       /* input of the heads, and a head's hidden layer */
    double *by_joined, *by_hidden; /* slopes by `joined` and `hidden` */
    double *message;               /* slopes by one message */
    double *room;                  /* one layer's: 3 x its inputs */
} Pass;

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t state_width(const LpNetShape *s) {
    return most(most(s->width, s->embedding), LP_NET_NODE);
}

static size_t widest_input(const LpNetShape *s) {
    return most(most(state_width(s), s->messages), most(s->features, s->hidden));
}

size_t lp_attribute_room(const LpNetPlan *plan, uint32_t nodes, uint32_t edges) {
    const LpNetShape *s = &plan->shape;
    size_t joined = (size_t)s->embedding + s->branch;
    return lp_infer_room(plan, nodes, edges) + (s->rounds + 2) * nodes * state_width(s) +
           nodes * (size_t)(s->messages / 2) + 2 * joined + 2 * (size_t)s->hidden + s->messages +
           3 * most(widest_input(s), joined);
}

static Pass split(const LpNetPlan *plan, const double *params, const LpNetGraph *g, double *room) {
    const LpNetShape *s = &plan->shape;
    size_t states = g->nodes * state_width(s), joined = (size_t)s->embedding + s->branch;
    Pass p = {.plan = plan, .params = params, .graph = g};
    p.w = lp_infer_split(s, g, room);
    room += lp_infer_room(plan, g->nodes, g->edges);
    for (uint32_t r = 1; r <= s->rounds; r++, room += states)
        p.z[r] = room;
    p.above = room;
    p.below = p.above + states;
    p.p = p.below + states;
    p.joined = p.p + g->nodes * (size_t)(s->messages / 2);
    p.by_joined = p.joined + joined;
    p.hidden = p.by_joined + joined;
    p.by_hidden = p.hidden + s->hidden;
    p.message = p.by_hidden + s->hidden;
    p.room = p.message + s->messages;
    return p;
}

/* ---- one layer ---- */

/* From the slopes by the layer norm's output to those by its input, with c = slope * gain:
 * scale * (c - mean(c) - unit * mean(c * unit)). */
static void norm_back(const double *gain, uint32_t n, const double *unit, double scale,
                      const double *slope, double *out) {
    double mean = 0, along = 0;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = slope[i] * gain[i];
        mean += out[i];
        along += out[i] * unit[i];
    }
    mean /= n;
    along /= n;
    for (uint32_t i = 0; i < n; i++)
        out[i] = scale * (out[i] - mean - unit[i] * along);
}

/* out[in] = slopes by x, from those by layer(x). */
static void layer_back(const Pass *p, const LpNetLayer *l, const double *x, const double *slope,
                       double *out) {
    double *unit = p->room, *input = unit + l->in, *sum = input + l->in;
    double scale = l->norm ? lp_layer_unit(l->in, x, unit) : 1;
    for (uint32_t i = 0; l->norm && i < l->in; i++)
        input[i] = p->params[l->gain + i] * unit[i] + p->params[l->shift + i];
    memset(sum, 0, l->in * sizeof *sum);
    for (uint32_t o = 0; o < l->out; o++) {
        const double *weight = p->params + l->weight + (size_t)o * l->in;
        if (l->relu && !(lp_layer_sum(l, p->params, o, l->norm ? input : x) > 0))
            continue;
        for (uint32_t i = 0; i < l->in; i++)
            sum[i] += weight[i] * slope[o];
    }
    if (l->norm)
        norm_back(p->params + l->gain, l->in, unit, scale, sum, out);
    else
        memcpy(out, sum, l->in * sizeof *out);
}

/* ---- one round ---- */

/* Slopes by a message to node v, which is in w.message. */
static void message_back(const Pass *p, uint32_t r, uint32_t v) {
    const LpNetLayer *reduce = &p->plan->reduce[r];
    const double *above = p->above + (size_t)v * reduce->out;
    for (uint32_t i = 0; i < reduce->out; i++)
        p->w.state[i] = above[i] / (p->w.degree[v] + 1);
    layer_back(p, reduce, p->w.message, p->w.state, p->message);
}

static void add_to(double *sum, const double *more, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        sum[i] += more[i];
}

static bool is_silent(const Pass *p, uint32_t v) {
    return p->plan->shape.silent_sources && !(p->w.degree[v] > 0);
}

static void own_message_back(const Pass *p, uint32_t r, uint32_t v) {
    uint32_t half = p->plan->node[r].out;
    if (is_silent(p, v))
        return;
    memcpy(p->w.message, p->w.p + (size_t)v * half, half * sizeof *p->w.p);
    memset(p->w.message + half, 0, half * sizeof *p->w.p);
    message_back(p, r, v);
    add_to(p->p + (size_t)v * half, p->message, half);
}

static void edge_message_back(const Pass *p, uint32_t r, uint32_t e, double *by_edge) {
    const LpNetGraph *g = p->graph;
    const LpNetLayer *edge = &p->plan->edge[r];
    const double *features = g->edge + (size_t)e * LP_NET_EDGE;
    uint32_t half = edge->out;
    double slope[LP_NET_EDGE];
    memcpy(p->w.message, p->w.p + (size_t)g->src[e] * half, half * sizeof *p->w.p);
    lp_layer(edge, p->params, features, p->w.scratch, p->w.message + half);
    message_back(p, r, g->dst[e]);
    add_to(p->p + (size_t)g->src[e] * half, p->message, half);
    layer_back(p, edge, features, p->message + half, slope);
    add_to(by_edge + (size_t)e * LP_NET_EDGE, slope, LP_NET_EDGE);
}

/* From `above` to `below`. */
static void round_back(const Pass *p, uint32_t r, double *by_edge) {
    const LpNetGraph *g = p->graph;
    const LpNetLayer *node = &p->plan->node[r];
    const double *z = r == 0 ? g->node : p->z[r];
    uint32_t half = node->out;
    for (uint32_t v = 0; v < g->nodes; v++)
        lp_layer(node, p->params, z + (size_t)v * node->in, p->w.scratch,
                 p->w.p + (size_t)v * half);
    memset(p->p, 0, (size_t)g->nodes * half * sizeof *p->p);
    for (uint32_t v = 0; v < g->nodes; v++)
        own_message_back(p, r, v);
    for (uint32_t e = 0; e < g->edges; e++)
        edge_message_back(p, r, e, by_edge);
    for (uint32_t v = 0; v < g->nodes; v++)
        layer_back(p, node, z + (size_t)v * node->in, p->p + (size_t)v * half,
                   p->below + (size_t)v * node->in);
}

/* ---- there and back ---- */

static void forward(Pass *p, const double *features) {
    const LpNetShape *s = &p->plan->shape;
    for (uint32_t r = 0; r < s->rounds; r++) {
        p->w.next = p->z[r + 1];
        lp_infer_pass(p->plan, p->params, p->graph, r, r == 0 ? p->graph->node : p->z[r], &p->w);
    }
    lp_infer_pool(s, p->graph, p->z[s->rounds], p->joined);
    lp_layer(&p->plan->branch, p->params, features, p->room, p->joined + s->embedding);
}

static double head_back(const Pass *p, LpNetHead head, const double *weight) {
    const LpNetLayer *hidden = &p->plan->hidden[head], *out = &p->plan->out[head];
    double y = 0;
    lp_layer(hidden, p->params, p->joined, NULL, p->hidden);
    for (uint32_t o = 0; o < out->out; o++)
        y += weight[o] * lp_layer_sum(out, p->params, o, p->hidden);
    layer_back(p, out, p->hidden, weight, p->by_hidden);
    layer_back(p, hidden, p->joined, p->by_hidden, p->by_joined);
    return y;
}

/* Slopes by the last states, and their products. */
static void pool_back(const Pass *p, double *pooled) {
    const LpNetShape *s = &p->plan->shape;
    for (uint32_t v = 0; v < p->graph->nodes; v++) {
        size_t at = (size_t)v * s->embedding;
        pooled[v] = 0;
        for (uint32_t i = 0; i < s->embedding; i++) {
            p->above[at + i] = p->by_joined[i] / p->graph->nodes;
            pooled[v] += p->above[at + i] * p->z[s->rounds][at + i];
        }
    }
}

/* ---- networks that score one by one ---- */

/* Adds weight times the slopes of one output by the layer's `in` inputs x to by[]. */
static double add_slopes(const LpNetPlan *plan, const double *params, LpNetHead head,
                         const double *x, double weight, double *by) {
    const LpNetLayer *hidden = &plan->hidden[head], *out = &plan->out[head];
    double y = 0;
    for (uint32_t h = 0; h < hidden->out; h++) {
        double state = lp_layer_sum(hidden, params, h, x), w = params[out->weight + h];
        const double *row = params + hidden->weight + (size_t)h * hidden->in;
        if (!(state > 0))
            continue;
        y += w * state;
        for (uint32_t i = 0; i < hidden->in; i++)
            by[i] += weight * w * row[i];
    }
    return weight * (y + params[out->bias]);
}

/* room: twice the inputs of the policy head. */
static double attribute_one_by_one(const LpNetPlan *plan, const double *params,
                                   const double *features, LpNetHead head, const double *weight,
                                   double *room, double *slope) {
    const LpNetShape *s = &plan->shape;
    uint32_t common = lp_net_common(s), in = common + s->own;
    double *by = room + in, y = 0;
    memset(slope, 0, s->features * sizeof *slope);
    memcpy(room, features, common * sizeof *room);
    if (head == LP_HEAD_VALUE)
        return add_slopes(plan, params, head, features, weight[0], slope);
    for (uint32_t a = 0; a < s->actions; a++) {
        if (!(weight[a] < 0 || weight[a] > 0))
            continue;
        memset(by, 0, in * sizeof *by);
        for (uint32_t i = 0; i < s->own; i++)
            room[common + i] = features[common + (size_t)i * s->actions + a];
        y += add_slopes(plan, params, head, room, weight[a], by);
        for (uint32_t i = 0; i < common; i++)
            slope[i] += by[i];
        for (uint32_t i = 0; i < s->own; i++)
            slope[common + (size_t)i * s->actions + a] = by[common + i];
    }
    return y;
}

double lp_attribute(const LpNetPlan *plan, const double *params, const LpNetGraph *graph,
                    const double *features, LpNetHead head, const double *weight, double *room,
                    const LpSlopes *out) {
    const LpNetShape *s = &plan->shape;
    if (s->own > 0) {
        memset(out->pooled, 0, graph->nodes * sizeof *out->pooled);
        memset(out->node, 0, (size_t)graph->nodes * LP_NET_NODE * sizeof *out->node);
        memset(out->edge, 0, (size_t)graph->edges * LP_NET_EDGE * sizeof *out->edge);
        return attribute_one_by_one(plan, params, features, head, weight, room, out->feature);
    }
    Pass p = split(plan, params, graph, room);
    forward(&p, features);
    double y = head_back(&p, head, weight);
    pool_back(&p, out->pooled);
    layer_back(&p, &plan->branch, features, p.by_joined + s->embedding, out->feature);
    memset(out->edge, 0, (size_t)graph->edges * LP_NET_EDGE * sizeof *out->edge);
    for (uint32_t r = s->rounds; r-- > 0;) {
        round_back(&p, r, out->edge);
        double *free_room = p.above;
        p.above = p.below;
        p.below = free_room;
    }
    memcpy(out->node, p.above, (size_t)graph->nodes * LP_NET_NODE * sizeof *out->node);
    return y;
}
