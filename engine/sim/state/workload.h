/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which job arrives when: the scenario's list, or its generator with named random streams. The
 * state is one pointer-free block inside the world image. */
#ifndef LP_SIM_STATE_WORKLOAD_H
#define LP_SIM_STATE_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/dist.h"
#include "model/scenario.h"

typedef struct LpWorkload LpWorkload; /* defined in workload.c; size from lp_workload_size */

/* One arrival. */
typedef struct LpArrival {
    LpJobSpec spec;  /* arrival = its time, s; hint text is the scenario's */
    double next;     /* time of the arrival after this one, INFINITY when there is none */
    uint64_t number; /* 0, 1, 2 ...: in a list the index of its job */
} LpArrival;

/* Bytes of the block; a multiple of 8. The scenario is finished (lp_scenario_finish). LP_ELIMIT
 * when a published pool is too large. */
LpErr lp_workload_size(const LpScenario *scenario, size_t *bytes, LpDiag *diag) LP_MUST_USE;
/* Fills the block. Streams "model", "interarrival", "steps", "fraction", and at the start "choice"
 * and "skew", each from (seed, name). The first arrival of a generator is at time 0.
 * Pool: replication copies of each graph, pool job i has graph i mod graphs; each arrival takes one
 * of those left, all equally likely. With all options published (lp_options_all_published)
 * fractions and steps are drawn once per pool job in pool order (semantics 2.2), O(pool) time and
 * memory; otherwise once per arrival, O(graphs). Errors: LP_ENOMEM. */
LpErr lp_workload_init(LpWorkload *workload, const LpScenario *scenario, uint64_t seed,
                       LpDiag *diag) LP_MUST_USE;
/* Time of the next arrival, INFINITY when there is none left. */
double lp_workload_peek(const LpWorkload *workload);
/* Takes the next arrival; false when there is none. After the last one (count reached, list or
 * pool exhausted with sampling "remove") next is INFINITY. Times accumulate from scheduled times.
 * O(graphs), O(1) from a published pool. */
bool lp_workload_take(LpWorkload *workload, const LpScenario *scenario, LpArrival *out);
/* Divides every gap that is drawn or listed from now on by `rate`; the arrival that is peeked at
 * stays. At a rate of 1 a list that was never stretched keeps its times to the last bit. */
void lp_workload_set_rate(LpWorkload *workload, double rate);
/* What is drawn from now on comes from the streams of another seed; what was drawn stays, the
 * fractions and steps of a published pool included. */
void lp_workload_reseed(LpWorkload *workload, uint64_t seed);
/* Content hash: independent of padding. A published pool counts by what made it and what was drawn
 * from it. O(graphs). */
uint64_t lp_workload_hash(const LpWorkload *workload);

#endif
