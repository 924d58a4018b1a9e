/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices in a running pod: where one may lie now, and why not. */
#ifndef LP_SIM_PLACE_SLICE_H
#define LP_SIM_PLACE_SLICE_H

#include "model/pod/slice.h"
#include "sim/place/place.h"

typedef struct LpPodSite LpPodSite; /* model/pod/place.h */

/* The slice that a job has, or asks for; NULL: none. */
const LpSlice *lp_job_slice(const LpContext *context, const LpJob *job);

/* The first place of the job's slice by the rules of the pod (model/pod/place.h). Returns
 * LP_CAUSE_NONE, or why there is none: RESOURCE, too few accelerators that are not held (broken or
 * not); BROKEN, there would be a place if all were mended; else SHAPE. *never: not even when all is
 * free and nothing is broken. With a partition (NULL: a rigid job) its parts lie on
 * the first servers in slice order; REFUSED where it has more, MEMORY. *out points into scratch
 * until the next call. */
LpCause lp_place_slice(LpPlaceScratch *scratch, const LpContext *context, const LpWorld *world,
                       const LpJob *job, const LpPartition *partition, const LpAnswer *answer,
                       LpPlacement *out, bool *never, char reason[LP_DIAG_TEXT], LpErr *err);

/* Would this slice, whoever asks for it, find a place now? Causes and reasons as lp_place_slice.
 * `room` has space for its accelerators, and holds the place where there is one. */
LpCause lp_slice_fits(const LpWorld *world, const LpContext *context, const LpSlice *slice,
                      uint32_t *room, char reason[LP_DIAG_TEXT]);

/* What places of slices are searched in: a world (NULL: an empty pod), `mended`: as if nothing were
 * broken. The site points to it. */
typedef struct LpSliceView {
    const LpContext *context;
    const LpWorld *world;
    bool mended;
} LpSliceView;
LpPodSite lp_slice_site(const LpSliceView *view);
/* The row of the scenario's slices, from 1, with these extents and this twist, among those that a
 * job may be given: 0: there is none. O(rows). */
uint32_t lp_slice_row(const LpContext *context, const LpSlice *slice);

/* May a slice of whole cubes take this cube now: nothing is held, all works, light included unless
 * the pod is fault tolerant? */
bool lp_slice_usable(const LpWorld *world, const LpContext *context, uint32_t cube);
/* Seconds for which the circuits of the job's slice settle when they are set: 0 where it has none.
 */
double lp_slice_settle(const LpContext *context, const LpJob *job);

#endif
