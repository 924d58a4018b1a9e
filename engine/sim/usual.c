/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of the engine where a policy leaves it the degree, and what is lacking where there is
 * none to answer. */
#include "sim/forecast.h"

#include <stdio.h>

#include "sim/job_plan.h"
#include "sim/place/asked.h"
#include "sim/place/place.h"
#include "sim/place/slice.h"
#include "sim/sim_impl.h"
#include "sim/store/store_impl.h"
#include "sim/world.h"

static bool masked(const LpContext *context) {
    return lp_published(&context->scenario->options, LP_OPT_MASK);
}

/* The least plan by servers. */
static uint32_t least_plan(const LpSplit *split) {
    uint32_t least = lp_parallel_devices(&split->plan[0]);
    for (uint32_t i = 1; i < split->plans; i++) {
        uint32_t devices = lp_parallel_devices(&split->plan[i]);
        least = devices < least ? devices : least;
    }
    return least;
}

/* The least degree with a place while all servers are free and whole. Where there is none, the
 * least that the job can be cut into: the world says what stands in its way. */
static LpErr least_degree(const LpContext *context, const LpJob *job, uint32_t *degree,
                          uint32_t *servers, LpDiag *diag) {
    const LpSplit *split = context->scenario->graph[job->graph]->split;
    uint32_t most = context->scenario->partition.max_degree;
    const LpGraph *graph = context->scenario->graph[job->graph];
    uint32_t first = split != NULL ? least_plan(split) : graph->trace != NULL ? graph->ops : 1;
    LpTreeAsk ask = lp_job_tree_ask(context, job);
    most = most < context->fabric.servers ? most : context->fabric.servers;
    for (uint32_t d = first; d <= most; d++) {
        uint32_t index;
        bool fits = false;
        LpDiag local;
        LpErr err = lp_store_degree(context, (uint32_t)job->graph, (LpPartitionKind)job->kind, d,
                                    &index, &local);
        if (err == LP_ELIMIT || err == LP_EREFUSED)
            continue;
        if (err != LP_OK)
            return lp_fail(diag, err, "%s", local.text);
        const LpPartition *partition = lp_store_partition(context->store, index);
        if (lp_graph_fixed(graph) && partition->degree != d)
            continue;
        if (lp_place_exists(context->place, context, NULL, partition, &ask, &fits) != LP_OK)
            return lp_fail_memory(diag, "a placement");
        *degree = d;
        *servers = partition->degree;
        if (fits)
            return LP_OK;
    }
    *degree = *servers = first;
    return LP_OK;
}

static LpErr open_degrees(const LpWorld *world, const LpContext *context, uint32_t id, bool *any,
                          LpDiag *diag) {
    uint32_t first, count;
    LP_TRY(lp_world_degrees(world, context, id, 0, &first, 1, &count, diag));
    *any = count > 0;
    return LP_OK;
}

static void say(uint32_t free, uint32_t servers, uint32_t need, char reason[LP_DIAG_TEXT]) {
    if (free >= need)
        snprintf(reason, LP_DIAG_TEXT,
                 "no block of servers is free: %u of %u servers are, in no shape that it can take",
                 free, servers);
    else if (free == 0)
        snprintf(reason, LP_DIAG_TEXT, "no server is free: 0 of %u are, it needs %u", servers,
                 need);
    else
        snprintf(reason, LP_DIAG_TEXT, "too few servers are free: %u of %u %s, it needs %u", free,
                 servers, free == 1 ? "is" : "are", need);
}

LpErr lp_world_lack(const LpWorld *world, const LpContext *base, uint32_t id,
                    char reason[LP_DIAG_TEXT], LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    const LpJob *job = lp_world_job(world, id);
    uint32_t servers = context->fabric.servers, free = lp_world_free_servers(world), degree, need;
    bool any;
    reason[0] = '\0';
    if (lp_job_slice(context, job) != NULL)
        return LP_OK;
    if (job->graph < 0) {
        if (free < job->asked.rigid_servers)
            say(free, servers, job->asked.rigid_servers, reason);
        return LP_OK;
    }
    LP_TRY(open_degrees(world, context, id, &any, diag));
    if (any)
        return LP_OK;
    if (masked(context)) { /* counts servers as they were before jobs ended at this instant: Q21 */
        say(servers - world->image->seen_busy, servers, 1, reason);
        return LP_OK;
    }
    LP_TRY(least_degree(context, job, &degree, &need, diag));
    say(free, servers, need, reason);
    return LP_OK;
}

LpErr lp_world_least_degree(const LpWorld *world, const LpContext *base, uint32_t id,
                            uint32_t *degree, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    uint32_t servers;
    *degree = 0; /* published rules leave nothing else to answer */
    if (masked(context))
        return LP_OK;
    return least_degree(context, lp_world_job(world, id), degree, &servers, diag);
}
