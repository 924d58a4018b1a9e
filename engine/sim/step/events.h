/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of one event-driven step, between its main loop (sim/step/events.c) and the rules of light
 * paths and collectives (sim/step/step_circuits.c). Everything lives in the scratch's run arena. */
#ifndef LP_SIM_STEP_EVENTS_H
#define LP_SIM_STEP_EVENTS_H

#include "sim/step/heap.h"
#include "sim/step/set.h"
#include "sim/step/step_impl.h"

/* Who gave a resource back last: of the tasks that did so at one instant, the lowest id. Kept only
 * when a trace is wanted. */
typedef struct LpHeld {
    double at; /* s; before any release -1 */
    uint32_t by;
} LpHeld;

typedef struct LpStepServer {
    LpStepHeap ready;     /* ops that may start, by op_priority */
    uint32_t op;          /* running op, LP_TRACE_NONE: free */
    bool listed;          /* in LpStepRun.free_server */
    uint32_t flows;       /* running flows from or to it */
    uint32_t collectives; /* running collectives on it: at most one */
    uint32_t blocked;     /* running collectives and those that are ready but not started */
    uint32_t turns;       /* collectives that have steered its transmit ports away */
    uint32_t waiting;     /* flows from or to it that are queued */
    uint32_t watcher;     /* first waiting collective that watches it, an index, or none */
    uint32_t channel_begin, channel_end; /* in server_channel */
    LpHeld held_op, held_flow, held_collective;
} LpStepServer;

/* An ordered pair of servers; fixes the ports, so only its first waiting flow matters. */
typedef struct LpStepChannel {
    LpStepHeap waiting;        /* flows, by rank */
    uint32_t src, dst;         /* dense server indices */
    uint32_t tx, rx, wave;     /* in port; LpStepRun.ports where nothing is shared: never lit */
    uint32_t tx_slot, rx_slot; /* its places in the ports' rows */
    uint32_t wave_slot;        /* with LpStepRun.third only */
    bool known;
} LpStepChannel;

#define LP_NO_RANK UINT32_MAX

/* A channel as the row of one of its ports has it: what that port needs to choose the next flow. */
typedef struct LpStepSlot {
    uint32_t rank;     /* of the channel's first waiting flow, LP_NO_RANK: none waits */
    uint32_t other;    /* the port at the channel's other end */
    uint32_t src, dst; /* the channel's servers */
} LpStepSlot;

typedef struct LpStepPort {
    uint32_t offered;              /* rank of the flow it would light next, or LP_NO_RANK */
    uint32_t dst;                  /* transmit: destination last lit, or none */
    uint32_t turn;                 /* transmit: the server's turns at that time */
    uint32_t slot_begin, slot_end; /* its row */
    LpHeld held;
} LpStepPort;

typedef struct LpStepRun {
    const LpStepGraph *graph;
    bool shared;     /* ports and collectives exclude each other */
    LpTrace *trace;  /* or NULL */
    double now;      /* s */
    LpStepHeap ends; /* running tasks by end */
    uint32_t *need;  /* tasks: parents still to end; 0: was ready */
    double *ready;   /* tasks: s, when the last of them ended */
    uint32_t *ended; /* tasks that end now, in the order of their release */
    uint32_t ended_count;
    uint32_t done; /* tasks that have ended */

    LpStepServer *server;
    uint32_t *free_server; /* servers to look at: freed, or with a new ready op */
    uint32_t free_servers;

    uint32_t *rank;    /* transfers: place of the flow in the order of priorities */
    uint32_t *flow_at; /* ranks: the task that has it */
    uint32_t ports;    /* tx_ports, rx_ports, waves, then one that stands for none */
    LpStepPort *port;
    uint8_t *lit;    /* ports: 1 while a flow uses it */
    uint8_t *closed; /* servers: 1 while blocked */
    LpStepSlot *slot;
    uint32_t *third; /* slots: what the flow occupies besides the row's port and `other`; NULL where
                        subnets are not shared */
    LpStepChannel *channel;
    uint32_t *server_channel;
    LpRankSet candidate; /* ranks of flows that may be able to start now */

    LpRankSet gather;       /* collectives that may be able to start now, by index */
    uint32_t *next_watcher; /* collectives */

    uint32_t ops, transfers; /* running ops; running flows and collectives */
    uint64_t circuits;       /* lit */
    LpStepSummary sum;
} LpStepRun;

static inline LpHeld lp_held_never(void) {
    return (LpHeld){-1, LP_TRACE_NONE};
}

/* Notes that `task` gave something back now. */
static inline void lp_held_note(LpHeld *held, double now, uint32_t task) {
    if (held->at != now || task < held->by)
        *held = (LpHeld){now, task};
}

/* The lower of `best` and the one that gave `held` back now. */
static inline uint32_t lp_held_best(const LpHeld *held, double now, uint32_t best) {
    return held->at == now && held->by < best ? held->by : best;
}

/* Task t runs from now on for `time` s. `holder`: who gave back last what t
 * waited for, LP_TRACE_NONE when there is none or no trace is wanted. */
static inline void lp_step_begin(LpStepRun *run, uint32_t t, double time, uint32_t holder) {
    double end = run->now + time;
    lp_heap_push(&run->ends, lp_heap_time(end), t);
    if (!run->trace)
        return;
    run->trace->start[t] = run->now;
    run->trace->end[t] = end;
    if (run->now > run->ready[t] && holder != LP_TRACE_NONE)
        run->trace->released_by[t] = holder;
}

/* sim/step/light_init.c. Builds channels, ports and queues. run->ends must be there and empty.
 * Errors: LP_ENOMEM; LP_EINVAL when the flows of one channel differ in servers or ports, or name
 * something that is not there. */
LpErr lp_light_init(LpStepRun *run, LpArena *arena, LpDiag *diag) LP_MUST_USE;
/* sim/step/step_circuits.c. Flow or collective t is ready now. */
void lp_light_offer_flow(LpStepRun *run, uint32_t t);
void lp_light_offer_collective(LpStepRun *run, uint32_t t);
/* Where light is shared: starts what can start, given everything that was offered or ended since
 * the last call. */
void lp_light_start_flows(LpStepRun *run);
void lp_light_start_collectives(LpStepRun *run);
/* Flow or collective t ended now: gives its light back. */
void lp_light_end_flow(LpStepRun *run, uint32_t t);
void lp_light_end_collective(LpStepRun *run, uint32_t t);

#endif
