/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a step's flows and collectives to bytes per server pair, and from these to links. */
#include "sim/traffic/traffic_load.h"

#include <stdlib.h>
#include <string.h>

/* ---- bytes per ordered pair of servers ---- */

typedef LpPairBytes Pair;

typedef struct Pairs {
    Pair *pair;
    uint32_t count;
    uint32_t *slot; /* hash table of pair + 1 */
    uint32_t slots; /* a power of two */
} Pairs;

static void add_bytes(Pairs *p, uint32_t src, uint32_t dst, double bytes) {
    uint64_t key = ((uint64_t)src << 32 | dst) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint64_t at = key >> 32;; at++) {
        uint32_t *slot = &p->slot[at & (p->slots - 1)];
        if (*slot == 0) {
            p->pair[p->count] = (Pair){src, dst, bytes};
            *slot = ++p->count;
            return;
        }
        Pair *found = &p->pair[*slot - 1];
        if (found->src == src && found->dst == dst) {
            found->bytes += bytes;
            return;
        }
    }
}

/* weight: of each task; NULL: 1. */
static double weight_of(const double *weight, uint32_t task) {
    return weight != NULL ? weight[task] : 1;
}

/* Who sends to whom in collective c; *sends is the caller's. members: room for all of them. */
static LpErr collective_sends(const LpFabric *f, const LpStepGraph *g, const LpPartition *partition,
                              uint32_t c, uint32_t *members, LpSend **sends, uint32_t *count) {
    const LpCollectiveTask *task = lp_step_call(g, partition, c);
    uint32_t first = g->member_begin[c], n = g->member_begin[c + 1] - first;
    for (uint32_t i = 0; i < n; i++)
        members[i] = g->server_id[g->member[first + i]];
    return lp_packet_sends(f, task->kind, members, n, task->bytes, sends, count);
}

static LpErr add_collectives(Pairs *p, const LpFabric *f, const LpStepGraph *g,
                             const LpPartition *partition, const double *weight) {
    uint32_t *members = lp_alloc((size_t)g->parts + g->servers, sizeof *members), count;
    LpErr err = members != NULL ? LP_OK : LP_ENOMEM;
    for (uint32_t c = 0; err == LP_OK && c < g->collectives; c++) {
        double share = weight_of(weight, g->parts + g->transfers + c);
        LpSend *sends;
        if (!(share > 0))
            continue;
        err = collective_sends(f, g, partition, c, members, &sends, &count);
        for (uint32_t i = 0; err == LP_OK && i < count; i++)
            add_bytes(p, sends[i].from, sends[i].to, share * sends[i].bytes);
        if (err == LP_OK)
            lp_free(sends);
    }
    lp_free(members);
    return err;
}

static LpErr find_pairs(const LpFabric *f, const LpStepGraph *g, const LpPartition *partition,
                        const double *weight, Pairs *p) {
    /* Pairs that there can be at most: channels of flows, and sends of collectives (ring: n, tree 2
     * n, halving n log n; each at most n (n - 1)). */
    uint64_t pairs = (uint64_t)g->channels + g->sends, all = (uint64_t)g->servers * g->servers;
    for (uint32_t c = 0; c < g->collectives && pairs < all; c++)
        pairs += (uint64_t)(g->member_begin[c + 1] - g->member_begin[c]) * 34;
    uint64_t most = pairs < all ? pairs : all;
    *p = (Pairs){.slots = 16};
    while (p->slots < 2 * most && p->slots < UINT32_C(1) << 31)
        p->slots *= 2;
    p->pair = lp_alloc((size_t)most + 1, sizeof *p->pair);
    p->slot = lp_alloc(p->slots, sizeof *p->slot);
    if (p->pair == NULL || p->slot == NULL)
        return LP_ENOMEM;
    for (uint32_t t = 0; t < g->transfers; t++) {
        double share = g->flow[t] ? weight_of(weight, g->parts + t) : 0;
        if (share > 0)
            add_bytes(p, g->src[t], g->dst[t], share * g->bytes[t]);
    }
    /* Groups of a plan, whose tasks are not weighed one by one. */
    for (uint32_t i = 0; i < g->sends; i++)
        add_bytes(p, g->send[i].from, g->send[i].to, g->send[i].bytes);
    return add_collectives(p, f, g, partition, weight);
}

/* ---- what they are on links ---- */

/* Bytes of one pair on one link of its route. */
typedef struct Crossing {
    uint32_t link, pair; /* sums go in this order */
    double bytes, wire;  /* wire: s at the rate of the pair's route; 0 but on a server's port */
} Crossing;

typedef struct Crossings {
    const LpFabric *f;
    Crossing *item;
    size_t count, cap;
    double largest; /* bytes of a pair with an inner link */
} Crossings;

static bool inner(const LpNetwork *n, uint32_t link) {
    bool forward = n->spec.topology == LP_TOPOLOGY_TORUS ||
                   (n->spec.topology == LP_TOPOLOGY_LINKS && n->spec.servers_forward);
    return forward || (n->from[link] >= n->servers && n->to[link] >= n->servers);
}

static bool shares(const LpNetwork *n, const uint32_t *route, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (inner(n, route[i]))
            return true;
    return false;
}

static LpErr cross(Crossings *c, const Pair *pair, uint32_t number) {
    const LpNetwork *n = c->f->network;
    uint32_t route[LP_NETWORK_ROUTE_MAX];
    uint32_t count = lp_network_route(n, pair->src, pair->dst, route);
    void *items = c->item;
    if (!(pair->bytes > 0) || !shares(n, route, count))
        return LP_OK;
    LP_TRY(lp_grow(&items, &c->cap, c->count + count, sizeof *c->item));
    c->item = items;
    double wire = pair->bytes / lp_network_way(n, route, count).rate;
    for (uint32_t i = 0; i < count; i++) {
        bool port = i == 0 || i + 1 == count;
        c->item[c->count++] = (Crossing){route[i], number, pair->bytes, port ? wire : 0};
    }
    c->largest = pair->bytes > c->largest ? pair->bytes : c->largest;
    return LP_OK;
}

static int compare_crossings(const void *a, const void *b) {
    const Crossing *x = a, *y = b;
    if (x->link != y->link)
        return x->link < y->link ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

/* Sums of one link; returns where the next one begins. */
static size_t sum_link(const Crossings *c, size_t at, double *bytes, double *wire) {
    uint32_t link = c->item[at].link;
    *bytes = *wire = 0;
    for (; at < c->count && c->item[at].link == link; at++) {
        *bytes += c->item[at].bytes;
        *wire += c->item[at].wire;
    }
    return at;
}

static LpErr sum_links(Crossings *c, double communication, LpArena *arena, LpLoad *out) {
    uint32_t *link = lp_arena_raw(arena, c->count, sizeof *link);
    double *use = lp_arena_raw(arena, c->count, sizeof *use);
    if (link == NULL || use == NULL)
        return LP_ENOMEM;
    if (c->count > 0) /* a job on one server sends nothing */
        qsort(c->item, c->count, sizeof *c->item, compare_crossings);
    *out = (LpLoad){.link = link, .use = use};
    for (size_t at = 0; at < c->count;) {
        uint32_t this = c->item[at].link;
        double bytes, wire;
        at = sum_link(c, at, &bytes, &wire);
        out->sending = wire > out->sending ? wire : out->sending;
        if (!inner(c->f->network, this))
            continue;
        link[out->links] = this;
        use[out->links++] = bytes / c->largest;
    }
    if (out->sending > communication)
        out->sending = communication;
    out->rate = out->sending > 0 ? c->largest / out->sending : 0;
    if (!(out->rate > 0))
        out->links = 0;
    return LP_OK;
}

LpErr lp_load_pairs(const LpFabric *f, const LpStepGraph *g, const LpPartition *partition,
                    LpPairBytes **out, uint32_t *count) {
    Pairs pairs;
    LpErr err = find_pairs(f, g, partition, NULL, &pairs);
    lp_free(pairs.slot);
    if (err != LP_OK) {
        lp_free(pairs.pair);
        return err;
    }
    *out = pairs.pair;
    *count = pairs.count;
    return LP_OK;
}

LpErr lp_load_reach(const LpFabric *f, const LpStepGraph *g, const LpPartition *partition,
                    LpDiag *diag) {
    LpPairBytes *pair;
    uint32_t count, route[LP_NETWORK_ROUTE_MAX];
    LpErr err = LP_OK;
    if (lp_load_pairs(f, g, partition, &pair, &count) != LP_OK)
        return lp_fail_memory(diag, "the traffic of a job");
    for (uint32_t i = 0; err == LP_OK && i < count; i++)
        if (pair[i].bytes > 0 && lp_network_route(f->network, pair[i].src, pair[i].dst, route) == 0)
            err = lp_fail(diag, LP_EREFUSED, "no circuit leads from server %u to server %u",
                          pair[i].src, pair[i].dst);
    lp_free(pair);
    return err;
}

LpErr lp_load_weighted(const LpFabric *f, const LpStepGraph *g, const LpPartition *partition,
                       const double *weight, double most, LpArena *arena, LpLoad *out) {
    Pairs pairs;
    Crossings crossings = {.f = f};
    LpErr err = find_pairs(f, g, partition, weight, &pairs);
    for (uint32_t i = 0; err == LP_OK && i < pairs.count; i++)
        err = cross(&crossings, &pairs.pair[i], i);
    if (err == LP_OK)
        err = sum_links(&crossings, most, arena, out);
    lp_free(pairs.pair);
    lp_free(pairs.slot);
    lp_free(crossings.item);
    return err;
}

LpErr lp_load_make(const LpFabric *f, const LpStepGraph *g, const LpPartition *partition,
                   double communication, LpArena *arena, LpLoad *out) {
    return lp_load_weighted(f, g, partition, NULL, communication, arena, out);
}

static bool crosses(const LpFabric *f, uint32_t src, uint32_t dst, double bytes) {
    uint32_t route[LP_NETWORK_ROUTE_MAX];
    return bytes > 0 && shares(f->network, route, lp_network_route(f->network, src, dst, route));
}

LpErr lp_load_meets(const LpFabric *f, const LpStepGraph *g, const LpPartition *partition,
                    bool *out) {
    uint32_t *members = lp_alloc((size_t)g->parts + g->servers, sizeof *members), count;
    LpErr err = members != NULL ? LP_OK : LP_ENOMEM;
    memset(out, 0, g->tasks * sizeof *out);
    for (uint32_t t = 0; t < g->transfers; t++)
        out[g->parts + t] = g->flow[t] && crosses(f, g->src[t], g->dst[t], g->bytes[t]);
    for (uint32_t c = 0; err == LP_OK && c < g->collectives; c++) {
        LpSend *sends;
        bool *meets = &out[g->parts + g->transfers + c];
        err = collective_sends(f, g, partition, c, members, &sends, &count);
        for (uint32_t i = 0; err == LP_OK && i < count && !*meets; i++)
            *meets = crosses(f, sends[i].from, sends[i].to, sends[i].bytes);
        if (err == LP_OK)
            lp_free(sends);
    }
    lp_free(members);
    return err;
}

/* ---- what a lower rate costs ---- */

double lp_load_more_sending(const LpLoad *load, double rate_now) {
    if (load->links == 0 || rate_now >= load->rate * (1 - 1e-12))
        return 0;
    return (load->rate / rate_now - 1) * load->sending;
}

double lp_load_delay(const LpLoad *load, const LpStepSummary *step, double rate_now) {
    double more = lp_load_more_sending(load, rate_now);
    if (!(more > 0))
        return 0;
    double exposed = more * (step->exposed / step->communication);
    double hidden = step->computation + step->exposed - step->communication;
    return more - hidden > exposed ? more - hidden : exposed;
}
