/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choices in which the published simulator and the corrected rules differ, one named option
 * each. Code asks for the option it depends on, never for "the mode". */
#ifndef LP_MODEL_OPTIONS_H
#define LP_MODEL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* X(ID, "name", "quirks", "published rule", "corrected rule") */
#define LP_OPTION_TABLE(X)                                                                         \
    X(TIME_UNIT, "time_unit", "Q2",                                                                \
      "a profile's numbers are read as seconds, whatever their unit",                              \
      "a profile's times are in the unit its file states")                                         \
    X(GRAPH_JOIN, "graph_join", "Q9 Q11 Q40",                                                      \
      "only the last forward op is joined to the backward pass; weight syncs count as parents",    \
      "every forward sink is joined to its own twin; readiness counts real parents only")          \
    X(EDGE_SIZE, "edge_size", "Q4 Q5 Q27",                                                         \
      "a dependency carries activation plus parameters, every part to every part",                 \
      "a dependency carries its tensor, parts exchange what they share")                           \
    X(WEIGHT_SYNC, "weight_sync", "-", "a full mesh between the backward parts of an op",          \
      "one collective as the partition kind states")                                               \
    X(MEMORY, "memory", "Q13", "placement budgets activation plus parameters of forward parts",    \
      "a server holds state_factor * parameters + activations of its parts")                       \
    X(COLLECTIVE, "collective", "Q3 Q6 Q7 Q10",                                                    \
      "exchanges over one set of servers are collectives, bandwidth is divided twice",             \
      "only reductions and gathers are collectives, bandwidth is divided once")                    \
    X(CIRCUITS, "circuits", "Q8 Q8b Q25", "any number of flows share a light path at full rate",   \
      "a flow occupies its light path; the next one waits")                                        \
    X(STEP_CLOCK, "step_clock", "Q8", "ticks as long as the first flow of each channel",           \
      "event driven")                                                                              \
    X(CACHE, "cache", "Q16",                                                                       \
      "the JCT of the first job of (graph, degree), its steps included, serves all later jobs",    \
      "step simulations are keyed by all of their inputs")                                         \
    X(DEADLINE, "deadline", "Q17", "strict comparison of the forecast, whatever was waited",       \
      "waiting counts, with a relative tolerance of 1e-9")                                         \
    X(RESERVE, "reserve", "Q14", "each op chooses its own block of servers",                       \
      "a job reserves one block and never spills outside it")                                      \
    X(MASK, "mask", "Q12 Q21", "degree 1 or even, if its shape fits the empty cluster",            \
      "any degree for which a placement exists now")                                               \
    X(HORIZON, "horizon", "Q18", "jobs that run at the horizon are blocked",                       \
      "jobs that run or wait at the horizon are unfinished")                                       \
    X(UTILISATION, "utilisation", "Q15 Q20",                                                       \
      "one step's busy time over the whole job, unweighted", "busy time over time, time weighted") \
    X(THROUGHPUT, "throughput", "Q19", "one step's bytes over the whole job's time",               \
      "every step's bytes count")                                                                  \
    X(SHAPES, "shapes", "-", "blocks have the shapes of pairs of factors, as published",           \
      "blocks have every shape that fits, those published first")                                  \
    X(COLLECTIVE_LIGHT, "collective_light", "-",                                                   \
      "in a collective every transceiver group of a server reaches every group",                   \
      "in a collective, too, one transceiver group leads to each group")

typedef enum LpOption {
#define X(id, name, quirks, published, corrected) LP_OPT_##id,
    LP_OPTION_TABLE(X)
#undef X
        LP_OPT_COUNT
} LpOption;

typedef struct LpOptionInfo {
    const char *name, *quirks, *published, *corrected;
} LpOptionInfo;

/* published[o] is true where option o follows the published rule. */
typedef struct LpOptions {
    bool published[LP_OPT_COUNT];
} LpOptions;

/* Corrected, but for `collective_light`, which is published unless asked for. */
LpOptions lp_options_corrected(void);
LpOptions lp_options_published(void);
const LpOptionInfo *lp_option_info(LpOption option);
/* -1 when unknown. */
int lp_option_find(const char *name);
/* Errors: LP_EINVAL naming two options whose combination has no meaning. */
LpErr lp_options_check(const LpOptions *options, LpDiag *diag) LP_MUST_USE;
static inline bool lp_published(const LpOptions *options, LpOption option) {
    return options->published[option];
}
/* The first option that is published although the corrected rules are not so by themselves; -1.
 * `shapes` does not count: it says which blocks are tried, and no formula depends on it. */
int lp_options_first_published(const LpOptions *options);
/* The first option that is published while cuts by kind (the partition kind tensor) need its
 * corrected rule: one collective an op, and dependencies that carry their tensor; -1. */
int lp_options_against_tensor(const LpOptions *options);
/* True when every option is published: statistics keep their published names. */
bool lp_options_all_published(const LpOptions *options);
/* Hash of all options; `shapes` and what follows it count where they are corrected only, so that
 * older hashes stay. */
uint64_t lp_options_hash(const LpOptions *options);

#endif
