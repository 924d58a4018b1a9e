/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What uniform all-to-all traffic lays on the links of a slice, by igraph. */
#ifndef LP_RUN_POD_LOADS_H
#define LP_RUN_POD_LOADS_H

#include "model/pod/net.h"

/* Does the network look alike from every accelerator: rings everywhere, and nothing dead? Then one
 * source says all. */
bool lp_slice_is_alike(const LpSlice *slice, const LpPodNet *net);

/* The load of every directed link (docs/pods.md, All-to-all) when each ordered pair of accelerators
 * sends one unit: load[6 accelerators], numbered as LpPodNet, 0 where there is no link. Rounded to
 * 9 decimals. Errors: LP_ENOMEM; load is unchanged then. O(accelerators) where it looks alike from
 * everywhere, else O(accelerators^2). */
LpErr lp_slice_loads(const LpSlice *slice, const LpPodNet *net, double *load,
                     LpDiag *diag) LP_MUST_USE;
/* The greatest of them. Errors and cost likewise. */
LpErr lp_slice_greatest_load(const LpSlice *slice, const LpPodNet *net, double *out,
                             LpDiag *diag) LP_MUST_USE;

#endif
