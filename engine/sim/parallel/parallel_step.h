/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One training step of a transformer under tensor, pipeline and data parallelism, timed by a real
 * schedule of its stages: docs/parallel.md. Pure arithmetic, the same bits on every machine. */
#ifndef LP_SIM_PARALLEL_STEP_H
#define LP_SIM_PARALLEL_STEP_H

#include "model/parallel/machine.h"
#include "model/parallel/ops.h"

/* Bytes that a device of one stage holds at its fullest. */
typedef struct LpStageMemory {
    double parameters, gradients, optimiser; /* of all its parameters */
    double activations;                      /* in flight, what is computed again included */
    double all;
} LpStageMemory;

/* Seconds, bytes, FLOP. */
typedef struct LpParallelStep {
    double step_time;      /* pipeline_time + tail_time */
    double pipeline_time;  /* until the last backward pass has ended */
    double tail_time;      /* the slowest stage's data and optimiser + embedding, or what of them is
                              not done beside backward passes */
    double data_time;      /* reducing the gradients outside passes, and gathering the weights after
                              the update, of the stage that needs most */
    double embedding_time; /* reducing those of a table that both ends hold */
    double optimiser_time;
    double wire_time;   /* of a message between stages, the slowest boundary; 0 for one stage */
    double gather_time; /* what its receiver gathers from its tensor group */
    double bubble;      /* share of the stages' time until pipeline_time that is no work */
    double parameters;  /* of a device, greatest stage */
    double activation_bytes; /* kept by layers, stage 0 at its fullest */
    double activation_peak;  /* with both ends and what is recomputed, the fullest stage */
    double
        state_bytes;   /* parameters with all state as the paper counts them, lp_paper_parameters */
    double held_bytes; /* state of all parameters + activation_peak, the fullest stage */
    double flops;      /* of the step, on all devices */
    double layer_activation;    /* kept by one layer per micro-batch */
    double part[LP_PART_COUNT]; /* times of one layer and of both ends, per micro-batch */
    uint32_t micro_batches;
    double data_bytes;    /* of whole tensors, once round the rings of a device's replicas, greatest
                             stage: lp_shard_traffic */
    double context_bytes; /* the same round the rings of context ways, mean over the stages */
    /* Times of a device, mean over the stages: arithmetic with the update, and collectives, gathers
     * and sends. What is missing to step_time is bubble; hidden_time of the communication is done
     * beside something else. */
    double computation_time, communication_time, hidden_time;
    LpStageMemory fullest; /* of the stage that holds most: its `all` is held_bytes */
} LpParallelStep;

/* Errors: those of lp_parallel_check and lp_machine_check, LP_ENOMEM. *out unchanged on failure.
 * O(pipeline * chunks * micro-batches). */
LpErr lp_parallel_step(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                       LpParallelStep *out, LpDiag *diag) LP_MUST_USE;

/* What the devices of each stage hold, out[pipeline]; the greatest `all` is held_bytes. Errors: as
 * lp_parallel_step. O(pipeline * chunks * micro-batches). */
LpErr lp_parallel_memory(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                         LpStageMemory *out, LpDiag *diag) LP_MUST_USE;

#endif
