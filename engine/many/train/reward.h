/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rewards of one decision, by the names of the published environment (semantics 13). */
#ifndef LP_MANY_TRAIN_REWARD_H
#define LP_MANY_TRAIN_REWARD_H

#include "sim/context.h"
#include "sim/state/state.h"

/* X(ID, "name", sign by default, "what it is before scaling: for an accepted job / a blocked one")
 */
#define LP_REWARDS(X)                                                                              \
    X(JOB_ACCEPTANCE, "job_acceptance", 1, "success / fail")                                       \
    X(LOOKAHEAD_JCT, "lookahead_job_completion_time", -1,                                          \
      "JCT / sequential JCT times fail_factor")                                                    \
    X(COMPUTE_THROUGHPUT, "mean_compute_throughput", 1,                                            \
      "computed bytes per second of the step that follows")                                        \
    X(CLUSTER_THROUGHPUT, "mean_cluster_throughput", 1,                                            \
      "bytes computed and sent per second of the step that follows, of the cut jobs")              \
    X(DEMAND_THROUGHPUT, "mean_demand_total_throughput", 1,                                        \
      "bytes computed and sent per second of the step that follows, of the jobs as they came")     \
    X(MULTI_OBJECTIVE, "multi_objective_jct_blocking", -1,                                         \
      "JCT as a fraction of sequential / blocking_weight times (1 + how long a job it is, 0..1)")

typedef enum LpRewardKind {
#define X(id, name, sign, doc) LP_REWARD_##id,
    LP_REWARDS(X)
#undef X
        LP_REWARD_COUNT
} LpRewardKind;

const char *lp_reward_name(LpRewardKind kind);
int lp_reward_find(const char *name); /* -1: none */

/* Which reward, and how it is scaled. In this order: divided, inverted, times sign, logarithm. */
typedef struct LpReward {
    LpRewardKind kind;
    double success, fail;   /* job_acceptance: 1, -1 */
    double fail_factor;     /* lookahead_...: 1 */
    double blocking_weight; /* multi_objective_...: 1 */
    /* lookahead_...: by the sequential JCT (of the cut job where it is accepted) times
     * normaliser_factor; throughputs: by the most that the cluster could do. The others have no
     * normaliser. */
    bool normalise;
    double normaliser_factor; /* 1 */
    bool inverse;             /* 1 / r; 0 stays 0 */
    double sign;              /* as in the table */
    bool log;                 /* sign(r) log10(1 + |r|) */
} LpReward;

LpReward lp_reward_default(LpRewardKind kind);

/* What does not change during an episode. */
typedef struct LpRewardScale {
    double least_sequential, most_sequential; /* s, over the jobs that may arrive, all steps */
    double most_compute; /* M_c: greatest memory / time of an op, times servers */
    double most_dep;     /* M_d: servers * rate of one light path * channels */
} LpRewardScale;

LpRewardScale lp_reward_scale(const LpContext *context);

/* What one cluster step did, from the decision to the next event: bytes of one training step each
 * (published throughput, Q19), of the jobs that ran. */
typedef struct LpRewardStep {
    double seconds;
    double compute, cluster, demand;
} LpRewardStep;

/* Right after the decision: what the running jobs will do until `until`, s. O(running jobs). */
LpRewardStep lp_reward_step(const LpWorld *world, const LpContext *context, double until);

/* Of job `job` once that step is over: it counts as accepted unless it is blocked by then. Finite.
 */
double lp_reward_value(const LpReward *reward, const LpRewardScale *scale, const LpRewardStep *step,
                       const LpJob *job);

#endif
