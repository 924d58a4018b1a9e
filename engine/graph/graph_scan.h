/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/graph: a look through a file of a graph before igraph reads it: where its nodes and
 * edges stand, and what igraph would pass over. */
#ifndef LP_GRAPH_SCAN_H
#define LP_GRAPH_SCAN_H

#include "graph/graph_file.h"

/* A node that is declared, or the end of an edge, in the order of the file. */
typedef struct LpGraphMention {
    const char *id;
    int line;
    bool declared;
} LpGraphMention;

/* Zero-initialise; free with lp_graph_scan_fini. */
typedef struct LpGraphScan {
    const char *file;
    LpArena *arena; /* of the ids */
    LpGraphMention *mention;
    size_t mentions, mention_cap;
    uint32_t nodes, edges; /* an edge is two mentions that are not declarations */
    uint32_t directed, ports;
    uint32_t keys; /* attributes that there can be */
} LpGraphScan;

void lp_graph_scan_fini(LpGraphScan *scan);
/* Adds the declaration of a node, or one end of an edge; id[0..len) is copied. Errors: LP_ENOMEM,
 * LP_ELIMIT. */
LpErr lp_graph_scan_mention(LpGraphScan *scan, const char *id, size_t len, int line, bool declared,
                            LpDiag *diag) LP_MUST_USE;

/* Looks through GraphML. LP_EPARSE at file:line for what igraph would pass over, and for damage
 * that is seen on the way; what is damaged otherwise igraph finds. */
LpErr lp_graphml_scan(LpGraphScan *scan, const char *text, LpDiag *diag) LP_MUST_USE;
/* Looks through GML, whose errors igraph finds, but for a second graph. */
LpErr lp_gml_scan(LpGraphScan *scan, const char *text, LpDiag *diag) LP_MUST_USE;

#endif
