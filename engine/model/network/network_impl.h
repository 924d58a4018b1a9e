/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listed networks: adjacency, distances and checks. Only network*.c include it. */
#ifndef LP_MODEL_NETWORK_INTERNAL_H
#define LP_MODEL_NETWORK_INTERNAL_H

#include "model/network/network.h"

/* Adds adjacency and distances to a network whose cables are in place; sets route_max. Errors:
 * LP_EINVAL for a server that cannot be reached, LP_ELIMIT, LP_ENOMEM. */
LpErr lp_network_index(LpNetwork *network, LpArena *arena, LpDiag *diag) LP_MUST_USE;

/* The zones of a spec: their sizes, names and ways. Errors: LP_EINVAL naming the key. */
LpErr lp_network_check_zones(const LpNetworkSpec *spec, LpDiag *diag) LP_MUST_USE;

/* Fills alike, usual and others of a network of zones whose cables and localities are laid. Errors:
 * LP_ENOMEM. O(servers). */
LpErr lp_network_compare_cables(LpNetwork *network, LpArena *arena) LP_MUST_USE;

/* Does a node pass on what is not for it? */
static inline bool lp_network_forwards(const LpNetwork *network, uint32_t node) {
    return node >= network->first_forwarder;
}

/* Links from a node to a server in a listed network, LP_NETWORK_APART where there is no way. */
uint32_t lp_network_distance(const LpNetwork *network, uint32_t node, uint32_t dst);

#endif
