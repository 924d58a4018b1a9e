/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training: a short one makes a network that decides far better than at first, the same again gives
 * the same bytes, and one that was broken off goes on to the same end. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../tiny.h"
#include "base/num.h"
#include "group.h"
#include "many/train/train.h"
#include "many/train/train_impl.h"
#include "sim/world.h"

/* Eight servers; splitting two ways is just enough for most jobs and leaves room for others. */
static const char SCENARIO[] =
    "{\"lightpath\": 1, \"name\": \"small\", \"semantics\": \"published\",\n"
    " \"cluster\": {\"fabric\": \"ramp\", \"ramp\": {\"communication_groups\": 2,\n"
    "   \"racks_per_group\": 2, \"servers_per_rack\": 2}},\n"
    " \"graphs\": [{\"id\": \"a\", \"zoo\": \"alexnet\"}, {\"id\": \"v\", \"zoo\": \"vgg16\"}],\n"
    " \"generator\": {\"count\": 100, \"replication\": 50, \"sampling\": \"remove_and_repeat\",\n"
    "   \"load\": 0.8, \"interarrival\": \"fixed\", \"steps\": 50,\n"
    "   \"max_jct_fraction\": {\"uniform\": {\"min\": 0.5, \"max\": 1, \"decimals\": 2}}},\n"
    " \"partition\": {\"max_degree\": 8, \"min_op_time\": \"10 us\"}}\n";

typedef struct Folder {
    char path[64], scenario[96], out[96], checkpoint[112];
} Folder;

static void make_folder(Folder *f) {
    strcpy(f->path, "/tmp/lightpath-train-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    snprintf(f->scenario, sizeof f->scenario, "%s/s.json", f->path);
    snprintf(f->out, sizeof f->out, "%s/w.json", f->path);
    snprintf(f->checkpoint, sizeof f->checkpoint, "%s.checkpoint", f->out);
    tiny_write(f->path, "s.json", SCENARIO);
}

static void drop_folder(const Folder *f) {
    unlink(f->scenario);
    unlink(f->out);
    unlink(f->checkpoint);
    rmdir(f->path);
}

static LpTrainSpec spec_of(const Folder *f) {
    LpTrainSpec spec = {.session = {.scenario = f->scenario},
                        .ppo = lp_ppo_defaults(),
                        .encoding = LP_ENCODING_CORRECTED,
                        .placings = 2,
                        .placing = {LP_PLACE_ENGINE, LP_PLACE_FIRST_FIT},
                        .seed = 3,
                        .steps = 8 * 256,
                        .threads = 2,
                        .out = f->out};
    spec.ppo.envs = 4;
    spec.ppo.rollout = 64;
    spec.ppo.minibatch = 64;
    spec.ppo.hidden = 16;
    spec.ppo.rate = 2e-3;
    spec.ppo.eval_every = 4;
    spec.ppo.eval_episodes = 2;
    spec.ppo.checkpoint_every = 4;
    return spec;
}

/* The same by looking ahead, not far. */
static LpTrainSpec spec_by(const Folder *f, LpTrainAlgo algo) {
    static const char *const names[] = {"ppo", "lookahead"};
    LpTrainSpec spec = spec_of(f), own = spec;
    assert_int_equal(lp_train_set_algo(&own, names[algo], NULL), LP_OK);
    spec.algo = algo;
    spec.ppo.epochs = own.ppo.epochs;
    spec.ppo.futures = 1;
    spec.ppo.horizon = 6;
    spec.ppo.keep = 4;
    spec.ppo.skip = algo == LP_ALGO_LOOKAHEAD ? 40 : 0;
    return spec;
}

/* Steps of an update. LP_RUNS=all (make nightly): as long as where it is asked whether it has
 * learnt. */
static uint32_t short_update(void) {
    const char *runs = getenv("LP_RUNS");
    return runs != NULL && strcmp(runs, "all") == 0 ? 256 : 128;
}

/* Where it is asked what comes out, not whether it has learnt. */
static LpTrainSpec short_spec_by(const Folder *f, LpTrainAlgo algo) {
    LpTrainSpec spec = spec_by(f, algo);
    spec.ppo.rollout = short_update() / 4;
    spec.steps = 8 * short_update();
    return spec;
}

static void train(const LpTrainSpec *spec, LpTrainProgress progress, void *user) {
    LpDiag diag = {0};
    char said[LP_DIAG_TEXT + LP_DIAG_FILE];
    if (lp_train(spec, progress, user, NULL, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, said, sizeof said));
}

static char *read_all(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 4 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (4 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

typedef struct Curve {
    uint32_t updates, stop_after;
} Curve;

static bool note(void *user, const LpTrainReport *r) {
    Curve *c = user;
    c->updates++;
    assert_true(r->steps == (uint64_t)r->update * short_update());
    return c->stop_after == 0 || c->updates < c->stop_after;
}

/* ---- does it learn? ---- */

/* Enough to see it at once, few enough to do it for every seed. */
enum { SEEDS = 5, UPDATES = 8, AT_FIRST = 2, AT_LAST = 4 };

typedef struct Learning {
    double reward[UPDATES], best;
    uint32_t updates;
} Learning;

static bool keep(void *user, const LpTrainReport *r) {
    Learning *l = user;
    assert_true(l->updates < UPDATES);
    l->reward[l->updates++] = r->reward;
    l->best = r->best_reward;
    return true;
}

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* The mean in standard errors of it: how far it is from nothing. */
static double errors_above_zero(const double *values, size_t count) {
    double mean = mean_of(values, count), squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return mean / sqrt(squares / (double)(count - 1) / (double)count);
}

static void learn(LpTrainAlgo algo, uint64_t seed, double rate, double *first, double *last) {
    Folder f;
    Learning curve = {.updates = 0};
    LpWeights *agent;
    make_folder(&f);
    LpTrainSpec spec = spec_by(&f, algo);
    spec.seed = seed;
    spec.steps = UPDATES * 256;
    spec.ppo.skip = 0; /* else the first rewards are of clusters as a network that knows nothing
                          fills them by its best answers, the last as it does by drawn ones */
    spec.ppo.rate = rate;
    train(&spec, keep, &curve);
    assert_int_equal(curve.updates, UPDATES);
    *first = mean_of(curve.reward, AT_FIRST);
    *last = mean_of(&curve.reward[UPDATES - AT_LAST], AT_LAST);
    assert_int_equal(lp_weights_load(f.out, &agent, NULL, NULL), LP_OK);
    assert_true(agent->note.return_mean == curve.best);
    assert_int_equal(agent->placings, 2);
    lp_weights_free(agent);
    drop_folder(&f);
}

/* For several seeds, beside the same trainings at a rate at which nothing is learnt: what one
 * seed, or the clusters filling up, does to the reward is in both. With five seeds a mean of four
 * standard errors comes about by chance once in 120 times (Student's t); it is some ten to thirty.
 */
static void expect_a_rise(LpTrainAlgo algo, double errors) {
    double rise[SEEDS], idle[SEEDS], ahead[SEEDS];
    for (uint64_t i = 0; i < (test_few() ? 1 : SEEDS); i++) {
        double first, last, idle_first, idle_last;
        learn(algo, 100 + i, 2e-3, &first, &last);
        learn(algo, 100 + i, 1e-8, &idle_first, &idle_last);
        rise[i] = last - first;
        idle[i] = idle_last - idle_first;
        ahead[i] = last - idle_last;
    }
    if (test_few()) /* under sanitizers: one seed runs, of which no rise is expected */
        return;
    if (!(errors_above_zero(rise, SEEDS) > errors && errors_above_zero(ahead, SEEDS) > errors))
        fail_msg("it rises by %g (%.1f standard errors), to %g (%.1f) above not learning",
                 mean_of(rise, SEEDS), errors_above_zero(rise, SEEDS), mean_of(ahead, SEEDS),
                 errors_above_zero(ahead, SEEDS));
    if (!(mean_of(idle, SEEDS) < mean_of(rise, SEEDS) / 2))
        fail_msg("it rises by %g without learning, by %g with", mean_of(idle, SEEDS),
                 mean_of(rise, SEEDS));
}

static void the_reward_rises(void **state) {
    (void)state;
    expect_a_rise(LP_ALGO_PPO, 4);
}

static void the_reward_rises_by_looking_ahead(void **state) {
    (void)state;
    expect_a_rise(LP_ALGO_LOOKAHEAD, 3);
}

/* ---- the same again ---- */

static void expect_same_bytes(LpTrainAlgo algo) {
    Folder f;
    char *text[2];
    make_folder(&f);
    LpTrainSpec spec = short_spec_by(&f, algo);
    for (int i = 0; i < 2; i++) {
        spec.threads = i == 0 ? 1 : 3;
        train(&spec, NULL, NULL);
        text[i] = read_all(f.checkpoint);
    }
    assert_string_equal(text[0], text[1]);
    spec.seed = 4;
    train(&spec, NULL, NULL);
    free(text[1]);
    text[1] = read_all(f.checkpoint);
    assert_string_not_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
    drop_folder(&f);
}

static void expect_to_go_on(LpTrainAlgo algo) {
    Folder f;
    make_folder(&f);
    LpTrainSpec spec = short_spec_by(&f, algo);
    train(&spec, NULL, NULL);
    char *whole = read_all(f.checkpoint), *best = read_all(f.out);
    Curve curve = {.stop_after = 6}; /* two updates after the checkpoint, which are lost */
    train(&spec, note, &curve);
    spec.resume = true;
    curve = (Curve){0};
    train(&spec, note, &curve);
    assert_int_equal(curve.updates, 4);
    char *gone_on = read_all(f.checkpoint), *best_then = read_all(f.out);
    assert_string_equal(whole, gone_on);
    assert_string_equal(best, best_then);
    /* a checkpoint of another algorithm or seed is refused, and so is none */
    LpDiag diag = {0};
    spec.algo = algo == LP_ALGO_PPO ? LP_ALGO_LOOKAHEAD : LP_ALGO_PPO;
    assert_int_equal(lp_train(&spec, NULL, NULL, NULL, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "another network, seed or algorithm"));
    spec.algo = algo;
    spec.seed++;
    assert_int_equal(lp_train(&spec, NULL, NULL, NULL, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "another network, seed or algorithm"));
    unlink(f.checkpoint);
    assert_int_equal(lp_train(&spec, NULL, NULL, NULL, &diag), LP_EIO);
    free(whole);
    free(best);
    free(gone_on);
    free(best_then);
    drop_folder(&f);
}

static void the_same_seed_gives_the_same_bytes_with_any_threads(void **state) {
    (void)state;
    expect_same_bytes(LP_ALGO_PPO);
    expect_same_bytes(LP_ALGO_LOOKAHEAD);
}

static void what_was_broken_off_goes_on_to_the_same_end(void **state) {
    (void)state;
    expect_to_go_on(LP_ALGO_PPO);
    expect_to_go_on(LP_ALGO_LOOKAHEAD);
}

/* Logits, less their mean, come to scores less theirs; closed actions are left alone. */
static void scores_are_learnt(void **state) {
    (void)state;
    enum { FEATURES = 6, ACTIONS = 4, COUNT = 64 };
    static const double score[ACTIONS] = {1, 5, 99, -3}; /* the third is closed */
    const double node[LP_NET_NODE] = {0};
    const LpNetGraph graph = {.nodes = 1, .node = node};
    LpNetShape shape = lp_net_shape(FEATURES, ACTIONS);
    LpPpoSettings s = lp_ppo_defaults();
    LpNetPlan plan;
    LpRollout r;
    LpPpo *ppo;
    LpPpoStats stats;
    LpRng rng = lp_rng_stream(1, "test", 0);
    s.minibatch = COUNT;
    s.epochs = 100;
    shape.hidden = 8;
    lp_net_plan(&shape, &plan);
    double *params = calloc(plan.params, sizeof *params);
    double *moments = calloc(2 * plan.params, sizeof *moments);
    assert_true(params != NULL && moments != NULL);
    LpAdam adam = {.rate = 0.02,
                   .beta1 = 0.9,
                   .beta2 = 0.999,
                   .epsilon = 1e-8,
                   .params = plan.params,
                   .first = moments,
                   .second = moments + plan.params,
                   .power1 = 1,
                   .power2 = 1};
    lp_net_init(&plan, 1, params);
    assert_int_equal(lp_rollout_new(&shape, COUNT, true, &r, NULL), LP_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        double *features = r.features + (size_t)i * FEATURES;
        features[0] = i % 2;
        for (uint32_t a = 0; a < ACTIONS; a++) {
            features[2 + a] = a == 2 ? 0 : 1;
            r.score[i * ACTIONS + a] = score[a] * (i % 2 == 0 ? 1 : -1);
        }
    }
    assert_int_equal(lp_ppo_new(&plan, &s, &graph, 1, NULL, NULL, &ppo, NULL), LP_OK);
    for (int i = 0; i < 6; i++)
        assert_int_equal(lp_ppo_update(ppo, &r, &adam, &rng, params, &stats, NULL), LP_OK);
    assert_true(stats.policy_loss < 0.05); /* of 32 to begin with */
    assert_true(stats.kl == 0 && stats.clipped == 0 && stats.entropy > 0);
    lp_ppo_free(ppo);
    lp_rollout_fini(&r);
    free(params);
    free(moments);
}

static void settings_are_checked(void **state) {
    (void)state;
    LpPpoSettings s = lp_ppo_defaults();
    LpDiag diag;
    assert_int_equal(lp_ppo_set(&s, "ppo", "gamma=0.999", &diag), LP_OK);
    assert_true(s.gamma == 0.999);
    assert_int_equal(lp_ppo_set(&s, "ppo", "gama=0.9", &diag), LP_EINVAL);
    assert_string_equal(diag.text, "training has no parameter 'gama' (did you mean 'gamma'?)");
    assert_int_equal(lp_ppo_set(&s, "ppo", "gamma=2", &diag), LP_ERANGE);
    assert_string_equal(diag.text, "gamma is 2; expected 0 to 1");
    assert_int_equal(lp_ppo_set(&s, "ppo", "gamma", &diag), LP_EINVAL);
    assert_int_equal(lp_ppo_set(&s, "ppo", "gamma=x", &diag), LP_EPARSE);
    assert_true(s.gamma == 0.999);
    LpTrainSpec spec = lp_train_defaults();
    assert_int_equal(lp_train_set_algo(&spec, "dqn", &diag), LP_EINVAL);
    assert_string_equal(diag.text,
                        "there is no algorithm 'dqn'; expected ppo, lookahead or evolve");
    assert_int_equal(spec.algo, LP_ALGO_PPO);
    assert_int_equal(lp_train_set_algo(&spec, "lookahead", &diag), LP_OK);
    assert_int_equal(spec.algo, LP_ALGO_LOOKAHEAD);
}

/* 4096 x 65536 x 16 are 2^32 decisions, which 32 bits would count as none. */
static void too_much_at_once_is_refused(void **state) {
    (void)state;
    Folder f;
    LpDiag diag = {0};
    make_folder(&f);
    LpTrainSpec spec = spec_by(&f, LP_ALGO_LOOKAHEAD);
    spec.ppo.envs = 4096;
    spec.ppo.rollout = 65536;
    spec.ppo.keep = 16;
    assert_int_equal(lp_train(&spec, NULL, NULL, NULL, &diag), LP_ELIMIT);
    assert_non_null(strstr(diag.text, "4294967296 decisions at once"));
    assert_non_null(strstr(diag.text, "lower envs, rollout or keep"));
    assert_int_not_equal(access(f.out, F_OK), 0);
    drop_folder(&f);
}

/* By hand: gamma 0.5, lambda 0.5, rewards 1 and 2, estimates 3 and 4, afterwards 8. */
static void advantages_follow_their_formula(void **state) {
    (void)state;
    LpNetShape shape = {.features = 1, .actions = 1};
    LpPpoSettings s = lp_ppo_defaults();
    LpRollout r;
    s.gamma = s.lambda = 0.5;
    assert_int_equal(lp_rollout_new(&shape, 3, false, &r, NULL), LP_OK);
    r.reward[1] = 1;
    r.reward[2] = 2;
    r.estimate[1] = 3;
    r.estimate[2] = 4;
    lp_ppo_advantages(&s, &r, 1, 2, 8);
    assert_true(r.advantage[2] == 2);   /* 2 + 4 - 4 */
    assert_true(r.advantage[1] == 0.5); /* 1 + 2 - 3 + 2 / 4 */
    assert_true(r.target[1] == 3.5 && r.target[2] == 6);
    assert_true(r.advantage[0] == 0);
    lp_rollout_fini(&r);
}

/* The same, over: nothing comes, or nobody knows what would have. */
static void ends_of_episodes_are_told_apart(void **state) {
    (void)state;
    LpNetShape shape = {.features = 1, .actions = 1};
    LpPpoSettings s = lp_ppo_defaults();
    LpRollout r;
    s.gamma = s.lambda = 0.5;
    assert_int_equal(lp_rollout_new(&shape, 3, false, &r, NULL), LP_OK);
    r.reward[1] = 1;
    r.reward[2] = 2;
    r.estimate[1] = 3;
    r.estimate[2] = 4;
    lp_ppo_end(&s, &r, 1, 2, false);
    assert_true(r.advantage[2] == -2 && r.target[2] == 2);     /* 2 - 4 */
    assert_true(r.advantage[1] == -0.5 && r.target[1] == 2.5); /* 1 + 2 - 3 - 2 / 4 */
    lp_ppo_end(&s, &r, 1, 2, true);
    assert_true(r.advantage[2] == 0 && r.target[2] == 4);
    assert_true(r.advantage[1] == 0 && r.target[1] == 3); /* 1 + 2 - 3 */
    lp_ppo_end(&s, &r, 2, 1, true);
    assert_true(r.advantage[2] == 0 && r.target[2] == 4);
    lp_rollout_fini(&r);
}

/* After a restart decisions are of all of an episode, not of its beginning; once. */
static void restarted_clusters_go_a_way(void **state) {
    (void)state;
    Folder f;
    make_folder(&f);
    LpTrainSpec spec = spec_by(&f, LP_ALGO_LOOKAHEAD);
    const char *const placing[] = {"engine"};
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *agent = NULL;
    LpActor actor = {0};
    LpRollout r;
    LpActorPlayed played = {0};
    uint64_t most = 0, least = UINT64_MAX;
    shape.hidden = shape.branch = 4;
    spec.ppo.skip = 60; /* of the 100 jobs of an episode */
    assert_int_equal(lp_weights_new(spec.encoding, 8, placing, 1, &shape, &agent, NULL), LP_OK);
    lp_net_init(&agent->plan, 1, agent->params);
    assert_int_equal(lp_actor_open(&actor, &spec, agent, NULL, NULL), LP_OK);
    lp_player_embed(actor.player);
    assert_int_equal(lp_rollout_new(&agent->plan.shape, 4, false, &r, NULL), LP_OK);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        assert_int_equal(lp_actor_restart(&actor, seed, 0, 0, NULL), LP_OK);
        for (uint64_t again = 0; again < 2; again++) {
            uint64_t before = lp_gym_steps(actor.gym);
            assert_int_equal(
                lp_actor_explore(&actor, &spec.ppo, seed, 0, 0, 4, 0, &r, &played, NULL), LP_OK);
            uint64_t steps = lp_gym_steps(actor.gym);
            assert_true(again == 0 || steps == before + 4);
            most = again == 0 && steps > most ? steps : most;
            least = again == 0 && steps < least ? steps : least;
        }
    }
    assert_true(most > 40 && most <= 64 && least < 25 && least >= 4);
    assert_int_equal(played.decisions, 12 * 8);
    lp_rollout_fini(&r);
    lp_actor_close(&actor);
    lp_weights_free(agent);
    drop_folder(&f);
}

/* Scores of the decision that is due, in the futures that an actor in this state draws. */
static void look_ahead(LpActor *actor, const LpPpoSettings *settings, double *features,
                       double *score) {
    const LpSession *session = lp_gym_session(actor->gym);
    const LpWorld *world = lp_session_world(session);
    LpRng kept = actor->rng;
    uint32_t graph;
    assert_int_equal(lp_player_observe(actor->player, lp_session_context(session), world,
                                       lp_world_due(world), features, &graph, NULL),
                     LP_OK);
    uint64_t simulated = 0;
    assert_int_equal(lp_actor_lookahead(actor, settings, features, score, &simulated, NULL), LP_OK);
    /* at least the answers themselves, at most all of each future */
    const double *mask = lp_player_mask(actor->player, features);
    uint64_t open = 0;
    for (uint32_t i = 0; i < lp_player_agent(actor->player)->plan.shape.actions; i++)
        open += mask[i] > 0;
    assert_true(simulated >= open * (uint64_t)settings->futures);
    assert_true(simulated <= open * (uint64_t)(settings->futures * (settings->horizon + 1)));
    actor->rng = kept;
}

/* By how much the guide's estimate of what comes after it moves the scores of all open actions. */
static double moved_by_terminal(LpActor *actor, LpPpoSettings settings) {
    const LpNetShape *shape = &lp_player_agent(actor->player)->plan.shape;
    double features[LP_OBSERVE_DEGREES], with[LP_OBSERVE_DEGREES], without[LP_OBSERVE_DEGREES];
    double moved = 0;
    assert_true(shape->features <= LP_OBSERVE_DEGREES);
    settings.terminal = 0;
    look_ahead(actor, &settings, features, without);
    settings.terminal = 1;
    look_ahead(actor, &settings, features, with);
    const double *mask = lp_player_mask(actor->player, features);
    for (uint32_t i = 0; i < shape->actions; i++) {
        if (mask[i] > 0)
            moved = with[i] - without[i];
        assert_true(mask[i] > 0 || with[i] == without[i]);
    }
    for (uint32_t i = 0; i < shape->actions; i++)
        assert_true(mask[i] <= 0 || fabs(with[i] - without[i] - moved) < 1e-12);
    return moved;
}

/* A future is not over where it is played no further: the guide says what it expects there. */
static void what_comes_after_a_future_counts(void **state) {
    (void)state;
    Folder f;
    make_folder(&f);
    LpTrainSpec spec = spec_by(&f, LP_ALGO_LOOKAHEAD);
    const char *const placing[] = {"engine"};
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *agent = NULL;
    LpActor actor = {0};
    shape.hidden = shape.branch = 4;
    spec.ppo.futures = 2;
    spec.ppo.horizon = 3;
    assert_int_equal(lp_weights_new(spec.encoding, 8, placing, 1, &shape, &agent, NULL), LP_OK);
    agent->params[agent->plan.out[LP_HEAD_VALUE].bias] = 0.7; /* expects as much everywhere */
    assert_int_equal(lp_actor_open(&actor, &spec, agent, agent, NULL), LP_OK);
    lp_player_embed(actor.player);
    lp_player_embed(actor.guide);
    assert_int_equal(lp_actor_restart(&actor, 1, 0, 0, NULL), LP_OK);
    assert_true(moved_by_terminal(&actor, spec.ppo) == 0); /* it has learnt nothing */
    agent->note.steps = 256;
    double expected = 0.7 / (2 * spec.ppo.scale) / spec.ppo.temperature;
    assert_true(fabs(moved_by_terminal(&actor, spec.ppo) - expected) < 1e-9);
    spec.ppo.horizon = 200; /* beyond the episode's 100 jobs: nothing comes any more */
    assert_true(moved_by_terminal(&actor, spec.ppo) == 0);
    lp_actor_close(&actor);
    lp_weights_free(agent);
    drop_folder(&f);
}

static void masked_actions_are_never_drawn(void **state) {
    (void)state;
    const double logits[] = {5, 1, 1, 9}, mask[] = {0, 1, 1, 0};
    double p[4], log_p[4];
    LpRng rng = lp_rng_stream(1, "test", 0);
    assert_int_equal(lp_ppo_softmax(logits, mask, 4, p, log_p), 1);
    assert_true(log_p[1] == log_p[2] && fabs(log_p[1] + lp_num_log(2)) < 1e-15);
    assert_true(log_p[0] == -(double)INFINITY);
    assert_true(p[0] == 0 && p[1] == 0.5 && p[2] == 0.5 && p[3] == 0);
    int count[4] = {0};
    for (int i = 0; i < 1000; i++)
        count[lp_ppo_draw(p, 4, &rng)]++;
    assert_true(count[0] == 0 && count[3] == 0 && count[1] > 400 && count[2] > 400);
}

TEST_GROUP(test_many_train) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reward_rises),
        cmocka_unit_test(the_reward_rises_by_looking_ahead),
        cmocka_unit_test(scores_are_learnt),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_with_any_threads),
        cmocka_unit_test(what_was_broken_off_goes_on_to_the_same_end),
        cmocka_unit_test(settings_are_checked),
        cmocka_unit_test(too_much_at_once_is_refused),
        cmocka_unit_test(advantages_follow_their_formula),
        cmocka_unit_test(ends_of_episodes_are_told_apart),
        cmocka_unit_test(restarted_clusters_go_a_way),
        cmocka_unit_test(what_comes_after_a_future_counts),
        cmocka_unit_test(masked_actions_are_never_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
