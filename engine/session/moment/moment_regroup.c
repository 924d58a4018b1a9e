/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a regrouping. */
#include "session/moment/moment_regroup.h"

#include <stdlib.h>

#include "base/mem.h"
#include "sim/light/circuits.h"

typedef struct Plan {
    const LpSession *s;
    const LpOcsParams *ocs;
    const LpSchedule *now;
    const LpJob **job;
    uint32_t jobs;
    uint32_t *room; /* ports left, per aggregator */
    LpRegroupLink *link;
    uint32_t links;
} Plan;

static int compare_jobs(const void *a, const void *b) {
    const LpJob *const *x = a, *const *y = b;
    if ((*x)->placed.servers != (*y)->placed.servers)
        return (*x)->placed.servers > (*y)->placed.servers ? -1 : 1;
    return (*x)->id < (*y)->id ? -1 : 1;
}

static bool hangs_at(const Plan *p, uint32_t server, uint32_t aggregator) {
    for (uint32_t i = 0; i < p->ocs->ports; i++) {
        uint32_t out = p->now->to[i];
        if (p->ocs->plug[i].node == server && out != LP_DARK &&
            p->ocs->plug[out].node == p->ocs->servers + aggregator)
            return true;
    }
    return false;
}

static uint32_t choose(const Plan *p, const LpPlacement *placement) {
    uint32_t best = LP_NO_INDEX, most = 0;
    for (uint32_t a = 0; a < p->ocs->aggregators; a++) {
        uint32_t here = 0;
        for (uint32_t i = 0; i < placement->servers; i++)
            here += hangs_at(p, placement->server[i], a);
        bool more =
            best == LP_NO_INDEX || here > most || (here == most && p->room[a] > p->room[best]);
        if (p->room[a] < placement->servers || !more)
            continue;
        best = a;
        most = here;
    }
    return best;
}

static void plan_job(Plan *p, const LpJob *job) {
    if (job->placed.placement == LP_NO_INDEX)
        return;
    const LpPlacement *placement =
        lp_store_placement(lp_session_context(p->s)->store, job->placed.placement);
    uint32_t aggregator = choose(p, placement);
    if (aggregator == LP_NO_INDEX)
        return;
    p->room[aggregator] -= job->placed.servers;
    for (uint32_t i = 0; i < placement->servers; i++)
        if (!hangs_at(p, placement->server[i], aggregator))
            p->link[p->links++] = (LpRegroupLink){true, placement->server[i], aggregator};
}

static void plan(Plan *p) {
    const LpWorld *world = lp_session_world(p->s);
    for (uint32_t i = 0; i < p->ocs->ports; i++)
        if (p->ocs->plug[i].node >= p->ocs->servers)
            p->room[p->ocs->plug[i].node - p->ocs->servers]++;
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id))
        p->job[p->jobs++] = lp_world_job(world, id);
    if (p->jobs > 0)
        qsort(p->job, p->jobs, sizeof(const LpJob *), compare_jobs);
    for (uint32_t i = 0; i < p->jobs; i++)
        plan_job(p, p->job[i]);
}

LpErr lp_regroup_links(const LpSession *s, LpRegroupLink **out, uint32_t *count, LpDiag *diag) {
    const LpWorld *world = lp_session_world(s);
    Plan p = {.s = s,
              .ocs = &lp_session_scenario(s)->cluster.ocs,
              .now = lp_world_schedule(world, lp_session_context(s))};
    if (p.now == NULL || p.ocs->aggregators == 0)
        return lp_fail(diag, LP_ESTATE,
                       "there is nothing to regroup: expected the fabric ocs with aggregators");
    p.job = lp_alloc(lp_world_tally(world)->running, sizeof(const LpJob *));
    p.room = lp_alloc(p.ocs->aggregators, sizeof *p.room);
    p.link = lp_alloc(p.ocs->servers, sizeof *p.link);
    bool ok = p.job != NULL && p.room != NULL && p.link != NULL;
    if (ok)
        plan(&p);
    lp_free(p.job);
    lp_free(p.room);
    if (!ok) {
        lp_free(p.link);
        return lp_fail_memory(diag, "a regrouping");
    }
    *out = p.link;
    *count = p.links;
    return LP_OK;
}
