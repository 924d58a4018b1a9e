/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A partitioned computation graph: every op (forward, then its backward twin) cut into parts, with
 * the dependencies between parts and the collectives that the cut makes necessary. Where the parts
 * run is not known here. Immutable; shared through the store. */
#ifndef LP_MODEL_PARTITION_H
#define LP_MODEL_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/fabric.h"
#include "model/graph.h"
#include "model/options.h"
#include "model/scenario.h"

/* How to cut. */
typedef struct LpCut {
    const LpGraph *graph;
    const LpOptions *options;
    LpPartitionKind kind;
    bool overlap;
    double min_op_time; /* s */
    uint64_t max_deps;
} LpCut;

/* Ways per forward op (file order, n entries) for a maximum degree >= 1; returns the partition
 * degree D, the largest of them. Published (mask option): need = nearest even number >=
 * ceil(time / min_op_time). Corrected: need = ceil(time / min_op_time); with `reserve` each split is
 * lowered to the largest divisor of D (semantics 4.1; corrected "reserve", "mask"). */
uint32_t lp_cut_ways(const LpCut *cut, uint32_t degree, uint32_t *ways);
/* Settles a policy's own ways (0 or more per op; 0 and 1 mean unsplit): published refuses odd ways,
 * corrected lowers to divisors of the largest. Errors: LP_EREFUSED naming the op. */
LpErr lp_cut_settle(const LpCut *cut, uint32_t *ways, uint32_t *degree, LpDiag *diag) LP_MUST_USE;

typedef enum LpDepKind {
    LP_DEP_DATA,  /* tensor or gradient */
    LP_DEP_SYNC,  /* weight sync between parts of one backward op (published mesh) */
    LP_DEP_ORDER  /* carries nothing */
} LpDepKind;

/* Collective over the servers of one op's parts. It needs all parts of its op (or, for an
 * all-gather before backward parts, all their inputs); see the kinds in corrected-semantics.md. */
typedef struct LpCollectiveTask {
    uint32_t op;       /* mirrored op index: < ops forward, >= ops backward */
    LpCollective kind; /* RS after forward parts, AG before backward parts, AR of weights */
    double bytes;
} LpCollectiveTask;

/* Mirrored op o: o < n is forward op o, n + o its backward twin (n = graph->ops). Parts of an op are
 * contiguous: part_begin[o] .. part_begin[o] + ways[o]. Part ids follow the node order of the
 * published partition (semantics 4.2): unsplit ops first in order, then split ops as they are cut.
 * Dependencies are sorted by tail part: those of part p are dep_begin[p] .. dep_begin[p + 1]. */
typedef struct LpPartition {
    const LpGraph *graph;
    LpPartitionKind kind;
    bool overlap;
    uint32_t ops;    /* 2n */
    uint32_t degree; /* D */
    uint32_t *ways;  /* ops */
    uint32_t parts;
    uint32_t *part_begin;  /* ops */
    uint32_t *part_op;     /* parts: mirrored op */
    double *part_time;     /* parts: s */
    double *part_memory;   /* parts: bytes as the published rule counts them (act + par) / ways */
    uint32_t deps;
    uint32_t *dep_begin;   /* parts + 1 */
    uint32_t *dep_head;    /* deps */
    double *dep_bytes;     /* deps */
    uint8_t *dep_kind;     /* deps: LpDepKind */
    uint32_t collectives;
    LpCollectiveTask *collective;
    double sequential_time; /* s, sum over parts in part order: published acceptance limit */
    double memory_sum, dep_sum; /* bytes: over parts, over dependencies in order */
    uint64_t hash;
} LpPartition;

/* ways: n entries as settled by lp_cut_ways or lp_cut_settle. *out is owned by the caller. Errors:
 * LP_ELIMIT when the cut would have more than max_deps dependencies (the sentence has both
 * numbers), LP_EREFUSED where the published simulator crashes (names the quirk), LP_ENOMEM.
 * O(parts + dependencies). */
LpErr lp_partition_build(const LpCut *cut, const uint32_t *ways, LpPartition **out,
                         LpDiag *diag) LP_MUST_USE;
void lp_partition_free(LpPartition *partition); /* NULL allowed */
/* Dependencies that a cut would have, exact, without building it. */
uint64_t lp_cut_count_deps(const LpCut *cut, const uint32_t *ways);

#endif
