/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning: decisions of an environment per second, what an observation and a network's answer
 * cost, and samples of training per second with the share of it that is gradients on BLAS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench.h"
#include "learn/minibatch.h"
#include "run/gym.h"
#include "run/player.h"
#include "run/train.h"
#include "run/workers.h"

enum { DECISIONS = 20000, BATCH = 1024, PASSES = 10, TRAIN_STEPS = 32768 };
static const char SCENARIO[] = "scenarios/published-32.json";

static void must(LpErr err, const LpDiag *diag) {
    if (err == LP_OK)
        return;
    fprintf(stderr, "%s\n", diag->text);
    exit(1);
}

static LpGym *open_gym(void) {
    LpGymSpec spec = {.session = {.scenario = SCENARIO},
                      .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpGym *gym;
    LpDiag diag;
    must(lp_gym_open(&spec, &gym, &diag), &diag);
    must(lp_gym_reset(gym, 1, &diag), &diag);
    return gym;
}

static LpWeights *make_weights(LpEncoding encoding) {
    static const char *const ENGINE[] = {"engine"};
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *weights;
    LpDiag diag;
    must(lp_weights_new(encoding, 16, ENGINE, 1, &shape, &weights, &diag), &diag);
    lp_net_init(&weights->plan, 1, weights->params);
    return weights;
}

/* Degree 4 throughout. */
static LpErr play(void *user, size_t index, LpDiag *diag) {
    LpGym *gym = ((LpGym **)user)[index];
    LpGymAction action = {.degree = 4};
    LpGymStep step;
    for (int i = 0; i < DECISIONS; i++) {
        LP_TRY(lp_gym_step(gym, &action, &step, diag));
        if (step.done)
            LP_TRY(lp_gym_reset(gym, (uint64_t)i, diag));
    }
    return LP_OK;
}

static void bench_steps(unsigned threads) {
    LpGym *gym[2];
    LpDiag diag;
    for (unsigned i = 0; i < threads; i++)
        gym[i] = open_gym();
    double start = bench_now();
    must(lp_workers_run(threads, threads, play, gym, NULL, NULL, NULL, &diag), &diag);
    double spent = bench_now() - start;
    printf("environment, %u thread%s  %10.0f decisions/s\n", threads, threads > 1 ? "s" : " ",
           threads * DECISIONS / spent);
    for (unsigned i = 0; i < threads; i++)
        lp_gym_close(gym[i]);
}

static void bench_answer(LpEncoding encoding) {
    LpGym *gym = open_gym();
    LpWeights *weights = make_weights(encoding);
    const LpSession *session = lp_gym_session(gym);
    LpPlayer *player;
    LpDiag diag;
    double seen = 0, answered = 0, *features;
    must(lp_player_new(weights, lp_session_context(session), &player, &diag), &diag);
    features = lp_alloc(weights->plan.shape.features, sizeof *features);
    double start = bench_now();
    lp_player_embed(player);
    double embedded = bench_now() - start;
    for (int i = 0; i < DECISIONS; i++) {
        const LpWorld *world = lp_session_world(session);
        double scores[17];
        uint32_t graph;
        start = bench_now();
        must(lp_player_observe(player, lp_session_context(session), world, lp_world_due(world),
                               features, &graph, &diag),
             &diag);
        double middle = bench_now();
        lp_player_head(player, LP_HEAD_POLICY, features, graph, scores);
        answered += bench_now() - middle;
        seen += middle - start;
        LpGymAction action = {.degree = 4};
        LpGymStep step;
        must(lp_gym_step(gym, &action, &step, &diag), &diag);
        if (step.done)
            must(lp_gym_reset(gym, (uint64_t)i, &diag), &diag);
    }
    printf("encoding %-10s observation %6.2f us, answer %6.2f us, once per network %6.2f ms\n",
           lp_encoding_name(encoding), 1e6 * seen / DECISIONS, 1e6 * answered / DECISIONS,
           1e3 * embedded);
    lp_free(features);
    lp_player_free(player);
    lp_weights_free(weights);
    lp_gym_close(gym);
}

/* Forward and backward passes alone. */
static void bench_gradients(void) {
    LpGym *gym = open_gym();
    LpWeights *weights = make_weights(LP_ENCODING_PUBLISHED);
    const LpNetPlan *plan = &weights->plan;
    LpPlayer *player;
    LpMinibatch *batch;
    LpDiag diag;
    uint32_t graphs, *of = lp_alloc(BATCH, sizeof *of);
    must(lp_player_new(weights, lp_session_context(lp_gym_session(gym)), &player, &diag), &diag);
    const LpNetGraph *graph = lp_player_graphs(player, &graphs);
    must(lp_minibatch_new(plan, graph, graphs, BATCH, &batch, &diag), &diag);
    double *features = lp_alloc((size_t)BATCH * plan->shape.features, sizeof *features);
    double *grad = lp_alloc(plan->params, sizeof *grad);
    for (uint32_t i = 0; i < BATCH; i++)
        of[i] = i % graphs;
    double start = bench_now();
    for (int i = 0; i < PASSES; i++) {
        lp_minibatch_forward(batch, weights->params, BATCH, of, features);
        for (int h = 0; h < LP_HEAD_COUNT; h++)
            lp_minibatch_slope(batch, (LpNetHead)h)[0] = 1;
        lp_minibatch_backward(batch, weights->params, 7, grad);
    }
    double rate = PASSES * BATCH / (bench_now() - start);
    printf("gradients, %d at a time  %10.0f samples/s (hidden 256, one thread)\n", BATCH, rate);
    lp_free(of);
    lp_free(features);
    lp_free(grad);
    lp_minibatch_free(batch);
    lp_player_free(player);
    lp_weights_free(weights);
    lp_gym_close(gym);
}

static void bench_training(unsigned threads) {
    LpTrainSpec spec = lp_train_defaults();
    LpTrainReport last;
    LpDiag diag;
    spec.session.scenario = SCENARIO;
    spec.threads = threads;
    spec.steps = TRAIN_STEPS;
    spec.out = "/tmp/lightpath-bench-network.json";
    spec.ppo.eval_episodes = 1;
    double start = bench_now();
    must(lp_train(&spec, NULL, NULL, &last, &diag), &diag);
    double spent = bench_now() - start;
    printf("training, %u thread%s     %10.0f decisions/s, %.0f samples/s\n", threads,
           threads > 1 ? "s" : " ", TRAIN_STEPS / spent, TRAIN_STEPS * spec.ppo.epochs / spent);
    unlink("/tmp/lightpath-bench-network.json");
    unlink("/tmp/lightpath-bench-network.json.checkpoint");
}

int main(void) {
    bench_steps(1);
    bench_steps(2);
    bench_answer(LP_ENCODING_PUBLISHED);
    bench_answer(LP_ENCODING_CORRECTED);
    bench_gradients();
    bench_training(1);
    bench_training(2);
    return 0;
}
