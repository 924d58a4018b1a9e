/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of parameters, gradients and the optimiser's state a device holds, where the devices that
 * have the same parameters share them out among themselves (ZeRO: Rajbhandari et al., arXiv
 * 1910.02054, section 5), and what they send each other for it: docs/parallel.md, "Sharded state".
 */
#ifndef LP_MODEL_PARALLEL_SHARD_H
#define LP_MODEL_PARALLEL_SHARD_H

#include "model/parallel/machine.h"
#include "model/parallel/memory.h"

enum { LP_WEIGHT_BYTES = 2 }; /* of a parameter in the model's own precision */

typedef struct LpShardState {
    double parameters, gradients, optimiser; /* bytes */
} LpShardState;

/* State that a device of `stage` holds. What is sharded is whole for one layer (or end) at a time,
 * the largest. */
LpShardState lp_shard_state(const LpDecoder *model, const LpParallel *plan,
                            const LpMachine *machine, uint32_t stage);
/* Bytes of all three per parameter, without what is whole at a time. */
double lp_shard_bytes(const LpParallel *plan, const LpMachine *machine);

/* Bytes of whole tensors that a device of a stage sends once round the rings of its replicas in a
 * step, an all-reduce twice; 0 where nobody holds the same. */
double lp_shard_traffic(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                        uint32_t stage);
/* The same bytes apart: `experts` go round the devices that hold the same experts, `parameters`,
 * all others, round all replicas. */
LpUnit lp_shard_rounds(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                       uint32_t stage);
/* Parameters that a device of a stage updates: all of them, or its own shard. */
double lp_shard_updated(const LpDecoder *model, const LpParallel *plan, uint32_t stage);

#endif
