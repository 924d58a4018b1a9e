/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proximal policy optimisation (Schulman et al. 2017) with generalised advantages (Schulman et al.
 * 2016) and masked actions: what is done with decisions once they have been made. Making them is
 * many/train/train.h's. exp and log are our own (base/num.h), so the same seed gives the same bits
 * wherever the BLAS does. */
#ifndef LP_LEARN_PPO_H
#define LP_LEARN_PPO_H

#include "base/rng.h"
#include "base/str.h"
#include "learn/adam.h"
#include "learn/net.h"

/* X(name, default, least, most, who, meaning); who: first letters of the algorithms
 * (many/train/train.h) that heed it, the others refuse it */
#define LP_PPO_TABLE(X)                                                                            \
    X(gamma, 0.995, 0, 1, "pl", "discount of later rewards per decision")                          \
    X(lambda, 0.98, 0, 1, "pl", "how far advantages look before the value estimate takes over")    \
    X(clip, 0.2, 0.01, 1, "p", "how far an update may move a probability")                         \
    X(entropy, 0.004, 0, 1, "p", "weight of keeping the choice open at the start; falls to 0")     \
    X(value, 0.5, 0, 10, "pl", "weight of the value estimate's error")                             \
    X(q, 0.5, 0, 10, "pl", "weight of the error of the action values")                             \
    X(rate, 1e-3, 1e-8, 1, "ple", "step size at the start; falls to 0 at the last step")           \
    X(grad_clip, 0.5, 0, 1e9, "pl", "largest norm of a gradient; 0: any")                          \
    X(epochs, 4, 1, 100, "pl", "passes over the decisions of an update")                           \
    X(minibatch, 1024, 8, 65536, "pl", "decisions per gradient")                                   \
    X(scale, 0.1, 1e-6, 1e6, "pl", "what rewards are multiplied by")                               \
    X(kl, 0.03, 0, 10, "p", "mean change of the policy that ends an update early; 0: never")       \
    X(futures, 2, 1, 1000, "l", "lookahead: futures in which each answer is tried")                \
    X(stray, 0.2, 0, 1, "l", "lookahead: share of decisions that are drawn instead of the best")   \
    X(horizon, 40, 1, 10000, "l", "lookahead: decisions that each of them is played on for")       \
    X(terminal, 1, 0, 10, "l",                                                                     \
      "lookahead: weight of its own estimate of what comes after the last")                        \
    X(temperature, 0.4, 1e-3, 10, "l", "lookahead: jobs that make an answer e times as likely")    \
    X(skip, 0, 0, 1e6, "pl",                                                                       \
      "lookahead: most decisions played before those learnt from, each turn")                      \
    X(keep, 16, 1, 1000, "l", "lookahead: updates that improve upon the same network")             \
    X(envs, 32, 1, 4096, "pl", "clusters that are played at once")                                 \
    X(rollout, 256, 1, 65536, "pl", "decisions of each of them per update")                        \
    X(eval_every, 5, 1, 1e9, "ple", "updates between evaluations")                                 \
    X(eval_episodes, 8, 1, 1000, "ple", "runs of one evaluation")                                  \
    X(patience, 0, 0, 1e9, "ple", "evaluations without a better one that end training; 0: any")    \
    X(checkpoint_every, 20, 1, 1e9, "pe", "updates between checkpoints (lookahead: keep)")         \
    X(start, 0, 0, 256, "pl", "degree that the untrained network leans to; 0: none")               \
    X(lean, 2, 0, 100, "pl", "how far: added to the scores of that degree")                        \
    X(pairs, 16, 1, 1000, "e",                                                                     \
      "evolve: networks that are tried per update, in pairs of opposites")                         \
    X(sigma, 0.015, 1e-6, 10, "e", "evolve: how far their parameters are moved")                   \
    X(mix, 4, 0, 64, "e", "evolve: scenarios of an update, 0: all")                                \
    X(hidden, 64, 1, 512, "ple", "width of each head")                                             \
    X(branch, 8, 1, 512, "pl", "width of the branch for features of job and cluster")

typedef struct LpPpoSettings {
#define X(name, init, least, most, who, meaning) double name;
    LP_PPO_TABLE(X)
#undef X
} LpPpoSettings;

LpPpoSettings lp_ppo_defaults(void);
/* "name=value", for the algorithm of this name. Errors: LP_EINVAL for an unknown name (with the
 * nearest) and for one that the algorithm does not heed, LP_ERANGE, LP_EPARSE. */
LpErr lp_ppo_set(LpPpoSettings *settings, const char *algo, const char *assignment,
                 LpDiag *diag) LP_MUST_USE;
/* " name=value" of each setting that the algorithm heeds. */
void lp_ppo_describe(const LpPpoSettings *settings, const char *algo, LpBuf *out);

/* Decisions that were made, `count` of them. */
typedef struct LpRollout {
    uint32_t count;
    double *features; /* count x shape.features, mask last */
    uint32_t *graph, *action;
    double *log_prob;          /* of the action when it was taken */
    double *reward, *estimate; /* the value head's then */
    double *advantage, *target;
    double *score; /* count x shape.actions, NULL: none: what the logits should be, see below */
} LpRollout;

/* scores: with room for them. Errors: LP_ENOMEM. */
LpErr lp_rollout_new(const LpNetShape *shape, uint32_t count, bool scores, LpRollout *out,
                     LpDiag *diag) LP_MUST_USE;
void lp_rollout_fini(LpRollout *rollout);

/* Softmax over the open actions: probability[actions], and their logarithms (-infinity where an
 * action is closed); returns the index of the largest logit (the first of equals). At least one
 * action must be open. */
uint32_t lp_ppo_softmax(const double *logits, const double *mask, uint32_t actions,
                        double *probability, double *log_probability);
/* Draws an action. */
uint32_t lp_ppo_draw(const double *probability, uint32_t actions, LpRng *rng);

/* Advantages and targets of decisions from..from+count-1, which one cluster met one after the
 * other: delta_t = r_t + gamma V_(t+1) - V_t, A_t = delta_t + gamma lambda A_(t+1), target A + V.
 * last: the estimate after the last one. */
void lp_ppo_advantages(const LpPpoSettings *settings, LpRollout *rollout, uint32_t from,
                       uint32_t count, double last);

/* As lp_ppo_advantages for decisions after which their episode was over. cut false: nothing comes
 * any more, the estimate after the last one is 0. cut true: the horizon cut it, and nobody
 * estimated what would have come after the last decision: it closes the others (its estimate is
 * what came after them) and is not learnt from, advantage 0 and target its own estimate. */
void lp_ppo_end(const LpPpoSettings *settings, LpRollout *rollout, uint32_t from, uint32_t count,
                bool cut);

/* Calls task(user, index) for 0..count-1, on any threads, and waits. */
typedef void (*LpShardTask)(void *user, uint32_t index);
typedef LpErr (*LpShardRun)(void *runner, uint32_t count, LpShardTask task, void *user,
                            LpDiag *diag);

typedef struct LpPpo LpPpo;

/* Room for updates. A gradient is worked out in parts, as many for any number of threads, and has
 * the same bits however they are spread. run NULL: one after the other. Errors: LP_ENOMEM; LP_EIO
 * where BLAS cannot be loaded. */
LpErr lp_ppo_new(const LpNetPlan *plan, const LpPpoSettings *settings, const LpNetGraph *graphs,
                 uint32_t count, LpShardRun run, void *runner, LpPpo **out,
                 LpDiag *diag) LP_MUST_USE;
void lp_ppo_free(LpPpo *ppo); /* NULL allowed */

/* How much of training is left, 1 at the start: the weight of keeping the choice open falls with
 * it.
 */
void lp_ppo_anneal(LpPpo *ppo, double left);

typedef struct LpPpoStats {
    double policy_loss, value_loss, q_loss, entropy, kl, clipped, norm; /* means over gradients */
    double explained; /* share of the targets' variance that the estimates explained, before */
    uint32_t gradients;
    uint64_t samples; /* decisions times passes */
} LpPpoStats;

/* A rollout with scores is learnt from by regression instead of policy optimisation: over the open
 * actions, logits less their mean are drawn to scores less theirs, which are how much better each
 * action turned out in sampled futures, over a temperature. One step of policy iteration then, with
 * the network in place of a table (rollout policies: Tesauro & Galperin 1996; Lagoudakis & Parr
 * 2003).
 *
 * Several passes over the rollout in an order that rng draws; changes params by Adam at its present
 * rate. Errors: of `run`. */
LpErr lp_ppo_update(LpPpo *ppo, LpRollout *rollout, LpAdam *adam, LpRng *rng, double *params,
                    LpPpoStats *stats, LpDiag *diag) LP_MUST_USE;

#endif
