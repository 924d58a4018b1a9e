/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A training step by the words of the rules: at every instant everything that waits is scanned in
 * order of priority. Slow, and shares nothing with the engine. */
#ifndef LP_TESTS_STEP_NAIVE_H
#define LP_TESTS_STEP_NAIVE_H

#include "step_builder.h"

typedef enum NaiveState { NAIVE_WAITS, NAIVE_READY, NAIVE_RUNS, NAIVE_DONE } NaiveState;

typedef struct Naive {
    const LpStepGraph *graph;
    bool shared;
    double now;
    NaiveState state[SB_TASKS];
    uint32_t need[SB_TASKS];
    double ready[SB_TASKS], start[SB_TASKS], end[SB_TASKS];
    uint32_t released_by[SB_TASKS];
    uint32_t faces[SB_TASKS]; /* per tx port: where it points, or LP_TRACE_NONE */
    uint32_t done;
    double waiting, reconfiguration;
} Naive;

void naive_run(Naive *naive, const LpStepGraph *graph, bool shared);

/* Does collective task t have this server (an index) as a member? */
bool naive_is_member(const LpStepGraph *graph, uint32_t t, uint32_t server);
/* Do two collectives, or a collective and a flow, touch one server? */
bool naive_share_server(const LpStepGraph *graph, uint32_t collective, uint32_t other);

/* Time integrals of a finished run, by looking at every task between every two instants. */
void naive_summary(const Naive *naive, LpStepSummary *out);

static inline bool naive_is_op(const LpStepGraph *g, uint32_t t) {
    return t < g->parts;
}
static inline bool naive_is_collective(const LpStepGraph *g, uint32_t t) {
    return t >= g->parts + g->transfers;
}
static inline bool naive_is_flow(const LpStepGraph *g, uint32_t t) {
    return t >= g->parts && !naive_is_collective(g, t) && g->flow[t - g->parts];
}
/* Do two flows need one wavelength of a shared subnet? */
static inline bool naive_same_wave(const LpStepGraph *g, uint32_t t, uint32_t u) {
    return g->wave != NULL && g->wave[t - g->parts] == g->wave[u - g->parts];
}
/* The same port, and one that is contended? */
static inline bool naive_same_port(uint32_t a, uint32_t b) {
    return a == b && a != LP_NO_PORT;
}

#endif
