/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of every event-driven step, on random task graphs: it is the full scan's result,
 * keeps the rules, lies between its bounds, and does not depend on names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "sim/step/heap.h"
#include "sim/step/set.h"
#include "step_naive.h"

enum { SERVERS = 8, OPS = 30, TRANSFERS = 40, COLLECTIVES = 6 };

typedef struct Case {
    StepBuilder b;
    Naive naive;
    LpRng rng;
    LpStepScratch *scratch;
    LpStepSummary sum;
    LpTrace trace;
    LpDiag diag;
    uint32_t seed;
} Case;

/* What a generator may do. */
enum { ANY_TIME = 1, ODD_NEEDS = 2 };

static int setup(void **state) {
    Case *c = lp_alloc(1, sizeof *c);
    *state = c;
    if (c)
        c->scratch = lp_step_scratch_new();
    return c && c->scratch ? 0 : -1;
}

static int teardown(void **state) {
    Case *c = *state;
    lp_step_scratch_free(c->scratch);
    lp_trace_fini(&c->trace);
    lp_free(c);
    return 0;
}

#define CHECK(c, condition)                                                                        \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("seed %u: %s", (unsigned)(c)->seed, #condition);                              \
    } while (0)

/* ---- random task graphs ---- */

static uint32_t below(Case *c, uint32_t n) {
    return (uint32_t)lp_rng_below(&c->rng, n);
}

/* Many equal times and sums of times, so that much happens at one instant. */
static double random_time(Case *c, uint32_t style, uint32_t what) {
    if (style == 0)
        return 0.001 + lp_rng_unit(&c->rng);
    if (style == 1)
        return 1 + below(c, 4);
    return (what & ANY_TIME) && below(c, 3) == 0 ? 0 : 0.5 * (1 + below(c, 3));
}

static void shuffle(Case *c, uint32_t *map, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        map[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = below(c, i), swap = map[j];
        map[j] = map[i - 1];
        map[i - 1] = swap;
    }
}

/* Ports as on RAMP: a server has one per group of servers in each direction; fabrics 1, 2
 * and 4 share only some of them, 3 shares nothing. */
static uint32_t random_flow(Case *c, uint32_t src, uint32_t fabric, uint32_t groups, double time) {
    uint32_t dst = below(c, c->b.graph.servers);
    if (dst == src || below(c, 10) == 0)
        return sb_local(&c->b, src);
    uint32_t tx = src * groups + dst % groups, rx = dst * groups + src % groups;
    bool no_tx = fabric == 1 || fabric == 4, no_rx = fabric == 2 || fabric == 4;
    if (fabric == 3 || (no_tx && (src + dst) % 3 == 0))
        tx = LP_NO_PORT;
    if (fabric == 3 || (no_rx && (src + dst) % 3 == 0))
        rx = LP_NO_PORT;
    uint64_t priority = (uint64_t)below(c, 100) * SB_TASKS + c->b.graph.transfers;
    return sb_flow(&c->b, src, dst, tx, rx, time, priority);
}

/* Priorities as the engine's own graphs have them: 0, 1, 2, ... */
static void rank_flows(Case *c) {
    uint32_t rank[SB_TASKS];
    shuffle(c, rank, c->b.graph.transfers);
    for (uint32_t i = 0; i < c->b.graph.transfers; i++)
        c->b.flow_priority[i] = rank[i];
}

/* Subnets that are shared: flows of some pairs of servers need one wavelength. */
static void random_waves(Case *c) {
    LpStepGraph *g = &c->b.graph;
    g->waves = 1 + below(c, 5);
    g->wave = c->b.wave;
    for (uint32_t i = 0; i < g->transfers; i++)
        c->b.wave[i] = (c->b.src[i] * 3 + c->b.dst[i]) % g->waves;
}

static void random_members(Case *c) {
    for (uint32_t s = 0; s < c->b.graph.servers; s++)
        if (below(c, 3) == 0)
            sb_member(&c->b, s);
}

/* Tasks first..end-1 get up to `most` edges each, from or to any task, along the ranks: no cycle.
 */
static void random_edges(Case *c, const double *rank, uint32_t first, uint32_t end, uint32_t most) {
    for (uint32_t t = first; t < end; t++)
        for (uint32_t n = below(c, most + 1); n > 0; n--) {
            uint32_t u = below(c, c->b.graph.tasks);
            if (rank[u] < rank[t])
                sb_edge(&c->b, u, t);
            else if (rank[t] < rank[u])
                sb_edge(&c->b, t, u);
        }
}

static void random_graph(Case *c, uint32_t seed, uint32_t what) {
    double rank[SB_TASKS];
    c->seed = seed;
    c->rng = lp_rng_stream(seed, "step graph", what);
    uint32_t servers = 1 + below(c, SERVERS), groups = 1 + below(c, 4), style = below(c, 4);
    uint32_t fabric = below(c, 8), ports = fabric == 3 ? 0 : servers * groups;
    sb_init(&c->b, servers, ports, ports);
    LpStepGraph *g = &c->b.graph;
    g->ports_per_server = groups;
    g->slot = below(c, 2) ? 0 : random_time(c, style, what);
    for (uint32_t n = below(c, OPS); n > 0; n--)
        sb_op(&c->b, below(c, servers), random_time(c, style, what),
              (uint64_t)below(c, 100) * SB_TASKS + n);
    for (uint32_t n = below(c, TRANSFERS); n > 0; n--)
        random_flow(c, below(c, servers), fabric, groups, random_time(c, style, what));
    if (below(c, 2))
        rank_flows(c);
    if (fabric != 3 && below(c, 3) == 0)
        random_waves(c);
    for (uint32_t n = below(c, COLLECTIVES); n > 0; n--) {
        sb_collective(&c->b, random_time(c, style, what));
        random_members(c);
    }
    for (uint32_t t = 0; t < g->tasks; t++)
        rank[t] = lp_rng_unit(&c->rng);
    uint32_t dense = below(c, 3); /* wide graphs contend, deep ones do not */
    random_edges(c, rank, 0, g->tasks, dense);
    random_edges(c, rank, g->parts, g->tasks, 1 + dense);
    for (uint32_t t = 0; (what & ODD_NEEDS) && t < g->tasks; t++)
        if (c->b.need[t] > 1 && below(c, 30) == 0)
            c->b.need[t]--;
    if ((what & ODD_NEEDS) && g->tasks && below(c, 20) == 0)
        c->b.need[below(c, g->tasks)]++;
    sb_finish(&c->b);
}

static LpErr run_case(Case *c, bool shared) {
    lp_trace_fini(&c->trace);
    c->trace = (LpTrace){0};
    return lp_step_run_events(c->scratch, &c->b.graph, shared, &c->sum, &c->trace, &c->diag);
}

static void run_well(Case *c) {
    if (run_case(c, true) != LP_OK)
        fail_msg("seed %u: %s", (unsigned)c->seed, c->diag.text);
}

/* ---- the full scan ---- */

static bool near(double a, double b) {
    double d = a < b ? b - a : a - b;
    return d <= 1e-12 * (1 + (a < b ? b : a));
}

static void compare_tasks(Case *c) {
    const Naive *n = &c->naive;
    for (uint32_t t = 0; t < c->b.graph.tasks; t++)
        if (n->start[t] != c->trace.start[t] || n->end[t] != c->trace.end[t] ||
            n->released_by[t] != c->trace.released_by[t])
            fail_msg("seed %u: task %u: %.17g..%.17g by %d, the full scan says %.17g..%.17g by %d",
                     (unsigned)c->seed, (unsigned)t, c->trace.start[t], c->trace.end[t],
                     (int)c->trace.released_by[t], n->start[t], n->end[t], (int)n->released_by[t]);
}

static void compare_sums(Case *c) {
    LpStepSummary want;
    naive_summary(&c->naive, &want);
    CHECK(c, c->sum.step_time == want.step_time);
    CHECK(c, near(c->sum.computation, want.computation));
    CHECK(c, near(c->sum.communication, want.communication));
    CHECK(c, near(c->sum.exposed, want.exposed));
    CHECK(c, near(c->sum.waiting, want.waiting));
    CHECK(c, near(c->sum.reconfiguration, want.reconfiguration));
    CHECK(c, near(c->sum.busy_area, want.busy_area));
    CHECK(c, near(c->sum.light_area, want.light_area));
    CHECK(c, near(c->sum.worker_utilisation, want.worker_utilisation));
    CHECK(c, c->sum.peak_circuits == want.peak_circuits);
    CHECK(c, c->sum.ticks == want.ticks);
    CHECK(c, c->sum.exposed <= c->sum.communication && c->sum.computation <= c->sum.step_time);
    CHECK(c, c->sum.worker_utilisation <= 1);
}

/* From the start to the end of the step without a gap. */
static void check_path(Case *c) {
    const LpTrace *trace = &c->trace;
    double at = 0;
    for (uint32_t i = 0; i < trace->critical; i++) {
        CHECK(c, trace->start[trace->critical_path[i]] == at);
        at = trace->end[trace->critical_path[i]];
    }
    CHECK(c, at == c->sum.step_time && (trace->critical > 0) == (trace->tasks > 0));
}

static void same_as_full_scan(void **state) {
    Case *c = *state;
    uint32_t refused = 0;
    for (uint32_t seed = 0; seed < 4000; seed++) {
        random_graph(c, seed, ANY_TIME | ODD_NEEDS);
        bool shared = below(c, 8) > 0;
        naive_run(&c->naive, &c->b.graph, shared);
        LpErr err = run_case(c, shared);
        bool all = c->naive.done == c->b.graph.tasks;
        CHECK(c, (err == LP_OK) == all && (all || err == LP_EREFUSED));
        refused += !all;
        if (!all)
            continue;
        compare_tasks(c);
        compare_sums(c);
        check_path(c);
    }
    assert_true(refused >= 1 && refused <= 1000); /* the generator makes both kinds */
}

/* ---- rules ---- */

static bool same_port(const LpStepGraph *g, uint32_t t, uint32_t u) {
    t -= g->parts;
    u -= g->parts;
    return naive_same_port(g->tx[t], g->tx[u]) || naive_same_port(g->rx[t], g->rx[u]);
}

/* May t and u never run at once? */
static bool exclusive(const LpStepGraph *g, uint32_t t, uint32_t u) {
    if (naive_is_op(g, t) && naive_is_op(g, u))
        return g->server[t] == g->server[u];
    if (naive_is_flow(g, t) && naive_is_flow(g, u))
        return g->tx_ports && (same_port(g, t, u) || naive_same_wave(g, t, u));
    if (!g->tx_ports || naive_is_op(g, t) || naive_is_op(g, u))
        return false;
    if (naive_is_collective(g, u) && (naive_is_flow(g, t) || naive_is_collective(g, t)))
        return naive_share_server(g, u, t);
    return naive_is_collective(g, t) && naive_is_flow(g, u) && naive_share_server(g, t, u);
}

static void keeps_rules(void **state) {
    Case *c = *state;
    const LpStepGraph *g = &c->b.graph;
    for (uint32_t seed = 0; seed < 4000; seed++) {
        random_graph(c, seed, ANY_TIME);
        run_well(c);
        const double *start = c->trace.start, *end = c->trace.end;
        for (uint32_t e = 0; e < c->b.edges; e++)
            CHECK(c, end[c->b.from[e]] <= start[c->b.to[e]]);
        for (uint32_t t = 0; t < g->tasks; t++)
            for (uint32_t u = 0; u < t; u++)
                if (exclusive(g, t, u))
                    CHECK(c, end[t] <= start[u] || end[u] <= start[t]);
    }
}

/* ---- bounds and balances ---- */

/* End of the step if nothing had to wait, without slots. */
static double longest_path(const StepBuilder *b) {
    const LpStepGraph *g = &b->graph;
    double start[SB_TASKS] = {0}, last = 0;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t e = 0; e < b->edges; e++) {
            double end = start[b->from[e]] + g->time[b->from[e]];
            if (end <= start[b->to[e]])
                continue;
            start[b->to[e]] = end;
            again = true;
        }
    }
    for (uint32_t t = 0; t < g->tasks; t++)
        if (start[t] + g->time[t] > last)
            last = start[t] + g->time[t];
    return last;
}

static void lies_between_bounds(void **state) {
    Case *c = *state;
    const LpStepGraph *g = &c->b.graph;
    for (uint32_t seed = 0; seed < 4000; seed++) {
        random_graph(c, seed, ANY_TIME);
        run_well(c);
        double path = longest_path(&c->b), op = 0, all = 0, ops = 0, light = 0, slots = 0;
        uint32_t flows = 0;
        for (uint32_t t = 0; t < g->tasks; t++) {
            double time = c->trace.end[t] - c->trace.start[t];
            uint32_t i = t - g->parts - g->transfers;
            all += time;
            CHECK(c, naive_is_flow(g, t) || near(time, g->time[t]));
            if (naive_is_op(g, t)) {
                op = g->time[t] > op ? g->time[t] : op;
                ops += g->time[t];
            } else if (naive_is_flow(g, t)) {
                flows++;
                light += time;
                slots += time - g->time[t];
                CHECK(c, near(time, g->time[t]) || near(time, g->time[t] + g->slot));
            } else if (naive_is_collective(g, t)) {
                light += time * (g->member_begin[i + 1] - g->member_begin[i]) * g->ports_per_server;
            }
        }
        CHECK(c, c->sum.step_time >= path && path >= op);
        CHECK(c, c->sum.step_time <= all * (1 + 1e-12));
        CHECK(c, c->sum.flows == flows && c->sum.flow_bytes == flows);
        CHECK(c, near(c->sum.busy_area, ops) && near(c->sum.light_area, light));
        CHECK(c, near(c->sum.reconfiguration, slots));
    }
}

/* ---- more bandwidth ---- */

/* Makes the order of the last run on every server and port a precedence. Times are above 0, so no
 * two tasks that exclude each other start at once. */
static void fix_order(Case *c) {
    const LpStepGraph *g = &c->b.graph;
    for (uint32_t t = 0; t < g->tasks; t++)
        for (uint32_t u = 0; u < g->tasks; u++)
            if (t != u && exclusive(g, t, u) && c->trace.start[t] < c->trace.start[u])
                sb_edge(&c->b, t, u);
    sb_finish(&c->b);
}

static void more_bandwidth_never_lengthens(void **state) {
    Case *c = *state;
    const LpStepGraph *g = &c->b.graph;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        double end[SB_TASKS], step;
        random_graph(c, seed, 0);
        run_well(c);
        step = c->sum.step_time;
        memcpy(end, c->trace.end, g->tasks * sizeof *end);
        fix_order(c);
        run_well(c);
        for (uint32_t t = 0; t < g->tasks; t++)
            CHECK(c, c->trace.end[t] == end[t]); /* it is the order of that run */
        for (uint32_t t = g->parts; t < g->tasks; t++)
            c->b.time[t] *= below(c, 4) ? lp_rng_unit(&c->rng) : 1;
        run_well(c);
        CHECK(c, c->sum.step_time <= step);
        for (uint32_t t = 0; t < g->tasks; t++)
            CHECK(c, c->trace.end[t] <= end[t]);
    }
}

/* ---- names ---- */

static void rename_port(uint32_t *port, const uint32_t *map) {
    if (*port != LP_NO_PORT)
        *port = map[*port];
}

/* Other numbers for servers, ports and channels. */
static void rename_all(Case *c) {
    StepBuilder *b = &c->b;
    LpStepGraph *g = &b->graph;
    uint32_t server[SERVERS], tx[SB_TASKS], rx[SB_TASKS], channel[SB_TASKS];
    shuffle(c, server, g->servers);
    shuffle(c, tx, g->tx_ports);
    shuffle(c, rx, g->rx_ports);
    shuffle(c, channel, g->channels);
    for (uint32_t p = 0; p < g->parts; p++)
        b->server[p] = server[b->server[p]];
    for (uint32_t m = 0; m < b->member_begin[g->collectives]; m++)
        b->member[m] = server[b->member[m]];
    for (uint32_t i = 0; i < g->transfers; i++) {
        b->src[i] = sb_server_id(server[(b->src[i] - sb_server_id(0)) / 10]);
        b->dst[i] = sb_server_id(server[(b->dst[i] - sb_server_id(0)) / 10]);
        rename_port(&b->tx[i], tx);
        rename_port(&b->rx[i], rx);
        b->channel[i] = b->flow[i] ? channel[b->channel[i]] : 0;
    }
}

static void names_change_nothing(void **state) {
    Case *c = *state;
    const LpStepGraph *g = &c->b.graph;
    for (uint32_t seed = 0; seed < 4000; seed++) {
        double start[SB_TASKS];
        uint32_t by[SB_TASKS];
        random_graph(c, seed, ANY_TIME);
        run_well(c);
        uint64_t hash = c->sum.hash;
        memcpy(start, c->trace.start, g->tasks * sizeof *start);
        memcpy(by, c->trace.released_by, g->tasks * sizeof *by);
        rename_all(c);
        run_well(c);
        CHECK(c, c->sum.hash == hash);
        for (uint32_t t = 0; t < g->tasks; t++)
            CHECK(c, c->trace.start[t] == start[t] && c->trace.released_by[t] == by[t]);
    }
}

/* ---- containers ---- */

/* Numbers below `size`, added and taken in turn: the smallest of those present comes out. */
static void check_containers(Case *c, LpArena *arena, uint32_t size) {
    LpRankSet set = {0};
    LpStepHeap heap = {0};
    bool *present = lp_arena_alloc(arena, size, sizeof *present);
    assert_true(present && lp_set_init(&set, arena, size) && lp_heap_init(&heap, arena, size));
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t number = below(c, size);
        bool add = below(c, 3) > 0;
        lp_set_add(&set, number);
        lp_set_add(&set, number);
        if (!present[number])
            lp_heap_push(&heap, number / 3, number);
        present[number] = true;
        if (add)
            continue;
        uint32_t got = lp_set_pop(&set);
        LpHeapItem item = lp_heap_pop(&heap);
        for (number = 0; !present[number]; number++)
            continue;
        CHECK(c, got == number && item.id == number && item.key == number / 3);
        present[number] = false;
        CHECK(c, lp_set_empty(&set) == (heap.count == 0));
    }
}

static void containers_sort(void **state) {
    Case *c = *state;
    static const uint32_t sizes[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 300000};
    LpArena *arena = lp_arena_new(0);
    assert_non_null(arena);
    for (uint32_t i = 0; i < LP_COUNTOF(sizes); i++) {
        c->seed = i;
        c->rng = lp_rng_stream(i, "containers", 0);
        check_containers(c, arena, sizes[i]);
    }
    lp_arena_free(arena);
}

TEST_GROUP(test_step_events) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(same_as_full_scan),    CASE(keeps_rules),
        CASE(lies_between_bounds),  CASE(more_bandwidth_never_lengthens),
        CASE(names_change_nothing), CASE(containers_sort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
