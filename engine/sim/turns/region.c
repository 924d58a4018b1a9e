/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Greedy circuits of a region, and the time of an all-to-all over them. */
#include "sim/turns/region.h"

#include <math.h>

#include "base/need.h"

typedef struct Maker {
    const LpRegion *region;
    uint32_t *free; /* ports of each server */
    bool *aside;    /* servers * servers, of a < b */
    LpRegionResult *out;
} Maker;

static size_t at(const LpRegion *r, uint32_t i, uint32_t j) {
    return (size_t)i * r->servers + j;
}

/* ---- greedy rounds ---- */

static LpRegionRound look_at(const Maker *mk, uint32_t a, uint32_t b) {
    const LpRegion *r = mk->region;
    LpRegionRound round = {.a = a, .b = b};
    uint32_t circuits = mk->out->circuits[at(r, a, b)];
    round.demand = r->bytes[at(r, a, b)] + r->bytes[at(r, b, a)];
    round.time = circuits > 0 ? round.demand / circuits / r->rate : (double)INFINITY;
    round.given = mk->free[a] > 0 && mk->free[b] > 0;
    return round;
}

static uint32_t fewer(const Maker *mk, const LpRegionRound *p) {
    return mk->free[p->a] < mk->free[p->b] ? mk->free[p->a] : mk->free[p->b];
}

/* Does p come before q, which is before it in order of servers? */
static bool comes_first(const Maker *mk, const LpRegionRound *p, const LpRegionRound *q) {
    if (p->time < q->time || p->time > q->time)
        return p->time > q->time;
    if (p->demand < q->demand || p->demand > q->demand)
        return p->demand > q->demand;
    if (fewer(mk, p) != fewer(mk, q))
        return fewer(mk, p) > fewer(mk, q);
    return mk->free[p->a] + mk->free[p->b] > mk->free[q->a] + mk->free[q->b];
}

/* The pair that takes longest; false where none is left. */
static bool find_longest(const Maker *mk, LpRegionRound *longest) {
    const LpRegion *r = mk->region;
    bool any = false;
    for (uint32_t a = 0; a < r->servers; a++)
        for (uint32_t b = a + 1; b < r->servers; b++) {
            LpRegionRound round = look_at(mk, a, b);
            if (!(round.demand > 0) || mk->aside[at(r, a, b)])
                continue;
            if (!any || comes_first(mk, &round, longest))
                *longest = round;
            any = true;
        }
    return any;
}

static void allocate(Maker *mk) {
    const LpRegion *r = mk->region;
    LpRegionResult *out = mk->out;
    LpRegionRound round;
    while (find_longest(mk, &round)) {
        out->round[out->rounds++] = round;
        if (!round.given && !r->skip)
            return;
        if (!round.given) {
            mk->aside[at(r, round.a, round.b)] = true;
            continue;
        }
        mk->free[round.a]--;
        mk->free[round.b]--;
        out->circuits[at(r, round.a, round.b)]++;
        out->circuits[at(r, round.b, round.a)]++;
    }
}

/* ---- the time of an all-to-all ---- */

/* What a server sends (or gets) over packets, and the slowest of its circuits. */
static double direct_of(const LpRegion *r, const uint32_t *circuits, uint32_t server, bool out) {
    double rest = 0, slowest = 0;
    for (uint32_t other = 0; other < r->servers; other++) {
        size_t pair = out ? at(r, server, other) : at(r, other, server);
        if (other == server || !(r->bytes[pair] > 0))
            continue;
        if (circuits[pair] > 0)
            slowest = fmax(slowest, r->bytes[pair] / (circuits[pair] * r->rate));
        else
            rest += r->bytes[pair];
    }
    double packets = rest > 0 ? rest / (r->packet_ports * r->rate) : 0;
    return fmax(slowest, packets);
}

/* The least t at which what circuits have not moved fits into the packet ports: the root of a
 * convex function that falls, by tangents from the left, of which there are as many as pairs at
 * most. */
static double split_of(const LpRegion *r, const uint32_t *circuits, uint32_t server, bool out) {
    double t = 0;
    for (uint32_t step = 0; step <= r->servers; step++) {
        double bytes = 0, rate = r->packet_ports * r->rate;
        for (uint32_t other = 0; other < r->servers; other++) {
            size_t pair = out ? at(r, server, other) : at(r, other, server);
            if (other == server || !(r->bytes[pair] > circuits[pair] * r->rate * t))
                continue;
            bytes += r->bytes[pair];
            rate += circuits[pair] * r->rate;
        }
        double next = bytes > 0 ? bytes / rate : t;
        if (!(next > t))
            break;
        t = next;
    }
    return t;
}

typedef double TimeOf(const LpRegion *r, const uint32_t *circuits, uint32_t server, bool out);

static double longest_of(const LpRegion *r, const uint32_t *circuits, TimeOf *time_of) {
    double time = 0;
    for (uint32_t i = 0; i < r->servers; i++)
        time = fmax(time, fmax(time_of(r, circuits, i, true), time_of(r, circuits, i, false)));
    return time;
}

uint32_t lp_region_node(const LpRegion *r, const LpRegionResult *result, uint32_t a, uint32_t b,
                        uint32_t i) {
    uint32_t port = i;
    for (uint32_t other = 0; other < b; other++)
        port += result->circuits[at(r, a, other)];
    return port % (r->nodes > 0 ? r->nodes : 1);
}

/* ---- all of it ---- */

static LpErr check(const LpRegion *r, LpDiag *diag) {
    if (r->servers < 2 || r->servers > LP_REGION_SERVERS_MAX)
        return lp_fail(diag, LP_EINVAL, "%u servers: expected 2 to %d", (unsigned)r->servers,
                       (int)LP_REGION_SERVERS_MAX);
    if (r->nodes > LP_REGION_NODES_MAX)
        return lp_fail(diag, LP_EINVAL, "nodes is %u: expected at most %d", (unsigned)r->nodes,
                       (int)LP_REGION_NODES_MAX);
    LP_TRY(lp_need("rate", r->rate, LP_NEED_POSITIVE, diag));
    for (size_t i = 0; i < (size_t)r->servers * r->servers; i++)
        LP_TRY(lp_need("demand", r->bytes[i], LP_NEED_NOT_NEGATIVE, diag));
    for (uint32_t i = 0; i < r->servers; i++)
        if (r->ports[i] > LP_REGION_PORTS_MAX)
            return lp_fail(diag, LP_EINVAL, "server %u has %u ports: expected at most %d",
                           (unsigned)i, (unsigned)r->ports[i], (int)LP_REGION_PORTS_MAX);
    return LP_OK;
}

LpErr lp_region_make(const LpRegion *r, LpArena *arena, LpRegionResult *result, LpDiag *diag) {
    LP_TRY(check(r, diag));
    size_t pairs = (size_t)r->servers * r->servers, rounds = pairs;
    LpRegionResult out = {0};
    for (uint32_t i = 0; i < r->servers; i++)
        rounds += r->ports[i];
    Maker mk = {.region = r, .out = &out};
    uint32_t *none = lp_arena_alloc(arena, pairs, sizeof *none);
    mk.free = lp_arena_alloc(arena, r->servers, sizeof *mk.free);
    mk.aside = lp_arena_alloc(arena, pairs, sizeof *mk.aside);
    out.circuits = lp_arena_alloc(arena, pairs, sizeof *out.circuits);
    out.round = lp_arena_alloc(arena, rounds, sizeof *out.round);
    if (none == NULL || mk.free == NULL || mk.aside == NULL || out.circuits == NULL ||
        out.round == NULL)
        return lp_fail_memory(diag, "the circuits of a region");
    for (uint32_t i = 0; i < r->servers; i++)
        mk.free[i] = r->ports[i];
    allocate(&mk);
    out.direct = longest_of(r, out.circuits, direct_of);
    out.split = longest_of(r, out.circuits, split_of);
    out.packets = longest_of(r, none, direct_of);
    *result = out;
    return LP_OK;
}
