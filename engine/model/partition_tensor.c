/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The partition kind tensor: each op is cut by its kind (model/cuts), and what that leaves becomes
 * times and bytes of parts, and collectives before, after and between them. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/cuts/cuts.h"
#include "model/partition_internal.h"

void lp_tensor_level_ways(const LpGraph *graph, uint32_t degree, uint32_t *ways) {
    for (uint32_t i = 0; i < graph->ops; i++)
        if (graph->op[i].kind != LP_OP_UNKNOWN)
            ways[i] = degree;
}

LpErr lp_tensor_check(const LpCut *cut, LpDiag *diag) {
    int against = lp_options_against_tensor(cut->options);
    if (cut->kind != LP_PARTITION_TENSOR || against < 0)
        return LP_OK;
    return lp_fail(diag, LP_EREFUSED,
                   "graph %s cannot be cut with the partition kind \"tensor\" while option "
                   "%s is \"published\", expected \"corrected\"",
                   cut->graph->id, lp_option_info((LpOption)against)->name);
}

/* ---- the choice ---- */

typedef struct Tensor {
    LpPartition *p;
    LpTypedGraph graph;
    LpTypedOp *op;
    LpTypedChoice *choice;
    LpTypedCollective *collective;
    uint32_t *to_reader, *from_reader; /* as many as the graph's edges */
    uint32_t collectives;
} Tensor;

static void fill_graph(Tensor *t, bool sequence) {
    const LpGraph *g = t->p->graph;
    for (uint32_t f = 0; f < g->ops; f++)
        t->op[f] = (LpTypedOp){g->op[f].kind, t->p->ways[f], g->op[f].activation,
                               g->op[f].parameters, g->op[f].to_loss};
    t->graph = (LpTypedGraph){.ops = g->ops,
                              .op = t->op,
                              .succ_begin = g->succ_begin,
                              .succ = g->succ,
                              .pred_begin = g->pred_begin,
                              .pred = g->pred,
                              .topo = g->topo,
                              .sequence = sequence};
}

static LpErr choose(Tensor *t, bool sequence) {
    const LpGraph *g = t->p->graph;
    t->op = lp_alloc(g->ops, sizeof *t->op);
    t->choice = lp_alloc(g->ops, sizeof *t->choice);
    t->to_reader = lp_alloc((size_t)g->edges + 1, sizeof *t->to_reader);
    t->from_reader = lp_alloc((size_t)g->edges + 1, sizeof *t->from_reader);
    if (t->op == NULL || t->choice == NULL || t->to_reader == NULL || t->from_reader == NULL)
        return LP_ENOMEM;
    fill_graph(t, sequence);
    t->collective = lp_alloc(lp_typed_collectives_max(&t->graph), sizeof *t->collective);
    if (t->collective == NULL)
        return LP_ENOMEM;
    lp_typed_choose(&t->graph, t->choice);
    t->collectives =
        lp_typed_collectives(&t->graph, t->choice, t->collective, t->to_reader, t->from_reader);
    return LP_OK;
}

/* ---- parts ---- */

/* What is cut along channels when an op is. */
static double channels_of(const Tensor *t, uint32_t f) {
    const LpGraph *g = t->p->graph;
    uint32_t first = g->pred_begin[f];
    if (t->choice[f].way != LP_WAY_ROW)
        return g->op[f].channels;
    bool one = g->pred_begin[f + 1] - first == 1;
    return one && g->op[f].kind != LP_OP_EMBEDDING ? g->op[g->pred[first]].channels : 0;
}

/* Share of the greatest part: parts differ by one channel where channels cannot be divided. */
static double greatest(double channels, uint32_t ways) {
    return channels >= 1 ? ceil(channels / ways) / channels : 1.0 / ways;
}

/* What a way of cutting makes smaller: attention has fewer heads, a row way a lesser depth. */
static LpSide side_of(const LpTypedChoice *choice, LpOpKind kind) {
    if (kind == LP_OP_ATTENTION)
        return LP_SIDE_COUNT;
    if (choice->way == LP_WAY_FOLLOWS && choice->rest == LP_LAYOUT_TOKENS)
        return LP_SIDE_ROWS;
    return choice->way == LP_WAY_ROW ? LP_SIDE_DEPTH : LP_SIDE_COLUMNS;
}

static double part_time(const Tensor *t, uint32_t f, bool backward, double share) {
    const LpGraph *g = t->p->graph;
    const LpOp *op = &g->op[f];
    if (!lp_graph_sized(g, f))
        return (backward ? op->backward : op->forward) * share;
    return lp_graph_part_time(g, f, backward, share, side_of(&t->choice[f], op->kind));
}

static void cost_op(Tensor *t, uint32_t f) {
    LpPartition *p = t->p;
    const LpOp *op = &p->graph->op[f];
    bool repeats = lp_typed_repeats(&t->graph, t->choice, f);
    bool tokens = t->choice[f].way == LP_WAY_FOLLOWS && t->choice[f].rest == LP_LAYOUT_TOKENS;
    double share = repeats ? 1 : greatest(tokens ? 0 : channels_of(t, f), p->ways[f]);
    double output = t->choice[f].rest == LP_LAYOUT_WHOLE    ? 1
                    : t->choice[f].rest == LP_LAYOUT_TOKENS ? 1.0 / p->ways[f]
                                                            : greatest(op->channels, p->ways[f]);
    p->op_time[f] = part_time(t, f, false, share);
    p->op_time[p->graph->ops + f] = part_time(t, f, true, share);
    p->op_parameters[f] = op->parameters * (tokens ? 1 : share);
    p->op_output[f] = op->activation * output;
}

/* ---- collectives ---- */

/* An all-to-all moves, from each server, all but one of the shares of what it has: as many bytes as
 * an all-gather of that much. */
static LpCollectiveTask task_of(const Tensor *t, const LpTypedCollective *c) {
    static const LpCollectiveWhen when[] = {[LP_TYPED_OUTPUT] = LP_WHEN_AFTER,
                                            [LP_TYPED_GRADIENT] = LP_WHEN_BEFORE,
                                            [LP_TYPED_READERS] = LP_WHEN_BETWEEN,
                                            [LP_TYPED_PARAMETERS] = LP_WHEN_ASIDE,
                                            [LP_TYPED_RETURNED] = LP_WHEN_BETWEEN};
    static const LpCollective kind[] = {[LP_EXCHANGE_REDUCE_SCATTER] = LP_REDUCE_SCATTER,
                                        [LP_EXCHANGE_ALL_GATHER] = LP_ALL_GATHER,
                                        [LP_EXCHANGE_ALL_REDUCE] = LP_ALL_REDUCE,
                                        [LP_EXCHANGE_ALL_TO_ALL] = LP_ALL_GATHER};
    bool forward = c->role == LP_TYPED_OUTPUT || c->role == LP_TYPED_READERS;
    double parts = c->exchange == LP_EXCHANGE_ALL_TO_ALL ? t->p->ways[c->at] : 1;
    return (LpCollectiveTask){.op = forward ? c->at : t->p->graph->ops + c->at,
                              .when = when[c->role],
                              .kind = kind[c->exchange],
                              .bytes = c->bytes / parts,
                              .one_way = lp_typed_one_way(c)};
}

static LpErr add_collectives(Tensor *t) {
    LpPartition *p = t->p;
    LpCollectiveTask *list = lp_alloc((size_t)t->collectives + 1, sizeof *list);
    if (list == NULL)
        return LP_ENOMEM;
    for (uint32_t c = 0; c < t->collectives; c++)
        list[c] = task_of(t, &t->collective[c]);
    lp_free(p->collective);
    p->collective = list;
    p->collectives = t->collectives;
    return LP_OK;
}

static uint32_t edge_of(const LpGraph *g, uint32_t u, uint32_t v) {
    uint32_t i = g->succ_begin[u];
    while (g->succ[i] != v)
        i++;
    return i;
}

LpErr lp_tensor_cut(const LpCut *cut, LpPartition *partition) {
    Tensor t = {.p = partition};
    LpErr err = choose(&t, cut->sequence);
    if (err == LP_OK)
        err = add_collectives(&t);
    for (uint32_t f = 0; err == LP_OK && f < partition->graph->ops; f++)
        cost_op(&t, f);
    if (err == LP_OK) {
        LpPartition *p = t.p;
        uint32_t n = p->graph->ops;
        for (uint32_t l = 0; l < p->links; l++) {
            LpLink *link = &p->link[l];
            if (link->src < n && link->dst < n)
                link->via = t.to_reader[edge_of(p->graph, link->src, link->dst)];
            else if (link->src >= n && link->dst >= n)
                link->via = t.from_reader[edge_of(p->graph, link->dst - n, link->src - n)];
        }
    }
    lp_free(t.op);
    lp_free(t.choice);
    lp_free(t.collective);
    lp_free(t.to_reader);
    lp_free(t.from_reader);
    return err;
}

uint64_t lp_tensor_hash(const LpPartition *p, uint64_t hash) {
    for (uint32_t o = 0; o < p->ops; o++)
        hash = lp_hash_f64(hash, p->op_time[o]);
    for (uint32_t l = 0; l < p->links; l++)
        hash = lp_hash_u64(hash, p->link[l].via);
    for (uint32_t c = 0; c < p->collectives; c++) {
        const LpCollectiveTask *task = &p->collective[c];
        hash = lp_hash_u64(hash, (uint64_t)task->op << 8 | (uint64_t)task->when << 4 |
                                     (uint64_t)task->kind);
        hash = lp_hash_f64(hash, task->bytes);
    }
    return hash;
}
