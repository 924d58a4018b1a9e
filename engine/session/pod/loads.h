/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What uniform all-to-all traffic lays on the links of a slice, by igraph. */
#ifndef LP_SESSION_POD_LOADS_H
#define LP_SESSION_POD_LOADS_H

#include "model/pod/net.h"

/* The load of every directed link (docs/pods.md, All-to-all) when each ordered pair of accelerators
 * sends one unit: load[6 accelerators], numbered as LpPodNet, 0 where there is no link. Rounded to
 * 9 decimals. Errors: LP_ENOMEM; load is unchanged then. O(accelerators) for each of those that
 * stand for all (lp_pod_sources): one where nothing is dead and all dimensions are rings, those of
 * one cube where switches are dead, an eighth of the slice where it has lines, all with a dead
 * cable. */
LpErr lp_slice_loads(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, double *load,
                     LpDiag *diag) LP_MUST_USE;
/* The greatest of them. Errors and cost likewise. */
LpErr lp_slice_greatest_load(const LpPod *pod, const LpSlice *slice, const LpPodNet *net,
                             double *out, LpDiag *diag) LP_MUST_USE;

#endif
