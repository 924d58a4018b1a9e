/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One cluster that is played for training. */
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "many/train/train_impl.h"
#include "sim/forecast.h"

LpErr lp_actor_open(LpActor *a, const LpTrainSpec *spec, const LpWeights *agent,
                    const LpWeights *guide, LpDiag *diag) {
    const LpNetShape *shape = &agent->plan.shape;
    LpGymSpec gym = {.session = spec->session,
                     .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LP_TRY(lp_gym_open(&gym, &a->gym, diag));
    LP_TRY(lp_player_new(agent, lp_session_context(lp_gym_session(a->gym)), &a->player, diag));
    if (guide != NULL)
        LP_TRY(lp_player_new(guide, lp_session_context(lp_gym_session(a->gym)), &a->guide, diag));
    a->scores = lp_alloc(shape->actions, sizeof *a->scores);
    a->probability = lp_alloc(shape->actions, sizeof *a->probability);
    a->log_probability = lp_alloc(shape->actions, sizeof *a->log_probability);
    a->features = lp_alloc(shape->features, sizeof *a->features);
    if (a->scores == NULL || a->probability == NULL || a->log_probability == NULL ||
        a->features == NULL)
        return lp_fail_memory(diag, "training");
    return LP_OK;
}

void lp_actor_close(LpActor *a) {
    lp_player_free(a->player);
    lp_player_free(a->guide);
    lp_gym_close(a->gym);
    lp_free(a->scores);
    lp_free(a->probability);
    lp_free(a->log_probability);
    lp_free(a->features);
    lp_world_free(a->future);
    *a = (LpActor){0};
}

/* A seed of its own for each episode of each actor. */
static LpErr begin(LpActor *a, uint64_t seed, uint32_t index, LpDiag *diag) {
    LpRng rng = lp_rng_stream(lp_hash_u64(seed, index), "episode", a->episodes++);
    LP_TRY(lp_gym_reset(a->gym, lp_rng_u64(&rng), diag));
    if (!lp_gym_due(a->gym))
        return lp_fail(diag, LP_EINVAL, "nothing is decided in a run of this scenario");
    return LP_OK;
}

LpErr lp_actor_restart(LpActor *a, uint64_t seed, uint32_t index, uint64_t first, LpDiag *diag) {
    a->episodes = first;
    a->fresh = true;
    a->rng = lp_rng_stream(lp_hash_u64(seed, index), "actions", first);
    return begin(a, seed, index, diag);
}

static LpErr observe(LpActor *a, double *features, uint32_t *graph, LpDiag *diag) {
    const LpSession *session = lp_gym_session(a->gym);
    const LpWorld *world = lp_session_world(session);
    return lp_player_observe(a->player, lp_session_context(session), world, lp_world_due(world),
                             features, graph, diag);
}

static LpErr act(LpActor *a, uint32_t action, LpGymStep *step, LpActorPlayed *played,
                 LpDiag *diag) {
    LpGymAction answer = {0};
    const LpSession *session = lp_gym_session(a->gym);
    const LpWorld *world = lp_session_world(session);
    bool plans = lp_context_planned(lp_session_context(session),
                                    lp_world_job(world, lp_world_due(world))->graph);
    answer.degree = lp_player_action(a->player, action, plans, &answer.place);
    LP_TRY(lp_gym_step(a->gym, &answer, step, diag));
    played->reward += step->reward;
    played->decisions++;
    played->simulated++;
    played->blocked += step->outcome == LP_JOB_BLOCKED ? 1 : 0;
    return LP_OK;
}

static LpErr best_answer(LpActor *a, uint32_t *best, LpDiag *diag) {
    uint32_t graph;
    LP_TRY(observe(a, a->features, &graph, diag));
    lp_player_head(a->player, LP_HEAD_POLICY, a->features, graph, a->scores);
    *best = lp_player_best(a->player, a->scores, lp_player_mask(a->player, a->features));
    return LP_OK;
}

/* Fills place `at` of the rollout. */
static LpErr explore(LpActor *a, const LpPpoSettings *settings, LpRollout *r, uint32_t at,
                     LpGymStep *step, LpActorPlayed *played, LpDiag *diag) {
    const LpNetShape *shape = &lp_player_agent(a->player)->plan.shape;
    double *features = r->features + (size_t)at * shape->features;
    LP_TRY(observe(a, features, &r->graph[at], diag));
    const double *mask = lp_player_mask(a->player, features);
    lp_player_head(a->player, LP_HEAD_VALUE, features, r->graph[at], &r->estimate[at]);
    lp_player_head(a->player, LP_HEAD_POLICY, features, r->graph[at], a->scores);
    (void)lp_ppo_softmax(a->scores, mask, shape->actions, a->probability, a->log_probability);
    uint32_t action = lp_ppo_draw(a->probability, shape->actions, &a->rng);
    if (r->score != NULL && lp_rng_unit(&a->rng) >= settings->stray)
        action = lp_player_best(a->player, a->scores, mask);
    r->action[at] = action;
    r->log_prob[at] = a->log_probability[action];
    if (r->score != NULL)
        LP_TRY(lp_actor_lookahead(a, settings, features, r->score + (size_t)at * shape->actions,
                                  &played->simulated, diag));
    return act(a, action, step, played, diag);
}

static LpErr estimate(LpActor *a, double *out, LpDiag *diag) {
    uint32_t graph;
    LP_TRY(observe(a, a->features, &graph, diag));
    lp_player_head(a->player, LP_HEAD_VALUE, a->features, graph, out);
    return LP_OK;
}

/* After a restart: goes a way into the episode, by its best answers, or all decisions that are
 * learnt from would be of the beginnings of episodes. */
static LpErr skip(LpActor *a, const LpPpoSettings *settings, uint64_t seed, uint32_t index,
                  uint64_t *simulated, LpDiag *diag) {
    uint64_t count =
        a->fresh && settings->skip > 0 ? lp_rng_below(&a->rng, (uint64_t)settings->skip + 1) : 0;
    LpActorPlayed unseen = {0};
    LpGymStep step = {0};
    a->fresh = false;
    while (count-- > 0) {
        uint32_t best;
        LP_TRY(best_answer(a, &best, diag));
        LP_TRY(act(a, best, &step, &unseen, diag));
        if (step.done)
            LP_TRY(begin(a, seed, index, diag));
    }
    *simulated += unseen.simulated;
    return LP_OK;
}

LpErr lp_actor_explore(LpActor *a, const LpPpoSettings *settings, uint64_t seed, uint32_t index,
                       uint32_t first, uint32_t count, double baseline, LpRollout *r,
                       LpActorPlayed *played, LpDiag *diag) {
    uint32_t from = first;
    LP_TRY(skip(a, settings, seed, index, &played->simulated, diag));
    for (uint32_t at = first; at < first + count; at++) {
        LpGymStep step;
        LP_TRY(explore(a, settings, r, at, &step, played, diag));
        r->reward[at] = (step.reward - baseline) * settings->scale;
        if (!step.done)
            continue;
        lp_ppo_end(settings, r, from, at + 1 - from, lp_gym_truncated(a->gym));
        from = at + 1;
        LP_TRY(begin(a, seed, index, diag));
    }
    double last;
    LP_TRY(estimate(a, &last, diag));
    lp_ppo_advantages(settings, r, from, first + count - from, last);
    return LP_OK;
}

LpErr lp_actor_evaluate(LpActor *a, uint64_t seed, LpActorPlayed *played, LpDiag *diag) {
    LpGymStep step = {0};
    LP_TRY(lp_gym_reset(a->gym, seed, diag));
    while (lp_gym_due(a->gym)) {
        uint32_t best;
        LP_TRY(best_answer(a, &best, diag));
        LP_TRY(act(a, best, &step, played, diag));
    }
    return LP_OK;
}
