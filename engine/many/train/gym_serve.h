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

/* A scenario as users name it, and how it is to be played. */
typedef struct LpGymOpenSpec {
    LpSessionSpec session; /* scenario: a path, or the name of one that comes with lightpath */
    const char *reward;    /* by its name (many/train/reward.h); NULL: job_acceptance */
    bool waits;            /* LpGymSpec.waits */
    const char *queue;     /* order of offers: "arrival" or "deadline"; NULL: arrival */
} LpGymOpenSpec;

/* As lp_gym_open, by names. Errors: LP_EINVAL for an unknown name too. */
LpErr lp_gym_open_named(const LpGymOpenSpec *spec, LpGym **out, LpDiag *diag) LP_MUST_USE;

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

/* ---- lanes: many episodes side by side ---- */

/* Instead of a seed: the lane stays as it is and is only told of. */
#define LP_LANE_STAYS UINT64_MAX

/* Bits of a lane's flags: the episode ended, it was cut by the horizon, the job was blocked, the
 * mask forbade the action, nothing is due. */
enum {
    LP_LANE_DONE = 1,
    LP_LANE_TRUNCATED = 2,
    LP_LANE_BLOCKED = 4,
    LP_LANE_MASKED = 8,
    LP_LANE_IDLE = 16
};

/* The caller's arrays, an entry per lane unless something else is said; NULL: not wanted (what a
 * number would cost is not spent then). */
typedef struct LpLaneArrays {
    double *reward;         /* of the step */
    double *sum, *blocking; /* of the episode that ended: return, blocking rate; else NAN */
    uint64_t *seed;         /* of the episode that the lane is in; LP_LANE_STAYS: none yet */
    uint32_t *length, *job; /* steps of the episode that ended, 0; job that was decided,
                               LP_NO_INDEX */
    int32_t *graph;         /* of the due job; -1: none */
    float *feature;         /* lanes x features */
    uint8_t *mask;          /* lanes x actions */
    uint8_t *flags;
} LpLaneArrays;

/* Begins to play `count` lanes, 1 .. LP_GYM_LANES_MAX; what was played in lanes before is gone.
 * stride: seeds from an episode that ends to the one that follows in the same step; 0: none does.
 * Requests cannot ask for other lanes from now on. Errors: LP_ERANGE, LP_ENOMEM. */
LpErr lp_gym_server_lanes(LpGymServer *server, uint32_t count, uint64_t stride,
                          LpDiag *diag) LP_MUST_USE;
/* New episodes of count seeds. A failure (LP_ENOMEM, LP_EMEMLIMIT) may come when some lanes have
 * begun theirs. */
LpErr lp_gym_server_reset_lanes(LpGymServer *server, const uint64_t *seed,
                                const LpLaneArrays *arrays, LpDiag *diag) LP_MUST_USE;
/* A step in each lane: the degree, plus 65536 times the number of the rule of placement. Errors:
 * LP_ERANGE, LP_EINVAL, LP_ESTATE before any lane has played, arrays unchanged; LP_ENOMEM,
 * LP_EMEMLIMIT when some may have. */
LpErr lp_gym_server_step_lanes(LpGymServer *server, const uint32_t *action,
                               const LpLaneArrays *arrays, LpDiag *diag) LP_MUST_USE;
/* Of an observation: numbers; the environment that is served. */
uint32_t lp_gym_server_features(const LpGymServer *server);
const LpGym *lp_gym_server_gym(const LpGymServer *server);

/* ---- frames: lanes, requests and answers as bytes ---- */

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
