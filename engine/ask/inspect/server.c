/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the parts that a placement puts on each server. */
#include "ask/inspect/server.h"

#include <stdlib.h>

#include "sim/store/store.h"

static double speed_of(const LpContext *context, uint32_t server) {
    const LpCluster *cluster = &context->scenario->cluster;
    return context->speed ? context->speed[lp_cluster_type_of(cluster, server)] : 1.0;
}

void lp_server_loads(const LpContext *context, uint32_t partition, uint32_t placement,
                     LpServerLoad *all) {
    const LpPartition *p = lp_store_partition(context->store, partition);
    const LpPlacement *at = lp_store_placement(context->store, placement);
    for (uint32_t i = 0; i < at->servers; i++)
        all[at->server[i]] = (LpServerLoad){0};
    for (uint32_t f = 0; f < at->ops; f++) {
        double bytes = lp_store_op_bytes(context, p, f);
        double time = p->op_time[f] + p->op_time[at->ops + f];
        const uint32_t *server = at->group_server + at->group_begin[at->op_group[f]];
        for (uint32_t k = 0; k < p->ways[f]; k++) {
            LpServerLoad *load = &all[server[k]];
            load->parts += 2;
            load->busy += time / speed_of(context, server[k]);
            load->memory += bytes;
        }
    }
}

uint32_t lp_server_parts(const LpContext *context, uint32_t partition, uint32_t placement,
                         uint32_t server, LpServerPart *out, uint32_t room) {
    const LpPartition *p = lp_store_partition(context->store, partition);
    const LpPlacement *at = lp_store_placement(context->store, placement);
    double speed = speed_of(context, server);
    uint32_t count = 0;
    for (uint32_t f = 0; f < at->ops; f++) {
        const uint32_t *on = at->group_server + at->group_begin[at->op_group[f]];
        for (uint32_t k = 0; k < p->ways[f]; k++) {
            if (on[k] != server)
                continue;
            if (count < room)
                out[count] = (LpServerPart){f, k, p->ways[f], p->op_time[f] / speed,
                                            p->op_time[at->ops + f] / speed};
            count++;
        }
    }
    return count;
}

static int longest_first(const void *x, const void *y) {
    const LpServerPart *a = x, *b = y;
    double s = a->forward + a->backward, t = b->forward + b->backward;
    if (s != t)
        return s > t ? -1 : 1;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    return (a->part > b->part) - (a->part < b->part);
}

void lp_server_parts_sort(LpServerPart *part, uint32_t count) {
    if (count > 1)
        qsort(part, count, sizeof *part, longest_first);
}
