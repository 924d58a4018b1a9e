/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/graph: the one way into igraph. It keeps its error stack and its handlers in
 * globals, so calls of all threads take turns. */
#ifndef LP_GRAPH_LOCK_H
#define LP_GRAPH_LOCK_H

#include "base/err.h"
#include "graph/edges.h"
#include "graph/igraph_calls.h"

/* What is done with igraph: its own functions, and no memory but on igraph's stack
 * (IGRAPH_FINALLY). An igraph error code. */
typedef igraph_error_t LpIgraphWork(void *data);

/* Does the work under the lock, with handlers so that igraph neither prints nor aborts. At the
 * first error what is on igraph's stack is freed and the work is left at once: some of igraph's
 * functions do not look at what came back from one that ran out of memory, and go on with a vector
 * that is none. The first work loads igraph. Errors: LP_ENOMEM, LP_EIO where igraph cannot be
 * loaded, or LP_ESTATE for what checked input should not cause. `what` names the computation. */
LpErr lp_igraph_do(LpIgraphWork *work, void *data, const char *what, LpDiag *diag) LP_MUST_USE;

enum { LP_IGRAPH_REASON = 256 };

/* Does work that reads a file in the same way, but lets it return after an error: the parser's
 * memory is freed by igraph's own code, which looks at each code there, and not all of it lies on
 * igraph's stack. Such work may use other memory. `reason` is igraph's first sentence about a file
 * that it does not take, else "". Errors: LP_ENOMEM, LP_EIO. */
LpErr lp_igraph_read(LpIgraphWork *work, void *data, const char *what,
                     char reason[LP_IGRAPH_REASON], LpDiag *diag) LP_MUST_USE;

/* Inside such work: makes a directed graph of the list, whose edges keep their numbers. The
 * caller destroys it. An igraph error code. */
igraph_error_t lp_igraph_create(igraph_t *graph, const LpEdgeList *list);

#endif
