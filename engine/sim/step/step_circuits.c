/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light paths and collectives of one event-driven step: which waiting flow or collective starts.
 * The result is that of a scan of everything that waits, in order of priority, at every instant. */
#include "sim/step/events.h"

/* Why no scan is needed: while starts are decided nothing is given back, so a task that cannot
 * start still cannot later in that decision. Hence, between two decisions, only tasks that were
 * offered, or of which a port or server was given back, can have become able to start. */

/* ---- which flow may start ---- */

static bool can_light(const LpStepRun *run, const LpStepChannel *channel) {
    return channel->waiting.count &&
           !(run->lit[channel->tx] | run->lit[channel->rx] | run->lit[channel->wave] |
             run->closed[channel->src] | run->closed[channel->dst]);
}

/* Makes the flow of this rank the next that port p would light, unless it has a better one. Where
 * no port is shared every flow stands for itself. */
static void offer(LpStepRun *run, uint32_t p, uint32_t rank) {
    if (p != run->ports) {
        if (rank >= run->port[p].offered)
            return;
        run->port[p].offered = rank;
    }
    lp_set_add(&run->candidate, rank);
}

/* The first waiting flow of a channel may start now, as far as it is known yet. */
static void offer_channel(LpStepRun *run, const LpStepChannel *channel) {
    if (can_light(run, channel))
        offer(run, channel->tx == run->ports ? channel->rx : channel->tx,
              (uint32_t)channel->waiting.key[0]);
}

/* The first of the channels of port p that are not hindered. The loop has no branch that depends on
 * the ranks. */
static uint32_t best_of_two(const LpStepRun *run, uint32_t p) {
    uint32_t best = LP_NO_RANK;
    for (uint32_t s = run->port[p].slot_begin; s < run->port[p].slot_end; s++) {
        const LpStepSlot *slot = &run->slot[s];
        uint32_t hindered = run->lit[slot->other] | run->closed[slot->src] | run->closed[slot->dst];
        uint32_t rank = slot->rank | (0 - hindered);
        best = rank < best ? rank : best;
    }
    return best;
}

static uint32_t best_of_three(const LpStepRun *run, uint32_t p) {
    uint32_t best = LP_NO_RANK;
    for (uint32_t s = run->port[p].slot_begin; s < run->port[p].slot_end; s++) {
        const LpStepSlot *slot = &run->slot[s];
        uint32_t hindered = run->lit[slot->other] | run->lit[run->third[s]] |
                            run->closed[slot->src] | run->closed[slot->dst];
        uint32_t rank = slot->rank | (0 - hindered);
        best = rank < best ? rank : best;
    }
    return best;
}

/* Offers port p, which is free, the best of its channels. */
static void offer_port(LpStepRun *run, uint32_t p) {
    uint32_t best = run->third != NULL ? best_of_three(run, p) : best_of_two(run, p);
    if (best != LP_NO_RANK)
        offer(run, p, best);
}

/* Tells the channel's ports which of its flows is first. */
static void update_slots(LpStepRun *run, const LpStepChannel *channel) {
    uint32_t rank = channel->waiting.count ? (uint32_t)channel->waiting.key[0] : LP_NO_RANK;
    run->slot[channel->tx_slot].rank = rank;
    run->slot[channel->rx_slot].rank = rank;
    if (run->third != NULL)
        run->slot[channel->wave_slot].rank = rank;
}

void lp_light_offer_flow(LpStepRun *run, uint32_t t) {
    const LpStepGraph *g = run->graph;
    if (!run->shared) {
        run->transfers++;
        run->circuits++;
        lp_step_begin(run, t, g->time[t], LP_TRACE_NONE);
        return;
    }
    uint32_t i = t - g->parts;
    LpStepChannel *channel = &run->channel[g->channel[i]];
    lp_heap_push(&channel->waiting, run->rank[i], t);
    update_slots(run, channel);
    run->server[channel->src].waiting++;
    run->server[channel->dst].waiting++;
    offer_channel(run, channel);
}

/* ---- flows ---- */

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
    by = lp_held_best(&run->port[channel->wave].held, run->now, by);
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
    if (channel->wave != run->ports)
        run->lit[channel->wave] = 1;
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

static LpStepChannel *channel_of(const LpStepRun *run, uint32_t t) {
    return &run->channel[run->graph->channel[t - run->graph->parts]];
}

/* Was this flow what port p would light next? It is no longer. */
static bool take_offer(LpStepRun *run, uint32_t p, uint32_t rank) {
    if (p == run->ports || run->port[p].offered != rank)
        return false;
    run->port[p].offered = LP_NO_RANK;
    return true;
}

/* Candidates come in order of priority. One that has become unable to start, because another took
 * what it needs or a collective is ready, is dropped; the ports that would have lit it choose anew,
 * and can only come to a later flow. */
void lp_light_start_flows(LpStepRun *run) {
    while (!lp_set_empty(&run->candidate)) {
        uint32_t rank = lp_set_pop(&run->candidate);
        LpStepChannel *channel = channel_of(run, run->flow_at[rank]);
        bool tx = take_offer(run, channel->tx, rank), rx = take_offer(run, channel->rx, rank);
        bool wave = take_offer(run, channel->wave, rank);
        if (can_light(run, channel) && channel->waiting.key[0] == rank) {
            light(run, channel);
            offer_channel(run, channel); /* the next one, where no port is contended */
            continue;
        }
        if (tx && !run->lit[channel->tx])
            offer_port(run, channel->tx);
        if (rx && !run->lit[channel->rx])
            offer_port(run, channel->rx);
        if (wave && !run->lit[channel->wave])
            offer_port(run, channel->wave);
    }
}

static void wake_watchers(LpStepRun *run, LpStepServer *server) {
    if (server->watcher == LP_TRACE_NONE || server->flows || server->collectives)
        return;
    for (uint32_t c = server->watcher; c != LP_TRACE_NONE; c = run->next_watcher[c])
        lp_set_add(&run->gather, c);
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
    const LpStepChannel *channel = channel_of(run, t);
    LpStepServer *end[2] = {&run->server[channel->src], &run->server[channel->dst]};
    free_port(run, channel->tx, t);
    free_port(run, channel->rx, t);
    free_port(run, channel->wave, t);
    if (channel->tx != run->ports)
        offer_port(run, channel->tx);
    if (channel->rx != run->ports)
        offer_port(run, channel->rx);
    if (channel->wave != run->ports)
        offer_port(run, channel->wave);
    for (uint32_t side = 0; side < 2; side++) {
        end[side]->flows--;
        if (run->trace)
            lp_held_note(&end[side]->held_flow, run->now, t);
        wake_watchers(run, end[side]);
    }
}

/* ---- collectives ---- */

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
    lp_set_add(&run->gather, c);
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
    while (!lp_set_empty(&run->gather)) {
        uint32_t c = lp_set_pop(&run->gather), busy = busy_member(run, c);
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
        offer_channel(run, &run->channel[run->server_channel[i]]);
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
