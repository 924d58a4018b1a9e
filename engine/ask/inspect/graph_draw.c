/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread for one drawing. */
#include "ask/inspect/graph_draw.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "graph/layout.h"
#include "graph/paths.h"

struct LpGraphDraw {
    LpEdgeList list;
    uint32_t *src, *dst;
    double *x, *y;
    LpErr err;
    LpDiag diag;
    pthread_t thread;
    bool joined;
    pthread_mutex_t lock; /* of done */
    bool done;
};

/* Too large to be drawn well: rows by depth, and in them one after the other. */
static LpErr draw_plainly(LpGraphDraw *d) {
    uint32_t nodes = d->list.nodes, *row = lp_alloc(nodes, sizeof *row);
    uint32_t *filled = lp_alloc(nodes, sizeof *filled);
    LpErr err = row && filled ? lp_graph_topological(&d->list, NULL, row, &d->diag)
                              : lp_fail_memory(&d->diag, "a drawing");
    for (uint32_t v = 0; v < nodes && err == LP_OK; v++) {
        d->y[v] = row[v];
        d->x[v] = filled[row[v]]++;
    }
    lp_free(row);
    lp_free(filled);
    return err;
}

static void *work(void *user) {
    LpGraphDraw *d = user;
    d->err = lp_graph_layers(&d->list, d->x, d->y, &d->diag);
    if (d->err == LP_ELIMIT)
        d->err = draw_plainly(d);
    pthread_mutex_lock(&d->lock);
    d->done = true;
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

static void release(LpGraphDraw *d) {
    lp_free(d->src);
    lp_free(d->dst);
    lp_free(d->x);
    lp_free(d->y);
    lp_free(d);
}

static LpGraphDraw *copy(const LpGraphInspection *seen) {
    LpGraphDraw *d = lp_alloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->src = lp_alloc(seen->edges, sizeof *d->src);
    d->dst = lp_alloc(seen->edges, sizeof *d->dst);
    d->x = lp_alloc(seen->nodes, sizeof *d->x);
    d->y = lp_alloc(seen->nodes, sizeof *d->y);
    if (!d->src || !d->dst || !d->x || !d->y) {
        release(d);
        return NULL;
    }
    if (seen->edges > 0) {
        memcpy(d->src, seen->src, seen->edges * sizeof *d->src);
        memcpy(d->dst, seen->dst, seen->edges * sizeof *d->dst);
    }
    d->list = (LpEdgeList){seen->nodes, seen->edges, d->src, d->dst};
    return d;
}

LpErr lp_graph_draw(const LpGraphInspection *seen, LpGraphDraw **out, LpDiag *diag) {
    LpGraphDraw *d = copy(seen);
    if (!d)
        return lp_fail_memory(diag, "a drawing");
    pthread_mutex_init(&d->lock, NULL);
    if (pthread_create(&d->thread, NULL, work, d) != 0) {
        pthread_mutex_destroy(&d->lock);
        release(d);
        return lp_fail(diag, LP_EIO, "no thread can be made to draw a graph");
    }
    *out = d;
    return LP_OK;
}

bool lp_graph_draw_works(LpGraphDraw *d) {
    pthread_mutex_lock(&d->lock);
    bool done = d->done;
    pthread_mutex_unlock(&d->lock);
    return !done;
}

static void join(LpGraphDraw *d) {
    if (!d->joined)
        pthread_join(d->thread, NULL);
    d->joined = true;
}

LpErr lp_graph_draw_wait(LpGraphDraw *d, const double **x, const double **y, LpDiag *diag) {
    join(d);
    if (d->err != LP_OK) {
        if (diag)
            *diag = d->diag;
        return d->err;
    }
    *x = d->x;
    *y = d->y;
    return LP_OK;
}

uint32_t lp_graph_draw_nodes(const LpGraphDraw *d) {
    return d->list.nodes;
}

void lp_graph_draw_free(LpGraphDraw *d) {
    if (!d)
        return;
    join(d);
    pthread_mutex_destroy(&d->lock);
    release(d);
}
