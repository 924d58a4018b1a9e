/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The computation graph of one training step as profiled: forward operations with their backward
 * twins' times, activation and parameter bytes, and the dependencies between them. Immutable once
 * built; shared by every world. */
#ifndef LP_MODEL_GRAPH_H
#define LP_MODEL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/cuts/kind.h"
#include "model/device/roofline.h"

/* One forward operation (and, by `backward`, its backward twin). Times in seconds, sizes in bytes.
 */
typedef struct LpOp {
    uint32_t number; /* 1..ops, the id in the profile */
    bool has_work;   /* times come from `work` through lp_graph_cost */
    double forward, backward;
    double activation; /* bytes of the output tensor(s), summed */
    double parameters;
    LpWork work;
    LpOpKind kind;    /* as stated, else by its name; stated in a finished graph */
    double channels;  /* of its output, heads of attention: what is cut evenly; 0: not known */
    bool to_loss;     /* its output goes to a loss that is no op of the graph */
    const char *name; /* description, e.g. "Conv2d(3, 64, ...)"; untrusted text */
} LpOp;

/* Ops are indexed 0..ops-1 in file order. Edges are in file order without duplicates. CSR lists:
 * successors of op u are succ[succ_begin[u] .. succ_begin[u+1]-1] in the order of u's edge lines;
 * predecessors are ordered by the file position of the predecessor. topo is Kahn's order: a FIFO
 * seeded with the ops without predecessors in file order, successors visited in list order. */
typedef struct LpGraph {
    const char *id; /* name in the scenario, e.g. "vgg16" */
    uint32_t ops, edges;
    LpOp *op;
    uint32_t *edge_src, *edge_dst; /* op indices */
    uint32_t *succ_begin, *succ;   /* ops + 1, edges */
    uint32_t *pred_begin, *pred;
    uint32_t *topo;       /* ops */
    uint32_t *by_number;  /* ops + 1: file index of op number i (entry 0 unused) */
    LpRates rates;        /* that times were computed at; device NULL: measured elsewhere */
    const char *device;   /* its name; NULL: measured elsewhere */
    uint32_t value_bytes; /* of a zoo model's tensors, 4 or 2; 0: not known. Says nothing of the
                           * rate of arithmetic, which is that of `rates`. */
    double batch;         /* samples per step, 0 when unknown */
    double forward_sum, backward_sum; /* seconds; sums in file order */
    double activation_sum, parameter_sum;
    uint64_t hash; /* of everything that matters to a simulation, times included, names excluded */
    /* Plans by which alone it is split (model/split/split.h), NULL: by degrees and kinds of ops. */
    const struct LpSplit *split;
    uint64_t split_hash;    /* of its content, or of its trace's */
    uint32_t split_servers; /* of its largest plan, or ranks of its trace */
    /* A recorded step, which is cut already (model/split/recorded.h); NULL: none. The graph's own.
     */
    struct LpStepTrace *trace;
    const struct LpTraceRules *trace_rules; /* of it */
} LpGraph;

/* Is it split as it says itself, by plans or as it was recorded, and not by any degree? */
static inline bool lp_graph_fixed(const LpGraph *graph) {
    return graph->split != NULL || graph->trace != NULL;
}

/* Builds a graph op by op. `line` and `col` (0 when there is no file) are where errors point. */
typedef struct LpGraphBuilder LpGraphBuilder;

/* file: name used in messages, copied; NULL for built-in graphs. NULL when out of memory. */
LpGraphBuilder *lp_graph_builder_new(const char *id, const char *file);
void lp_graph_builder_free(LpGraphBuilder *builder); /* NULL allowed */

/* Adds an op; the name is copied. Errors: LP_EINVAL for a number of 0 or used twice, for negative,
 * infinite or NaN times or sizes; LP_ELIMIT beyond LP_GRAPH_MAX_OPS. */
LpErr lp_graph_builder_op(LpGraphBuilder *builder, const LpOp *op, int line, int col,
                          LpDiag *diag) LP_MUST_USE;
/* Adds a dependency between op numbers (ops may be added later). A duplicate is dropped. Errors:
 * LP_EINVAL for a self-loop; LP_ELIMIT beyond LP_GRAPH_MAX_EDGES. */
LpErr lp_graph_builder_edge(LpGraphBuilder *builder, uint32_t src, uint32_t dst, int line, int col,
                            LpDiag *diag) LP_MUST_USE;
void lp_graph_builder_batch(LpGraphBuilder *builder, double batch);
/* Checks (numbers exactly 1..n, both ends of every edge exist, no cycle, at least one op) and makes
 * the graph, kinds of ops included; *out is owned by the caller (lp_graph_free). The builder can
 * then only be freed. Times of ops with work are 0 until lp_graph_cost. O(V + E). */
LpErr lp_graph_builder_finish(LpGraphBuilder *builder, LpGraph **out, LpDiag *diag) LP_MUST_USE;

enum { LP_GRAPH_MAX_OPS = 1 << 20, LP_GRAPH_MAX_EDGES = 1 << 22 };

void lp_graph_free(LpGraph *graph); /* NULL allowed */

/* Multiplies every stated (not work-derived) time by `factor` >= 0 (a profile's time unit). */
void lp_graph_scale_time(LpGraph *graph, double factor);
/* Computes the times of every op with work at these rates (lp_work_time). Ops without work keep
 * their stated times. Where an op has work, graph->rates and graph->device become those; the device
 * must outlive the graph. The rates must have passed lp_rates_check. O(V + E). */
void lp_graph_cost(LpGraph *graph, const LpRates *rates);

/* Does a part of this op take another time than its share of the op's: are its times worked out by
 * the size of products? */
bool lp_graph_sized(const LpGraph *graph, uint32_t op);
/* Seconds that a share of such an op takes, cut along `side` (lp_work_time). */
double lp_graph_part_time(const LpGraph *graph, uint32_t op, bool backward, double share,
                          LpSide side);

/* Unsplit time of one training step: forward and backward times of every op, seconds. The sum runs
 * over forward ops in file order, then backward ops in file order. */
double lp_graph_sequential_time(const LpGraph *graph);

#endif
