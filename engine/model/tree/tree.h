/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of a cluster: levels of nodes over its servers, such as leaf and spine, or rack and
 * group; the whole cluster is the node above the last level. And the rule by which a job that asks
 * for a level finds its place in it. Plain data, immutable once built. */
#ifndef LP_MODEL_TREE_H
#define LP_MODEL_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

enum { LP_TREE_LEVELS = 6, LP_TREE_NAME = 64 };
#define LP_NO_NODE UINT32_MAX

/* ---- what to build ---- */

/* A node of the lowest level has servers, one above it the names of nodes one level further down.
 */
typedef struct LpTreeNodeSpec {
    const char *name;
    uint32_t servers, children;
    const uint32_t *server;
    const char *const *of;
} LpTreeNodeSpec;

typedef struct LpTreeLevelSpec {
    const char *name;
    uint32_t nodes;
    const LpTreeNodeSpec *node;
} LpTreeLevelSpec;

/* Closest to the servers first. Without levels the tree is the cluster alone. */
typedef struct LpTreeSpec {
    uint32_t levels;
    const LpTreeLevelSpec *level;
} LpTreeSpec;

/* Levels of which each node has as many servers as the others, in the order of their numbers, and
 * is called by its level and its number ("leaf 3"): into the arena. servers[l] of a node of level
 * l. Errors: LP_ENOMEM. */
LpErr lp_tree_spec_even(uint32_t levels, const char *const *name, const uint32_t *servers,
                        uint32_t all, LpArena *arena, LpTreeSpec *out, LpDiag *diag) LP_MUST_USE;

/* ---- the tree ---- */

/* Nodes are numbered level by level, in each as they were listed; the last one is the cluster. */
typedef struct LpTree {
    uint32_t levels; /* without the cluster, which is level `levels` */
    uint32_t nodes, servers;
    uint32_t level_begin[LP_TREE_LEVELS + 2];
    const char *level_name[LP_TREE_LEVELS + 1]; /* that of the last one is "cluster" */
    uint32_t most[LP_TREE_LEVELS + 1];          /* servers under the largest node of a level */
    const char *const *name;                    /* of nodes; "the cluster" */
    const uint32_t *level;                      /* of nodes */
    const uint32_t *parent;                     /* LP_NO_NODE of the cluster */
    const uint32_t *size;                       /* servers under a node */
    const uint32_t *child_begin, *child;        /* node i: child[child_begin[i]], ascending */
    const uint32_t *lowest; /* of a server: the node of the lowest level that it is in */
    const uint32_t *member_begin, *member; /* servers of the nodes of the lowest level, ascending */
} LpTree;

/* Builds into the arena; names are borrowed. Errors, with the key
 * ("cluster.levels[0].nodes[1].name") and what was expected: LP_EINVAL for a server that is in two
 * nodes, in none or not there, a node that is empty, in two nodes, in none or not there, a level or
 * node that is named twice, a level named "cluster"; LP_ELIMIT; LP_ENOMEM. O((servers + nodes) log
 * nodes). */
LpErr lp_tree_build(const LpTreeSpec *spec, uint32_t servers, LpArena *arena, const LpTree **out,
                    LpDiag *diag) LP_MUST_USE;

/* Level of a name, "cluster" included; -1: none. */
int lp_tree_level_find(const LpTree *tree, const char *name);
/* "leaves" of "leaf", "racks" of "rack". */
enum { LP_TREE_PLURAL = LP_TREE_NAME + 4 };
const char *lp_tree_plural(const char *level, char out[LP_TREE_PLURAL]);

/* The node of a level above a server. O(levels). */
uint32_t lp_tree_node_of(const LpTree *tree, uint32_t server, uint32_t level);

/* ---- servers that count, by node ---- */

typedef struct LpTreeCount {
    uint32_t free; /* neither held nor broken */
    uint32_t down; /* broken, held or not */
} LpTreeCount;

/* Adds these numbers, which may be negative, to every node above a server. O(levels). */
void lp_tree_add(const LpTree *tree, LpTreeCount *count, uint32_t server, int32_t free,
                 int32_t down);

/* ---- places ---- */

/* The place that a job asks for. Levels count from 1, 0: none is asked for. */
typedef struct LpTreeAsk {
    uint32_t required;  /* all servers under one node of it, or it waits */
    uint32_t preferred; /* from it upwards, up to `required` or the cluster */
    uint32_t segment;   /* size of the groups in which its servers come, each in one lowest node; 0:
                           singly */
} LpTreeAsk;

static inline bool lp_tree_asks(const LpTreeAsk *ask) {
    return ask->required > 0 || ask->preferred > 0 || ask->segment > 0;
}

/* The level whose nodes may hold it: that which is required, else the cluster. */
static inline uint32_t lp_tree_asked_level(const LpTree *tree, const LpTreeAsk *ask) {
    return ask->required > 0 ? ask->required - 1 : tree->levels;
}

/* Which of the nodes that have enough room: that with the least, with the most, the first one. Of
 * equals the first. */
#define LP_TREE_PICKS(X)                                                                           \
    X(TIGHT, tight)                                                                                \
    X(LOOSE, loose)                                                                                \
    X(FIRST, first)
typedef enum LpTreePick {
#define LP_PICK(ID, word) LP_TREE_##ID,
    LP_TREE_PICKS(LP_PICK)
#undef LP_PICK
        LP_TREE_PICK_COUNT
} LpTreePick;
int lp_tree_pick_find(const char *word); /* -1 when unknown */

/* Room of every node for groups of `segment` servers (0: single ones), in servers: of a lowest node
 * the most groups that its free servers make, of others the sum. count NULL: all are free.
 * O(nodes). */
void lp_tree_room(const LpTree *tree, const LpTreeCount *count, uint32_t segment, uint32_t *room);
/* The node under which n servers of such an ask are to go: of the first level with a node that has
 * room, from `preferred` (else `required`, else the lowest) up to `required` (else the cluster).
 * LP_NO_NODE: none has. O(nodes). */
uint32_t lp_tree_fit(const LpTree *tree, const uint32_t *room, const LpTreeAsk *ask, uint32_t n,
                     LpTreePick pick);
/* Takes n servers under a node that has room for them out of lowest nodes: take[i] of lowest node
 * i, 0 of all others. Where one child has enough room, that which is picked; else the fullest
 * whole, of equals the first, and then for the rest the same again. room is used up. O(nodes) and,
 * where many children are taken from, O(children) for each of them. */
void lp_tree_fill(const LpTree *tree, uint32_t *room, uint32_t node, uint32_t n, LpTreePick pick,
                  uint32_t *take);

/* Does a set of distinct servers keep to an ask? Else a sentence. mark: room for a number by node,
 * zeroed by the function. O(n levels + nodes). */
bool lp_tree_keeps(const LpTree *tree, const LpTreeAsk *ask, const uint32_t *server, uint32_t n,
                   uint32_t *mark, char reason[LP_DIAG_TEXT]);

/* How many nodes of a level hold some of these servers. mark as above. */
uint32_t lp_tree_spread(const LpTree *tree, uint32_t level, const uint32_t *server, uint32_t n,
                        uint32_t *mark);

#endif
