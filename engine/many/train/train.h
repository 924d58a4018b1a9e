/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training a network on a scenario: clusters are played at once, each a session of its own, on
 * several threads; what they met is learnt from by learn/ppo.h. The same seed gives the same
 * network with one BLAS on one kind of processor, with any number of threads, and when training was
 * broken off and went on. */
#ifndef LP_MANY_TRAIN_TRAIN_H
#define LP_MANY_TRAIN_TRAIN_H

#include "learn/ppo.h"
#include "session/player/place_rule.h"
#include "session/player/weights_file.h"
#include "session/session.h"

/* X(ID, "name", "one line") */
#define LP_TRAIN_ALGOS(X)                                                                          \
    X(PPO, "ppo", "proximal policy optimisation")                                                  \
    X(LOOKAHEAD, "lookahead", "answers are compared in sampled futures, the better one is learnt") \
    X(EVOLVE, "evolve", "networks that let jobs wait are moved at random, good moves are followed")

typedef enum LpTrainAlgo {
#define X(id, name, doc) LP_ALGO_##id,
    LP_TRAIN_ALGOS(X)
#undef X
        LP_ALGO_COUNT
} LpTrainAlgo;

enum { LP_TRAIN_SCENARIOS = 64 };

typedef struct LpTrainSpec {
    LpSessionSpec session; /* scenario, sets, until, limits */
    uint32_t alsos;        /* evolve: further scenarios, with the same sets; < LP_TRAIN_SCENARIOS */
    const char *const *also;
    LpTrainAlgo algo;
    LpPpoSettings ppo; /* of either */
    LpEncoding encoding;
    uint32_t placings; /* rules to choose from, 1 .. LP_PLACINGS_MAX */
    LpPlaceRule placing[LP_PLACINGS_MAX];
    uint64_t seed, steps; /* decisions to learn from, in all; evolve: simulated */
    unsigned threads;     /* 0: one per processor */
    const char *out;      /* file of the network; beside it OUT.checkpoint */
    bool resume;          /* go on from OUT.checkpoint */
    const char *from;     /* evolve: file of the network to begin as; NULL: as a rule */
} LpTrainSpec;

/* ppo, seed 1, 2 million steps, as published: the rest is 0. */
LpTrainSpec lp_train_defaults(void);
/* An algorithm by its name, with its own steps and settings in place of all that there are. Errors:
 * LP_EINVAL. */
LpErr lp_train_set_algo(LpTrainSpec *spec, const char *name, LpDiag *diag) LP_MUST_USE;
/* A setting of the algorithm as "name=value" (lp_ppo_set); an encoding by its name (LP_EINVAL
 * otherwise). */
LpErr lp_train_set(LpTrainSpec *spec, const char *assignment, LpDiag *diag) LP_MUST_USE;
LpErr lp_train_set_encoding(LpTrainSpec *spec, const char *name, LpDiag *diag) LP_MUST_USE;

/* Its settings in words: "ppo seed=1 threads=2 encoding=pac-ml place=engine gamma=0.995 ...". */
void lp_train_describe(const LpTrainSpec *spec, LpBuf *out);
/* All that a network's file says of its training but the ranges: algorithm, seed, settings. Errors:
 * LP_ENOMEM. */
LpErr lp_train_note(const LpTrainSpec *spec, LpNetNote *note, LpDiag *diag) LP_MUST_USE;

/* After an update. */
typedef struct LpTrainReport {
    uint64_t update, steps, total, episodes;
    double reward;  /* mean per decision, as met while exploring; evolve: minus the jobs lost by
                       those that the first rule loses, or the network of `from` where that loses
                       fewer, averaged over scenarios */
    double blocked; /* share of these decisions that ended blocked */
    double rate;    /* step size */
    LpPpoStats learnt;
    bool evaluated; /* the next two are new: without exploring, on seeds of their own */
    double eval_reward, eval_blocked;
    double best_reward; /* of the best evaluation so far, NAN before the first */
    bool saved;         /* it is the best: OUT was written */
    uint64_t first;     /* decisions that a checkpoint brought when training began */
    uint64_t kept;      /* decisions that OUT.checkpoint has after this update, 0: there is none */
    uint64_t keeps;     /* update with which the next checkpoint is due, this one excluded */
} LpTrainReport;

/* False stops; training can then go on from the last checkpoint. */
typedef bool (*LpTrainProgress)(void *user, const LpTrainReport *report);

/* Trains, writing OUT whenever an evaluation is the best so far. *last (NULL allowed) is the last
 * report; where training fails, `update` is the last update that was made, 0: none. Errors: as
 * lp_session_open, lp_weights_load; LP_EINVAL where a checkpoint is of another network; LP_ELIMIT
 * for more than 2^28 decisions at once; LP_EIO; LP_ENOMEM. */
LpErr lp_train(const LpTrainSpec *spec, LpTrainProgress progress, void *user, LpTrainReport *last,
               LpDiag *diag) LP_MUST_USE;

#endif
