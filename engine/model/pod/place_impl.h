/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to this room: places that are boxes. */
#ifndef LP_MODEL_POD_PLACE_IMPL_H
#define LP_MODEL_POD_PLACE_IMPL_H

#include "model/pod/place.h"

/* Accelerator at a place inside a cube. */
static inline uint32_t lp_pod_number(const LpPod *pod, uint32_t cube, const uint32_t at[3]) {
    uint32_t n = pod->cube;
    return cube * n * n * n + (at[0] * n + at[1]) * n + at[2];
}

/* The next box of lp_pod_places_next. */
bool lp_pod_box_next(LpPodPlaces *places, const LpPodSite *site, const LpSlice *slice);
/* lp_pod_largest of static wiring. */
uint32_t lp_pod_largest_box(const LpPodSite *site, const uint32_t *taken, uint32_t count);

#endif
