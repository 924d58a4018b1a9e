/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds small step graphs by hand: ops, then transfers, then collectives, then edges between any
 * of them. */
#ifndef LP_TESTS_STEP_BUILDER_H
#define LP_TESTS_STEP_BUILDER_H

#include <assert.h>
#include <string.h>

#include "sim/step/step.h"

enum { SB_TASKS = 256, SB_EDGES = 4096, SB_SERVERS = 32, SB_MEMBERS = 1024 };

/* graph points into the rest; do not copy. */
typedef struct StepBuilder {
    LpStepGraph graph;
    double time[SB_TASKS], bytes[SB_TASKS];
    uint32_t need[SB_TASKS], succ_begin[SB_TASKS + 1], succ[SB_EDGES];
    uint32_t server[SB_TASKS], server_id[SB_SERVERS];
    uint64_t op_priority[SB_TASKS], flow_priority[SB_TASKS];
    bool flow[SB_TASKS];
    uint32_t link[SB_TASKS], tail[SB_TASKS], head[SB_TASKS], src[SB_TASKS], dst[SB_TASKS],
        channel[SB_TASKS];
    uint32_t tx[SB_TASKS], rx[SB_TASKS], wave[SB_TASKS], collective[SB_TASKS];
    uint32_t member_begin[SB_TASKS + 1], member[SB_MEMBERS];
    uint32_t from[SB_EDGES], to[SB_EDGES], edges;
} StepBuilder;

/* Servers are numbered 3, 13, 23, ...: a number is not an index. */
static inline uint32_t sb_server_id(uint32_t server) {
    return 10 * server + 3;
}

static inline void sb_init(StepBuilder *b, uint32_t servers, uint32_t tx_ports, uint32_t rx_ports) {
    memset(b, 0, sizeof *b);
    assert(servers <= SB_SERVERS);
    b->graph = (LpStepGraph){.servers = servers,
                             .tx_ports = tx_ports,
                             .rx_ports = rx_ports,
                             .ports_per_server = 1,
                             .time = b->time,
                             .need = b->need,
                             .succ_begin = b->succ_begin,
                             .succ = b->succ,
                             .server = b->server,
                             .server_id = b->server_id,
                             .op_priority = b->op_priority,
                             .flow = b->flow,
                             .link = b->link,
                             .tail = b->tail,
                             .head = b->head,
                             .src = b->src,
                             .dst = b->dst,
                             .bytes = b->bytes,
                             .channel = b->channel,
                             .tx = b->tx,
                             .rx = b->rx,
                             .flow_priority = b->flow_priority,
                             .collective = b->collective,
                             .member_begin = b->member_begin,
                             .member = b->member};
    for (uint32_t s = 0; s < servers; s++)
        b->server_id[s] = sb_server_id(s);
}

static inline uint32_t sb_task(StepBuilder *b, double time) {
    assert(b->graph.tasks < SB_TASKS);
    b->time[b->graph.tasks] = time;
    return b->graph.tasks++;
}

static inline uint32_t sb_op(StepBuilder *b, uint32_t server, double time, uint64_t priority) {
    LpStepGraph *g = &b->graph;
    assert(!g->transfers && !g->collectives && server < g->servers);
    b->server[g->parts] = server;
    b->op_priority[g->parts++] = priority;
    return sb_task(b, time);
}

static inline uint32_t sb_channel(StepBuilder *b, uint32_t src, uint32_t dst) {
    for (uint32_t i = 0; i < b->graph.transfers; i++)
        if (b->flow[i] && b->src[i] == src && b->dst[i] == dst)
            return b->channel[i];
    return b->graph.channels++;
}

/* src, dst: indices, not numbers. */
static inline uint32_t sb_flow(StepBuilder *b, uint32_t src, uint32_t dst, uint32_t tx, uint32_t rx,
                               double time, uint64_t priority) {
    LpStepGraph *g = &b->graph;
    uint32_t i = g->transfers;
    assert(!g->collectives && src < g->servers && dst < g->servers);
    b->channel[i] = sb_channel(b, sb_server_id(src), sb_server_id(dst));
    b->src[i] = sb_server_id(src);
    b->dst[i] = sb_server_id(dst);
    b->tx[i] = tx;
    b->rx[i] = rx;
    b->bytes[i] = 1;
    b->flow_priority[i] = priority;
    b->flow[i] = true;
    g->flows++;
    g->flow_bytes += 1;
    g->transfers++;
    return sb_task(b, time);
}

/* A transfer that is no flow. */
static inline uint32_t sb_local(StepBuilder *b, uint32_t server) {
    uint32_t i = b->graph.transfers++;
    assert(!b->graph.collectives);
    b->src[i] = b->dst[i] = sb_server_id(server);
    b->tx[i] = b->rx[i] = LP_NO_PORT;
    return sb_task(b, 0);
}

static inline uint32_t sb_collective(StepBuilder *b, double time) {
    uint32_t c = b->graph.collectives++;
    b->member_begin[c + 1] = b->member_begin[c];
    return sb_task(b, time);
}

/* Adds a server to the newest collective. */
static inline void sb_member(StepBuilder *b, uint32_t server) {
    assert(b->graph.collectives && b->member_begin[b->graph.collectives] < SB_MEMBERS);
    b->member[b->member_begin[b->graph.collectives]++] = server;
}

/* `to` waits for one more task, and `from` counts for it. */
static inline void sb_edge(StepBuilder *b, uint32_t from, uint32_t to) {
    assert(b->edges < SB_EDGES);
    b->from[b->edges] = from;
    b->to[b->edges++] = to;
    b->need[to]++;
}

/* Lays out the successor lists from the edges; may be called again after more edges. */
static inline const LpStepGraph *sb_finish(StepBuilder *b) {
    uint32_t n = 0;
    for (uint32_t t = 0; t < b->graph.tasks; t++) {
        b->succ_begin[t] = n;
        for (uint32_t e = 0; e < b->edges; e++)
            if (b->from[e] == t)
                b->succ[n++] = b->to[e];
    }
    b->succ_begin[b->graph.tasks] = n;
    return &b->graph;
}

#endif
