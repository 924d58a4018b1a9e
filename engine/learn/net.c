/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes, the table of tensors, and the parameters at the start. */
#include "learn/net.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/str.h"

LpNetShape lp_net_shape(uint32_t features, uint32_t actions) {
    return (LpNetShape){features, actions, 2, 32, 64, 16, 8, 256, true, 0};
}

typedef struct Width {
    const char *name;
    uint32_t value, most;
} Width;

static LpErr check_one_by_one(const LpNetShape *s, LpDiag *diag) {
    if (s->hidden >= 1 && s->hidden <= LP_NET_WIDTH)
        return LP_OK;
    return lp_fail(diag, LP_ERANGE, "a network of hidden %u; expected 1 to %d", s->hidden,
                   LP_NET_WIDTH);
}

LpErr lp_net_check(const LpNetShape *s, LpDiag *diag) {
    const Width widths[] = {
        {"features", s->features, LP_NET_WIDTH}, {"actions", s->actions, LP_NET_WIDTH},
        {"rounds", s->rounds, LP_NET_ROUNDS},    {"messages", s->messages, LP_NET_WIDTH},
        {"width", s->width, LP_NET_WIDTH},       {"embedding", s->embedding, LP_NET_WIDTH},
        {"branch", s->branch, LP_NET_WIDTH},     {"hidden", s->hidden, LP_NET_WIDTH}};
    if (s->own > 0)
        return check_one_by_one(s, diag);
    for (size_t i = 0; i < LP_COUNTOF(widths); i++)
        if (widths[i].value < 1 || widths[i].value > widths[i].most)
            return lp_fail(diag, LP_ERANGE, "a network of %s %u; expected 1 to %u", widths[i].name,
                           widths[i].value, widths[i].most);
    if (s->messages % 2 != 0)
        return lp_fail(diag, LP_EINVAL,
                       "a network of messages %u; expected an even width, half for the node and "
                       "half for the edge",
                       s->messages);
    return LP_OK;
}

_Static_assert(sizeof(LpNetShape) == 10 * sizeof(uint32_t), "lp_net_same compares every width");

bool lp_net_same(const LpNetShape *a, const LpNetShape *b) {
    return a->features == b->features && a->actions == b->actions && a->rounds == b->rounds &&
           a->messages == b->messages && a->width == b->width && a->embedding == b->embedding &&
           a->branch == b->branch && a->hidden == b->hidden &&
           a->silent_sources == b->silent_sources && a->own == b->own;
}

static size_t add(LpNetPlan *p, const char *layer, const char *part, uint32_t rows,
                  uint32_t columns) {
    LpTensor *t = &p->tensor[p->tensors++];
    snprintf(t->name, sizeof t->name, "%.24s.%.6s", layer, part);
    t->rows = rows;
    t->columns = columns;
    t->offset = p->params;
    p->params += (size_t)rows * columns;
    return t->offset;
}

static LpNetLayer add_layer(LpNetPlan *p, const char *name, uint32_t in, uint32_t out, bool norm,
                            bool relu) {
    LpNetLayer layer = {.in = in, .out = out, .norm = norm, .relu = relu};
    if (norm) {
        layer.gain = add(p, name, "gain", 1, in);
        layer.shift = add(p, name, "shift", 1, in);
    }
    layer.weight = add(p, name, "weight", out, in);
    layer.bias = add(p, name, "bias", 1, out);
    return layer;
}

static void add_round(LpNetPlan *p, uint32_t r) {
    const LpNetShape *s = &p->shape;
    char name[LP_NET_NAME];
    uint32_t in = r == 0 ? LP_NET_NODE : s->width;
    uint32_t out = r + 1 == s->rounds ? s->embedding : s->width;
    snprintf(name, sizeof name, "round%u.node", r);
    p->node[r] = add_layer(p, name, in, s->messages / 2, true, true);
    snprintf(name, sizeof name, "round%u.edge", r);
    p->edge[r] = add_layer(p, name, LP_NET_EDGE, s->messages / 2, true, true);
    snprintf(name, sizeof name, "round%u.reduce", r);
    p->reduce[r] = add_layer(p, name, s->messages, out, true, true);
}

static void add_head(LpNetPlan *p, LpNetHead head, uint32_t in, uint32_t hidden, uint32_t out) {
    static const char *const HIDDEN[LP_HEAD_COUNT] = {"policy.hidden", "value.hidden", "q.hidden"};
    static const char *const OUT[LP_HEAD_COUNT] = {"policy.out", "value.out", "q.out"};
    p->hidden[head] = add_layer(p, HIDDEN[head], in, hidden, false, true);
    p->out[head] = add_layer(p, OUT[head], hidden, out, false, false);
}

void lp_net_plan(const LpNetShape *shape, LpNetPlan *out) {
    memset(out, 0, sizeof *out);
    out->shape = *shape;
    if (shape->own > 0) {
        const LpNetShape *s = &out->shape;
        uint32_t common = lp_net_common(s);
        add_head(out, LP_HEAD_POLICY, common + s->own, s->hidden, 1);
        add_head(out, LP_HEAD_VALUE, common, s->hidden, 1);
        return;
    }
    for (uint32_t r = 0; r < shape->rounds; r++)
        add_round(out, r);
    out->graph_params = out->params;
    out->branch = add_layer(out, "branch", shape->features, shape->branch, true, false);
    uint32_t joined = shape->embedding + shape->branch;
    for (int h = 0; h < LP_HEAD_COUNT; h++) {
        uint32_t outputs = h == LP_HEAD_VALUE ? 1 : shape->actions;
        add_head(out, (LpNetHead)h, joined, shape->hidden, outputs);
    }
}

int lp_net_find(const LpNetPlan *plan, const char *name) {
    for (uint32_t i = 0; i < plan->tensors; i++)
        if (strcmp(plan->tensor[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void init_layer(const LpNetLayer *l, LpRng *rng, double scale, double *params) {
    double bound = scale * sqrt(6.0 / (double)(l->in + l->out));
    for (uint32_t i = 0; l->norm && i < l->in; i++)
        params[l->gain + i] = 1;
    for (size_t i = 0; i < (size_t)l->in * l->out; i++)
        params[l->weight + i] = bound * (2 * lp_rng_unit(rng) - 1);
}

void lp_net_init(const LpNetPlan *plan, uint64_t seed, double *params) {
    LpRng rng = lp_rng_stream(seed, "network", 0);
    memset(params, 0, plan->params * sizeof *params);
    for (uint32_t r = 0; r < plan->shape.rounds && plan->shape.own == 0; r++) {
        init_layer(&plan->node[r], &rng, 1, params);
        init_layer(&plan->edge[r], &rng, 1, params);
        init_layer(&plan->reduce[r], &rng, 1, params);
    }
    if (plan->shape.own == 0)
        init_layer(&plan->branch, &rng, 1, params);
    for (int h = 0; h < LP_HEAD_COUNT; h++) {
        if (plan->hidden[h].out == 0)
            continue;
        init_layer(&plan->hidden[h], &rng, 1, params);
        init_layer(&plan->out[h], &rng, 0.01, params);
    }
}
