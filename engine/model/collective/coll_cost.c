/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a step takes on a network: what it sends goes all shortest ways in equal parts, and the
 * fullest link says when it is over. */
#include <math.h>
#include <string.h>

#include "model/collective/coll_plan_impl.h"

/* A network that looks alike from every server is a group: what is searched from server 0 holds for
 * each. Servers of a torus are numbered x sides + y. */
typedef struct Search {
    const LpCollNet *net;
    uint32_t n;
    uint32_t *from;  /* n x links: who has a link to it */
    uint32_t *dist;  /* n: from server 0; LP_NO_INDEX: no way */
    double *ways;    /* n: shortest ones */
    uint32_t *queue; /* n */
    double *need;    /* n: bytes that still have to come there; all 0 between two flows */
    double *load;    /* n x links: on links as they leave, or of a whole kind in the first row */
} Search;

/* a + b, and a - b. */
static uint32_t plus(const Search *s, uint32_t a, uint32_t b) {
    uint32_t sides = s->net->sides;
    if (sides == 0)
        return (a + b) % s->n;
    return (a / sides + b / sides) % (s->n / sides) * sides + (a + b) % sides;
}

static uint32_t minus(const Search *s, uint32_t a, uint32_t b) {
    uint32_t sides = s->net->sides;
    if (sides == 0)
        return (a + s->n - b) % s->n;
    return (a / sides + s->n / sides - b / sides) % (s->n / sides) * sides +
           (a % sides + sides - b % sides) % sides;
}

static void begin_search(Search *s, const LpCollNet *net) {
    uint32_t links = net->links, first = 0, last = 0;
    s->net = net;
    for (uint32_t v = 0; v < s->n; v++) {
        s->dist[v] = LP_NO_INDEX;
        s->ways[v] = 0;
        for (uint32_t k = 0; k < links; k++)
            s->from[(size_t)v * links + k] = minus(s, v, net->offset[k]);
    }
    s->dist[0] = 0;
    s->ways[0] = 1;
    s->queue[last++] = 0;
    while (first < last) {
        uint32_t u = s->queue[first++];
        for (uint32_t k = 0; k < links; k++) {
            uint32_t v = plus(s, u, net->offset[k]);
            if (s->dist[v] == LP_NO_INDEX) {
                s->dist[v] = s->dist[u] + 1;
                s->queue[last++] = v;
            }
            if (s->dist[v] == s->dist[u] + 1)
                s->ways[v] += s->ways[u];
        }
    }
}

/* Bytes from `server` to the one that lies `to` away; `alike`: every server sends the same, so
 * links of one kind are one. */
static void send(Search *s, uint32_t server, uint32_t to, double bytes, bool alike) {
    uint32_t links = s->net->links, first = 0, last = 0;
    s->need[to] = bytes;
    s->queue[last++] = to;
    while (first < last) {
        uint32_t v = s->queue[first++];
        const uint32_t *from = s->from + (size_t)v * links;
        for (uint32_t k = 0; s->dist[v] > 0 && k < links; k++) {
            uint32_t u = from[k];
            if (s->dist[u] + 1 != s->dist[v])
                continue;
            double part = s->need[v] * s->ways[u] / s->ways[v];
            size_t row = alike ? 0 : plus(s, server, u);
            s->load[row * links + k] += part;
            if (!(s->need[u] > 0) && s->dist[u] > 0)
                s->queue[last++] = u;
            s->need[u] += part;
        }
        s->need[v] = 0;
    }
    s->need[0] = 0;
}

static const LpCollCost NO_WAY = {.time = (double)INFINITY};

/* The fullest link of `rows` servers. */
static double fullest(const Search *s, uint32_t rows) {
    double most = 0;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t k = 0; k < s->net->links; k++) {
            double load = s->load[(size_t)row * s->net->links + k] / s->net->ports[k];
            most = load > most ? load : most;
        }
    return most;
}

static LpCollCost group_cost(const LpCollPlan *plan, Search *s, const LpCollClass *class) {
    bool all = class->ways == s->n - 1; /* to everybody looks alike on a torus, too */
    bool alike = !class->pairs && (s->net->sides == 0 || all);
    uint32_t servers = alike ? 1 : s->n, hops = 0;
    memset(s->load, 0, (size_t)servers * s->net->links * sizeof *s->load);
    for (uint32_t server = 0; server < servers; server++)
        for (uint32_t way = 0; way < class->ways; way++) {
            uint32_t partner =
                class->pairs ? class->partner[server] : (server + class->offset[way]) % s->n;
            if (partner == LP_NO_INDEX)
                continue;
            uint32_t to = minus(s, partner, server);
            if (s->dist[to] == LP_NO_INDEX)
                return NO_WAY;
            hops = s->dist[to] > hops ? s->dist[to] : hops;
            send(s, server, to, class->sent, alike);
        }
    double load = fullest(s, servers);
    return (LpCollCost){
        .time = hops * plan->spec.hop + load / plan->spec.rate, .load = load, .hops = hops};
}

/* Pairs that are joined: to everybody else there is no way. */
static LpCollCost pairs_cost(const LpCollPlan *plan, const LpCollNet *net,
                             const LpCollClass *class) {
    for (uint32_t i = 0; i < plan->spec.servers; i++)
        if (!class->pairs ||
            (class->partner[i] != LP_NO_INDEX && class->partner[i] != net->partner[i]))
            return NO_WAY;
    double load = class->sent / net->ports[0];
    return (LpCollCost){.time = plan->spec.hop + load / plan->spec.rate, .load = load, .hops = 1};
}

static LpErr make_search(const LpCollPlan *plan, LpArena *arena, Search *s, LpDiag *diag) {
    uint32_t n = plan->spec.servers, links = 1;
    for (uint32_t x = 0; x < plan->nets; x++)
        links = plan->net[x].links > links ? plan->net[x].links : links;
    s->n = n;
    s->from = lp_arena_raw(arena, (size_t)n * links, sizeof *s->from);
    s->load = lp_arena_raw(arena, (size_t)n * links, sizeof *s->load);
    s->dist = lp_arena_alloc(arena, n, sizeof *s->dist);
    s->queue = lp_arena_alloc(arena, n, sizeof *s->queue);
    s->ways = lp_arena_alloc(arena, n, sizeof *s->ways);
    s->need = lp_arena_alloc(arena, n, sizeof *s->need);
    if (s->from == NULL || s->load == NULL || s->dist == NULL || s->queue == NULL ||
        s->ways == NULL || s->need == NULL)
        return lp_fail_memory(diag, "the ways through a network");
    return LP_OK;
}

/* Of each class the last step: a network that is lit later never meets it. */
static void find_last(const LpCollPlan *plan, uint32_t *last) {
    for (uint32_t j = 0; j < plan->steps; j++)
        last[plan->step[j]] = j;
}

static void fill_costs(LpCollPlan *plan, Search *s, const uint32_t *last) {
    for (uint32_t x = 0; x < plan->nets; x++) {
        const LpCollNet *net = &plan->net[x];
        if (!net->pairs)
            begin_search(s, net);
        for (uint32_t c = 0; c < plan->classes; c++) {
            LpCollCost *cost = &plan->cost[(size_t)c * plan->nets + x];
            if (!plan->spec.any && net->first > last[c])
                *cost = NO_WAY;
            else
                *cost = net->pairs ? pairs_cost(plan, net, &plan->class[c])
                                   : group_cost(plan, s, &plan->class[c]);
        }
    }
}

LpErr lp_coll_cost_make(LpCollPlan *plan, LpDiag *diag) {
    LpArena *scratch = lp_arena_new(0);
    uint32_t *last;
    Search s = {0};
    LpErr err = LP_OK;
    plan->cost = lp_arena_raw(plan->arena, (size_t)plan->classes * plan->nets, sizeof *plan->cost);
    if (scratch == NULL || plan->cost == NULL ||
        (last = lp_arena_alloc(scratch, plan->classes, sizeof *last)) == NULL)
        err = lp_fail_memory(diag, "the times of steps");
    if (err == LP_OK)
        err = make_search(plan, scratch, &s, diag);
    if (err == LP_OK) {
        find_last(plan, last);
        fill_costs(plan, &s, last);
    }
    lp_arena_free(scratch);
    return err;
}
