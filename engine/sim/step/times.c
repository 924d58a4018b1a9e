/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long transfers and collectives of a placed partition take: one-to-one by the fabric, and the
 * published grouping of dependencies into collectives (semantics 6). */
#include <math.h>
#include <string.h>

#include "model/device/device.h"
#include "sim/step/graph.h"

enum { SMALL_SERVERS = 256, PAIR_CLASSES = 8 };

/* ---- one-to-one and collectives ---- */

static bool one_device(const LpStepBuild *b) {
    return b->fabric->cluster->types <= 1;
}

/* Every server adds its share: the whole goes at the pace of the slowest device. */
static void slowest_device(const LpStepBuild *b, const uint32_t *servers, uint32_t n, double *peak,
                           double *bandwidth) {
    const LpCluster *cluster = b->fabric->cluster;
    *peak = b->device->peak_flops;
    *bandwidth = b->device->bandwidth;
    for (uint32_t i = 0; !one_device(b) && i < n; i++) {
        const LpDevice *device = cluster->type[lp_cluster_type_of(cluster, servers[i])].device;
        if (i == 0 || device->peak_flops < *peak)
            *peak = device->peak_flops;
        if (i == 0 || device->bandwidth < *bandwidth)
            *bandwidth = device->bandwidth;
    }
}

static double collective(LpStepBuild *b, LpCollective kind, const uint32_t *servers, uint32_t n,
                         double bytes) {
    const LpFabric *f = b->fabric;
    double peak, bandwidth;
    if (n <= 1)
        return 0;
    if (lp_published(b->options, LP_OPT_COLLECTIVE)) /* 0 bytes at no rate are no number: a crash */
        return f->ops->published_collective_time(f, kind, servers, n, bytes);
    if (bytes <= 0)
        return 0;
    slowest_device(b, servers, n, &peak, &bandwidth);
    return f->ops->collective_time(f, kind, servers, n, bytes, peak, bandwidth);
}

double lp_step_collective_time(LpStepBuild *b, LpCollective kind, const uint32_t *members,
                               uint32_t count, double bytes) {
    for (uint32_t i = 0; i < count; i++)
        b->set[i] = b->graph->server_id[members[i]];
    return collective(b, kind, b->set, count, bytes);
}

/* Pairs of servers differ in group, rack, index or not: 8 classes, and all pairs of one class take
 * the same time for the same bytes where the devices are the same. */
static double sync_pair_time(LpStepBuild *b, uint32_t link, uint32_t src, uint32_t dst,
                             double bytes) {
    const LpStepPlace *from = &b->place[src], *to = &b->place[dst];
    uint32_t class = (uint32_t)(from->group != to->group) |
                     (uint32_t)(from->rack != to->rack) << 1 |
                     (uint32_t)(from->index != to->index) << 2;
    double *known = &b->pair_time[(size_t)link * PAIR_CLASSES + class];
    if (*known < 0 || !one_device(b)) {
        uint32_t pair[2] = {b->graph->server_id[src], b->graph->server_id[dst]};
        *known = collective(b, LP_ALL_REDUCE, pair, 2, bytes + bytes);
    }
    return *known;
}

double lp_step_transfer_time(LpStepBuild *b, uint32_t link, uint32_t src, uint32_t dst,
                             double bytes) {
    const LpFabric *f = b->fabric;
    if (b->partition->link[link].kind == LP_DEP_SYNC)
        return sync_pair_time(b, link, src, dst, bytes);
    if (b->link_time[link] >= 0)
        return b->link_time[link];
    return f->ops->transfer_time(f, b->graph->server_id[src], b->graph->server_id[dst], bytes);
}

/* ---- published grouping (semantics 6.1) ---- */

/* All dependencies leaving the parts of a forward op, or entering those of a backward op. */
typedef struct Group {
    uint32_t op;
    bool forward;
    const uint32_t *link; /* list of links */
    uint32_t begin, end;
    uint32_t deps, servers;
    bool balanced; /* sources and destinations are the same multiset of servers */
    double bytes;
} Group;

static uint32_t server_of(const LpStepBuild *b, uint32_t op, uint32_t part) {
    return b->graph->server[b->partition->part_begin[op] + part];
}

static void count_dep(LpStepBuild *b, Group *group, const LpLink *link, uint32_t a, uint32_t m) {
    uint32_t src = server_of(b, link->src, a), dst = server_of(b, link->dst, m);
    b->balance[src]++;
    b->balance[dst]--;
    group->deps++;
    group->bytes += lp_link_bytes(b->partition, link, a, m);
}

/* Listed order: parts of the op, its links in order, the other side's parts ascending. */
static void count_forward(LpStepBuild *b, Group *group, uint32_t part) {
    for (uint32_t i = group->begin; i < group->end; i++) {
        const LpLink *link = &b->partition->link[group->link[i]];
        uint32_t first, end;
        lp_link_heads(b->partition, link, part, &first, &end);
        for (uint32_t m = first; m < end; m++)
            count_dep(b, group, link, part, m);
    }
}

static void count_backward(LpStepBuild *b, Group *group, uint32_t part) {
    for (uint32_t i = group->begin; i < group->end; i++) {
        const LpLink *link = &b->partition->link[group->link[i]];
        if (link->kind == LP_DEP_SYNC)
            continue;
        for (uint32_t a = 0; a < b->partition->ways[link->src]; a++) {
            uint32_t first, end;
            lp_link_heads(b->partition, link, a, &first, &end);
            if (part >= first && part < end)
                count_dep(b, group, link, a, part);
        }
    }
}

/* The distinct servers at either end of the group's dependencies, as cluster numbers in b->set. */
static void collect_servers(LpStepBuild *b, Group *group) {
    const LpPartition *p = b->partition;
    memset(b->balance, 0, b->graph->servers * sizeof *b->balance);
    for (uint32_t i = group->begin; i < group->end; i++) {
        const LpLink *link = &p->link[group->link[i]];
        if (link->kind == LP_DEP_SYNC)
            continue;
        for (uint32_t k = 0; k < p->ways[link->src]; k++)
            b->balance[server_of(b, link->src, k)] = 1;
        for (uint32_t k = 0; k < p->ways[link->dst]; k++)
            b->balance[server_of(b, link->dst, k)] = 1;
    }
    group->servers = 0;
    for (uint32_t s = 0; s < b->graph->servers; s++)
        if (b->balance[s] != 0)
            b->set[group->servers++] = b->graph->server_id[s];
}

static LpErr time_group(LpStepBuild *b, Group *group, LpDiag *diag) {
    const LpPartition *p = b->partition;
    memset(b->balance, 0, b->graph->servers * sizeof *b->balance);
    for (uint32_t k = 0; k < b->partition->ways[group->op]; k++) {
        if (group->forward)
            count_forward(b, group, k);
        else
            count_backward(b, group, k);
    }
    group->balanced = true;
    for (uint32_t s = 0; s < b->graph->servers; s++)
        group->balanced = group->balanced && b->balance[s] == 0;
    if (group->deps == 0) {
        uint32_t f = group->forward ? group->op : group->op - p->graph->ops;
        return lp_fail(diag, LP_EREFUSED,
                       "op %u of graph %s is split but exchanges nothing; the published simulator "
                       "divides by zero there (Q10)",
                       p->graph->op[f].number, p->graph->id);
    }
    if (!group->balanced)
        return LP_OK;
    collect_servers(b, group);
    double time = collective(b, LP_ALL_REDUCE, b->set, group->servers, group->bytes);
    if (!isfinite(time))
        return lp_fail(diag, LP_EREFUSED,
                       "a collective over %u servers would never end; the published simulator "
                       "stops there (semantics 6.2)",
                       group->servers);
    for (uint32_t i = group->begin; i < group->end; i++)
        if (p->link[group->link[i]].kind != LP_DEP_SYNC)
            b->link_time[group->link[i]] = time;
    return LP_OK;
}

static LpErr time_groups(LpStepBuild *b, LpDiag *diag) {
    const LpPartition *p = b->partition;
    for (uint32_t f = 0; f < p->graph->ops; f++) {
        uint32_t back = p->graph->ops + f;
        if (p->ways[f] <= 1)
            continue;
        Group fwd = {.op = f,
                     .forward = true,
                     .link = p->succ,
                     .begin = p->succ_begin[f],
                     .end = p->succ_begin[f + 1]};
        Group bwd = {.op = back,
                     .forward = false,
                     .link = p->pred,
                     .begin = p->pred_begin[back],
                     .end = p->pred_begin[back + 1]};
        LP_TRY(time_group(b, &fwd, diag));
        LP_TRY(time_group(b, &bwd, diag));
    }
    return LP_OK;
}

/* Room for the largest set of servers that a collective or a group can have. */
static size_t set_room(const LpStepBuild *b) {
    uint32_t most = b->graph->servers;
    return most > b->partition->degree ? most : b->partition->degree;
}

LpErr lp_step_prepare_times(LpStepBuild *b, LpDiag *diag) {
    size_t links = b->partition->links;
    b->link_time = lp_arena_alloc(b->arena, links, sizeof *b->link_time);
    b->pair_time = lp_arena_alloc(b->arena, links * PAIR_CLASSES, sizeof *b->pair_time);
    b->set = lp_arena_alloc(b->arena, set_room(b), sizeof *b->set);
    b->balance = lp_arena_alloc(b->arena, b->graph->servers, sizeof *b->balance);
    if (b->link_time == NULL || b->pair_time == NULL || b->set == NULL || b->balance == NULL)
        return lp_fail_memory(diag, "a step");
    for (size_t l = 0; l < links; l++)
        b->link_time[l] = -1;
    for (size_t i = 0; i < links * PAIR_CLASSES; i++)
        b->pair_time[i] = -1;
    if (lp_published(b->options, LP_OPT_COLLECTIVE))
        LP_TRY(time_groups(b, diag));
    return LP_OK;
}

/* ---- channels ---- */

LpRng lp_step_channel_stream(void) {
    return lp_rng_stream(0, "channel", 0);
}

LpErr lp_step_prepare_channels(LpStepBuild *b) {
    size_t servers = b->graph->servers;
    bool several = b->ticks && b->fabric->channels > 1;
    b->per_pair = several ? b->fabric->channels : 1;
    b->channel_rng = lp_step_channel_stream();
    if (servers <= SMALL_SERVERS && !several) {
        b->channel_table = lp_arena_alloc(b->arena, servers * servers, sizeof *b->channel_table);
        return b->channel_table ? LP_OK : LP_ENOMEM;
    }
    b->channel_slots = 1024;
    while (b->channel_slots < 2 * (uint64_t)b->partition->deps && b->channel_slots < 1u << 30)
        b->channel_slots *= 2;
    b->channel_table = lp_arena_alloc(b->arena, b->channel_slots, sizeof *b->channel_table);
    b->channel_key = lp_arena_alloc(b->arena, b->channel_slots, sizeof *b->channel_key);
    return b->channel_table && b->channel_key ? LP_OK : LP_ENOMEM;
}

/* The entry of a key in the hash table, its own or an empty one. */
static uint32_t *find_channel(LpStepBuild *b, uint64_t key) {
    uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    for (;; at++) {
        uint32_t slot = (uint32_t)(at & (b->channel_slots - 1));
        if (b->channel_table[slot] == 0 || b->channel_key[slot] == key) {
            b->channel_key[slot] = key;
            return &b->channel_table[slot];
        }
    }
}

/* Entries hold channel + 1, 0 is empty. */
static uint32_t *channel_entry(LpStepBuild *b, uint32_t src, uint32_t dst) {
    if (b->channel_slots == 0)
        return &b->channel_table[(size_t)src * b->graph->servers + dst];
    uint64_t pair = (uint64_t)src * b->graph->servers + dst;
    uint64_t taken = b->per_pair > 1 ? lp_rng_below(&b->channel_rng, b->per_pair) : 0;
    return find_channel(b, pair * b->per_pair + taken);
}

uint32_t lp_step_channel(LpStepBuild *b, uint32_t src, uint32_t dst) {
    uint32_t *entry = channel_entry(b, src, dst);
    if (*entry == 0)
        *entry = ++b->graph->channels;
    return *entry - 1;
}

/* ---- what collectives send ---- */

/* Room for more pairs: the hash table is made anew twice as large. */
static LpErr more_channels(LpStepBuild *b, uint32_t more) {
    if (b->channel_slots == 0)
        return LP_OK;
    uint32_t slots = b->channel_slots, before = slots;
    while (slots < 2 * ((uint64_t)b->graph->channels + more) && slots < 1u << 30)
        slots *= 2;
    if (slots == before)
        return LP_OK;
    uint32_t *table = b->channel_table;
    uint64_t *key = b->channel_key;
    b->channel_slots = slots;
    b->channel_table = lp_arena_alloc(b->arena, slots, sizeof *b->channel_table);
    b->channel_key = lp_arena_alloc(b->arena, slots, sizeof *b->channel_key);
    if (b->channel_table == NULL || b->channel_key == NULL)
        return LP_ENOMEM;
    for (uint32_t i = 0; i < before; i++)
        if (table[i] != 0)
            *find_channel(b, key[i]) = table[i];
    return LP_OK;
}

static uint32_t dense(const LpStepGraph *g, uint32_t server) {
    uint32_t low = 0, high = g->servers;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->server_id[middle] <= server)
            low = middle;
        else
            high = middle;
    }
    return low;
}

LpErr lp_step_count_sends(LpStepBuild *b, LpCollective kind, const uint32_t *members,
                          uint32_t count, double bytes, bool known) {
    LpSend *send;
    uint32_t sends;
    for (uint32_t i = 0; i < count; i++)
        b->set[i] = b->graph->server_id[members[i]];
    LP_TRY(lp_fabric_sends(b->fabric, kind, b->set, count, bytes, &send, &sends));
    LpErr err = known ? LP_OK : more_channels(b, sends);
    for (uint32_t i = 0; err == LP_OK && i < sends; i++) {
        b->graph->flow_bytes += send[i].bytes;
        if (!known)
            lp_step_channel(b, dense(b->graph, send[i].from), dense(b->graph, send[i].to));
    }
    lp_free(send);
    return err;
}
