/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of collectives by algorithm, from the latency and rate of each hop, and who sends how much
 * to whom. For n members, m bytes, latency a and rate r of a hop, and g(m) seconds to add two
 * operands of m bytes:
 *
 * algorithm | reduce-scatter                  | all-gather            | all-reduce
 * ring      | (n-1)(a + m/n r) + g(m(n-1)/n)  | (n-1)(a + m/n r)      | both
 * tree      | reduce, then scatter            | gather, then broadcast| reduce, then broadcast
 * halving   | L a + m(n-1)/n r + g(m(n-1)/n)  | L a + m(n-1)/n r      | both
 *
 * where L = ceil(log2 n); reduce and broadcast take L (a + m/r), reduce also L g(m), scatter and
 * gather L a + m(n-1)/n r. Ring: Patarasuk and Yuan, J. Parallel Distrib. Comput. 69 (2009)
 * 117-124; binomial tree and recursive halving-doubling: Thakur, Rabenseifner and Gropp, Int. J.
 * High Perform. Comput. Appl. 19 (2005) 49-66. Hierarchical, groups of h members: a ring in each
 * group, rings across the groups over m/h bytes (the two-level scheme of Mikami et al., arXiv
 * 1811.05233). */
#ifndef LP_MODEL_FABRIC_COLLECTIVE_H
#define LP_MODEL_FABRIC_COLLECTIVE_H

#include <stdint.h>

typedef enum LpCollective { LP_REDUCE_SCATTER, LP_ALL_GATHER, LP_ALL_REDUCE } LpCollective;

typedef enum LpAlgorithm {
    LP_ALGORITHM_RING,
    LP_ALGORITHM_TREE,
    LP_ALGORITHM_HALVING, /* recursive halving and doubling */
    LP_ALGORITHM_HIERARCHICAL,
    LP_ALGORITHM_COUNT
} LpAlgorithm;

typedef struct LpHop {
    double latency; /* s */
    double rate;    /* bytes/s */
} LpHop;

/* Members in an order, with what lies between them. */
typedef struct LpCollectiveTeam {
    LpAlgorithm algorithm;
    uint32_t n; /* members, >= 1 */
    /* Hops; with hops == 1 all are equal, otherwise
     * - ring: n, hop i from member i to i + 1 (mod n);
     * - tree, halving: L = ceil(log2 n), hop i between partners of round i, who are 2^i apart
     *   (halving: among those who go on);
     * - hierarchical: 2, inside a group and across groups. */
    uint32_t hops;
    const LpHop *hop;
    uint32_t group;                /* hierarchical: members of a group; divides n */
    double peak, memory_bandwidth; /* of the adds, FLOP/s and bytes/s (lp_collective_adds) */
} LpCollectiveTeam;

/* Seconds of one collective over `bytes`; 0 for one member or no bytes. A step of a ring takes as
 * long as its slowest hop. With halving and n not a power of two, p = 2^floor(log2 n), the first
 * n - p pairs fold before (a + m/r + g(m)) and unfold after (a + m/r; reduce-scatter only a + m/n
 * r, all-gather folds with m/n), over hop 0 (Thakur et al., 4.4); then p members go on, in an
 * all-reduce with parts of m/p, else with parts of m/n of which a pair has two. */
double lp_collective_time(const LpCollectiveTeam *team, LpCollective op, double bytes);

/* What member `from` sends to member `to` during one collective. */
typedef struct LpSend {
    uint32_t from, to;
    double bytes;
} LpSend;

/* Sends that lp_collective_sends writes at most. */
uint32_t lp_collective_sends_max(const LpCollectiveTeam *team);
/* Every send of one collective, each ordered pair at most once; returns how many. Together ring,
 * hierarchical, and halving at powers of two send m (n-1) bytes each way. */
uint32_t lp_collective_sends(const LpCollectiveTeam *team, LpCollective op, double bytes,
                             LpSend *out);

#endif
