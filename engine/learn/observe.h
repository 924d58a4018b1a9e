/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observation of a job that is to be decided (semantics 12): features of the nodes and edges of
 * its computation graph, features of job and cluster, and which ways to decide are open. In two
 * encodings: as published, and with its errors mended and what a decision depends on added. Names
 * of the numbers, for people: feature.h.
 *
 * The graph is the unsplit one, forward and backward ops (model/partition.h). Per node:
 *   0 time / largest time            1 has the largest time? (published: 0, Q22)
 *   2 memory / largest memory        3 has the largest memory?
 *   4 depth / largest depth: nodes on a shortest path from the first source (published) or from any
 * per edge: 0 bytes / most bytes, 1 has the most bytes? Nothing is divided by 0: 0 then.
 *
 * Job and cluster, with norm(v) = (v - min) / (max - min), 1 where max = min, cut to 0..1:
 *   0 norm(nodes)    1 norm(edges)    2 norm(s), s: unsplit time of all steps
 *   3 norm(f s)      4 norm(f), f: the limit as a fraction of s, 1 without a limit        5 f
 *   6 norm(memory)   7 norm(bytes of all edges)     8 norm(steps)
 *   9, 10 mean and median time / largest time       11, 12 memory likewise
 *   13, 14 bytes of an edge likewise
 *   15 busy servers / servers (published: as of the last tick, Q21)     16 running jobs / servers
 * min and max are over the scenario's graphs and jobs; of numbers that a generator draws, the
 * bounds of the distribution (the published environment: of the pool that it drew, which is nearly
 * the same). Published, the maxima overshoot (Q23), p being the largest degree: nodes int(max p),
 * edges 3 int(max p), bytes max n (n - 1) / 2 with n = int(max nodes * p).
 *
 * The corrected encoding goes on with
 *   17..22 servers that running jobs give back within 1, 2, 4, 8, 12, 20 t / servers, t: mean time
 *          between arrivals
 *   for each action: would the job be accepted if it were answered now? (lp_world_predict)
 *   for each action: servers that it would take / servers, 1 where it cannot be placed
 *   for each action: servers of the largest block that it would leave free / servers, 0 if unknown
 *   for each action: j / (j + t), j: the JCT that it would lead to, 0 where it cannot be placed
 * Both end with the mask, a number per action: 1 where the action is open, 0 where not.
 *
 * Actions: 0 declines; 1 + (d - 1) k + i answers way d, which is degree d or the d-th plan of the
 * job's graph (sim/forecast.h), and places by rule i of k. An action is open where the world's mask
 * has its way (lp_world_ways); in the corrected encoding the job
 * must also be accepted, since an answer that blocks it is only another way to decline.
 *
 * The third encoding, of networks that let jobs wait, is another matter: queue.h. */
#ifndef LP_LEARN_OBSERVE_H
#define LP_LEARN_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "learn/net.h"
#include "sim/context.h"
#include "sim/state/state.h"

/* X(ID, "name") */
#define LP_ENCODING_TABLE(X)                                                                       \
    X(PUBLISHED, "pac-ml")                                                                         \
    X(CORRECTED, "corrected")                                                                      \
    X(QUEUE, "queue")

typedef enum LpEncoding {
#define X(id, name) LP_ENCODING_##id,
    LP_ENCODING_TABLE(X)
#undef X
        LP_ENCODING_COUNT
} LpEncoding;

const char *lp_encoding_name(LpEncoding encoding);
int lp_encoding_find(const char *name); /* -1 when unknown */

enum { LP_OBSERVE_DEGREES = 256 }; /* largest degree that an observation has room for */

/* Actions and numbers of an observation whose largest degree is `degrees`, with `placings` rules of
 * placement. */
static inline uint32_t lp_observe_actions(uint32_t degrees, uint32_t placings) {
    return 1 + degrees * placings;
}
uint32_t lp_observe_features(LpEncoding encoding, uint32_t degrees, uint32_t placings);
/* Actions of an observation of any encoding; QUEUE does not read `degrees`. */
uint32_t lp_encoding_actions(LpEncoding encoding, uint32_t degrees, uint32_t placings);
/* The way (sim/forecast.h) that an action of any encoding stands for, of jobs with `plans` or
 * without: 0 declines, LP_DEGREE_WAIT lets the job wait. */
#define LP_DEGREE_WAIT UINT32_MAX
uint32_t lp_encoding_way(LpEncoding encoding, uint32_t action, uint32_t placings, bool plans);
/* The way that an action stands for, but for QUEUE; 0 declines. */
static inline uint32_t lp_action_degree(uint32_t action, uint32_t placings) {
    return action == 0 ? 0 : 1 + (action - 1) / placings;
}
static inline uint32_t lp_action_placing(uint32_t action, uint32_t placings) {
    return action == 0 ? 0 : (action - 1) % placings;
}

/* Rules of placement, which are somebody else's. */
typedef struct LpPlacer {
    uint32_t placings; /* at least 1 */
    uint32_t kind[4];  /* of each rule: 0 the engine's, 1 first_fit, 2 best_fit; else another */
    void *user;
    /* Block of a job at a way (`degree`) by rule `placing`: its servers (room for the cluster's) in
     * block order, *count 0: none is free; *left: the largest block free afterwards, UINT32_MAX:
     * unknown. *engine: the engine itself places. NULL: it always does. */
    LpErr (*choose)(void *user, const LpWorld *world, const LpContext *context, uint32_t job,
                    uint32_t degree, uint32_t placing, uint32_t *server, uint32_t *count,
                    uint32_t *left, bool *engine, LpDiag *diag);
} LpPlacer;

/* Everything about a scenario that does not change: graphs and ranges. */
typedef struct LpObserver LpObserver;

/* degrees: the largest degree p. placer NULL: the engine places. For one thread at a time. Errors:
 * LP_EINVAL where the scenario has no graphs, LP_ERANGE for more than LP_OBSERVE_DEGREES;
 * LP_ENOMEM. O(graphs' size). */
LpErr lp_observer_new(const LpContext *context, LpEncoding encoding, uint32_t degrees,
                      const LpPlacer *placer, LpObserver **out, LpDiag *diag) LP_MUST_USE;
void lp_observer_free(LpObserver *observer); /* NULL allowed */
uint32_t lp_observer_features(const LpObserver *observer);
/* What kind of setting the scenario is. load: mean unsplit work of a job / (servers * mean time
 * between arrivals), 0 where that time is not known; limit: the least and the most, as fractions of
 * the unsplit time. */
typedef struct LpSetting {
    double servers, load, limit[2];
} LpSetting;
LpSetting lp_observer_setting(const LpObserver *observer);
/* The graphs in the scenario's order, as the network reads them; the observer's. */
const LpNetGraph *lp_observer_graphs(const LpObserver *observer, uint32_t *count);
/* Which op each node of a graph is: < n the forward op of that index, n + op its backward twin (n:
 * ops of the scenario's graph). */
const uint32_t *lp_observer_ops(const LpObserver *observer, uint32_t graph);

/* Features as single precision, rounded to nearest. */
void lp_observe_narrow(const double *features, uint32_t count, float *out);
/* Writes the features of a job that is being decided, mask last; *graph is its graph. `context` and
 * `world` are the scenario's. Errors: LP_EINVAL for a rigid job; LP_ENOMEM. Published: the
 * cost of the mask; corrected: a placement and a prediction per open action. */
LpErr lp_observe(const LpObserver *observer, const LpContext *context, const LpWorld *world,
                 uint32_t job, double *features, uint32_t *graph, LpDiag *diag) LP_MUST_USE;

#endif
