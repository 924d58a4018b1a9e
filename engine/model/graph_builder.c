/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds computation graphs: takes ops and edges as they are read, then checks them and lays them
 * out as CSR lists with a topological order. */
#include "model/graph.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/graph_internal.h"

enum { NONE = -1 };

typedef struct Place {
    int line, col;
} Place;

typedef struct Edge {
    uint32_t src, dst; /* op numbers until resolve_edges, then op indices */
    Place place;
} Edge;

struct LpGraphBuilder {
    LpArena *arena; /* the graph's; NULL once handed over */
    const char *id, *file;
    double batch;
    LpOp *op;
    Place *op_place;
    size_t ops, op_cap, place_cap;
    int32_t *index; /* by number: file index or NONE */
    size_t numbers, index_cap;
    Edge *edge;
    size_t edges, edge_cap;
    bool finished;
};

LpGraphBuilder *lp_graph_builder_new(const char *id, const char *file) {
    LpGraphBuilder *builder = lp_alloc(1, sizeof *builder);
    if (builder == NULL)
        return NULL;
    builder->arena = lp_arena_new(0);
    if (builder->arena != NULL) {
        builder->id = lp_arena_strdup(builder->arena, id != NULL ? id : "");
        builder->file = lp_arena_strdup(builder->arena, file != NULL ? file : "");
    }
    if (builder->id == NULL || builder->file == NULL) {
        lp_graph_builder_free(builder);
        return NULL;
    }
    return builder;
}

void lp_graph_builder_free(LpGraphBuilder *builder) {
    if (builder == NULL)
        return;
    lp_arena_free(builder->arena);
    lp_free(builder->op);
    lp_free(builder->op_place);
    lp_free(builder->index);
    lp_free(builder->edge);
    lp_free(builder);
}

void lp_graph_builder_batch(LpGraphBuilder *builder, double batch) {
    builder->batch = batch;
}

/* ---- ops ---- */

static LpErr check_value(const LpGraphBuilder *builder, const LpOp *op, const char *what,
                         double value, Place at, LpDiag *diag) {
    if (isfinite(value) && value >= 0)
        return LP_OK;
    char text[LP_NUM_TEXT];
    const char *shown = isnan(value)   ? "not a number"
                        : isinf(value) ? (value > 0 ? "infinite" : "minus infinity")
                                       : lp_num_print(value, text);
    return lp_fail_at(diag, LP_EINVAL, builder->file, at.line, at.col,
                      "%s of op %u is %s, expected a finite number >= 0", what,
                      (unsigned)op->number, shown);
}

static LpErr check_values(const LpGraphBuilder *builder, const LpOp *op, Place at, LpDiag *diag) {
    const struct {
        const char *what;
        double value;
    } field[] = {
        {"forward time", op->forward},
        {"backward time", op->backward},
        {"activation size", op->activation},
        {"parameter size", op->parameters},
        {"forward FLOPs", op->work.forward_flops},
        {"backward FLOPs", op->work.backward_flops},
        {"forward bytes moved", op->work.forward_bytes},
        {"backward bytes moved", op->work.backward_bytes},
        {"channels", op->channels},
    };
    for (size_t i = 0; i < LP_COUNTOF(field); i++)
        LP_TRY(check_value(builder, op, field[i].what, field[i].value, at, diag));
    return LP_OK;
}

static LpErr check_number(const LpGraphBuilder *builder, uint32_t number, Place at, LpDiag *diag) {
    if (number == 0)
        return lp_fail_at(diag, LP_EINVAL, builder->file, at.line, at.col,
                          "op number 0, expected numbers from 1");
    if (number > LP_GRAPH_MAX_OPS)
        return lp_fail_at(diag, LP_ELIMIT, builder->file, at.line, at.col,
                          "op number %u, expected at most %d ops", (unsigned)number,
                          (int)LP_GRAPH_MAX_OPS);
    if (number < builder->numbers && builder->index[number] != NONE)
        return lp_fail_at(diag, LP_EINVAL, builder->file, at.line, at.col,
                          "op number %u is used twice, first at line %d", (unsigned)number,
                          builder->op_place[builder->index[number]].line);
    return LP_OK;
}

static LpErr make_room_for_op(LpGraphBuilder *builder, uint32_t number) {
    LP_TRY(lp_grow((void **)&builder->op, &builder->op_cap, builder->ops + 1, sizeof(LpOp)));
    LP_TRY(
        lp_grow((void **)&builder->op_place, &builder->place_cap, builder->ops + 1, sizeof(Place)));
    LP_TRY(lp_grow((void **)&builder->index, &builder->index_cap, (size_t)number + 1,
                   sizeof(int32_t)));
    while (builder->numbers <= number)
        builder->index[builder->numbers++] = NONE;
    return LP_OK;
}

LpErr lp_graph_builder_op(LpGraphBuilder *builder, const LpOp *op, int line, int col,
                          LpDiag *diag) {
    const Place at = {line, col};
    if (builder->finished)
        return lp_fail(diag, LP_ESTATE, "graph '%s' is already built", builder->id);
    LP_TRY(check_number(builder, op->number, at, diag));
    LP_TRY(check_values(builder, op, at, diag));
    const char *name = lp_arena_strdup(builder->arena, op->name != NULL ? op->name : "");
    if (name == NULL || make_room_for_op(builder, op->number) != LP_OK)
        return lp_fail_memory(diag, "a computation graph");
    builder->index[op->number] = (int32_t)builder->ops;
    builder->op_place[builder->ops] = at;
    builder->op[builder->ops] = *op;
    builder->op[builder->ops].name = name;
    builder->ops++;
    return LP_OK;
}

/* ---- edges ---- */

LpErr lp_graph_builder_edge(LpGraphBuilder *builder, uint32_t src, uint32_t dst, int line, int col,
                            LpDiag *diag) {
    if (builder->finished)
        return lp_fail(diag, LP_ESTATE, "graph '%s' is already built", builder->id);
    if (src == dst)
        return lp_fail_at(diag, LP_EINVAL, builder->file, line, col,
                          "op %u depends on itself, expected two different ops", (unsigned)src);
    if (builder->edges >= LP_GRAPH_MAX_EDGES)
        return lp_fail_at(diag, LP_ELIMIT, builder->file, line, col,
                          "too many edges, expected at most %d", (int)LP_GRAPH_MAX_EDGES);
    if (lp_grow((void **)&builder->edge, &builder->edge_cap, builder->edges + 1, sizeof(Edge)) !=
        LP_OK)
        return lp_fail_memory(diag, "a computation graph");
    builder->edge[builder->edges++] = (Edge){src, dst, {line, col}};
    return LP_OK;
}

/* ---- checks at the end ---- */

static LpErr resolve_end(const LpGraphBuilder *builder, const Edge *edge, uint32_t number,
                         uint32_t *index, LpDiag *diag) {
    if (number == 0 || number > builder->ops)
        return lp_fail_at(diag, LP_EINVAL, builder->file, edge->place.line, edge->place.col,
                          "edge from op %u to op %u: there is no op %u, expected 1 to %zu",
                          (unsigned)edge->src, (unsigned)edge->dst, (unsigned)number, builder->ops);
    *index = (uint32_t)builder->index[number];
    return LP_OK;
}

/* ---- layout ---- */

/* begin[u] from counts stored at begin[u + 1]. */
static void prefix_sum(uint32_t *begin, uint32_t ops) {
    for (uint32_t u = 0; u < ops; u++)
        begin[u + 1] += begin[u];
}

/* Keeps the first of equal edges. by_src lists edge positions by source in line order; seen[v] is
 * the last source (plus one) that reached v. */
static void drop_duplicates(LpGraphBuilder *builder, const uint32_t *by_src, uint32_t *seen) {
    Edge *edge = builder->edge;
    for (size_t i = 0; i < builder->edges; i++) {
        Edge *this = &edge[by_src[i]];
        if (seen[this->dst] == this->src + 1)
            this->src = UINT32_MAX;
        else
            seen[this->dst] = this->src + 1;
    }
    size_t kept = 0;
    for (size_t i = 0; i < builder->edges; i++)
        if (edge[i].src != UINT32_MAX)
            edge[kept++] = edge[i];
    builder->edges = kept;
}

/* Stable counting sort of edge positions by source. begin: ops + 1 zeroed entries; cursor: ops
 * entries of scratch. */
static void sort_by_source(const LpGraphBuilder *builder, uint32_t *begin, uint32_t *cursor,
                           uint32_t *by_src) {
    const uint32_t ops = (uint32_t)builder->ops;
    memset(begin, 0, ((size_t)ops + 1) * sizeof *begin);
    for (size_t e = 0; e < builder->edges; e++)
        begin[builder->edge[e].src + 1]++;
    prefix_sum(begin, ops);
    memcpy(cursor, begin, (size_t)ops * sizeof *cursor);
    for (size_t e = 0; e < builder->edges; e++)
        by_src[cursor[builder->edge[e].src]++] = (uint32_t)e;
}

/* Walking sources in file order leaves each predecessor list in file order. */
static void fill_predecessors(LpGraph *graph, uint32_t *cursor) {
    for (uint32_t e = 0; e < graph->edges; e++)
        graph->pred_begin[graph->edge_dst[e] + 1]++;
    prefix_sum(graph->pred_begin, graph->ops);
    memcpy(cursor, graph->pred_begin, (size_t)graph->ops * sizeof *cursor);
    for (uint32_t u = 0; u < graph->ops; u++)
        for (uint32_t k = graph->succ_begin[u]; k < graph->succ_begin[u + 1]; k++)
            graph->pred[cursor[graph->succ[k]]++] = u;
}

/* ---- order ---- */

/* Kahn's order into graph->topo; left[v] ends as the number of v's predecessors not ordered.
 * Returns how many ops could be ordered. */
static uint32_t order(LpGraph *graph, uint32_t *left) {
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < graph->ops; v++) {
        left[v] = graph->pred_begin[v + 1] - graph->pred_begin[v];
        if (left[v] == 0)
            graph->topo[tail++] = v;
    }
    while (head < tail) {
        uint32_t u = graph->topo[head++];
        for (uint32_t k = graph->succ_begin[u]; k < graph->succ_begin[u + 1]; k++)
            if (--left[graph->succ[k]] == 0)
                graph->topo[tail++] = graph->succ[k];
    }
    return tail;
}

static uint32_t unordered_predecessor(const LpGraph *graph, uint32_t v, const uint32_t *left) {
    uint32_t k = graph->pred_begin[v];
    while (left[graph->pred[k]] == 0)
        k++;
    return graph->pred[k];
}

/* Every op that could not be ordered has such a predecessor, so walking back from any of them must
 * enter a cycle; `seen` (zeroed) marks the walk. Reports the cycle's last edge in the file: the
 * one that closed it. O(E * degree), once. */
static LpErr report_cycle(const LpGraphBuilder *builder, const LpGraph *graph, const uint32_t *left,
                          uint32_t *seen, LpDiag *diag) {
    uint32_t start = 0;
    while (left[start] == 0)
        start++;
    while (!seen[start]) {
        seen[start] = 1;
        start = unordered_predecessor(graph, start, left);
    }
    size_t closing = 0;
    uint32_t length = 0, v = start;
    do {
        uint32_t u = unordered_predecessor(graph, v, left);
        seen[u] = 2;
        length++;
        v = u;
    } while (v != start);
    for (size_t e = 0; e < builder->edges; e++) {
        const Edge *edge = &builder->edge[e];
        if (seen[edge->dst] == 2 && unordered_predecessor(graph, edge->dst, left) == edge->src)
            closing = e;
    }
    const Edge *edge = &builder->edge[closing];
    return lp_fail_at(diag, LP_ECYCLE, builder->file, edge->place.line, edge->place.col,
                      "op %u depends on itself: the edge from op %u to op %u closes a cycle of "
                      "%u ops, expected a graph without cycles",
                      (unsigned)graph->op[edge->src].number, (unsigned)graph->op[edge->src].number,
                      (unsigned)graph->op[edge->dst].number, (unsigned)length);
}

/* ---- kinds ---- */

/* Is an input of v a part of attention, or does it work value by value? */
static bool follows_core(const LpGraph *graph, uint32_t v) {
    for (uint32_t k = graph->pred_begin[v]; k < graph->pred_begin[v + 1]; k++) {
        LpOpKind kind = graph->op[graph->pred[k]].kind;
        if (kind == LP_OP_ATTENTION || kind == LP_OP_ELEMENTWISE)
            return true;
    }
    return false;
}

/* A softmax between scores and context belongs to attention, but multiplies nothing. */
static bool is_softmax(const LpOp *op) {
    return op->kind == LP_OP_ATTENTION && lp_op_kind_of_name(op->name, false) == LP_OP_NORM_FEATURE;
}

/* Work that says nothing of products is one where its kind is. */
static void state_products(LpGraph *graph) {
    static const bool products[LP_OP_KIND_COUNT] = {[LP_OP_LINEAR] = true,
                                                    [LP_OP_CONV] = true,
                                                    [LP_OP_ATTENTION] = true,
                                                    [LP_OP_RECURRENT] = true,
                                                    [LP_OP_BLOCK] = true};
    for (uint32_t i = 0; i < graph->ops; i++) {
        LpOp *op = &graph->op[i];
        if (op->has_work && op->work.product.flops == 0 && products[op->kind] && !is_softmax(op))
            op->work.product.flops = op->work.forward_flops;
    }
}

/* ---- finish ---- */

static LpGraph *new_graph(LpArena *arena, size_t ops, size_t edges) {
    LpGraphOwner *owner = lp_arena_alloc(arena, 1, sizeof *owner);
    if (owner == NULL)
        return NULL;
    owner->arena = arena;
    LpGraph *graph = &owner->graph;
    graph->ops = (uint32_t)ops;
    graph->edges = (uint32_t)edges;
    graph->op = lp_arena_alloc(arena, ops, sizeof(LpOp));
    const struct {
        uint32_t **array;
        size_t count;
    } list[] = {
        {&graph->edge_src, edges},     {&graph->edge_dst, edges},     {&graph->succ, edges},
        {&graph->pred, edges},         {&graph->topo, ops},           {&graph->by_number, ops + 1},
        {&graph->succ_begin, ops + 1}, {&graph->pred_begin, ops + 1},
    };
    bool ok = graph->op != NULL;
    for (size_t i = 0; i < LP_COUNTOF(list); i++) {
        *list[i].array = lp_arena_alloc(arena, list[i].count, sizeof(uint32_t));
        ok = ok && *list[i].array != NULL;
    }
    return ok ? graph : NULL;
}

/* scratch: two lists of ops entries, and one of edges. */
static LpErr lay_out(LpGraphBuilder *builder, LpGraph **out, uint32_t *scratch, LpDiag *diag) {
    uint32_t *first = scratch, *second = scratch + builder->ops + 1;
    uint32_t *by_src = second + builder->ops + 1;
    sort_by_source(builder, first, second, by_src);
    memset(second, 0, builder->ops * sizeof *second);
    drop_duplicates(builder, by_src, second);
    LpGraph *graph = new_graph(builder->arena, builder->ops, builder->edges);
    if (graph == NULL)
        return lp_fail_memory(diag, "a computation graph");
    sort_by_source(builder, graph->succ_begin, second, by_src);
    graph->id = builder->id;
    graph->batch = builder->batch;
    if (graph->ops > 0)
        memcpy(graph->op, builder->op, builder->ops * sizeof(LpOp));
    for (uint32_t number = 1; number <= graph->ops; number++)
        graph->by_number[number] = (uint32_t)builder->index[number];
    for (uint32_t e = 0; e < graph->edges; e++) {
        graph->edge_src[e] = builder->edge[e].src;
        graph->edge_dst[e] = builder->edge[e].dst;
        graph->succ[e] = builder->edge[by_src[e]].dst;
    }
    fill_predecessors(graph, second);
    memset(second, 0, builder->ops * sizeof *second);
    if (order(graph, first) != graph->ops)
        return report_cycle(builder, graph, first, second, diag);
    for (uint32_t i = 0; i < graph->ops; i++) {
        LpOp *op = &graph->op[graph->topo[i]];
        if (op->kind == LP_OP_UNSTATED)
            op->kind = lp_op_kind_of_name(op->name, follows_core(graph, graph->topo[i]));
    }
    state_products(graph);
    lp_graph_summarise(graph);
    *out = graph;
    return LP_OK;
}

LpErr lp_graph_builder_finish(LpGraphBuilder *builder, LpGraph **out, LpDiag *diag) {
    if (builder->finished)
        return lp_fail(diag, LP_ESTATE, "graph '%s' is already built", builder->id);
    builder->finished = true;
    if (builder->ops == 0)
        return lp_fail_at(diag, LP_EINVAL, builder->file, 0, 0,
                          "graph '%s' has no ops, expected at least one", builder->id);
    /* Numbers are distinct, so they are 1..n exactly when none is above n. */
    for (size_t i = 0; i < builder->ops; i++) {
        if (builder->op[i].number <= builder->ops)
            continue;
        uint32_t missing = 1;
        while (builder->index[missing] != NONE)
            missing++;
        return lp_fail_at(
            diag, LP_EINVAL, builder->file, builder->op_place[i].line, builder->op_place[i].col,
            "op number %u leaves a gap: expected the %zu ops to be numbered 1 to "
            "%zu, and %u is missing",
            (unsigned)builder->op[i].number, builder->ops, builder->ops, (unsigned)missing);
    }
    for (size_t e = 0; e < builder->edges; e++) {
        Edge *edge = &builder->edge[e];
        uint32_t src = 0, dst = 0;
        LP_TRY(resolve_end(builder, edge, edge->src, &src, diag));
        LP_TRY(resolve_end(builder, edge, edge->dst, &dst, diag));
        edge->src = src;
        edge->dst = dst;
    }
    uint32_t *scratch = lp_alloc(2 * (builder->ops + 1) + builder->edges, sizeof *scratch);
    if (scratch == NULL)
        return lp_fail_memory(diag, "a computation graph");
    LpErr err = lay_out(builder, out, scratch, diag);
    lp_free(scratch);
    if (err == LP_OK)
        builder->arena = NULL; /* the graph's now; id and file with it */
    return err;
}
