/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every shape of a number of accelerators: what it is good for, and whether it fits now. */
#include "session/pod/shapes.h"

#include <math.h>

#include "base/mem.h"
#include "model/pod/place.h"
#include "sim/place/slice.h"

typedef struct Search {
    const LpWorld *world;
    const LpContext *context;
    const LpPod *pod;
    const LpSlice *asked;
    double bytes;
    uint32_t *room; /* of a place */
    LpPodShape *shape;
    uint32_t count;
} Search;

static LpErr measure(Search *s, const LpSlice *slice, LpSlicePrediction *out, LpDiag *diag) {
    bool open = !slice->closed[0] || !slice->closed[1] || !slice->closed[2];
    if (slice->misfit == LP_SLICE_FITS && !(open && slice->accelerators > LP_POD_SHAPE_OPEN_MOST))
        return lp_slice_measure(s->pod, slice, s->bytes, out, diag);
    *out = (LpSlicePrediction){.pod = *s->pod, .slice = *slice, .bytes = s->bytes};
    out->load = out->gain = out->all_to_all_time = out->all_reduce_time = (double)NAN;
    out->cross_connects = lp_slice_circuits(s->pod, slice);
    return LP_OK;
}

static LpErr add(Search *s, const LpSlice *slice, LpDiag *diag) {
    LpPodShape *shape = &s->shape[s->count];
    *shape = (LpPodShape){.asked = lp_slice_same(slice, s->asked)};
    LP_TRY(measure(s, slice, &shape->is, diag));
    shape->cause = lp_slice_fits(s->world, s->context, slice, s->room, shape->why);
    s->count++;
    return LP_OK;
}

static LpErr search(Search *s, LpDiag *diag) {
    uint32_t all = s->asked->accelerators, count = lp_slice_shapes(all, s->pod, NULL, 0);
    LpSlice *slice = lp_alloc((size_t)count + 1, sizeof *slice);
    s->shape = lp_alloc((size_t)count + 1, sizeof *s->shape);
    LpErr err =
        slice != NULL && s->shape != NULL ? LP_OK : lp_fail_memory(diag, "shapes of a slice");
    if (err == LP_OK)
        (void)lp_slice_shapes(all, s->pod, slice, count);
    for (uint32_t i = 0; i < count && err == LP_OK; i++)
        err = add(s, &slice[i], diag);
    lp_free(slice);
    return err;
}

LpErr lp_pod_shapes(const LpWorld *world, const LpContext *context, const LpSlice *asked,
                    double bytes, LpPodShape **out, uint32_t *count, LpDiag *diag) {
    Search s = {.world = world,
                .context = context,
                .pod = &context->fabric.cluster->pod.net,
                .asked = asked,
                .bytes = bytes,
                .room = lp_alloc(asked->accelerators, sizeof *s.room)};
    LpErr err = s.room != NULL ? search(&s, diag) : lp_fail_memory(diag, "shapes of a slice");
    lp_free(s.room);
    if (err != LP_OK) {
        lp_free(s.shape);
        return err;
    }
    *out = s.shape;
    *count = s.count;
    return LP_OK;
}
