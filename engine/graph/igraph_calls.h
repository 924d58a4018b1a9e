/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/graph: igraph, whose functions are found when it is used for the first time
 * (late/library.h). After this header a name of igraph's below is its function in the table, so
 * sources read as if they were linked with igraph. One that has no row here does not link. */
#ifndef LP_GRAPH_IGRAPH_CALLS_H
#define LP_GRAPH_IGRAPH_CALLS_H

#include <igraph.h>

/* X(name): what the folder calls of igraph, by itself or through igraph's macros, and one table of
 * igraph's. */
#define LP_IGRAPH_CALLS(X)                                                                         \
    X(igraph_articulation_points)                                                                  \
    X(igraph_cattribute_list)                                                                      \
    X(igraph_cattribute_EAN)                                                                       \
    X(igraph_cattribute_EAS)                                                                       \
    X(igraph_cattribute_VAN)                                                                       \
    X(igraph_cattribute_VAS)                                                                       \
    X(igraph_ecount)                                                                               \
    X(igraph_read_graph_gml)                                                                       \
    X(igraph_read_graph_graphml)                                                                   \
    X(igraph_set_attribute_table)                                                                  \
    X(igraph_strvector_destroy)                                                                    \
    X(igraph_strvector_get)                                                                        \
    X(igraph_strvector_init)                                                                       \
    X(igraph_strvector_size)                                                                       \
    X(igraph_vcount)                                                                               \
    X(igraph_cattribute_table)                                                                     \
    X(igraph_create)                                                                               \
    X(igraph_destroy)                                                                              \
    X(igraph_distances_dijkstra)                                                                   \
    X(igraph_edge_betweenness_subset)                                                              \
    X(igraph_layout_sugiyama)                                                                      \
    X(igraph_vector_init)                                                                          \
    X(igraph_vector_destroy)                                                                       \
    X(igraph_vector_view)                                                                          \
    X(igraph_vector_int_init)                                                                      \
    X(igraph_vector_int_size)                                                                      \
    X(igraph_vector_int_destroy)                                                                   \
    X(igraph_matrix_init)                                                                          \
    X(igraph_matrix_destroy)                                                                       \
    X(igraph_vs_range)                                                                             \
    X(igraph_vss_1)                                                                                \
    X(igraph_vss_all)                                                                              \
    X(igraph_ess_all)                                                                              \
    X(igraph_set_error_handler)                                                                    \
    X(igraph_set_warning_handler)                                                                  \
    X(igraph_set_interruption_handler)                                                             \
    X(igraph_warning_handler_ignore)                                                               \
    X(igraph_strerror)                                                                             \
    X(igraph_error)                                                                                \
    X(IGRAPH_FINALLY_REAL)                                                                         \
    X(IGRAPH_FINALLY_CLEAN)                                                                        \
    X(IGRAPH_FINALLY_FREE)

/* A pointer to each, in that order and with nothing between them. */
typedef struct LpIgraphCalls {
#define X(name) __typeof__(name) *name;
    LP_IGRAPH_CALLS(X)
#undef X
} LpIgraphCalls;

/* The table; to be asked inside lp_igraph_do (graph/lock.h) alone, which loads it. */
const LpIgraphCalls *lp_igraph(void);

#define igraph_articulation_points (lp_igraph()->igraph_articulation_points)
#define igraph_cattribute_list (lp_igraph()->igraph_cattribute_list)
#define igraph_cattribute_EAN (lp_igraph()->igraph_cattribute_EAN)
#define igraph_cattribute_EAS (lp_igraph()->igraph_cattribute_EAS)
#define igraph_cattribute_VAN (lp_igraph()->igraph_cattribute_VAN)
#define igraph_cattribute_VAS (lp_igraph()->igraph_cattribute_VAS)
#define igraph_ecount (lp_igraph()->igraph_ecount)
#define igraph_read_graph_gml (lp_igraph()->igraph_read_graph_gml)
#define igraph_read_graph_graphml (lp_igraph()->igraph_read_graph_graphml)
#define igraph_set_attribute_table (lp_igraph()->igraph_set_attribute_table)
#define igraph_strvector_destroy (lp_igraph()->igraph_strvector_destroy)
#define igraph_strvector_get (lp_igraph()->igraph_strvector_get)
#define igraph_strvector_init (lp_igraph()->igraph_strvector_init)
#define igraph_strvector_size (lp_igraph()->igraph_strvector_size)
#define igraph_vcount (lp_igraph()->igraph_vcount)
#define igraph_cattribute_table (*lp_igraph()->igraph_cattribute_table)
#define igraph_create (lp_igraph()->igraph_create)
#define igraph_destroy (lp_igraph()->igraph_destroy)
#define igraph_distances_dijkstra (lp_igraph()->igraph_distances_dijkstra)
#define igraph_edge_betweenness_subset (lp_igraph()->igraph_edge_betweenness_subset)
#define igraph_layout_sugiyama (lp_igraph()->igraph_layout_sugiyama)
#define igraph_vector_init (lp_igraph()->igraph_vector_init)
#define igraph_vector_destroy (lp_igraph()->igraph_vector_destroy)
#define igraph_vector_view (lp_igraph()->igraph_vector_view)
#define igraph_vector_int_init (lp_igraph()->igraph_vector_int_init)
#define igraph_vector_int_size (lp_igraph()->igraph_vector_int_size)
#define igraph_vector_int_destroy (lp_igraph()->igraph_vector_int_destroy)
#define igraph_matrix_init (lp_igraph()->igraph_matrix_init)
#define igraph_matrix_destroy (lp_igraph()->igraph_matrix_destroy)
#define igraph_vs_range (lp_igraph()->igraph_vs_range)
#define igraph_vss_1 (lp_igraph()->igraph_vss_1)
#define igraph_vss_all (lp_igraph()->igraph_vss_all)
#define igraph_ess_all (lp_igraph()->igraph_ess_all)
#define igraph_set_error_handler (lp_igraph()->igraph_set_error_handler)
#define igraph_set_warning_handler (lp_igraph()->igraph_set_warning_handler)
#define igraph_set_interruption_handler (lp_igraph()->igraph_set_interruption_handler)
#define igraph_warning_handler_ignore (lp_igraph()->igraph_warning_handler_ignore)
#define igraph_strerror (lp_igraph()->igraph_strerror)
#define igraph_error (lp_igraph()->igraph_error)
#define IGRAPH_FINALLY_REAL (lp_igraph()->IGRAPH_FINALLY_REAL)
#define IGRAPH_FINALLY_CLEAN (lp_igraph()->IGRAPH_FINALLY_CLEAN)
#define IGRAPH_FINALLY_FREE (lp_igraph()->IGRAPH_FINALLY_FREE)

#endif
