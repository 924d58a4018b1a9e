/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/place/left.h"

#include "base/assert.h"
#include "base/mem.h"
#include "model/pod/place.h"

/* ---- covers ---- */

static uint32_t cables_of_cube(const LpPod *pod) {
    return 2 * lp_pod_switches(pod);
}

static uint16_t *covers(LpImage *m) {
    return m->covers > m->servers ? lp_image_cover(m) + m->servers : NULL;
}

/* The covers of single switches, then cables. */
static uint16_t *singles(LpImage *m, const LpPod *pod) {
    return covers(m) + pod->cubes + 1;
}

static void count(uint16_t *cover, bool fails) {
    LP_ASSERT(fails || *cover > 0);
    *cover = (uint16_t)(*cover + (fails ? 1 : -1));
}

void lp_left_cover(LpImage *m, const LpPodParams *pod, bool cable, uint32_t index, bool fails) {
    const LpPod *net = &pod->net;
    count(covers(m) + (cable ? index / cables_of_cube(net) : net->cubes), fails);
    if (pod->fault_tolerant)
        count(singles(m, net) + (cable ? lp_pod_switches(net) : 0) + index, fails);
}

bool lp_slice_cabled(const LpWorld *world, uint32_t cube) {
    const uint16_t *dead = covers(world->image);
    return dead == NULL || dead[cube] == 0;
}

bool lp_slice_lit(const LpWorld *world, const LpContext *context, uint32_t cube) {
    const uint16_t *dead = covers(world->image);
    return dead == NULL || (dead[cube] == 0 && dead[context->fabric.cluster->pod.net.cubes] == 0);
}

/* ---- of one slice ---- */

/* Into out, at most `room`: the dead switches, then the dead cables by ordinal. */
static size_t list_dead(LpImage *m, const LpPod *pod, const LpSlice *slice, const uint32_t *cube,
                        LpPodDead *out) {
    uint32_t switches = lp_pod_switches(pod), cables = cables_of_cube(pod);
    const uint16_t *single = singles(m, pod);
    size_t deads = 0;
    for (uint32_t s = 0; s < switches; s++)
        if (single[s] > 0)
            out[deads++] = (LpPodDead){LP_POD_SWITCH, s};
    for (uint32_t o = 0; o < slice->cubes; o++)
        for (uint32_t k = 0; covers(m)[cube[o]] > 0 && k < cables; k++)
            if (single[switches + cube[o] * cables + k] > 0)
                out[deads++] = (LpPodDead){LP_POD_CABLE, o * cables + k};
    return deads;
}

static bool any_dead(LpImage *m, const LpPod *pod, const LpSlice *slice, const uint32_t *cube) {
    bool any = covers(m)[pod->cubes] > 0;
    for (uint32_t o = 0; o < slice->cubes; o++)
        any = any || covers(m)[cube[o]] > 0;
    return any;
}

static LpErr look(LpImage *m, const LpContext *context, uint32_t row, const uint32_t *cube,
                  LpSliceLeft *out, LpDiag *diag) {
    const LpPod *pod = &context->fabric.cluster->pod.net;
    const LpSlice *slice = &context->scenario->slice[row - 1].slice;
    if (!any_dead(m, pod, slice, cube))
        return LP_OK;
    size_t room = lp_pod_switches(pod) + (size_t)cables_of_cube(pod) * slice->cubes + 1;
    LpPodDead *dead = lp_alloc(room, sizeof *dead);
    if (dead == NULL)
        return lp_fail_memory(diag, "what is left of a slice");
    LpErr err =
        lp_store_left(context, row, dead, list_dead(m, pod, slice, cube, dead + 1), out, diag);
    lp_free(dead);
    return err;
}

LpErr lp_slice_left(const LpWorld *world, const LpContext *context, uint32_t row,
                    const uint32_t *servers, LpSliceLeft *out, LpDiag *diag) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    const LpSlice *slice = &context->scenario->slice[row - 1].slice;
    LpSliceLeft left = {0, 0, 1};
    bool intact = world == NULL || covers(world->image) == NULL || !pod->fault_tolerant ||
                  lp_slice_circuits(&pod->net, slice) == 0;
    if (!intact) {
        uint32_t *cube = lp_alloc(slice->cubes, sizeof *cube);
        if (cube == NULL)
            return lp_fail_memory(diag, "what is left of a slice");
        lp_pod_cubes_of(&pod->net, slice, servers, cube);
        LpErr err = look(world->image, context, row, cube, &left, diag);
        lp_free(cube);
        LP_TRY(err);
    }
    *out = left;
    return LP_OK;
}
