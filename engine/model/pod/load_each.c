/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads of links from every accelerator: the shortest ways of the intact slice, mended behind dead
 * links. */
#include <string.h>

#include "base/assert.h"
#include "base/mem.h"
#include "model/pod/net_impl.h"
#include "model/pod/pod_load.h"

/* ---- shortest ways in the intact slice ---- */

/* A link between an accelerator and one that is a hop nearer to the source. */
typedef struct Step {
    uint32_t rank; /* of the other end */
    uint32_t side; /* the link's, of 6, seen from the nearer end */
} Step;

/* Seen from accelerator 0. Accelerators are named by rank: by distance, so that what is one hop
 * farther lies close behind. */
typedef struct Ways {
    uint32_t nodes, steps;
    uint32_t *node;         /* by rank */
    uint32_t *rank;         /* by node */
    uint32_t *row, *column; /* of the node: the first two coordinates as a number, and the third */
    uint32_t *first, *first_back; /* nodes + 1: where each one's steps begin */
    Step *ahead, *back;
    double *count, *inverse; /* shortest ways to each, and 1 / them */
    uint32_t diameter;
    double distances; /* their sum */
} Ways;

static void ways_fini(Ways *w) {
    void *owned[] = {w->node,       w->rank,  w->row,  w->column, w->first,
                     w->first_back, w->ahead, w->back, w->count,  w->inverse};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
}

static LpErr ways_init(Ways *w, uint32_t nodes, LpDiag *diag) {
    size_t most = (size_t)LP_POD_SIDES * nodes;
    *w = (Ways){.nodes = nodes,
                .node = lp_alloc(nodes, sizeof *w->node),
                .rank = lp_alloc(nodes, sizeof *w->rank),
                .row = lp_alloc(nodes, sizeof *w->row),
                .column = lp_alloc(nodes, sizeof *w->column),
                .first = lp_alloc((size_t)nodes + 1, sizeof *w->first),
                .first_back = lp_alloc((size_t)nodes + 1, sizeof *w->first_back),
                .ahead = lp_alloc(most, sizeof *w->ahead),
                .back = lp_alloc(most, sizeof *w->back),
                .count = lp_alloc(nodes, sizeof *w->count),
                .inverse = lp_alloc(nodes, sizeof *w->inverse)};
    if (w->node && w->rank && w->row && w->column && w->first && w->first_back && w->ahead &&
        w->back && w->count && w->inverse)
        return LP_OK;
    ways_fini(w);
    return lp_fail_memory(diag, "the shortest ways of a slice");
}

/* The steps from a rank to what is farther (by = 1), or from what is nearer (by = -1). */
static uint32_t list_steps(const Ways *w, const LpPodSearch *s, uint32_t rank, int by, Step *out) {
    uint32_t v = w->node[rank], count = 0;
    for (uint32_t k = 0; k < LP_POD_SIDES; k++) {
        uint32_t to = s->net->to[LP_POD_SIDES * v + k];
        if (s->hops[to] == s->hops[v] + (uint32_t)by)
            out[count++] = (Step){w->rank[to], by > 0 ? k : k ^ 1};
    }
    return count;
}

static void ways_fill(Ways *w, const LpSlice *slice, LpPodSearch *s) {
    uint32_t ahead = 0, back = 0;
    lp_pod_search(s, 0, LP_NO_INDEX);
    LP_ASSERT(s->found == w->nodes);
    for (uint32_t i = 0; i < w->nodes; i++) {
        w->node[i] = s->queue[i];
        w->rank[s->queue[i]] = i;
        w->row[i] = s->queue[i] / slice->extent[2];
        w->column[i] = s->queue[i] % slice->extent[2];
        w->count[i] = s->ways[s->queue[i]];
        w->inverse[i] = 1 / w->count[i];
        w->diameter = s->hops[s->queue[i]];
        w->distances += w->diameter;
    }
    for (uint32_t i = 0; i < w->nodes; i++) {
        ahead += list_steps(w, s, i, 1, w->ahead + ahead);
        back += list_steps(w, s, i, -1, w->back + back);
        w->first[i + 1] = ahead;
        w->first_back[i + 1] = back;
    }
}

static LpErr ways_of(const LpPod *pod, const LpSlice *slice, Ways *out, LpDiag *diag) {
    LpPodNet intact;
    LpPodSearch search;
    LP_TRY(lp_pod_net(pod, slice, NULL, 0, &intact, diag));
    LpErr err = lp_pod_search_init(&search, &intact, diag);
    if (err == LP_OK) {
        err = ways_init(out, intact.nodes, diag);
        if (err == LP_OK)
            ways_fill(out, slice, &search);
        lp_pod_search_fini(&search);
    }
    lp_pod_net_fini(&intact);
    return err;
}

/* ---- seen from another accelerator, with dead links ---- */

typedef struct Each {
    const LpPod *pod;
    const LpSlice *slice;
    const LpPodNet *net;
    const Ways *ways;
    uint32_t *dead, *dead_rank; /* directed links that are dead; where the source sees them */
    uint32_t deads;
    LpPodSearch search; /* for sources to which something has moved farther away */
    /* What is worked out for one source. */
    uint32_t *base, *turn;   /* of each row: its first node, and where in it the third coordinate
                                of the source falls */
    double *count, *inverse; /* as in Ways, mended */
    double *unit;            /* by rank: of what each shortest way to it carries */
    uint8_t *mended;         /* by rank: its ways are counted again */
    uint8_t *gone;           /* by rank: its sides whose links are dead, as bits */
    uint32_t *undo;          /* ranks that are mended */
    uint32_t undos;
    LpPodLoads out;
} Each;

static void each_fini(Each *e) {
    void *owned[] = {e->dead, e->dead_rank, e->base, e->turn,   e->count,   e->inverse,
                     e->unit, e->undo,      e->gone, e->mended, e->out.load};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
    lp_pod_search_fini(&e->search);
}

static LpErr each_init(Each *e, LpDiag *diag) {
    uint32_t nodes = e->net->nodes, rows = nodes / e->slice->extent[2];
    LP_TRY(lp_pod_search_init(&e->search, e->net, diag));
    e->dead = lp_alloc(2 * (size_t)e->net->lost, sizeof *e->dead);
    e->dead_rank = lp_alloc(2 * (size_t)e->net->lost, sizeof *e->dead_rank);
    e->base = lp_alloc(rows, sizeof *e->base);
    e->turn = lp_alloc(rows, sizeof *e->turn);
    e->count = lp_alloc(nodes, sizeof *e->count);
    e->inverse = lp_alloc(nodes, sizeof *e->inverse);
    e->unit = lp_alloc(nodes, sizeof *e->unit);
    e->undo = lp_alloc(nodes, sizeof *e->undo);
    e->gone = lp_alloc(nodes, sizeof *e->gone);
    e->mended = lp_alloc(nodes, sizeof *e->mended);
    e->out.load = lp_alloc(nodes, LP_POD_SIDES * sizeof *e->out.load);
    if (e->dead && e->dead_rank && e->base && e->turn && e->count && e->inverse && e->unit &&
        e->undo && e->gone && e->mended && e->out.load)
        return LP_OK;
    each_fini(e);
    return lp_fail_memory(diag, "the loads of a slice");
}

/* A place somewhere on the endless grid, brought into the slice: through each end as its seams lead
 * (which add to later dimensions only). */
static uint32_t bring_in(const LpPod *pod, const LpSlice *s, int32_t at[3]) {
    for (int d = 0; d < 3; d++) {
        int32_t extent = (int32_t)s->extent[d];
        int32_t turns = at[d] / extent - (at[d] % extent < 0);
        at[d] -= turns * extent;
        for (int f = d + 1; f < 3; f++)
            at[f] += turns * (int32_t)(s->shift[d][f] * pod->cube);
    }
    return lp_pod_number_of(s, (uint32_t[3]){(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]});
}

/* Where `move` leads from `from` (by = 1), or what leads there from `from` (by = -1); moves are
 * places seen from accelerator 0. */
static uint32_t moved(const Each *e, const uint32_t to[3], const uint32_t from[3], int by) {
    int32_t at[3];
    for (int d = 0; d < 3; d++)
        at[d] = (int32_t)to[d] + by * (int32_t)from[d];
    return bring_in(e->pod, e->slice, at);
}

/* The accelerator of a rank. */
static uint32_t node_at(const Each *e, uint32_t rank) {
    uint32_t row = e->ways->row[rank], length = e->slice->extent[2];
    uint32_t column = e->ways->column[rank] + e->turn[row];
    return e->base[row] + (column < length ? column : column - length);
}

/* ---- behind dead links ---- */

/* Enters the dead links as the source sees them; what lies behind them is to be mended. */
static void mark_dead(Each *e, const uint32_t from[3]) {
    const Ways *w = e->ways;
    for (uint32_t i = 0; i < e->deads; i++) {
        uint32_t at[3], side = e->dead[i] % LP_POD_SIDES;
        lp_pod_place_of(e->slice, e->dead[i] / LP_POD_SIDES, at);
        uint32_t rank = w->rank[moved(e, at, from, -1)];
        e->dead_rank[i] = rank;
        e->gone[rank] |= (uint8_t)(1u << side);
        for (uint32_t k = w->first[rank]; k < w->first[rank + 1]; k++)
            if (w->ahead[k].side == side)
                e->mended[w->ahead[k].rank] = 1;
    }
}

/* Counts the ways to a rank again, and marks those behind it. False: none as short is left. */
static bool count_again(Each *e, uint32_t rank) {
    const Ways *w = e->ways;
    double count = 0;
    for (uint32_t k = w->first_back[rank]; k < w->first_back[rank + 1]; k++)
        if ((e->gone[w->back[k].rank] >> w->back[k].side & 1) == 0)
            count += e->count[w->back[k].rank];
    for (uint32_t k = w->first[rank]; k < w->first[rank + 1]; k++)
        e->mended[w->ahead[k].rank] = 1;
    e->count[rank] = count;
    e->inverse[rank] = 1 / count;
    e->undo[e->undos++] = rank;
    return count > 0;
}

static bool mend(Each *e) {
    uint32_t nodes = e->net->nodes;
    for (uint32_t rank = 0; rank < nodes; rank++) {
        const uint8_t *next = memchr(e->mended + rank, 1, nodes - rank);
        if (next == NULL)
            return true;
        rank = (uint32_t)(next - e->mended);
        if (!count_again(e, rank))
            return false;
    }
    return true;
}

/* ---- loads ---- */

/* What a source sends to everyone, from the farthest back. */
static void send_mended(Each *e) {
    const Ways *w = e->ways;
    for (uint32_t rank = e->net->nodes; rank-- > 0;) {
        double *load = e->out.load + (size_t)LP_POD_SIDES * node_at(e, rank);
        double count = e->count[rank], share = 0;
        unsigned gone = e->gone[rank];
        for (uint32_t k = w->first[rank]; k < w->first[rank + 1]; k++) {
            if (gone != 0 && (gone >> w->ahead[k].side & 1) != 0)
                continue;
            double part = count * e->unit[w->ahead[k].rank];
            load[w->ahead[k].side] += part;
            share += part;
        }
        e->unit[rank] = (1 + share) * e->inverse[rank];
    }
    e->out.distances += w->distances;
    e->out.diameter = w->diameter > e->out.diameter ? w->diameter : e->out.diameter;
}

/* The same by a search of its own. */
static LpErr send_searched(Each *e, uint32_t source, LpDiag *diag) {
    LpPodSearch *s = &e->search;
    lp_pod_search(s, source, LP_NO_INDEX);
    if (s->found < e->net->nodes)
        return lp_pod_fail_apart(e->net, source, s->found, diag);
    lp_pod_search_send(s, e->out.load);
    for (uint32_t i = 0; i < s->found; i++)
        e->out.distances += s->hops[s->queue[i]];
    uint32_t most = s->hops[s->queue[s->found - 1]];
    e->out.diameter = most > e->out.diameter ? most : e->out.diameter;
    return LP_OK;
}

static LpErr send_each(Each *e, LpDiag *diag) {
    LpErr err = LP_OK;
    for (uint32_t source = 0; source < e->net->nodes && err == LP_OK; source++) {
        uint32_t from[3];
        lp_pod_place_of(e->slice, source, from);
        mark_dead(e, from);
        if (mend(e)) {
            /* Where the rows of moves lead from a source. */
            const uint32_t *extent = e->slice->extent;
            for (uint32_t row = 0; row < e->net->nodes / extent[2]; row++) {
                uint32_t node =
                    moved(e, (uint32_t[3]){row / extent[1], row % extent[1], 0}, from, 1);
                e->turn[row] = node % extent[2];
                e->base[row] = node - e->turn[row];
            }
            send_mended(e);
        } else {
            err = send_searched(e, source, diag);
        }
        for (uint32_t i = 0; i < e->undos; i++) {
            e->count[e->undo[i]] = e->ways->count[e->undo[i]];
            e->inverse[e->undo[i]] = e->ways->inverse[e->undo[i]];
        }
        for (uint32_t i = 0; i < e->deads; i++)
            e->gone[e->dead_rank[i]] = 0;
        memset(e->mended, 0, e->net->nodes);
        e->undos = 0;
    }
    return err;
}

LpErr lp_pod_loads(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, LpPodLoads *out,
                   LpDiag *diag) {
    Ways ways;
    Each each = {.pod = pod, .slice = slice, .net = net, .ways = &ways};
    LP_ASSERT(slice->closed[0] && slice->closed[1] && slice->closed[2]);
    LP_TRY(ways_of(pod, slice, &ways, diag));
    LpErr err = each_init(&each, diag);
    if (err == LP_OK) {
        Each *e = &each;
        for (uint32_t link = 0; link < LP_POD_SIDES * e->net->nodes; link++)
            if (e->net->to[link] == LP_NO_INDEX)
                e->dead[e->deads++] = link;
        memcpy(e->count, e->ways->count, e->ways->nodes * sizeof *e->count);
        memcpy(e->inverse, e->ways->inverse, e->ways->nodes * sizeof *e->inverse);
        err = send_each(&each, diag);
        if (err == LP_OK) {
            *out = each.out;
            each.out.load = NULL;
        }
        each_fini(&each);
    }
    ways_fini(&ways);
    return err;
}
