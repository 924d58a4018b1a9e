/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lock and the handlers around every call of igraph. */
#include "graph/lock.h"

#include <pthread.h>
#include <setjmp.h>

#include "base/str.h"
#include "late/library.h"

#ifndef LP_IGRAPH_SONAME /* make says what is installed; this is for an editor or a checker        \
                            without it */
#define LP_IGRAPH_SONAME "libigraph.so.3"
#endif

/* The only mutable static of the engine: igraph's own globals need it (tests/layers.sh). Who holds
 * the mutex says where an error of igraph leads. */
static struct {
    pthread_mutex_t mutex;
    jmp_buf *back;
    char *reason; /* of the first error of work that reads: LP_IGRAPH_REASON bytes */
    bool loaded;
    LpIgraphCalls calls; /* never change once they are loaded */
} lock = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* The rows of LP_IGRAPH_CALLS as texts: # does not look at what a name stands for. */
#define X(name) #name,
static const char *const NAMES[] = {LP_IGRAPH_CALLS(X)};
#undef X
_Static_assert(sizeof(LpIgraphCalls) == LP_COUNTOF(NAMES) * sizeof(void *), "pointers alone");

const LpIgraphCalls *lp_igraph(void) {
    return &lock.calls;
}

static void on_error(const char *reason, const char *file, int line, igraph_error_t code) {
    (void)reason;
    (void)file;
    (void)line;
    IGRAPH_FINALLY_FREE(); /* while the frames of what is on igraph's stack are there */
    longjmp(*lock.back, (int)code);
}

/* Work that reads a file leaves by igraph's own returns. */
static void on_read_error(const char *reason, const char *file, int line, igraph_error_t code) {
    (void)file;
    (void)line;
    (void)code;
    if (lock.reason[0] == '\0')
        lp_str_copy(lock.reason, LP_IGRAPH_REASON, reason);
    IGRAPH_FINALLY_FREE();
}

static igraph_error_t work_or_code(LpIgraphWork *work, void *data) {
    jmp_buf back;
    if (lock.reason != NULL)
        return work(data);
    int code = setjmp(back);
    if (code != 0)
        return (igraph_error_t)code;
    lock.back = &back;
    return work(data);
}

/* igraph may bring the C++ library, which flushes its streams when the process ends. Nobody uses
 * them, but for that a thread gets data of its own, and where memory has run out the loader then
 * aborts. The library flushes when its last user leaves: one that never does keeps it from that. */
static void keep_streams(void) {
    char user; /* std::ios_base::Init has no members, only a count of its objects */
    void (*enter)(void *) = NULL;
    lp_library_find(LP_IGRAPH_SONAME, "_ZNSt8ios_base4InitC1Ev", &enter);
    if (enter != NULL)
        enter(&user);
}

static LpErr load(const char *what, LpDiag *diag) {
    if (lock.loaded)
        return LP_OK;
    LP_TRY(lp_library_load(LP_IGRAPH_SONAME, NAMES, LP_COUNTOF(NAMES), &lock.calls, what, diag));
    keep_streams();
    lock.loaded = true;
    return LP_OK;
}

/* With the lock held and igraph there. */
static igraph_error_t work_quietly(LpIgraphWork *work, void *data) {
    igraph_error_handler_t *error =
        igraph_set_error_handler(lock.reason != NULL ? on_read_error : on_error);
    igraph_warning_handler_t *warning = igraph_set_warning_handler(igraph_warning_handler_ignore);
    igraph_interruption_handler_t *interruption = igraph_set_interruption_handler(NULL);
    igraph_error_t code = work_or_code(work, data);
    lock.back = NULL;
    igraph_set_interruption_handler(interruption);
    igraph_set_warning_handler(warning);
    igraph_set_error_handler(error);
    return code;
}

static LpErr do_locked(LpIgraphWork *work, void *data, const char *what, char *reason,
                       igraph_error_t *code, LpDiag *diag) {
    pthread_mutex_lock(&lock.mutex);
    LpErr err = load(what, diag);
    lock.reason = reason;
    *code = err == LP_OK ? work_quietly(work, data) : IGRAPH_SUCCESS;
    lock.reason = NULL;
    pthread_mutex_unlock(&lock.mutex);
    return *code == IGRAPH_ENOMEM ? lp_fail_memory(diag, what) : err;
}

LpErr lp_igraph_read(LpIgraphWork *work, void *data, const char *what,
                     char reason[LP_IGRAPH_REASON], LpDiag *diag) {
    igraph_error_t code;
    reason[0] = '\0';
    LP_TRY(do_locked(work, data, what, reason, &code, diag));
    if (code != IGRAPH_SUCCESS && reason[0] == '\0')
        lp_str_copy(reason, LP_IGRAPH_REASON, "not understood");
    return LP_OK;
}

LpErr lp_igraph_do(LpIgraphWork *work, void *data, const char *what, LpDiag *diag) {
    igraph_error_t code;
    LP_TRY(do_locked(work, data, what, NULL, &code, diag));
    if (code == IGRAPH_SUCCESS)
        return LP_OK;
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
