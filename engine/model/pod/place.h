/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a slice goes: the first place by the rules of docs/pods.md, with every tie fixed. */
#ifndef LP_MODEL_POD_PLACE_H
#define LP_MODEL_POD_PLACE_H

#include "model/pod/slice.h"

/* How places are searched. Zero: the lowest cubes first, parts where fewest are free. */
typedef struct LpPodRules {
    bool spread;     /* cubes of a slice over failure domains; else the lowest ones */
    bool sub_lowest; /* parts into the lowest cube; else into the one with fewest free */
    uint32_t spares; /* cubes that whole-cube slices leave free (switched wiring) */
    uint32_t cubes_per_domain;
} LpPodRules;

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

/* Writes the accelerators of the first place into out[slice->accelerators], in slice order (logical
 * (x, y, z), ascending in (x Y + y) Z + z); false where there is none, out is then partly written.
 * Switched whole cubes take any, ascending in the ordinal; static ones a box of the grid, its
 * orientations descending, then its origins ascending, round the edges; a part lies at multiples of
 * its extents. O(cubes) and, static, O(orientations cubes^2) calls. */
bool lp_pod_place(const LpPodSite *site, const LpSlice *slice, uint32_t *out);

/* The cube of each ordinal of a placed slice of whole cubes: out[slice->cubes]. O(cubes). */
void lp_pod_cubes_of(const LpPod *pod, const LpSlice *slice, const uint32_t *accelerators,
                     uint32_t *out);
/* Puts a slice of whole cubes on these ones, cubes[ordinal], on switched wiring. O(accelerators).
 */
void lp_pod_lay(const LpPod *pod, const LpSlice *slice, const uint32_t *cubes, uint32_t *out);

#endif
