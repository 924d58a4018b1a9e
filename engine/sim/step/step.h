/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One training step of one placed job, simulated on its own clock: ops on servers, flows on light
 * paths, collectives over sets of servers. */
#ifndef LP_SIM_STEP_H
#define LP_SIM_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/answer.h"
#include "model/fabric/fabric.h"
#include "model/options.h"
#include "model/partition.h"

/* Kinds of task, in the order in which they start at one instant. */
typedef enum LpTaskKind { LP_TASK_OP, LP_TASK_FLOW, LP_TASK_COLLECTIVE } LpTaskKind;

enum { LP_NEVER = INT32_MAX };

/* The work of one step as a graph of tasks, made by lp_step_graph from a partition and a placement.
 * Task ids: parts first (same ids as the partition), then transfers, then collectives. A task may
 * start when `need[t]` of the tasks that name it in their successor lists have ended. With the tick
 * clock every dependency is a transfer, and one between parts on one server, or of nothing, has
 * time 0 and is not a flow; with the event clock such a dependency is no task: its tail names its
 * head. LP_NEVER in need: the task cannot start (Q40). */
typedef struct LpStepGraph {
    uint32_t tasks, parts, transfers, collectives;
    double *time;         /* tasks: s, without reconfiguration */
    uint32_t *need;       /* tasks */
    uint32_t *succ_begin; /* tasks + 1 */
    uint32_t *succ;
    /* parts */
    uint32_t servers;      /* distinct servers used */
    uint32_t *server;      /* parts: dense index 0..servers-1 */
    uint32_t *server_id;   /* servers: cluster's number, ascending */
    uint64_t *op_priority; /* parts: smaller runs first; unique */
    /* transfers: index t - parts */
    bool *flow;            /* ends on different servers and bytes > 0 */
    uint32_t *link;        /* of the partition */
    uint32_t *tail, *head; /* parts; of a recorded step ranks */
    uint32_t *src, *dst;   /* cluster's server numbers */
    double *bytes;
    uint32_t *channel; /* dense id of the ordered server pair; flows only */
    uint32_t channels; /* distinct ordered pairs used by flows and collectives */
    uint32_t *tx, *rx; /* dense port ids, LP_NO_PORT where nothing is shared */
    uint32_t *wave;    /* dense id of the wavelength of a shared subnet that a flow occupies besides
                          its ports; NULL where subnets are not shared */
    uint32_t tx_ports, rx_ports, waves;
    uint64_t *flow_priority; /* transfers: smaller first; unique; NULL for the tick clock, which
                                compares (time, later index) itself */
    /* collectives: index t - parts - transfers */
    uint32_t *collective;            /* index in the partition's collectives */
    uint32_t *member_begin, *member; /* dense server indices */
    uint32_t flows;
    double flow_bytes; /* sent: flows in order, then collectives (lp_fabric_sends) */
    /* What the groups of a plan send between nodes, by cluster's numbers: its time is in sums of
     * the step, so these are no tasks. Empty where no job can be in their way. */
    uint32_t sends;
    const LpSend *send;
    /* The tasks of a recorded step are nodes of its ranks and not parts of a partition: what
     * lp_step_op and the functions beside it answer. NULL elsewhere. */
    const uint32_t *rank_of;      /* by task: its rank; of a transfer the one that sends */
    const uint32_t *node_of;      /* by task: its node in the rank */
    const LpCollectiveTask *call; /* by collective */
    double slot;                  /* s, charged when a tx port turns to another destination */
    uint32_t ports_per_server;    /* light paths that a server sends on: x on RAMP, 1 on ideal */
} LpStepGraph;

/* The mirrored op that task `t` is of: of a transfer the one that sends, of a collective the one
 * that it belongs to. */
static inline uint32_t lp_step_op(const LpStepGraph *g, const LpPartition *partition, uint32_t t) {
    if (g->rank_of != NULL)
        return g->rank_of[t];
    if (t < g->parts)
        return partition->part_op[t];
    return t < g->parts + g->transfers
               ? partition->part_op[g->tail[t - g->parts]]
               : partition->collective[g->collective[t - g->parts - g->transfers]].op;
}

/* The part of that op which a part or a transfer is of: of a recorded step its node. */
static inline uint32_t lp_step_part(const LpStepGraph *g, const LpPartition *partition,
                                    uint32_t t) {
    uint32_t part = t < g->parts || g->rank_of != NULL ? t : g->tail[t - g->parts];
    return g->rank_of != NULL ? g->node_of[t]
                              : part - partition->part_begin[partition->part_op[part]];
}

/* The mirrored op that transfer `transfer` goes to. */
static inline uint32_t lp_step_head_op(const LpStepGraph *g, const LpPartition *partition,
                                       uint32_t transfer) {
    return g->rank_of != NULL ? g->head[transfer] : partition->link[g->link[transfer]].dst;
}

/* What collective `collective` does. */
static inline const LpCollectiveTask *
lp_step_call(const LpStepGraph *g, const LpPartition *partition, uint32_t collective) {
    return g->call != NULL ? &g->call[collective]
                           : &partition->collective[g->collective[collective]];
}

/* What the world needs to know of a step. Times are of ONE step, seconds. */
typedef struct LpStepSummary {
    double step_time;
    double computation, communication; /* time with >= 1 op / >= 1 transfer or collective running */
    double exposed;                    /* communication while no op runs */
    double waiting;         /* sum over flows of the time spent waiting for a light path */
    double reconfiguration; /* slots charged, summed over flows */
    double busy_area;       /* integral of the number of servers computing, server-seconds */
    double light_area;      /* integral of the number of circuits lit */
    double
        worker_utilisation; /* published: sum (active / servers) * (tick / step_time); per step */
    uint32_t servers, channels, flows;
    uint32_t peak_circuits;
    uint64_t ticks; /* distinct instants at which something ended; published: iterations */
    double flow_bytes;
    /* Of circuits that turn inside it (sim/parallel/rail_light.h); zeros where none do. */
    uint32_t turns, waiting_turns, exposed_turns;
    double turn_time; /* s that it is longer than with delay 0 */
    uint64_t hash;    /* of all of the above */
    /* Figures of a plan's step (sim/parallel/parallel_step.h); zeros of other steps. They follow
     * from the plan. */
    double bubble, held_bytes;
} LpStepSummary;

#define LP_TRACE_NONE UINT32_MAX

/* The whole step, for drawing and checking. Indexed by task. */
typedef struct LpTrace {
    uint32_t tasks;
    double *start, *end;     /* s from the start of the step */
    uint32_t *released_by;   /* task whose end let it start (last parent, or holder of its server,
                                light path), LP_TRACE_NONE at the start */
    uint32_t critical;       /* number of tasks on the critical path */
    uint32_t *critical_path; /* tasks on the critical path, in time order */
    uint32_t ticks;          /* published tick log: active servers and length; 0 otherwise */
    uint32_t *tick_active;
    double *tick_length;
} LpTrace;

/* The same step lasting step_time, as on links that others share: the order of everything stays,
 * and what it takes longer (or shorter) goes, evenly, to the times at which data move and no op
 * runs, or, where there are none, at which data move. NAN or 0: as it is. Errors: LP_ENOMEM, the
 * trace is unchanged then. O(tasks log tasks). */
LpErr lp_trace_stretch(const LpStepGraph *graph, LpTrace *trace, double step_time,
                       LpDiag *diag) LP_MUST_USE;

/* Scratch memory reused between simulations: one per thread. */
typedef struct LpStepScratch LpStepScratch;
LpStepScratch *lp_step_scratch_new(void); /* NULL: out of memory */
void lp_step_scratch_free(LpStepScratch *scratch);

/* Where the parts run: op i (forward, file order) has its parts on group[op_group[i]], parts k on
 * servers group_server[group_begin[g] + k]; the backward twin uses the same servers. */
typedef struct LpPlacement {
    uint32_t ops;
    uint16_t *op_group;
    uint32_t groups;
    uint32_t *group_begin; /* groups + 1 */
    uint32_t *group_server;
    uint32_t servers; /* number of distinct servers reserved or used */
    uint32_t *server; /* these servers in block order (corrected), ascending (published) */
    LpShape shape;    /* of the block; zero when there is none */
    uint32_t slice;   /* of a pod: row of the scenario's slices, from 1; 0: none. `server` is in
                         slice order then */
    uint64_t hash;
} LpPlacement;

/* What a step is made of. Borrowed for the call, the partition and placement as long as the graph
 * is used. */
typedef struct LpStepInput {
    const LpFabric *fabric;
    const LpOptions *options;
    const LpPartition *partition;
    const LpPlacement *placement;
    LpOrder order_ops, order_flows;
    const double *op_priority; /* parts: the greater goes first, then by order_ops; NULL: by that */
    const double *flow_priority; /* flows (lp_step_flows); NULL: by order_flows. Event clock only */
    const LpDevice *device;      /* for the adds of collectives */
    const double *speed;         /* per server type, NULL: all 1 */
    bool no_trace; /* the tick clock needs neither tail, src, dst nor bytes of a transfer: NULL then
                    */
} LpStepInput;

/* Builds the task graph in scratch memory; valid until the scratch is used again. Run times follow
 * the options `collective` (semantics 6), readiness `graph_join`. Errors: LP_EREFUSED where the
 * published simulator crashes, LP_ENOMEM. */
LpErr lp_step_graph(LpStepScratch *scratch, const LpStepInput *input, LpStepGraph *out,
                    LpDiag *diag) LP_MUST_USE;

/* What one stage sends from one server to another: all transfers of one link of the partition
 * between the two. */
typedef struct LpFlow {
    uint32_t link;     /* of the partition */
    uint32_t src, dst; /* cluster's server numbers */
    uint32_t transfers;
    double bytes;
} LpFlow;

/* The flows of a step in order of (link, src, dst). flow_of (a number per transfer, LP_NO_INDEX for
 * one that is no flow) may be NULL. Both are in scratch memory as the graph is. Event clock only.
 * Errors: LP_ENOMEM. O(transfers log transfers). */
LpErr lp_step_flows(LpStepScratch *scratch, const LpStepGraph *graph, const LpFlow **out,
                    uint32_t *count, const uint32_t **flow_of) LP_MUST_USE;

/* Simulates. trace may be NULL; otherwise it is filled and owned by the caller (lp_trace_fini).
 * Dispatches on the option step_clock: lp_step_run_ticks (semantics 8) or lp_step_run_events
 * (docs/semantics.md, "One training step"). Errors: LP_EREFUSED when nothing can go on before
 * everything ended, LP_ENOMEM. */
LpErr lp_step_run(LpStepScratch *scratch, const LpStepGraph *graph, const LpOptions *options,
                  LpStepSummary *out, LpTrace *trace, LpDiag *diag) LP_MUST_USE;
LpErr lp_step_run_ticks(LpStepScratch *scratch, const LpStepGraph *graph, LpStepSummary *out,
                        LpTrace *trace, LpDiag *diag) LP_MUST_USE;
/* shared_light: flows occupy ports (option circuits corrected). */
LpErr lp_step_run_events(LpStepScratch *scratch, const LpStepGraph *graph, bool shared_light,
                         LpStepSummary *out, LpTrace *trace, LpDiag *diag) LP_MUST_USE;
void lp_trace_fini(LpTrace *trace);

#endif
