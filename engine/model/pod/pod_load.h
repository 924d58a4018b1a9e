/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What uniform all-to-all traffic lays on the links of a slice, without a library. */
#ifndef LP_MODEL_POD_LOAD_H
#define LP_MODEL_POD_LOAD_H

#include "model/pod/net.h"

/* Decimals of a load: sums of thousands of shares are no better. */
enum { LP_POD_LOAD_DECIMALS = 9 };

/* The greatest load of a directed link when each ordered pair sends one unit, split evenly over all
 * its shortest ways, each counted as a sequence of links (Brandes 2001); rounded to 9 decimals.
 * What session/pod/loads.h has igraph compute, for worlds, which see no library; a unit test holds
 * one to the other. Errors as lp_pod_distances. O(nodes) for each accelerator that stands for
 * others (lp_pod_sources). */
LpErr lp_pod_greatest_load(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, double *out,
                           LpDiag *diag) LP_MUST_USE;

/* Loads of all links, where every accelerator is a source of its own: what single dead cables leave
 * (net->odd) of a slice that is closed everywhere. Plain data but for `load`. */
typedef struct LpPodLoads {
    double *load; /* 6 nodes, numbered as links; not rounded. Free with lp_free. */
    uint32_t diameter;
    double distances; /* their sum over ordered pairs */
} LpPodLoads;
/* The intact slice looks alike from everywhere, so the shortest ways from one accelerator, shifted,
 * are those from any other one but for what the dead links change: ways are counted again only
 * behind a dead link, and a search is made anew only where something moves farther away. Errors as
 * lp_pod_distances; *out unchanged then. O(nodes^2), 0.7 s of processor time for 9 216 sources. */
LpErr lp_pod_loads(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, LpPodLoads *out,
                   LpDiag *diag) LP_MUST_USE;
/* The greatest of load[6 nodes], rounded to LP_POD_LOAD_DECIMALS. O(nodes). */
double lp_pod_loads_greatest(const LpPodNet *net, const double *load);

#endif
