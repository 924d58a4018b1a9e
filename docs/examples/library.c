/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight episodes side by side in this process, by liblightpath: the largest degree that the
 * mask allows, until each lane has ended an episode.
 *
 *     cc library.c $(pkg-config --cflags --libs lightpath) && ./a.out [SCENARIO] */
#include <lightpath.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 8 };

/* The last action that the mask allows; 0, which refuses the job, always is. */
static uint32_t largest(const uint8_t *mask, uint32_t actions) {
    uint32_t a = actions - 1;
    while (a > 0 && !mask[a])
        a--;
    return a;
}

int main(int argc, char **argv) {
    LightpathOptions options = {.size = sizeof options,
                                .scenario = argc > 1 ? argv[1] : "pac-ml-32",
                                .lanes = LANES};
    LightpathEnv *env;
    LightpathShape shape;
    LightpathError error;
    if (lightpath_open(&options, &env, &error) != LIGHTPATH_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    lightpath_shape(env, &shape, NULL);

    /* what is not wanted stays NULL and costs nothing; a learner would want `features` */
    uint8_t *mask = calloc(LANES, shape.actions), flags[LANES];
    double sum[LANES], blocking[LANES];
    LightpathArrays arrays = {
        .size = sizeof arrays, .mask = mask, .flags = flags, .sum = sum, .blocking = blocking};
    uint64_t seed[LANES];
    uint32_t action[LANES], ended = 0;
    for (int i = 0; i < LANES; i++)
        seed[i] = 101 + i;
    int code = mask != NULL ? lightpath_reset(env, seed, LANES, &arrays, &error) : 1;
    while (code == LIGHTPATH_OK && ended < LANES) {
        for (int i = 0; i < LANES; i++)
            action[i] = largest(mask + i * shape.actions, shape.actions);
        code = lightpath_step(env, action, LANES, &arrays, &error);
        for (int i = 0; code == LIGHTPATH_OK && i < LANES; i++)
            if (flags[i] & LIGHTPATH_DONE) {
                printf("seed %d: return %g, blocked %.4f\n", 101 + i, sum[i], blocking[i]);
                ended++;
            }
    }
    if (code != LIGHTPATH_OK)
        fprintf(stderr, "%s\n", error.text);
    free(mask);
    lightpath_close(env);
    return code != LIGHTPATH_OK;
}
