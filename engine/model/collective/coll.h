/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A collective on circuits that may turn between its steps. Servers 0..n-1 have ports of `rate`
 * each way; a circuit joins the output of one port to the input of another. In a step all servers
 * send along its ways, each a permutation of the servers, and the next step begins when it is over
 * everywhere. A turn changes all ports of all servers to another network, and nothing is sent
 * meanwhile. docs/collective-light.md says what is computed. Seconds, bytes, bytes/s. */
#ifndef LP_MODEL_COLLECTIVE_COLL_H
#define LP_MODEL_COLLECTIVE_COLL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* X(ID, "word", most servers, first op that it does, and all of them as bits) */
#define LP_COLL_ALGORITHM_TABLE(X)                                                                 \
    X(RING, "ring", 1024, ALL_REDUCE, LP_COLL_SUMS)                                                \
    X(HALVING, "halving", 1024, ALL_REDUCE, LP_COLL_SUMS)                                          \
    X(DOUBLING, "doubling", 1024, ALL_REDUCE, 1 << LP_COLL_ALL_REDUCE)                             \
    X(BRUCK, "bruck", 1024, ALL_TO_ALL, LP_COLL_SUMS | 1 << LP_COLL_ALL_TO_ALL)                    \
    X(TERNARY, "ternary", 1024, ALL_TO_ALL, 1 << LP_COLL_ALL_TO_ALL)                               \
    X(DIRECT, "direct", 256, ALL_TO_ALL, 1 << LP_COLL_ALL_TO_ALL)                                  \
    X(ROTATIONS, "rotations", 256, ALL_TO_ALL, 1 << LP_COLL_ALL_TO_ALL)                            \
    X(MATCHINGS, "matchings", 256, ALL_TO_ALL, 1 << LP_COLL_ALL_TO_ALL)

typedef enum LpCollAlgorithm {
#define X(id, word, most, first, ops) LP_COLL_##id,
    LP_COLL_ALGORITHM_TABLE(X)
#undef X
        LP_COLL_ALGORITHMS
} LpCollAlgorithm;

typedef enum LpCollOp {
    LP_COLL_ALL_REDUCE,
    LP_COLL_REDUCE_SCATTER,
    LP_COLL_ALL_GATHER,
    LP_COLL_ALL_TO_ALL,
    LP_COLL_OPS
} LpCollOp;
enum {
    LP_COLL_SUMS = 1 << LP_COLL_ALL_REDUCE | 1 << LP_COLL_REDUCE_SCATTER | 1 << LP_COLL_ALL_GATHER
};

/* Who meets whom first. */
typedef enum LpCollOrder { LP_COLL_NEAR, LP_COLL_FAR, LP_COLL_SWING, LP_COLL_ORDERS } LpCollOrder;

/* What is lit before the start. */
typedef enum LpCollBase { LP_COLL_BASE_RING, LP_COLL_BASE_TORUS, LP_COLL_BASE_NONE } LpCollBase;

enum { LP_COLL_SERVERS_MAX = 1024, LP_COLL_PORTS_MAX = 1024 };

typedef struct LpCollSpec {
    LpCollAlgorithm algorithm;
    LpCollOp op;
    LpCollOrder order;
    LpCollBase base;
    uint32_t side[2];    /* of a torus */
    uint32_t servers;    /* n, from 2 */
    uint32_t ports, fan; /* of a server, from 1; partners of rotations at a time */
    bool any;            /* may turn to the network of any step */
    double bytes;        /* of the whole vector; of an all-to-all, from each to each other server */
    double rate;         /* of a port */
    double start, hop;   /* to start a step, and for a hop */
    double adds;         /* bytes that a server adds a second; 0: that takes no time */
} LpCollSpec;

/* Words of the kinds, each list ending in NULL. */
const char *const *lp_coll_algorithm_words(void);
const char *const *lp_coll_op_words(void);
const char *const *lp_coll_order_words(void);
/* The op of an algorithm of which none is asked. */
LpCollOp lp_coll_first_op(LpCollAlgorithm algorithm);

/* LP_EINVAL names the key and the numbers that do not fit each other. */
LpErr lp_coll_check(const LpCollSpec *spec, LpDiag *diag) LP_MUST_USE;

/* One start, one hop, and the bytes that a server must send over all its ports: no choice on any
 * circuits is faster. */
double lp_coll_bound(const LpCollSpec *spec);

#endif
