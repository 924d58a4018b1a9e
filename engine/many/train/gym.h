/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario as a reinforcement-learning environment: one decision per arriving job, the action is
 * how far to split it (of a job with plans: by which), and optionally where. The scenario's own
 * policy is not asked; what the action leaves open the engine decides by its defaults. */
#ifndef LP_MANY_TRAIN_GYM_H
#define LP_MANY_TRAIN_GYM_H

#include "many/train/reward.h"
#include "session/player/place_rule.h"
#include "session/session.h"

typedef struct LpGym LpGym;

typedef struct LpGymSpec {
    LpSessionSpec session; /* policy, params and keep_* do not count; until does */
    LpReward reward;
    /* Jobs may be made to wait: the action after the last degree. They are offered again whenever a
     * job completes, in the order of the queue or (earliest_first) of their true deadlines. */
    bool waits, earliest_first;
} LpGymSpec;

/* What is decided about the due job. */
typedef struct LpGymAction {
    uint32_t degree;   /* the way (sim/forecast.h), 0 refuses the job; at most lp_gym_degrees(), or
                          lp_gym_wait(). Rigid jobs: 1 runs it */
    LpPlaceRule place; /* without servers: which block; no free block blocks the job */
    uint32_t servers;  /* > 0: the block itself, in block order, borrowed */
    const uint32_t *server;
} LpGymAction;

/* What came of it. */
typedef struct LpGymStep {
    double reward; /* of the decision, and of waiting jobs that were lost since the one before */
    bool late;     /* it waited, and is to end after its true deadline: counts as blocked */
    bool done;     /* the episode is over: nothing is due any more */
    uint32_t job;  /* that was decided */
    LpOutcome outcome; /* once the cluster step after the decision was over */
    LpCause cause;
    bool refused;              /* the action was not among those that the mask allowed */
    char reason[LP_DIAG_TEXT]; /* behind a cause; "" */
} LpGymStep;

/* Reads scenario and graphs; there is no episode yet. Errors: as lp_session_open. */
LpErr lp_gym_open(const LpGymSpec *spec, LpGym **out, LpDiag *diag) LP_MUST_USE;
/* From a scenario built in memory, which is owned from now on (also on failure). */
LpErr lp_gym_open_scenario(LpScenario *scenario, const LpGymSpec *spec, LpGym **out,
                           LpDiag *diag) LP_MUST_USE;
void lp_gym_close(LpGym *gym); /* NULL allowed */

/* A new episode up to its first decision. Depends on the seed only, not on earlier episodes; step
 * simulations are kept between episodes. Errors: LP_ENOMEM. */
LpErr lp_gym_reset(LpGym *gym, uint64_t seed, LpDiag *diag) LP_MUST_USE;
/* Decides the due job and goes on to the next decision. Errors: LP_ESTATE before a reset and after
 * the end; LP_ERANGE for a degree that does not exist; LP_EINVAL for servers that do not (nothing
 * has changed then); LP_ENOMEM. A masked or impossible action is no error: the job is blocked, with
 * its cause. */
LpErr lp_gym_step(LpGym *gym, const LpGymAction *action, LpGymStep *out, LpDiag *diag) LP_MUST_USE;

/* Is there a decision due? False before the first reset and at the end. */
bool lp_gym_due(const LpGym *gym);
/* Is the episode over because the scenario's horizon cut it, not because its jobs had all come and
 * gone? A learner may then go on from its own estimate of what would have followed. */
bool lp_gym_truncated(const LpGym *gym);
bool lp_gym_began(const LpGym *gym); /* there was a reset */
/* Actions 0 .. lp_gym_actions - 1: 0, the ways up to the scenario's greatest (lp_context_ways),
 * and, where jobs may wait, waiting. */
uint32_t lp_gym_actions(const LpGym *gym);
uint32_t lp_gym_degrees(const LpGym *gym);
/* The action that makes a job wait; LP_NO_INDEX where none does. */
uint32_t lp_gym_wait(const LpGym *gym);
/* Which actions may be answered now: mask[lp_gym_actions] gets 0 or 1, all 0 where nothing is due.
 * Published: semantics 10.1; corrected: 0, and each way with a placement now. Errors: those of
 * lp_world_ways. */
LpErr lp_gym_mask(LpGym *gym, uint8_t *mask, LpDiag *diag) LP_MUST_USE;
/* What would come of an action; LP_ESTATE where nothing is due. */
LpErr lp_gym_predict(const LpGym *gym, const LpGymAction *action, LpForecast *out,
                     LpDiag *diag) LP_MUST_USE;

/* ---- episodes that are set aside ---- */

/* A copy of an episode as it stands; to be freed before its environment is closed. */
typedef struct LpGymState LpGymState;
/* Errors: LP_ENOMEM. O(size of the world). */
LpErr lp_gym_save(const LpGym *gym, LpGymState **out, LpDiag *diag) LP_MUST_USE;
/* Goes back to it, as often as one likes; return and steps are those of then. Errors: LP_ENOMEM,
 * nothing has changed then. O(size of the world). */
LpErr lp_gym_restore(LpGym *gym, const LpGymState *state, LpDiag *diag) LP_MUST_USE;
/* The jobs that arrive from now on are drawn from another seed: another future of the same past. */
void lp_gym_reseed(LpGym *gym, uint64_t seed);
void lp_gym_state_free(LpGymState *state); /* NULL allowed */
/* The present episode and one that is set aside change places: many are played in turns with one
 * memory of what was simulated. O(1). */
void lp_gym_exchange(LpGym *gym, LpGymState *state);
/* lp_world_fetch of an episode that is set aside. */
void lp_gym_state_fetch(const LpGymState *state, bool late);
/* lp_gym_reset, sharing what the episode that is set aside knows (exchanged ones may have come to
 * know other things). */
LpErr lp_gym_reset_beside(LpGym *gym, const LpGymState *state, uint64_t seed,
                          LpDiag *diag) LP_MUST_USE;

/* Steps from now on have no `reason`, which takes time. */
void lp_gym_mute(LpGym *gym, bool mute);
/* Replaces the reward from the next step on. */
void lp_gym_set_reward(LpGym *gym, const LpReward *reward);
const LpReward *lp_gym_reward(const LpGym *gym);
/* Episode so far: the world, its tally and summary are there. Valid until the environment moves. */
const LpSession *lp_gym_session(const LpGym *gym);
/* Sum of rewards and number of steps of this episode. */
double lp_gym_return(const LpGym *gym);
uint64_t lp_gym_steps(const LpGym *gym);

#endif
