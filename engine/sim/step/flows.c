/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flows of a step: what a stage of the graph sends from one server to another, whatever number
 * of transfers that takes. Policies give them priorities. */
#include <stdlib.h>

#include "sim/step/graph.h"

typedef struct Key {
    uint32_t link, src, dst, t;
} Key;

static int compare(const void *x, const void *y) {
    const Key *a = x, *b = y;
    if (a->link != b->link)
        return a->link < b->link ? -1 : 1;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst)
        return a->dst < b->dst ? -1 : 1;
    return (a->t > b->t) - (a->t < b->t);
}

static bool same(const Key *a, const Key *b) {
    return a->link == b->link && a->src == b->src && a->dst == b->dst;
}

/* The transfers that are flows, sorted; returns how many. */
static uint32_t sort_flows(const LpStepGraph *g, Key *keys) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < g->transfers; t++)
        if (g->flow[t])
            keys[count++] = (Key){g->link[t], g->src[t], g->dst[t], t};
    qsort(keys, count, sizeof *keys, compare);
    return count;
}

LpErr lp_step_number_flows(LpArena *arena, const LpStepGraph *g, const LpFlow **out,
                           uint32_t *count, const uint32_t **flow_of) {
    Key *keys = lp_arena_alloc(arena, g->transfers, sizeof *keys);
    LpFlow *flow = lp_arena_alloc(arena, g->transfers, sizeof *flow);
    uint32_t *of = lp_arena_alloc(arena, g->transfers, sizeof *of);
    if (keys == NULL || flow == NULL || of == NULL)
        return LP_ENOMEM;
    for (uint32_t t = 0; t < g->transfers; t++)
        of[t] = LP_NO_INDEX;
    uint32_t sorted = sort_flows(g, keys), flows = 0;
    for (uint32_t i = 0; i < sorted; i++) {
        if (i == 0 || !same(&keys[i - 1], &keys[i]))
            flow[flows++] = (LpFlow){keys[i].link, keys[i].src, keys[i].dst, 0, 0};
        flow[flows - 1].transfers++;
        flow[flows - 1].bytes += g->bytes[keys[i].t];
        of[keys[i].t] = flows - 1;
    }
    if (out != NULL)
        *out = flow;
    if (count != NULL)
        *count = flows;
    if (flow_of != NULL)
        *flow_of = of;
    return LP_OK;
}

LpErr lp_step_flows(LpStepScratch *scratch, const LpStepGraph *g, const LpFlow **out,
                    uint32_t *count, const uint32_t **flow_of) {
    return lp_step_number_flows(scratch->graph, g, out, count, flow_of);
}
