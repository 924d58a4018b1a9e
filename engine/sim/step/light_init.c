/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rules of light paths work on: channels, the rows of the ports, and the flows' ranks. */
#include <inttypes.h>

#include "sim/step/events.h"

/* ---- channels ---- */

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
        !port_fits(g->rx[i], g->rx_ports) || (g->wave != NULL && g->wave[i] >= g->waves))
        return lp_fail(diag, LP_EINVAL, "flow %" PRIu32 " names a channel or port out of range",
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
    uint32_t wave = g->wave != NULL ? g->tx_ports + g->rx_ports + g->wave[i] : run->ports;
    if (!channel->known) {
        *channel = (LpStepChannel){.tx = tx, .rx = rx, .wave = wave, .known = true};
        channel->src = find_server(g, g->src[i]);
        channel->dst = find_server(g, g->dst[i]);
        if (channel->src == LP_TRACE_NONE || channel->dst == LP_TRACE_NONE)
            return lp_fail(diag, LP_EINVAL, "flow %" PRIu32 " joins servers outside the step", t);
    }
    if (channel->tx != tx || channel->rx != rx || channel->wave != wave ||
        g->server_id[channel->src] != g->src[i] || g->server_id[channel->dst] != g->dst[i])
        return lp_fail(diag, LP_EINVAL,
                       "flow %" PRIu32
                       " has other servers or ports than the rest of channel %" PRIu32,
                       t, g->channel[i]);
    channel->waiting.count++; /* its size for now */
    return LP_OK;
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
        if (run->third != NULL)
            run->port[channel->wave].slot_end++;
        run->server[channel->src].channel_end++;
        run->server[channel->dst].channel_end++;
    }
    for (uint32_t p = 0; p <= run->ports; p++)
        total = open_range(&run->port[p].slot_begin, &run->port[p].slot_end, total);
    total = 0;
    for (uint32_t s = 0; s < g->servers; s++)
        total = open_range(&run->server[s].channel_begin, &run->server[s].channel_end, total);
}

static uint32_t add_slot(LpStepRun *run, uint32_t port, const LpStepChannel *channel,
                         uint32_t other, uint32_t third) {
    uint32_t s = run->port[port].slot_end++;
    if (run->third != NULL)
        run->third[s] = third;
    run->slot[s] =
        (LpStepSlot){.rank = LP_NO_RANK, .other = other, .src = channel->src, .dst = channel->dst};
    return s;
}

/* Fills the rows of the ports and the lists of the servers. */
static void index_channels(LpStepRun *run) {
    count_channels(run);
    for (uint32_t c = 0; c < run->graph->channels; c++) {
        LpStepChannel *channel = &run->channel[c];
        if (!channel->known)
            continue;
        channel->tx_slot = add_slot(run, channel->tx, channel, channel->rx, channel->wave);
        channel->rx_slot = add_slot(run, channel->rx, channel, channel->tx, channel->wave);
        if (run->third != NULL)
            channel->wave_slot = add_slot(run, channel->wave, channel, channel->tx, channel->rx);
        run->server_channel[run->server[channel->src].channel_end++] = c;
        run->server_channel[run->server[channel->dst].channel_end++] = c;
    }
}

/* ---- ranks ---- */

/* Priorities 0, 1, 2, ... are ranks already. False: they are not. */
static bool rank_directly(LpStepRun *run) {
    const LpStepGraph *g = run->graph;
    for (uint32_t r = 0; r < g->transfers; r++)
        run->flow_at[r] = LP_TRACE_NONE;
    for (uint32_t i = 0; i < g->transfers; i++) {
        uint64_t priority = g->flow_priority[i];
        if (!g->flow[i])
            continue;
        if (priority >= g->transfers || run->flow_at[priority] != LP_TRACE_NONE)
            return false;
        run->rank[i] = (uint32_t)priority;
        run->flow_at[priority] = g->parts + i;
    }
    return true;
}

/* Equal priorities: lower id first. */
static void rank_by_sorting(LpStepRun *run) {
    const LpStepGraph *g = run->graph;
    for (uint32_t i = 0; i < g->transfers; i++)
        if (g->flow[i])
            lp_heap_push(&run->ends, g->flow_priority[i], g->parts + i);
    for (uint32_t r = 0; run->ends.count; r++) {
        run->flow_at[r] = lp_heap_pop(&run->ends).id;
        run->rank[run->flow_at[r] - g->parts] = r;
    }
}

/* ---- all of it ---- */

static bool allocate_ports(LpStepRun *run, LpArena *arena) {
    const LpStepGraph *g = run->graph;
    size_t ports = (size_t)run->ports + 1, slots = (size_t)g->channels * (g->waves > 0 ? 3 : 2);
    run->port = lp_arena_alloc(arena, ports, sizeof *run->port);
    run->lit = lp_arena_alloc(arena, ports, sizeof *run->lit);
    run->closed = lp_arena_alloc(arena, g->servers, sizeof *run->closed);
    run->slot = lp_arena_alloc(arena, slots, sizeof *run->slot);
    run->channel = lp_arena_alloc(arena, g->channels, sizeof *run->channel);
    run->server_channel = lp_arena_alloc(arena, slots, sizeof *run->server_channel);
    if (g->waves > 0 && (run->third = lp_arena_alloc(arena, slots, sizeof *run->third)) == NULL)
        return false;
    return run->port && run->lit && run->closed && run->slot && run->channel && run->server_channel;
}

static bool allocate_tasks(LpStepRun *run, LpArena *arena, LpStepHeap *queues) {
    const LpStepGraph *g = run->graph;
    run->rank = lp_arena_alloc(arena, g->transfers, sizeof *run->rank);
    run->flow_at = lp_arena_alloc(arena, g->transfers, sizeof *run->flow_at);
    run->next_watcher = lp_arena_alloc(arena, g->collectives, sizeof *run->next_watcher);
    return run->rank && run->flow_at && run->next_watcher &&
           lp_heap_init(queues, arena, g->transfers) &&
           lp_set_init(&run->candidate, arena, g->transfers) &&
           lp_set_init(&run->gather, arena, g->collectives);
}

LpErr lp_light_init(LpStepRun *run, LpArena *arena, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    if (!run->shared)
        return LP_OK;
    LpStepHeap queues = {0};
    run->ports = g->tx_ports + g->rx_ports + g->waves;
    if (!allocate_ports(run, arena) || !allocate_tasks(run, arena, &queues))
        return lp_fail_memory(diag, "the light paths of a training step");
    for (uint32_t p = 0; p <= run->ports; p++)
        run->port[p] =
            (LpStepPort){.offered = LP_NO_RANK, .dst = LP_TRACE_NONE, .held = lp_held_never()};
    for (uint32_t i = 0; i < g->transfers; i++)
        if (g->flow[i])
            LP_TRY(learn_channel(run, i, diag));
    /* Shares out one memory among the channels' queues. */
    for (uint32_t c = 0; c < g->channels; c++)
        lp_heap_cut(&run->channel[c].waiting, &queues, run->channel[c].waiting.count);
    index_channels(run);
    if (!rank_directly(run))
        rank_by_sorting(run);
    return LP_OK;
}
