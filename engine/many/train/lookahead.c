/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking ahead in training: the answers to one decision, compared in the same sampled futures. */
#include "base/mem.h"
#include "many/train/train_impl.h"
#include "sim/world.h"

/* Up to the next decision; false where the run is over. */
static LpErr to_decision(LpWorld *w, const LpContext *context, bool *due, LpDiag *diag) {
    LpEvent event;
    while (lp_world_due(w) == LP_NO_INDEX && !lp_world_over(w))
        LP_TRY(lp_world_advance(w, context, &event, diag));
    *due = lp_world_due(w) != LP_NO_INDEX;
    return LP_OK;
}

/* Gives the answer; *lost counts jobs that it blocks. */
static LpErr decide(LpActor *a, const LpContext *context, uint32_t action, double *lost,
                    uint64_t *simulated, LpDiag *diag) {
    LpWorld *w = a->future;
    uint32_t job = lp_world_due(w);
    LpAnswer answer;
    LpEvent event;
    ++*simulated;
    LP_TRY(lp_player_answer(a->guide, context, w, job, action, &answer, diag));
    LP_TRY(lp_world_decide(w, context, job, &answer, &event, NULL, diag));
    *lost += lp_world_job(w, job)->outcome == LP_JOB_BLOCKED ? 1 : 0;
    return LP_OK;
}

/* What the guide would do. */
static LpErr best_action(LpActor *a, const LpContext *context, uint32_t *action, LpDiag *diag) {
    uint32_t graph;
    LP_TRY(lp_player_observe(a->guide, context, a->future, lp_world_due(a->future), a->features,
                             &graph, diag));
    lp_player_head(a->guide, LP_HEAD_POLICY, a->features, graph, a->scores);
    *action = lp_player_best(a->guide, a->scores, lp_player_mask(a->guide, a->features));
    return LP_OK;
}

/* What comes after a future that is played no further, from its next decision on, as jobs lost: the
 * guide's estimate of rewards, of which a job that is blocked and not served is worth two. An
 * untrained one estimates nothing. */
static LpErr add_rest(LpActor *a, const LpContext *context, const LpPpoSettings *settings,
                      double *lost, LpDiag *diag) {
    uint32_t graph;
    double value;
    if (settings->terminal <= 0 || lp_player_agent(a->guide)->note.steps == 0)
        return LP_OK;
    LP_TRY(lp_player_observe(a->guide, context, a->future, lp_world_due(a->future), a->features,
                             &graph, diag));
    lp_player_head(a->guide, LP_HEAD_VALUE, a->features, graph, &value);
    *lost -= settings->terminal * value / (2 * settings->scale);
    return LP_OK;
}

static LpErr play_on(LpActor *a, const LpContext *context, const LpWorld *from, uint64_t seed,
                     uint32_t action, const LpPpoSettings *settings, double *lost,
                     uint64_t *simulated, LpDiag *diag) {
    a->future = lp_world_clone(from, a->future);
    if (a->future == NULL)
        return lp_fail_memory(diag, "a future");
    lp_world_reseed(a->future, seed);
    uint32_t left = (uint32_t)settings->horizon;
    bool due;
    LP_TRY(decide(a, context, action, lost, simulated, diag));
    LP_TRY(to_decision(a->future, context, &due, diag));
    while (due && left-- > 0) {
        LP_TRY(best_action(a, context, &action, diag));
        LP_TRY(decide(a, context, action, lost, simulated, diag));
        LP_TRY(to_decision(a->future, context, &due, diag));
    }
    return due ? add_rest(a, context, settings, lost, diag) : LP_OK;
}

LpErr lp_actor_lookahead(LpActor *a, const LpPpoSettings *settings, const double *features,
                         double *score, uint64_t *simulated, LpDiag *diag) {
    const LpSession *session = lp_gym_session(a->gym);
    const LpWorld *now = lp_session_world(session);
    const double *mask = lp_player_mask(a->player, features);
    uint32_t actions = lp_player_agent(a->player)->plan.shape.actions, open = 0;
    double each = -1 / (settings->futures * settings->temperature);
    for (uint32_t i = 0; i < actions; i++) {
        score[i] = 0;
        open += mask[i] > 0 ? 1 : 0;
    }
    for (uint32_t f = 0; f < (uint32_t)settings->futures && open > 1; f++) {
        uint64_t seed = lp_rng_u64(&a->rng);
        for (uint32_t i = 0; i < actions; i++) {
            double lost = 0;
            if (mask[i] > 0)
                LP_TRY(play_on(a, lp_session_context(session), now, seed, i, settings, &lost,
                               simulated, diag));
            score[i] += each * lost;
        }
    }
    return LP_OK;
}
