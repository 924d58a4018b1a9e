/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published iterations of mixtures of experts by link rate, against a model of one line: computing
 * c, and bytes V that x times as long as over a full fat tree (docs/turning-light.md, 8). */
#ifndef LP_SIM_TURNS_ITERATION_H
#define LP_SIM_TURNS_ITERATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"

enum { LP_ITERATION_RATES = 4 };

/* X(ID, "key", "words") */
#define LP_ITERATION_NETWORKS(X)                                                                   \
    X(FAT_TREE, "fat_tree", "fat tree")                                                            \
    X(MIXNET, "mixnet", "MixNet")                                                                  \
    X(TOPOOPT, "topoopt", "TopoOpt")

typedef enum LpIterationNetwork {
#define X(id, key, words) LP_ITERATION_##id,
    LP_ITERATION_NETWORKS(X)
#undef X
        LP_ITERATION_NETWORK_COUNT
} LpIterationNetwork;

/* By network and link rate. */
typedef struct LpIterationTimes {
    double of[LP_ITERATION_NETWORK_COUNT][LP_ITERATION_RATES];
} LpIterationTimes;

/* Iterations of 1024 accelerators, 100 to 800 Gb/s, over the best one of the model. */
typedef struct LpIterationPublished {
    const char *name, *title;
    LpIterationTimes time;
    bool reproduced; /* within 3 % (MixNet over fat tree) and 10 % (TopoOpt over MixNet) */
} LpIterationPublished;

const LpIterationPublished *lp_iteration_table(size_t *count);
const LpIterationPublished *lp_iteration_find(const char *name); /* NULL when unknown */
/* Where they come from; what is missing where they are not reproduced. */
extern const char LP_ITERATION_SOURCE[], LP_ITERATION_MISSING[];

typedef struct LpIterationModel {
    double rate[LP_ITERATION_RATES];      /* Gb/s */
    double constant;                      /* c; from the fat tree's first and last */
    double volume;                        /* V in Gb/s; from the fat tree's first and last */
    double x[LP_ITERATION_NETWORK_COUNT]; /* 1; of a region's greedy circuits; fitted at 100 Gb/s */
    LpIterationTimes time;
} LpIterationModel;

/* x of MixNet is worked out from the circuits of a region of 8 servers with 6 circuit and 2 packet
 * ports and a uniform demand. LP_ENOMEM. */
LpErr lp_iteration_model(const LpIterationPublished *published, LpArena *arena,
                         LpIterationModel *out, LpDiag *diag) LP_MUST_USE;

#endif
