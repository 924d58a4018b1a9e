/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network that plays one scenario: what it sees of a job, and what its heads say about it. */
#ifndef LP_SESSION_PLAYER_PLAYER_H
#define LP_SESSION_PLAYER_PLAYER_H

#include "learn/weights.h"
#include "session/player/place_rule.h"

typedef struct LpPlayer LpPlayer;

/* For worlds of this context, and of any other of the same scenario; for one thread. The agent is
 * borrowed. Errors: LP_EINVAL for a rule of placement that there is not, and as lp_observer_new.
 */
LpErr lp_player_new(const LpWeights *agent, const LpContext *context, LpPlayer **out,
                    LpDiag *diag) LP_MUST_USE;
void lp_player_free(LpPlayer *player); /* NULL allowed */
const LpWeights *lp_player_agent(const LpPlayer *player);
const LpNetGraph *lp_player_graphs(const LpPlayer *player, uint32_t *count);
/* lp_observer_ops */
const uint32_t *lp_player_ops(const LpPlayer *player, uint32_t graph);
/* The way (sim/forecast.h) of an action about a job with `plans` or without, 0: decline,
 * LP_DEGREE_WAIT: let it wait; the rule that places it goes to *rule. */
uint32_t lp_player_action(const LpPlayer *player, uint32_t action, bool plans, LpPlaceRule *rule);

/* The engine's answer for an action about the job whose decision is due: servers, if any, are the
 * player's until the next call. Declines where the rule finds no block. Errors: LP_ENOMEM. */
LpErr lp_player_answer(LpPlayer *player, const LpContext *context, const LpWorld *world,
                       uint32_t job, uint32_t action, LpAnswer *out, LpDiag *diag) LP_MUST_USE;

/* Works out what depends on graphs and parameters alone; to be called again when these changed. */
void lp_player_embed(LpPlayer *player);
/* The same by taking over what another player of the agent has worked out; it must stay. */
void lp_player_share(LpPlayer *player, const LpPlayer *other);

/* lp_observe; room for the shape's features. */
LpErr lp_player_observe(LpPlayer *player, const LpContext *context, const LpWorld *world,
                        uint32_t job, double *features, uint32_t *graph, LpDiag *diag) LP_MUST_USE;
/* What a head says (lp_infer_head). */
void lp_player_head(LpPlayer *player, LpNetHead head, const double *features, uint32_t graph,
                    double *out);
/* The mask of an observation. */
const double *lp_player_mask(const LpPlayer *player, const double *features);
/* The open action with the highest score, the first of equals. */
uint32_t lp_player_best(const LpPlayer *player, const double *scores, const double *mask);

#endif
