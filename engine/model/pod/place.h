/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a slice goes: the first place by the rules of docs/pods.md, with every tie fixed. */
#ifndef LP_MODEL_POD_PLACE_H
#define LP_MODEL_POD_PLACE_H

#include "model/pod/rules.h"
#include "model/pod/slice.h"

/* What of a pod can be taken. The functions are asked often: they should be quick. */
typedef struct LpPodSite {
    const LpPod *pod;
    LpPodRules rules;
    const void *context;
    /* May a whole-cube slice take this cube? */
    bool (*usable)(const void *context, uint32_t cube);
    /* Accelerators of a cube that are free and work. */
    uint32_t (*free)(const void *context, uint32_t cube);
    /* Is this accelerator free, and works? */
    bool (*has)(const void *context, uint32_t accelerator);
} LpPodSite;

/* A box of the grid (static wiring, whole cubes) or of one cube (a part): what lies along each
 * axis.
 */
typedef struct LpPodBox {
    uint32_t cube; /* of a part; else LP_NO_INDEX */
    uint32_t origin[3];
    uint32_t size[3]; /* cubes, of a part accelerators */
    uint32_t dim[3];  /* dimension of the slice that lies along the axis */
} LpPodBox;

/* The places of a slice, one by one in the order in which they are tried: static whole cubes the
 * orientations descending, then origins ascending, round the edges; parts cube by cube,
 * orientations and origins likewise, at multiples of their extents; switched whole cubes those of
 * the rule that holds, then those of the other one where they differ. Plain data; zero to begin
 * with. */
typedef struct LpPodPlaces {
    LpPodBox box;    /* of the place found last; switched whole cubes have none */
    bool spread;     /* switched whole cubes: the place was found by the rule that spreads */
    bool begun;      /* some have been found */
    uint32_t way;    /* orientation that box has */
    uint32_t free;   /* parts, but for sub_lowest: free accelerators of the cubes tried now */
    uint64_t looked; /* cubes and accelerators that were asked about */
} LpPodPlaces;

/* Writes the accelerators of the next place into out[slice->accelerators], in slice order (logical
 * (x, y, z), ascending in (x Y + y) Z + z); false: there are no more, and out is partly written.
 * The site must not have changed since the last call. O(cubes) and, static, O(orientations cubes^2)
 * calls for all. */
bool lp_pod_places_next(LpPodPlaces *places, const LpPodSite *site, const LpSlice *slice,
                        uint32_t *out);
/* The first of them. */
bool lp_pod_place(const LpPodSite *site, const LpSlice *slice, uint32_t *out);

/* The box of a slice (static whole cubes, or a part, then in `cube`) at an origin, so turned that
 * its extents along the axes are size[]. False: the slice cannot lie so. O(1). */
bool lp_pod_box_at(const LpPod *pod, const LpSlice *slice, uint32_t cube, const uint32_t origin[3],
                   const uint32_t size[3], LpPodBox *out);
/* Writes its accelerators in slice order. O(accelerators). */
void lp_pod_box_lay(const LpPod *pod, const LpSlice *slice, const LpPodBox *box, uint32_t *out);
/* The box that these accelerators, in slice order, are. False: none. O(accelerators). */
bool lp_pod_box_find(const LpPod *pod, const LpSlice *slice, const uint32_t *accelerators,
                     LpPodBox *out);
/* The slice as it is in that box: on static wiring a dimension is a ring where it spans the grid
 * along its axis, which depends on how the box is turned. */
LpSlice lp_pod_box_slice(const LpPod *pod, const LpSlice *slice, const LpPodBox *box);
/* The slice as it is on these accelerators, which come in slice order (see lp_pod_box_slice).
 * O(accelerators) where axes of the grid differ, else O(1). */
LpSlice lp_pod_slice_on(const LpPod *pod, const LpSlice *slice, const uint32_t *accelerators);
/* Is all of it usable, or free? O(its cubes, or accelerators). */
bool lp_pod_box_open(const LpPodSite *site, const LpSlice *slice, const LpPodBox *box);

/* Cubes of the largest box of the grid (static), or of the largest slice (switched, spares kept),
 * that usable cubes make when those of `taken` are gone. O(cubes); static O(cubes^3). */
uint32_t lp_pod_largest(const LpPodSite *site, const uint32_t *taken, uint32_t count);

/* The cube of each ordinal of a placed slice of whole cubes: out[slice->cubes]. O(cubes). */
void lp_pod_cubes_of(const LpPod *pod, const LpSlice *slice, const uint32_t *accelerators,
                     uint32_t *out);
/* Puts a slice of whole cubes on these ones, cubes[ordinal], on switched wiring. O(accelerators).
 */
void lp_pod_lay(const LpPod *pod, const LpSlice *slice, const uint32_t *cubes, uint32_t *out);

#endif
