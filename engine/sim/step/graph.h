/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that build the tasks of a step; private to sim/. */
#ifndef LP_SIM_STEP_GRAPH_H
#define LP_SIM_STEP_GRAPH_H

#include "base/rng.h"
#include "sim/step/step_impl.h"

/* The stream that picks one of several channels: a constant of the model, so that a step stays a
 * pure function of its inputs. */
LpRng lp_step_channel_stream(void);

/* Marks in dep_target: a dependency that is no task of its own; one whose end counts for its head
 * although the head does not wait for it (Q11). The rest is the task. */
#define LP_DIRECT UINT32_C(0x80000000)
#define LP_EXTRA UINT32_C(0x40000000)
#define LP_TARGET UINT32_C(0x3fffffff)

typedef struct LpStepPlace {
    uint32_t group, rack, index;
} LpStepPlace;

typedef struct LpStepBuild {
    LpArena *arena;
    const LpFabric *fabric;
    const LpOptions *options;
    const LpPartition *partition;
    const LpPlacement *placement;
    const LpDevice *device;
    const double *speed;
    LpOrder order_ops, order_flows;
    const double *op_priority, *flow_priority; /* instead of the orders */
    bool ticks;       /* option step_clock published: every dependency is a task */
    bool lean;        /* nobody will look at single transfers */
    bool sync_counts; /* option graph_join published: syncs count towards readiness (Q11) */
    bool reduce_all;  /* weight syncs wait for the whole backward pass */
    LpStepGraph *graph;
    uint32_t *group_dense; /* placement's group_server as dense server numbers */
    LpStepPlace *place;    /* of each dense server */
    double *path;          /* ops: longest path to the end, when an order asks for it */
    uint32_t *dep_begin, *dep_target;
    uint32_t *scatter_of, *gather_of, *reduce_of; /* ops: task, LP_NO_INDEX */
    uint32_t *via_begin, *via_link;               /* collectives + 1: links that name each */
    uint32_t collective_base;                     /* task of the first collective */
    uint32_t emitted;
    double *link_time;       /* links: time of a collective, negative: one-to-one */
    double *pair_time;       /* sync pairs by class of distance, negative: not worked out */
    uint32_t *channel_table; /* servers x servers, or a hash table */
    uint64_t *channel_key;
    uint32_t channel_slots;
    uint32_t per_pair; /* channels of an ordered server pair (published) */
    LpRng channel_rng; /* which of them a flow takes (semantics 7.1), in edge order */
    uint32_t *set;     /* scratch: distinct servers */
    int32_t *balance;  /* scratch: servers */
} LpStepBuild;

/* Works out the collectives of semantics 6.1 (option collective published). Errors: LP_EREFUSED
 * where the published simulator crashes. */
LpErr lp_step_prepare_times(LpStepBuild *build, LpDiag *diag) LP_MUST_USE;
/* Time of one transfer between dense servers, s. */
double lp_step_transfer_time(LpStepBuild *build, uint32_t link, uint32_t src, uint32_t dst,
                             double bytes);
/* Time of one collective over dense servers, s. */
double lp_step_collective_time(LpStepBuild *build, LpCollective kind, const uint32_t *members,
                               uint32_t count, double bytes);
/* Adds what one collective over dense servers sends to the graph's bytes and, unless its pairs are
 * known already, channels. */
LpErr lp_step_count_sends(LpStepBuild *build, LpCollective kind, const uint32_t *members,
                          uint32_t count, double bytes, bool known) LP_MUST_USE;
/* The flows of a graph (sim/step/flows.c), see lp_step_flows; out may be NULL. */
LpErr lp_step_number_flows(LpArena *arena, const LpStepGraph *graph, const LpFlow **out,
                           uint32_t *count, const uint32_t **flow_of) LP_MUST_USE;
LpErr lp_step_prepare_channels(LpStepBuild *build) LP_MUST_USE;
/* Dense number of the ordered pair of dense servers, counted in graph->channels. */
uint32_t lp_step_channel(LpStepBuild *build, uint32_t src, uint32_t dst);

#endif
