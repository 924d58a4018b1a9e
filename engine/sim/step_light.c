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
static uint32_t port_index(const LpStepRun *run, uint32_t port, uint32_t first) {
    return port == LP_NO_PORT ? run->ports : first + port;
}

static bool port_fits(uint32_t port, uint32_t ports) {
    return port == LP_NO_PORT || port < ports;
}

static LpErr check_flow(const LpStepGraph *g, uint32_t i, LpDiag *diag) {
    if (g->channel[i] >= g->channels || !port_fits(g->tx[i], g->tx_ports) ||
        !port_fits(g->rx[i], g->rx_ports))
        return lp_fail(diag, LP_EINVAL, "flow %" PRIu32 " names a channel or port out of range",
                       g->parts + i);
    if (g->flow_priority[i] == LP_SLOT_EMPTY)
        return lp_fail(diag, LP_EINVAL, "flow %" PRIu32 " has the priority kept for no flow",
                       g->parts + i);
    return LP_OK;
}

/* Fills the channel of transfer i from its first flow, compares later ones with it. */
static LpErr learn_channel(LpStepRun *run, uint32_t i, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    uint32_t t = g->parts + i;
    LP_TRY(check_flow(g, i, diag));
    LpStepChannel *channel = &run->channel[g->channel[i]];
    uint32_t tx = port_index(run, g->tx[i], 0), rx = port_index(run, g->rx[i], g->tx_ports);
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

/* Shares out one memory among the channels' queues. */
static void cut_queues(LpStepRun *run, LpHeap memory) {
    for (uint32_t c = 0; c < run->graph->channels; c++)
        lp_heap_cut(&run->channel[c].waiting, &memory, run->channel[c].waiting.count);
}

/* Turns a count (in *end) into an empty range that begins at `total`. */
static uint32_t open_range(uint32_t *begin, uint32_t *end, uint32_t total) {
    uint32_t count = *end;
    *begin = *end = total;
    return total + count;
}

/* Counts what rows and lists will hold. */
static void count_channels(LpStepRun *run) {
    const LpStepGraph *g = run->graph;
    uint32_t total = 0;
    for (uint32_t c = 0; c < g->channels; c++) {
        const LpStepChannel *channel = &run->channel[c];
        if (!channel->known)
            continue;
        run->port[channel->tx].slot_end++;
        run->port[channel->rx].slot_end++;
        run->server[channel->src].channel_end++;
        run->server[channel->dst].channel_end++;
    }
    for (uint32_t p = 0; p <= run->ports; p++)
        total = open_range(&run->port[p].slot_begin, &run->port[p].slot_end, total);
    total = 0;
    for (uint32_t s = 0; s < g->servers; s++)
        total = open_range(&run->server[s].channel_begin, &run->server[s].channel_end, total);
}

static uint32_t add_slot(LpStepRun *run, uint32_t port, uint32_t c, uint32_t other) {
    uint32_t s = run->port[port].slot_end++;
    run->slot[s] = (LpStepSlot){.key = LP_SLOT_EMPTY,
                                .channel = c,
                                .port = port,
                                .other = other,
                                .src = run->channel[c].src,
                                .dst = run->channel[c].dst};
    return s;
}

/* Fills the rows of the ports and the lists of the servers. */
static void index_channels(LpStepRun *run) {
    count_channels(run);
    for (uint32_t c = 0; c < run->graph->channels; c++) {
        LpStepChannel *channel = &run->channel[c];
        if (!channel->known)
            continue;
        channel->tx_slot = add_slot(run, channel->tx, c, channel->rx);
        channel->rx_slot = add_slot(run, channel->rx, c, channel->tx);
        run->server_channel[run->server[channel->src].channel_end++] = c;
        run->server_channel[run->server[channel->dst].channel_end++] = c;
    }
}

static LpErr allocate(LpStepRun *run, LpArena *arena, LpHeap *queues, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    size_t ports = (size_t)run->ports + 1, slots = (size_t)g->channels * 2;
    run->port = lp_arena_alloc(arena, ports, sizeof *run->port);
    run->lit = lp_arena_alloc(arena, ports, sizeof *run->lit);
    run->closed = lp_arena_alloc(arena, g->servers, sizeof *run->closed);
    run->slot = lp_arena_alloc(arena, slots, sizeof *run->slot);
    run->channel = lp_arena_alloc(arena, g->channels, sizeof *run->channel);
    run->server_channel = lp_arena_alloc(arena, slots, sizeof *run->server_channel);
    run->next_watcher = lp_arena_alloc(arena, g->collectives, sizeof *run->next_watcher);
    if (!run->port || !run->lit || !run->closed || !run->slot || !run->channel ||
        !run->server_channel || !run->next_watcher || !lp_heap_init(queues, arena, g->transfers) ||
        /* between two decisions: every flow once, every port once, a channel at most twice */
        !lp_heap_init(&run->candidate, arena, g->transfers + ports + slots) ||
        !lp_heap_init(&run->gather, arena, g->collectives))
        return lp_fail_memory(diag, "the light paths of a training step");
    for (uint32_t p = 0; p < ports; p++)
        run->port[p] =
            (LpStepPort){.offered = LP_SLOT_EMPTY, .dst = LP_TRACE_NONE, .held = lp_held_never()};
    return LP_OK;
}

LpErr lp_light_init(LpStepRun *run, LpArena *arena, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    if (!run->shared)
        return LP_OK;
    LpHeap queues = {0};
    run->ports = g->tx_ports + g->rx_ports;
    LP_TRY(allocate(run, arena, &queues, diag));
    for (uint32_t i = 0; i < g->transfers; i++)
        if (g->flow[i])
            LP_TRY(learn_channel(run, i, diag));
    cut_queues(run, queues);
    index_channels(run);
    return LP_OK;
}

/* --- which flow may start -------------------------------------------------------------------- */

static bool can_light(const LpStepRun *run, const LpStepChannel *channel) {
    return channel->waiting.count && !(run->lit[channel->tx] | run->lit[channel->rx] |
                                       run->closed[channel->src] | run->closed[channel->dst]);
}

/* Makes slot s the candidate of its port, unless the port has a better one. Where no port is shared
 * every channel stands for itself. */
static void offer_slot(LpStepRun *run, uint32_t s, uint64_t key) {
    uint32_t p = run->slot[s].port;
    if (p != run->ports) {
        if (key >= run->port[p].offered)
            return;
        run->port[p].offered = key;
    }
    lp_heap_push(&run->candidate, key, s);
}

/* The first waiting flow of channel c may start now, as far as it is known yet. */
static void offer_channel(LpStepRun *run, uint32_t c) {
    const LpStepChannel *channel = &run->channel[c];
    if (can_light(run, channel))
        offer_slot(run, channel->tx == run->ports ? channel->rx_slot : channel->tx_slot,
                   channel->waiting.key[0]);
}

/* The same for the best of the channels of port p, which is free. The loop has no branch that
 * depends on the keys. */
static void offer_port(LpStepRun *run, uint32_t p) {
    uint64_t best = LP_SLOT_EMPTY;
    uint32_t at = 0;
    for (uint32_t s = run->port[p].slot_begin; s < run->port[p].slot_end; s++) {
        const LpStepSlot *slot = &run->slot[s];
        uint64_t hindered = run->lit[slot->other] | run->closed[slot->src] | run->closed[slot->dst];
        uint64_t key = slot->key | (0 - hindered);
        at = key < best ? s : at;
        best = key < best ? key : best;
    }
    if (best != LP_SLOT_EMPTY)
        offer_slot(run, at, best);
}

/* Tells the channel's ports which of its flows is first. */
static void update_slots(LpStepRun *run, const LpStepChannel *channel) {
    uint64_t key = channel->waiting.count ? channel->waiting.key[0] : LP_SLOT_EMPTY;
    run->slot[channel->tx_slot].key = key;
    run->slot[channel->rx_slot].key = key;
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
    LpStepChannel *channel = &run->channel[c];
    lp_heap_push(&channel->waiting, g->flow_priority[i], t);
    update_slots(run, channel);
    run->server[channel->src].waiting++;
    run->server[channel->dst].waiting++;
    offer_channel(run, c);
}

/* --- flows ----------------------------------------------------------------------------------- */

/* Takes a channel's transmit port; the time that turning it costs, s. */
static double turn_port(LpStepRun *run, const LpStepChannel *channel) {
    LpStepPort *port = &run->port[channel->tx];
    uint32_t turns = run->server[channel->src].turns;
    bool there = port->dst == channel->dst && port->turn == turns;
    run->lit[channel->tx] = 1;
    port->dst = channel->dst;
    port->turn = turns;
    return there ? 0 : run->graph->slot;
}

static uint32_t flow_holder(const LpStepRun *run, const LpStepChannel *channel) {
    uint32_t by = LP_TRACE_NONE;
    by = lp_held_best(&run->port[channel->tx].held, run->now, by);
    by = lp_held_best(&run->port[channel->rx].held, run->now, by);
    by = lp_held_best(&run->server[channel->src].held_collective, run->now, by);
    return lp_held_best(&run->server[channel->dst].held_collective, run->now, by);
}

/* Starts the first waiting flow of a channel. */
static void light(LpStepRun *run, LpStepChannel *channel) {
    LpStepServer *src = &run->server[channel->src], *dst = &run->server[channel->dst];
    uint32_t t = lp_heap_pop(&channel->waiting).id;
    double slot = channel->tx == run->ports ? 0 : turn_port(run, channel);
    if (channel->rx != run->ports)
        run->lit[channel->rx] = 1;
    update_slots(run, channel);
    src->waiting--;
    dst->waiting--;
    src->flows++;
    dst->flows++;
    run->transfers++;
    run->circuits++;
    run->sum.reconfiguration += slot;
    run->sum.waiting += run->now - run->ready[t];
    uint32_t holder = run->trace ? flow_holder(run, channel) : LP_TRACE_NONE;
    lp_step_begin(run, t, run->graph->time[t] + slot, holder);
}

/* Candidates come in order of their flows. One that has become unable to start, because another
 * took what it needs or a collective is ready, is dropped; its port chooses anew, and can only come
 * to a later flow. */
void lp_light_start_flows(LpStepRun *run) {
    while (run->candidate.count) {
        LpHeapItem item = lp_heap_pop(&run->candidate);
        uint32_t c = run->slot[item.id].channel, p = run->slot[item.id].port;
        LpStepPort *port = &run->port[p];
        if (p != run->ports && port->offered != item.key)
            continue; /* the port has had a better one since */
        port->offered = LP_SLOT_EMPTY;
        LpStepChannel *channel = &run->channel[c];
        if (can_light(run, channel) && channel->waiting.key[0] == item.key) {
            light(run, channel);
            offer_channel(run, c); /* the next one, where no port is contended */
        } else if (p != run->ports && !run->lit[p]) {
            offer_port(run, p);
        }
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
    if (p == run->ports)
        return;
    run->lit[p] = 0;
    if (run->trace)
        lp_held_note(&run->port[p].held, run->now, t);
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
    if (channel->tx != run->ports)
        offer_port(run, channel->tx);
    if (channel->rx != run->ports)
        offer_port(run, channel->rx);
    for (uint32_t side = 0; side < 2; side++) {
        end[side]->flows--;
        if (run->trace)
            lp_held_note(&end[side]->held_flow, run->now, t);
        wake_watchers(run, end[side]);
    }
}

/* --- collectives ----------------------------------------------------------------------------- */

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
    for (uint32_t m = g->member_begin[c]; m < g->member_begin[c + 1]; m++) {
        run->server[g->member[m]].blocked++;
        run->closed[g->member[m]] = 1;
    }
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

/* A server that no collective blocks any more. A channel between two members is offered once, when
 * the second of them is open. */
static void unblock(LpStepRun *run, const LpStepServer *server) {
    if (server->blocked || !server->waiting)
        return;
    for (uint32_t i = server->channel_begin; i < server->channel_end; i++)
        offer_channel(run, run->server_channel[i]);
}

void lp_light_end_collective(LpStepRun *run, uint32_t t) {
    const LpStepGraph *g = run->graph;
    uint32_t c = collective_index(run, t), members = g->member_begin[c + 1] - g->member_begin[c];
    const uint32_t *member = &g->member[g->member_begin[c]];
    run->transfers--;
    run->circuits -= (uint64_t)members * g->ports_per_server;
    if (!run->shared)
        return;
    for (uint32_t m = 0; m < members; m++) {
        LpStepServer *server = &run->server[member[m]];
        server->collectives--;
        run->closed[member[m]] = --server->blocked > 0;
        if (run->trace)
            lp_held_note(&server->held_collective, run->now, t);
        wake_watchers(run, server);
        unblock(run, server);
    }
}
