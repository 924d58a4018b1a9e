/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the environment; private to many/train. */
#ifndef LP_MANY_TRAIN_GYM_IMPL_H
#define LP_MANY_TRAIN_GYM_IMPL_H

#include "many/train/gym.h"

/* What is counted of an episode. */
typedef struct LpGymTally {
    bool began;
    double sum; /* of rewards */
    uint64_t steps;
} LpGymTally;

/* Degrees that the mask allows, once they were worked out for the decision that is due. */
typedef struct LpGymOpen {
    uint32_t *degree; /* room for all actions */
    uint32_t count;
    bool known;
} LpGymOpen;

struct LpGym {
    LpSession *session;
    LpReward reward;
    LpRewardScale scale;
    uint32_t actions, degrees;
    bool waits;
    LpGymOpen open;
    uint32_t *server; /* room for a block */
    LpGymTally tally;
};

/* The world is new: goes to its first decision. */
LpErr lp_gym_begin(LpGym *gym, LpDiag *diag) LP_MUST_USE;

#endif
