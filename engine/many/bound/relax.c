/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The linear program of a bound, by column generation, and the bound that its prices prove. */
#include "many/bound/relax.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "many/bound/price.h"
#include "solve/packing.h"

/* Rounds of column generation: most experiments need 10 to 40. What remains costs tightness only.
 */
enum { ROUNDS = 40, FINE_JOBS = 200, TAIL_CELLS = 64 };
/* A column must promise so much to be added, and a bound within such a share of the jobs is good.
 */
#define PROMISE 1e-6
#define CLOSE 0.0005
#define LEAST 1e-9

typedef struct Relaxing {
    const LpBoundJob *job;
    uint32_t jobs;
    double servers;
    LpFreedom freedom;
    LpCells cells;
    LpPacking *packing;
    double *room, *dual; /* per row: jobs, then cells */
    uint32_t *row;
    double *cost; /* per job, at the present prices */
    LpChoiceOfCells choice;
    LpPieces pieces;
    LpDiag *diag;
} Relaxing;

/* ---- cells ---- */

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Arrivals; also deadlines of few jobs; behind the last arrival steps of the mean gap. */
static uint32_t collect(const Relaxing *r, double *edge) {
    uint32_t count = 0;
    double last = 0, from = r->job[0].arrival, to = r->job[r->jobs - 1].arrival;
    for (uint32_t i = 0; i < r->jobs; i++) {
        edge[count++] = r->job[i].arrival;
        if (isfinite(r->job[i].end) && r->job[i].end > last)
            last = r->job[i].end;
        if (r->freedom != LP_FREEDOM_AT_ONCE && r->jobs <= FINE_JOBS && isfinite(r->job[i].end))
            edge[count++] = r->job[i].end;
    }
    double gap = r->jobs > 1 ? (to - from) / (r->jobs - 1) : last - to;
    for (uint32_t k = 1; k <= TAIL_CELLS && r->freedom != LP_FREEDOM_AT_ONCE && gap > 0; k++)
        if (to + k * gap < last)
            edge[count++] = to + k * gap;
    edge[count++] = last > to ? last : to + 1;
    return count;
}

/* ---- columns ---- */

static LpErr add_column(Relaxing *r, uint32_t job) {
    LpChoiceOfCells *choice = &r->choice;
    uint32_t count = 0;
    r->row[count] = job;
    r->dual[count++] = 1;
    for (uint32_t k = 0; k < choice->count; k++) {
        if (choice->take[k] < LEAST) /* of no weight, but bad for the solver */
            continue;
        r->row[count] = r->jobs + choice->cell[k];
        r->dual[count++] = choice->take[k];
    }
    return lp_packing_add(r->packing, count, r->row, r->dual, r->diag);
}

static LpErr price(Relaxing *r, uint32_t job, uint32_t way, double *cost, bool choose) {
    LpErr err = lp_price_job(&r->cells, &r->job[job], r->freedom, way, &r->pieces, cost,
                             choose ? &r->choice : NULL);
    return err == LP_OK ? LP_OK : lp_fail_memory(r->diag, "a bound");
}

/* Each way of a job that is worth more than the job's row asks for; worth[] are the jobs' prices.
 */
static LpErr add_columns(Relaxing *r, const double *worth, uint32_t *added) {
    bool whole = r->freedom == LP_FREEDOM_PREEMPTING;
    *added = 0;
    for (uint32_t i = 0; i < r->jobs; i++) {
        if (!(1 - r->cost[i] - worth[i] > PROMISE))
            continue;
        for (uint32_t w = 0; w < (whole ? 1 : r->job[i].ways); w++) {
            double cost;
            LP_TRY(price(r, i, whole ? r->job[i].ways : w, &cost, true));
            if (!(1 - cost - worth[i] > PROMISE))
                continue;
            LP_TRY(add_column(r, i));
            (*added)++;
        }
    }
    return LP_OK;
}

/* ---- the bound ---- */

/* By weak duality: with any prices >= 0, no schedule serves more than all servers are worth, and
 * for each job what it is worth beyond its cheapest way. */
static LpErr prove(Relaxing *r, double *most) {
    lp_cells_sum(&r->cells);
    *most = r->servers * r->cells.sum[r->cells.cells];
    for (uint32_t i = 0; i < r->jobs; i++) {
        LP_TRY(price(r, i, r->job[i].ways, &r->cost[i], false));
        if (r->cost[i] < 1)
            *most += 1 - r->cost[i];
    }
    return LP_OK;
}

/* Hardly anything tighter than the bound can come, or nothing: no whole number lies between it and
 * the value. */
static bool settled(const Relaxing *r, double most, double value) {
    return most - value < CLOSE * r->jobs || floor(most) <= value;
}

static LpErr generate(Relaxing *r, double *worth, LpRelaxed *out) {
    uint32_t added;
    LP_TRY(prove(r, &out->most));
    for (uint32_t round = 0; round < ROUNDS; round++) {
        double most;
        LP_TRY(add_columns(r, worth, &added));
        if (added == 0)
            break;
        out->rounds++;
        LP_TRY(lp_packing_solve(r->packing, &out->value, r->dual, r->diag));
        for (uint32_t i = 0; i < r->jobs; i++)
            worth[i] = r->dual[i] > 0 ? r->dual[i] : 0;
        for (uint32_t k = 0; k < r->cells.cells; k++)
            r->cells.price[k] = r->dual[r->jobs + k] > 0 ? r->dual[r->jobs + k] : 0;
        LP_TRY(prove(r, &most));
        if (most < out->most)
            out->most = most;
        if (settled(r, out->most, out->value))
            break;
    }
    return LP_OK;
}

/* A run without a break is one of the ways of a job that may be preempted, and prices that are good
 * for the one are nearly so for the other: beginning there takes a tenth of the rounds. */
static LpErr generate_all(Relaxing *r, double *worth, LpRelaxed *out) {
    if (r->freedom == LP_FREEDOM_PREEMPTING) {
        r->freedom = LP_FREEDOM_WAITING;
        LP_TRY(generate(r, worth, out));
        r->freedom = LP_FREEDOM_PREEMPTING;
    }
    return generate(r, worth, out);
}

static LpErr relax(Relaxing *r, LpRelaxed *out) {
    LpCells *c = &r->cells;
    size_t most = 2 * (size_t)r->jobs + TAIL_CELLS + 2;
    c->edge = lp_alloc(most, sizeof *c->edge);
    c->price = lp_alloc(most, sizeof *c->price);
    c->sum = lp_alloc(most + 1, sizeof *c->sum);
    if (c->edge == NULL || c->price == NULL || c->sum == NULL)
        return lp_fail_memory(r->diag, "a bound");
    uint32_t count = collect(r, c->edge), kept = 1;
    qsort(c->edge, count, sizeof *c->edge, compare_times);
    for (uint32_t k = 1; k < count; k++)
        if (c->edge[k] > c->edge[kept - 1])
            c->edge[kept++] = c->edge[k];
    c->cells = kept - 1;
    size_t rows = (size_t)r->jobs + r->cells.cells;
    r->room = lp_alloc(rows, sizeof *r->room);
    r->dual = lp_alloc(rows + 1, sizeof *r->dual);
    r->row = lp_alloc(rows + 1, sizeof *r->row);
    r->cost = lp_alloc(r->jobs, sizeof *r->cost);
    r->choice.cell = lp_alloc(r->cells.cells, sizeof *r->choice.cell);
    r->choice.take = lp_alloc(r->cells.cells, sizeof *r->choice.take);
    double *worth = lp_alloc(r->jobs, sizeof *worth);
    LpErr err = LP_OK;
    if (!r->room || !r->dual || !r->row || !r->cost || !r->choice.cell || !r->choice.take || !worth)
        err = lp_fail_memory(r->diag, "a bound");
    for (size_t i = 0; err == LP_OK && i < rows; i++)
        r->room[i] = i < r->jobs ? 1 : r->servers;
    if (err == LP_OK)
        err = lp_packing_new((uint32_t)rows, r->room, &r->packing, r->diag);
    if (err == LP_OK)
        err = generate_all(r, worth, out);
    lp_free(worth);
    return err;
}

LpErr lp_relax(const LpBoundJob *job, uint32_t jobs, double servers, LpFreedom freedom,
               LpRelaxed *out, LpDiag *diag) {
    Relaxing r = {.job = job, .jobs = jobs, .servers = servers, .freedom = freedom, .diag = diag};
    *out = (LpRelaxed){0};
    if (jobs == 0)
        return LP_OK;
    LpErr err = relax(&r, out);
    lp_packing_free(r.packing);
    void *owned[] = {r.room,        r.dual,       r.row,         r.cost,      r.choice.cell,
                     r.choice.take, r.cells.edge, r.cells.price, r.cells.sum, r.pieces.item};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
    return err;
}
