/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning: what a decision of a network costs, and training on one and two threads with the share
 * of it that is BLAS. Environment steps alone are bench_env's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench.h"
#include "blas_clock.h"
#include "learn/minibatch.h"
#include "many/train/gym.h"
#include "many/train/train.h"
#include "session/player/player.h"

enum { DECISIONS = 20000, BATCH = 1024, PASSES = 20, TRAIN_STEPS = 65536, RUNS = 5 };

static void must(LpErr err, const LpDiag *diag) {
    if (err == LP_OK)
        return;
    fprintf(stderr, "%s\n", diag->text);
    exit(1);
}

static LpGym *open_gym(const char *scenario) {
    LpGymSpec spec = {.session = {.scenario = scenario},
                      .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpGym *gym;
    LpDiag diag;
    must(lp_gym_open(&spec, &gym, &diag), &diag);
    must(lp_gym_reset(gym, 1, &diag), &diag);
    return gym;
}

/* What is trained: the published observation and actions, or the corrected ones with placements. */
typedef struct Kind {
    const char *label;
    LpEncoding encoding;
    uint32_t placings;
    LpPlaceRule placing[2];
} Kind;

static const Kind KINDS[] = {{"pac-ml", LP_ENCODING_PUBLISHED, 1, {LP_PLACE_ENGINE}},
                             {"corrected, two placements",
                              LP_ENCODING_CORRECTED,
                              2,
                              {LP_PLACE_FIRST_FIT, LP_PLACE_LEAST_FRAGMENTING}}};

static const Kind QUEUE = {"queue", LP_ENCODING_QUEUE, 1, {LP_PLACE_LEAST_FRAGMENTING}};

static LpWeights *make_weights(const Kind *kind) {
    const char *placing[2];
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *weights;
    LpDiag diag;
    for (uint32_t i = 0; i < kind->placings; i++)
        placing[i] = lp_place_rule_name(kind->placing[i]);
    shape.hidden = (uint32_t)lp_ppo_defaults().hidden;
    must(lp_weights_new(kind->encoding, 16, placing, kind->placings, &shape, &weights, &diag),
         &diag);
    lp_net_init(&weights->plan, 1, weights->params);
    return weights;
}

/* What looking at the clock costs. */
static double clock_cost(void) {
    double cost[101];
    for (int i = 0; i < 101; i++) {
        double start = bench_cpu();
        cost[i] = bench_cpu() - start;
    }
    return bench_median(cost, 101);
}

/* Observation and scores of decisions that are taken at degree 4. */
static void bench_answer(const char *scenario, const Kind *kind) {
    LpGym *gym = open_gym(scenario);
    LpWeights *weights = make_weights(kind);
    const LpSession *session = lp_gym_session(gym);
    LpPlayer *player;
    LpDiag diag;
    double seen = 0, answered = 0, cost = clock_cost(), *features, *scores;
    must(lp_player_new(weights, lp_session_context(session), &player, &diag), &diag);
    features = lp_alloc(weights->plan.shape.features, sizeof *features);
    scores = lp_alloc(weights->plan.shape.actions, sizeof *scores);
    double start = bench_cpu();
    lp_player_embed(player);
    double embedded = bench_cpu() - start;
    for (int i = 0; i < DECISIONS; i++) {
        const LpWorld *world = lp_session_world(session);
        uint32_t graph;
        start = bench_cpu();
        must(lp_player_observe(player, lp_session_context(session), world, lp_world_due(world),
                               features, &graph, &diag),
             &diag);
        double middle = bench_cpu();
        lp_player_head(player, LP_HEAD_POLICY, features, graph, scores);
        answered += bench_cpu() - middle;
        seen += middle - start;
        LpGymAction action = {.degree = 4};
        LpGymStep step;
        must(lp_gym_step(gym, &action, &step, &diag), &diag);
        if (step.done)
            must(lp_gym_reset(gym, (uint64_t)i, &diag), &diag);
    }
    printf("%-26s observation %6.2f us, scores %5.2f us a decision; once per network %.2f ms\n",
           kind->label, 1e6 * (seen / DECISIONS - cost), 1e6 * (answered / DECISIONS - cost),
           1e3 * embedded);
    lp_free(features);
    lp_free(scores);
    lp_player_free(player);
    lp_weights_free(weights);
    lp_gym_close(gym);
}

/* Whole runs of a policy, steps simulated before; what a network adds is the difference. */
static void bench_policy(const char *scenario, const char *policy) {
    LpSessionSpec spec = {.scenario = scenario, .policy = policy};
    LpSession *session;
    LpDiag diag;
    double spent[RUNS], decisions = 0;
    bool stopped;
    must(lp_session_open(&spec, &session, &diag), &diag);
    for (int i = -1; i < RUNS; i++) {
        must(lp_session_restart(session, 1, &diag), &diag);
        double start = bench_cpu();
        must(lp_session_run(session, NULL, NULL, &stopped, &diag), &diag);
        decisions = (double)lp_world_tally(lp_session_world(session))->decisions;
        if (i >= 0)
            spent[i] = bench_cpu() - start;
    }
    printf("%-26s %6.2f us of processor a decision, all in all\n", policy,
           1e6 * bench_median(spent, RUNS) / decisions);
    lp_session_close(session);
}

/* Forward and backward passes alone, on one thread. */
static void bench_gradients(const char *scenario, const Kind *kind) {
    LpGym *gym = open_gym(scenario);
    LpWeights *weights = make_weights(kind);
    const LpNetPlan *plan = &weights->plan;
    LpPlayer *player;
    LpMinibatch *batch;
    LpDiag diag;
    double blas, multiplied;
    uint32_t graphs, *of = lp_alloc(BATCH, sizeof *of);
    must(lp_player_new(weights, lp_session_context(lp_gym_session(gym)), &player, &diag), &diag);
    const LpNetGraph *graph = lp_player_graphs(player, &graphs);
    must(lp_minibatch_new(plan, graph, graphs, BATCH, &batch, &diag), &diag);
    double *features = lp_alloc((size_t)BATCH * plan->shape.features, sizeof *features);
    double *grad = lp_alloc(plan->params, sizeof *grad);
    for (uint32_t i = 0; i < BATCH; i++)
        of[i] = i % graphs;
    blas_clock(&blas, &multiplied);
    double start = bench_cpu();
    for (int i = 0; i < PASSES; i++) {
        lp_minibatch_forward(batch, weights->params, BATCH, of, features);
        for (int h = 0; h < LP_HEAD_COUNT; h++)
            lp_minibatch_slope(batch, (LpNetHead)h)[0] = 1;
        lp_minibatch_backward(batch, weights->params, 7, grad);
    }
    double spent = bench_cpu() - start;
    blas_clock(&blas, &multiplied);
    printf("%-26s gradient of %d: %.2f ms of processor, %.0f %% in dgemm\n", kind->label, BATCH,
           1e3 * spent / PASSES, 100 * blas / spent);
    lp_free(of);
    lp_free(features);
    lp_free(grad);
    lp_minibatch_free(batch);
    lp_player_free(player);
    lp_weights_free(weights);
    lp_gym_close(gym);
}

static void bench_training(const char *scenario, const Kind *kind, unsigned threads) {
    LpTrainSpec spec = lp_train_defaults();
    char out[64], checkpoint[80];
    LpDiag diag;
    double blas, multiplied;
    snprintf(out, sizeof out, "/tmp/lightpath-bench-network-%ld.json", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", out);
    spec.session.scenario = scenario;
    spec.encoding = kind->encoding;
    spec.placings = kind->placings;
    memcpy(spec.placing, kind->placing, sizeof kind->placing);
    spec.threads = threads;
    spec.steps = TRAIN_STEPS;
    spec.out = out;
    blas_clock(&blas, &multiplied);
    double start = bench_now(), cpu = bench_cpu();
    must(lp_train(&spec, NULL, NULL, NULL, &diag), &diag);
    double spent = bench_now() - start;
    cpu = bench_cpu() - cpu;
    blas_clock(&blas, &multiplied);
    printf("%-26s %u thread%s %6.0f decisions/s, %6.0f samples/s; processor %.1f us a decision, "
           "%.0f %% in dgemm at %.1f G/s\n",
           kind->label, threads, threads > 1 ? "s" : " ", TRAIN_STEPS / spent,
           TRAIN_STEPS * spec.ppo.epochs / spent, 1e6 * cpu / TRAIN_STEPS, 100 * blas / cpu,
           1e-9 * multiplied / blas);
    unlink(out);
    unlink(checkpoint);
}

int main(void) {
    char scenario[64], blas[4096];
    blas_name(blas);
    bench_write_published(scenario);
    printf("published setting (%s), hidden layers of %.0f, %.0f passes; BLAS: %s\n",
           bench_has_profiles() ? "profiles" : "zoo", lp_ppo_defaults().hidden,
           lp_ppo_defaults().epochs, blas);
    for (size_t k = 0; k < LP_COUNTOF(KINDS); k++)
        bench_answer(scenario, &KINDS[k]);
    bench_answer(scenario, &QUEUE);
    bench_policy(scenario, "scripts/pac_ml.lua");
    bench_policy(scenario, "scripts/pac_ml_queue.lua");
    bench_policy(scenario, "scripts/least_fragmenting.lua");
    for (size_t k = 0; k < LP_COUNTOF(KINDS); k++)
        bench_gradients(scenario, &KINDS[k]);
    for (size_t k = 0; k < LP_COUNTOF(KINDS); k++)
        for (unsigned threads = 1; threads <= 2; threads++)
            bench_training(scenario, &KINDS[k], threads);
    unlink(scenario);
    return 0;
}
