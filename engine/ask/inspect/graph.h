/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A computation graph as a front end shows it: the ops of a profile, or the ops of both passes as a
 * decision cut and placed them, with what depends on what and which of it is critical. */
#ifndef LP_ASK_INSPECT_GRAPH_H
#define LP_ASK_INSPECT_GRAPH_H

#include "sim/context.h"

/* An op. Where it is drawn comes from lp_graph_draw (ask/inspect/graph_draw.h). */
typedef struct LpGraphNode {
    uint32_t op;    /* index in the graph */
    bool backward;  /* the twin of the backward pass */
    bool critical;  /* on the critical path */
    uint32_t ways;  /* parts; 1 in a profile */
    uint32_t parts; /* first of its parts in part_server */
    uint32_t stage; /* of a plan: the stage of the pipeline that has it, from 0 */
    /* of a plan: parameters that each of its servers has; of experts, those of its way */
    double parameters;
    uint32_t row, slot; /* row from the left, and place in it from the top, once it is drawn */
    double time;        /* s, of one part */
    double memory;      /* bytes, of one part of both passes as the memory rule counts them */
    double x, y;        /* drawing: x the row, y the column of lp_graph_layers */
} LpGraphNode;

typedef struct LpGraphInspection {
    const LpGraph *graph; /* borrowed */
    bool cut;             /* both passes, cut in parts */
    uint32_t stages;      /* of the plan that cut it; 0: no plan did */
    uint32_t tensor;      /* of that plan: servers that share one copy of an op */
    uint32_t nodes, edges;
    LpGraphNode *node;
    uint32_t *src, *dst;   /* nodes; no edge twice, none from a node to itself */
    bool *critical_edge;   /* between neighbours on the critical path */
    uint32_t *out, *in;    /* nodes + 1: first of a node's edges in `to` and in `from` */
    uint32_t *to, *from;   /* edge numbers, grouped by node as `out` and `in` say */
    uint32_t servers;      /* of the job, 0 unless placed */
    uint32_t *server_id;   /* servers: their numbers, ascending */
    uint32_t *part_server; /* of each part: index of its server */
    double longest;        /* s, time of the longest op's part */
    double critical_time;  /* s: sum over the critical ops of the profile; a cut's step */
    double width, height;  /* of the drawing: largest x and y; < 0 before there is one */
    uint64_t shape;        /* hash of nodes and edges: equal shapes have equal drawings */
} LpGraphInspection;

/* A graph of the scenario as it was profiled: forward ops; the critical path is the longest by
 * forward time. Errors: LP_ENOMEM. O(ops + edges log edges). */
LpErr lp_graph_inspect(const LpContext *context, uint32_t graph, LpGraphInspection *out,
                       LpDiag *diag) LP_MUST_USE;
/* The same cut and placed. The critical path is that of the simulated step
 * (ask/inspect/inspect_step.h). Errors: LP_ENOMEM; LP_EREFUSED for a step that cannot be simulated.
 */
LpErr lp_graph_inspect_cut(const LpContext *context, uint32_t partition, uint32_t placement,
                           LpOrders orders, LpGraphInspection *out, LpDiag *diag) LP_MUST_USE;
void lp_graph_inspection_fini(LpGraphInspection *seen); /* zeroed allowed */

/* Takes over a drawing: x and y as lp_graph_layers made them (rows become columns: time goes from
 * left to right). Errors: LP_ENOMEM. O(nodes log nodes). */
LpErr lp_graph_inspection_place(LpGraphInspection *seen, const double *x, const double *y,
                                LpDiag *diag) LP_MUST_USE;

/* The node that a step in this direction leads to from another: along an edge where one goes that
 * way, else the nearest; the node itself when there is none. dx: rows, dy: columns, one of them is
 * 1 or -1. O(nodes). */
uint32_t lp_graph_inspection_next(const LpGraphInspection *seen, uint32_t node, int dx, int dy);
/* The node nearest to a place of the drawing, rows counting most. O(nodes). */
uint32_t lp_graph_inspection_near(const LpGraphInspection *seen, double x, double y);

#endif
