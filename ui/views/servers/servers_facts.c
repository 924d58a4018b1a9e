/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps what every server has to do, worked out once per job and placement. */
#include "views/servers/servers_facts.h"

#include <string.h>

#include "base/mem.h"
#include "sim/store/store.h"

static const char *const fill_names[] = {
#define X(id, name) name,
    LP_FLEET_FILL_TABLE(X)
#undef X
};

const char *lp_fleet_fill_name(LpFleetFill fill) {
    return fill_names[fill];
}

void lp_servers_model_fini(LpServersModel *model) {
    lp_fleet_fini(&model->fleet);
    lp_free(model->load);
    lp_free(model->key);
    *model = (LpServersModel){0};
}

static LpErr allocate(LpServersModel *model, uint32_t servers, LpDiag *diag) {
    if (model->load && model->key)
        return LP_OK;
    lp_free(model->load);
    lp_free(model->key);
    model->load = lp_alloc(servers, sizeof *model->load);
    model->key = lp_alloc(servers, sizeof *model->key);
    if (!model->load || !model->key)
        return lp_fail_memory(diag, "the board of servers");
    for (uint32_t s = 0; s < servers; s++)
        model->key[s] = (LpLoadKey){LP_NO_INDEX, LP_NO_INDEX, LP_NO_INDEX};
    return LP_OK;
}

static bool same(const LpLoadKey *a, const LpLoadKey *b) {
    return a->job == b->job && a->partition == b->partition && a->placement == b->placement;
}

/* In another branch, or at another time, some of its servers may have been another job's. */
static void take_in(LpServersModel *model, const LpContext *context, const LpJob *job) {
    const LpPlacement *at = lp_store_placement(context->store, job->placed.placement);
    LpLoadKey key = {job->id, job->placed.partition, job->placed.placement};
    uint32_t known = 0;
    while (known < at->servers && same(&model->key[at->server[known]], &key))
        known++;
    if (known == at->servers)
        return;
    lp_server_loads(context, job->placed.partition, job->placed.placement, model->load);
    for (uint32_t i = 0; i < at->servers; i++)
        model->key[at->server[i]] = key;
}

LpErr lp_servers_model_update(LpServersModel *model, const LpSession *session, LpDiag *diag) {
    const LpContext *context = lp_session_context(session);
    const LpWorld *world = lp_session_world(session);
    LP_TRY(lp_fleet_update(&model->fleet, context, world, diag));
    LP_TRY(allocate(model, lp_world_servers(world), diag));
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        if (job->placed.partition != LP_NO_INDEX && job->placed.placement != LP_NO_INDEX)
            take_in(model, context, job);
    }
    return LP_OK;
}

/* ---- sums ---- */

static void add_job(const LpServersModel *model, const LpWorld *world, uint32_t server,
                    LpServersSum *sum) {
    const LpJob *job = lp_world_job(world, lp_world_server(world, server)->job);
    sum->jobs += sum->jobs == 0 || (sum->jobs == 1 && job->id != sum->job);
    if (!sum->busy++)
        sum->job = job->id;
    bool known = job->placed.partition != LP_NO_INDEX && model->key[server].job == job->id;
    if (known)
        sum->memory += model->load[server].memory;
    if (job->light.dark != LP_JOB_LIT)
        return; /* it stands still */
    if (job->placed.partition == LP_NO_INDEX)
        sum->computes += 1.0;
    else if (known && job->forecast.step_time > 0.0)
        sum->computes += model->load[server].busy / job->forecast.step_time;
}

LpServersSum lp_servers_sum(const LpServersModel *model, const LpSession *session, uint32_t from,
                            uint32_t end) {
    const LpWorld *world = lp_session_world(session);
    const LpCluster *cluster = &lp_session_scenario(session)->cluster;
    LpServersSum sum = {.servers = end - from, .job = LP_NO_INDEX};
    for (uint32_t place = from; place < end; place++) {
        uint32_t s = model->fleet.server[place];
        const LpServer *server = lp_world_server(world, s);
        sum.broken += server->state == LP_SERVER_FAILED;
        sum.free += server->job == LP_NO_INDEX && server->state != LP_SERVER_FAILED;
        sum.has_memory += cluster->type[lp_cluster_type_of(cluster, s)].memory;
        if (server->job != LP_NO_INDEX)
            add_job(model, world, s, &sum);
    }
    return sum;
}

double lp_servers_share(const LpServersSum *sum, LpFleetFill fill) {
    double share = fill == LP_FLEET_FILL_MEMORY
                       ? (sum->has_memory > 0.0 ? sum->memory / sum->has_memory : 0.0)
                   : fill == LP_FLEET_FILL_COMPUTES ? sum->computes / sum->servers
                                                    : (double)sum->busy / sum->servers;
    return share > 1.0 ? 1.0 : share < 0.0 ? 0.0 : share;
}
