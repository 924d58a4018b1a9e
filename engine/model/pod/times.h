/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a slice takes for its collectives. Seconds and bytes. */
#ifndef LP_MODEL_POD_TIMES_H
#define LP_MODEL_POD_TIMES_H

#include "model/pod/net.h"

/* Every accelerator sends `bytes` to every other one: alpha(diameter) + load bytes/(B e), e the
 * twist_efficiency on a twisted slice, otherwise 1. */
double lp_pod_all_to_all(const LpPod *pod, const LpSlice *slice, double load, uint32_t diameter,
                         double bytes);
/* All-reduce of `bytes` by rings (and lines) along the three dimensions, ring[d] as lp_pod_ring
 * says. A twisted slice counts as a plain one: true to first order. */
double lp_pod_all_reduce(const LpPod *pod, const LpSlice *slice, const LpPodRing ring[3],
                         double bytes);
/* Half of it: the reduce-scatter, or the all-gather, of a slice or of a box in one, whose lines
 * take as much longer as the rings of their dimension. ring NULL: nothing is dead. */
double lp_pod_scatter(const LpPod *pod, const LpSlice *slice, const LpPodRing ring[3],
                      double bytes);
/* Time of `bytes` over a way of `hops` links: alpha(hops) + bytes/B. */
double lp_pod_send(const LpPod *pod, uint32_t hops, double bytes);

#endif
