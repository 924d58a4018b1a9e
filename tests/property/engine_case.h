/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random small graphs on random small clusters, for properties of the whole engine. */
#ifndef LP_TESTS_ENGINE_CASE_H
#define LP_TESTS_ENGINE_CASE_H

#include "base/rng.h"
#include "tiny.h"

enum { EC_OPS = 7, EC_EDGES = EC_OPS * (EC_OPS - 1) / 2, EC_SERVERS = 27 };

/* Everything that the text of the scenario says, as numbers: checks are made from these. */
typedef struct EngineCase {
    uint32_t seed;
    LpRng rng;
    uint32_t ops, edges;
    TinyOp op[EC_OPS];
    uint32_t edge[EC_EDGES][2]; /* op numbers, from 1 */
    bool ramp, isolated;
    uint32_t groups, racks, per_rack, servers; /* ideal: 1, 1, n */
    double rate, latency, slot;                /* of one light path */
    bool data, overlap;
    const char *semantics; /* NULL: corrected */
    char cluster[400], partition[160];
    char *graph;
} EngineCase;

void engine_case_make(EngineCase *c, uint32_t seed, const char *stream);
void engine_case_free(EngineCase *c);
/* jobs NULL: one job; more NULL: nothing. */
LpSession *engine_case_open(const EngineCase *c, const char *jobs, const char *more);

static inline uint32_t engine_below(EngineCase *c, uint32_t n) {
    return (uint32_t)lp_rng_below(&c->rng, n);
}
static inline uint32_t engine_group(const EngineCase *c, uint32_t s) {
    return s / (c->racks * c->per_rack);
}
static inline uint32_t engine_rack(const EngineCase *c, uint32_t s) {
    return s / c->per_rack % c->racks;
}
static inline uint32_t engine_index(const EngineCase *c, uint32_t s) {
    return s % c->per_rack;
}
/* 0 .. n - 1 in random order. */
void engine_shuffle(EngineCase *c, uint32_t *map, uint32_t n);

#define ENGINE_CHECK(c, condition)                                                                 \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("seed %u: %s", (unsigned)(c)->seed, #condition);                              \
    } while (0)

#endif
