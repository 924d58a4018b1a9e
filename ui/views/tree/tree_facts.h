/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster's tree for its view: the board of the level that is looked at, the jobs that wait
 * with their reasons, and the jobs that run with what their end would free. */
#ifndef LP_UI_VIEWS_TREE_FACTS_H
#define LP_UI_VIEWS_TREE_FACTS_H

#include "ask/inspect/tree_board.h"
#include "moment/picture/model.h"
#include "sim/facts/worst.h"
#include "sim/state/mark.h"
#include "views/tree/tree_why.h"

/* How a node is shaded. X(ID, "name") */
#define LP_TREE_SHADES(X)                                                                          \
    X(FITS, "no gang fits")                                                                        \
    X(FREE, "not free")                                                                            \
    X(UNTIL, "until one ends")

typedef enum LpTreeShade {
#define X(id, name) LP_TREE_SHADE_##id,
    LP_TREE_SHADES(X)
#undef X
        LP_TREE_SHADE_COUNT
} LpTreeShade;

/* What the waiting jobs are sorted by. X(ID, "name") */
#define LP_TREE_ORDERS(X)                                                                          \
    X(LONGEST, "longest first")                                                                    \
    X(WIDEST, "widest first")                                                                      \
    X(OVERTAKEN, "most overtaken first")                                                           \
    X(NAME, "by name")                                                                             \
    X(USER, "by user")

typedef enum LpTreeOrder {
#define X(id, name) LP_TREE_ORDER_##id,
    LP_TREE_ORDERS(X)
#undef X
        LP_TREE_ORDER_COUNT
} LpTreeOrder;

const char *lp_tree_order_name(LpTreeOrder order);
const char *lp_tree_shade_name(LpTreeShade shade);

/* The screen's own state of the view. */
typedef struct LpTreeState {
    uint32_t level; /* of the nodes; more than the tree has: the cluster */
    uint32_t job;   /* that is marked; one that does not wait: who waits longest */
    LpTreeShade shade;
    LpTreeOrder order;
    bool freest;    /* nodes with most that is free first; else in their order */
    uint32_t first; /* of the nodes in this order that is shown first */
} LpTreeState;

typedef struct LpTreeWaiter {
    const LpJob *job;
    double waited;      /* s, in the queue so far */
    uint32_t overtaken; /* jobs that came later and have started */
    LpTreeAsk ask;
    uint32_t servers; /* 0: its policy may split it as it likes */
} LpTreeWaiter;

typedef struct LpTreeRunner {
    const LpJob *job;
    double ends;    /* s, as far as is known: where the true end is hidden, the requested one */
    uint32_t nodes; /* of the level that is looked at, that it lies in */
    uint32_t main;  /* lowest node that has most of it, LP_NO_NODE: none */
    uint32_t frees; /* node in which the job in focus would fit if this one ended now, LP_NO_NODE */
} LpTreeRunner;

/* Zero-initialise. Jobs, names and counts are those of the model that it was last updated from. */
typedef struct LpTreeFacts {
    const LpTree *tree;
    const LpTreeCount *count;
    uint32_t level;
    LpTreeBoard board;
    uint32_t *node; /* of the level, in the order that is shown */
    size_t node_cap;
    uint32_t nodes;
    LpTreeWaiter *waiter; /* in the order that is shown */
    size_t waiter_cap;
    uint32_t waiters;
    int focus;            /* its index, -1: nobody waits */
    uint32_t width;       /* servers that the focus asks for, 0: none */
    LpTreeRunner *runner; /* the next to end first */
    size_t runner_cap;
    uint32_t runners;
    double *came, *left; /* when jobs came into and left the queue, ascending; s */
    size_t came_cap, left_cap;
    uint32_t cames, lefts;
    double until; /* s, up to which that is known */
    LpTreeWhys whys;
    LpStamp worst_of; /* end of the branch that `worst` is of */
    LpWorst worst;    /* when waiting was worst in all of it */
} LpTreeFacts;

/* Errors: LP_ENOMEM, those of asking for a reason. O(nodes log nodes + waiting log waiting + jobs
 * since the first of those + running log running + servers), and a reason for each row that may be
 * seen. */
LpErr lp_tree_facts_update(LpTreeFacts *facts, LpModel *model, const LpTreeState *state,
                           LpDiag *diag) LP_MUST_USE;
void lp_tree_facts_fini(LpTreeFacts *facts);

/* Jobs that were waiting at a time. O(log jobs). */
double lp_tree_queue_at(const LpTreeFacts *facts, double time);

#endif
