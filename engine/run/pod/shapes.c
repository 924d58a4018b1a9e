/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every shape of a number of accelerators: what it is good for, and whether it fits now. */
#include "run/pod/shapes.h"

#include <math.h>
#include <stdio.h>

#include "base/mem.h"
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
    size_t cap;
} Search;

static bool same(const LpSlice *a, const LpSlice *b) {
    return a->extent[0] == b->extent[0] && a->extent[1] == b->extent[1] &&
           a->extent[2] == b->extent[2] && a->asked_twist == b->asked_twist;
}

static LpErr measure(Search *s, const LpSlice *slice, LpSlicePrediction *out, LpDiag *diag) {
    bool open = !slice->closed[0] || !slice->closed[1] || !slice->closed[2];
    if (slice->misfit == LP_SLICE_FITS && !(open && slice->accelerators > LP_POD_SHAPE_OPEN_MOST))
        return lp_slice_measure(s->pod, slice, s->bytes, out, diag);
    *out = (LpSlicePrediction){.pod = *s->pod, .slice = *slice, .bytes = s->bytes};
    out->load = out->gain = out->all_to_all_time = out->all_reduce_time = (double)NAN;
    out->cross_connects = lp_slice_circuits(s->pod, slice);
    return LP_OK;
}

/* A text that is no slice of this pod is left out. */
static LpErr add(Search *s, const char *text, LpDiag *diag) {
    LpSlice slice;
    LpDiag none;
    if (lp_slice_ask(text, s->pod, &slice, &none) != LP_OK)
        return LP_OK;
    if (lp_grow((void **)&s->shape, &s->cap, s->count + 1, sizeof *s->shape) != LP_OK)
        return lp_fail_memory(diag, "shapes of a slice");
    LpPodShape *shape = &s->shape[s->count];
    *shape = (LpPodShape){.asked = same(&slice, s->asked)};
    LP_TRY(measure(s, &slice, &shape->is, diag));
    shape->cause = lp_slice_fits(s->world, s->context, &slice, s->room, shape->why);
    s->count++;
    return LP_OK;
}

/* Z, the longest, ascending, then Y: the most compact shape first. */
static LpErr search(Search *s, LpDiag *diag) {
    uint32_t all = s->asked->accelerators;
    for (uint32_t z = 1; z <= all; z++)
        for (uint32_t y = 1; all % z == 0 && y <= z; y++) {
            uint32_t x = all / z / y;
            char text[LP_SLICE_TEXT];
            if (all / z % y != 0 || x > y)
                continue;
            snprintf(text, sizeof text, "%ux%ux%u", (unsigned)x, (unsigned)y, (unsigned)z);
            LP_TRY(add(s, text, diag));
            snprintf(text, sizeof text, "%ux%ux%u twisted", (unsigned)x, (unsigned)y, (unsigned)z);
            LP_TRY(add(s, text, diag));
        }
    return LP_OK;
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
