/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of graphs, GraphML and GML, read by igraph into plain arrays. What igraph passes over
 * without an error (edges to nodes that are not declared, a node twice, several graphs, hyperedges,
 * unknown keys) is refused. */
#ifndef LP_GRAPH_FILE_H
#define LP_GRAPH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* Of an attribute: a text, or a number where text is NULL; NaN: there is none. */
typedef struct LpGraphValue {
    const char *text;
    double number;
} LpGraphValue;

typedef struct LpGraphFileNode {
    const char *id; /* as the file has it */
    LpGraphValue kind;
    int line;
} LpGraphFileNode;

typedef struct LpGraphFileEdge {
    uint32_t from, to; /* nodes */
    LpGraphValue bandwidth, delay;
    int line;
} LpGraphFileEdge;

/* A graph with what the attributes "kind", "bandwidth" and "delay" say; nodes and edges in the
 * order of the file. */
typedef struct LpGraphFile {
    LpArena *arena;
    LpGraphFileNode *node;
    LpGraphFileEdge *edge;
    uint32_t nodes, edges;
    uint32_t directed; /* edges with a direction */
    uint32_t ports;    /* that stand in nodes, and were passed over */
} LpGraphFile;

/* Reads text[0..len); text[len] is 0. `file` is what messages call it. *out is the caller's
 * (lp_graph_file_free). Errors: LP_EPARSE at file:line; LP_ELIMIT above the sizes of graph/edges.h
 * and above 2^24 values of attributes; LP_ENOMEM; LP_EIO where igraph cannot be loaded. O(len) but
 * for finding equal ids, O(nodes log nodes). */
LpErr lp_graph_read_graphml(const char *file, const char *text, size_t len, LpGraphFile **out,
                            LpDiag *diag) LP_MUST_USE;
LpErr lp_graph_read_gml(const char *file, const char *text, size_t len, LpGraphFile **out,
                        LpDiag *diag) LP_MUST_USE;
void lp_graph_file_free(LpGraphFile *graph); /* NULL allowed */

#endif
