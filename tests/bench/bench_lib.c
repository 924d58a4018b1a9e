/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 256 episodes of pac-ml-32 side by side on one processor: by the library, by frames in one
 * process, and by frames of `lightpath env` ($LIGHTPATH) over a pipe. Random actions that the mask
 * allows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "bench.h"
#include "lib/lightpath.h"
#include "many/train/gym_serve.h"

enum { LANES = 256, FRAMES = 600, BEGIN = 300, HEAD = 8, NUMBERS = 4 * 8 + 3 * 4 };
static const char SCENARIO[] = "scenarios/pac-ml-32.json";
static const char ASK[] = "{\"cmd\":\"frames\",\"lanes\":256,\"stride\":256}";

static void check(int code, const char *text) {
    if (code == 0)
        return;
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static void choose(const uint8_t *mask, uint32_t actions, LpRng *rng, uint32_t *action) {
    for (uint32_t i = 0; i < LANES; i++, mask += actions) {
        uint32_t open[64], count = 0;
        for (uint32_t a = 1; a < actions && count < 64; a++)
            if (mask[a])
                open[count++] = a;
        action[i] = count > 0 ? open[lp_rng_below(rng, count)] : 0;
    }
}

/* Processor time of this process and of those that it waited for. */
static double processor(void) {
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec + children.ru_utime.tv_sec +
                    children.ru_stime.tv_sec) +
           1e-6 * (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec +
                           children.ru_utime.tv_usec + children.ru_stime.tv_usec);
}

static double told(const char *label, double seconds, double library) {
    double each = seconds / ((double)FRAMES * LANES);
    printf("%-46s %9.0f steps a second of processor  (%.2f us each%s", label, 1 / each, 1e6 * each,
           library > 0 ? "" : ")\n");
    if (library > 0)
        printf(", %.1f times the library's)\n", each / library);
    return each;
}

static double library(void) {
    LightpathOptions options = {
        .size = sizeof options, .scenario = SCENARIO, .lanes = LANES, .stride = LANES};
    LightpathError error;
    LightpathEnv *env;
    LightpathShape shape;
    LpRng rng = lp_rng_stream(1, "bench", 1);
    uint64_t seed[LANES];
    uint32_t action[LANES];
    double start = 0;
    check(lightpath_open(&options, &env, &error), error.text);
    check(lightpath_shape(env, &shape, &error), error.text);
    uint8_t *mask = calloc(LANES, shape.actions), flags[LANES];
    float *features = calloc((size_t)LANES * shape.features, sizeof *features);
    double reward[LANES];
    LightpathArrays arrays = {.size = sizeof arrays,
                              .features = features,
                              .mask = mask,
                              .reward = reward,
                              .flags = flags};
    for (int i = 0; i < LANES; i++)
        seed[i] = (uint64_t)i;
    check(lightpath_reset(env, seed, LANES, &arrays, &error), error.text);
    for (int f = -BEGIN; f < FRAMES; f++) { /* at first, to know the steps of jobs */
        if (f == 0)
            start = processor();
        choose(mask, shape.actions, &rng, action);
        check(lightpath_step(env, action, LANES, &arrays, &error), error.text);
    }
    double spent = processor() - start;
    free(mask);
    free(features);
    lightpath_close(env);
    return spent;
}

/* ---- frames ---- */

typedef void (*Exchange)(void *user, const char *frame, size_t len, LpBuf *answer);

/* Plays `frames` of them, after the resets. */
static void play(Exchange exchange, void *user, uint32_t actions, uint32_t features, int frames) {
    char reset[HEAD + 8 * LANES] = "LPFr", step[HEAD + 4 * LANES] = "LPFs";
    LpRng rng = lp_rng_stream(1, "bench", 1);
    LpBuf answer = {0};
    uint32_t action[LANES];
    reset[5] = step[5] = LANES >> 8;
    for (int i = 0; i < LANES; i++)
        reset[HEAD + 8 * i] = (char)i;
    exchange(user, reset, sizeof reset, &answer);
    for (int f = 0; f < frames; f++) {
        const uint8_t *mask =
            (const uint8_t *)answer.text + HEAD + (size_t)LANES * (NUMBERS + 4 * features);
        choose(mask, actions, &rng, action);
        memcpy(step + HEAD, action, sizeof action);
        exchange(user, step, sizeof step, &answer);
    }
    lp_buf_fini(&answer);
}

static void in_process(void *user, const char *frame, size_t len, LpBuf *answer) {
    LpDiag diag = {0};
    (void)len;
    lp_buf_clear(answer);
    check(lp_gym_server_answer_frame(user, frame, answer, &diag), diag.text);
}

static double frames(void) {
    double at[2];
    for (int k = 0; k < 2; k++) { /* the time of the longer one but for that of the shorter one */
        LpGymOpenSpec spec = {.session = {.scenario = SCENARIO}};
        LpGymServer *server;
        LpGym *gym;
        LpBuf out = {0};
        LpDiag diag = {0};
        bool go_on;
        double start = processor();
        check(lp_gym_open_named(&spec, &gym, &diag), diag.text);
        check(lp_gym_server_new(gym, NULL, &server, &diag), diag.text);
        check(lp_gym_server_answer(server, ASK, strlen(ASK), &out, &go_on, &diag), diag.text);
        play(in_process, server, lp_gym_actions(gym), lp_gym_server_features(server),
             k == 0 ? BEGIN : BEGIN + FRAMES);
        lp_buf_fini(&out);
        lp_gym_server_free(server);
        at[k] = processor() - start;
    }
    return at[1] - at[0];
}

/* A program at the other end of two pipes. */
typedef struct Program {
    int in, out;
} Program;

static void take(int file, char *to, size_t count) {
    for (ssize_t got; count > 0; to += got, count -= (size_t)got)
        check((got = read(file, to, count)) <= 0, "lightpath env has ended");
}

static void over_pipe(void *user, const char *frame, size_t len, LpBuf *answer) {
    const Program *p = user;
    static char text[1 << 20];
    uint32_t bytes;
    check(write(p->in, frame, len) != (ssize_t)len, "lightpath env has ended");
    take(p->out, text, HEAD);
    memcpy(&bytes, text + 4, 4);
    check(memcmp(text, "LPFa", 4) != 0 || bytes > sizeof text - HEAD, "no answer to a frame");
    take(p->out, text + HEAD, bytes);
    lp_buf_clear(answer);
    lp_buf_add_bytes(answer, text, HEAD + bytes);
}

static double program(const char *path, uint32_t actions, uint32_t features) {
    double at[2];
    for (int k = 0; k < 2; k++) {
        int to[2], from[2];
        char c = 0;
        double start = processor();
        check(pipe(to) | pipe(from), "no pipe");
        pid_t pid = fork();
        if (pid == 0) {
            dup2(to[0], STDIN_FILENO);
            dup2(from[1], STDOUT_FILENO);
            close(to[1]);
            execl(path, path, "env", SCENARIO, (char *)NULL);
            _exit(127);
        }
        close(to[0]);
        close(from[1]);
        Program p = {to[1], from[0]};
        check(write(p.in, ASK, strlen(ASK)) < 0 || write(p.in, "\n", 1) < 0, "no program");
        while (c != '\n')
            take(p.out, &c, 1);
        play(over_pipe, &p, actions, features, k == 0 ? BEGIN : BEGIN + FRAMES);
        close(p.in);
        close(p.out);
        waitpid(pid, NULL, 0);
        at[k] = processor() - start;
    }
    return at[1] - at[0];
}

int main(void) {
    const char *path = getenv("LIGHTPATH");
    LightpathOptions options = {.size = sizeof options, .scenario = SCENARIO};
    LightpathShape shape;
    LightpathEnv *env;
    LightpathError error;
    check(lightpath_open(&options, &env, &error), error.text);
    check(lightpath_shape(env, &shape, &error), error.text);
    lightpath_close(env);
    printf("pac-ml-32, %d episodes side by side, corrected observation, random actions\n", LANES);
    double own = told("the library", library(), 0);
    (void)told("frames in one process", frames(), own);
    if (path != NULL)
        (void)told("frames of lightpath env over a pipe",
                   program(path, shape.actions, shape.features), own);
    return 0;
}
