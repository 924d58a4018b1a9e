/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step: times of the chunks, the schedule, what follows it, and what is held meanwhile. */
#include "sim/parallel/parallel_step.h"

#include "base/mem.h"
#include "model/parallel/shard.h"
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

/* ---- after the passes of a stage ---- */

/* What a stage does outside its passes. */
typedef struct Tail {
    double reduce, update, gather;
} Tail;

static Tail tail_of(const Case *c, uint32_t stage) {
    const LpMachine *m = c->machine;
    const LpParallel *plan = c->plan;
    LpUnit unit = {lp_stage_parameters(c->model, plan, stage),
                   lp_stage_expert_parameters(c->model, plan, stage)};
    return (Tail){.reduce = plan->zero < 2 ? lp_gradient_time(c->model, plan, stage, 1, m) : 0,
                  .update = m->optimiser_bytes * lp_shard_updated(c->model, plan, stage) /
                            (m->bandwidth * m->memory_efficiency),
                  .gather =
                      plan->zero == 1 || plan->zero == 2
                          ? lp_replica_time(LP_STEP_ALL_GATHER, plan, unit, LP_WEIGHT_BYTES, m)
                          : 0};
}

/* When the gradients of each stage are reduced, where that begins while the last micro-batch is
 * still on its way back. */
typedef struct Buckets {
    const Case *c;
    const LpPipeline *pipeline;
    double *done;   /* per stage */
    double *bucket; /* per stage: of one layer's gradients */
} Buckets;

/* The last backward pass of a chunk is cut into its layers, all of the same time; after each the
 * gradients of one are ready, and go round as soon as those before them have: as `overlap full` of
 * docs/turning-light.md, 2, has it on rails. */
static void reduce_buckets(void *user, const LpPipelineEntry *e) {
    const Buckets *b = user;
    double *done = &b->done[e->stage], idle = e->end;
    if (b->pipeline->wait && e->stage > 0 && !e->forward)
        idle += b->pipeline->wire[e->stage - 1];
    if (!e->forward && e->micro_batch + 1 == b->pipeline->micro_batches) {
        uint32_t layers = lp_parallel_layers(b->c->model, b->c->plan, e->chunk);
        for (uint32_t k = 1; k <= layers; k++) {
            double ready = e->start + (e->end - e->start) * k / layers;
            *done = (ready > *done ? ready : *done) + b->bucket[e->stage];
        }
    }
    if (idle > *done)
        *done = idle;
}

/* Runs the schedule; done[] (of a plan that overlaps) is when a stage may update its weights. */
static LpErr run_schedule(const Case *c, const LpPipeline *p, double *done, double *end,
                          LpDiag *diag) {
    if (!c->plan->overlap)
        return lp_pipeline_run(p, NULL, NULL, end, diag);
    Buckets b = {
        .c = c, .pipeline = p, .done = done, .bucket = lp_alloc(p->stages, sizeof *b.bucket)};
    if (b.bucket == NULL)
        return lp_fail_memory(diag, "the stages of a pipeline");
    const LpParallel *plan = b.c->plan;
    for (uint32_t i = 0; i < plan->pipeline; i++) {
        double layers = 0;
        for (uint32_t kappa = 0; kappa < plan->chunks; kappa++)
            layers += lp_parallel_layers(b.c->model, plan, kappa * plan->pipeline + i);
        b.bucket[i] = tail_of(b.c, i).reduce / layers;
    }
    LpErr err = lp_pipeline_run(p, reduce_buckets, &b, end, diag);
    lp_free(b.bucket);
    return err;
}

/* Weights that others updated, as far as they are waited for: those of the first layer, and of the
 * others what does not arrive while the next step's first micro-batch goes forward. */
static double exposed_gather(const Case *c, const LpPipeline *p, uint32_t stage, double gather) {
    double forward = 0, layers = 0;
    for (uint32_t kappa = 0; kappa < p->chunks; kappa++) {
        uint32_t chunk = kappa * p->stages + stage;
        forward += p->forward[chunk];
        layers += lp_parallel_layers(c->model, c->plan, chunk);
    }
    double first = gather / layers, rest = gather - forward;
    return rest > first ? rest : first;
}

/* The slowest stage counts, then both ends add up the gradients of the words. */
static void add_tail(LpParallelStep *out, const Case *c, const LpPipeline *p, const double *done) {
    const LpMachine *m = c->machine;
    double longest = -1;
    for (uint32_t i = 0; i < c->plan->pipeline; i++) {
        double parameters = lp_stage_parameters(c->model, c->plan, i);
        double bytes = lp_shard_traffic(c->model, c->plan, m, i);
        Tail tail = tail_of(c, i);
        double data = tail.reduce + tail.gather, behind = data + tail.update;
        if (c->plan->overlap)
            behind =
                done[i] + tail.update + exposed_gather(c, p, i, tail.gather) - out->pipeline_time;
        if (parameters > out->parameters)
            out->parameters = parameters;
        if (bytes > out->data_bytes)
            out->data_bytes = bytes;
        if (i == 0 || behind > longest) {
            longest = behind;
            out->data_time = data;
            out->optimiser_time = tail.update;
        }
    }
    if (longest < 0) /* of an overlap: another stage still works */
        longest = 0;
    double devices = lp_parallel_devices(c->plan);
    if (c->model->tied && c->plan->pipeline > 1)
        out->embedding_time = lp_ring_time(LP_STEP_ALL_REDUCE, 2, devices <= m->node ? 2 : 1,
                                           m->gradient_bytes * lp_table_parameters(&c->shape), m);
    out->tail_time = longest + out->embedding_time;
    out->step_time = out->pipeline_time + longest + out->embedding_time;
}

/* ---- memory ---- */

static LpStageMemory stage_memory(const Case *c, const LpPipeline *p, const double *weight,
                                  uint32_t stage) {
    LpShardState state = lp_shard_state(c->model, c->plan, c->machine, stage);
    double held = lp_pipeline_held(p, stage, weight) + lp_recompute_activation(&c->shape) +
                  lp_context_activation(&c->shape);
    double all = c->plan->zero > 0
                     ? state.parameters + state.gradients + state.optimiser
                     : c->machine->state_bytes * lp_stage_parameters(c->model, c->plan, stage);
    return (LpStageMemory){.parameters = state.parameters,
                           .gradients = state.gradients,
                           .optimiser = state.optimiser,
                           .activations = held,
                           .all = held + all};
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
    out->state_bytes = lp_shard_bytes(c->plan, c->machine) * lp_paper_parameters(c->model, c->plan);
}

/* ---- what the time is spent on ---- */

/* s of arithmetic alone of one micro-batch through all layers and both ends. */
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

/* What travels beside computing, in passes and behind the first of the last ones. */
static void add_hidden(LpParallelStep *out, const LpStages *s) {
    const LpPipeline *p = &s->pipeline;
    double beside = 0, serial = out->data_time + out->optimiser_time + out->embedding_time;
    for (uint32_t i = 0; i < p->stages * p->chunks; i++)
        beside += s->hidden[i];
    beside = p->micro_batches * beside / p->stages;
    out->communication_time += beside;
    if (serial > out->tail_time)
        beside += serial - out->tail_time;
    out->hidden_time = beside < out->communication_time ? beside : out->communication_time;
}

/* Bytes of the rings of context ways, of one micro-batch through all layers. */
static double context_bytes(const Case *c) {
    double sum = 0;
    for (int part = 0; part <= LP_PART_BACKWARD; part++) {
        LpStepOps ops;
        lp_step_ops(&c->shape, (LpStepPart)part, &ops);
        for (uint32_t i = 0; i < ops.count; i++)
            if (ops.op[i].kind >= LP_STEP_CONTEXT_GATHER)
                sum += ops.op[i].bytes;
    }
    return c->model->layers * sum;
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
    add_hidden(out, s);
}

static LpErr work_out(LpParallelStep *out, const Case *c, LpStages *s, LpDiag *diag) {
    LP_TRY(lp_stages_init(s, c->model, c->plan, c->machine, diag));
    double *weight = lp_alloc(s->pipeline.stages * s->pipeline.chunks, sizeof *weight);
    if (weight == NULL)
        return lp_fail_memory(diag, "the stages of a pipeline");
    LpErr err = run_schedule(c, &s->pipeline, weight, &out->pipeline_time, diag);
    if (err != LP_OK) {
        lp_free(weight);
        return err;
    }
    add_pipeline(out, s);
    add_tail(out, c, &s->pipeline, weight);
    add_memory(out, c, s, weight);
    add_shares(out, c, s);
    lp_free(weight);
    out->gather_time = s->gather;
    out->flops = lp_parallel_flops(c->model, c->plan);
    out->micro_batches = s->pipeline.micro_batches;
    out->context_bytes = out->micro_batches * context_bytes(c) / c->plan->pipeline;
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
