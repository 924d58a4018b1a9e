/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a partition and a placement to the tasks of one training step: ops on servers, transfers
 * between them, collectives over sets of servers. */
#include "sim/step/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

/* ---- servers ---- */

static int compare_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t find_u32(const uint32_t *sorted, uint32_t count, uint32_t value) {
    uint32_t low = 0, high = count;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sorted[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Dense numbers for the servers in use: ascending by server number. */
static LpErr number_servers(LpStepBuild *b) {
    const LpPlacement *placement = b->placement;
    LpStepGraph *g = b->graph;
    uint32_t entries = placement->group_begin[placement->groups];
    g->server_id = lp_arena_alloc(b->arena, entries, sizeof *g->server_id);
    b->group_dense = lp_arena_alloc(b->arena, entries, sizeof *b->group_dense);
    if (g->server_id == NULL || b->group_dense == NULL)
        return LP_ENOMEM;
    memcpy(g->server_id, placement->group_server, entries * sizeof *g->server_id);
    qsort(g->server_id, entries, sizeof *g->server_id, compare_u32);
    for (uint32_t i = 0; i < entries; i++)
        if (i == 0 || g->server_id[i] != g->server_id[g->servers - 1])
            g->server_id[g->servers++] = g->server_id[i];
    b->place = lp_arena_alloc(b->arena, g->servers, sizeof *b->place);
    if (b->place == NULL)
        return LP_ENOMEM;
    for (uint32_t s = 0; s < g->servers; s++)
        b->place[s] = (LpStepPlace){lp_fabric_group(b->fabric, g->server_id[s]),
                                    lp_fabric_rack(b->fabric, g->server_id[s]),
                                    lp_fabric_index(b->fabric, g->server_id[s])};
    for (uint32_t i = 0; i < entries; i++)
        b->group_dense[i] = find_u32(g->server_id, g->servers, placement->group_server[i]);
    return LP_OK;
}

/* ---- parts ---- */

typedef struct OpKey {
    double time;
    uint64_t tie; /* unique */
    uint32_t op;
} OpKey;

static int compare_op_key(const void *a, const void *b) {
    const OpKey *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->tie > y->tie) - (x->tie < y->tie);
}

/* Longest path of op times from each op to the end of the step, communication not counted. */
static LpErr remaining_paths(const LpStepBuild *b, double *path) {
    const LpPartition *p = b->partition;
    uint32_t *left = lp_arena_alloc(b->arena, p->ops, sizeof *left);
    uint32_t *queue = lp_arena_alloc(b->arena, p->ops, sizeof *queue);
    if (left == NULL || queue == NULL)
        return LP_ENOMEM;
    uint32_t head = 0, tail = 0;
    for (uint32_t l = 0; l < p->links; l++)
        left[p->link[l].src] += p->link[l].src != p->link[l].dst;
    for (uint32_t o = 0; o < p->ops; o++) {
        path[o] = p->op_time[o];
        if (left[o] == 0)
            queue[tail++] = o;
    }
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t i = p->pred_begin[v]; i < p->pred_begin[v + 1]; i++) {
            uint32_t u = p->link[p->pred[i]].src;
            if (u == v)
                continue;
            if (p->op_time[u] + path[v] > path[u])
                path[u] = p->op_time[u] + path[v];
            if (--left[u] == 0)
                queue[tail++] = u;
        }
    }
    return LP_OK;
}

static LpErr topological_ranks(const LpStepBuild *b, uint32_t *rank) {
    const LpGraph *graph = b->partition->graph;
    for (uint32_t i = 0; i < graph->ops; i++) {
        rank[graph->topo[i]] = i;
        rank[graph->ops + graph->topo[i]] = 2 * graph->ops - 1 - i;
    }
    return LP_OK;
}

/* Ties: published (semantics 7.2) the op placed later runs first; corrected the lower op number. */
static uint64_t op_tie(const LpStepBuild *b, uint32_t op, const uint32_t *rank) {
    const LpGraph *graph = b->partition->graph;
    uint32_t n = graph->ops;
    bool forward = op < n;
    if (b->ticks)
        return UINT32_MAX - (2 * (uint64_t)rank[forward ? op : op - n] + !forward);
    uint32_t number = graph->op[forward ? op : op - n].number;
    return forward ? number : 2 * n + 1 - number;
}

static double op_order_key(const LpStepBuild *b, uint32_t op, const uint32_t *rank,
                           const double *path) {
    switch (b->order_ops) {
    case LP_ORDER_CRITICAL_PATH:
        return -path[op];
    case LP_ORDER_FIFO:
        return rank[op];
    case LP_ORDER_LONGEST:
        return -b->partition->op_time[op];
    case LP_ORDER_SRPT:
    case LP_ORDER_COUNT:
        break;
    }
    return b->partition->op_time[op];
}

typedef struct ListKey {
    double priority;
    uint64_t rule; /* what the rule says, unique */
    uint32_t task;
} ListKey;

static int compare_list_key(const void *a, const void *b) {
    const ListKey *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return (x->rule > y->rule) - (x->rule < y->rule);
}

/* A policy's own priorities over those of the rule, `rank`, which is replaced. list_of tells the
 * entry of the list for each task (LP_NO_INDEX: none); NULL: one for each. */
static LpErr rank_by_list(LpArena *arena, const double *list, const uint32_t *list_of,
                          uint32_t tasks, uint64_t *rank) {
    ListKey *keys = lp_arena_alloc(arena, tasks, sizeof *keys);
    if (keys == NULL)
        return LP_ENOMEM;
    for (uint32_t i = 0; i < tasks; i++) {
        uint32_t at = list_of != NULL ? list_of[i] : i;
        keys[i] = (ListKey){at != LP_NO_INDEX ? list[at] : 0, rank[i], i};
    }
    qsort(keys, tasks, sizeof *keys, compare_list_key);
    for (uint32_t i = 0; i < tasks; i++)
        rank[keys[i].task] = i;
    return LP_OK;
}

/* Equal times reached by different sums differ by rounding, which must not decide: keys as good as
 * the first of a run become it, and the rule for ties orders them. Sorted before and after. */
static void join_op_keys(OpKey *keys, uint32_t count) {
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && lp_num_tied(keys[from].time, keys[to].time); to++)
            ;
        if (keys[to - 1].time == keys[from].time)
            continue;
        for (uint32_t i = from + 1; i < to; i++)
            keys[i].time = keys[from].time;
        qsort(&keys[from], to - from, sizeof *keys, compare_op_key);
    }
}

static LpErr rank_ops(LpStepBuild *b) {
    const LpPartition *p = b->partition;
    LpStepGraph *g = b->graph;
    uint32_t *rank = lp_arena_alloc(b->arena, p->ops, sizeof *rank);
    OpKey *keys = lp_arena_alloc(b->arena, p->ops, sizeof *keys);
    b->path = lp_arena_alloc(b->arena, p->ops, sizeof *b->path);
    if (rank == NULL || keys == NULL || b->path == NULL)
        return LP_ENOMEM;
    LP_TRY(topological_ranks(b, rank));
    if (b->order_ops == LP_ORDER_CRITICAL_PATH || b->order_flows == LP_ORDER_CRITICAL_PATH)
        LP_TRY(remaining_paths(b, b->path));
    for (uint32_t o = 0; o < p->ops; o++)
        keys[o] = (OpKey){op_order_key(b, o, rank, b->path), op_tie(b, o, rank), o};
    qsort(keys, p->ops, sizeof *keys, compare_op_key);
    if (!b->ticks)
        join_op_keys(keys, p->ops);
    for (uint32_t i = 0; i < p->ops; i++) {
        uint32_t o = keys[i].op;
        for (uint32_t k = 0; k < p->ways[o]; k++)
            g->op_priority[p->part_begin[o] + k] = ((uint64_t)i << 32) | k;
    }
    if (b->op_priority == NULL)
        return LP_OK;
    return rank_by_list(b->arena, b->op_priority, NULL, g->parts, g->op_priority);
}

static void place_parts(LpStepBuild *b) {
    const LpPartition *p = b->partition;
    LpStepGraph *g = b->graph;
    uint32_t n = p->graph->ops;
    for (uint32_t i = 0; i < p->parts; i++) {
        uint32_t o = p->part_op[i], f = o < n ? o : o - n;
        uint32_t entry = b->placement->group_begin[b->placement->op_group[f]];
        g->server[i] = b->group_dense[entry + (i - p->part_begin[o])];
        g->time[i] = p->op_time[o];
        if (b->speed != NULL) {
            uint32_t type = lp_cluster_type_of(b->fabric->cluster, g->server_id[g->server[i]]);
            g->time[i] = p->op_time[o] / b->speed[type];
        }
    }
}

/* ---- dependencies ---- */

static uint32_t head_task(const LpStepBuild *b, const LpLink *link, uint32_t head_part) {
    uint32_t gather = b->gather_of[link->dst];
    if (link->via != LP_NO_INDEX)
        return b->collective_base + link->via;
    if (gather != LP_NO_INDEX && link->kind != LP_DEP_SYNC)
        return gather;
    return head_part;
}

static void add_flow(LpStepBuild *b, uint32_t t, uint32_t link, uint32_t src, uint32_t dst,
                     double bytes) {
    LpStepGraph *g = b->graph;
    g->time[g->parts + t] = b->link_time[link] >= 0
                                ? b->link_time[link]
                                : lp_step_transfer_time(b, link, src, dst, bytes);
    g->channel[t] = lp_step_channel(b, src, dst);
    g->flows++;
    g->flow_bytes += bytes;
}

static void add_transfer(LpStepBuild *b, uint32_t link, uint32_t tail, uint32_t head,
                         double bytes) {
    LpStepGraph *g = b->graph;
    uint32_t t = g->transfers++, src = g->server[tail], dst = g->server[head];
    g->link[t] = link;
    g->head[t] = head;
    if (!b->lean) {
        g->tail[t] = tail;
        g->src[t] = g->server_id[src];
        g->dst[t] = g->server_id[dst];
        g->bytes[t] = bytes;
    }
    g->flow[t] = src != dst && bytes > 0;
    g->channel[t] = 0;
    g->time[g->parts + t] = 0;
    if (g->flow[t])
        add_flow(b, t, link, src, dst, bytes);
}

/* The dependencies of one link from one part: transfers get their numbers, every dependency its
 * target. */
static uint32_t add_link_deps(LpStepBuild *b, uint32_t part, uint32_t index, uint32_t dep) {
    const LpPartition *p = b->partition;
    const LpLink *link = &p->link[index];
    LpStepGraph *g = b->graph;
    uint32_t k = part - p->part_begin[link->src], base = p->part_begin[link->dst], first, end;
    bool sync = link->kind == LP_DEP_SYNC, constant = sync || link->all_pairs;
    lp_link_heads(p, link, k, &first, &end);
    for (uint32_t m = first; m < end; m++) {
        if (sync && m == k)
            continue;
        uint32_t head = base + m;
        double bytes = constant ? link->bytes : lp_link_bytes(p, link, k, m);
        if (b->ticks || (g->server[part] != g->server[head] && bytes > 0)) {
            b->dep_target[dep++] = g->parts + g->transfers;
            add_transfer(b, index, part, head, bytes);
        } else if (!sync) {
            b->dep_target[dep++] = LP_DIRECT | head_task(b, link, head);
        } else if (b->sync_counts) {
            b->dep_target[dep++] = LP_DIRECT | LP_EXTRA | head;
        }
    }
    return dep;
}

/* ---- successor lists ---- */

static void emit(LpStepBuild *b, uint32_t target) {
    b->graph->succ[b->emitted++] = target;
}

static void emit_deps(LpStepBuild *b, uint32_t part) {
    for (uint32_t d = b->dep_begin[part]; d < b->dep_begin[part + 1]; d++) {
        uint32_t target = b->dep_target[d] & LP_TARGET;
        emit(b, target);
        b->graph->need[target] += (b->dep_target[d] & LP_EXTRA) == 0;
    }
}

static void emit_part(LpStepBuild *b, uint32_t part) {
    uint32_t op = b->partition->part_op[part];
    if (b->scatter_of[op] != LP_NO_INDEX) {
        emit(b, b->scatter_of[op]);
        b->graph->need[b->scatter_of[op]]++;
    } else {
        emit_deps(b, part);
    }
    uint32_t first = b->reduce_all ? 0 : b->reduce_of[op];
    if (op < b->partition->graph->ops || first == LP_NO_INDEX)
        return;
    for (uint32_t c = 0; c < (b->reduce_all ? b->graph->collectives : 1); c++) {
        uint32_t task = b->reduce_all ? b->graph->parts + b->graph->transfers + c : first;
        emit(b, task);
        b->graph->need[task]++;
    }
}

static void emit_transfer(LpStepBuild *b, uint32_t t) {
    LpStepGraph *g = b->graph;
    const LpLink *link = &b->partition->link[g->link[t]];
    bool sync = link->kind == LP_DEP_SYNC;
    if (sync && !b->sync_counts)
        return;
    uint32_t target = head_task(b, link, g->head[t]);
    emit(b, target);
    if (!sync)
        g->need[target]++;
}

/* A task that has to wait for what is emitted just now. */
static void emit_waiting(LpStepBuild *b, uint32_t task) {
    emit(b, task);
    b->graph->need[task]++;
}

/* From a collective between links to the parts at their heads, or what gathers for them. */
static void emit_heads(LpStepBuild *b, uint32_t c) {
    const LpPartition *p = b->partition;
    for (uint32_t l = b->via_begin[c]; l < b->via_begin[c + 1]; l++) {
        uint32_t head = p->link[b->via_link[l]].dst;
        if (b->gather_of[head] != LP_NO_INDEX)
            emit_waiting(b, b->gather_of[head]);
        for (uint32_t k = 0; b->gather_of[head] == LP_NO_INDEX && k < p->ways[head]; k++)
            emit_waiting(b, p->part_begin[head] + k);
    }
}

static void emit_collective(LpStepBuild *b, uint32_t c) {
    const LpPartition *p = b->partition;
    const LpCollectiveTask *task = &p->collective[c];
    uint32_t first = p->part_begin[task->op];
    if (task->when == LP_WHEN_BETWEEN)
        emit_heads(b, c);
    for (uint32_t k = 0; k < p->ways[task->op]; k++) {
        if (task->when == LP_WHEN_AFTER)
            emit_deps(b, first + k);
        if (task->when == LP_WHEN_BEFORE)
            emit_waiting(b, first + k);
    }
}

static void emit_all(LpStepBuild *b) {
    LpStepGraph *g = b->graph;
    for (uint32_t t = 0; t < g->tasks; t++) {
        g->succ_begin[t] = b->emitted;
        if (t < g->parts)
            emit_part(b, t);
        else if (t < g->parts + g->transfers)
            emit_transfer(b, t - g->parts);
        else
            emit_collective(b, t - g->parts - g->transfers);
    }
    g->succ_begin[g->tasks] = b->emitted;
}

/* A split twin of an extra sink has only sync in-edges: it is no source and counts no parent, so
 * under the published rule it can never start (Q40). */
static void mark_never(LpStepBuild *b) {
    const LpPartition *p = b->partition;
    if (!b->sync_counts)
        return;
    for (uint32_t l = 0; l < p->links; l++) {
        if (p->link[l].kind != LP_DEP_SYNC)
            continue;
        uint32_t first = p->part_begin[p->link[l].dst];
        for (uint32_t k = 0; k < p->ways[p->link[l].dst]; k++)
            if (b->graph->need[first + k] == 0)
                b->graph->need[first + k] = LP_NEVER;
    }
}

/* ---- collectives ---- */

static void number_collectives(LpStepBuild *b) {
    const LpPartition *p = b->partition;
    LpStepGraph *g = b->graph;
    uint32_t *slot[] = {[LP_WHEN_AFTER] = b->scatter_of,
                        [LP_WHEN_BEFORE] = b->gather_of,
                        [LP_WHEN_ASIDE] = b->reduce_of};
    uint32_t base = g->parts + g->transfers;
    for (uint32_t c = 0; c < p->collectives; c++)
        if (p->collective[c].when != LP_WHEN_BETWEEN)
            slot[p->collective[c].when][p->collective[c].op] = base + c;
    b->collective_base = base;
    g->collectives = p->collectives;
    g->tasks = base + p->collectives;
}

/* The links of each collective that stands between links. */
static LpErr list_vias(LpStepBuild *b) {
    const LpPartition *p = b->partition;
    b->via_begin = lp_arena_alloc(b->arena, (size_t)p->collectives + 2, sizeof *b->via_begin);
    b->via_link = lp_arena_raw(b->arena, p->links, sizeof *b->via_link);
    if (b->via_begin == NULL || b->via_link == NULL)
        return LP_ENOMEM;
    /* counted two entries on, so that filling moves each start to where it belongs */
    for (uint32_t l = 0; l < p->links; l++)
        if (p->link[l].via != LP_NO_INDEX)
            b->via_begin[p->link[l].via + 2]++;
    for (uint32_t c = 0; c < p->collectives; c++)
        b->via_begin[c + 2] += b->via_begin[c + 1];
    for (uint32_t l = 0; l < p->links; l++)
        if (p->link[l].via != LP_NO_INDEX)
            b->via_link[b->via_begin[p->link[l].via + 1]++] = l;
    return LP_OK;
}

/* Parts 0..ways-1 of a group's ops are on its first servers: as many ways, the same set. */
static bool seen_before(LpStepBuild *b, uint32_t *last_ways, uint32_t op) {
    uint32_t n = b->partition->graph->ops, ways = b->partition->ways[op];
    uint32_t *last = &last_ways[b->placement->op_group[op < n ? op : op - n]];
    bool seen = *last == ways;
    *last = ways;
    return seen;
}

static LpErr fill_collectives(LpStepBuild *b) {
    const LpPartition *p = b->partition;
    LpStepGraph *g = b->graph;
    uint32_t at = 0;
    uint32_t *last_ways = lp_arena_alloc(b->arena, b->placement->groups, sizeof *last_ways);
    if (last_ways == NULL)
        return LP_ENOMEM;
    for (uint32_t c = 0; c < p->collectives; c++) {
        const LpCollectiveTask *task = &p->collective[c];
        uint32_t first = p->part_begin[task->op], ways = p->ways[task->op];
        g->collective[c] = c;
        g->member_begin[c] = at;
        for (uint32_t k = 0; k < ways; k++)
            g->member[at++] = g->server[first + k];
        g->time[g->parts + g->transfers + c] = lp_step_collective_time(
            b, task->kind, &g->member[g->member_begin[c]], ways, task->bytes);
        if (g->time[g->parts + g->transfers + c] < 0)
            return LP_ENOMEM;
        LP_TRY(lp_step_count_sends(b, task->kind, &g->member[g->member_begin[c]], ways, task->bytes,
                                   seen_before(b, last_ways, task->op)));
    }
    g->member_begin[p->collectives] = at;
    return LP_OK;
}

/* ---- flow order ---- */

typedef struct FlowKey {
    double first;
    uint32_t link, a, m, t;
} FlowKey;

static int compare_flow_key(const void *x, const void *y) {
    const FlowKey *a = x, *b = y;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->link != b->link)
        return a->link < b->link ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->m > b->m) - (a->m < b->m);
}

static double flow_order_key(const LpStepBuild *b, uint32_t t) {
    switch (b->order_flows) {
    case LP_ORDER_CRITICAL_PATH:
        return -b->path[b->partition->link[b->graph->link[t]].dst];
    case LP_ORDER_FIFO:
        return 0;
    case LP_ORDER_LONGEST:
        return -b->graph->time[b->graph->parts + t];
    case LP_ORDER_SRPT:
    case LP_ORDER_COUNT:
        break;
    }
    return b->graph->time[b->graph->parts + t];
}

/* As join_op_keys. */
static void join_flow_keys(FlowKey *keys, uint32_t count) {
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && lp_num_tied(keys[from].first, keys[to].first); to++)
            ;
        if (keys[to - 1].first == keys[from].first)
            continue;
        for (uint32_t i = from + 1; i < to; i++)
            keys[i].first = keys[from].first;
        qsort(&keys[from], to - from, sizeof *keys, compare_flow_key);
    }
}

static LpErr rank_flows(LpStepBuild *b) {
    LpStepGraph *g = b->graph;
    if (b->ticks)
        return LP_OK;
    FlowKey *keys = lp_arena_alloc(b->arena, g->transfers, sizeof *keys);
    g->flow_priority = lp_arena_alloc(b->arena, g->transfers, sizeof *g->flow_priority);
    if (keys == NULL || g->flow_priority == NULL)
        return LP_ENOMEM;
    for (uint32_t t = 0; t < g->transfers; t++)
        keys[t] = (FlowKey){flow_order_key(b, t), g->link[t], g->tail[t], g->head[t], t};
    qsort(keys, g->transfers, sizeof *keys, compare_flow_key);
    join_flow_keys(keys, g->transfers);
    for (uint32_t i = 0; i < g->transfers; i++)
        g->flow_priority[keys[i].t] = i;
    const uint32_t *flow_of;
    if (b->flow_priority == NULL)
        return LP_OK;
    LP_TRY(lp_step_number_flows(b->arena, g, NULL, NULL, &flow_of));
    return rank_by_list(b->arena, b->flow_priority, flow_of, g->transfers, g->flow_priority);
}

static void set_ports(LpStepBuild *b) {
    LpStepGraph *g = b->graph;
    const LpFabric *f = b->fabric;
    uint32_t per_server = f->tx_ports / f->servers;
    g->ports_per_server = per_server > 0 ? per_server : 1;
    g->slot = f->slot;
    if (b->ticks)
        return;
    g->tx_ports = g->rx_ports = g->servers * per_server;
    for (uint32_t t = 0; t < g->transfers; t++) {
        g->tx[t] = g->rx[t] = LP_NO_PORT;
        if (!g->flow[t] || per_server == 0)
            continue;
        uint32_t tx, rx;
        f->ops->ports(f, g->src[t], g->dst[t], &tx, &rx);
        g->tx[t] = g->server[g->tail[t]] * per_server + (tx - g->src[t] * per_server);
        g->rx[t] = g->server[g->head[t]] * per_server + (rx - g->dst[t] * per_server);
    }
}

/* ---- assembly ---- */

static uint32_t *fill_none(LpArena *arena, uint32_t count) {
    uint32_t *list = lp_arena_alloc(arena, count, sizeof *list);
    if (list != NULL)
        memset(list, 0xff, count * sizeof *list);
    return list;
}

/* Where subnets are shared, a wavelength of one carries one circuit at a time. */
static LpErr set_waves(LpStepBuild *b) {
    LpStepGraph *g = b->graph;
    const LpFabric *f = b->fabric;
    uint32_t all = f->ops->wavelengths(f);
    if (b->ticks || all == 0)
        return LP_OK;
    uint32_t *dense = fill_none(b->arena, all);
    g->wave = lp_arena_alloc(b->arena, g->transfers, sizeof *g->wave);
    if (dense == NULL || g->wave == NULL)
        return LP_ENOMEM;
    for (uint32_t t = 0; t < g->transfers; t++) {
        if (!g->flow[t])
            continue;
        uint32_t *wave = &dense[f->ops->wavelength(f, g->src[t], g->dst[t])];
        if (*wave == LP_NO_INDEX)
            *wave = g->waves++;
        g->wave[t] = *wave;
    }
    return LP_OK;
}

static LpErr allocate_parts(LpStepBuild *b) {
    LpArena *a = b->arena;
    LpStepGraph *g = b->graph;
    uint32_t n = b->partition->parts, ops = b->partition->ops;
    g->server = lp_arena_alloc(a, n, sizeof *g->server);
    g->op_priority = lp_arena_alloc(a, n, sizeof *g->op_priority);
    b->dep_begin = lp_arena_alloc(a, (size_t)n + 1, sizeof *b->dep_begin);
    b->scatter_of = fill_none(a, ops);
    b->gather_of = fill_none(a, ops);
    b->reduce_of = fill_none(a, ops);
    bool ok = g->server && g->op_priority && b->dep_begin && b->scatter_of && b->gather_of &&
              b->reduce_of;
    return ok ? LP_OK : LP_ENOMEM;
}

static LpErr allocate_transfers(LpStepBuild *b) {
    LpArena *a = b->arena;
    LpStepGraph *g = b->graph;
    uint32_t n = b->partition->deps;
    b->dep_target = lp_arena_raw(a, n, sizeof *b->dep_target);
    g->time = lp_arena_raw(a, (size_t)g->parts + n + b->partition->collectives, sizeof *g->time);
    uint32_t **lists[] = {&g->link, &g->head, &g->channel, &g->tail, &g->src, &g->dst};
    for (size_t i = 0; i < (b->lean ? 3 : LP_COUNTOF(lists)); i++)
        if ((*lists[i] = lp_arena_raw(a, n, sizeof(uint32_t))) == NULL)
            return LP_ENOMEM;
    g->flow = lp_arena_raw(a, n, sizeof *g->flow);
    if (!b->lean && (g->bytes = lp_arena_raw(a, n, sizeof *g->bytes)) == NULL)
        return LP_ENOMEM;
    if (!b->ticks) {
        g->tx = lp_arena_raw(a, n, sizeof *g->tx);
        g->rx = lp_arena_raw(a, n, sizeof *g->rx);
        if (g->tx == NULL || g->rx == NULL)
            return LP_ENOMEM;
    }
    return b->dep_target && g->time && g->flow ? LP_OK : LP_ENOMEM;
}

/* Upper bound of the successor entries: every dependency twice, parts to and from collectives, and
 * from collectives between links to parts. */
static size_t succ_room(const LpStepBuild *b) {
    const LpPartition *p = b->partition;
    size_t room = 2 * (size_t)p->deps + 3 * (size_t)p->parts;
    for (uint32_t l = 0; l < p->links; l++)
        if (p->link[l].via != LP_NO_INDEX)
            room += p->ways[p->link[l].dst];
    if (b->reduce_all)
        room += (size_t)p->parts * p->collectives;
    return room;
}

static LpErr allocate_rest(LpStepBuild *b) {
    LpArena *a = b->arena;
    LpStepGraph *g = b->graph;
    size_t members = 0;
    for (uint32_t c = 0; c < b->partition->collectives; c++)
        members += b->partition->ways[b->partition->collective[c].op];
    g->collective = lp_arena_alloc(a, g->collectives, sizeof *g->collective);
    g->member_begin = lp_arena_alloc(a, (size_t)g->collectives + 1, sizeof *g->member_begin);
    g->member = lp_arena_raw(a, members, sizeof *g->member);
    g->need = lp_arena_alloc(a, g->tasks, sizeof *g->need);
    g->succ_begin = lp_arena_raw(a, (size_t)g->tasks + 1, sizeof *g->succ_begin);
    g->succ = lp_arena_raw(a, succ_room(b), sizeof *g->succ);
    bool ok = g->collective && g->member_begin && g->member && g->need && g->succ_begin && g->succ;
    return ok ? LP_OK : LP_ENOMEM;
}

/* Direct dependencies name a gather task before collectives have their numbers: parts + transfers
 * are only known after the walk, so the numbers are shifted afterwards. */
static void settle_gathers(LpStepBuild *b) {
    const LpPartition *p = b->partition;
    uint32_t transfers = b->graph->transfers;
    for (uint32_t d = 0; d < b->dep_begin[p->parts]; d++)
        if ((b->dep_target[d] & LP_DIRECT) != 0 &&
            (b->dep_target[d] & LP_TARGET) >= b->graph->parts)
            b->dep_target[d] += transfers;
}

static LpErr assemble(LpStepBuild *b, LpDiag *diag) {
    LpStepGraph *g = b->graph;
    g->parts = b->partition->parts;
    LP_TRY(allocate_parts(b));
    LP_TRY(number_servers(b));
    LP_TRY(allocate_transfers(b));
    place_parts(b);
    LP_TRY(rank_ops(b));
    LP_TRY(lp_step_prepare_times(b, diag));
    LP_TRY(lp_step_prepare_channels(b));
    number_collectives(b); /* provisional: without the transfers */
    const LpPartition *p = b->partition;
    uint32_t dep = 0;
    for (uint32_t i = 0; i < p->parts; i++) {
        uint32_t op = p->part_op[i];
        b->dep_begin[i] = dep;
        for (uint32_t l = p->succ_begin[op]; l < p->succ_begin[op + 1]; l++)
            dep = add_link_deps(b, i, p->succ[l], dep);
    }
    b->dep_begin[p->parts] = dep;
    settle_gathers(b);
    number_collectives(b);
    LP_TRY(list_vias(b));
    LP_TRY(allocate_rest(b));
    LP_TRY(fill_collectives(b));
    emit_all(b);
    mark_never(b);
    set_ports(b);
    LP_TRY(set_waves(b));
    return rank_flows(b);
}

LpErr lp_step_graph(LpStepScratch *scratch, const LpStepInput *input, LpStepGraph *out,
                    LpDiag *diag) {
    const LpPartition *partition = input->partition;
    bool ticks = lp_published(input->options, LP_OPT_STEP_CLOCK);
    lp_arena_reset(scratch->graph);
    LpStepGraph graph = {0};
    LpStepBuild build = {.arena = scratch->graph,
                         .fabric = input->fabric,
                         .options = input->options,
                         .partition = partition,
                         .placement = input->placement,
                         .device = input->device,
                         .speed = input->speed,
                         .order_ops = input->order_ops,
                         .order_flows = input->order_flows,
                         .op_priority = input->op_priority,
                         .flow_priority = input->flow_priority,
                         .ticks = ticks,
                         .lean = ticks && input->no_trace,
                         .sync_counts = lp_published(input->options, LP_OPT_GRAPH_JOIN),
                         .reduce_all = partition->kind == LP_PARTITION_DATA && !partition->overlap,
                         .graph = &graph};
    LpDiag local = {0};
    LpErr err = assemble(&build, &local);
    if (err == LP_ENOMEM)
        return lp_fail_memory(diag, "the tasks of a training step");
    if (err != LP_OK) {
        if (diag != NULL)
            *diag = local;
        return err;
    }
    *out = graph;
    return LP_OK;
}
