/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/graph: the one way into igraph. It keeps its error stack and its handlers in
 * globals, so calls of all threads take turns. */
#ifndef LP_GRAPH_LOCK_H
#define LP_GRAPH_LOCK_H

#include <igraph.h>

#include "base/err.h"
#include "graph/edges.h"

/* The handlers that were installed when a call began. */
typedef struct LpIgraphCall {
    igraph_error_handler_t *error;
    igraph_warning_handler_t *warning;
    igraph_interruption_handler_t *interruption;
} LpIgraphCall;

/* Takes the lock and sets handlers so that igraph neither prints nor aborts: an error frees what
 * is on igraph's stack (IGRAPH_FINALLY) and comes back as a code. */
void lp_igraph_enter(LpIgraphCall *call);

/* Puts the handlers back, releases the lock, and turns igraph's code into ours: LP_ENOMEM, or
 * LP_ESTATE for what checked input should not cause. `what` names the computation. */
LpErr lp_igraph_leave(const LpIgraphCall *call, igraph_error_t code, const char *what,
                      LpDiag *diag) LP_MUST_USE;

/* Between enter and leave: makes a directed graph of the list, whose edges keep their numbers. The
 * caller destroys it. An igraph error code. */
igraph_error_t lp_igraph_create(igraph_t *graph, const LpEdgeList *list);

#endif
