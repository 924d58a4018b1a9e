/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to this room: coordinates in a slice, and searches by breadth in its network. */
#ifndef LP_MODEL_POD_NET_IMPL_H
#define LP_MODEL_POD_NET_IMPL_H

#include "model/pod/net.h"

enum { LP_POD_SIDES = 6 };

void lp_pod_place_of(const LpSlice *slice, uint32_t node, uint32_t at[3]);
uint32_t lp_pod_number_of(const LpSlice *slice, const uint32_t at[3]);

/* Free with lp_pod_search_fini. Errors: LP_ENOMEM. */
LpErr lp_pod_search_init(LpPodSearch *search, const LpPodNet *net, LpDiag *diag) LP_MUST_USE;
void lp_pod_search_fini(LpPodSearch *search);
/* Distances from a source, as far as `target` and what is as near (LP_NO_INDEX: everything). What
 * is left over from the last search is cleared first. */
void lp_pod_search(LpPodSearch *search, uint32_t source, uint32_t target);

/* Adds what the searched source sends to everyone to load[6 nodes], from the farthest back. */
void lp_pod_search_send(LpPodSearch *search, double *load);

/* lp_pod_ring of the box [0, extent) in the slice alone, where ways outside of it are open, too;
 * what leads out of the box is no neighbour. load: room for 6 nodes. */
LpErr lp_pod_ring_load(const LpPod *pod, const LpSlice *slice, const uint32_t extent[3],
                       LpPodSearch *search, int d, double *load, LpPodRing *out,
                       LpDiag *diag) LP_MUST_USE;

/* LP_EREFUSED: from accelerator `from` only `reached` of the net's nodes are reached. */
LpErr lp_pod_fail_apart(const LpPodNet *net, uint32_t from, uint32_t reached,
                        LpDiag *diag) LP_MUST_USE;

#endif
