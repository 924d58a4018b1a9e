/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slice of a pod as a network of its own: six directed links of every accelerator, some of them
 * dead; distances in it, and what rings load. */
#ifndef LP_MODEL_POD_NET_H
#define LP_MODEL_POD_NET_H

#include <stddef.h>

#include "model/pod/slice.h"

typedef enum LpPodBroken { LP_POD_SWITCH, LP_POD_CABLE } LpPodBroken;

/* What is dead: a switch d n^2 + q, or a cable c 6n^2 + d 2n^2 + side n^2 + q (side 0 is +). */
typedef struct LpPodDead {
    LpPodBroken kind;
    uint32_t index;
} LpPodDead;

/* Accelerator (x, y, z) of the slice has number (x Y + y) Z + z. Its links are 6 number + 2 d +
 * side, side 0 towards larger coordinates. Two links may join the same pair. */
typedef struct LpPodNet {
    uint32_t nodes, links; /* accelerators; links that work */
    uint32_t *to;          /* 6 nodes: where a link leads, LP_NO_INDEX where there is none */
    uint32_t lost;         /* circuits that are dead */
    bool odd;              /* some circuits are dead by themselves, not for all cubes alike */
} LpPodNet;

/* The network of a slice whose cubes are numbers 0, 1, ... in its order. Parts have no circuits
 * that could be dead. LP_EINVAL: no such switch or cable, static wiring with dead ones; LP_ENOMEM.
 * Free with lp_pod_net_fini. O(nodes). */
LpErr lp_pod_net(const LpPod *pod, const LpSlice *slice, const LpPodDead *dead, size_t deads,
                 LpPodNet *out, LpDiag *diag) LP_MUST_USE;
void lp_pod_net_fini(LpPodNet *net);
/* Where the link (dimension d, side) of an accelerator leads when nothing is dead. */
uint32_t lp_pod_link(const LpPod *pod, const LpSlice *slice, uint32_t node, int d, int side);

/* The accelerator that stands for this one: an automorphism of the network moves one to the other.
 * Rings look alike from everywhere, with a dead switch from the same place of every cube; a line of
 * even length looks alike from both ends. *flip, NULL allowed: bit d is set where the automorphism
 * turns dimension d round, so that side 0 of one is side 1 of the other. All accelerators for whom
 * one stands are equally many. O(1). */
uint32_t lp_pod_alike(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, uint32_t node,
                      unsigned *flip);
/* Those that stand for some, ascending; writes them into out[nodes], returns how many. O(nodes). */
uint32_t lp_pod_sources(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, uint32_t *out);

/* The link that stands for this one, likewise: it carries as much of uniform traffic. O(1). */
uint32_t lp_pod_alike_link(const LpPod *pod, const LpSlice *slice, const LpPodNet *net,
                           uint32_t link);

/* Room for searches by breadth from one accelerator after the other. */
typedef struct LpPodSearch {
    const LpPodNet *net;
    uint32_t *hops, *queue; /* LP_NO_INDEX: not found; found accelerators, nearest first */
    double *ways, *share;   /* shortest ways to each; what of a unit goes through it */
    uint32_t found;
} LpPodSearch;

/* Distances over ordered pairs from these accelerators: the longest, their sum. LP_EREFUSED where
 * no way leads to one: the slice falls apart. LP_ENOMEM. O(sources nodes). */
LpErr lp_pod_distances(const LpPodNet *net, const uint32_t *source, uint32_t sources,
                       uint32_t *diameter, double *sum, LpDiag *diag) LP_MUST_USE;

/* The greatest load of a link and the longest way in the rings of a dimension, when every
 * accelerator sends one unit to both of its neighbours in the intact slice, over evenly split
 * shortest ways of what is left. 1 and 1 while all is well. Errors as lp_pod_distances. Own code:
 * igraph's counts from a source to few targets make their lists anew for each source. */
typedef struct LpPodRing {
    double load;
    uint32_t hops;
} LpPodRing;
LpErr lp_pod_ring(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, int d,
                  LpPodRing *out, LpDiag *diag) LP_MUST_USE;

#endif
