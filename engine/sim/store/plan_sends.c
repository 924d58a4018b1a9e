/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the groups of a plan send where it is placed, beside the tasks of its step. */
#include <stdlib.h>

#include "sim/parallel/sends.h"
#include "sim/step/step_impl.h"
#include "sim/store/store_impl.h"

static int compare_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t pair_of(uint32_t src, uint32_t dst) {
    return (uint64_t)src << 32 | dst;
}

/* Server pairs of sends over which no message of the stages goes: circuits that those have not. */
static LpErr count_pairs(const LpStepGraph *g, uint32_t *more) {
    uint64_t *known = lp_alloc(g->flows + 1U, sizeof *known);
    uint32_t count = 0;
    if (known == NULL)
        return LP_ENOMEM;
    for (uint32_t t = 0; t < g->transfers; t++)
        if (g->flow[t])
            known[count++] = pair_of(g->src[t], g->dst[t]);
    if (count > 1)
        qsort(known, count, sizeof *known, compare_u64);
    *more = 0;
    for (uint32_t i = 0; i < g->sends; i++) {
        uint64_t pair = pair_of(g->send[i].from, g->send[i].to);
        *more += count == 0 || bsearch(&pair, known, count, sizeof pair, compare_u64) == NULL;
    }
    lp_free(known);
    return LP_OK;
}

/* Rails and regions have circuits of their own, so nothing there is in another job's way. */
LpErr lp_store_plan_sends(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                          LpStepGraph *graph, uint32_t *pairs) {
    const LpSplit *split = p->graph->split;
    LpArena *arena = context->scratch->graph;
    LpMachine machine = split->machine;
    LpPlanSends sends;
    machine.node = lp_store_plan_node(p, at);
    LP_TRY(lp_plan_sends(&split->model, &p->plan, &machine, !lp_store_turns(p), arena, &sends));
    LpSend *send = lp_arena_alloc(arena, sends.count + 1U, sizeof *send);
    if (send == NULL)
        return LP_ENOMEM;
    for (uint32_t i = 0; i < sends.count; i++)
        send[i] = (LpSend){at->server[sends.send[i].from], at->server[sends.send[i].to],
                           sends.send[i].bytes};
    graph->sends = sends.count;
    graph->send = send;
    graph->flow_bytes += sends.bytes;
    return pairs != NULL ? count_pairs(graph, pairs) : LP_OK;
}
