/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of slices whose light is dead in part: worked out once for each shape and each set
 * of what is dead. */
#include <math.h>

#include "model/pod/pod_load.h"
#include "sim/store/store_impl.h"

/* The accelerators of a slice on switched wiring look alike, so one dead circuit is as good as any
 * other one of its dimension, and so is one dead switch. */
static LpPodDead first_alike(const LpPod *pod, LpPodDead dead) {
    uint32_t n2 = pod->cube * pod->cube;
    if (dead.kind == LP_POD_SWITCH)
        return (LpPodDead){LP_POD_SWITCH, dead.index / n2 * n2};
    return (LpPodDead){LP_POD_CABLE, dead.index % (6 * n2) / (2 * n2) * 2 * n2};
}

static LpErr load_of(const LpPod *pod, const LpSlice *slice, const LpPodDead *dead, size_t deads,
                     uint32_t *lost, double *load, LpDiag *diag) {
    LpPodNet net;
    LP_TRY(lp_pod_net(pod, slice, dead, deads, &net, diag));
    LpErr err = lp_pod_greatest_load(pod, slice, &net, load, diag);
    *lost = net.lost;
    lp_pod_net_fini(&net);
    return err;
}

static LpErr work_out(const LpPod *pod, const LpSlice *slice, const LpPodDead *dead, size_t deads,
                      LpSliceLeft *out, LpDiag *diag) {
    double intact, load;
    uint32_t none, lost = 0;
    LP_TRY(load_of(pod, slice, NULL, 0, &none, &intact, diag));
    LpErr err = load_of(pod, slice, dead, deads, &lost, &load, diag);
    if (err != LP_OK && err != LP_EREFUSED)
        return err;
    *out = (LpSliceLeft){lost, 0, err == LP_OK ? load / intact : (double)INFINITY};
    return LP_OK;
}

static LpErr keep(LpStore *store, const void *key, size_t len, uint64_t hash,
                  const LpSliceLeft *left) {
    uint32_t index;
    void *items = store->left;
    LP_TRY(lp_grow(&items, &store->left_cap, store->left_key.count + 1, sizeof *store->left));
    store->left = items;
    store->left[store->left_key.count] = *left;
    return lp_intern_add(&store->left_key, key, len, hash, &index);
}

LpErr lp_store_left(const LpContext *context, uint32_t row, LpPodDead *dead, size_t deads,
                    LpSliceLeft *out, LpDiag *diag) {
    LpStore *store = context->store;
    const LpPod *pod = &context->fabric.cluster->pod.net;
    uint64_t hash;
    if (deads == 1)
        dead[1] = first_alike(pod, dead[1]);
    dead[0] = (LpPodDead){LP_POD_SWITCH, row}; /* the key is the row, then the list */
    size_t len = (deads + 1) * sizeof *dead;
    uint32_t found = lp_intern_find(&store->left_key, dead, len, &hash);
    if (found != LP_NO_INDEX) {
        *out = store->left[found];
        return LP_OK;
    }
    LP_TRY(work_out(pod, &context->scenario->slice[row - 1].slice, dead + 1, deads, out, diag));
    return keep(store, dead, len, hash, out) == LP_OK
               ? LP_OK
               : lp_fail_memory(diag, "what is left of a slice");
}
