/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cheapest way to run one job when server-seconds have prices that change from cell to cell.
 * Private to many/bound. */
#ifndef LP_MANY_BOUND_PRICE_H
#define LP_MANY_BOUND_PRICE_H

#include <stdbool.h>
#include <stddef.h>

#include "many/bound/relax.h"

/* Time cut into cells, [edge[k], edge[k + 1]). A job that is decided at once is counted at the
 * instants edge[k], others by the mean number of servers that they hold during a cell. */
typedef struct LpCells {
    uint32_t cells;
    double *edge;  /* cells + 1, ascending */
    double *price; /* per cell: of one server held for all of it, >= 0 */
    double *sum;   /* cells + 1: prices before each cell */
} LpCells;

/* After the prices have changed. */
void lp_cells_sum(LpCells *cells);

/* Where and how a job runs: what it takes of each cell. */
typedef struct LpChoiceOfCells {
    uint32_t count;
    uint32_t *cell; /* room for all cells */
    double *take;   /* mean servers */
} LpChoiceOfCells;

/* A piece of a preempted job: so much progress, at such a cost. */
typedef struct LpPiece {
    uint32_t cell;
    double progress, servers, unit; /* unit: cost of all the job's progress at this rate */
} LpPiece;

typedef struct LpPieces {
    LpPiece *item;
    size_t count, cap;
} LpPieces;

/* The least cost of serving the job, INFINITY where it cannot be served; out (NULL allowed) is the
 * way. Exact for these prices. `way` < ways: by this way only (not with PREEMPTING). Errors:
 * LP_ENOMEM. */
LpErr lp_price_job(const LpCells *cells, const LpBoundJob *job, LpFreedom freedom, uint32_t way,
                   LpPieces *pieces, double *cost, LpChoiceOfCells *out) LP_MUST_USE;

#endif
