/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cube.h"

#include "sim/outages.h"
#include "sim/place/left.h"
#include "sim/place/slice.h"
#include "sim/state/image.h"
#include "sim/world.h"

const char *lp_cube_word(LpCubeState state) {
    static const char *const words[] = {
#define X(id, word) #word,
        LP_CUBE_STATES(X)
#undef X
    };
    return words[state];
}

/* ---- accelerators and hosts ---- */

static bool works(const LpWorld *world, uint32_t accelerator) {
    return lp_world_server(world, accelerator)->state == LP_SERVER_IN_SERVICE;
}

static bool host_works(const LpWorld *world, const LpPodParams *pod, uint32_t first,
                       uint32_t host) {
    uint32_t n = pod->net.cube, across = n / pod->host[2], along = n / pod->host[1];
    uint32_t x0 = host / across / along * pod->host[0];
    uint32_t y0 = host / across % along * pod->host[1], z0 = host % across * pod->host[2];
    for (uint32_t x = x0; x < x0 + pod->host[0]; x++)
        for (uint32_t y = y0; y < y0 + pod->host[1]; y++)
            for (uint32_t z = z0; z < z0 + pod->host[2]; z++)
                if (!works(world, first + (x * n + y) * n + z))
                    return false;
    return true;
}

static void count(const LpWorld *world, const LpPodParams *pod, uint32_t first, LpCube *c) {
    uint32_t n = pod->net.cube, size = n * n * n;
    for (uint32_t a = first; a < first + size; a++) {
        c->up += works(world, a);
        c->free += lp_world_server_free(world, a);
    }
    c->hosts = size / (pod->host[0] * pod->host[1] * pod->host[2]);
    for (uint32_t h = 0; h < c->hosts; h++)
        c->hosts_up += host_works(world, pod, first, h);
}

/* ---- states ---- */

static LpCubeState state_of_job(const LpWorld *world, const LpJob *job) {
    double into = lp_world_now(world) - job->pieces.mounted;
    if (job->light.dark == LP_JOB_HELD)
        return LP_CUBE_HELD;
    if (into < job->pieces.settle_now)
        return LP_CUBE_SETTLING;
    return into < job->pieces.settle_now + job->pieces.restart_now ? LP_CUBE_RESTORING
           : job->slice.drag > 0                                   ? LP_CUBE_SLOW
                                                                   : LP_CUBE_RUNNING;
}

/* Is it among the usable cubes of the highest numbers, as many as are kept back? */
static bool is_kept(const LpWorld *world, const LpContext *context, uint32_t cube) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    uint32_t above = 0;
    if (pod->net.fixed || pod->rules.spares == 0 || !lp_slice_usable(world, context, cube))
        return false;
    for (uint32_t c = pod->net.cubes; c-- > cube + 1 && above < pod->rules.spares;)
        above += lp_slice_usable(world, context, c);
    return above < pod->rules.spares;
}

static LpCubeState state_of(const LpWorld *world, const LpContext *context, const LpCube *c,
                            uint32_t cube, uint32_t held) {
    if (c->up == 0)
        return LP_CUBE_OFF;
    if (c->up < context->fabric.per_rack)
        return LP_CUBE_BROKEN;
    bool goes_on = context->fabric.cluster->pod.fault_tolerant;
    if (!(goes_on ? lp_slice_cabled(world, cube) || c->job != LP_NO_INDEX
                  : lp_slice_lit(world, context, cube)))
        return LP_CUBE_DARK;
    if (c->job != LP_NO_INDEX)
        return state_of_job(world, lp_world_job(world, c->job));
    if (held > 0)
        return LP_CUBE_PART;
    return is_kept(world, context, cube) ? LP_CUBE_KEPT : LP_CUBE_FREE;
}

LpCube lp_world_cube(const LpWorld *world, const LpContext *context, uint32_t cube) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    uint32_t size = context->fabric.per_rack, first = cube * size, held = 0;
    LpCube c = {.job = LP_NO_INDEX, .domain = cube / pod->rules.cubes_per_domain};
    count(world, pod, first, &c);
    for (uint32_t a = first; a < first + size; a++)
        held += lp_world_server(world, a)->job != LP_NO_INDEX;
    uint32_t job = lp_world_server(world, first)->job;
    const LpSlice *slice =
        job != LP_NO_INDEX ? lp_job_slice(context, lp_world_job(world, job)) : NULL;
    if (slice != NULL && slice->cubes > 0)
        c.job = job;
    c.usable = lp_slice_usable(world, context, cube);
    c.state = state_of(world, context, &c, cube, held);
    return c;
}

/* ---- failures ---- */

void lp_outage_cubes(const LpContext *context, const LpOutageEvent *e, uint32_t *first,
                     uint32_t *last) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    uint32_t size = context->fabric.per_rack;
    uint32_t hosts = size / (pod->host[0] * pod->host[1] * pod->host[2]);
    uint32_t cubes = pod->net.cubes, per = pod->rules.cubes_per_domain;
    *first = *last = 0;
    if (e->kind >= LP_OUTAGE_SWITCH) /* no accelerator is down */
        return;
    if (e->kind == LP_OUTAGE_DOMAIN) {
        *first = e->index * per;
        *last = *first + per < cubes ? *first + per : cubes;
        return;
    }
    uint32_t of = e->kind == LP_OUTAGE_CUBE ? 1 : e->kind == LP_OUTAGE_HOST ? hosts : size;
    *first = e->index / of;
    *last = *first + 1;
}

LpErr lp_world_cube_faults(const LpWorld *world, const LpContext *context, uint32_t cube,
                           uint32_t *out) {
    LpImage *m = world->image;
    uint32_t faults = 0;
    for (uint32_t e = 0; context->outages != NULL && e < m->fault; e++) {
        const LpOutageEvent *event;
        uint32_t first, last;
        LP_TRY(lp_outages_at(context, m->seed, e, &event));
        lp_outage_cubes(context, event, &first, &last);
        faults += event->fails && cube >= first && cube < last;
    }
    *out = faults;
    return LP_OK;
}
