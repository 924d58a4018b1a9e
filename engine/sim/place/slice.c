/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices find their places, or the cause why not. */
#include "sim/place/slice.h"
#include "sim/place/left.h"

#include <stdio.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "model/pod/place.h"
#include "sim/state/image.h"

const LpSlice *lp_job_slice(const LpContext *context, const LpJob *job) {
    uint32_t row = job->slice.shape > 0 ? job->slice.shape : job->slice.row;
    return row > 0 ? &context->scenario->slice[row - 1].slice : NULL;
}

uint32_t lp_slice_row(const LpContext *context, const LpSlice *slice) {
    const LpScenario *scenario = context->scenario;
    for (uint32_t i = 0; i < scenario->shapes; i++)
        if (lp_slice_same(&scenario->slice[i].slice, slice))
            return i + 1;
    return 0;
}

double lp_slice_settle(const LpContext *context, const LpJob *job) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    const LpSlice *slice = lp_job_slice(context, job);
    return slice != NULL && lp_slice_circuits(&pod->net, slice) > 0 ? pod->settle : 0;
}

/* ---- what a search looks at ---- */

static uint32_t cube_size(const LpSliceView *v) {
    return v->context->fabric.per_rack;
}

static bool has(const void *context, uint32_t accelerator) {
    const LpSliceView *v = context;
    if (v->world == NULL)
        return true;
    if (v->mended)
        return lp_world_server(v->world, accelerator)->job == LP_NO_INDEX;
    return lp_room_has(lp_world_room(v->world), accelerator);
}

static uint32_t free_in(const void *context, uint32_t cube) {
    const LpSliceView *v = context;
    uint32_t n = cube_size(v), free = 0;
    if (v->world != NULL && !v->mended)
        return lp_room_count(lp_world_room(v->world), cube * n, (cube + 1) * n);
    for (uint32_t a = cube * n; a < (cube + 1) * n; a++)
        free += has(v, a);
    return free;
}

static bool usable(const void *context, uint32_t cube) {
    const LpSliceView *v = context;
    bool any = v->mended || v->world == NULL || v->context->fabric.cluster->pod.fault_tolerant;
    return free_in(v, cube) == cube_size(v) && (any || lp_slice_lit(v->world, v->context, cube));
}

bool lp_slice_usable(const LpWorld *world, const LpContext *context, uint32_t cube) {
    LpSliceView view = {context, world, false};
    return usable(&view, cube);
}

LpPodSite lp_slice_site(const LpSliceView *view) {
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
    LpSliceView mended = {context, world, true};
    LpPodSite site = lp_slice_site(&mended);
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
    LpSliceView view = {context, world, false};
    LpPodSite site = lp_slice_site(&view);
    char name[LP_SLICE_TEXT];
    LpCause cause = never_fits(context, slice, reason);
    if (cause == LP_CAUSE_NONE && !lp_pod_place(&site, slice, room))
        cause = no_place(context, world, slice, room, reason);
    LP_DEBUG(context->log, SLICE, 2, "would slice %s fit: %s", lp_slice_name(slice, name),
             cause == LP_CAUSE_NONE ? "yes" : lp_cause_code(cause));
    return cause;
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
    out->slice = job->slice.shape > 0 ? job->slice.shape : job->slice.row;
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

static LpCause refuse_cube(char *reason, uint32_t cube, const char *why) {
    snprintf(reason, LP_DIAG_TEXT, "place: cube %u %s", cube, why);
    return LP_CAUSE_REFUSED;
}

/* Any usable cubes in any order, cube by cube of the slice: switched wiring, whole cubes. */
static LpCause take_cubes(const LpPodSite *site, const LpSlice *s, const LpAnswer *answer,
                          uint32_t *out, char *reason) {
    uint32_t cubes[LP_POD_ACCELERATORS_MAX / 8];
    lp_pod_cubes_of(site->pod, s, answer->server, cubes);
    for (uint32_t o = 0; o < s->cubes; o++) {
        if (cubes[o] >= site->pod->cubes)
            return refuse_cube(reason, cubes[o], "does not exist");
        for (uint32_t i = 0; i < o; i++)
            if (cubes[i] == cubes[o])
                return refuse_cube(reason, cubes[o], "is named twice");
        if (!site->usable(site->context, cubes[o]))
            return refuse_cube(reason, cubes[o], "is not usable: held, broken or without light");
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

/* A box that is free: static wiring, or a part of a cube. */
static LpCause take_box(const LpPodSite *site, const LpSlice *s, const LpAnswer *answer,
                        uint32_t *out, char *reason) {
    char name[LP_SLICE_TEXT];
    LpPodBox box;
    if (!lp_pod_box_find(site->pod, s, answer->server, &box)) {
        snprintf(reason, LP_DIAG_TEXT,
                 "place: the servers answered are no box for slice %s, expected those of a place "
                 "from cluster:slices",
                 lp_slice_name(s, name));
        return LP_CAUSE_REFUSED;
    }
    if (!lp_pod_box_open(site, s, &box)) {
        snprintf(reason, LP_DIAG_TEXT,
                 "place: the box of %ux%ux%u at %u, %u, %u %s is not usable: part of it is held or "
                 "broken",
                 box.size[0], box.size[1], box.size[2], box.origin[0], box.origin[1], box.origin[2],
                 s->cubes > 0 ? "of the grid" : "of its cube");
        return LP_CAUSE_REFUSED;
    }
    lp_pod_box_lay(site->pod, s, &box, out);
    return LP_CAUSE_NONE;
}

static LpCause take_answer(const LpPodSite *site, const LpSlice *s, const LpAnswer *answer,
                           uint32_t *out, char *reason) {
    if (answer->servers != s->accelerators) {
        snprintf(reason, LP_DIAG_TEXT,
                 "place: %u servers answered, expected all %u of a slice, or none", answer->servers,
                 s->accelerators);
        return LP_CAUSE_REFUSED;
    }
    return s->cubes > 0 && !site->pod->fixed ? take_cubes(site, s, answer, out, reason)
                                             : take_box(site, s, answer, out, reason);
}

/* The cubes of a slice as it was placed, or why it was not. */
static void say_slice(const LpContext *context, const LpJob *job, const uint32_t *servers,
                      LpCause cause, const char *reason) {
    uint32_t cube[LP_DEBUG_SHOWN], shown = 0, size = context->fabric.per_rack;
    const LpSlice *slice = lp_job_slice(context, job);
    char name[LP_SLICE_TEXT], cubes[LP_DEBUG_NUMBERS];
    lp_slice_name(slice, name);
    if (cause != LP_CAUSE_NONE) {
        lp_debug_line(context->log, LP_DEBUG_SLICE, 1, "none job %u slice %s cause %s: %s", job->id,
                      name, lp_cause_code(cause), reason);
        return;
    }
    for (uint32_t i = 0; i < slice->accelerators && shown < LP_DEBUG_SHOWN; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < shown; k++)
            seen = seen || cube[k] == servers[i] / size;
        if (!seen)
            cube[shown++] = servers[i] / size;
    }
    lp_debug_line(context->log, LP_DEBUG_SLICE, 1, "found job %u slice %s cubes%s%s", job->id, name,
                  lp_debug_numbers(cube, shown, cubes), slice->cubes > shown ? " and more" : "");
}

/* lp_place_slice as far as its servers, in scratch->server. */
static LpCause take_place(LpPlaceScratch *scratch, const LpContext *context, const LpWorld *world,
                          const LpJob *job, const LpAnswer *answer, bool *never, char *reason) {
    const LpSlice *slice = lp_job_slice(context, job);
    LpSliceView view = {context, world, false};
    LpPodSite site = lp_slice_site(&view);
    LP_ASSERT(slice != NULL);
    LpCause cause = never_fits(context, slice, reason);
    *never = cause != LP_CAUSE_NONE;
    if (*never)
        return cause;
    if (answer != NULL && answer->servers > 0)
        return take_answer(&site, slice, answer, scratch->server, reason);
    if (!lp_pod_place(&site, slice, scratch->server))
        return no_place(context, world, slice, scratch->server, reason);
    return LP_CAUSE_NONE;
}

LpCause lp_place_slice(LpPlaceScratch *scratch, const LpContext *context, const LpWorld *world,
                       const LpJob *job, const LpPartition *partition, const LpAnswer *answer,
                       LpPlacement *out, bool *never, char reason[LP_DIAG_TEXT], LpErr *err) {
    *err = LP_OK;
    LpCause cause = take_place(scratch, context, world, job, answer, never, reason);
    if (lp_debug_on(context->log, LP_DEBUG_SLICE, 1))
        say_slice(context, job, scratch->server, cause, reason);
    if (cause != LP_CAUSE_NONE)
        return cause;
    if (partition != NULL)
        return cut(scratch, context, job, partition, out, reason, err);
    fill(scratch, lp_job_slice(context, job), out);
    return LP_CAUSE_NONE;
}
