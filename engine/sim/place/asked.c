/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/place/asked.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

LpTreeAsk lp_job_tree_ask(const LpContext *context, const LpJob *job) {
    const LpScenario *scenario = context->scenario;
    if (job->asked.spec < scenario->jobs)
        return scenario->job[job->asked.spec].place;
    return scenario->has_generator && job->asked.spec != LP_SPEC_ANYWHERE
               ? scenario->generator.place
               : (LpTreeAsk){0, 0, 0};
}

static const LpTree *tree_of(const LpContext *context) {
    return context->fabric.cluster->tree;
}

uint32_t lp_tree_fits_now(const LpContext *context, const LpWorld *world, const LpTreeAsk *ask,
                          uint32_t n, LpTreePick pick, uint32_t *room) {
    const LpTree *tree = tree_of(context);
    if (n == 0 || (ask->segment > 0 && n % ask->segment != 0))
        return LP_NO_NODE;
    lp_tree_room(tree, world != NULL ? lp_world_nodes(world) : NULL, ask->segment, room);
    return lp_tree_fit(tree, room, ask, n, pick);
}

bool lp_tree_servers(const LpContext *context, const LpWorld *world, const LpTreeAsk *ask,
                     uint32_t n, LpTreePick pick, uint32_t *room, uint32_t *take,
                     uint32_t *server) {
    const LpTree *tree = tree_of(context);
    uint32_t node = lp_tree_fits_now(context, world, ask, n, pick, room), count = 0;
    if (node == LP_NO_NODE)
        return false;
    memset(take, 0, tree->nodes * sizeof *take);
    lp_tree_fill(tree, room, node, n, pick, take);
    for (uint32_t i = 0; i < tree->level_begin[1]; i++) {
        uint32_t left = take[i];
        for (uint32_t k = tree->member_begin[i]; left > 0; k++) {
            uint32_t s = tree->member[k];
            if (world != NULL && !lp_world_server_free(world, s))
                continue;
            server[count++] = s;
            left--;
        }
    }
    return true;
}

LpCause lp_tree_no_place(const LpContext *context, const LpWorld *world, const LpTreeAsk *ask,
                         uint32_t n, char reason[LP_DIAG_TEXT]) {
    const LpTree *tree = tree_of(context);
    uint32_t free = world != NULL ? lp_world_free_servers(world) : tree->servers;
    char level[80], segments[64] = "";
    if (ask->segment > 0)
        snprintf(segments, sizeof segments, " in segments of %u", ask->segment);
    if (ask->required > 0)
        snprintf(reason, LP_DIAG_TEXT, "no place: %u server%s needed%s in one %s, %u free in all",
                 n, n == 1 ? "" : "s", segments,
                 lp_str_show(level, sizeof level, tree->level_name[ask->required - 1]), free);
    else
        snprintf(reason, LP_DIAG_TEXT, "no place: %u server%s needed%s, %u free", n,
                 n == 1 ? "" : "s", segments, free);
    return LP_CAUSE_NO_PLACEMENT;
}
