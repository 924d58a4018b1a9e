/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lock and the handlers around every call of igraph. */
#include "graph/lock.h"

#include <pthread.h>

/* The only mutable static of the engine: igraph's own globals need it (tests/layers.sh). */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void lp_igraph_enter(LpIgraphCall *call) {
    pthread_mutex_lock(&lock);
    call->error = igraph_set_error_handler(igraph_error_handler_ignore);
    call->warning = igraph_set_warning_handler(igraph_warning_handler_ignore);
    call->interruption = igraph_set_interruption_handler(NULL);
}

LpErr lp_igraph_leave(const LpIgraphCall *call, igraph_error_t code, const char *what,
                      LpDiag *diag) {
    igraph_set_interruption_handler(call->interruption);
    igraph_set_warning_handler(call->warning);
    igraph_set_error_handler(call->error);
    pthread_mutex_unlock(&lock);
    if (code == IGRAPH_SUCCESS)
        return LP_OK;
    if (code == IGRAPH_ENOMEM)
        return lp_fail_memory(diag, what);
    return lp_fail(diag, LP_ESTATE, "igraph could not compute %s: %s", what, igraph_strerror(code));
}

igraph_error_t lp_igraph_create(igraph_t *graph, const LpEdgeList *list) {
    igraph_vector_int_t ends;
    IGRAPH_CHECK(igraph_vector_int_init(&ends, 2 * (igraph_integer_t)list->edges));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &ends);
    for (uint32_t e = 0; e < list->edges; e++) {
        VECTOR(ends)[2 * (size_t)e] = list->src[e];
        VECTOR(ends)[2 * (size_t)e + 1] = list->dst[e];
    }
    IGRAPH_CHECK(igraph_create(graph, &ends, list->nodes, IGRAPH_DIRECTED));
    igraph_vector_int_destroy(&ends);
    IGRAPH_FINALLY_CLEAN(1);
    return IGRAPH_SUCCESS;
}
