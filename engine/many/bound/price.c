/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pricing: exact least costs of one job, for each freedom. */
#include "many/bound/price.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* Times are taken a little shorter than they are, so that rounding, and events that count as
 * simultaneous (1e-7 s under published rules), can only make the bound weaker. */
#define SHORTER 1e-9
#define INSTANT 1e-7

static double time_of(const LpBoundJob *job, const LpBoundWay *way) {
    double time = way->time * job->scale * (1 - SHORTER) - INSTANT;
    return time > 0 ? time : 0;
}

void lp_cells_sum(LpCells *c) {
    c->sum[0] = 0;
    for (uint32_t k = 0; k < c->cells; k++)
        c->sum[k + 1] = c->sum[k] + c->price[k];
}

/* The cell that holds a time: the last one that begins at or before it; `cells` behind all. */
static uint32_t cell_at(const LpCells *c, double time) {
    uint32_t low = 0, high = c->cells;
    if (time >= c->edge[c->cells])
        return c->cells;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (c->edge[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void take(LpChoiceOfCells *out, uint32_t cell, double servers) {
    if (out == NULL || !(servers > 0))
        return;
    if (out->count > 0 && out->cell[out->count - 1] == cell) {
        out->take[out->count - 1] += servers;
        return;
    }
    out->cell[out->count] = cell;
    out->take[out->count++] = servers;
}

/* ---- at once ---- */

/* Cells whose beginnings the job sees: its own, and those before it ends. */
static void span_at_once(const LpCells *c, const LpBoundJob *job, const LpBoundWay *way,
                         uint32_t *from, uint32_t *to) {
    double end = job->arrival + time_of(job, way);
    *from = cell_at(c, job->arrival);
    *to = *from + 1;
    while (*to < c->cells && c->edge[*to] < end)
        (*to)++;
}

static double cost_at_once(const LpCells *c, const LpBoundJob *job, const LpBoundWay *way) {
    uint32_t from, to;
    span_at_once(c, job, way, &from, &to);
    return way->servers * (c->sum[to] - c->sum[from]);
}

/* ---- waiting ---- */

/* Price of one server from the beginning of all cells to a time. */
static double price_until(const LpCells *c, double time) {
    uint32_t k = cell_at(c, time);
    if (k == c->cells)
        return c->sum[k];
    if (time <= c->edge[k])
        return c->sum[k];
    return c->sum[k] + c->price[k] * (time - c->edge[k]) / (c->edge[k + 1] - c->edge[k]);
}

typedef struct Start {
    double at, cost; /* of one server */
} Start;

static void try_start(const LpCells *c, const LpBoundJob *job, double time, double at,
                      Start *best) {
    if (at < job->arrival || at + time > job->end)
        return;
    double cost = price_until(c, at + time) - price_until(c, at);
    if (cost < best->cost)
        *best = (Start){at, cost > 0 ? cost : 0};
}

/* The cost is linear in the start between starts at which the job begins or ends on an edge. */
static Start cheapest_start(const LpCells *c, const LpBoundJob *job, double time) {
    Start best = {job->arrival, (double)INFINITY};
    double last = job->end - time, stop = c->edge[c->cells];
    if (isinf(job->end)) { /* behind all cells nobody is in the way */
        try_start(c, job, time, stop > job->arrival ? stop : job->arrival, &best);
        return best;
    }
    try_start(c, job, time, job->arrival, &best);
    try_start(c, job, time, last, &best);
    for (uint32_t k = cell_at(c, job->arrival); k <= c->cells && c->edge[k] <= job->end; k++) {
        try_start(c, job, time, c->edge[k], &best);
        try_start(c, job, time, c->edge[k] - time, &best);
    }
    return best;
}

static void take_stretch(const LpCells *c, double from, double to, double servers,
                         LpChoiceOfCells *out) {
    for (uint32_t k = cell_at(c, from); k < c->cells && c->edge[k] < to; k++) {
        double begin = c->edge[k] > from ? c->edge[k] : from;
        double end = c->edge[k + 1] < to ? c->edge[k + 1] : to;
        if (end > begin)
            take(out, k, servers * (end - begin) / (c->edge[k + 1] - c->edge[k]));
    }
}

/* ---- preempting ---- */

static int compare_pieces(const void *a, const void *b) {
    const LpPiece *x = a, *y = b;
    if (x->unit != y->unit)
        return (x->unit > y->unit) - (x->unit < y->unit);
    if (x->cell != y->cell)
        return (x->cell > y->cell) - (x->cell < y->cell);
    return (x->progress < y->progress) - (x->progress > y->progress);
}

/* The next corner of the upper hull of progress by servers: the way with the steepest rise from
 * here, of equals the furthest; `ways` where nothing is faster. */
static uint32_t next_corner(const LpBoundJob *job, double servers, double rate) {
    uint32_t best = job->ways;
    double steepest = 0, reach = servers;
    for (uint32_t w = 0; w < job->ways; w++) {
        double more = job->way[w].servers - servers;
        double time = time_of(job, &job->way[w]);
        double gain = (time > 0 ? 1 / time : 1e300) - rate;
        if (!(more > 0) || !(gain > 0))
            continue;
        if (best == job->ways || gain / more > steepest ||
            (gain / more >= steepest && job->way[w].servers > reach)) {
            best = w;
            steepest = gain / more;
            reach = job->way[w].servers;
        }
    }
    return best;
}

/* All pieces of one cell (cell == cells: the time behind all, which is free). */
static LpErr add_cell(const LpCells *c, const LpBoundJob *job, uint32_t cell, double time,
                      LpPieces *pieces) {
    double servers = 0, rate = 0;
    double price =
        cell < c->cells ? c->price[cell] / (c->edge[cell + 1] - c->edge[cell]) : 0; /* per s */
    for (uint32_t w; (w = next_corner(job, servers, rate)) < job->ways;) {
        double length = time_of(job, &job->way[w]);
        double gain = (length > 0 ? 1 / length : 1e300) - rate;
        double more = job->way[w].servers - servers;
        LpPiece piece = {cell, gain * time, more * time, price * more / gain};
        void *items = pieces->item;
        LP_TRY(lp_grow(&items, &pieces->cap, pieces->count + 1, sizeof *pieces->item));
        pieces->item = items;
        pieces->item[pieces->count++] = piece;
        servers += more;
        rate += gain;
    }
    return LP_OK;
}

/* As a fractional knapsack: the cheapest progress first. In one cell that is the hull's order. */
static LpErr price_preempting(const LpCells *c, const LpBoundJob *job, LpPieces *pieces,
                              double *cost, LpChoiceOfCells *out) {
    double left = 1, sum = 0;
    *cost = isinf(job->end) ? 0 : (double)INFINITY;
    if (isinf(job->end))
        return LP_OK;
    uint32_t k = cell_at(c, job->arrival);
    pieces->count = 0;
    for (; k < c->cells && c->edge[k] < job->end; k++) {
        double from = c->edge[k] > job->arrival ? c->edge[k] : job->arrival;
        double to = c->edge[k + 1] < job->end ? c->edge[k + 1] : job->end;
        if (to > from)
            LP_TRY(add_cell(c, job, k, to - from, pieces));
    }
    double last = c->edge[c->cells] > job->arrival ? c->edge[c->cells] : job->arrival;
    if (job->end > last)
        LP_TRY(add_cell(c, job, c->cells, job->end - last, pieces));
    qsort(pieces->item, pieces->count, sizeof *pieces->item, compare_pieces);
    size_t used = 0;
    for (; used < pieces->count && left > 0; used++) {
        LpPiece *p = &pieces->item[used];
        double share = p->progress > left ? left / p->progress : 1;
        sum += share * p->progress * p->unit;
        left -= p->progress;
        p->servers *= share;
    }
    if (left > SHORTER)
        return LP_OK;
    *cost = sum;
    for (size_t i = 0; out != NULL && i < used; i++) {
        const LpPiece *p = &pieces->item[i];
        if (p->cell < c->cells)
            out->take[p->cell] += p->servers / (c->edge[p->cell + 1] - c->edge[p->cell]);
    }
    return LP_OK;
}

/* take[] holds sums by cell: keeps the cells that have something. */
static void gather(const LpCells *c, LpChoiceOfCells *out) {
    out->count = 0;
    for (uint32_t k = 0; k < c->cells; k++) {
        double servers = out->take[k];
        out->take[k] = 0;
        if (servers > 0) {
            out->cell[out->count] = k;
            out->take[out->count++] = servers;
        }
    }
}

/* ---- all of them ---- */

/* One way of a job that runs without a break. */
static double price_way(const LpCells *c, const LpBoundJob *job, LpFreedom freedom,
                        const LpBoundWay *way, LpChoiceOfCells *out) {
    double time = time_of(job, way);
    if (job->arrival + time > job->end)
        return (double)INFINITY;
    if (freedom == LP_FREEDOM_AT_ONCE) {
        if (out != NULL) {
            uint32_t from, to;
            span_at_once(c, job, way, &from, &to);
            for (uint32_t k = from; k < to; k++)
                take(out, k, way->servers);
        }
        return cost_at_once(c, job, way);
    }
    Start start = cheapest_start(c, job, time);
    if (out != NULL)
        take_stretch(c, start.at, start.at + time, way->servers, out);
    return way->servers * start.cost;
}

static LpErr price_whole(const LpCells *c, const LpBoundJob *job, LpFreedom freedom, double *cost,
                         LpChoiceOfCells *out) {
    uint32_t best = job->ways;
    *cost = (double)INFINITY;
    for (uint32_t w = 0; w < job->ways; w++) {
        double one = price_way(c, job, freedom, &job->way[w], NULL);
        if (one < *cost) {
            *cost = one;
            best = w;
        }
    }
    if (out != NULL && best < job->ways)
        price_way(c, job, freedom, &job->way[best], out);
    return LP_OK;
}

LpErr lp_price_job(const LpCells *c, const LpBoundJob *job, LpFreedom freedom, uint32_t way,
                   LpPieces *pieces, double *cost, LpChoiceOfCells *out) {
    if (out != NULL)
        out->count = 0;
    if (freedom == LP_FREEDOM_PREEMPTING) {
        for (uint32_t k = 0; out != NULL && k < c->cells; k++)
            out->take[k] = 0;
        LP_TRY(price_preempting(c, job, pieces, cost, out));
        if (out != NULL)
            gather(c, out);
        return LP_OK;
    }
    if (way >= job->ways)
        return price_whole(c, job, freedom, cost, out);
    *cost = price_way(c, job, freedom, &job->way[way], out);
    return LP_OK;
}
