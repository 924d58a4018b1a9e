/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop of training: rollouts, updates, evaluations, checkpoints. */
#include "many/train/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "host/workers.h"
#include "many/train/train_impl.h"
#include "session/player/setting.h"

enum { PATH_ROOM = 4096, ROLLOUT_MAX = 1 << 28 };
#define BASELINE_SHARE 0.05 /* of the newest rollout in the running mean of rewards */

typedef struct Training {
    const LpTrainSpec *spec;
    unsigned threads;
    uint32_t envs, each; /* clusters, and decisions of each per update */
    uint32_t keep;       /* updates that the rollout has room for, */
    uint32_t full;       /* and of how many it has decisions */
    LpWeights *agent;
    LpWeights *guide; /* looking ahead: what the agent is to improve upon; NULL: nothing */
    double best_reward;
    LpActor *actor, *judge;
    LpActorPlayed *played;
    uint32_t judges;
    LpRollout rollout;
    LpPpo *ppo;
    LpAdam adam;
    LpNetworkCheckpoint at; /* counters, moments and baseline */
    uint64_t first, kept;   /* decisions when this training began, and in the last checkpoint */
    char checkpoint[PATH_ROOM];
} Training;

/* ---- threads ---- */

typedef struct Shards {
    LpShardTask task;
    void *user;
} Shards;

static LpErr shard_task(void *user, size_t index, LpDiag *diag) {
    const Shards *s = user;
    (void)diag;
    s->task(s->user, (uint32_t)index);
    return LP_OK;
}

static LpErr run_shards(void *runner, uint32_t count, LpShardTask task, void *user, LpDiag *diag) {
    const Training *t = runner;
    Shards shards = {task, user};
    return lp_workers_run(t->threads, count, shard_task, &shards, NULL, NULL, NULL, diag);
}

static LpErr explore_task(void *user, size_t index, LpDiag *diag) {
    Training *t = user;
    uint32_t i = (uint32_t)index;
    t->played[i] = (LpActorPlayed){0};
    uint32_t first = (t->full % t->keep * t->envs + i) * t->each;
    return lp_actor_explore(&t->actor[i], &t->spec->ppo, t->spec->seed, i, first, t->each,
                            t->at.baseline, &t->rollout, &t->played[i], diag);
}

static LpErr evaluate_task(void *user, size_t index, LpDiag *diag) {
    Training *t = user;
    LpRng rng = lp_rng_stream(t->spec->seed, "evaluation", index);
    t->played[index] = (LpActorPlayed){0};
    return lp_actor_evaluate(&t->judge[index], lp_rng_u64(&rng), &t->played[index], diag);
}

static LpErr restart_task(void *user, size_t index, LpDiag *diag) {
    Training *t = user;
    return lp_actor_restart(&t->actor[index], t->spec->seed, (uint32_t)index, t->at.episodes, diag);
}

static LpErr on_all(Training *t, LpTask task, uint32_t count, LpDiag *diag) {
    return lp_workers_run(t->threads, count, task, t, NULL, NULL, NULL, diag);
}

static LpActorPlayed sum_of(const Training *t, uint32_t count) {
    LpActorPlayed sum = {0};
    for (uint32_t i = 0; i < count; i++) {
        sum.reward += t->played[i].reward;
        sum.decisions += t->played[i].decisions;
        sum.blocked += t->played[i].blocked;
        sum.simulated += t->played[i].simulated;
    }
    return sum;
}

/* ---- start ---- */

static LpErr load_checkpoint(Training *t, LpDiag *diag) {
    LpWeights *kept = NULL;
    LP_TRY(lp_weights_load(t->checkpoint, &kept, &t->at, diag));
    bool same = kept->encoding == t->agent->encoding && kept->degrees == t->agent->degrees &&
                kept->placings == t->agent->placings && kept->note.seed == t->spec->seed &&
                strcmp(kept->note.algorithm, t->agent->note.algorithm) == 0 &&
                lp_net_same(&kept->plan.shape, &t->agent->plan.shape);
    for (uint32_t i = 0; same && i < kept->placings; i++)
        same = strcmp(kept->placing[i], t->agent->placing[i]) == 0;
    if (same)
        memcpy(t->agent->params, kept->params, kept->plan.params * sizeof *kept->params);
    t->best_reward = kept->note.return_mean;
    t->agent->note.simulated = kept->note.simulated;
    lp_weights_free(kept);
    return same ? LP_OK
                : lp_fail(diag, LP_EINVAL,
                          "%s is of another network, seed or algorithm than this training asks for",
                          t->checkpoint);
}

static LpErr make_agent(Training *t, uint32_t degrees, const char *scenario, LpDiag *diag) {
    const LpTrainSpec *spec = t->spec;
    const char *placing[LP_PLACINGS_MAX];
    LpNetShape shape = lp_net_shape(0, 0);
    shape.hidden = (uint32_t)spec->ppo.hidden;
    shape.branch = (uint32_t)spec->ppo.branch;
    shape.silent_sources = spec->encoding == LP_ENCODING_PUBLISHED;
    for (uint32_t i = 0; i < spec->placings && i < LP_PLACINGS_MAX; i++)
        placing[i] = lp_place_rule_name(spec->placing[i]);
    LP_TRY(
        lp_weights_new(spec->encoding, degrees, placing, spec->placings, &shape, &t->agent, diag));
    LpNetNote *note = &t->agent->note;
    LP_TRY(lp_train_note(spec, note, diag));
    lp_str_copy(note->scenario, sizeof note->scenario, scenario);
    lp_net_init(&t->agent->plan, spec->seed, t->agent->params);
    /* Policies that answer one degree most of the time are optima of their own: which of them
     * training climbs depends on where it begins. Degrees half or twice as large come next, then
     * declining. */
    LpWeights *agent = t->agent;
    double *bias = agent->params + agent->plan.out[LP_HEAD_POLICY].bias, log_2 = lp_num_log(2);
    for (uint32_t a = 1; spec->ppo.start > 0 && a < agent->plan.shape.actions; a++)
        bias[a] += spec->ppo.lean *
                   (1.1 - fabs(lp_num_log(lp_action_degree(a, agent->placings) / spec->ppo.start)) /
                              log_2);
    return LP_OK;
}

/* The scenario, read once to know its largest degree. */
static LpErr read_scenario(Training *t, LpDiag *diag) {
    LpGymSpec gym = {.session = t->spec->session,
                     .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpGym *probe;
    LP_TRY(lp_gym_open(&gym, &probe, diag));
    const LpScenario *s = lp_session_scenario(lp_gym_session(probe));
    LpErr err = make_agent(t, lp_gym_actions(probe) - 1, s->name, diag);
    lp_gym_close(probe);
    return err;
}

/* What is counted in 32 bits, and kept in memory at once. */
static LpErr check_rollout(const Training *t, LpDiag *diag) {
    double decisions = (double)t->envs * t->each * t->keep;
    if (decisions <= ROLLOUT_MAX)
        return LP_OK;
    return lp_fail(diag, LP_ELIMIT,
                   "%u clusters, %u decisions of each%s are %.0f decisions at once; expected at "
                   "most %d: lower envs, rollout%s",
                   t->envs, t->each, t->keep > 1 ? " per update and the updates that are kept" : "",
                   decisions, ROLLOUT_MAX, t->keep > 1 ? " or keep" : "");
}

static LpErr begin(Training *t, LpDiag *diag) {
    const LpTrainSpec *spec = t->spec;
    LP_TRY(check_rollout(t, diag));
    LP_TRY(lp_weights_try(spec->out, diag)); /* rather now than after hours */
    LP_TRY(lp_weights_try(t->checkpoint, diag));
    LP_TRY(read_scenario(t, diag));
    size_t params = t->agent->plan.params;
    if (spec->resume)
        LP_TRY(load_checkpoint(t, diag));
    else if ((t->at.first = lp_alloc(params, sizeof(double))) == NULL ||
             (t->at.second = lp_alloc(params, sizeof(double))) == NULL)
        return lp_fail_memory(diag, "training");
    t->adam = (LpAdam){.rate = spec->ppo.rate,
                       .beta1 = 0.9,
                       .beta2 = 0.999,
                       .epsilon = 1e-8,
                       .params = params,
                       .first = t->at.first,
                       .second = t->at.second,
                       .power1 = lp_adam_power(0.9, t->at.adam_steps),
                       .power2 = lp_adam_power(0.999, t->at.adam_steps),
                       .steps = t->at.adam_steps};
    if (spec->algo == LP_ALGO_LOOKAHEAD && (t->guide = lp_weights_copy(t->agent)) == NULL)
        return lp_fail_memory(diag, "a network");
    if (t->guide != NULL)
        t->guide->note.steps = t->at.steps;
    t->actor = lp_alloc(t->envs, sizeof *t->actor);
    t->judge = lp_alloc(t->judges, sizeof *t->judge);
    t->played = lp_alloc(t->envs > t->judges ? t->envs : t->judges, sizeof *t->played);
    if (t->actor == NULL || t->judge == NULL || t->played == NULL)
        return lp_fail_memory(diag, "training");
    for (uint32_t i = 0; i < t->envs; i++)
        LP_TRY(lp_actor_open(&t->actor[i], t->spec, t->agent, t->guide, diag));
    for (uint32_t i = 0; i < t->judges; i++)
        LP_TRY(lp_actor_open(&t->judge[i], t->spec, t->agent, NULL, diag));
    lp_note_widen(&t->agent->note, t->actor[0].player);
    LP_TRY(lp_rollout_new(&t->agent->plan.shape, t->envs * t->each * t->keep,
                          spec->algo == LP_ALGO_LOOKAHEAD, &t->rollout, diag));
    uint32_t graphs;
    const LpNetGraph *graph = lp_player_graphs(t->actor[0].player, &graphs);
    LP_TRY(lp_ppo_new(&t->agent->plan, &spec->ppo, graph, graphs, run_shards, t, &t->ppo, diag));
    return on_all(t, restart_task, t->envs, diag);
}

/* ---- the loop ---- */

static void embed(LpActor *actor, uint32_t count) {
    lp_player_embed(actor[0].player);
    if (actor[0].guide != NULL)
        lp_player_embed(actor[0].guide);
    for (uint32_t i = 1; i < count; i++) {
        lp_player_share(actor[i].player, actor[0].player);
        if (actor[i].guide != NULL)
            lp_player_share(actor[i].guide, actor[0].guide);
    }
}

/* Share of training, or of the present step of policy iteration, that is still to come. */
static double left_of(const Training *t) {
    if (t->guide == NULL)
        return 1 - (double)t->at.steps / (double)t->spec->steps;
    return 1 - (double)(t->full - 1) / t->keep;
}

static LpErr update(Training *t, LpTrainReport *r, LpDiag *diag) {
    embed(t->actor, t->envs);
    LP_TRY(on_all(t, explore_task, t->envs, diag));
    t->full++;
    t->rollout.count = t->envs * t->each * (t->full < t->keep ? t->full : t->keep);
    LpActorPlayed played = sum_of(t, t->envs);
    r->reward = played.reward / (double)played.decisions;
    r->blocked = (double)played.blocked / (double)played.decisions;
    t->at.baseline += (t->at.updates == 0 ? 1 : BASELINE_SHARE) * (r->reward - t->at.baseline);
    LpRng rng = lp_rng_stream(t->spec->seed, "update", t->at.updates);
    double left = left_of(t);
    t->adam.rate = r->rate = t->spec->ppo.rate * left;
    lp_ppo_anneal(t->ppo, left);
    LP_TRY(lp_ppo_update(t->ppo, &t->rollout, &t->adam, &rng, t->agent->params, &r->learnt, diag));
    t->at.updates++;
    t->at.steps += played.decisions;
    t->agent->note.simulated += played.simulated;
    t->at.adam_steps = t->adam.steps;
    t->agent->note.steps = t->at.steps;
    return LP_OK;
}

static LpErr evaluate(Training *t, LpTrainReport *r, LpDiag *diag) {
    embed(t->judge, t->judges);
    LP_TRY(on_all(t, evaluate_task, t->judges, diag));
    LpActorPlayed played = sum_of(t, t->judges);
    t->agent->note.simulated += played.simulated;
    r->evaluated = true;
    r->eval_reward = played.reward / (double)played.decisions;
    r->eval_blocked = (double)played.blocked / (double)played.decisions;
    r->saved = !(r->eval_reward <= t->best_reward); /* NAN: none so far */
    t->at.waited = r->saved ? 0 : t->at.waited + 1;
    if (!r->saved)
        return LP_OK;
    t->best_reward = r->eval_reward;
    /* The network as it will be read again. */
    LpWeights *copy = lp_weights_copy(t->agent);
    if (copy == NULL)
        return lp_fail_memory(diag, "a network");
    lp_weights_round(copy);
    copy->note.return_mean = t->best_reward;
    LpErr err = lp_weights_save(t->spec->out, copy, NULL, diag);
    lp_weights_free(copy);
    return err;
}

/* All clusters begin new episodes after a checkpoint, whether training is broken off or not: so
 * what follows depends on the checkpoint alone. */
static LpErr save_checkpoint(Training *t, LpDiag *diag) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < t->envs; i++)
        most = t->actor[i].episodes > most ? t->actor[i].episodes : most;
    t->at.episodes = most;
    t->agent->note.return_mean = t->best_reward;
    LP_TRY(lp_weights_save(t->checkpoint, t->agent, &t->at, diag));
    return on_all(t, restart_task, t->envs, diag);
}

static bool every(const Training *t, double updates, bool last) {
    return last || t->at.updates % (uint64_t)updates == 0;
}

/* What is kept of training if it ends after this update. */
static void tell_kept(Training *t, bool checkpoint, LpTrainReport *r) {
    uint64_t every_so_many = (uint64_t)t->spec->ppo.checkpoint_every;
    bool turns = t->guide != NULL;
    if (checkpoint)
        t->kept = t->at.steps;
    r->first = t->first;
    r->kept = t->kept;
    r->keeps = turns ? t->at.updates + t->keep - t->full
                     : (t->at.updates / every_so_many + 1) * every_so_many;
}

static LpErr loop(Training *t, LpTrainProgress progress, void *user, LpTrainReport *last,
                  LpDiag *diag) {
    const LpPpoSettings *s = &t->spec->ppo;
    bool go_on = true;
    t->first = t->kept = t->at.steps;
    while (go_on && t->at.steps < t->spec->steps) {
        LpTrainReport r = {.total = t->spec->steps};
        LP_TRY(update(t, &r, diag));
        if (last != NULL)
            last->update = t->at.updates;
        bool done = t->at.steps >= t->spec->steps;
        if (every(t, s->eval_every, done))
            LP_TRY(evaluate(t, &r, diag));
        bool tired = s->patience > 0 && (double)t->at.waited >= s->patience;
        r.update = t->at.updates;
        r.steps = t->at.steps;
        for (uint32_t i = 0; i < t->envs; i++)
            r.episodes += t->actor[i].episodes;
        r.best_reward = t->best_reward;
        bool turns = t->guide != NULL;
        if (turns && (t->full == t->keep || done || tired)) {
            /* The network that was improved upon gives way to the better one. */
            memcpy(t->guide->params, t->agent->params,
                   t->agent->plan.params * sizeof *t->agent->params);
            t->guide->note.steps = t->at.steps;
            t->full = 0;
        }
        bool checkpoint = turns ? t->full == 0 : every(t, s->checkpoint_every, done || tired);
        tell_kept(t, checkpoint, &r);
        go_on = !tired && (progress == NULL || progress(user, &r));
        if (checkpoint)
            LP_TRY(save_checkpoint(t, diag));
        if (last != NULL)
            *last = r;
    }
    return LP_OK;
}

LpErr lp_train(const LpTrainSpec *spec, LpTrainProgress progress, void *user, LpTrainReport *last,
               LpDiag *diag) {
    Training t = {.spec = spec,
                  .threads = spec->threads > 0 ? spec->threads : lp_workers_processors(),
                  .envs = (uint32_t)spec->ppo.envs,
                  .each = (uint32_t)spec->ppo.rollout,
                  .keep = spec->algo == LP_ALGO_LOOKAHEAD ? (uint32_t)spec->ppo.keep : 1,
                  .judges = (uint32_t)spec->ppo.eval_episodes,
                  .best_reward = (double)NAN};
    int len = snprintf(t.checkpoint, sizeof t.checkpoint, "%s.checkpoint", spec->out);
    if (len < 0 || (size_t)len >= sizeof t.checkpoint)
        return lp_fail(diag, LP_ELIMIT, "%s: the path is too long", spec->out);
    bool queues = spec->encoding == LP_ENCODING_QUEUE;
    if (queues != (spec->algo == LP_ALGO_EVOLVE))
        return lp_fail(diag, LP_EINVAL,
                       "the encoding queue and the algorithm evolve go together: networks that let "
                       "jobs wait are trained by it, others are not");
    if (queues)
        return lp_train_evolve(spec, progress, user, last, diag);
    LpErr err = begin(&t, diag);
    if (err == LP_OK)
        err = loop(&t, progress, user, last, diag);
    for (uint32_t i = 0; t.actor != NULL && i < t.envs; i++)
        lp_actor_close(&t.actor[i]);
    for (uint32_t i = 0; t.judge != NULL && i < t.judges; i++)
        lp_actor_close(&t.judge[i]);
    lp_free(t.actor);
    lp_free(t.judge);
    lp_free(t.played);
    lp_rollout_fini(&t.rollout);
    lp_ppo_free(t.ppo);
    lp_weights_free(t.guide);
    lp_weights_free(t.agent);
    lp_free(t.at.first);
    lp_free(t.at.second);
    return err;
}
