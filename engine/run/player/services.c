/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adapters: script/ and graph/ never include each other, so each has its own plain types. */
#include "run/player/services.h"

#include "graph/flow.h"
#include "graph/match.h"
#include "graph/paths.h"
#include "run/player/services_network.h"

static LpEdgeList list_of(const LpScriptEdges *edges) {
    return (LpEdgeList){edges->nodes, edges->edges, edges->src, edges->dst};
}

static LpErr bvn(const double *demand, uint32_t n, LpScriptBvn *out, LpDiag *diag) {
    LpBvn found;
    LP_TRY(lp_match_bvn(demand, n, &found, diag));
    *out = (LpScriptBvn){found.n, found.terms, found.match, found.weight, found.residue};
    return LP_OK;
}

static void bvn_free(LpScriptBvn *terms) {
    LpBvn all = {terms->n, terms->terms, terms->match, terms->weight, terms->residue};
    lp_match_bvn_free(&all);
    *terms = (LpScriptBvn){0};
}

static LpErr topological(const LpScriptEdges *edges, uint32_t *order, uint32_t *depth,
                         LpDiag *diag) {
    LpEdgeList list = list_of(edges);
    return lp_graph_topological(&list, order, depth, diag);
}

static LpErr max_flow(const LpScriptEdges *edges, const double *capacity, uint32_t source,
                      uint32_t target, double *value, double *flow, LpDiag *diag) {
    LpEdgeList list = list_of(edges);
    return lp_graph_max_flow(&list, capacity, source, target, value, flow, diag);
}

static LpErr shortest(const LpScriptEdges *edges, const double *weight, uint32_t source,
                      double *distance, uint32_t *parent, LpDiag *diag) {
    LpEdgeList list = list_of(edges);
    return lp_graph_shortest(&list, weight, source, distance, parent, diag);
}

LpScriptServices lp_services(const char *const *library) {
    LpScriptServices services = {.max_weight = lp_match_max_weight,
                                 .assignment = lp_match_assignment,
                                 .value = lp_match_value,
                                 .bvn = bvn,
                                 .bvn_free = bvn_free,
                                 .topological = topological,
                                 .max_flow = max_flow,
                                 .shortest = shortest,
                                 .library = library};
    lp_services_network(&services);
    return services;
}
