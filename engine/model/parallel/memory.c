/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters and activations of a device. */
#include "model/parallel/memory.h"

enum { VALUE = 2 }; /* bytes */

/* Parameters of a layer by what cuts them: the ways of tensors, those and expert ways, nothing. */
typedef struct Layer {
    double cut, experts, whole;
} Layer;

/* Matrices of attention; narrow ones of latent attention are whole on every device. */
static Layer attention(const LpStepShape *s, bool biased) {
    double values = s->a * s->kv_width, h = s->h;
    if (s->kv_rank <= 0)
        return (Layer){.cut = (lp_step_qkv(s) + values) * h + (biased ? lp_step_qkv(s) : 0)};
    return (Layer){.cut =
                       s->q_rank * s->a * s->k + s->kv_rank * s->a * 2 * s->kv_width + values * h,
                   .whole = h * (s->q_rank + s->kv_rank + s->rope) + s->q_rank + s->kv_rank};
}

static Layer layer_of(const LpDecoder *m, const LpStepShape *s, bool dense) {
    bool biased = !m->unbiased, experts = m->experts > 0 && !dense;
    Layer layer = attention(s, biased);
    double f = m->experts > 0 && dense ? m->dense_ff : s->f, matrices = s->gates + 1;
    layer.whole += biased ? 6 * s->h : 2 * s->h; /* norms, biases of what is added up */
    if (!experts) {
        layer.cut += matrices * s->h * f + (biased ? s->gates * f : 0);
        return layer;
    }
    layer.experts = m->experts * matrices * s->h * f;
    layer.cut += m->shared * matrices * s->h * f;
    layer.whole += m->experts * s->h; /* the router */
    return layer;
}

void lp_chunk_layers(const LpDecoder *m, const LpParallel *p, uint32_t chunk, double out[2]) {
    uint32_t parts = p->pipeline * p->chunks, each = m->layers / parts, more = m->layers % parts;
    uint32_t begin = chunk * each + (chunk < more ? chunk : more);
    uint32_t count = lp_parallel_layers(m, p, chunk);
    uint32_t dense = m->dense > begin ? m->dense - begin : 0;
    out[0] = dense < count ? dense : count;
    out[1] = count - out[0];
}

static void stage_layers(const LpDecoder *m, const LpParallel *p, uint32_t stage, double out[2]) {
    out[0] = out[1] = 0;
    for (uint32_t kappa = 0; kappa < p->chunks; kappa++) {
        double some[2];
        lp_chunk_layers(m, p, kappa * p->pipeline + stage, some);
        out[0] += some[0];
        out[1] += some[1];
    }
}

static double of_device(const LpStepShape *s, const Layer *layer) {
    return layer->cut / s->t + layer->experts / (s->t * s->e) + layer->whole;
}

double lp_layer_parameters(const LpDecoder *m, const LpStepShape *s, uint32_t layer) {
    Layer of = layer_of(m, s, layer < m->dense);
    return of_device(s, &of);
}

double lp_table_parameters(const LpStepShape *shape) {
    return shape->vocabulary * shape->h / shape->t;
}

LpUnit lp_layer_unit(const LpDecoder *m, const LpStepShape *s, bool dense) {
    Layer of = layer_of(m, s, dense);
    return (LpUnit){of_device(s, &of), s->e > 1 ? of.experts / (s->t * s->e) : 0};
}

LpUnit lp_embedding_unit(const LpDecoder *m, const LpStepShape *s) {
    return (LpUnit){.parameters = lp_table_parameters(s) + (m->rotary ? 0 : s->s * s->h)};
}

LpUnit lp_head_unit(const LpDecoder *m, const LpParallel *p, const LpStepShape *s) {
    bool own = p->pipeline > 1 || !m->tied;
    return (LpUnit){.parameters =
                        (m->unbiased ? 1 : 2) * s->h + (own ? lp_table_parameters(s) : 0)};
}

double lp_stage_parameters(const LpDecoder *m, const LpParallel *p, uint32_t stage) {
    LpStepShape shape = lp_step_shape(m, p);
    Layer dense = layer_of(m, &shape, true), usual = layer_of(m, &shape, false);
    double layers[2], sum;
    stage_layers(m, p, stage, layers);
    sum = layers[0] * of_device(&shape, &dense) + layers[1] * of_device(&shape, &usual);
    if (stage == 0)
        sum += lp_embedding_unit(m, &shape).parameters;
    if (stage + 1 == p->pipeline)
        sum += lp_head_unit(m, p, &shape).parameters;
    return sum;
}

double lp_stage_expert_parameters(const LpDecoder *m, const LpParallel *p, uint32_t stage) {
    LpStepShape shape = lp_step_shape(m, p);
    double layers[2];
    if (shape.e <= 1)
        return 0;
    stage_layers(m, p, stage, layers);
    return layers[1] * layer_of(m, &shape, false).experts / (shape.t * shape.e);
}

double lp_paper_parameters(const LpDecoder *m, const LpParallel *p) {
    LpDecoder matrices = *m;
    matrices.unbiased = true; /* norms are left out below */
    LpStepShape s = lp_step_shape(&matrices, p);
    Layer dense = layer_of(&matrices, &s, true), usual = layer_of(&matrices, &s, false);
    dense.whole -= 2 * s.h;
    usual.whole -= 2 * s.h;
    return (m->dense * of_device(&s, &dense) + (m->layers - m->dense) * of_device(&s, &usual)) /
           p->pipeline;
}

/* ---- the model ---- */

static double count_model(const LpDecoder *m, double experts) {
    const LpParallel one = {.tensor = 1, .pipeline = 1, .data = 1, .chunks = 1, .micro_batch = 1};
    LpStepShape s = lp_step_shape(m, &one);
    Layer dense = layer_of(m, &s, true), usual = layer_of(m, &s, false);
    double tables = (m->tied ? 1 : 2) * (double)m->vocabulary * s.h;
    double places = m->rotary ? 0 : s.s * s.h, norm = (m->unbiased ? 1 : 2) * s.h;
    return m->dense * (dense.cut + dense.whole) +
           (m->layers - m->dense) * (usual.cut + usual.whole + experts * usual.experts) + tables +
           places + norm;
}

double lp_decoder_parameters(const LpDecoder *m) {
    return count_model(m, 1);
}

double lp_decoder_active(const LpDecoder *m) {
    return count_model(m, m->experts > 0 ? (double)m->active / m->experts : 1);
}

/* ---- activations ---- */

/* Queries, keys, values and the input of proj, and latent values. */
static double attention_values(const LpStepShape *s) {
    double own = s->a * (s->k + s->kv_width);
    double shared = s->kv_rank > 0 ? own : s->kv * (s->k + s->kv_width);
    return s->tokens * ((own + shared) / s->t + s->q_rank + s->kv_rank + s->rope);
}

/* Inputs and outputs of the function of the feed-forward part, and what experts are sent. */
static double ff_values(const LpStepShape *s) {
    double widths = s->active + s->shared, sent = s->experts > 0 ? s->active : 0;
    return s->tokens * ((s->gates + 1) * s->f * widths + sent * s->h) / s->t;
}

/* Bytes of an element of the attention matrix: softmax output 2, mask 1, dropout output 2; a fused
 * core keeps a fp32 sum for each row. */
static double core_values(const LpStepShape *s) {
    return s->attention == LP_ATTENTION_UNFUSED ? 5 * s->score_values : 4 * s->tokens * s->a / s->t;
}

/* Norm inputs 2 + 2, inputs of qkv and mlp1 2 + 2, two masks 1 + 1, on q devices; q, k, v and the
 * input of proj 8, inputs of gelu and mlp2 2 + 2, on t. */
double lp_layer_activation(const LpStepShape *s, LpRecompute recompute) {
    double A = s->hidden_values;
    bool core = recompute == LP_RECOMPUTE_NONE || s->attention != LP_ATTENTION_UNFUSED;
    if (recompute == LP_RECOMPUTE_FULL)
        return 2 * A / s->q;
    return 10 * A / s->q + VALUE * (attention_values(s) + ff_values(s)) +
           (core ? core_values(s) : 0);
}

double lp_embedding_activation(const LpStepShape *s) {
    return s->hidden_values / s->q;
}

double lp_head_activation(const LpStepShape *s) {
    return 4 * s->hidden_values / s->q + 4 * s->logit_values;
}

double lp_recompute_activation(const LpStepShape *s) {
    switch (s->recompute) {
    case LP_RECOMPUTE_NONE:
        break;
    case LP_RECOMPUTE_SELECTIVE:
        return s->attention == LP_ATTENTION_UNFUSED ? core_values(s) : 0;
    case LP_RECOMPUTE_FULL:
        return lp_layer_activation(s, LP_RECOMPUTE_NONE);
    }
    return 0;
}

/* Both whole; a device's own share of the first is among what is kept. */
double lp_context_activation(const LpStepShape *s) {
    return s->c > 1 ? VALUE * s->context_values * (2 - 1 / s->c) : 0;
}
