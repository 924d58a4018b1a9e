/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a placed job gives each of its servers to do and to hold in a training step, from its cut
 * and its placement alone: nothing is simulated. */
#ifndef LP_ASK_INSPECT_SERVER_H
#define LP_ASK_INSPECT_SERVER_H

#include "sim/context.h"

typedef struct LpServerLoad {
    uint32_t parts; /* of ops, forward and backward ones */
    double busy;    /* s of a training step in which it computes */
    double memory;  /* bytes held, as the memory rule counts them */
} LpServerLoad;

/* Fills all[server] for each server of the placement; `all` has an entry per server of the cluster,
 * the others stay as they are. O(parts). */
void lp_server_loads(const LpContext *context, uint32_t partition, uint32_t placement,
                     LpServerLoad *all);

/* A forward op's part on a server; its backward twin is there, too. */
typedef struct LpServerPart {
    uint32_t op;              /* index in the graph */
    uint32_t part, ways;      /* part from 0 */
    double forward, backward; /* s */
} LpServerPart;

/* The parts on one server in the order of the graph's file: writes at most `room`, returns how many
 * there are. O(parts). */
uint32_t lp_server_parts(const LpContext *context, uint32_t partition, uint32_t placement,
                         uint32_t server, LpServerPart *out, uint32_t room);

/* Puts the longest first, by time of both passes, then by op. */
void lp_server_parts_sort(LpServerPart *part, uint32_t count);

#endif
