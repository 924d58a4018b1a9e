/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the view of a pod needs to know: whose slice is shown and what its links carry, other
 * shapes, what can be rented while hosts fail. Each is worked out only where it is looked at. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "model/pod/place.h"
#include "session/pod/loads.h"
#include "sim/place/slice.h"
#include "views/pod/pod_view_impl.h"

const LpSlice *lp_pod_slice_of(const LpModel *model, const LpJob *job) {
    return lp_job_slice(model->context, job);
}

const LpPod *lp_pod_of(const LpModel *model) {
    return &model->context->fabric.cluster->pod.net;
}

/* ---- whose slice ---- */

static int place_of(const LpModel *model, uint32_t job) {
    for (uint32_t i = 0; i < model->running_count; i++)
        if (model->running[i].job->id == job)
            return (int)i;
    return -1;
}

/* Whole cubes have seams, parts have none. */
static const LpJob *first_job(const LpModel *model) {
    const LpJob *part = NULL;
    for (uint32_t i = 0; i < model->running_count; i++) {
        const LpSlice *slice = lp_pod_slice_of(model, model->running[i].job);
        if (slice != NULL && slice->cubes > 0)
            return model->running[i].job;
        part = slice != NULL && part == NULL ? model->running[i].job : part;
    }
    return part;
}

static const LpJob *job_of(const LpModel *model) {
    uint32_t chosen = lp_pod_state(model)->job;
    int place = chosen > 0 ? place_of(model, chosen - 1) : -1;
    if (place < 0 && model->focus != LP_NO_INDEX)
        place = place_of(model, model->focus);
    if (place >= 0 && lp_pod_slice_of(model, model->running[place].job) != NULL)
        return model->running[place].job;
    const LpJob *first = first_job(model);
    if (first == NULL && model->decision.job != LP_NO_INDEX)
        first = lp_world_job(model->world, model->decision.job);
    return first;
}

uint32_t lp_pod_next_job(const LpModel *model, int by) {
    const LpPodSlice *shown = &lp_pod_facts(model)->shown;
    int count = (int)model->running_count, at = place_of(model, shown->job);
    for (int i = 0; i < count; i++) {
        at = ((at < 0 && by < 0 ? 0 : at) + (by < 0 ? -1 : 1) + count) % count;
        if (lp_pod_slice_of(model, model->running[at].job) != NULL)
            return 1 + model->running[at].job->id;
    }
    return 0;
}

static LpErr find_cubes(const LpModel *model, const LpJob *job, LpPodSlice *out, LpDiag *diag) {
    const LpPlacement *p = job->placed.placement == LP_NO_INDEX
                               ? NULL
                               : lp_store_placement(model->context->store, job->placed.placement);
    lp_free(out->cubes);
    out->cubes = NULL;
    if (p != NULL && place_of(model, job->id) >= 0)
        out->lies = lp_pod_slice_on(lp_pod_of(model), &out->lies, p->server);
    out->home = p != NULL ? p->server[0] / model->board.per_rack : LP_NO_INDEX;
    if (p == NULL || out->slice->cubes == 0 || place_of(model, job->id) < 0)
        return LP_OK;
    out->cubes = lp_alloc(out->slice->cubes, sizeof *out->cubes);
    if (out->cubes == NULL)
        return lp_fail_memory(diag, "the cubes of a slice");
    lp_pod_cubes_of(lp_pod_of(model), out->slice, p->server, out->cubes);
    return LP_OK;
}

static LpErr loads_of(const LpPod *pod, LpPodSlice *s, LpDiag *diag) {
    LpPodNet net;
    LP_TRY(lp_pod_net(pod, s->slice, NULL, 0, &net, diag));
    LpErr err = lp_slice_loads(pod, s->slice, &net, s->load, diag);
    lp_pod_net_fini(&net);
    return err == LP_OK ? lp_slice_measure(pod, s->slice, 1e9, &s->is, diag) : err;
}

static LpErr find_loads(const LpModel *model, LpPodSlice *s, LpDiag *diag) {
    const LpSlice *slice = s->slice;
    bool open = !slice->closed[0] || !slice->closed[1] || !slice->closed[2];
    if (s->in == model->context && lp_slice_same(&s->of, slice) &&
        memcmp(s->of.closed, slice->closed, sizeof slice->closed) == 0)
        return LP_OK;
    lp_free(s->load);
    s->load = NULL;
    s->of = *slice;
    s->in = model->context;
    if (slice->misfit != LP_SLICE_FITS || (open && slice->accelerators > LP_POD_SHAPE_OPEN_MOST))
        return LP_OK;
    s->load = lp_alloc(6 * (size_t)slice->accelerators, sizeof *s->load);
    if (s->load == NULL)
        return lp_fail_memory(diag, "the links of a slice");
    LpErr err = loads_of(lp_pod_of(model), s, diag);
    if (err != LP_OK) {
        lp_free(s->load);
        s->load = NULL;
        s->in = NULL;
    }
    return err;
}

static LpErr find_slice(const LpModel *model, LpPodSlice *s, LpDiag *diag) {
    const LpJob *job = job_of(model);
    const LpSlice *slice = job != NULL ? lp_pod_slice_of(model, job) : NULL;
    s->slice = slice != NULL ? &s->lies : NULL;
    s->job = slice != NULL ? job->id : LP_NO_INDEX;
    if (slice == NULL)
        return LP_OK;
    s->lies = *slice;
    LP_TRY(find_cubes(model, job, s, diag));
    return find_loads(model, s, diag);
}

/* ---- other shapes ---- */

static bool same_moment(LpMoment a, LpMoment b) {
    return a.branch == b.branch && a.step == b.step;
}

static LpErr find_shapes(const LpModel *model, LpPodFacts *f, LpDiag *diag) {
    uint32_t job = model->decision.job;
    const LpSlice *slice =
        job == LP_NO_INDEX ? NULL : lp_pod_slice_of(model, lp_world_job(model->world, job));
    if (f->shapes_known && same_moment(f->shapes_at, model->time.moment) && f->shapes_job == job)
        return LP_OK;
    lp_free(f->shape);
    f->shape = NULL;
    f->shapes = 0;
    f->shapes_known = false;
    if (slice != NULL)
        LP_TRY(
            lp_pod_shapes(model->world, model->context, slice, 1e9, &f->shape, &f->shapes, diag));
    f->shapes_job = slice != NULL ? job : LP_NO_INDEX;
    f->shapes_at = model->time.moment;
    f->shapes_known = true;
    return LP_OK;
}

/* ---- what can be rented ---- */

enum { HOST = 4 /* accelerators of a host, where a cube has that many */ };

uint32_t lp_pod_part(const LpModel *model, uint32_t part) {
    uint32_t cubes = lp_pod_of(model)->cubes, of = (part + 1) * cubes / LP_POD_PARTS;
    return of > 0 ? of : 1;
}

/* From one host in ten thousand to one in twenty: the axis counts factors. */
double lp_pod_down(double share) {
    return 1e-4 * pow(500, share);
}

static LpErr supply_at(const LpModel *model, uint32_t at, LpDiag *diag) {
    LpPodFacts *f = lp_pod_facts(model);
    const LpPod *pod = lp_pod_of(model);
    uint32_t size = pod->cube * pod->cube * pod->cube;
    for (uint32_t part = 0; part < LP_POD_PARTS; part++) {
        LpPodSupply supply = {.cubes = pod->cubes,
                              .of = lp_pod_part(model, part),
                              .hosts = size > HOST ? size / HOST : 1,
                              .up = 1 - lp_pod_down(at / (double)(LP_POD_POINTS - 1)),
                              .share = 0.97};
        LP_TRY(lp_pod_capacity(&supply, &f->switched[part][at], &f->fixed[part][at], diag));
    }
    return LP_OK;
}

LpErr lp_pod_supply(const LpModel *model, uint32_t points, LpDiag *diag) {
    LpPodFacts *f = lp_pod_facts(model);
    for (; points > 0 && f->supplied < LP_POD_POINTS; points--) {
        LP_TRY(supply_at(model, f->supplied, diag));
        f->supplied++;
    }
    return LP_OK;
}

static LpErr find_run(const LpModel *model, LpPodFacts *f, LpDiag *diag) {
    if (f->run_known && same_moment(f->run_at, model->time.moment))
        return LP_OK;
    if (f->run_known)
        lp_slices_fini(&f->run);
    f->run_known = false;
    LP_TRY(lp_slices_summary(model->world, model->context, &f->run, diag));
    f->run_known = true;
    f->run_at = model->time.moment;
    return LP_OK;
}

static LpErr find_supply(const LpModel *model, LpPodFacts *f, LpDiag *diag) {
    if (f->supply_in != model->context)
        f->supplied = 0;
    f->supply_in = model->context;
    LP_TRY(find_run(model, f, diag));
    return model->ui->at_once ? lp_pod_supply(model, LP_POD_POINTS, diag) : LP_OK;
}

/* ---- all of it ---- */

LpErr lp_pod_update(LpModel *model, LpSession *session LP_UNUSED, LpDiag *diag) {
    LpPodFacts *f = lp_pod_facts(model);
    if (!lp_pod_is(model))
        return LP_OK;
    switch (lp_pod_state(model)->look) {
    case LP_POD_SHAPES:
        return find_shapes(model, f, diag);
    case LP_POD_SUPPLY:
        return find_supply(model, f, diag);
    default:
        return find_slice(model, &f->shown, diag);
    }
}

void lp_pod_drop(void *facts) {
    LpPodFacts *f = facts;
    lp_free(f->shown.cubes);
    lp_free(f->shown.load);
    lp_free(f->shape);
    if (f->run_known)
        lp_slices_fini(&f->run);
    *f = (LpPodFacts){0};
}
