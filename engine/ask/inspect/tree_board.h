/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of a cluster's tree as data: how many gangs fit in one node of a level now, what of the
 * free servers none can use, and what would fit if a running job ended now. From counts by node and
 * lists of servers alone, so that it can be asked of any moment. */
#ifndef LP_ASK_INSPECT_TREE_BOARD_H
#define LP_ASK_INSPECT_TREE_BOARD_H

#include "base/err.h"
#include "model/tree/tree.h"

enum { LP_GANGS = 24 }; /* 1, 2, 4, ... and one width of the caller's */

/* Gangs of a width, each in one node of a level. */
typedef struct LpGang {
    uint32_t servers;
    uint32_t fit;    /* gangs that lie beside each other now: the sum of floor(free / servers) */
    uint32_t across; /* nodes that one would lie in now, the fullest first; 0: too few are free */
    uint32_t nodes;  /* that are large enough when nobody is in them */
    double unused;   /* 0..1, of the free servers of the cluster: in none of those that fit */
} LpGang;

/* What is free in the nodes of one level. */
typedef struct LpLevelRoom {
    uint32_t nodes;
    uint32_t largest; /* free servers of the freest node: the largest gang */
    uint32_t most;    /* servers of the largest node */
} LpLevelRoom;

typedef struct LpTreeBoard {
    uint32_t servers, free, down;
    LpLevelRoom level[LP_TREE_LEVELS + 1]; /* the last one is the cluster */
    uint32_t gangs;
    LpGang gang[LP_GANGS]; /* ascending; of the level that was asked for */
} LpTreeBoard;

/* The board of a level (tree->levels: the cluster), with gangs of 1, 2, 4, ... servers, as many as
 * the cluster has, and of `width` (0: of no other). Errors: LP_ENOMEM. O(nodes log nodes). */
LpErr lp_tree_board(const LpTree *tree, const LpTreeCount *count, uint32_t level, uint32_t width,
                    LpTreeBoard *out, LpDiag *diag) LP_MUST_USE;

/* Servers that come back together: those of a running job that are not broken. */
typedef struct LpHeldServers {
    uint32_t servers;
    const uint32_t *server; /* distinct */
} LpHeldServers;

/* Where n servers of an ask would go if that holder alone ended now: a node of the level that is
 * asked for, with the least room that is enough, of equals the first; where they fit already:
 * there.
 */
typedef struct LpIfEnded {
    uint32_t node; /* LP_NO_NODE: they would not fit */
    uint32_t main; /* node of the lowest level that holds most of the holder's servers, of equals
                    * the first; LP_NO_NODE of one without servers */
} LpIfEnded;

/* Fills out[i] for holder[i]. Errors: LP_ENOMEM. O(nodes + servers held levels). */
LpErr lp_tree_if_ended(const LpTree *tree, const LpTreeCount *count, const LpTreeAsk *ask,
                       uint32_t n, const LpHeldServers *holder, uint32_t holders, LpIfEnded *out,
                       LpDiag *diag) LP_MUST_USE;

#endif
