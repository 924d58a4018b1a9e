/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the environment's protocol; private to run/. */
#ifndef LP_RUN_TRAIN_GYM_SERVE_IMPL_H
#define LP_RUN_TRAIN_GYM_SERVE_IMPL_H

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

/* `"key":value` with a comma before it unless it is the first after '{' or '['. */
void lp_gym_add_number(LpBuf *out, const char *key, double value);
void lp_gym_add_text(LpBuf *out, const char *key, const char *text);
void lp_gym_add_flag(LpBuf *out, const char *key, bool value);
void lp_gym_add_key(LpBuf *out, const char *key);
void lp_gym_add_list(LpBuf *out, const char *key, const uint32_t *item, uint32_t count);

/* Appends "observation" and "mask"; null where nothing is due. */
LpErr lp_gym_add_observation(LpGymServer *server, LpBuf *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_gym_add_mask(LpGymServer *server, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Appends what a client needs to know once: spaces, names, rewards; and the graphs. */
void lp_gym_add_spec(const LpGymServer *server, LpBuf *out);
void lp_gym_add_graphs(const LpGymServer *server, LpBuf *out);

#endif
