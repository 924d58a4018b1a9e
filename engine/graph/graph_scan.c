/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a look through the file of a graph found: nodes and ends of edges, in order. */
#include "graph/graph_scan.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "graph/edges.h"

void lp_graph_scan_fini(LpGraphScan *scan) {
    lp_arena_free(scan->arena);
    lp_free(scan->mention);
}

LpErr lp_graph_scan_mention(LpGraphScan *scan, const char *id, size_t len, int line, bool declared,
                            LpDiag *diag) {
    if (scan->nodes >= LP_GRAPH_NODES_MAX && declared)
        return lp_fail_at(diag, LP_ELIMIT, scan->file, line, 0, "more than %d nodes",
                          (int)LP_GRAPH_NODES_MAX);
    if (scan->edges >= LP_GRAPH_EDGES_MAX && !declared)
        return lp_fail_at(diag, LP_ELIMIT, scan->file, line, 0, "more than %d edges",
                          (int)LP_GRAPH_EDGES_MAX);
    if (!lp_utf8_is_valid(id, len))
        return lp_fail_at(diag, LP_EPARSE, scan->file, line, 0, "the id of a node is no UTF-8");
    if (lp_grow((void **)&scan->mention, &scan->mention_cap, scan->mentions + 1,
                sizeof *scan->mention) != LP_OK)
        return lp_fail_memory(diag, "a graph");
    const char *copy = lp_arena_strndup(scan->arena, id, len);
    if (copy == NULL)
        return lp_fail_memory(diag, "a graph");
    scan->mention[scan->mentions++] = (LpGraphMention){copy, line, declared};
    scan->nodes += declared;
    /* an edge is complete with its second end */
    scan->edges = (uint32_t)(scan->mentions - scan->nodes) / 2;
    return LP_OK;
}
