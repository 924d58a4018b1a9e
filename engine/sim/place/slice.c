/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices find their places, or the cause why not. */
#include "sim/place/slice.h"

#include <stdio.h>

#include "base/assert.h"
#include "sim/state/image.h"

const LpSlice *lp_job_slice(const LpContext *context, const LpJob *job) {
    return job->slice > 0 ? &context->scenario->slice[job->slice - 1].slice : NULL;
}

double lp_slice_settle(const LpContext *context, const LpJob *job) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    const LpSlice *slice = lp_job_slice(context, job);
    return slice != NULL && lp_slice_circuits(&pod->net, slice) > 0 ? pod->settle : 0;
}

/* ---- what a search looks at ---- */

/* World NULL: an empty pod. `mended`: as if nothing were broken. */
typedef struct View {
    const LpContext *context;
    const LpWorld *world;
    bool mended;
} View;

static uint32_t cube_size(const View *v) {
    return v->context->fabric.per_rack;
}

static bool has(const void *context, uint32_t accelerator) {
    const View *v = context;
    if (v->world == NULL)
        return true;
    if (v->mended)
        return lp_world_server(v->world, accelerator)->job == LP_NO_INDEX;
    return lp_room_has(lp_world_room(v->world), accelerator);
}

static uint32_t free_in(const void *context, uint32_t cube) {
    const View *v = context;
    uint32_t n = cube_size(v), free = 0;
    if (v->world != NULL && !v->mended)
        return lp_room_count(lp_world_room(v->world), cube * n, (cube + 1) * n);
    for (uint32_t a = cube * n; a < (cube + 1) * n; a++)
        free += has(v, a);
    return free;
}

/* Dead cables and switches are beside the accelerators. */
static bool lit(const View *v, uint32_t cube) {
    LpImage *m = v->world != NULL && !v->mended ? v->world->image : NULL;
    const uint16_t *dead = m != NULL && m->covers > 0 ? lp_image_cover(m) + m->servers : NULL;
    return dead == NULL || (dead[cube] == 0 && dead[m->covers - m->servers - 1] == 0);
}

static bool usable(const void *context, uint32_t cube) {
    return free_in(context, cube) == cube_size(context) && lit(context, cube);
}

bool lp_slice_usable(const LpWorld *world, const LpContext *context, uint32_t cube) {
    View view = {context, world, false};
    return usable(&view, cube);
}

static LpPodSite site_of(const View *view) {
    const LpPodParams *pod = &view->context->fabric.cluster->pod;
    return (LpPodSite){.pod = &pod->net,
                       .rules = pod->rules,
                       .context = view,
                       .usable = usable,
                       .free = free_in,
                       .has = has};
}

/* ---- causes ---- */

static LpCause never_fits(const LpContext *context, const LpSlice *s, char *reason) {
    const LpPod *pod = &context->fabric.cluster->pod.net;
    char name[LP_SLICE_TEXT];
    if (s->misfit == LP_SLICE_TOO_LARGE) {
        snprintf(reason, LP_DIAG_TEXT, "slice %s needs %u cubes, the pod has %u",
                 lp_slice_name(s, name), s->cubes, pod->cubes);
        return LP_CAUSE_RESOURCE;
    }
    if (s->misfit == LP_SLICE_NO_BOX) {
        snprintf(reason, LP_DIAG_TEXT, "slice %s is no box of the grid of %ux%ux%u cubes",
                 lp_slice_name(s, name), pod->grid[0], pod->grid[1], pod->grid[2]);
        return LP_CAUSE_SHAPE;
    }
    uint32_t kept = context->fabric.cluster->pod.rules.spares;
    if (s->cubes == 0 || s->cubes + kept <= pod->cubes)
        return LP_CAUSE_NONE;
    snprintf(reason, LP_DIAG_TEXT, "slice %s needs %u cubes, the pod has %u and keeps %u back",
             lp_slice_name(s, name), s->cubes, pod->cubes, kept);
    return LP_CAUSE_RESOURCE;
}

/* Accelerators that nobody holds, broken or not, less those that are kept back. */
static uint32_t not_held(const LpContext *context, const LpWorld *world, const LpSlice *s) {
    uint32_t free = context->fabric.servers;
    uint32_t kept = context->fabric.cluster->pod.rules.spares * context->fabric.per_rack;
    free -= world != NULL ? lp_world_tally(world)->busy_servers : 0;
    if (s->cubes == 0)
        return free;
    return free > kept ? free - kept : 0;
}

static LpCause no_place(const LpContext *context, const LpWorld *world, const LpSlice *s,
                        uint32_t *out, char *reason) {
    uint32_t open = not_held(context, world, s);
    View mended = {context, world, true};
    LpPodSite site = site_of(&mended);
    char name[LP_SLICE_TEXT];
    lp_slice_name(s, name);
    if (open < s->accelerators) {
        snprintf(reason, LP_DIAG_TEXT, "slice %s needs %u accelerators, %u are not held", name,
                 s->accelerators, open);
        return LP_CAUSE_RESOURCE;
    }
    if (lp_pod_place(&site, s, out)) {
        snprintf(reason, LP_DIAG_TEXT, "slice %s would have a place if nothing were broken", name);
        return LP_CAUSE_BROKEN;
    }
    snprintf(reason, LP_DIAG_TEXT,
             "slice %s finds no place of its shape among %u accelerators that are not held", name,
             open);
    return LP_CAUSE_SHAPE;
}

LpCause lp_slice_fits(const LpWorld *world, const LpContext *context, const LpSlice *slice,
                      uint32_t *room, char reason[LP_DIAG_TEXT]) {
    View view = {context, world, false};
    LpPodSite site = site_of(&view);
    LpCause cause = never_fits(context, slice, reason);
    if (cause != LP_CAUSE_NONE || lp_pod_place(&site, slice, room))
        return cause;
    return no_place(context, world, slice, room, reason);
}

/* ---- placing ---- */

static LpShape shape_of(const LpSlice *slice) {
    return (LpShape){slice->extent[0], slice->extent[1], slice->extent[2], false};
}

/* A job with a graph uses the first servers of its slice, in slice order. */
static LpCause cut(LpPlaceScratch *s, const LpContext *context, const LpJob *job,
                   const LpPartition *partition, LpPlacement *out, char *reason, LpErr *err) {
    const LpSlice *slice = lp_job_slice(context, job);
    LpCause cause =
        lp_place_on(s, context, partition, s->server, slice->accelerators, out, reason, err);
    if (cause != LP_CAUSE_NONE || *err != LP_OK)
        return cause;
    out->shape = shape_of(slice);
    out->slice = job->slice;
    return cause;
}

static void fill(LpPlaceScratch *s, const LpSlice *slice, LpPlacement *out) {
    s->groups = 0;
    s->group_begin[0] = 0;
    *out = (LpPlacement){.op_group = s->op_group,
                         .group_begin = s->group_begin,
                         .group_server = s->group_server,
                         .servers = slice->accelerators,
                         .server = s->server,
                         .shape = shape_of(slice)};
}

/* Any usable cubes in any order, cube by cube of the slice: switched wiring, whole cubes. */
static LpCause take_answer(const LpPodSite *site, const LpSlice *s, const LpAnswer *answer,
                           uint32_t *out, char *reason) {
    uint32_t cubes[LP_POD_ACCELERATORS_MAX / 8];
    if (s->cubes == 0 || site->pod->fixed || answer->servers != s->accelerators) {
        snprintf(reason, LP_DIAG_TEXT,
                 "place: %u servers answered, expected all %u of a slice of whole cubes on "
                 "switched wiring, or none",
                 answer->servers, s->accelerators);
        return LP_CAUSE_REFUSED;
    }
    lp_pod_cubes_of(site->pod, s, answer->server, cubes);
    for (uint32_t o = 0; o < s->cubes; o++) {
        bool again = false;
        for (uint32_t i = 0; i < o; i++)
            again = again || cubes[i] == cubes[o];
        if (!again && cubes[o] < site->pod->cubes && site->usable(site->context, cubes[o]))
            continue;
        snprintf(reason, LP_DIAG_TEXT, "place: cube %u %s", cubes[o],
                 again                          ? "is named twice"
                 : cubes[o] >= site->pod->cubes ? "does not exist"
                                                : "is not usable: held, broken or without light");
        return LP_CAUSE_REFUSED;
    }
    lp_pod_lay(site->pod, s, cubes, out);
    for (uint32_t i = 0; i < s->accelerators; i++)
        if (answer->server[i] != out[i]) {
            snprintf(reason, LP_DIAG_TEXT,
                     "place: server %u answered at %u, expected %u: a slice takes its cubes whole "
                     "and in slice order",
                     answer->server[i], i, out[i]);
            return LP_CAUSE_REFUSED;
        }
    return LP_CAUSE_NONE;
}

LpCause lp_place_slice(LpPlaceScratch *scratch, const LpContext *context, const LpWorld *world,
                       const LpJob *job, const LpPartition *partition, const LpAnswer *answer,
                       LpPlacement *out, bool *never, char reason[LP_DIAG_TEXT], LpErr *err) {
    const LpSlice *slice = lp_job_slice(context, job);
    View view = {context, world, false};
    LpPodSite site = site_of(&view);
    LP_ASSERT(slice != NULL);
    *err = LP_OK;
    LpCause cause = never_fits(context, slice, reason);
    *never = cause != LP_CAUSE_NONE;
    if (*never)
        return cause;
    if (answer != NULL && answer->servers > 0) {
        cause = take_answer(&site, slice, answer, scratch->server, reason);
        if (cause != LP_CAUSE_NONE)
            return cause;
    } else if (!lp_pod_place(&site, slice, scratch->server)) {
        return no_place(context, world, slice, scratch->server, reason);
    }
    if (partition != NULL)
        return cut(scratch, context, job, partition, out, reason, err);
    fill(scratch, slice, out);
    return LP_CAUSE_NONE;
}
