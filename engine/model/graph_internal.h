/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What graph.c and graph_builder.c share; nobody else includes this. */
#ifndef LP_MODEL_GRAPH_INTERNAL_H
#define LP_MODEL_GRAPH_INTERNAL_H

#include "base/mem.h"
#include "model/graph.h"

/* A graph and the arena that holds it, its arrays and its texts. `graph` must stay first: callers
 * hold a pointer to it and lp_graph_free finds the owner there. */
typedef struct LpGraphOwner {
    LpGraph graph;
    LpArena *arena;
} LpGraphOwner;

/* Recomputes the sums and the hash after times changed. O(V + E). */
void lp_graph_summarise(LpGraph *graph);

#endif
