/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adapters: script/ and graph/ never include each other, so each has its own plain types. */
#include "session/player/services.h"

#include <math.h>

#include "graph/flow.h"
#include "graph/match.h"
#include "graph/paths.h"
#include "session/player/services_network.h"
#include "session/pod/shapes.h"

static LpEdgeList list_of(const LpScriptEdges *edges) {
    return (LpEdgeList){edges->nodes, edges->edges, edges->src, edges->dst};
}

static LpErr bvn(const double *demand, uint32_t n, LpScriptBvn *out, LpDiag *diag) {
    LpBvn found;
    LP_TRY(lp_match_bvn(demand, n, &found, diag));
    *out = (LpScriptBvn){found.n, found.terms, found.match, found.weight, found.residue};
    return LP_OK;
}

static LpSparse sparse_of(const LpScriptSparse *sparse) {
    return (LpSparse){sparse->n, sparse->entries, sparse->row, sparse->column, sparse->value};
}

static LpErr sparse_max_weight(const LpScriptSparse *weight, uint32_t *out, double *value,
                               uint64_t *steps, LpDiag *diag) {
    LpSparse all = sparse_of(weight);
    return lp_match_sparse(&all, out, value, steps, diag);
}

static LpErr sparse_bvn(const LpScriptSparse *demand, LpScriptBvn *out, uint64_t *steps,
                        LpDiag *diag) {
    LpSparse all = sparse_of(demand);
    LpBvn found;
    LP_TRY(lp_match_sparse_bvn(&all, &found, steps, diag));
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

/* Bytes of the collectives that policies weigh shapes by. */
static const double EACH = 1e6, ALL = 1e9;

static LpErr slice_times(const LpPod *pod, const LpSlice *slice, double *all_to_all,
                         double *all_reduce, LpDiag *diag) {
    bool open = !slice->closed[0] || !slice->closed[1] || !slice->closed[2];
    LpSlicePrediction p = {.all_to_all_time = (double)NAN, .all_reduce_time = (double)NAN};
    if (!(open && slice->accelerators > LP_POD_SHAPE_OPEN_MOST))
        LP_TRY(lp_slice_measure(pod, slice, ALL, &p, diag));
    *all_reduce = p.all_reduce_time;
    *all_to_all = isnan(p.all_to_all_time)
                      ? (double)NAN
                      : lp_pod_all_to_all(pod, slice, p.load, p.diameter, EACH);
    return LP_OK;
}

LpScriptServices lp_services(const char *const *library) {
    LpScriptServices services = {.max_weight = lp_match_max_weight,
                                 .assignment = lp_match_assignment,
                                 .value = lp_match_value,
                                 .bvn = bvn,
                                 .bvn_free = bvn_free,
                                 .sparse_max_weight = sparse_max_weight,
                                 .sparse_bvn = sparse_bvn,
                                 .topological = topological,
                                 .max_flow = max_flow,
                                 .shortest = shortest,
                                 .slice_times = slice_times,
                                 .library = library};
    lp_services_network(&services);
    return services;
}
