/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the chunks of a model and of the messages between them. */
#include "sim/parallel/stages.h"

#include "base/mem.h"
#include "model/parallel/shard.h"
#include "model/parallel/times.h"

/* ---- sharded weights and gradients ---- */

/* A pass of a chunk, unit by unit: embedding, layers and head as they are there. */
typedef struct Pass {
    const LpParallel *plan;
    const LpMachine *machine;
    bool forward;
    double gather, scatter; /* bytes a parameter: before a unit, after it */
    double computing, sent; /* of all units so far */
    double together;        /* of all but the last, as far as they overlap */
    double before;          /* scatter of the unit before the last */
    double last;            /* computing of the last unit */
    double behind;          /* its scatter */
    bool any;
} Pass;

/* While a unit is computed the weights of the next one are gathered and the gradients of the one
 * before are scattered. */
static void add_unit(Pass *p, double computing, LpUnit unit) {
    double in = p->gather > 0
                    ? lp_replica_time(LP_STEP_ALL_GATHER, p->plan, unit, p->gather, p->machine)
                    : 0;
    double out = p->scatter > 0 ? lp_replica_time(LP_STEP_REDUCE_SCATTER, p->plan, unit, p->scatter,
                                                  p->machine)
                                : 0;
    double beside = in + p->before;
    p->computing += computing;
    p->sent += in + out;
    p->together += !p->any ? in : p->last > beside ? p->last : beside;
    p->before = p->behind;
    p->last = computing;
    p->behind = out;
    p->any = true;
}

/* How long a pass lasts beyond its computing. */
static double pass_extra(const Pass *p) {
    double end = p->last > p->before ? p->last : p->before;
    return p->plan->overlap ? p->together + end + p->behind - p->computing : p->sent;
}

/* Adds what travels in a pass of a chunk; `usual` is a layer's computing there. */
static void shard_pass(LpStages *s, Pass *p, const LpDecoder *model, const LpStepShape *shape,
                       uint32_t chunk, double *time) {
    uint32_t last = p->plan->pipeline * p->plan->chunks - 1;
    const double *part = s->part;
    double layers[2], layer = p->forward ? part[LP_PART_FORWARD]
                                         : part[LP_PART_RECOMPUTE] + part[LP_PART_BACKWARD];
    double embedding = part[p->forward ? LP_PART_EMBEDDING_FORWARD : LP_PART_EMBEDDING_BACKWARD];
    double head = part[p->forward ? LP_PART_HEAD_FORWARD : LP_PART_HEAD_BACKWARD];
    lp_chunk_layers(model, p->plan, chunk, layers);
    if (p->forward && chunk == 0)
        add_unit(p, embedding, lp_embedding_unit(model, shape));
    if (!p->forward && chunk == last)
        add_unit(p, head, lp_head_unit(model, p->plan, shape));
    for (int dense = p->forward ? 0 : 1, k = 0; k < 2; k++, dense = 1 - dense)
        for (double i = 0; i < layers[dense]; i++)
            add_unit(p, layer, lp_layer_unit(model, shape, dense == 0));
    if (p->forward && chunk == last)
        add_unit(p, head, lp_head_unit(model, p->plan, shape));
    if (!p->forward && chunk == 0)
        add_unit(p, embedding, lp_embedding_unit(model, shape));
    *time += pass_extra(p);
    s->hidden[chunk] += p->sent - pass_extra(p);
}

/* ---- chunks ---- */

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
                    .hidden = lp_alloc(chunks, sizeof(double)),
                    .wire = lp_alloc(plan->pipeline, sizeof(double))};
    if (s->forward == NULL || s->backward == NULL || s->hidden == NULL || s->wire == NULL)
        return lp_fail_memory(diag, "the stages of a pipeline");
    lp_part_times(&shape, plan, machine, s->part);
    s->gather = lp_wire_gather_time(&shape, plan, machine);
    for (uint32_t i = 0; i < chunks; i++)
        fill_chunk(s, model, plan, i);
    for (uint32_t i = 0; i < chunks && plan->zero >= 2; i++) {
        /* From level 2 on gradients are scattered after every backward pass, at level 3 weights are
         * gathered before every pass. */
        double gather = plan->zero >= 3 ? LP_WEIGHT_BYTES : 0;
        Pass there = {.plan = plan, .machine = machine, .forward = true, .gather = gather};
        Pass back = {
            .plan = plan, .machine = machine, .gather = gather, .scatter = machine->gradient_bytes};
        shard_pass(s, &there, model, &shape, i, &s->forward[i]);
        shard_pass(s, &back, model, &shape, i, &s->backward[i]);
    }
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
    lp_free(s->hidden);
    lp_free(s->wire);
    *s = (LpStages){0};
}
