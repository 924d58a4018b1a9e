/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a placed partition sends, counted without building its tasks: flows, the server pairs that
 * they use, and their bytes in edge order. */
#include "sim/traffic/traffic.h"

#include "sim/step/graph.h"

typedef struct Count {
    const LpPartition *p;
    const LpPlacement *placement;
    const uint32_t *dense;
    uint32_t servers;
    uint32_t per_pair; /* channels of an ordered pair, taken as in the step */
    LpRng channel_rng;
    uint64_t *pairs; /* bit per channel */
    LpTraffic sum;
} Count;

static uint32_t first_server(const Count *c, uint32_t op) {
    uint32_t n = c->p->graph->ops, f = op < n ? op : op - n;
    return c->placement->group_begin[c->placement->op_group[f]];
}

static void count_link(Count *c, const LpLink *link, uint32_t k, uint32_t src) {
    const uint32_t *to = &c->dense[first_server(c, link->dst)];
    uint32_t first, end;
    bool constant = link->all_pairs || link->kind == LP_DEP_SYNC;
    lp_link_heads(c->p, link, k, &first, &end);
    for (uint32_t m = first; m < end; m++) {
        double bytes = constant ? link->bytes : lp_link_bytes(c->p, link, k, m);
        if (to[m] != src && bytes > 0 && (link->kind != LP_DEP_SYNC || m != k)) {
            uint32_t dst = to[m];
            size_t bit = (size_t)src * c->servers + dst;
            if (c->per_pair > 1)
                bit = bit * c->per_pair + lp_rng_below(&c->channel_rng, c->per_pair);
            uint64_t mask = UINT64_C(1) << (bit % 64);
            c->sum.flows++;
            c->sum.flow_bytes += bytes;
            c->sum.channels += (c->pairs[bit / 64] & mask) == 0;
            c->pairs[bit / 64] |= mask;
        }
    }
}

LpErr lp_traffic_count(const LpPartition *partition, const LpPlacement *placement,
                       const uint32_t *dense, uint32_t servers, uint32_t per_pair, LpTraffic *out) {
    Count c = {.p = partition,
               .placement = placement,
               .dense = dense,
               .servers = servers,
               .per_pair = per_pair,
               .channel_rng = lp_step_channel_stream()};
    c.pairs = lp_alloc(((size_t)servers * servers * per_pair + 63) / 64, sizeof *c.pairs);
    if (c.pairs == NULL)
        return LP_ENOMEM;
    for (uint32_t i = 0; i < partition->parts; i++) {
        uint32_t op = partition->part_op[i], k = i - partition->part_begin[op];
        uint32_t src = dense[first_server(&c, op) + k];
        for (uint32_t l = partition->succ_begin[op]; l < partition->succ_begin[op + 1]; l++)
            count_link(&c, &partition->link[partition->succ[l]], k, src);
    }
    lp_free(c.pairs);
    *out = c.sum;
    return LP_OK;
}
