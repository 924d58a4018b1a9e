/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of training; private to run/. */
#ifndef LP_RUN_TRAIN_IMPL_H
#define LP_RUN_TRAIN_IMPL_H

#include "run/gym.h"
#include "run/player.h"
#include "run/train.h"

/* One cluster that is played. */
typedef struct LpActor {
    LpGym *gym;
    LpPlayer *player;
    LpRng rng;
    uint64_t episodes; /* begun */
    double *scores, *probability, *log_probability, *features;
} LpActor;

/* What came of a rollout, or of an evaluation. */
typedef struct LpPlayed {
    double reward;
    uint64_t decisions, blocked;
} LpPlayed;

/* Errors: as lp_gym_open, lp_player_new. */
LpErr lp_actor_open(LpActor *actor, const LpTrainSpec *spec, const LpWeights *agent,
                    LpDiag *diag) LP_MUST_USE;
void lp_actor_close(LpActor *actor); /* zeroed: nothing happens */
/* The next episodes are those of number `first`, first + 1 ... of a seed, and the actor's stream
 * begins anew: what it then meets depends on nothing before. */
LpErr lp_actor_restart(LpActor *actor, uint64_t seed, uint32_t index, uint64_t first,
                       LpDiag *diag) LP_MUST_USE;
/* Takes part `index` of the rollout: `count` decisions, and their advantages. baseline and scale:
 * a reward r counts as (r - baseline) scale. */
LpErr lp_actor_explore(LpActor *actor, const LpPpoSettings *settings, uint64_t seed, uint32_t index,
                       uint32_t count, double baseline, LpRollout *rollout, LpPlayed *played,
                       LpDiag *diag) LP_MUST_USE;
/* A whole episode without exploring. */
LpErr lp_actor_evaluate(LpActor *actor, uint64_t seed, LpPlayed *played, LpDiag *diag) LP_MUST_USE;

/* Lets the BLAS library work on the calling thread only, for the rest of the process. */
void lp_train_one_blas_thread(void);

#endif
