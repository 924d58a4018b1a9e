/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the chunks of a model and of the messages between them. */
#include "sim/parallel/stages.h"

#include "base/mem.h"
#include "model/parallel/times.h"

static void fill_chunk(LpStages *s, const LpDecoder *model, const LpParallel *plan,
                       uint32_t chunk) {
    uint32_t last = plan->pipeline * plan->chunks - 1;
    double layers = lp_parallel_layers(model, plan, chunk);
    const double *part = s->part;
    s->forward[chunk] = layers * part[LP_PART_FORWARD] + (chunk > 0 ? s->gather : 0) +
                        (chunk == 0 ? part[LP_PART_EMBEDDING_FORWARD] : 0) +
                        (chunk == last ? part[LP_PART_HEAD_FORWARD] : 0);
    s->backward[chunk] = layers * (part[LP_PART_RECOMPUTE] + part[LP_PART_BACKWARD]) +
                         (chunk < last ? s->gather : 0) +
                         (chunk == 0 ? part[LP_PART_EMBEDDING_BACKWARD] : 0) +
                         (chunk == last ? part[LP_PART_HEAD_BACKWARD] : 0);
}

LpErr lp_stages_init(LpStages *s, const LpDecoder *model, const LpParallel *plan,
                     const LpMachine *machine, LpDiag *diag) {
    LpStepShape shape = lp_step_shape(model, plan);
    uint32_t chunks = plan->pipeline * plan->chunks;
    *s = (LpStages){.forward = lp_alloc(chunks, sizeof(double)),
                    .backward = lp_alloc(chunks, sizeof(double)),
                    .wire = lp_alloc(plan->pipeline, sizeof(double))};
    if (s->forward == NULL || s->backward == NULL || s->wire == NULL)
        return lp_fail_memory(diag, "the stages of a pipeline");
    lp_part_times(&shape, plan, machine, s->part);
    s->gather = lp_wire_gather_time(&shape, plan, machine);
    for (uint32_t i = 0; i < chunks; i++)
        fill_chunk(s, model, plan, i);
    for (uint32_t i = 0; i < plan->pipeline; i++)
        s->wire[i] = lp_wire_time(&shape, plan, machine, i);
    s->pipeline = (LpPipeline){.stages = plan->pipeline,
                               .chunks = plan->chunks,
                               .micro_batches = lp_parallel_micro_batches(plan),
                               .wait = plan->wait,
                               .forward = s->forward,
                               .backward = s->backward,
                               .wire = s->wire};
    return LP_OK;
}

void lp_stages_fini(LpStages *s) {
    lp_free(s->forward);
    lp_free(s->backward);
    lp_free(s->wire);
    *s = (LpStages){0};
}
