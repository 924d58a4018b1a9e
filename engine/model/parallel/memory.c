/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters and activations of a device. */
#include "model/parallel/memory.h"

static double layer_matrices(const LpDecoder *m) {
    double h = m->hidden, f = m->ff;
    return 4 * h * h + 2 * h * f;
}

double lp_table_parameters(const LpStepShape *shape) {
    return shape->vocabulary * shape->h / shape->t;
}

double lp_stage_parameters(const LpDecoder *m, const LpParallel *p, uint32_t stage) {
    LpStepShape shape = lp_step_shape(m, p);
    double h = shape.h, t = shape.t, layers = 0, sum;
    for (uint32_t kappa = 0; kappa < p->chunks; kappa++)
        layers += lp_parallel_layers(m, p, kappa * p->pipeline + stage);
    sum = layers * (layer_matrices(m) / t + (3 * h + shape.f) / t + 6 * h);
    if (stage == 0)
        sum += lp_table_parameters(&shape) + shape.s * h;
    if (stage + 1 == p->pipeline)
        sum += 2 * h + (p->pipeline > 1 || !m->tied ? lp_table_parameters(&shape) : 0);
    return sum;
}

double lp_paper_parameters(const LpDecoder *m, const LpParallel *p) {
    return layer_matrices(m) * m->layers / ((double)p->tensor * p->pipeline);
}

/* Norm inputs 2 + 2, inputs of qkv and mlp1 2 + 2, two masks 1 + 1, on q devices; q, k, v and the
 * input of proj 8, inputs of gelu and mlp2 2 + 2, on t; of the attention matrix softmax output 2,
 * mask 1, dropout output 2. */
double lp_layer_activation(const LpStepShape *s, LpRecompute recompute) {
    double A = s->hidden_values;
    if (recompute == LP_RECOMPUTE_FULL)
        return 2 * A / s->q;
    return 10 * A / s->q + (8 * A + 4 * s->tokens * s->f) / s->t +
           (recompute == LP_RECOMPUTE_NONE ? 5 * s->score_values : 0);
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
        return 5 * s->score_values;
    case LP_RECOMPUTE_FULL:
        return lp_layer_activation(s, LP_RECOMPUTE_NONE);
    }
    return 0;
}
