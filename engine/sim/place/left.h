/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dead switches and cables of a pod in a world, and what they leave of a slice. */
#ifndef LP_SIM_PLACE_LEFT_H
#define LP_SIM_PLACE_LEFT_H

#include "sim/state/image.h"
#include "sim/store/store_impl.h"

/* One more thing covers a switch or a cable, or one less. */
void lp_left_cover(LpImage *image, const LpPodParams *pod, bool cable, uint32_t index, bool fails);

/* Do all cables of the cube work? */
bool lp_slice_cabled(const LpWorld *world, uint32_t cube);
/* Do all cables of the cube and all switches work? */
bool lp_slice_lit(const LpWorld *world, const LpContext *context, uint32_t cube);

/* Circuits of a slice of whole cubes on switched wiring that are set when these of its ordinals get
 * another cube: those with such a one at either end, without those that are dead. O(cubes n^2). */
uint32_t lp_slice_circuits_at(const LpWorld *world, const LpContext *context, const LpSlice *slice,
                              const uint32_t *cube, const bool *fresh);

/* What is left of the slice of a row (from 1) on these accelerators, in slice order. All of it
 * where the pod is not fault tolerant or the slice has no circuits. world NULL: nothing is dead.
 * Errors: LP_ENOMEM. O(cubes n^2) and what lp_store_left says. */
LpErr lp_slice_left(const LpWorld *world, const LpContext *context, uint32_t row,
                    const uint32_t *servers, LpSliceLeft *out, LpDiag *diag) LP_MUST_USE;
/* A job that would have this plan's partition, placement and orders on what is left of its slice.
 * lp_slice_drag says how much longer a second of its work takes (LpJob.drag). A rigid job
 * (partition LP_NO_INDEX) by `share`, that of communication in its time, which grows as the
 * greatest load of uniform traffic; a job with a graph by its step, simulated on what is left. It
 * is never faster than on all of it. INFINITY: it cannot go on. */
typedef struct LpSliceWork {
    uint32_t row, partition, placement;
    LpOrders orders;
    double share;
} LpSliceWork;
LpErr lp_slice_drag(const LpWorld *world, const LpContext *context, const LpSliceWork *work,
                    LpSliceLeft *left, double *drag, LpDiag *diag) LP_MUST_USE;

#endif
