/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light paths and collectives of one event-driven step: which waiting flow or collective starts.
 * The result is that of a scan of everything that waits, in order of priority, at every instant. */
#include <inttypes.h>

#include "sim/step_events.h"

/* Why no scan is needed: while starts are decided nothing is given back, so a task that cannot
 * start still cannot later in that decision. Hence, between two decisions, only tasks that were
 * offered, or of which a port or server was given back, can have become able to start. */

static uint32_t find_server(const LpStepGraph *graph, uint32_t id) {
    uint32_t low = 0, high = graph->servers;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (graph->server_id[mid] < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low < graph->servers && graph->server_id[low] == id ? low : LP_TRACE_NONE;
}

/* Index in LpStepRun.port of a port in its own numbering. */
static uint32_t port_index(uint32_t port, uint32_t first) {
    return port == LP_NO_PORT ? LP_NO_PORT : first + port;
}

static bool port_fits(uint32_t port, uint32_t ports) {
    return port == LP_NO_PORT || port < ports;
}

/* Fills the channel of transfer i from its first flow, compares later ones with it. */
static LpErr learn_channel(LpStepRun *run, uint32_t i, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    uint32_t t = g->parts + i;
    if (g->channel[i] >= g->channels || !port_fits(g->tx[i], g->tx_ports) ||
        !port_fits(g->rx[i], g->rx_ports))
        return lp_fail(diag, LP_EINVAL, "flow %" PRIu32 " names a channel or port out of range", t);
    LpStepChannel *channel = &run->channel[g->channel[i]];
    uint32_t tx = port_index(g->tx[i], 0), rx = port_index(g->rx[i], g->tx_ports);
    if (!channel->known) {
        *channel = (LpStepChannel){.tx = tx, .rx = rx, .known = true};
        channel->src = find_server(g, g->src[i]);
        channel->dst = find_server(g, g->dst[i]);
        if (channel->src == LP_TRACE_NONE || channel->dst == LP_TRACE_NONE)
            return lp_fail(diag, LP_EINVAL, "flow %" PRIu32 " joins servers outside the step", t);
    }
    if (channel->tx != tx || channel->rx != rx || g->server_id[channel->src] != g->src[i] ||
        g->server_id[channel->dst] != g->dst[i])
        return lp_fail(diag, LP_EINVAL,
                       "flow %" PRIu32
                       " has other servers or ports than the rest of channel %" PRIu32,
                       t, g->channel[i]);
    channel->waiting.count++; /* its size for now */
    return LP_OK;
}

/* Cuts one array into the channels' queues. */
static void cut_queues(LpStepRun *run, LpHeapItem *item) {
    for (uint32_t c = 0; c < run->graph->channels; c++) {
        LpHeap *waiting = &run->channel[c].waiting;
        waiting->item = item;
        item += waiting->count;
        waiting->count = 0;
    }
}

/* Turns counts (in *end) into empty ranges one after the other. */
static uint32_t open_range(uint32_t *begin, uint32_t *end, uint32_t total) {
    uint32_t count = *end;
    *begin = *end = total;
    return total + count;
}

/* Lists the channels of every port and of every server. */
static void index_channels(LpStepRun *run) {
    const LpStepGraph *g = run->graph;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t c = 0; c < g->channels; c++) {
            LpStepChannel *channel = &run->channel[c];
            uint32_t port[2] = {channel->tx, channel->rx}, server[2] = {channel->src, channel->dst};
            for (uint32_t side = 0; side < 2 && channel->known; side++) {
                uint32_t *end = &run->server[server[side]].channel_end;
                if (pass)
                    run->server_channel[*end] = c;
                ++*end;
                if (port[side] == LP_NO_PORT)
                    continue;
                end = &run->port[port[side]].channel_end;
                if (pass)
                    run->port_channel[*end] = c;
                ++*end;
            }
        }
        uint32_t total = 0;
        for (uint32_t p = 0; !pass && p < g->tx_ports + g->rx_ports; p++)
            total = open_range(&run->port[p].channel_begin, &run->port[p].channel_end, total);
        total = 0;
        for (uint32_t s = 0; !pass && s < g->servers; s++)
            total = open_range(&run->server[s].channel_begin, &run->server[s].channel_end, total);
    }
}

static LpErr allocate(LpStepRun *run, LpArena *arena, LpHeapItem **queues, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    uint32_t ports = g->tx_ports + g->rx_ports;
    run->channel = lp_arena_alloc(arena, g->channels, sizeof *run->channel);
    run->port = lp_arena_alloc(arena, ports, sizeof *run->port);
    run->port_channel = lp_arena_alloc(arena, (size_t)g->channels * 2, sizeof *run->port_channel);
    run->server_channel = lp_arena_alloc(arena, (size_t)g->channels * 2, sizeof(uint32_t));
    run->open_channel = lp_arena_alloc(arena, g->channels, sizeof *run->open_channel);
    run->candidate.item = lp_arena_alloc(arena, g->channels, sizeof(LpHeapItem));
    run->gather.item = lp_arena_alloc(arena, g->collectives, sizeof(LpHeapItem));
    run->next_watcher = lp_arena_alloc(arena, g->collectives, sizeof *run->next_watcher);
    *queues = lp_arena_alloc(arena, g->transfers, sizeof **queues);
    if (!run->channel || !run->port || !run->port_channel || !run->server_channel ||
        !run->open_channel || !run->candidate.item || !run->gather.item || !run->next_watcher ||
        !*queues)
        return lp_fail_memory(diag, "the light paths of a training step");
    for (uint32_t p = 0; p < ports; p++) {
        run->port[p].dst = LP_TRACE_NONE; /* never lit */
        run->port[p].held = lp_held_never();
    }
    return LP_OK;
}

LpErr lp_light_init(LpStepRun *run, LpArena *arena, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    if (!run->shared)
        return LP_OK;
    LpHeapItem *queues;
    LP_TRY(allocate(run, arena, &queues, diag));
    for (uint32_t i = 0; i < g->transfers; i++)
        if (g->flow[i])
            LP_TRY(learn_channel(run, i, diag));
    cut_queues(run, queues);
    index_channels(run);
    return LP_OK;
}

/* --- flows ---------------------------------------------------------------------------------------
 */

static void open_channel(LpStepRun *run, uint32_t c) {
    LpStepChannel *channel = &run->channel[c];
    if (channel->listed || !channel->waiting.count)
        return;
    channel->listed = true;
    run->open_channel[run->open_channels++] = c;
}

/* Counts one flow more or less (by = 1 or -1) in the queues of a channel's ports and servers. */
static void count_waiting(LpStepRun *run, const LpStepChannel *channel, int by) {
    run->server[channel->src].waiting += by;
    run->server[channel->dst].waiting += by;
    if (channel->tx != LP_NO_PORT)
        run->port[channel->tx].waiting += by;
    if (channel->rx != LP_NO_PORT)
        run->port[channel->rx].waiting += by;
}

void lp_light_offer_flow(LpStepRun *run, uint32_t t) {
    const LpStepGraph *g = run->graph;
    if (!run->shared) {
        run->transfers++;
        run->circuits++;
        lp_step_begin(run, t, g->time[t], LP_TRACE_NONE);
        return;
    }
    uint32_t i = t - g->parts, c = g->channel[i];
    lp_heap_push(&run->channel[c].waiting, g->flow_priority[i], t);
    count_waiting(run, &run->channel[c], 1);
    open_channel(run, c);
}

static bool is_free(const LpStepRun *run, uint32_t port) {
    return port == LP_NO_PORT || !run->port[port].lit;
}

static bool can_light(const LpStepRun *run, const LpStepChannel *channel) {
    return is_free(run, channel->tx) && is_free(run, channel->rx) &&
           !run->server[channel->src].blocked && !run->server[channel->dst].blocked;
}

/* Takes a channel's transmit port; the time that turning it costs, s. */
static double turn_port(LpStepRun *run, const LpStepChannel *channel) {
    LpStepPort *port = &run->port[channel->tx];
    uint32_t turns = run->server[channel->src].turns;
    bool there = port->dst == channel->dst && port->turn == turns;
    port->lit = true;
    port->dst = channel->dst;
    port->turn = turns;
    return there ? 0 : run->graph->slot;
}

static uint32_t flow_holder(const LpStepRun *run, const LpStepChannel *channel) {
    uint32_t by = LP_TRACE_NONE;
    if (channel->tx != LP_NO_PORT)
        by = lp_held_best(&run->port[channel->tx].held, run->now, by);
    if (channel->rx != LP_NO_PORT)
        by = lp_held_best(&run->port[channel->rx].held, run->now, by);
    by = lp_held_best(&run->server[channel->src].held_collective, run->now, by);
    return lp_held_best(&run->server[channel->dst].held_collective, run->now, by);
}

/* Starts the first waiting flow of a channel. */
static void light(LpStepRun *run, LpStepChannel *channel) {
    uint32_t t = lp_heap_pop(&channel->waiting).id;
    double slot = channel->tx == LP_NO_PORT ? 0 : turn_port(run, channel);
    count_waiting(run, channel, -1);
    if (channel->rx != LP_NO_PORT)
        run->port[channel->rx].lit = true;
    run->server[channel->src].flows++;
    run->server[channel->dst].flows++;
    run->transfers++;
    run->circuits++;
    run->sum.reconfiguration += slot;
    run->sum.waiting += run->now - run->ready[t];
    uint32_t holder = run->trace ? flow_holder(run, channel) : LP_TRACE_NONE;
    lp_step_begin(run, t, run->graph->time[t] + slot, holder);
}

static void offer_channel(LpStepRun *run, uint32_t c) {
    const LpStepChannel *channel = &run->channel[c];
    if (channel->waiting.count && can_light(run, channel))
        lp_heap_push(&run->candidate, channel->waiting.item[0].key, c);
}

void lp_light_start_flows(LpStepRun *run) {
    for (uint32_t i = 0; i < run->open_channels; i++) {
        run->channel[run->open_channel[i]].listed = false;
        offer_channel(run, run->open_channel[i]);
    }
    run->open_channels = 0;
    while (run->candidate.count) {
        uint32_t c = lp_heap_pop(&run->candidate).id;
        if (!can_light(run, &run->channel[c]))
            continue;
        light(run, &run->channel[c]);
        offer_channel(run, c); /* where ports are not contended the next one starts too */
    }
}

static void wake_watchers(LpStepRun *run, LpStepServer *server) {
    if (server->flows || server->collectives)
        return;
    for (uint32_t c = server->watcher; c != LP_TRACE_NONE; c = run->next_watcher[c])
        lp_heap_push(&run->gather, c, c);
    server->watcher = LP_TRACE_NONE;
}

static void free_port(LpStepRun *run, uint32_t p, uint32_t t) {
    if (p == LP_NO_PORT)
        return;
    LpStepPort *port = &run->port[p];
    port->lit = false;
    if (run->trace)
        lp_held_note(&port->held, run->now, t);
    for (uint32_t i = port->channel_begin; port->waiting && i < port->channel_end; i++)
        open_channel(run, run->port_channel[i]);
}

void lp_light_end_flow(LpStepRun *run, uint32_t t) {
    run->transfers--;
    run->circuits--;
    if (!run->shared)
        return;
    const LpStepChannel *channel = &run->channel[run->graph->channel[t - run->graph->parts]];
    LpStepServer *end[2] = {&run->server[channel->src], &run->server[channel->dst]};
    free_port(run, channel->tx, t);
    free_port(run, channel->rx, t);
    for (uint32_t side = 0; side < 2; side++) {
        end[side]->flows--;
        if (run->trace)
            lp_held_note(&end[side]->held_flow, run->now, t);
    }
    wake_watchers(run, end[0]);
    wake_watchers(run, end[1]);
}

/* --- collectives ---------------------------------------------------------------------------------
 */

static uint32_t collective_index(const LpStepRun *run, uint32_t t) {
    return t - run->graph->parts - run->graph->transfers;
}

static void begin_collective(LpStepRun *run, uint32_t c, uint32_t holder) {
    const LpStepGraph *g = run->graph;
    uint32_t t = g->parts + g->transfers + c, members = g->member_begin[c + 1] - g->member_begin[c];
    run->transfers++;
    run->circuits += (uint64_t)members * g->ports_per_server;
    lp_step_begin(run, t, g->time[t], holder);
}

void lp_light_offer_collective(LpStepRun *run, uint32_t t) {
    const LpStepGraph *g = run->graph;
    uint32_t c = collective_index(run, t);
    if (!run->shared) {
        begin_collective(run, c, LP_TRACE_NONE);
        return;
    }
    for (uint32_t m = g->member_begin[c]; m < g->member_begin[c + 1]; m++)
        run->server[g->member[m]].blocked++;
    lp_heap_push(&run->gather, c, c);
}

/* A member that carries a flow or another collective, or none. */
static uint32_t busy_member(const LpStepRun *run, uint32_t c) {
    const LpStepGraph *g = run->graph;
    for (uint32_t m = g->member_begin[c]; m < g->member_begin[c + 1]; m++) {
        const LpStepServer *server = &run->server[g->member[m]];
        if (server->flows || server->collectives)
            return g->member[m];
    }
    return LP_TRACE_NONE;
}

static uint32_t collective_holder(const LpStepRun *run, uint32_t c) {
    const LpStepGraph *g = run->graph;
    uint32_t by = LP_TRACE_NONE;
    for (uint32_t m = g->member_begin[c]; m < g->member_begin[c + 1]; m++) {
        by = lp_held_best(&run->server[g->member[m]].held_flow, run->now, by);
        by = lp_held_best(&run->server[g->member[m]].held_collective, run->now, by);
    }
    return by;
}

void lp_light_start_collectives(LpStepRun *run) {
    const LpStepGraph *g = run->graph;
    while (run->gather.count) {
        uint32_t c = lp_heap_pop(&run->gather).id, busy = busy_member(run, c);
        if (busy != LP_TRACE_NONE) {
            run->next_watcher[c] = run->server[busy].watcher;
            run->server[busy].watcher = c;
            continue;
        }
        for (uint32_t m = g->member_begin[c]; m < g->member_begin[c + 1]; m++) {
            run->server[g->member[m]].collectives++;
            run->server[g->member[m]].turns++;
        }
        begin_collective(run, c, run->trace ? collective_holder(run, c) : LP_TRACE_NONE);
    }
}

void lp_light_end_collective(LpStepRun *run, uint32_t t) {
    const LpStepGraph *g = run->graph;
    uint32_t c = collective_index(run, t);
    uint32_t begin = g->member_begin[c], end = g->member_begin[c + 1];
    run->transfers--;
    run->circuits -= (uint64_t)(end - begin) * g->ports_per_server;
    for (uint32_t m = begin; run->shared && m < end; m++) {
        LpStepServer *server = &run->server[g->member[m]];
        server->collectives--;
        server->blocked--;
        if (run->trace)
            lp_held_note(&server->held_collective, run->now, t);
        wake_watchers(run, server);
        if (server->blocked || !server->waiting)
            continue;
        for (uint32_t i = server->channel_begin; i < server->channel_end; i++)
            open_channel(run, run->server_channel[i]);
    }
}
