/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/place/left.h"

#include <math.h>

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

/* Is the circuit at position q of dimension d dead that joins these cubes? */
static bool is_dead(LpImage *m, const LpPod *pod, int d, uint32_t q, uint32_t from, uint32_t to) {
    uint32_t face = pod->cube * pod->cube, switches = lp_pod_switches(pod);
    const uint16_t *single = singles(m, pod), *cable = single + switches;
    uint32_t plus = 2 * (uint32_t)d * face + q; /* of the cables of a cube */
    return single[(uint32_t)d * face + q] > 0 || cable[from * cables_of_cube(pod) + plus] > 0 ||
           cable[to * cables_of_cube(pod) + plus + face] > 0;
}

static uint32_t dead_between(LpImage *m, const LpPod *pod, int d, uint32_t from, uint32_t to) {
    uint32_t dead = 0;
    for (uint32_t q = 0; q < pod->cube * pod->cube; q++)
        dead += is_dead(m, pod, d, q, from, to);
    return dead;
}

uint32_t lp_slice_circuits_at(const LpWorld *world, const LpContext *context, const LpSlice *slice,
                              const uint32_t *cube, const bool *fresh) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    LpImage *m = world->image;
    bool dead = pod->fault_tolerant && covers(m) != NULL && any_dead(m, &pod->net, slice, cube);
    uint32_t set = 0;
    for (int d = 0; d < 3; d++)
        for (uint32_t o = 0; o < slice->cubes; o++) {
            uint32_t next = lp_slice_next(slice, d, o);
            if (!fresh[o] && !fresh[next])
                continue;
            set += pod->net.cube * pod->net.cube;
            set -= dead ? dead_between(m, &pod->net, d, cube[o], cube[next]) : 0;
        }
    return set;
}

/* What is dead in a slice: list[1] to list[count]; list[0] is room for lp_store_left. */
typedef struct Dead {
    LpPodDead *list; /* NULL: nothing is dead */
    size_t count;
} Dead;

static LpErr list_in(LpImage *m, const LpPod *pod, const LpSlice *slice, const uint32_t *cube,
                     Dead *out, LpDiag *diag) {
    size_t room = lp_pod_switches(pod) + (size_t)cables_of_cube(pod) * slice->cubes + 1;
    if (!any_dead(m, pod, slice, cube))
        return LP_OK;
    if ((out->list = lp_alloc(room, sizeof *out->list)) == NULL)
        return lp_fail_memory(diag, "what is left of a slice");
    out->count = list_dead(m, pod, slice, cube, out->list + 1);
    return LP_OK;
}

/* Finds what is dead of the slice of a row on `servers`, its accelerators. */
static LpErr find_dead(const LpWorld *world, const LpContext *context, uint32_t row,
                       const uint32_t *servers, Dead *out, LpDiag *diag) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    const LpSlice *slice = &context->scenario->slice[row - 1].slice;
    *out = (Dead){0};
    if (world == NULL || covers(world->image) == NULL || !pod->fault_tolerant ||
        lp_slice_circuits(&pod->net, slice) == 0)
        return LP_OK;
    uint32_t *cube = lp_alloc(slice->cubes, sizeof *cube);
    if (cube == NULL)
        return lp_fail_memory(diag, "what is left of a slice");
    lp_pod_cubes_of(&pod->net, slice, servers, cube);
    LpErr err = list_in(world->image, &pod->net, slice, cube, out, diag);
    lp_free(cube);
    return err;
}

LpErr lp_slice_left(const LpWorld *world, const LpContext *context, uint32_t row,
                    const uint32_t *servers, LpSliceLeft *out, LpDiag *diag) {
    LpSliceLeft left = {0, 0, 1};
    Dead dead;
    LP_TRY(find_dead(world, context, row, servers, &dead, diag));
    LpErr err =
        dead.list != NULL ? lp_store_left(context, row, dead.list, dead.count, &left, diag) : LP_OK;
    lp_free(dead.list);
    if (err == LP_OK)
        *out = left;
    return err;
}

/* ---- of a job on it ---- */

static LpErr drag_of_step(const LpContext *context, const LpSliceWork *work, const Dead *dead,
                          double *drag, LpDiag *diag) {
    uint32_t intact;
    double step;
    LP_TRY(
        lp_store_add_step(context, work->partition, work->placement, work->orders, &intact, diag));
    LP_TRY(lp_store_left_step(context, work->partition, work->placement, work->orders,
                              dead->list + 1, dead->count, &step, diag));
    double alone = lp_store_step(context->store, intact)->step_time;
    *drag = step > alone ? step / alone - 1 : 0;
    return LP_OK;
}

LpErr lp_slice_drag(const LpWorld *world, const LpContext *context, const LpSliceWork *work,
                    LpSliceLeft *out, double *out_drag, LpDiag *diag) {
    LpSliceLeft left = {0, 0, 1};
    double drag = 0;
    LpErr err = LP_OK;
    Dead dead;
    LP_TRY(find_dead(world, context, work->row,
                     lp_store_placement(context->store, work->placement)->server, &dead, diag));
    if (dead.list != NULL && work->partition != LP_NO_INDEX)
        err = drag_of_step(context, work, &dead, &drag, diag);
    if (dead.list != NULL && err == LP_OK) /* changes the list */
        err = lp_store_left(context, work->row, dead.list, dead.count, &left, diag);
    lp_free(dead.list);
    LP_TRY(err);
    if (isinf(left.slowdown))
        drag = (double)INFINITY;
    else if (work->partition == LP_NO_INDEX && work->share > 0)
        drag = work->share * (left.slowdown - 1);
    *out = left;
    *out_drag = drag;
    return LP_OK;
}
