/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operators of a layer, of the embedding and of the head. */
#include "model/parallel/ops.h"

#include "base/assert.h"

enum { VALUE = 2, SUM = 4 }; /* bytes: of a value, of an accumulated gradient */

/* Megatron-LM pads the vocabulary so that each device gets a multiple of 128 words. */
static double padded(uint32_t vocabulary, uint32_t tensor) {
    uint64_t unit = 128 * (uint64_t)tensor;
    return (double)((vocabulary + unit - 1) / unit * unit);
}

LpStepShape lp_step_shape(const LpDecoder *m, const LpParallel *p) {
    LpStepShape s = {.t = p->tensor,
                     .q = p->sequence ? p->tensor : 1,
                     .h = m->hidden,
                     .f = m->ff,
                     .a = m->heads,
                     .k = (double)m->hidden / m->heads,
                     .s = m->sequence,
                     .b = p->micro_batch,
                     .tokens = (double)m->sequence * p->micro_batch,
                     .vocabulary = padded(m->vocabulary, p->tensor),
                     .sequence = p->sequence && p->tensor > 1,
                     .recompute = p->recompute};
    s.hidden_values = s.tokens * s.h;
    s.ff_values = s.tokens * s.f / s.t;
    s.score_values = s.b * (s.a / s.t) * s.s * s.s;
    s.logit_values = s.tokens * s.vocabulary / s.t;
    return s;
}

/* ---- single operators ---- */

/* n products of M x K by K x N. The gradient of a weight is added to an fp32 sum: read and written.
 */
static LpStepOp product(const char *name, double n, double m_rows, double n_columns, double k_inner,
                        bool gradient) {
    double result = gradient ? 2 * SUM : VALUE;
    return (LpStepOp){.name = name,
                      .kind = LP_STEP_MAT,
                      .n = n,
                      .m_rows = m_rows,
                      .n_columns = n_columns,
                      .k_inner = k_inner,
                      .flops = 2 * n * m_rows * n_columns * k_inner,
                      .bytes = n * (VALUE * (m_rows * k_inner + k_inner * n_columns) +
                                    result * m_rows * n_columns)};
}

static void add(LpStepOps *o, LpStepOp op) {
    LP_ASSERT(o->count < LP_STEP_OPS);
    o->op[o->count++] = op;
}

static void mat(LpStepOps *o, const char *name, double n, double m_rows, double n_columns,
                double k_inner) {
    add(o, product(name, n, m_rows, n_columns, k_inner, false));
}

/* The gradient of a weight. */
static void weight(LpStepOps *o, const char *name, double m_rows, double n_columns,
                   double k_inner) {
    add(o, product(name, 1, m_rows, n_columns, k_inner, true));
}

static void vec(LpStepOps *o, const char *name, double flops, double bytes) {
    add(o, (LpStepOp){.name = name, .kind = LP_STEP_VEC, .flops = flops, .bytes = bytes});
}

static void reduce(LpStepOps *o, const LpStepShape *s, const char *name, double bytes) {
    if (s->t > 1)
        add(o, (LpStepOp){.name = name, .kind = LP_STEP_ALL_REDUCE, .bytes = bytes});
}

/* Adds the partial sums of a tensor group: whole on every device, or with sequence parallelism each
 * device's own tokens. */
static void join(LpStepOps *o, const LpStepShape *s, const char *name) {
    double bytes = VALUE * s->hidden_values;
    if (s->sequence)
        add(o, (LpStepOp){.name = name, .kind = LP_STEP_REDUCE_SCATTER, .bytes = bytes});
    else
        reduce(o, s, name, bytes);
}

/* With sequence parallelism a product of matrices first needs all tokens. */
static void gather(LpStepOps *o, const LpStepShape *s, const char *name) {
    if (s->sequence)
        add(o, (LpStepOp){
                   .name = name, .kind = LP_STEP_ALL_GATHER, .bytes = VALUE * s->hidden_values});
}

/* ---- a layer ---- */

static void attention_core(const LpStepShape *s, LpStepOps *o) {
    const double S = s->score_values, n = s->b * s->a / s->t;
    mat(o, "scores", n, s->s, s->s, s->k);
    vec(o, "softmax", 5 * S, 4 * S); /* scale and mask fused */
    vec(o, "attn_dropout", S, 5 * S);
    mat(o, "context", n, s->s, s->k, s->s);
}

static void layer_forward(const LpStepShape *s, LpStepOps *o) {
    const double A = s->hidden_values / s->q, G = s->ff_values, T = s->tokens;
    const double h = s->h, f = s->f, t = s->t;
    vec(o, "ln1", 7 * A, 4 * A);
    gather(o, s, "ln1_gather");
    mat(o, "qkv", 1, T, 3 * h / t, h);
    attention_core(s, o);
    mat(o, "proj", 1, T, h, h / t);
    join(o, s, "proj_sum");
    vec(o, "drop_add1", 3 * A, 7 * A); /* bias, dropout, residual */
    vec(o, "ln2", 7 * A, 4 * A);
    gather(o, s, "ln2_gather");
    mat(o, "mlp1", 1, T, f / t, h);
    vec(o, "gelu", 9 * G, 4 * G); /* bias fused */
    mat(o, "mlp2", 1, T, h, f / t);
    join(o, s, "mlp2_sum");
    vec(o, "drop_add2", 3 * A, 7 * A);
}

static void layer_recompute(const LpStepShape *s, LpStepOps *o) {
    if (s->recompute == LP_RECOMPUTE_SELECTIVE)
        attention_core(s, o);
    else if (s->recompute == LP_RECOMPUTE_FULL)
        layer_forward(s, o);
}

static void backward_ff(const LpStepShape *s, LpStepOps *o) {
    const double A = s->hidden_values / s->q, G = s->ff_values, T = s->tokens;
    const double h = s->h, f = s->f, t = s->t;
    vec(o, "b_drop2", 2 * A, 5 * A);
    gather(o, s, "b_mlp2_gather");
    mat(o, "b_mlp2_x", 1, T, f / t, h);
    weight(o, "b_mlp2_w", f / t, h, T);
    vec(o, "b_gelu", 13 * G, 6 * G);
    gather(o, s, "b_mlp1_input"); /* it was kept cut */
    mat(o, "b_mlp1_x", 1, T, h, f / t);
    join(o, s, "b_mlp1_sum");
    weight(o, "b_mlp1_w", h, f / t, T);
    vec(o, "b_ln2", 14 * A, 6 * A);
    vec(o, "b_ln2_w", 4 * A, 4 * A);
    vec(o, "b_add2", A, 6 * A);
}

static void backward_attention(const LpStepShape *s, LpStepOps *o) {
    const double A = s->hidden_values / s->q, S = s->score_values, T = s->tokens;
    const double h = s->h, t = s->t, n = s->b * s->a / t;
    vec(o, "b_drop1", 2 * A, 5 * A);
    gather(o, s, "b_proj_gather");
    mat(o, "b_proj_x", 1, T, h / t, h);
    weight(o, "b_proj_w", h / t, h, T);
    mat(o, "b_ctx_p", n, s->s, s->s, s->k);
    mat(o, "b_ctx_v", n, s->s, s->k, s->s);
    vec(o, "b_attn_dropout", S, 5 * S);
    vec(o, "b_softmax", 4 * S, 6 * S);
    mat(o, "b_score_q", n, s->s, s->k, s->s);
    mat(o, "b_score_k", n, s->s, s->k, s->s);
    gather(o, s, "b_qkv_input");
    mat(o, "b_qkv_x", 1, T, h, 3 * h / t);
    join(o, s, "b_qkv_sum");
    weight(o, "b_qkv_w", h, 3 * h / t, T);
    vec(o, "b_ln1", 14 * A, 6 * A);
    vec(o, "b_ln1_w", 4 * A, 4 * A);
    vec(o, "b_add1", A, 6 * A);
}

static void layer_backward(const LpStepShape *s, LpStepOps *o) {
    backward_ff(s, o);
    backward_attention(s, o);
}

/* ---- both ends ---- */

static void embedding_forward(const LpStepShape *s, LpStepOps *o) {
    const double A = s->hidden_values;
    vec(o, "embedding", 0, 4 * A);
    join(o, s, "embedding_sum");
    vec(o, "embedding_drop", 2 * A / s->q, 7 * A / s->q);
}

static void embedding_backward(const LpStepShape *s, LpStepOps *o) {
    const double A = s->hidden_values;
    vec(o, "b_embedding_drop", A / s->q, 5 * A / s->q);
    gather(o, s, "b_embedding_gather");
    vec(o, "b_embedding", A, 10 * A); /* scattered in fp32 */
}

static void head_forward(const LpStepShape *s, LpStepOps *o) {
    const double A = s->hidden_values / s->q, Z = s->logit_values;
    vec(o, "final_ln", 7 * A, 4 * A);
    gather(o, s, "head_gather");
    mat(o, "logits", 1, s->tokens, s->vocabulary / s->t, s->h);
    /* to fp32, greatest, subtract, exponential, sum, divide */
    vec(o, "loss", 6 * Z, 38 * Z);
    reduce(o, s, "loss_greatest", SUM * s->tokens);
    reduce(o, s, "loss_sum", SUM * s->tokens);
    reduce(o, s, "loss_target", SUM * s->tokens);
}

static void head_backward(const LpStepShape *s, LpStepOps *o) {
    const double A = s->hidden_values / s->q, Z = s->logit_values;
    vec(o, "b_loss", 2 * Z, 14 * Z);
    gather(o, s, "b_head_gather");
    mat(o, "b_logits_x", 1, s->tokens, s->h, s->vocabulary / s->t);
    join(o, s, "b_head_sum");
    weight(o, "b_logits_w", s->vocabulary / s->t, s->h, s->tokens);
    vec(o, "b_final_ln", 14 * A, 6 * A);
    vec(o, "b_final_ln_w", 4 * A, 4 * A);
}

/* ---- parts ---- */

void lp_step_ops(const LpStepShape *shape, LpStepPart part, LpStepOps *out) {
    static void (*const write[LP_PART_COUNT])(const LpStepShape *, LpStepOps *) = {
        [LP_PART_FORWARD] = layer_forward,
        [LP_PART_RECOMPUTE] = layer_recompute,
        [LP_PART_BACKWARD] = layer_backward,
        [LP_PART_EMBEDDING_FORWARD] = embedding_forward,
        [LP_PART_EMBEDDING_BACKWARD] = embedding_backward,
        [LP_PART_HEAD_FORWARD] = head_forward,
        [LP_PART_HEAD_BACKWARD] = head_backward,
    };
    out->count = 0;
    write[part](shape, out);
}

static double flops_of(const LpStepOps *ops) {
    double sum = 0;
    for (uint32_t i = 0; i < ops->count; i++)
        if (ops->op[i].kind == LP_STEP_MAT)
            sum += ops->op[i].flops;
    return sum;
}

double lp_parallel_flops(const LpDecoder *model, const LpParallel *plan) {
    LpStepShape shape = lp_step_shape(model, plan);
    LpStepOps ops;
    double sum = 0;
    for (int part = 0; part < LP_PART_COUNT; part++) {
        lp_step_ops(&shape, (LpStepPart)part, &ops);
        sum += (part <= LP_PART_BACKWARD ? model->layers : 1) * flops_of(&ops);
    }
    return sum * shape.t * plan->data * lp_parallel_micro_batches(plan);
}
