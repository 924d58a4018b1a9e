/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment for programs of any language: requests and answers as lines of JSON
 * (docs/env.md). Text in, text out; who reads and writes lines is in ui/cli_env.c. */
#ifndef LP_MANY_TRAIN_GYM_SERVE_H
#define LP_MANY_TRAIN_GYM_SERVE_H

#include "base/str.h"
#include "many/train/gym.h"

typedef struct LpGymServer LpGymServer;

/* Longest request, bytes; most states that are kept, and most episodes side by side. */
enum { LP_GYM_LINE_MAX = 1 << 20, LP_GYM_STATES_MAX = 4096, LP_GYM_LANES_MAX = 4096 };

/* What is observed of a job. */
typedef struct LpGymServerSpec {
    const char *encoding; /* by its name (learn/observe.h); NULL: the one of the semantics */
    uint32_t places; /* rules of placement, by name (session/player/place_rule.h): what features */
    const char *const *place; /* tell of an action is told for each degree by each; 0: "engine" */
} LpGymServerSpec;

/* The server owns the environment from now on (also on failure). spec NULL: all defaults. The first
 * reset that names no seed takes the scenario's, each further one the next. Errors: LP_EINVAL for
 * an unknown encoding or rule; LP_ENOMEM. */
LpErr lp_gym_server_new(LpGym *gym, const LpGymServerSpec *spec, LpGymServer **out,
                        LpDiag *diag) LP_MUST_USE;
void lp_gym_server_free(LpGymServer *server); /* NULL allowed */

/* Appends the answer to one request (line[len] is 0, no newline in it) as one line with its
 * newline. A bad request is answered with {"ok":false,...} and changes nothing. *go_on: false after
 * a request to close. Errors: LP_ENOMEM. */
LpErr lp_gym_server_answer(LpGymServer *server, const char *line, size_t len, LpBuf *out,
                           bool *go_on, LpDiag *diag) LP_MUST_USE;
/* The answer to a line that is longer than it may be. */
void lp_gym_server_too_long(LpBuf *out);

/* ---- frames: many episodes, requests and answers as bytes ---- */

/* Bytes of the frame that begins at `at`, of which `len` > 0 are there: 0: this is no frame but a
 * line, or no frames were asked for. Fewer than 8 bytes may not be enough to tell: the answer is 8
 * then, and to be asked for again. Never above LP_GYM_LINE_MAX. */
size_t lp_gym_server_frame(const LpGymServer *server, const char *at, size_t len);
/* Appends the answer to a whole frame. A bad one is answered by a frame with an error, and changes
 * nothing. Errors: LP_ENOMEM. */
LpErr lp_gym_server_answer_frame(LpGymServer *server, const char *frame, LpBuf *out,
                                 LpDiag *diag) LP_MUST_USE;

/* Appends what the numbers of an observation are, as a table in Markdown (learn/feature.h). */
void lp_gym_features(LpBuf *out);

#endif
