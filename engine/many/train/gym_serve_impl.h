/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the environment's protocol; private to many/. */
#ifndef LP_MANY_TRAIN_GYM_SERVE_IMPL_H
#define LP_MANY_TRAIN_GYM_SERVE_IMPL_H

#include "base/json_out.h"
#include "learn/observe.h"
#include "many/train/gym_serve.h"

/* Episodes that are played side by side (gym_lanes.c). */
typedef struct LpLanes LpLanes;

struct LpGymServer {
    LpGym *gym;
    LpEncoding encoding;
    LpPlaceChoice places; /* that are observed */
    LpObserver *observer; /* NULL: the scenario's jobs cannot be observed */
    uint32_t features;    /* the observer's, and those of the queue where jobs may wait */
    uint64_t next_seed;
    uint8_t *mask;      /* actions */
    double *feature;    /* features */
    uint32_t *server;   /* the cluster's servers */
    LpArena *request;   /* of one request */
    LpGymState **saved; /* by number, NULL: dropped */
    size_t saves, saves_cap;
    LpLanes *lanes;   /* NULL: none were asked for */
    bool lanes_fixed; /* requests cannot ask for others */
};

/* The first is the episode at hand. go_on: an episode that ends is followed by the next one at
 * once. Errors: LP_ENOMEM. */
LpErr lp_lanes_new(LpGymServer *server, uint32_t count, uint64_t stride, LpLanes **out,
                   LpDiag *diag) LP_MUST_USE;
void lp_lanes_free(LpLanes *lanes); /* NULL allowed */
/* As lp_gym_server_reset_lanes and lp_gym_server_step_lanes. */
LpErr lp_lanes_reset(LpLanes *lanes, const uint64_t *seed, const LpLaneArrays *arrays,
                     LpDiag *diag) LP_MUST_USE;
LpErr lp_lanes_step(LpLanes *lanes, const uint32_t *action, const LpLaneArrays *arrays,
                    LpDiag *diag) LP_MUST_USE;
/* Makes the first one's the episode at hand. */
void lp_lanes_first(LpLanes *lanes);
/* Appends how they are talked to. */
void lp_lanes_describe(const LpLanes *lanes, LpJsonOut *out);

enum { LP_GYM_QUEUE_FEATURES = 4 };
/* The features of the job that is due into server->feature; *graph is its graph. Errors: as
 * lp_observe. */
LpErr lp_gym_observe(LpGymServer *server, uint32_t *graph, LpDiag *diag) LP_MUST_USE;
/* Appends "observation" and "mask"; null where nothing is due. */
LpErr lp_gym_add_observation(LpGymServer *server, LpJsonOut *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_gym_add_mask(LpGymServer *server, LpJsonOut *out, LpDiag *diag) LP_MUST_USE;
/* Appends what a client needs to know once: spaces, names, rewards; and the graphs. */
void lp_gym_add_spec(const LpGymServer *server, LpJsonOut *out);
LpErr lp_gym_add_graphs(const LpGymServer *server, LpJsonOut *out, LpDiag *diag) LP_MUST_USE;

#endif
