/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of training; private to many/. */
#ifndef LP_MANY_TRAIN_TRAIN_IMPL_H
#define LP_MANY_TRAIN_TRAIN_IMPL_H

#include "many/train/gym.h"
#include "many/train/train.h"
#include "session/player/player.h"

/* One cluster that is played. */
typedef struct LpActor {
    LpGym *gym;
    LpPlayer *player;
    LpPlayer *guide; /* goes on in sampled futures; NULL: not looked ahead */
    LpRng rng;
    uint64_t episodes; /* begun */
    bool fresh;        /* it was just restarted */
    double *scores, *probability, *log_probability, *features;
    LpWorld *future; /* one that is played on; recycled */
} LpActor;

/* What came of a rollout, or of an evaluation. */
typedef struct LpActorPlayed {
    double reward;
    uint64_t decisions, blocked;
    uint64_t simulated; /* decisions, also those of sampled futures and those passed over */
} LpActorPlayed;

/* guide NULL: none. Errors: as lp_gym_open, lp_player_new. */
LpErr lp_actor_open(LpActor *actor, const LpTrainSpec *spec, const LpWeights *agent,
                    const LpWeights *guide, LpDiag *diag) LP_MUST_USE;
void lp_actor_close(LpActor *actor); /* zeroed: nothing happens */
/* The next episodes are those of number `first`, first + 1 ... of a seed, and the actor's stream
 * begins anew: what it then meets depends on nothing before. */
LpErr lp_actor_restart(LpActor *actor, uint64_t seed, uint32_t index, uint64_t first,
                       LpDiag *diag) LP_MUST_USE;
/* Takes `count` decisions from place `first` of the rollout on, and their advantages; a rollout
 * with scores gets those as well. seed and index as above. baseline and scale: a reward r counts as
 * (r - baseline) scale. */
LpErr lp_actor_explore(LpActor *actor, const LpPpoSettings *settings, uint64_t seed, uint32_t index,
                       uint32_t first, uint32_t count, double baseline, LpRollout *rollout,
                       LpActorPlayed *played, LpDiag *diag) LP_MUST_USE;
/* Compares the answers to the decision that is due, of which these are the features: each is given
 * in the same `futures` futures, which differ in the jobs that arrive, and the guide goes on from
 * there, always with its best answer, for `horizon` decisions; what comes after these it estimates
 * (`terminal` times its value head, once it has learnt). score[actions] gets the mean number of
 * jobs that are not lost, over the temperature; 0 for closed actions. *simulated grows by the
 * decisions of the futures. O(open actions * futures * horizon) decisions. */
LpErr lp_actor_lookahead(LpActor *actor, const LpPpoSettings *settings, const double *features,
                         double *score, uint64_t *simulated, LpDiag *diag) LP_MUST_USE;
/* A whole episode without exploring. */
LpErr lp_actor_evaluate(LpActor *actor, uint64_t seed, LpActorPlayed *played,
                        LpDiag *diag) LP_MUST_USE;

/* lp_train with the algorithm evolve. */
LpErr lp_train_evolve(const LpTrainSpec *spec, LpTrainProgress progress, void *user,
                      LpTrainReport *last, LpDiag *diag) LP_MUST_USE;

#endif
