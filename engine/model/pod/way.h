/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways between the accelerators of an intact slice, and sets of them that make a collective.
 * Accelerators by their number in the slice, (x Y + y) Z + z; docs/pods.md, "Jobs with graphs". */
#ifndef LP_MODEL_POD_WAY_H
#define LP_MODEL_POD_WAY_H

#include "model/pod/slice.h"

/* Links of the shortest way: the least |delta + v|_1 over all offsets v that lead back to the same
 * accelerator. O(1); a twisted slice tries 125 offsets. */
uint32_t lp_pod_hops(const LpPod *pod, const LpSlice *slice, uint32_t from, uint32_t to);

/* The way that is taken: at each accelerator the link of lowest (dimension, + before -) that comes
 * nearer. *first: the link 2 d + side on which it leaves `from`; *last: the one on which it enters
 * `to`, as the end of that link at `to`. from != to. O(hops). */
void lp_pod_way(const LpPod *pod, const LpSlice *slice, uint32_t from, uint32_t to, uint32_t *first,
                uint32_t *last);

/* Are these n different accelerators the box [0, u) x [0, v) x [0, w)? Then *box is it, as a slice
 * whose dimensions are rings only where they are closed and spanned. O(n). */
bool lp_pod_box(const LpSlice *slice, const uint32_t *member, uint32_t n, LpSlice *box);

#endif
