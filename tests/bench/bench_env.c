/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Environment steps per second: from C with one and two threads, with and without observations, by
 * lines of JSON, and of a restatement in plain Python. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "bench.h"
#include "host/workers.h"
#include "io/scenario/scenario.h"
#include "learn/observe.h"
#include "many/experiment/experiment.h"
#include "many/train/gym_serve.h"

enum { STEPS = 40000, LINES = 20000, PYTHON_STEPS = 1500 };

/* One environment of a thread. */
typedef struct Player {
    LpGym *gym;
    LpObserver *observer; /* NULL: does not look */
    LpPlaceRule place;
    uint64_t seed;
} Player;

static void check(LpErr err, const LpDiag *diag) {
    if (err == LP_OK)
        return;
    fprintf(stderr, "%s\n", diag->text);
    exit(1);
}

static LpGym *open_gym(void) {
    const char *folder = getenv("LIGHTPATH_PROFILES");
    char resolved[4096];
    bool there = realpath(folder != NULL ? folder : "../shared/graphs", resolved) != NULL;
    LpExperimentSpec spec = {.profiles = bench_has_profiles() && there ? resolved : NULL,
                             .betas = "A"};
    LpGymSpec gym = {.reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpPoint point[LP_POINTS_MAX];
    LpScenario *scenario;
    LpLoadOptions options = {0};
    LpBuf text = {0};
    LpDiag diag = {0};
    uint32_t points;
    LpGym *out;
    check(lp_experiment_points(&spec, point, &points, &diag), &diag);
    lp_experiment_scenario(&spec, &point[0], &text);
    check(lp_scenario_parse(lp_buf_text(&text), text.len, "bench", &options, &scenario, &diag),
          &diag);
    check(lp_gym_open_scenario(scenario, &gym, &out, &diag), &diag);
    lp_buf_fini(&text);
    return out;
}

static uint32_t choose(const uint8_t *mask, uint32_t actions, LpRng *rng) {
    uint32_t open[64], count = 0;
    for (uint32_t a = 1; a < actions && count < 64; a++)
        if (mask[a])
            open[count++] = a;
    return count > 0 ? open[lp_rng_below(rng, count)] : 0;
}

/* Random actions that the mask allows, observation and mask at every step. */
static LpErr play(void *user, size_t index, LpDiag *diag) {
    Player *p = (Player *)user + index;
    LpRng rng = lp_rng_stream(p->seed, "bench", 0);
    double features[1024];
    uint8_t mask[64];
    uint32_t graph;
    for (int i = 0; i < STEPS; i++) {
        if (!lp_gym_due(p->gym))
            LP_TRY(lp_gym_reset(p->gym, p->seed++, diag));
        const LpSession *s = lp_gym_session(p->gym);
        if (p->observer != NULL)
            LP_TRY(lp_observe(p->observer, lp_session_context(s), lp_session_world(s),
                              lp_world_due(lp_session_world(s)), features, &graph, diag));
        LP_TRY(lp_gym_mask(p->gym, mask, diag));
        LpGymAction action = {.degree = choose(mask, lp_gym_actions(p->gym), &rng),
                              .place = p->place};
        LpGymStep step;
        LP_TRY(lp_gym_step(p->gym, &action, &step, diag));
    }
    return LP_OK;
}

static void row(const char *label, unsigned threads, bool observe, LpEncoding encoding,
                LpPlaceRule place) {
    Player player[2];
    LpDiag diag = {0};
    for (unsigned t = 0; t < threads; t++) {
        player[t] = (Player){.gym = open_gym(), .place = place, .seed = 1 + 1000 * t};
        const LpContext *context = lp_session_context(lp_gym_session(player[t].gym));
        if (observe)
            check(lp_observer_new(context, encoding, 16, NULL, &player[t].observer, &diag), &diag);
    }
    double start = bench_now(), cpu = bench_cpu();
    check(lp_workers_run(threads, threads, play, player, NULL, NULL, NULL, &diag), &diag);
    double spent = bench_now() - start, steps = (double)threads * STEPS;
    cpu = bench_cpu() - cpu;
    printf("%-46s %u thread%s %9.0f steps a second  (%.1f us of processor each)\n", label, threads,
           threads > 1 ? "s" : " ", steps / spent, 1e6 * cpu / steps);
    for (unsigned t = 0; t < threads; t++) {
        lp_observer_free(player[t].observer);
        lp_gym_close(player[t].gym);
    }
}

/* What a client in another language gets, without its own part. */
static void lines(bool observe) {
    LpGymServer *server;
    LpBuf out = {0};
    LpDiag diag = {0};
    bool go_on;
    char step[80];
    snprintf(step, sizeof step, "{\"cmd\":\"step\",\"action\":4%s}",
             observe ? "" : ",\"observe\":false");
    check(lp_gym_server_new(open_gym(), NULL, &server, &diag), &diag);
    double start = bench_now(), cpu = bench_cpu();
    for (int i = 0; i < LINES; i++) {
        const char *line = i % 1000 == 0 ? "{\"cmd\":\"reset\"}" : step;
        lp_buf_clear(&out);
        check(lp_gym_server_answer(server, line, strlen(line), &out, &go_on, &diag), &diag);
    }
    printf("%-46s 1 thread  %9.0f steps a second  (%.1f us of processor each)\n",
           observe ? "lines of JSON" : "lines of JSON, no observation",
           LINES / (bench_now() - start), 1e6 * (bench_cpu() - cpu) / LINES);
    lp_buf_fini(&out);
    lp_gym_server_free(server);
}

enum { LANES = 256, FRAMES = 300, ACTIONS_AT = 8 };

static uint32_t row_of(const LpBuf *answer) {
    const unsigned char *at = (const unsigned char *)answer->text + 4;
    return (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24) / LANES;
}

/* The same by frames of bytes, with random actions that the mask allows. */
static void frames(void) {
    const char *begin = "{\"cmd\":\"frames\",\"lanes\":256,\"stride\":256}";
    char reset[8 + 8 * LANES] = "LPFr", step[ACTIONS_AT + 4 * LANES] = "LPFs";
    LpRng rng = lp_rng_stream(1, "bench", 1);
    LpGymServer *server;
    LpBuf out = {0};
    LpDiag diag = {0};
    bool go_on;
    double start = 0, cpu = 0;
    LpGym *gym = open_gym();
    uint32_t actions = lp_gym_actions(gym);
    check(lp_gym_server_new(gym, NULL, &server, &diag), &diag);
    check(lp_gym_server_answer(server, begin, strlen(begin), &out, &go_on, &diag), &diag);
    reset[5] = step[5] = LANES >> 8;
    for (int i = 0; i < LANES; i++)
        reset[8 + 8 * i] = (char)i;
    lp_buf_clear(&out);
    check(lp_gym_server_answer_frame(server, reset, &out, &diag), &diag);
    for (int f = -FRAMES; f < FRAMES; f++) { /* the first half: to know the steps of jobs */
        if (f == 0)
            start = bench_now(), cpu = bench_cpu();
        const uint8_t *mask = (const uint8_t *)out.text + 8 + (row_of(&out) - actions - 1) * LANES;
        for (uint32_t i = 0; i < LANES; i++)
            step[ACTIONS_AT + 4 * i] = (char)choose(mask + i * actions, actions, &rng);
        lp_buf_clear(&out);
        check(lp_gym_server_answer_frame(server, step, &out, &diag), &diag);
    }
    double steps = (double)FRAMES * LANES;
    printf("%-46s 1 thread  %9.0f steps a second  (%.1f us of processor each)\n",
           "frames of 256 episodes, published observation", steps / (bench_now() - start),
           1e6 * (bench_cpu() - cpu) / steps);
    lp_buf_fini(&out);
    lp_gym_server_free(server);
}

static void python(void) {
    char command[512], text[64] = "";
    snprintf(command, sizeof command,
             "python3 tests/bench/plain_env.py \"${LIGHTPATH_PROFILES:-../shared/graphs}\" %d",
             PYTHON_STEPS);
    FILE *pipe = bench_has_profiles() ? popen(command, "r") : NULL;
    bool done = pipe != NULL && fgets(text, sizeof text, pipe) != NULL;
    if (pipe != NULL)
        pclose(pipe);
    text[strcspn(text, "\n")] = '\0';
    printf("%-46s 1 thread  %9s steps a second\n", "a restatement in plain Python",
           done ? text : "(needs python3 and profiles)");
}

int main(void) {
    printf("published setting (%s), random actions\n", bench_has_profiles() ? "profiles" : "zoo");
    for (unsigned threads = 1; threads <= 2; threads++) {
        row("step and mask", threads, false, LP_ENCODING_PUBLISHED, LP_PLACE_ENGINE);
        row("with the published observation", threads, true, LP_ENCODING_PUBLISHED,
            LP_PLACE_ENGINE);
        row("with the corrected observation", threads, true, LP_ENCODING_CORRECTED,
            LP_PLACE_ENGINE);
        row("published observation, least_fragmenting", threads, true, LP_ENCODING_PUBLISHED,
            LP_PLACE_LEAST_FRAGMENTING);
    }
    lines(true);
    lines(false);
    frames();
    python();
    printf("%-46s 1 process    0.7 to 3 steps a second\n",
           "the published simulator (docs/performance.md)");
    return 0;
}
