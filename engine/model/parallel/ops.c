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
                     .kv = m->kv_heads > 0 ? m->kv_heads : m->heads,
                     .kv_width = m->head_width > 0 ? m->head_width : (double)m->hidden / m->heads,
                     .q_rank = m->q_rank,
                     .kv_rank = m->kv_rank,
                     .rope = m->rope,
                     .gates = m->gated ? 2 : 1,
                     .experts = m->experts,
                     .active = m->experts > 0 ? m->active : 1,
                     .shared = m->shared,
                     .e = lp_parallel_expert(p),
                     .s = m->sequence,
                     .c = lp_parallel_context(p),
                     .b = p->micro_batch,
                     .own = (double)m->sequence / lp_parallel_context(p),
                     .vocabulary = padded(m->vocabulary, p->tensor),
                     .sequence = p->sequence && p->tensor > 1,
                     .recompute = p->recompute,
                     .attention = p->attention};
    s.tokens = s.own * s.b;
    s.k = s.kv_width + s.rope;
    s.hidden_values = s.tokens * s.h;
    s.ff_values = s.tokens * s.f / s.t;
    s.score_values = s.b * (s.a / s.t) * s.own * s.s;
    s.context_values = s.b * s.s * (s.kv_rank > 0 ? s.a : s.kv) / s.t * (s.k + s.kv_width);
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

/* The gradients of n weights. */
static void weights(LpStepOps *o, const char *name, double n, double m_rows, double n_columns,
                    double k_inner) {
    add(o, product(name, n, m_rows, n_columns, k_inner, true));
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

/* ---- attention ---- */

double lp_step_qkv(const LpStepShape *s) {
    return s->a * s->k + 2 * s->kv * s->k;
}

/* Each context way has the queries of its tokens, and needs the keys and values of all. */
static void context(LpStepOps *o, const LpStepShape *s, const char *name, LpStepOpKind kind) {
    if (s->c > 1)
        add(o, (LpStepOp){.name = name, .kind = kind, .bytes = VALUE * s->context_values});
}

/* Share of the scores that a fused kernel computes: with a causal mask it skips blocks of
 * which all is hidden (FlashAttention-2, arXiv 2307.08691, sections 3.1 and 3.3: blocks of 128,
 * and 1.7 to 1.8 times faster). */
static double seen(const LpStepShape *s) {
    static const double BLOCK = 128;
    if (s->attention != LP_ATTENTION_CAUSAL || s->s <= BLOCK)
        return 1;
    return (1 + BLOCK / s->s) / 2;
}

/* One kernel, products of `inner` values for each score, `bytes` of memory; rows of queries by
 * keys.
 */
static void fused(const LpStepShape *s, LpStepOps *o, const char *name, double inner,
                  double bytes) {
    LpStepOp op = product(name, s->b * s->a / s->t, s->own, s->s, inner * seen(s), false);
    op.bytes = bytes;
    add(o, op);
}

/* Queries and the result, or their gradients; and of every row the logarithm of its sum, fp32. */
static double query_bytes(const LpStepShape *s) {
    return VALUE * s->tokens * s->a / s->t * (s->k + s->kv_width);
}

static double row_bytes(const LpStepShape *s) {
    return SUM * s->tokens * s->a / s->t;
}

static void attention_core(const LpStepShape *s, LpStepOps *o) {
    const double S = s->score_values, n = s->b * s->a / s->t;
    context(o, s, "kv_gather", LP_STEP_CONTEXT_GATHER);
    if (s->attention != LP_ATTENTION_UNFUSED) {
        fused(s, o, "attention", s->k + s->kv_width,
              query_bytes(s) + VALUE * s->context_values + row_bytes(s));
        return;
    }
    mat(o, "scores", n, s->own, s->s, s->k);
    vec(o, "softmax", 5 * S, 4 * S); /* scale and mask fused */
    vec(o, "attn_dropout", S, 5 * S);
    mat(o, "context", n, s->own, s->kv_width, s->s);
}

/* Is the core computed once more before the backward part? A fused one keeps nothing that could be
 * left out. */
static bool core_again(const LpStepShape *s) {
    return s->recompute == LP_RECOMPUTE_SELECTIVE && s->attention == LP_ATTENTION_UNFUSED;
}

static void core_back(const LpStepShape *s, LpStepOps *o) {
    const double S = s->score_values, n = s->b * s->a / s->t;
    bool there = core_again(s) || s->recompute == LP_RECOMPUTE_FULL;
    if (!there)
        context(o, s, "b_kv_gather", LP_STEP_CONTEXT_GATHER);
    if (s->attention != LP_ATTENTION_UNFUSED) {
        /* Five products: the scores again, and gradients of probabilities, values, queries, keys.
         * Before them each row's sum of the result times its gradient. */
        double results = s->tokens * s->a / s->t * s->kv_width;
        vec(o, "b_attention_rows", 2 * results, 2 * VALUE * results + row_bytes(s));
        fused(s, o, "b_attention", 3 * s->k + 2 * s->kv_width,
              2 * query_bytes(s) + 2 * VALUE * s->context_values + 2 * row_bytes(s));
    } else {
        mat(o, "b_ctx_p", n, s->own, s->s, s->kv_width);
        mat(o, "b_ctx_v", n, s->s, s->kv_width, s->own);
        vec(o, "b_attn_dropout", S, 5 * S);
        vec(o, "b_softmax", 4 * S, 6 * S);
        mat(o, "b_score_q", n, s->own, s->k, s->s);
        mat(o, "b_score_k", n, s->s, s->k, s->own);
    }
    context(o, s, "b_kv_scatter", LP_STEP_CONTEXT_SCATTER);
}

/* Queries, keys and values; latent ones first go through narrow matrices, which every device of a
 * tensor group has whole. */
static void project(const LpStepShape *s, LpStepOps *o) {
    const double T = s->tokens, a = s->a / s->t;
    if (s->kv_rank <= 0) {
        mat(o, "qkv", 1, T, lp_step_qkv(s) / s->t, s->h);
        return;
    }
    mat(o, "q_down", 1, T, s->q_rank, s->h);
    mat(o, "q_up", 1, T, a * s->k, s->q_rank);
    mat(o, "kv_down", 1, T, s->kv_rank + s->rope, s->h);
    mat(o, "kv_up", 1, T, a * 2 * s->kv_width, s->kv_rank);
}

/* ---- the feed-forward part ---- */

/* n feed-forward parts of rows x h each: products, and the function between them. A gated one has
 * two matrices into it and one product more of values. */
static void ff_pass(const LpStepShape *s, LpStepOps *o, double n, double rows, double width,
                    const char *first, const char *function, const char *second) {
    double G = n * rows * width / s->t, more = s->gates - 1;
    mat(o, first, n, rows, s->gates * width / s->t, s->h);
    vec(o, function, (9 + more) * G, (4 + 2 * more) * G); /* bias fused */
    mat(o, second, n, rows, s->h, width / s->t);
}

static void all_to_all(LpStepOps *o, const LpStepShape *s, const char *name) {
    if (s->e > 1)
        add(o, (LpStepOp){.name = name,
                          .kind = LP_STEP_ALL_TO_ALL,
                          .bytes = VALUE * s->hidden_values * s->active / s->t});
}

/* Rows that arrive at an expert way came in pieces: each device of a tensor group needs all. */
static void regroup(LpStepOps *o, const LpStepShape *s, const char *name, LpStepOpKind kind) {
    if (s->e > 1 && s->t > 1)
        add(o,
            (LpStepOp){.name = name, .kind = kind, .bytes = VALUE * s->hidden_values * s->active});
}

/* The sums of a tensor group; where experts gave each device whole rows of its own tokens they only
 * have to be shared. */
static void join_ff(LpStepOps *o, const LpStepShape *s, const char *name) {
    bool whole = s->e > 1 && s->t > 1 && s->shared <= 0;
    if (!whole)
        join(o, s, name);
    else if (!s->sequence)
        add(o, (LpStepOp){
                   .name = name, .kind = LP_STEP_ALL_GATHER, .bytes = VALUE * s->hidden_values});
}

static void moe_forward(const LpStepShape *s, LpStepOps *o) {
    const double T = s->tokens, E = s->experts, D = s->hidden_values * s->active;
    mat(o, "router", 1, T, E, s->h);
    vec(o, "route", 5 * T * E, 4 * T * E);
    vec(o, "permute", 0, 4 * D);
    all_to_all(o, s, "dispatch");
    regroup(o, s, "dispatch_gather", LP_STEP_ALL_GATHER);
    ff_pass(s, o, E / s->e, T * s->active * s->e / E, s->f, "expert1", "expert_gelu", "expert2");
    regroup(o, s, "combine_sum", LP_STEP_REDUCE_SCATTER);
    all_to_all(o, s, "combine");
    vec(o, "unpermute", 2 * D, 2 * D + 2 * s->hidden_values);
    if (s->shared > 0)
        ff_pass(s, o, 1, T, s->shared * s->f, "mlp1", "gelu", "mlp2");
}

/* ---- a layer ---- */

static void layer_forward(const LpStepShape *s, LpStepOps *o) {
    const double A = s->hidden_values / s->q, T = s->tokens;
    const double h = s->h, t = s->t;
    vec(o, "ln1", 7 * A, 4 * A);
    gather(o, s, "ln1_gather");
    project(s, o);
    attention_core(s, o);
    mat(o, "proj", 1, T, h, s->a * s->kv_width / t);
    join(o, s, "proj_sum");
    vec(o, "drop_add1", 3 * A, 7 * A); /* bias, dropout, residual */
    vec(o, "ln2", 7 * A, 4 * A);
    gather(o, s, "ln2_gather");
    if (s->experts > 0)
        moe_forward(s, o);
    else
        ff_pass(s, o, 1, s->tokens, s->f, "mlp1", "gelu", "mlp2");
    join_ff(o, s, "mlp2_sum");
    vec(o, "drop_add2", 3 * A, 7 * A);
}

static void layer_recompute(const LpStepShape *s, LpStepOps *o) {
    if (core_again(s))
        attention_core(s, o);
    else if (s->recompute == LP_RECOMPUTE_FULL)
        layer_forward(s, o);
}

/* Back through ff_pass up to its input, in which `sum` adds up what the devices of a group have,
 * before the gradients of the first weights, as nothing waits for those. */
static void ff_back(const LpStepShape *s, LpStepOps *o, double n, double rows, double width,
                    const char *const *name) {
    double G = n * rows * width / s->t, more = s->gates - 1, w = s->gates * width / s->t;
    mat(o, name[0], n, rows, width / s->t, s->h);
    weights(o, name[1], n, width / s->t, s->h, rows);
    vec(o, name[2], (13 + 3 * more) * G, (6 + 4 * more) * G);
    if (name[5] != NULL)
        gather(o, s, name[5]); /* the input was kept cut */
    mat(o, name[3], n, rows, s->h, w);
    if (name[6] != NULL)
        join(o, s, name[6]);
    weights(o, name[4], n, s->h, w, rows);
}

static void moe_backward(const LpStepShape *s, LpStepOps *o) {
    static const char *const expert[] = {
        "b_expert2_x", "b_expert2_w", "b_expert_gelu", "b_expert1_x", "b_expert1_w", NULL, NULL};
    static const char *const shared[] = {"b_mlp2_x", "b_mlp2_w", "b_gelu", "b_mlp1_x",
                                         "b_mlp1_w", NULL,       NULL};
    const double T = s->tokens, E = s->experts, D = s->hidden_values * s->active;
    vec(o, "b_unpermute", 2 * D, 4 * D + 2 * s->hidden_values);
    all_to_all(o, s, "b_combine");
    regroup(o, s, "b_combine_gather", LP_STEP_ALL_GATHER);
    ff_back(s, o, E / s->e, T * s->active * s->e / E, s->f, expert);
    regroup(o, s, "b_dispatch_sum", LP_STEP_REDUCE_SCATTER);
    all_to_all(o, s, "b_dispatch");
    vec(o, "b_permute", D, 2 * D + 2 * s->hidden_values);
    gather(o, s, "b_mlp1_input");
    if (s->shared > 0)
        ff_back(s, o, 1, T, s->shared * s->f, shared);
    vec(o, "b_route", 4 * T * E, 6 * T * E);
    mat(o, "b_router_x", 1, T, s->h, E);
    join_ff(o, s, "b_mlp1_sum");
    weights(o, "b_router_w", 1, s->h, E, T);
}

static void backward_ff(const LpStepShape *s, LpStepOps *o) {
    static const char *const dense[] = {"b_mlp2_x", "b_mlp2_w",     "b_gelu",    "b_mlp1_x",
                                        "b_mlp1_w", "b_mlp1_input", "b_mlp1_sum"};
    const double A = s->hidden_values / s->q;
    vec(o, "b_drop2", 2 * A, 5 * A);
    gather(o, s, "b_mlp2_gather");
    if (s->experts > 0)
        moe_backward(s, o);
    else
        ff_back(s, o, 1, s->tokens, s->f, dense);
    vec(o, "b_ln2", 14 * A, 6 * A);
    vec(o, "b_ln2_w", 4 * A, 4 * A);
    vec(o, "b_add2", A, 6 * A);
}

/* Back to the input of queries, keys and values; its sum before the gradients of weights. */
static void back_project(const LpStepShape *s, LpStepOps *o) {
    const double T = s->tokens, h = s->h, a = s->a / s->t, wide = s->kv_rank + s->rope;
    if (s->kv_rank <= 0) {
        mat(o, "b_qkv_x", 1, T, h, lp_step_qkv(s) / s->t);
        join(o, s, "b_qkv_sum");
        weights(o, "b_qkv_w", 1, h, lp_step_qkv(s) / s->t, T);
        return;
    }
    mat(o, "b_kv_up_x", 1, T, s->kv_rank, a * 2 * s->kv_width);
    weights(o, "b_kv_up_w", 1, s->kv_rank, a * 2 * s->kv_width, T);
    mat(o, "b_q_up_x", 1, T, s->q_rank, a * s->k);
    weights(o, "b_q_up_w", 1, s->q_rank, a * s->k, T);
    mat(o, "b_kv_down_x", 1, T, h, wide);
    mat(o, "b_q_down_x", 1, T, h, s->q_rank);
    join(o, s, "b_qkv_sum");
    weights(o, "b_kv_down_w", 1, h, wide, T);
    weights(o, "b_q_down_w", 1, h, s->q_rank, T);
}

static void layer_backward(const LpStepShape *s, LpStepOps *o) {
    backward_ff(s, o);
    const double A = s->hidden_values / s->q, T = s->tokens;
    const double h = s->h, values = s->a * s->kv_width / s->t;
    vec(o, "b_drop1", 2 * A, 5 * A);
    gather(o, s, "b_proj_gather");
    mat(o, "b_proj_x", 1, T, values, h);
    weights(o, "b_proj_w", 1, values, h, T);
    core_back(s, o);
    gather(o, s, "b_qkv_input");
    back_project(s, o);
    vec(o, "b_ln1", 14 * A, 6 * A);
    vec(o, "b_ln1_w", 4 * A, 4 * A);
    vec(o, "b_add1", A, 6 * A);
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
    weights(o, "b_logits_w", 1, s->vocabulary / s->t, s->h, s->tokens);
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
    return sum * shape.t * lp_parallel_replicas(plan) * lp_parallel_micro_batches(plan);
}
