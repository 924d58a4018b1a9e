/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the environment's protocol; private to run/. */
#ifndef LP_RUN_TRAIN_GYM_SERVE_IMPL_H
#define LP_RUN_TRAIN_GYM_SERVE_IMPL_H

#include "base/json_out.h"
#include "learn/observe.h"
#include "run/train/gym_serve.h"

struct LpGymServer {
    LpGym *gym;
    LpEncoding encoding;
    LpObserver *observer; /* NULL: the scenario's jobs cannot be observed */
    uint64_t next_seed;
    uint8_t *mask;    /* actions */
    double *feature;  /* lp_observer_features */
    uint32_t *server; /* the cluster's servers */
    LpArena *request; /* of one request */
};

/* Appends "observation" and "mask"; null where nothing is due. */
LpErr lp_gym_add_observation(LpGymServer *server, LpJsonOut *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_gym_add_mask(LpGymServer *server, LpJsonOut *out, LpDiag *diag) LP_MUST_USE;
/* Appends what a client needs to know once: spaces, names, rewards; and the graphs. */
void lp_gym_add_spec(const LpGymServer *server, LpJsonOut *out);
void lp_gym_add_graphs(const LpGymServer *server, LpJsonOut *out);

#endif
