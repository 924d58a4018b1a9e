/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long operators, collectives and messages of a training step last: docs/parallel.md, "Times".
 * One operator after another, nothing overlaps. */
#ifndef LP_MODEL_PARALLEL_TIMES_H
#define LP_MODEL_PARALLEL_TIMES_H

#include "model/parallel/machine.h"
#include "model/parallel/memory.h"

/* A product of matrices with its waste: op_time + max(work / (peak * efficiency), bytes / reached
 * bandwidth), where the work is that of whole tiles in whole waves of all units, the better of both
 * orientations of a tile (NVIDIA, Matrix Multiplication Background User's Guide; that the better is
 * taken is ours). A vector operator: op_time + the longer of arithmetic and memory. */
double lp_step_compute_time(const LpStepOp *op, const LpMachine *machine);

/* `ranks` devices of which `packed` share a node: a ring (NVIDIA/nccl: base and hop latencies).
 * `bytes` are those of the whole tensor. 0 for one rank or no bytes. */
double lp_ring_time(LpStepOpKind kind, double ranks, double packed, double bytes,
                    const LpMachine *machine);

/* Of `ranks` that stand `apart` devices from each other, those that share a node. */
double lp_ranks_in_node(double ranks, double apart, const LpMachine *machine);

/* All ranks send to all: each has `bytes`, one part for each rank, and uses its links and its
 * network card at once. 0 for one rank or no bytes. */
double lp_all_to_all_time(double ranks, double packed, double bytes, const LpMachine *machine);

/* One collective of the parameters of `unit`, `bytes` each, among the devices that hold the same
 * ones: those of experts among the ways that hold the same experts, which stand in nodes of their
 * own. A share of the unit counts. */
double lp_replica_time(LpStepOpKind kind, const LpParallel *plan, LpUnit unit, double bytes,
                       const LpMachine *machine);
/* Reducing a share of a stage's gradients: an all-reduce, or where state is sharded (ZeRO) a
 * reduce-scatter. */
double lp_gradient_time(const LpDecoder *model, const LpParallel *plan, uint32_t stage,
                        double share, const LpMachine *machine);

/* All of a list, one after another, in groups of tensor, expert and context ways. */
double lp_step_ops_time(const LpStepOps *ops, const LpParallel *plan, const LpMachine *machine);

/* The message of one micro-batch over boundary i, between the stages i and i + 1 (the last: and 0):
 * each device of a tensor group sends its share. In a node where the first devices of both stages
 * share one, and the last devices do. */
double lp_wire_time(const LpStepShape *shape, const LpParallel *plan, const LpMachine *machine,
                    uint32_t boundary);
/* What a receiver without sequence parallelism then gathers from its tensor group. */
double lp_wire_gather_bytes(const LpStepShape *shape, const LpParallel *plan); /* of it all */
double lp_wire_gather_time(const LpStepShape *shape, const LpParallel *plan,
                           const LpMachine *machine);

/* Per part (LpStepPart) of a step. */
void lp_part_times(const LpStepShape *shape, const LpParallel *plan, const LpMachine *machine,
                   double out[LP_PART_COUNT]);

#endif
