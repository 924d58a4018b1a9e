/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Broken light paths and cables: does a placed partition need one of them? */
#include <stdio.h>

#include "base/mem.h"
#include "sim/light/reserve.h"
#include "sim/store/store_impl.h"

/* The search for the first broken circuit that is needed. */
typedef struct Need {
    const LpFabric *f;
    const LpFailed *failed;
    uint32_t count;
    const LpFailed *hit;
} Need;

/* True when found: the search ends. */
static bool ends_broken(Need *n, uint32_t a, uint32_t b) {
    LpFailed pair = a < b ? (LpFailed){a, b} : (LpFailed){b, a};
    for (uint32_t i = 0; i < n->count; i++)
        if (n->failed[i].a == pair.a && n->failed[i].b == pair.b)
            n->hit = &n->failed[i];
    return n->hit != NULL;
}

static bool pair_broken(Need *n, uint32_t src, uint32_t dst) {
    const LpNetwork *net = n->f->network;
    uint32_t route[LP_NETWORK_ROUTE_MAX];
    if (src == dst)
        return false;
    if (net == NULL)
        return ends_broken(n, src, dst);
    uint32_t count = lp_network_route(net, src, dst, route);
    for (uint32_t i = 0; i < count; i++)
        if (ends_broken(n, net->from[route[i]], net->to[route[i]]))
            return true;
    return false;
}

/* On a packet network the sends of its algorithm. */
static LpErr collective_sends(Need *n, const LpStepGraph *g, const LpPartition *partition,
                              uint32_t c, uint32_t *members) {
    const LpCollectiveTask *task = lp_step_call(g, partition, c);
    uint32_t first = g->member_begin[c], size = g->member_begin[c + 1] - first, count;
    LpSend *sends;
    for (uint32_t i = 0; i < size; i++)
        members[i] = g->server_id[g->member[first + i]];
    LP_TRY(lp_packet_sends(n->f, task->kind, members, size, task->bytes, &sends, &count));
    for (uint32_t i = 0; i < count && n->hit == NULL; i++)
        pair_broken(n, sends[i].from, sends[i].to);
    lp_free(sends);
    return LP_OK;
}

/* Elsewhere every pair of its members, as for wavelengths (light.c). */
static void collective_pairs(Need *n, const LpStepGraph *g, uint32_t c) {
    for (uint32_t i = g->member_begin[c]; i < g->member_begin[c + 1]; i++)
        for (uint32_t k = i + 1; k < g->member_begin[c + 1]; k++)
            if (pair_broken(n, g->server_id[g->member[i]], g->server_id[g->member[k]]))
                return;
}

static LpErr collectives_broken(Need *n, const LpStepGraph *g, const LpPartition *partition) {
    uint32_t *members = lp_alloc((size_t)g->parts + g->servers, sizeof *members);
    LpErr err = members != NULL ? LP_OK : LP_ENOMEM;
    for (uint32_t c = 0; err == LP_OK && n->hit == NULL && c < g->collectives; c++) {
        if (n->f->network != NULL)
            err = collective_sends(n, g, partition, c, members);
        else
            collective_pairs(n, g, c);
    }
    lp_free(members);
    return err;
}

LpErr lp_light_needs(const LpContext *context, uint32_t partition, uint32_t placement,
                     const LpFailed *pair, uint32_t count, const LpFailed **hit, LpDiag *diag) {
    Need n = {.f = &context->fabric, .failed = pair, .count = count};
    LpStepGraph g;
    *hit = NULL;
    if (count == 0)
        return LP_OK;
    LP_TRY(lp_store_graph(context, partition, placement, LP_RULES_SRPT, &g, diag));
    for (uint32_t t = 0; t < g.transfers && n.hit == NULL; t++)
        if (g.flow[t])
            pair_broken(&n, g.src[t], g.dst[t]);
    for (uint32_t i = 0; i < g.sends && n.hit == NULL; i++)
        pair_broken(&n, g.send[i].from, g.send[i].to);
    if (n.hit == NULL &&
        collectives_broken(&n, &g, lp_store_partition(context->store, partition)) != LP_OK)
        return lp_fail_memory(diag, "broken circuits");
    *hit = n.hit;
    return LP_OK;
}

LpErr lp_world_check_failed(const LpWorld *world, const LpContext *context, uint32_t partition,
                            uint32_t placement, LpCause *cause, char reason[LP_DIAG_TEXT],
                            LpDiag *diag) {
    LpImage *m = world->image;
    const LpFailed *hit;
    LP_TRY(
        lp_light_needs(context, partition, placement, lp_image_failed(m), m->failed, &hit, diag));
    if (hit == NULL)
        return LP_OK;
    char a[LP_SERVER_TEXT], b[LP_SERVER_TEXT];
    if (context->fabric.network != NULL)
        snprintf(reason, LP_DIAG_TEXT,
                 "its traffic needs the cable between nodes %u and %u, which is broken", hit->a,
                 hit->b);
    else
        snprintf(reason, LP_DIAG_TEXT,
                 "it needs light between servers %.80s and %.80s, which is broken",
                 lp_cluster_server(context->fabric.cluster, hit->a, a),
                 lp_cluster_server(context->fabric.cluster, hit->b, b));
    *cause = LP_CAUSE_NO_CIRCUIT;
    return LP_OK;
}
