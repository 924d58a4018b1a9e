/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cutting a computation graph: how many ways each op is split (semantics 4.1; corrected
 * "reserve"), and what links and collectives the cut leaves (semantics 4.2; "Partition kinds"). */
#include "model/partition.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include "model/partition_internal.h"

/* ---- ways ---- */

static uint32_t need_of(const LpCut *cut, double time, uint32_t degree) {
    double need = time / cut->min_op_time;
    if (lp_published(cut->options, LP_OPT_MASK))
        need = 2 * ceil(ceil(need) / 2);
    else
        need = ceil(need * (1 - LP_NUM_TIE)); /* 1.1 s of 0.1 s are eleven, whatever the rounding */
    if (!(need >= 1))
        return 1;
    return need >= degree ? degree : (uint32_t)need;
}

static uint32_t largest_divisor(uint32_t of, uint32_t at_most) {
    LP_ASSERT(at_most > 0);
    uint32_t best = 1;
    for (uint32_t d = 1; d <= at_most; d++)
        if (of % d == 0)
            best = d;
    return best;
}

static void lower_to_divisors(uint32_t *ways, uint32_t n, uint32_t degree) {
    for (uint32_t i = 0; i < n; i++)
        if (degree % ways[i] != 0)
            ways[i] = largest_divisor(degree, ways[i]);
}

uint32_t lp_cut_ways(const LpCut *cut, uint32_t degree, uint32_t *ways) {
    const LpGraph *graph = cut->graph;
    uint32_t largest = 1;
    for (uint32_t i = 0; i < graph->ops; i++) {
        ways[i] = need_of(cut, graph->op[i].forward, degree);
        if (ways[i] > largest)
            largest = ways[i];
    }
    if (cut->reserve)
        lower_to_divisors(ways, graph->ops, largest);
    if (cut->kind == LP_PARTITION_TENSOR)
        lp_tensor_level_ways(graph, largest, ways);
    return largest;
}

LpErr lp_cut_settle(const LpCut *cut, uint32_t *ways, uint32_t *degree, LpDiag *diag) {
    const LpGraph *graph = cut->graph;
    uint32_t largest = 1;
    for (uint32_t i = 0; i < graph->ops; i++) {
        if (ways[i] > 1 && ways[i] % 2 != 0 && lp_published(cut->options, LP_OPT_MASK))
            return lp_fail(diag, LP_EREFUSED,
                           "op %u of graph %s is split %u ways; the published rules allow 1 or an "
                           "even number",
                           graph->op[i].number, graph->id, ways[i]);
        if (ways[i] > largest)
            largest = ways[i];
    }
    for (uint32_t i = 0; i < graph->ops; i++)
        if (ways[i] == 0)
            ways[i] = 1;
    if (cut->reserve)
        lower_to_divisors(ways, graph->ops, largest);
    *degree = largest;
    return LP_OK;
}

/* ---- counting ---- */

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Pairs of parts whose intervals [a/s, (a+1)/s) and [b/t, (b+1)/t) overlap. */
static uint64_t pairs_of(bool all_pairs, uint32_t s, uint32_t t) {
    return all_pairs ? (uint64_t)s * t : (uint64_t)s + t - gcd(s, t);
}

/* The op whose twin it is joined to under the published rule: the highest number. */
static uint32_t last_op(const LpGraph *graph) {
    return graph->by_number[graph->ops];
}

static bool joins(const LpCut *cut, uint32_t op) {
    if (lp_published(cut->options, LP_OPT_GRAPH_JOIN))
        return op == last_op(cut->graph);
    const LpGraph *graph = cut->graph;
    return graph->succ_begin[op] == graph->succ_begin[op + 1];
}

/* A corrected join goes from part k to part k; the published one is an ordinary edge. */
static bool join_all_pairs(const LpCut *cut) {
    return lp_published(cut->options, LP_OPT_GRAPH_JOIN) &&
           lp_published(cut->options, LP_OPT_EDGE_SIZE);
}

uint64_t lp_cut_count_deps(const LpCut *cut, const uint32_t *ways) {
    const LpGraph *graph = cut->graph;
    bool all_pairs = lp_published(cut->options, LP_OPT_EDGE_SIZE);
    bool mesh = lp_published(cut->options, LP_OPT_WEIGHT_SYNC);
    uint64_t count = 0;
    for (uint32_t e = 0; e < graph->edges; e++)
        count += 2 * pairs_of(all_pairs, ways[graph->edge_src[e]], ways[graph->edge_dst[e]]);
    for (uint32_t i = 0; i < graph->ops; i++) {
        if (joins(cut, i))
            count += pairs_of(join_all_pairs(cut), ways[i], ways[i]);
        if (mesh)
            count += (uint64_t)ways[i] * (ways[i] - 1);
    }
    return count;
}

/* ---- links ---- */

/* Successor and predecessor lists change as ops are cut one after another: cutting v moves it to
 * the end of its neighbours' lists (semantics 4.2). Keys say where a link ends up. */
typedef struct Builder {
    const LpCut *cut;
    LpPartition *p;
    uint64_t *succ_key, *pred_key;
    uint64_t clock;
} Builder;

static double memory_of(const LpOp *op) {
    return op->activation + op->parameters;
}

static const LpOp *op_of(const LpPartition *p, uint32_t mirrored) {
    uint32_t n = p->graph->ops;
    return &p->graph->op[mirrored < n ? mirrored : mirrored - n];
}

/* When the op is cut: forward ops in file order, each followed by its twin. */
static uint32_t cut_rank(const LpPartition *p, uint32_t op) {
    uint32_t n = p->graph->ops;
    return op < n ? 2 * op : 2 * (op - n) + 1;
}

/* Published size of each dependency of a link (semantics 4.2, the table): which memory it derives
 * from depends on which end is split and which is cut first (Q4, Q5). */
static double published_bytes(const LpPartition *p, uint32_t u, uint32_t v) {
    double s = p->ways[u], t = p->ways[v];
    double from_tail = memory_of(op_of(p, u)), from_head = memory_of(op_of(p, v));
    if (s <= 1 && t <= 1)
        return from_tail;
    if (t <= 1)
        return from_head / s;
    if (s <= 1)
        return from_tail / t;
    return cut_rank(p, u) < cut_rank(p, v) ? from_tail / s / t : from_head / t / s;
}

static void add_link(Builder *b, uint32_t src, uint32_t dst, LpDepKind kind, double tensor,
                     uint64_t succ_key, uint64_t pred_key) {
    LpPartition *p = b->p;
    LpLink *link = &p->link[p->links];
    bool published = lp_published(b->cut->options, LP_OPT_EDGE_SIZE);
    link->src = src;
    link->dst = dst;
    link->kind = (uint8_t)kind;
    link->via = LP_NO_INDEX;
    link->all_pairs = published && kind == LP_DEP_DATA;
    link->bytes = link->all_pairs ? published_bytes(p, src, dst) : tensor;
    b->succ_key[p->links] = succ_key;
    b->pred_key[p->links] = pred_key;
    p->links++;
}

static void add_data_links(Builder *b) {
    const LpGraph *graph = b->cut->graph;
    uint32_t n = graph->ops;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t i = graph->succ_begin[u]; i < graph->succ_begin[u + 1]; i++) {
            uint32_t v = graph->succ[i];
            double tensor = graph->op[u].activation;
            add_link(b, u, v, LP_DEP_DATA, tensor, i, u);
            add_link(b, n + v, n + u, LP_DEP_DATA, tensor, u, n + v);
        }
}

static void add_joins(Builder *b) {
    const LpGraph *graph = b->cut->graph;
    bool published = lp_published(b->cut->options, LP_OPT_GRAPH_JOIN);
    for (uint32_t u = 0; u < graph->ops; u++)
        if (joins(b->cut, u))
            add_link(b, u, graph->ops + u, published ? LP_DEP_DATA : LP_DEP_ORDER,
                     published ? graph->op[u].activation : 0, graph->edges, u);
}

static void move_to_end(Builder *b, uint32_t op) {
    LpPartition *p = b->p;
    for (uint32_t i = p->pred_begin[op]; i < p->pred_begin[op + 1]; i++)
        b->succ_key[p->pred[i]] = b->clock++;
    for (uint32_t i = p->succ_begin[op]; i < p->succ_begin[op + 1]; i++)
        b->pred_key[p->succ[i]] = b->clock++;
}

/* Buckets links by one end. */
static void bucket(const LpPartition *p, bool by_tail, uint32_t *begin, uint32_t *list) {
    memset(begin, 0, (p->ops + 1) * sizeof *begin);
    for (uint32_t l = 0; l < p->links; l++)
        begin[(by_tail ? p->link[l].src : p->link[l].dst) + 1]++;
    for (uint32_t o = 0; o < p->ops; o++)
        begin[o + 1] += begin[o];
    for (uint32_t l = p->links; l-- > 0;) {
        uint32_t end = by_tail ? p->link[l].src : p->link[l].dst;
        list[--begin[end + 1]] = l;
    }
    /* begin[o + 1] now points at the first of o: shift back */
    for (uint32_t o = 0; o < p->ops; o++)
        begin[o] = begin[o + 1];
    begin[p->ops] = p->links;
}

static void sort_by_key(const uint64_t *key, uint32_t *list, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin + 1; i < end; i++) {
        uint32_t link = list[i];
        uint32_t j = i;
        for (; j > begin && key[list[j - 1]] > key[link]; j--)
            list[j] = list[j - 1];
        list[j] = link;
    }
}

static void sort_lists(Builder *b) {
    LpPartition *p = b->p;
    for (uint32_t o = 0; o < p->ops; o++) {
        sort_by_key(b->succ_key, p->succ, p->succ_begin[o], p->succ_begin[o + 1]);
        sort_by_key(b->pred_key, p->pred, p->pred_begin[o], p->pred_begin[o + 1]);
    }
}

static void build_links(Builder *b) {
    LpPartition *p = b->p;
    uint32_t n = p->graph->ops;
    bool mesh = lp_published(b->cut->options, LP_OPT_WEIGHT_SYNC);
    add_data_links(b);
    add_joins(b);
    bucket(p, true, p->succ_begin, p->succ);
    bucket(p, false, p->pred_begin, p->pred);
    b->clock = (uint64_t)1 << 32; /* above every starting key */
    for (uint32_t f = 0; f < n; f++) {
        if (p->ways[f] <= 1)
            continue;
        move_to_end(b, f);
        move_to_end(b, n + f);
        if (mesh) {
            uint32_t op = n + f;
            uint32_t at = b->p->links;
            add_link(b, op, op, LP_DEP_SYNC, 0, b->clock, b->clock);
            b->p->link[at].bytes = memory_of(op_of(b->p, op)) / b->p->ways[op];
            b->clock++;
        }
    }
    bucket(p, true, p->succ_begin, p->succ);
    bucket(p, false, p->pred_begin, p->pred);
    sort_lists(b);
}

/* ---- parts ---- */

static void order_ops(LpPartition *p) {
    uint32_t n = p->graph->ops, at = 0;
    for (uint32_t o = 0; o < p->ops; o++)
        if (p->ways[o] <= 1)
            p->order[at++] = o;
    for (uint32_t f = 0; f < n; f++)
        if (p->ways[f] > 1) {
            p->order[at++] = f;
            p->order[at++] = n + f;
        }
}

/* Cut by samples a product has fewer rows, cut by what it makes fewer columns. */
static double part_time(const LpPartition *p, uint32_t o) {
    uint32_t n = p->graph->ops, f = o < n ? o : o - n;
    LpSide side = p->kind == LP_PARTITION_DATA ? LP_SIDE_ROWS : LP_SIDE_COLUMNS;
    if (lp_graph_sized(p->graph, f))
        return lp_graph_part_time(p->graph, f, o >= n, 1.0 / p->ways[o], side);
    return (o < n ? op_of(p, o)->forward : op_of(p, o)->backward) / p->ways[o];
}

static void cost_parts(LpPartition *p) {
    uint32_t n = p->graph->ops;
    for (uint32_t o = 0; o < p->ops; o++) {
        const LpOp *op = op_of(p, o);
        p->op_time[o] = part_time(p, o);
        p->op_memory[o] = memory_of(op) / p->ways[o];
    }
    for (uint32_t f = 0; f < n; f++) {
        const LpOp *op = op_of(p, f);
        bool whole = p->kind == LP_PARTITION_DATA;
        p->op_parameters[f] = whole ? op->parameters : op->parameters / p->ways[f];
        p->op_output[f] = op->activation / p->ways[f];
    }
}

static void sum_parts(LpPartition *p) {
    for (uint32_t i = 0; i < p->parts; i++) {
        p->sequential_time += p->op_time[p->part_op[i]];
        p->memory_sum += p->op_memory[p->part_op[i]];
    }
}

static void add_collective(LpPartition *p, uint32_t op, LpCollectiveWhen when, LpCollective kind,
                           double bytes) {
    double passes = kind == LP_ALL_REDUCE ? 2 : 1;
    if (bytes > 0)
        p->collective[p->collectives++] = (LpCollectiveTask){op, when, kind, bytes, passes * bytes};
}

static void add_collectives(LpPartition *p) {
    uint32_t n = p->graph->ops;
    for (uint32_t f = 0; f < n; f++) {
        const LpOp *op = &p->graph->op[f];
        if (p->ways[f] <= 1)
            continue;
        if (p->kind == LP_PARTITION_MODEL) {
            add_collective(p, f, LP_WHEN_AFTER, LP_REDUCE_SCATTER, op->activation);
            add_collective(p, n + f, LP_WHEN_BEFORE, LP_ALL_GATHER, op->activation);
        } else {
            add_collective(p, n + f, LP_WHEN_ASIDE, LP_ALL_REDUCE, op->parameters);
        }
    }
}

void lp_link_heads(const LpPartition *p, const LpLink *link, uint32_t part, uint32_t *first,
                   uint32_t *end) {
    uint64_t s = p->ways[link->src], t = p->ways[link->dst];
    if (link->all_pairs || link->kind == LP_DEP_SYNC) {
        *first = 0;
        *end = (uint32_t)t;
        return;
    }
    /* head part b overlaps iff b/t < (a+1)/s and (b+1)/t > a/s */
    *first = (uint32_t)(part * t / s);
    *end = (uint32_t)(((part + 1) * t + s - 1) / s);
}

double lp_link_bytes(const LpPartition *p, const LpLink *link, uint32_t a, uint32_t b) {
    if (link->all_pairs || link->kind == LP_DEP_SYNC)
        return link->bytes;
    uint64_t s = p->ways[link->src], t = p->ways[link->dst];
    uint64_t from = a * t > b * s ? a * t : b * s;
    uint64_t to = (a + 1) * t < (b + 1) * s ? (a + 1) * t : (b + 1) * s;
    /* in lowest terms, so that equal shares of a tensor are equal bits whatever they are cut from
     */
    uint64_t common = gcd(s * t, to - from);
    return link->bytes * (double)((to - from) / common) / (double)(s * t / common);
}

static void sum_deps(LpPartition *p) {
    for (uint32_t i = 0; i < p->parts; i++) {
        uint32_t o = p->part_op[i], k = i - p->part_begin[o];
        for (uint32_t l = p->succ_begin[o]; l < p->succ_begin[o + 1]; l++) {
            const LpLink *link = &p->link[p->succ[l]];
            uint32_t first, end;
            lp_link_heads(p, link, k, &first, &end);
            for (uint32_t m = first; m < end; m++)
                if (link->kind != LP_DEP_SYNC || m != k)
                    p->dep_sum += lp_link_bytes(p, link, k, m);
        }
    }
}

static uint64_t hash_partition(const LpCut *cut, const LpPartition *p) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, p->graph->hash);
    h = lp_hash_u64(h, (uint64_t)p->kind * 2 + p->overlap);
    h = lp_hash_u64(h, lp_options_hash(cut->options));
    for (uint32_t o = 0; o < p->graph->ops; o++)
        h = lp_hash_u64(h, p->ways[o]);
    return p->kind == LP_PARTITION_TENSOR ? lp_tensor_hash(p, h) : h;
}

static LpErr allocate(LpPartition *p, Builder *b, uint32_t links) {
    p->ways = lp_alloc(p->ops, sizeof *p->ways);
    p->order = lp_alloc(p->ops, sizeof *p->order);
    p->part_begin = lp_alloc(p->ops, sizeof *p->part_begin);
    p->op_time = lp_alloc(p->ops, sizeof *p->op_time);
    p->op_memory = lp_alloc(p->ops, sizeof *p->op_memory);
    p->op_parameters = lp_alloc(p->ops, sizeof *p->op_parameters);
    p->op_output = lp_alloc(p->ops, sizeof *p->op_output);
    p->link = lp_alloc(links, sizeof *p->link);
    p->succ = lp_alloc(links, sizeof *p->succ);
    p->pred = lp_alloc(links, sizeof *p->pred);
    p->succ_begin = lp_alloc((size_t)p->ops + 1, sizeof *p->succ_begin);
    p->pred_begin = lp_alloc((size_t)p->ops + 1, sizeof *p->pred_begin);
    p->collective = lp_alloc(p->ops, sizeof *p->collective);
    b->succ_key = lp_alloc(links, sizeof *b->succ_key);
    b->pred_key = lp_alloc(links, sizeof *b->pred_key);
    bool ok = p->ways && p->order && p->part_begin && p->op_time && p->op_memory &&
              p->op_parameters && p->op_output && p->link && p->succ && p->pred && p->succ_begin &&
              p->pred_begin && p->collective && b->succ_key && b->pred_key;
    return ok ? LP_OK : LP_ENOMEM;
}

static LpErr set_ways(LpPartition *p, const uint32_t *ways) {
    uint32_t n = p->graph->ops;
    for (uint32_t f = 0; f < n; f++) {
        p->ways[f] = p->ways[n + f] = ways[f];
        p->parts += 2 * ways[f];
        if (ways[f] > p->degree)
            p->degree = ways[f];
    }
    p->part_op = lp_alloc(p->parts, sizeof *p->part_op);
    return p->part_op ? LP_OK : LP_ENOMEM;
}

static LpErr build(const LpCut *cut, const uint32_t *ways, LpPartition *p, Builder *b) {
    uint32_t n = cut->graph->ops;
    p->graph = cut->graph;
    p->kind = cut->kind;
    p->overlap = cut->overlap;
    p->ops = 2 * n;
    LP_TRY(allocate(p, b, 2 * cut->graph->edges + 2 * n));
    LP_TRY(set_ways(p, ways));
    order_ops(p);
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->ops; i++) {
        uint32_t o = p->order[i];
        p->part_begin[o] = at;
        for (uint32_t k = 0; k < p->ways[o]; k++)
            p->part_op[at++] = o;
    }
    cost_parts(p);
    build_links(b);
    if (cut->kind == LP_PARTITION_TENSOR)
        LP_TRY(lp_tensor_cut(cut, p));
    else if (!cut->bare && !lp_published(cut->options, LP_OPT_WEIGHT_SYNC))
        add_collectives(p);
    sum_parts(p);
    for (uint32_t c = 0; c < p->collectives; c++)
        p->collective_bytes += p->collective[c].one_way;
    sum_deps(p);
    p->hash = hash_partition(cut, p);
    return LP_OK;
}

LpErr lp_partition_build(const LpCut *cut, const uint32_t *ways, LpPartition **out, LpDiag *diag) {
    LP_TRY(lp_tensor_check(cut, diag));
    uint64_t deps = lp_cut_count_deps(cut, ways);
    if (deps > cut->max_deps)
        return lp_fail(diag, LP_ELIMIT,
                       "cutting graph %s so would make %llu dependencies, the limit (partition "
                       "max_deps) is %llu",
                       cut->graph->id, (unsigned long long)deps, (unsigned long long)cut->max_deps);
    LpPartition *p = lp_alloc(1, sizeof *p);
    if (p == NULL)
        return lp_fail_memory(diag, "a partition");
    Builder b = {.cut = cut, .p = p};
    LpErr err = build(cut, ways, p, &b);
    lp_free(b.succ_key);
    lp_free(b.pred_key);
    if (err != LP_OK) {
        lp_partition_free(p);
        return lp_fail_memory(diag, "a partition");
    }
    p->deps = (uint32_t)deps;
    *out = p;
    return LP_OK;
}

void lp_partition_free(LpPartition *p) {
    if (p == NULL)
        return;
    void *owned[] = {p->ways,      p->order,         p->part_begin, p->part_op,   p->op_time,
                     p->op_memory, p->op_parameters, p->op_output,  p->link,      p->succ_begin,
                     p->succ,      p->pred_begin,    p->pred,       p->collective};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
    lp_free(p);
}
