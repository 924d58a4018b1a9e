/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of a slice that has lost light, for the steps of a job on it: as way.h and times.h
 * have them of an intact one. docs/failures.md, "Slices that have lost light". */
#ifndef LP_MODEL_POD_REST_H
#define LP_MODEL_POD_REST_H

#include "model/pod/net.h"

typedef struct LpPodRest {
    LpPodNet net;
    LpSlice slice;
    uint32_t *row;      /* per accelerator: its row of hops; LP_NO_INDEX: it is no member */
    uint32_t *hops;     /* members x accelerators: links of the shortest way that is left */
    LpPodSearch search; /* working room of lp_pod_rest_rings */
    double *load;       /* working room of lp_pod_rest_rings, 6 per accelerator */
} LpPodRest;

/* What is left of the slice without what is dead (lp_pod_net), with the ways to `member`, which are
 * numbers in the slice. Errors as lp_pod_net and lp_pod_distances: LP_EREFUSED where it falls
 * apart. Free with lp_pod_rest_fini. O(members accelerators). */
LpErr lp_pod_rest(const LpPod *pod, const LpSlice *slice, const LpPodDead *dead, size_t deads,
                  const uint32_t *member, uint32_t members, LpPodRest **out,
                  LpDiag *diag) LP_MUST_USE;
void lp_pod_rest_fini(LpPodRest *rest); /* NULL allowed */

/* Links of the shortest way to a member. O(1). */
uint32_t lp_pod_rest_hops(const LpPodRest *rest, uint32_t from, uint32_t member);
/* The way that is taken to a member, as lp_pod_way. from != member. O(hops). */
void lp_pod_rest_way(const LpPodRest *rest, uint32_t from, uint32_t member, uint32_t *first,
                     uint32_t *last);
/* Loads of the rings and lines of `box`, which holds members (lp_pod_box): as lp_pod_ring, but only
 * the accelerators of the box send, each to its neighbours in the box. What they send may go
 * through all that is left. O(accelerators) and the searches of the box. */
void lp_pod_rest_rings(const LpPod *pod, LpPodRest *rest, const LpSlice *box, LpPodRing ring[3]);

#endif
