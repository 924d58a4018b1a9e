/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lightpath as a library: scenarios as environments for reinforcement learning, many episodes side
 * by side in the caller's process. Observations, masks, rewards and ends are written straight into
 * the caller's arrays; nothing is copied in between, and no other process is at work.
 *
 *     cc agent.c $(pkg-config --cflags --libs lightpath)
 *
 * What an action means, what the numbers of an observation are, and how an episode ends, stands in
 * docs/env.md: the episodes are those of `lightpath env`, to the last bit.
 *
 * - Nothing here prints, exits or catches signals. Of the environment it reads where scenarios and
 *   profiles may lie (LIGHTPATH_DATA and the like: lightpath(1)).
 * - A function that can fail returns a code, LIGHTPATH_OK (0) or one of the numbers that
 *   `lightpath env` uses, and says why in *error (NULL allowed), which it fills on failure only.
 * - Two environments never meet: two threads may use one each. One environment is for one thread
 *   at a time.
 * - Times are seconds. Arrays are contiguous, a row per lane (C order), aligned for their type.
 *
 * This file stands by itself and includes nothing else of lightpath. C11 and C++. */
#ifndef LIGHTPATH_H
#define LIGHTPATH_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LIGHTPATH_SEEN __attribute__((visibility("default")))
#else
#define LIGHTPATH_SEEN
#endif
#ifdef __cplusplus
#define LIGHTPATH_API extern "C" LIGHTPATH_SEEN
#else
#define LIGHTPATH_API LIGHTPATH_SEEN
#endif

/* Grows when something is added. What is there keeps its meaning and its place in memory: a program
 * that was compiled with a smaller number goes on with a library of a larger one. */
#define LIGHTPATH_API_VERSION 1

/* The version that the library was built with: a program that was compiled with a larger
 * LIGHTPATH_API_VERSION should not go on. O(1). */
LIGHTPATH_API uint32_t lightpath_api_version(void);
/* The program's version, such as "0.1.0"; static. */
LIGHTPATH_API const char *lightpath_version(void);

/* ---- errors ---- */

#define LIGHTPATH_OK 0
#define LIGHTPATH_ENOMEM 1 /* out of memory */
#define LIGHTPATH_EINVAL 2 /* a value that means nothing, such as an unknown word */
#define LIGHTPATH_ERANGE 3 /* a number out of its range */
#define LIGHTPATH_ESTATE 9 /* not possible now, such as a step before a reset */

/* Why a call failed: the code that it returned, and a sentence for people, of one line, in UTF-8.
 * Other codes than those above come from reading a scenario; lightpath_error_name has them all. */
typedef struct LightpathError {
    int32_t code;
    char text[512];
} LightpathError;

/* A code in a few words, such as "value out of range"; static, never NULL. */
LIGHTPATH_API const char *lightpath_error_name(int32_t code);

/* ---- opening ---- */

/* Begin with `LightpathOptions options = {.size = sizeof options};`: what is 0 or NULL is the
 * default. Texts and lists are borrowed during the call. */
typedef struct LightpathOptions {
    size_t size;          /* sizeof(LightpathOptions) of the caller: says which fields there are */
    const char *scenario; /* path, or the name of one that comes with lightpath ("pac-ml-32") */
    uint32_t lanes;       /* episodes side by side, 1 .. 4096; 0: one */
    uint32_t sets;        /* entries of `set`: "PATH=VALUE", each overrides a key of the scenario */
    const char *const *set;
    double until;         /* s, end of every episode; 0: the scenario's horizon */
    uint64_t stride;      /* an episode of seed s that ends is followed in the same step by the one
                             of seed s + stride; 0: its lane idles until a reset */
    const char *reward;   /* a name of `rewards` in lightpath_ask's "spec"; NULL: job_acceptance */
    const char *encoding; /* "pac-ml" or "corrected"; NULL: by the scenario's semantics */
    uint32_t places;      /* rules of placement that actions are observed with, */
    const char *const *place; /* such as "best_fit"; none: "engine" */
    const char *queue;        /* jobs may wait: order in which they are offered again, "arrival" or
                                 "deadline"; NULL: jobs cannot wait */
    size_t max_input;         /* bytes of the largest input file; 0: 64 MiB */
    size_t max_memory;        /* bytes that one input may ask for; 0: 1 GiB */
} LightpathOptions;

typedef struct LightpathEnv LightpathEnv;

/* What never changes of an environment. */
typedef struct LightpathShape {
    uint32_t lanes;
    uint32_t actions;  /* actions are 0 .. actions - 1: entries of a row of masks */
    uint32_t features; /* entries of a row of features; 0: its jobs cannot be observed */
    uint32_t wait;     /* the action that lets a job wait; UINT32_MAX: none does */
    uint32_t servers, graphs;
} LightpathShape;

/* Reads a scenario. *env is the caller's, to be closed; on failure it is NULL. Errors: those of a
 * file that cannot be read or is no scenario; LIGHTPATH_EINVAL, LIGHTPATH_ERANGE for options;
 * LIGHTPATH_ENOMEM. O(size of the scenario). */
LIGHTPATH_API int lightpath_open(const LightpathOptions *options, LightpathEnv **env,
                                 LightpathError *error);
/* Frees it; NULL allowed. */
LIGHTPATH_API void lightpath_close(LightpathEnv *env);
/* Fills *shape with what is there; O(1). Errors: LIGHTPATH_EINVAL for NULL. */
LIGHTPATH_API int lightpath_shape(const LightpathEnv *env, LightpathShape *shape,
                                  LightpathError *error);

/* ---- playing ---- */

/* Instead of a seed: the lane stays as it is and is only told of. */
#define LIGHTPATH_STAY UINT64_MAX

/* Bits of `flags`. */
#define LIGHTPATH_DONE 1      /* the episode ended in this step */
#define LIGHTPATH_TRUNCATED 2 /* it was cut by the horizon, not over by itself */
#define LIGHTPATH_BLOCKED 4   /* the decided job was blocked, or is to end too late */
#define LIGHTPATH_MASKED 8    /* the mask forbade the action, and the job was refused */
#define LIGHTPATH_IDLE 16     /* nothing is due: the episode is over and no other one began */

/* The caller's arrays. Each may be NULL: it is not wanted, and what it would cost is not spent.
 * They must not overlap. */
typedef struct LightpathArrays {
    size_t size;      /* sizeof(LightpathArrays) of the caller */
    float *features;  /* lanes x features, within 0 .. 1: of the due job; 0 where none is */
    uint8_t *mask;    /* lanes x actions: 1 where the action may be answered now, else 0 */
    double *reward;   /* lanes: of the step */
    uint8_t *flags;   /* lanes */
    double *sum;      /* lanes: sum of rewards of the episode that ended in this step, else NaN */
    double *blocking; /* lanes: share of its jobs that were blocked, else NaN */
    uint32_t *length; /* lanes: its steps, else 0 */
    uint32_t *job;    /* lanes: number of the job that was decided; UINT32_MAX: none */
    int32_t *graph;   /* lanes: number of the due job's graph; -1: none, or a job of fixed size */
    uint64_t *seed;   /* lanes: of the episode that the lane is in; LIGHTPATH_STAY: none yet */
    uint8_t *terminated; /* lanes: 1 where an episode ended by itself, else 0 */
    uint8_t *truncated;  /* lanes: 1 where the horizon cut it, else 0 */
} LightpathArrays;

/* Begins an episode in each lane. seed: lanes of them; LIGHTPATH_STAY: that lane goes on as it is.
 * An episode follows from scenario, options and seed alone. `lanes` is how long the caller's list
 * is. Errors, before anything has changed: LIGHTPATH_EINVAL for NULL or another number of lanes.
 * LIGHTPATH_ENOMEM and the like may come when some lanes have begun theirs: the arrays are then
 * undefined, and steps are refused until a reset succeeds in which no lane stays. */
LIGHTPATH_API int lightpath_reset(LightpathEnv *env, const uint64_t *seed, uint32_t lanes,
                                  const LightpathArrays *arrays, LightpathError *error);
/* Decides the due job of each lane and goes on to its next decision. action: lanes of them: how
 * many ways the job is split (0 refuses it; of a job with plans: by which), plus 65536 times the
 * number of the rule of placement (0 the engine's, 1 first_fit, 2 best_fit, 3 least_fragmenting).
 * Where nothing is due it is not looked at beyond its range. Errors, before anything has changed:
 * LIGHTPATH_EINVAL for NULL, another number of lanes or an unknown rule; LIGHTPATH_ERANGE for an
 * action that does not exist; LIGHTPATH_ESTATE before a reset. Later ones: as lightpath_reset. */
LIGHTPATH_API int lightpath_step(LightpathEnv *env, const uint32_t *action, uint32_t lanes,
                                 const LightpathArrays *arrays, LightpathError *error);

/* ---- everything else ---- */

/* Answers a request of `lightpath env` about lane 0, such as {"cmd":"spec"}, {"cmd":"graphs"},
 * {"cmd":"summary"}, {"cmd":"predict","action":4}, {"cmd":"save"}: docs/env.md, "Requests". The
 * request is `length` bytes of JSON. *answer is a line of JSON with its newline and a NUL behind
 * it, *answered its bytes; it is the environment's, and good until the next call with it. A request
 * that is refused is answered with {"ok":false,...}, and is no failure. Not served: frames (lanes
 * are chosen by lightpath_open); close changes nothing. Errors: LIGHTPATH_EINVAL for NULL,
 * LIGHTPATH_ENOMEM. */
LIGHTPATH_API int lightpath_ask(LightpathEnv *env, const char *request, size_t length,
                                const char **answer, size_t *answered, LightpathError *error);

#endif
