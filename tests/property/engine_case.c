/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random small graphs on random small clusters. */
#include "engine_case.h"

/* Round numbers, so that much happens at one instant; zeros, so that much is empty. */
static double pick(EngineCase *c, const double *from, uint32_t count) {
    return from[engine_below(c, count)];
}

static void make_graph(EngineCase *c) {
    static const double times[] = {0, 0.5, 1, 2, 3, 3, 4, 6, 7.25, 12};
    static const double bytes[] = {0, 1, 1e6, 1e8, 2e8, 3e8, 1e9};
    c->ops = 1 + engine_below(c, EC_OPS);
    c->edges = 0;
    for (uint32_t i = 0; i < c->ops; i++) {
        c->op[i] = (TinyOp){pick(c, times, LP_COUNTOF(times)), pick(c, times, LP_COUNTOF(times)),
                            pick(c, bytes, LP_COUNTOF(bytes)), pick(c, bytes, LP_COUNTOF(bytes))};
        for (uint32_t j = 0; j < i; j++) {
            if (engine_below(c, 3) > 0)
                continue;
            c->edge[c->edges][0] = j + 1;
            c->edge[c->edges++][1] = i + 1;
        }
    }
    c->op[0].forward = 12; /* a job takes time */
    c->graph = tiny_profile(c->op, c->ops, (const uint32_t(*)[2])c->edge, c->edges);
}

static void make_ideal(EngineCase *c) {
    c->groups = c->racks = 1;
    c->per_rack = c->servers = 1 + engine_below(c, 12);
    c->slot = 0;
    c->isolated = true;
    snprintf(c->cluster, sizeof c->cluster,
             "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": %u, \"node_bandwidth\": %.17g, "
             "\"latency\": 1e-3, \"io_latency\": 5e-4 } }",
             (unsigned)c->servers, c->rate);
}

static void make_ramp(EngineCase *c) {
    c->groups = 1 + engine_below(c, 3);
    c->racks = 1 + engine_below(c, c->groups);
    c->per_rack = 1 + engine_below(c, 3);
    c->servers = c->groups * c->racks * c->per_rack;
    c->slot = engine_below(c, 2) ? 0.01 : 0;
    c->isolated = engine_below(c, 2) > 0;
    snprintf(c->cluster, sizeof c->cluster,
             "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": %u, "
             "\"racks_per_group\": %u, \"servers_per_rack\": %u, \"node_bandwidth\": %.17g, "
             "\"propagation_latency\": 1e-3, \"io_latency\": 5e-4, \"rack_isolated\": %s, "
             "\"slot\": %.17g } }",
             (unsigned)c->groups, (unsigned)c->racks, (unsigned)c->per_rack,
             c->rate * (double)c->groups, c->isolated ? "true" : "false", c->slot);
}

void engine_case_make(EngineCase *c, uint32_t seed, const char *stream) {
    static const double rates[] = {1e8, 1e9, 1e10};
    *c = (EngineCase){.seed = seed, .rng = lp_rng_stream(seed, stream, 0), .latency = 2e-3};
    make_graph(c);
    c->rate = pick(c, rates, LP_COUNTOF(rates));
    c->ramp = engine_below(c, 4) > 0;
    if (c->ramp)
        make_ramp(c);
    else
        make_ideal(c);
    c->data = engine_below(c, 2) > 0;
    c->overlap = engine_below(c, 3) > 0;
    snprintf(c->partition, sizeof c->partition,
             "\"min_op_time\": 1, \"max_degree\": 12, \"kind\": \"%s\", \"overlap\": %s",
             c->data ? "data" : "model", c->overlap ? "true" : "false");
}

void engine_case_free(EngineCase *c) {
    free(c->graph);
    c->graph = NULL;
}

LpSession *engine_case_open(const EngineCase *c, const char *jobs, const char *more) {
    const Tiny t = {.semantics = c->semantics,
                    .cluster = c->cluster,
                    .partition = c->partition,
                    .graph = {c->graph},
                    .jobs = jobs,
                    .more = more};
    return tiny_open(&t);
}

void engine_shuffle(EngineCase *c, uint32_t *map, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        map[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = engine_below(c, i), swap = map[j];
        map[j] = map[i - 1];
        map[i - 1] = swap;
    }
}
