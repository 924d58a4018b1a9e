/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The assignment problem by shortest augmenting paths. igraph's solvers are not used here: their
 * steps grow with the fourth power of the size on product-like weights (256 x 256: half a
 * minute) and cannot be interrupted. The tests compare the two. */
#include "graph/assign.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "graph/edges.h"

typedef struct Solver {
    const double *cost;
    uint32_t rows, columns;
    double *u, *v;             /* potentials of rows and columns */
    double *distance;          /* of a column from the row that enters */
    uint32_t *previous;        /* the row before a column on its shortest path */
    uint32_t *row_of, *col_of; /* the assignment so far */
    bool *done;                /* columns whose distance is final */
    uint64_t steps, most;      /* looks at a cost: so far, and allowed */
} Solver;

static void release(Solver *s) {
    lp_free(s->u);
    lp_free(s->v);
    lp_free(s->distance);
    lp_free(s->previous);
    lp_free(s->row_of);
    lp_free(s->col_of);
    lp_free(s->done);
}

static bool prepare(Solver *s) {
    s->u = lp_alloc(s->rows, sizeof *s->u);
    s->v = lp_alloc(s->columns, sizeof *s->v);
    s->distance = lp_alloc(s->columns, sizeof *s->distance);
    s->previous = lp_alloc(s->columns, sizeof *s->previous);
    s->row_of = lp_alloc(s->columns, sizeof *s->row_of);
    s->col_of = lp_alloc(s->rows, sizeof *s->col_of);
    s->done = lp_alloc(s->columns, sizeof *s->done);
    if (!s->u || !s->v || !s->distance || !s->previous || !s->row_of || !s->col_of || !s->done)
        return false;
    for (uint32_t j = 0; j < s->columns; j++)
        s->row_of[j] = LP_GRAPH_NONE;
    for (uint32_t i = 0; i < s->rows; i++)
        s->col_of[i] = LP_GRAPH_NONE;
    return true;
}

/* Shortens distances over row i, which lies `base` away; returns the nearest column not done.
 * Among equals a free column ends the search at once, which halves the time where there are many
 * ties, or better. */
static uint32_t relax(Solver *s, uint32_t i, double base) {
    const double *cost = s->cost + (size_t)i * s->columns;
    s->steps += s->columns;
    uint32_t nearest = LP_GRAPH_NONE;
    double least = DBL_MAX;
    for (uint32_t j = 0; j < s->columns; j++) {
        if (s->done[j])
            continue;
        double d = base + (cost[j] - s->u[i] - s->v[j]);
        if (d < s->distance[j]) {
            s->distance[j] = d;
            s->previous[j] = i;
        }
        if (s->distance[j] > least)
            continue;
        bool frees = s->row_of[j] == LP_GRAPH_NONE &&
                     (nearest == LP_GRAPH_NONE || s->row_of[nearest] != LP_GRAPH_NONE);
        if (s->distance[j] < least || frees) {
            least = s->distance[j];
            nearest = j;
        }
    }
    return nearest;
}

/* The free column nearest to row r over alternating paths. There is one: rows <= columns. It is
 * LP_GRAPH_NONE where that takes more steps than there are. */
static uint32_t search(Solver *s, uint32_t r) {
    for (uint32_t j = 0; j < s->columns; j++)
        s->distance[j] = DBL_MAX;
    memset(s->done, 0, s->columns * sizeof *s->done);
    s->steps += s->columns;
    uint32_t j = relax(s, r, 0);
    while (s->row_of[j] != LP_GRAPH_NONE) {
        if (s->steps > s->most)
            return LP_GRAPH_NONE;
        s->done[j] = true;
        j = relax(s, s->row_of[j], s->distance[j]);
    }
    return j;
}

static void augment(Solver *s, uint32_t r, uint32_t sink) {
    uint32_t j = sink, i;
    do {
        i = s->previous[j];
        s->row_of[j] = i;
        uint32_t left = s->col_of[i];
        s->col_of[i] = j;
        j = left;
    } while (i != r);
}

static LpErr solve(Solver *s, LpDiag *diag) {
    for (uint32_t r = 0; r < s->rows; r++) {
        uint32_t sink = search(s, r);
        if (sink == LP_GRAPH_NONE)
            return lp_fail(diag, LP_ELIMIT, "an assignment of %u x %u takes more steps than %llu",
                           s->rows, s->columns, (unsigned long long)s->most);
        /* Moves the potentials so that the path to `sink` and the assignment stay without slack. */
        double least = s->distance[sink];
        s->u[r] += least;
        for (uint32_t j = 0; j < s->columns; j++)
            if (s->done[j]) {
                double gain = least - s->distance[j];
                s->u[s->row_of[j]] += gain;
                s->v[j] -= gain;
            }
        augment(s, r, sink);
    }
    return LP_OK;
}

LpErr lp_assign_within(const double *cost, uint32_t rows, uint32_t columns, uint32_t *out,
                       uint64_t *steps, LpDiag *diag) {
    Solver s = {.cost = cost, .rows = rows, .columns = columns, .most = *steps};
    LpErr err = prepare(&s) ? solve(&s, diag) : lp_fail_memory(diag, "an assignment");
    if (err == LP_OK && rows > 0)
        memcpy(out, s.col_of, rows * sizeof *out);
    *steps = s.steps;
    release(&s);
    return err;
}

LpErr lp_assign_solve(const double *cost, uint32_t rows, uint32_t columns, uint32_t *out,
                      LpDiag *diag) {
    uint64_t steps = UINT64_MAX;
    return lp_assign_within(cost, rows, columns, out, &steps, diag);
}
