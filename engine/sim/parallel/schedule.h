/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pipeline in time: what each stage does in which order, and when. 1F1B and interleaved 1F1B as
 * in Narayanan et al., arXiv 2104.04473, section 2.2; docs/parallel.md, "Schedules". */
#ifndef LP_SIM_PARALLEL_SCHEDULE_H
#define LP_SIM_PARALLEL_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* stages * chunks * micro_batches is at most LP_PARALLEL_ENTRIES; with chunks above 1 micro_batches
 * is a multiple of stages. Chunk c of the model (0 .. stages * chunks - 1) is on stage c mod
 * stages. */
typedef struct LpPipeline {
    uint32_t stages, chunks, micro_batches; /* chunks: per stage */
    bool wait;              /* a stage that sends is busy until the data have arrived */
    const double *forward;  /* s, per chunk of the model */
    const double *backward; /* s, per chunk of the model */
    const double *wire;     /* s, per boundary between stage i and i + 1 (the last: and 0) */
} LpPipeline;

typedef struct LpPipelineEntry {
    bool forward;
    uint32_t stage, chunk, micro_batch; /* chunk of the model */
    double start, end;                  /* s; 0 before the clock has run */
} LpPipelineEntry;

/* Entry k, 0 .. 2 * chunks * micro_batches - 1, of a stage, in its order. O(1). */
LpPipelineEntry lp_pipeline_entry(const LpPipeline *pipeline, uint32_t stage, uint32_t k);

/* Runs the clock: *end is when everything has ended. `visit` (NULL: nobody) is called for each
 * entry after its start and end are known, in the order of each stage. LP_ENOMEM. O(entries). */
LpErr lp_pipeline_run(const LpPipeline *pipeline,
                      void (*visit)(void *user, const LpPipelineEntry *entry), void *user,
                      double *end, LpDiag *diag) LP_MUST_USE;

/* Greatest sum, over the time of one stage, of weight[c] of the chunks that went forward and not
 * yet backward; weights are per chunk of the model. O(entries of the stage). */
double lp_pipeline_held(const LpPipeline *pipeline, uint32_t stage, const double *weight);

#endif
