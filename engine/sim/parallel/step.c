/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step: times of the chunks, the schedule, what follows it, and what is held meanwhile. */
#include "sim/parallel/step.h"

#include "base/mem.h"
#include "model/parallel/memory.h"
#include "model/parallel/times.h"
#include "sim/parallel/stages.h"

/* What one step is worked out from. */
typedef struct Case {
    const LpDecoder *model;
    const LpParallel *plan;
    const LpMachine *machine;
    LpStepShape shape;
} Case;

/* ---- the parts of the answer ---- */

static void add_pipeline(LpParallelStep *out, const LpStages *s) {
    const LpPipeline *p = &s->pipeline;
    double work = 0;
    for (uint32_t i = 0; i < p->stages * p->chunks; i++)
        work += p->micro_batches * (s->forward[i] + s->backward[i]);
    out->bubble = 1 - work / (p->stages * out->pipeline_time);
    if (p->stages == 1) /* nothing is waited for; the rest is rounding */
        out->bubble = 0;
    /* the boundary from the last stage to the first is crossed between chunks only */
    uint32_t boundaries = p->stages == 1 ? 0 : p->chunks > 1 ? p->stages : p->stages - 1;
    for (uint32_t i = 0; i < boundaries; i++)
        if (s->wire[i] > out->wire_time)
            out->wire_time = s->wire[i];
}

/* Gradients are reduced and weights updated after the last backward pass: the slowest stage counts,
 * then both ends add up the gradients of the words. */
static void add_tail(LpParallelStep *out, const Case *c) {
    const LpMachine *m = c->machine;
    double longest = -1;
    for (uint32_t i = 0; i < c->plan->pipeline; i++) {
        double parameters = lp_stage_parameters(c->model, c->plan, i);
        double data = lp_gradient_time(c->model, c->plan, i, 1, m);
        double update = m->optimiser_bytes * parameters / (m->bandwidth * m->memory_efficiency);
        if (parameters > out->parameters)
            out->parameters = parameters;
        if (data + update > longest) {
            longest = data + update;
            out->data_time = data;
            out->optimiser_time = update;
        }
    }
    double devices = (double)c->plan->tensor * c->plan->pipeline * c->plan->data;
    if (c->model->tied && c->plan->pipeline > 1)
        out->embedding_time = lp_ring_time(LP_STEP_ALL_REDUCE, 2, devices <= m->node ? 2 : 1,
                                           m->gradient_bytes * lp_table_parameters(&c->shape), m);
    out->step_time =
        out->pipeline_time + (out->data_time + out->optimiser_time) + out->embedding_time;
}

/* Bytes of a parameter in the model's own precision. */
enum { VALUE_BYTES = 2 };

static LpStageMemory stage_memory(const Case *c, const LpPipeline *p, const double *weight,
                                  uint32_t stage) {
    const LpMachine *m = c->machine;
    double parameters = lp_stage_parameters(c->model, c->plan, stage);
    double held = lp_pipeline_held(p, stage, weight) + lp_recompute_activation(&c->shape);
    return (LpStageMemory){.parameters = VALUE_BYTES * parameters,
                           .gradients = m->gradient_bytes * parameters,
                           .optimiser =
                               (m->state_bytes - m->gradient_bytes - VALUE_BYTES) * parameters,
                           .activations = held,
                           .all = held + m->state_bytes * parameters};
}

/* Bytes that a chunk keeps per micro-batch, per chunk of the model. */
static void fill_weights(const Case *c, uint32_t chunks, double *weight) {
    double layer = lp_layer_activation(&c->shape, c->plan->recompute);
    for (uint32_t i = 0; i < chunks; i++)
        weight[i] = lp_parallel_layers(c->model, c->plan, i) * layer;
}

static void add_ends(const Case *c, uint32_t chunks, double *weight) {
    weight[0] += lp_embedding_activation(&c->shape);
    weight[chunks - 1] += lp_head_activation(&c->shape);
}

static void add_memory(LpParallelStep *out, const Case *c, const LpStages *s, double *weight) {
    const LpPipeline *p = &s->pipeline;
    uint32_t chunks = p->stages * p->chunks;
    out->layer_activation = lp_layer_activation(&c->shape, c->plan->recompute);
    fill_weights(c, chunks, weight);
    out->activation_bytes = lp_pipeline_held(p, 0, weight);
    add_ends(c, chunks, weight);
    for (uint32_t i = 0; i < p->stages; i++) {
        LpStageMemory held = stage_memory(c, p, weight, i);
        if (held.activations > out->activation_peak)
            out->activation_peak = held.activations;
        if (held.all > out->held_bytes) {
            out->held_bytes = held.all;
            out->fullest = held;
        }
    }
    out->state_bytes = c->machine->state_bytes * lp_paper_parameters(c->model, c->plan);
}

/* ---- what the time is spent on ---- */

/* Of one micro-batch through all layers and both ends: arithmetic alone. */
static double arithmetic(const Case *c) {
    double sum = 0;
    for (int part = 0; part < LP_PART_COUNT; part++) {
        LpStepOps ops;
        double time = 0;
        lp_step_ops(&c->shape, (LpStepPart)part, &ops);
        for (uint32_t i = 0; i < ops.count; i++)
            if (ops.op[i].kind == LP_STEP_MAT || ops.op[i].kind == LP_STEP_VEC)
                time += lp_step_compute_time(&ops.op[i], c->machine);
        sum += part <= LP_PART_BACKWARD ? c->model->layers * time : time;
    }
    return sum;
}

/* Sends of one micro-batch, there and back, over all boundaries between chunks. */
static double sends(const LpStages *s) {
    const LpPipeline *p = &s->pipeline;
    double sum = 0;
    for (uint32_t i = 0; i + 1 < p->stages * p->chunks && p->stages > 1; i++)
        sum += 2 * s->wire[i % p->stages];
    return sum;
}

static void add_shares(LpParallelStep *out, const Case *c, const LpStages *s) {
    const LpPipeline *p = &s->pipeline;
    double busy = 0, work = arithmetic(c);
    for (uint32_t i = 0; i < p->stages * p->chunks; i++)
        busy += s->forward[i] + s->backward[i];
    out->computation_time = p->micro_batches * work / p->stages + out->optimiser_time;
    out->communication_time = p->micro_batches * (busy - work + sends(s)) / p->stages +
                              out->data_time + out->embedding_time;
    if (out->communication_time < 0) /* rounding */
        out->communication_time = 0;
}

static LpErr work_out(LpParallelStep *out, const Case *c, LpStages *s, LpDiag *diag) {
    LP_TRY(lp_stages_init(s, c->model, c->plan, c->machine, diag));
    LP_TRY(lp_pipeline_run(&s->pipeline, NULL, NULL, &out->pipeline_time, diag));
    double *weight = lp_alloc(s->pipeline.stages * s->pipeline.chunks, sizeof *weight);
    if (weight == NULL)
        return lp_fail_memory(diag, "the stages of a pipeline");
    add_pipeline(out, s);
    add_tail(out, c);
    add_memory(out, c, s, weight);
    add_shares(out, c, s);
    lp_free(weight);
    out->gather_time = s->gather;
    out->flops = lp_parallel_flops(c->model, c->plan);
    out->micro_batches = s->pipeline.micro_batches;
    for (int i = 0; i < LP_PART_COUNT; i++)
        out->part[i] = s->part[i];
    return LP_OK;
}

LpErr lp_parallel_step(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                       LpParallelStep *out, LpDiag *diag) {
    LP_TRY(lp_parallel_check(model, plan, diag));
    LP_TRY(lp_machine_check(machine, diag));
    Case c = {model, plan, machine, lp_step_shape(model, plan)};
    LpParallelStep step = {0};
    LpStages stages = {0};
    LpErr err = work_out(&step, &c, &stages, diag);
    lp_stages_fini(&stages);
    if (err == LP_OK)
        *out = step;
    return err;
}

static LpErr list_memory(const Case *c, LpStages *s, LpStageMemory *out, LpDiag *diag) {
    LP_TRY(lp_stages_init(s, c->model, c->plan, c->machine, diag));
    uint32_t chunks = s->pipeline.stages * s->pipeline.chunks;
    double *weight = lp_alloc(chunks, sizeof *weight);
    if (weight == NULL)
        return lp_fail_memory(diag, "the stages of a pipeline");
    fill_weights(c, chunks, weight);
    add_ends(c, chunks, weight);
    for (uint32_t i = 0; i < s->pipeline.stages; i++)
        out[i] = stage_memory(c, &s->pipeline, weight, i);
    lp_free(weight);
    return LP_OK;
}

LpErr lp_parallel_memory(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                         LpStageMemory *out, LpDiag *diag) {
    LP_TRY(lp_parallel_check(model, plan, diag));
    LP_TRY(lp_machine_check(machine, diag));
    Case c = {model, plan, machine, lp_step_shape(model, plan)};
    LpStages stages = {0};
    LpErr err = list_memory(&c, &stages, out, diag);
    lp_stages_fini(&stages);
    return err;
}
