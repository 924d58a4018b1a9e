/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evolution of a network that lets jobs wait: its parameters are moved at random, whole runs say
 * which moves were good, and the mean of these is followed (evolution strategies: Salimans et al.,
 * arXiv 1703.03864, with pairs of opposite moves and ranks). No gradient, no value to estimate, and
 * what counts is what is wanted: jobs lost, by true deadlines, over all scenarios at once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "host/workers.h"
#include "learn/queue.h"
#include "many/train/gym.h"
#include "many/train/train_impl.h"
#include "session/player/schedule.h"
#include "session/player/setting.h"

enum { PATH_ROOM = 4096 };
#define FLOOR 0.005 /* added to the loss that others are compared with: it may be none */

/* What one thread plays with: a cluster per scenario, and the network that is tried. */
typedef struct Lane {
    LpWeights *agent;
    LpGym *gym[LP_TRAIN_SCENARIOS];
    LpPlayer *player[LP_TRAIN_SCENARIOS];
} Lane;

/* A network that is tried: how it differs, and how it did. */
typedef struct Trial {
    double *move; /* of the parameters; NULL: none */
    double sign;
    double lost[LP_TRAIN_SCENARIOS]; /* share of the jobs */
    uint64_t decisions;
    double loss; /* by `at_start`, averaged over scenarios */
} Trial;

typedef struct Evolution {
    const LpTrainSpec *spec;
    uint32_t scenarios, lanes, pairs, episodes;
    bool chosen[LP_TRAIN_SCENARIOS]; /* scenarios of this round */
    Lane *lane;
    LpWeights *agent;
    Trial *trial;                        /* 2 pairs; the judges use the first */
    double *noise;                       /* pairs x params */
    double *gradient;                    /* params */
    double at_start[LP_TRAIN_SCENARIOS]; /* share of jobs that the first rule loses, or the network
                                            that training begins from where that loses fewer */
    const char *seeds;                   /* stream that runs draw their seeds from */
    uint64_t round;                      /* place in the stream of seeds */
    LpAdam adam;
    LpNetworkCheckpoint at;
    double best;
    uint64_t first, kept;
    char checkpoint[PATH_ROOM];
} Evolution;

/* ---- playing ---- */

static LpErr play(Evolution *e, Lane *lane, Trial *trial, LpDiag *diag) {
    const double *from = e->agent->params;
    for (size_t i = 0; i < e->agent->plan.params; i++)
        lane->agent->params[i] = from[i] + (trial->move != NULL ? trial->sign * trial->move[i] : 0);
    trial->decisions = 0;
    for (uint32_t s = 0; s < e->scenarios; s++) {
        if (!e->chosen[s])
            continue;
        uint64_t lost = 0, arrived = 0;
        for (uint32_t k = 0; k < e->episodes; k++) {
            LpScheduled played;
            LpRng rng = lp_rng_stream(e->spec->seed, e->seeds, e->round * 1000 + k);
            LP_TRY(lp_player_run(lane->player[s], lp_session_context(lp_gym_session(lane->gym[s])),
                                 lp_rng_u64(&rng), &played, diag));
            lost += played.lost;
            arrived += played.arrived;
            trial->decisions += played.decisions;
        }
        trial->lost[s] = arrived > 0 ? (double)lost / (double)arrived : 0;
    }
    return LP_OK;
}

typedef struct Work {
    Evolution *e;
    uint32_t trials;
} Work;

static LpErr play_lane(void *user, size_t index, LpDiag *diag) {
    Work *w = user;
    for (size_t t = index; t < w->trials; t += w->e->lanes)
        LP_TRY(play(w->e, &w->e->lane[index], &w->e->trial[t], diag));
    return LP_OK;
}

static double mean_loss(const Evolution *e, const Trial *trial) {
    double sum = 0, count = 0;
    for (uint32_t s = 0; s < e->scenarios; s++)
        if (e->chosen[s]) {
            sum += (trial->lost[s] + FLOOR) / (e->at_start[s] + FLOOR);
            count++;
        }
    return sum / count;
}

static double mean_lost(const Evolution *e, const Trial *trial) {
    double sum = 0, count = 0;
    for (uint32_t s = 0; s < e->scenarios; s++)
        if (e->chosen[s]) {
            sum += trial->lost[s];
            count++;
        }
    return sum / count;
}

static LpErr play_all(Evolution *e, const char *seeds, uint64_t round, uint32_t trials,
                      uint32_t episodes, LpDiag *diag) {
    Work work = {e, trials};
    e->seeds = seeds;
    e->round = round;
    e->episodes = episodes;
    LP_TRY(lp_workers_run(e->lanes, e->lanes, play_lane, &work, NULL, NULL, NULL, diag));
    for (uint32_t t = 0; t < trials; t++)
        e->trial[t].loss = mean_loss(e, &e->trial[t]);
    return LP_OK;
}

/* ---- learning ---- */

/* Place of a trial among all, from -0.5, the worst, to 0.5; equals share theirs. */
static double place_of(const Evolution *e, const Trial *trial) {
    uint32_t all = 2 * e->pairs;
    double worse = 0;
    for (uint32_t t = 0; t < all; t++) {
        double other = e->trial[t].loss;
        worse += other > trial->loss ? 1 : other < trial->loss ? 0 : 0.5;
    }
    return (worse - 0.5) / (all - 1) - 0.5;
}

static void follow(Evolution *e, double left) {
    size_t params = e->agent->plan.params;
    double sigma = e->spec->ppo.sigma;
    memset(e->gradient, 0, params * sizeof *e->gradient);
    for (uint32_t p = 0; p < e->pairs; p++) {
        double better = place_of(e, &e->trial[2 * p]) - place_of(e, &e->trial[2 * p + 1]);
        for (size_t i = 0; i < params; i++)
            e->gradient[i] -= better * e->noise[(size_t)p * params + i] / (e->pairs * sigma);
    }
    e->adam.rate = e->spec->ppo.rate * left;
    (void)lp_adam_step(&e->adam, 0, e->gradient, e->agent->params);
}

/* All scenarios, or `mix` of them, which change from update to update. */
static void choose_scenarios(Evolution *e, uint32_t mix) {
    LpRng rng = lp_rng_stream(e->spec->seed, "scenarios", e->at.updates);
    uint32_t left = mix == 0 || mix > e->scenarios ? e->scenarios : mix;
    for (uint32_t s = 0; s < e->scenarios; s++) {
        e->chosen[s] = lp_rng_unit(&rng) * (e->scenarios - s) < left;
        left -= e->chosen[s];
    }
}

static LpErr update(Evolution *e, LpTrainReport *r, LpDiag *diag) {
    size_t params = e->agent->plan.params;
    LpRng rng = lp_rng_stream(e->spec->seed, "moves", e->at.updates);
    for (uint32_t p = 0; p < e->pairs; p++) {
        double *move = e->noise + (size_t)p * params;
        for (size_t i = 0; i < params; i++)
            move[i] = e->spec->ppo.sigma * lp_rng_normal(&rng);
        e->trial[2 * p] = (Trial){.move = move, .sign = 1};
        e->trial[2 * p + 1] = (Trial){.move = move, .sign = -1};
    }
    choose_scenarios(e, (uint32_t)e->spec->ppo.mix);
    LP_TRY(play_all(e, "runs", e->at.updates, 2 * e->pairs, 1, diag));
    for (uint32_t t = 0; t < 2 * e->pairs; t++) {
        r->reward -= e->trial[t].loss / (2 * e->pairs);
        r->blocked += mean_lost(e, &e->trial[t]) / (2 * e->pairs);
        e->at.steps += e->trial[t].decisions;
    }
    double left = 1 - (double)e->at.steps / (double)e->spec->steps;
    follow(e, left > 0.1 ? left : 0.1);
    r->rate = e->adam.rate;
    e->at.updates++;
    e->at.adam_steps = e->adam.steps;
    return LP_OK;
}

/* All decisions that were simulated are learnt from. */
static void note_progress(Evolution *e) {
    e->agent->note.steps = e->agent->note.simulated = e->at.steps;
    e->agent->note.return_mean = e->best;
}

/* OUT is the present network. */
static LpErr save_best(Evolution *e, LpDiag *diag) {
    note_progress(e);
    LpWeights *copy = lp_weights_copy(e->agent);
    if (copy == NULL)
        return lp_fail_memory(diag, "a network");
    lp_weights_round(copy);
    LpErr err = lp_weights_save(e->spec->out, copy, NULL, diag);
    lp_weights_free(copy);
    return err;
}

static LpErr evaluate(Evolution *e, LpTrainReport *r, LpDiag *diag) {
    e->trial[0] = (Trial){0};
    choose_scenarios(e, 0);
    LP_TRY(play_all(e, "evaluation", 0, 1, (uint32_t)e->spec->ppo.eval_episodes, diag));
    e->at.steps += e->trial[0].decisions;
    r->evaluated = true;
    r->eval_reward = -e->trial[0].loss;
    r->eval_blocked = mean_lost(e, &e->trial[0]);
    r->saved = !(r->eval_reward <= e->best);
    e->at.waited = r->saved ? 0 : e->at.waited + 1;
    if (!r->saved)
        return LP_OK;
    e->best = r->eval_reward;
    return save_best(e, diag);
}

/* ---- start ---- */

/* Everybody begins as a rule: the least work first and with the degree that has the least work, of
 * nearly equals the largest, if it is free; who has more than a tenth less goes before one that
 * runs. The other parameters are small, so that all of them can be moved. */
static void begin_as_rule(LpWeights *agent, uint64_t seed) {
    const LpNetPlan *plan = &agent->plan;
    double *w = agent->params;
    lp_net_init(plan, seed, w);
    const LpNetLayer *value = &plan->hidden[LP_HEAD_VALUE], *policy = &plan->hidden[LP_HEAD_POLICY];
    uint32_t common = lp_net_common(&plan->shape);
    for (uint32_t i = 0; i < value->in; i++)
        w[value->weight + i] = 0;
    for (uint32_t i = 0; i < policy->in; i++)
        w[policy->weight + i] = 0;
    w[value->weight] = 1; /* the value of a state: less "work" */
    w[value->bias] = 1;
    w[value->weight + LP_QUEUE_RUNS] = -0.02; /* whoever runs has a little less work */
    w[plan->out[LP_HEAD_VALUE].weight] = -8;
    w[policy->bias] = 0.2;
    w[policy->weight + common + 3] = 1; /* "more work" of an action; waiting is a third more */
    w[policy->weight + common + 1] = 0.05;
    w[policy->weight + common + 2] = 1;     /* declining is very much more */
    w[policy->weight + common + 8] = -0.03; /* twice the "ways" makes up for a fortieth */
    w[plan->out[LP_HEAD_POLICY].weight] = -8;
}

static LpErr make_agent(Evolution *e, LpDiag *diag) {
    const LpTrainSpec *spec = e->spec;
    const char *placing[LP_PLACINGS_MAX];
    LpNetShape shape = lp_net_shape(0, 0);
    shape.hidden = (uint32_t)spec->ppo.hidden;
    for (uint32_t i = 0; i < spec->placings && i < LP_PLACINGS_MAX; i++)
        placing[i] = lp_place_rule_name(spec->placing[i]);
    LP_TRY(lp_weights_new(LP_ENCODING_QUEUE, lp_queue_degree(LP_QUEUE_LADDER - 1), placing,
                          spec->placings, &shape, &e->agent, diag));
    LP_TRY(lp_train_note(spec, &e->agent->note, diag));
    begin_as_rule(e->agent, spec->seed);
    return LP_OK;
}

/* The network of `from` in place of the rule, in every lane. */
static LpErr begin_as_network(Evolution *e, LpDiag *diag) {
    LpWeights *from = NULL;
    LpWeights *agent = e->agent;
    LP_TRY(lp_weights_load(e->spec->from, &from, NULL, diag));
    bool same = from->encoding == LP_ENCODING_QUEUE && from->placings == agent->placings &&
                lp_net_same(&from->plan.shape, &agent->plan.shape);
    for (uint32_t i = 0; same && i < agent->placings; i++)
        same = strcmp(from->placing[i], agent->placing[i]) == 0;
    if (same)
        memcpy(agent->params, from->params, agent->plan.params * sizeof *agent->params);
    lp_weights_free(from);
    return same ? LP_OK
                : lp_fail(diag, LP_EINVAL,
                          "%s is of another encoding, size or choice of placements than this "
                          "training asks for",
                          e->spec->from);
}

static LpErr open_lane(Evolution *e, Lane *lane, LpDiag *diag) {
    if ((lane->agent = lp_weights_copy(e->agent)) == NULL)
        return lp_fail_memory(diag, "a network");
    for (uint32_t s = 0; s < e->scenarios; s++) {
        LpGymSpec gym = {.session = e->spec->session,
                         .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
        if (s > 0)
            gym.session.scenario = e->spec->also[s - 1];
        LP_TRY(lp_gym_open(&gym, &lane->gym[s], diag));
        const LpContext *context = lp_session_context(lp_gym_session(lane->gym[s]));
        LP_TRY(lp_player_new(lane->agent, context, &lane->player[s], diag));
    }
    return LP_OK;
}

static LpErr resume(Evolution *e, LpDiag *diag) {
    LpWeights *kept = NULL;
    LP_TRY(lp_weights_load(e->checkpoint, &kept, &e->at, diag));
    bool same = kept->encoding == LP_ENCODING_QUEUE && kept->note.seed == e->spec->seed &&
                lp_net_same(&kept->plan.shape, &e->agent->plan.shape);
    if (same)
        memcpy(e->agent->params, kept->params, kept->plan.params * sizeof *kept->params);
    e->best = kept->note.return_mean;
    lp_weights_free(kept);
    return same ? LP_OK
                : lp_fail(diag, LP_EINVAL,
                          "%s is of another network, seed or algorithm than this training asks for",
                          e->checkpoint);
}

/* How many the present network loses of each scenario. */
static LpErr measure(Evolution *e, LpDiag *diag) {
    e->trial[0] = (Trial){0};
    choose_scenarios(e, 0);
    LP_TRY(play_all(e, "evaluation", 0, 1, (uint32_t)e->spec->ppo.eval_episodes, diag));
    e->at.steps += e->trial[0].decisions;
    return LP_OK;
}

/* What others are compared with; the same when training goes on. */
static LpErr measure_start(Evolution *e, LpDiag *diag) {
    LP_TRY(measure(e, diag));
    memcpy(e->at_start, e->trial[0].lost, sizeof e->at_start);
    if (e->spec->from == NULL)
        return LP_OK;
    LP_TRY(begin_as_network(e, diag));
    LP_TRY(measure(e, diag));
    for (uint32_t s = 0; s < e->scenarios; s++)
        e->at_start[s] = fmin(e->at_start[s], e->trial[0].lost[s]);
    e->best = -mean_loss(e, &e->trial[0]);
    return e->spec->resume ? LP_OK : save_best(e, diag);
}

static LpErr begin(Evolution *e, LpDiag *diag) {
    LP_TRY(lp_weights_try(e->spec->out, diag));
    LP_TRY(lp_weights_try(e->checkpoint, diag));
    LP_TRY(make_agent(e, diag));
    size_t params = e->agent->plan.params;
    e->trial = lp_alloc(2 * e->pairs, sizeof *e->trial);
    e->noise = lp_alloc(e->pairs * params, sizeof *e->noise);
    e->gradient = lp_alloc(params, sizeof *e->gradient);
    e->lane = lp_alloc(e->lanes, sizeof *e->lane);
    e->at.first = lp_alloc(params, sizeof *e->at.first);
    e->at.second = lp_alloc(params, sizeof *e->at.second);
    LP_TRY(e->trial && e->noise && e->gradient && e->lane && e->at.first && e->at.second
               ? LP_OK
               : lp_fail_memory(diag, "training"));
    for (uint32_t l = 0; l < e->lanes; l++)
        LP_TRY(open_lane(e, &e->lane[l], diag));
    LpNetNote *note = &e->agent->note;
    const LpScenario *first = lp_session_scenario(lp_gym_session(e->lane[0].gym[0]));
    lp_str_copy(note->scenario, sizeof note->scenario, first->name);
    for (uint32_t s = 0; s < e->scenarios; s++)
        lp_note_widen(note, e->lane[0].player[s]);
    LP_TRY(measure_start(e, diag));
    if (e->spec->resume) {
        lp_free(e->at.first);
        lp_free(e->at.second);
        LP_TRY(resume(e, diag));
    }
    e->adam = (LpAdam){.beta1 = 0.9,
                       .beta2 = 0.999,
                       .epsilon = 1e-8,
                       .params = e->agent->plan.params,
                       .first = e->at.first,
                       .second = e->at.second,
                       .power1 = lp_adam_power(0.9, e->at.adam_steps),
                       .power2 = lp_adam_power(0.999, e->at.adam_steps),
                       .steps = e->at.adam_steps};
    return LP_OK;
}

/* ---- the loop ---- */

static LpErr loop(Evolution *e, LpTrainProgress progress, void *user, LpTrainReport *last,
                  LpDiag *diag) {
    const LpPpoSettings *s = &e->spec->ppo;
    bool go_on = true;
    e->first = e->kept = e->at.steps;
    /* what it costs to measure the first network may be more than was asked for: it learns all the
     * same */
    while (go_on && (e->at.updates == 0 || e->at.steps < e->spec->steps)) {
        LpTrainReport r = {.total = e->spec->steps};
        LP_TRY(update(e, &r, diag));
        bool done = e->at.steps >= e->spec->steps;
        if (done || e->at.updates % (uint64_t)s->eval_every == 0)
            LP_TRY(evaluate(e, &r, diag));
        bool tired = s->patience > 0 && (double)e->at.waited >= s->patience;
        bool keep = done || tired || e->at.updates % (uint64_t)s->checkpoint_every == 0;
        if (keep) {
            note_progress(e);
            LP_TRY(lp_weights_save(e->checkpoint, e->agent, &e->at, diag));
            e->kept = e->at.steps;
        }
        r.update = e->at.updates;
        r.steps = e->at.steps;
        r.episodes = e->at.updates * 2 * e->pairs * e->scenarios;
        r.best_reward = e->best;
        r.first = e->first;
        r.kept = e->kept;
        r.keeps =
            (e->at.updates / (uint64_t)s->checkpoint_every + 1) * (uint64_t)s->checkpoint_every;
        go_on = !tired && (progress == NULL || progress(user, &r));
        if (last != NULL)
            *last = r;
    }
    return LP_OK;
}

LpErr lp_train_evolve(const LpTrainSpec *spec, LpTrainProgress progress, void *user,
                      LpTrainReport *last, LpDiag *diag) {
    Evolution e = {.spec = spec,
                   .scenarios = 1 + spec->alsos,
                   .lanes = spec->threads > 0 ? spec->threads : lp_workers_processors(),
                   .pairs = (uint32_t)spec->ppo.pairs,
                   .best = (double)NAN};
    int len = snprintf(e.checkpoint, sizeof e.checkpoint, "%s.checkpoint", spec->out);
    if (len < 0 || (size_t)len >= sizeof e.checkpoint)
        return lp_fail(diag, LP_ELIMIT, "%s: the path is too long", spec->out);
    LpErr err = begin(&e, diag);
    if (err == LP_OK)
        err = loop(&e, progress, user, last, diag);
    for (uint32_t l = 0; e.lane != NULL && l < e.lanes; l++) {
        for (uint32_t s = 0; s < e.scenarios; s++) {
            lp_player_free(e.lane[l].player[s]);
            lp_gym_close(e.lane[l].gym[s]);
        }
        lp_weights_free(e.lane[l].agent);
    }
    lp_free(e.lane);
    lp_free(e.trial);
    lp_free(e.noise);
    lp_free(e.gradient);
    lp_free(e.at.first);
    lp_free(e.at.second);
    lp_weights_free(e.agent);
    return err;
}
