/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A partitioned computation graph: every op (forward, then its backward twin) cut into parts, with
 * the dependencies between parts and the collectives that the cut makes necessary. Where the parts
 * run is not known here. Immutable; shared through the store. */
#ifndef LP_MODEL_PARTITION_H
#define LP_MODEL_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/fabric/fabric.h"
#include "model/graph.h"
#include "model/options.h"
#include "model/parallel/decoder.h"
#include "model/scenario.h"

/* How to cut. */
typedef struct LpCut {
    const LpGraph *graph;
    const LpOptions *options;
    LpPartitionKind kind;
    bool overlap, sequence;
    bool bare;          /* without collectives: for a plan (model/split), whose step has its own */
    bool reserve;       /* one block per job: splits are lowered to divisors of the largest */
    double min_op_time; /* s */
    uint64_t max_deps;
} LpCut;

/* Ways per forward op (file order, n entries) for a maximum degree >= 1; returns the partition
 * degree D, the largest of them. Published (mask option): need = nearest even number >=
 * ceil(time / min_op_time). Corrected: need = ceil(time / min_op_time); with `reserve` each split
 * is lowered to the largest divisor of D (semantics 4.1; corrected "reserve", "mask"). With the
 * kind tensor only ops of unknown kind have ways of their own; all others have D. */
uint32_t lp_cut_ways(const LpCut *cut, uint32_t degree, uint32_t *ways);
/* Settles a policy's own ways (0 or more per op; 0 and 1 mean unsplit): published refuses odd ways,
 * corrected lowers to divisors of the largest. Errors: LP_EREFUSED naming the op. */
LpErr lp_cut_settle(const LpCut *cut, uint32_t *ways, uint32_t *degree, LpDiag *diag) LP_MUST_USE;

typedef enum LpDepKind {
    LP_DEP_DATA, /* tensor or gradient */
    LP_DEP_SYNC, /* weight sync between parts of one backward op (published mesh) */
    LP_DEP_ORDER /* carries nothing */
} LpDepKind;

typedef enum LpCollectiveWhen {
    LP_WHEN_AFTER,  /* after the op's parts; what they send waits for it */
    LP_WHEN_BEFORE, /* before the op's parts, after all their inputs */
    LP_WHEN_ASIDE,  /* after the op's parts; nothing waits for it (weights) */
    LP_WHEN_BETWEEN /* after what arrives over the links that name it, before the parts there */
} LpCollectiveWhen;

/* Collective over the servers of one op's parts; see the kinds in docs/semantics.md. */
typedef struct LpCollectiveTask {
    uint32_t op; /* mirrored op index: < ops forward, >= ops backward */
    LpCollectiveWhen when;
    LpCollective kind; /* an all-to-all counts as an all-gather of one part's share */
    double bytes;
    double one_way; /* bytes that go round once: an all-reduce goes round twice */
} LpCollectiveTask;

/* A dependency between two ops of the mirrored graph; every pair of parts that exchange something
 * is one dependency between parts. */
typedef struct LpLink {
    uint32_t src, dst; /* mirrored ops */
    uint8_t kind;      /* LpDepKind */
    bool all_pairs;    /* every part to every part, `bytes` each (published); otherwise parts with
                          overlapping intervals, `bytes` times the overlap */
    uint32_t via;      /* collective (LP_WHEN_BETWEEN) before the head; LP_NO_INDEX */
    double bytes;
} LpLink;

/* Mirrored op o: o < n is forward op o, n + o its backward twin (n = graph->ops). Ops are taken in
 * `order`: the node order of the published partition (semantics 4.2), unsplit ops first, then split
 * ops as they are cut. Parts of an op are contiguous, numbered in that order: part_begin[o] ..
 * part_begin[o] + ways[o]. Dependencies between parts are not stored but enumerated (lp_link_next)
 * in edge order: parts in order, links in succ order, head parts ascending. */
typedef struct LpPartition {
    uint32_t id; /* for whoever keeps many of them; 0 as built */
    const LpGraph *graph;
    LpPartitionKind kind;
    bool overlap;
    bool planned;    /* made by a plan: op f has its parts on the servers of its stage */
    LpParallel plan; /* then this one, else zeros */
    char plan_text[LP_PARALLEL_TEXT]; /* lp_parallel_brief of it, "" without */
    uint32_t ops;                     /* 2n */
    uint32_t degree;                  /* D */
    uint32_t *ways;                   /* ops */
    uint32_t *order;                  /* ops */
    uint32_t parts;
    uint32_t *part_begin; /* ops */
    uint32_t *part_op;    /* parts: mirrored op */
    double *op_time;      /* ops: s, of ONE part */
    double *op_memory;    /* ops: bytes of one part as the published rule counts them */
    double *op_parameters, *op_output; /* forward ops: bytes on each server of the op */
    uint32_t links;
    LpLink *link;
    uint32_t *succ_begin, *succ; /* ops + 1: links by tail, in successor order */
    uint32_t *pred_begin, *pred; /* ops + 1: links by head, in predecessor order */
    uint32_t deps;               /* dependencies between parts, collectives not counted */
    uint32_t collectives;
    LpCollectiveTask *collective;
    double collective_bytes;    /* one way, over all of them */
    double sequential_time;     /* s, sum over parts in part order: published acceptance limit */
    double memory_sum, dep_sum; /* bytes: over parts, over dependencies in order */
    uint64_t hash;
} LpPartition;

/* Head parts that part `part` (0..ways-1) of the link's tail sends to: the first and one past the
 * last index of the head's parts (a mesh among parts of one op leaves out `part` itself). O(1). */
void lp_link_heads(const LpPartition *partition, const LpLink *link, uint32_t part, uint32_t *first,
                   uint32_t *end);
/* Bytes from tail part a to head part b. Equal shares of equal tensors are equal bits. */
double lp_link_bytes(const LpPartition *partition, const LpLink *link, uint32_t a, uint32_t b);

/* ways: n entries as settled by lp_cut_ways or lp_cut_settle. *out is owned by the caller. Errors:
 * LP_ELIMIT when the cut would have more than max_deps dependencies (the sentence has both
 * numbers), LP_EREFUSED where the published simulator crashes (names the quirk) or the kind tensor
 * is asked for under published rules that know no collectives, LP_ENOMEM.
 * O(parts + dependencies) time, O(ops + parts + links) space. */
LpErr lp_partition_build(const LpCut *cut, const uint32_t *ways, LpPartition **out,
                         LpDiag *diag) LP_MUST_USE;
void lp_partition_free(LpPartition *partition); /* NULL allowed */
/* Dependencies that a cut would have, exact, without building it. */
uint64_t lp_cut_count_deps(const LpCut *cut, const uint32_t *ways);

#endif
