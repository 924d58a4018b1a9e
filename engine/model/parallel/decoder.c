/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which plans fit a model. */
#include "model/parallel/decoder.h"

#include <inttypes.h>

typedef struct Size {
    const char *key;
    uint32_t value;
} Size;

static LpErr check_sizes(const Size *size, size_t count, LpDiag *diag) {
    for (size_t i = 0; i < count; i++)
        if (size[i].value < 1 || size[i].value > LP_PARALLEL_SIZE)
            return lp_fail(diag, LP_EINVAL,
                           "%s is %" PRIu32 ": expected a whole number from 1 to %d", size[i].key,
                           size[i].value, (int)LP_PARALLEL_SIZE);
    return LP_OK;
}

static LpErr check_divides(Size whole, Size part, LpDiag *diag) {
    if (whole.value % part.value == 0)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL, "%s is %" PRIu32 ": expected a multiple of %s, %" PRIu32,
                   whole.key, whole.value, part.key, part.value);
}

static LpErr check_attention(const LpDecoder *m, LpDiag *diag) {
    const uint32_t most = LP_PARALLEL_SIZE;
    if (m->kv_heads > m->heads || (m->kv_heads > 0 && m->heads % m->kv_heads != 0))
        return lp_fail(diag, LP_EINVAL,
                       "heads is %" PRIu32 ": expected a multiple of kv_heads, %" PRIu32, m->heads,
                       m->kv_heads);
    if (m->head_width > most || m->q_rank > most || m->kv_rank > most || m->rope > most)
        return lp_fail(diag, LP_EINVAL,
                       "head_width, q_rank, kv_rank and rope are %" PRIu32 ", %" PRIu32 ", %" PRIu32
                       " and %" PRIu32 ": expected at most %" PRIu32,
                       m->head_width, m->q_rank, m->kv_rank, m->rope, most);
    bool latent = m->q_rank > 0 && m->kv_rank > 0 && m->rope > 0;
    if (!latent && (m->q_rank > 0 || m->kv_rank > 0 || m->rope > 0))
        return lp_fail(diag, LP_EINVAL,
                       "q_rank, kv_rank and rope are %" PRIu32 ", %" PRIu32 " and %" PRIu32
                       ": expected all three or none",
                       m->q_rank, m->kv_rank, m->rope);
    return LP_OK;
}

static LpErr check_experts(const LpDecoder *m, LpDiag *diag) {
    const Size size[] = {{"experts", m->experts}, {"active", m->active}};
    if (m->experts == 0 && (m->active > 0 || m->shared > 0 || m->dense > 0 || m->dense_ff > 0))
        return lp_fail(
            diag, LP_EINVAL,
            "experts is 0: expected active, shared, dense and dense_ff only with experts");
    if (m->experts == 0)
        return LP_OK;
    LP_TRY(check_sizes(size, LP_COUNTOF(size), diag));
    if (m->active > m->experts || m->shared > m->experts)
        return lp_fail(diag, LP_EINVAL,
                       "experts is %" PRIu32 ", active %" PRIu32 " and shared %" PRIu32
                       ": expected no more of those than experts",
                       m->experts, m->active, m->shared);
    if (m->dense > m->layers || (m->dense > 0) != (m->dense_ff > 0) ||
        m->dense_ff > LP_PARALLEL_SIZE)
        return lp_fail(diag, LP_EINVAL,
                       "dense is %" PRIu32 " and dense_ff %" PRIu32
                       ": expected at most the %" PRIu32 " layers, and their width with them",
                       m->dense, m->dense_ff, m->layers);
    return LP_OK;
}

static LpErr check_model(const LpDecoder *m, LpDiag *diag) {
    const Size size[] = {
        {"hidden", m->hidden}, {"heads", m->heads},       {"layers", m->layers},
        {"ff", m->ff},         {"sequence", m->sequence}, {"vocabulary", m->vocabulary},
    };
    LP_TRY(check_sizes(size, LP_COUNTOF(size), diag));
    if (m->head_width == 0)
        LP_TRY(check_divides(size[0], size[1], diag));
    LP_TRY(check_attention(m, diag));
    return check_experts(m, diag);
}

static LpErr check_widths(const LpDecoder *m, const LpParallel *p, LpDiag *diag) {
    const Size tensor = {"tensor", p->tensor};
    const Size whole[] = {{"hidden", m->hidden},
                          {"ff", m->ff},
                          {"heads", m->heads},
                          {"kv_heads", m->kv_heads > 0 ? m->kv_heads : m->heads}};
    for (size_t i = 0; i < LP_COUNTOF(whole); i++)
        LP_TRY(check_divides(whole[i], tensor, diag));
    uint32_t own = m->sequence / lp_parallel_context(p);
    uint64_t tokens = (uint64_t)own * p->micro_batch;
    if (p->sequence && tokens % p->tensor != 0)
        return lp_fail(diag, LP_EINVAL,
                       "sequence parallelism cuts the %" PRIu32 " x %" PRIu32 " = %" PRIu64
                       " tokens of a micro-batch: expected a multiple of tensor, %" PRIu32,
                       own, p->micro_batch, tokens, p->tensor);
    return LP_OK;
}

/* Each context way computes two pieces of a sample, an early and a late one, so that a causal mask
 * leaves all of them the same work. */
static LpErr check_context(const LpDecoder *m, const LpParallel *p, LpDiag *diag) {
    uint64_t pieces = 2 * (uint64_t)lp_parallel_context(p);
    if (lp_parallel_context(p) > 1 && m->sequence % pieces != 0)
        return lp_fail(diag, LP_EINVAL,
                       "a sample has %" PRIu32
                       " tokens (sequence): expected a multiple of 2 x context, 2 x %" PRIu32
                       " = %" PRIu64,
                       m->sequence, p->context, pieces);
    return LP_OK;
}

static LpErr check_zero(const LpParallel *p, LpDiag *diag) {
    if (p->zero <= LP_ZERO_MOST)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL,
                   "zero is %" PRIu32 ": expected 0 (nothing is sharded), 1 (optimiser), 2 (and "
                   "gradients) or 3 (and parameters)",
                   p->zero);
}

static LpErr check_batch(const LpParallel *p, LpDiag *diag) {
    uint64_t round = (uint64_t)p->micro_batch * p->data;
    if (p->batch % round != 0)
        return lp_fail(diag, LP_EINVAL,
                       "batch is %" PRIu32 ": expected a multiple of micro_batch x data, %" PRIu32
                       " x %" PRIu32 " = %" PRIu64,
                       p->batch, p->micro_batch, p->data, round);
    return LP_OK;
}

static LpErr check_expert(const LpDecoder *m, const LpParallel *p, LpDiag *diag) {
    const Size expert = {"expert", lp_parallel_expert(p)};
    if (expert.value == 1)
        return LP_OK;
    if (m->experts == 0)
        return lp_fail(diag, LP_EINVAL, "expert is %" PRIu32 " and the model has no experts",
                       expert.value);
    LP_TRY(check_divides((Size){"experts", m->experts}, expert, diag));
    return check_divides((Size){"data", p->data}, expert, diag);
}

static LpErr check_chunks(const LpDecoder *m, const LpParallel *p, LpDiag *diag) {
    uint64_t parts = (uint64_t)p->pipeline * p->chunks;
    uint32_t micro = lp_parallel_micro_batches(p);
    if (p->chunks > 1 && p->pipeline == 1)
        return lp_fail(diag, LP_EINVAL, "chunks is %" PRIu32 " with pipeline 1: expected 1",
                       p->chunks);
    if (p->chunks > 1 && micro % p->pipeline != 0)
        return lp_fail(diag, LP_EINVAL,
                       "a step has %" PRIu32 " micro-batches: with chunks above 1, expected a "
                       "multiple of pipeline, %" PRIu32,
                       micro, p->pipeline);
    if (m->layers < parts)
        return lp_fail(diag, LP_EINVAL,
                       "layers is %" PRIu32 ": expected at least pipeline x chunks, %" PRIu32
                       " x %" PRIu32 " = %" PRIu64,
                       m->layers, p->pipeline, p->chunks, parts);
    return LP_OK;
}

/* After check_sizes a product of two sizes fits 64 bits, of three it need not. */
static LpErr check_limits(const LpParallel *p, LpDiag *diag) {
    double devices = (double)p->tensor * lp_parallel_context(p) * p->pipeline * p->data;
    double entries = (double)p->pipeline * p->chunks * lp_parallel_micro_batches(p);
    if (devices > LP_PARALLEL_DEVICES)
        return lp_fail(
            diag, LP_EINVAL, "tensor x %spipeline x data are %.0f devices: expected at most %d",
            lp_parallel_context(p) > 1 ? "context x " : "", devices, (int)LP_PARALLEL_DEVICES);
    if (entries > LP_PARALLEL_ENTRIES)
        return lp_fail(diag, LP_EINVAL,
                       "pipeline x chunks x micro-batches are %.0f forward passes of chunks: "
                       "expected at most %d",
                       entries, (int)LP_PARALLEL_ENTRIES);
    return LP_OK;
}

LpErr lp_parallel_check(const LpDecoder *model, const LpParallel *plan, LpDiag *diag) {
    const Size size[] = {
        {"expert", lp_parallel_expert(plan)},
        {"context", lp_parallel_context(plan)},
        {"tensor", plan->tensor},
        {"pipeline", plan->pipeline},
        {"data", plan->data},
        {"chunks", plan->chunks},
        {"micro_batch", plan->micro_batch},
        {"batch", plan->batch},
    };
    LP_TRY(check_model(model, diag));
    LP_TRY(check_sizes(size, LP_COUNTOF(size), diag));
    LP_TRY(check_context(model, plan, diag));
    LP_TRY(check_zero(plan, diag));
    LP_TRY(check_widths(model, plan, diag));
    LP_TRY(check_batch(plan, diag));
    LP_TRY(check_expert(model, plan, diag));
    LP_TRY(check_chunks(model, plan, diag));
    return check_limits(plan, diag);
}

uint32_t lp_parallel_expert(const LpParallel *plan) {
    return plan->expert > 0 ? plan->expert : 1;
}

uint32_t lp_parallel_context(const LpParallel *plan) {
    return plan->context > 0 ? plan->context : 1;
}

uint32_t lp_parallel_replicas(const LpParallel *plan) {
    double ways = (double)plan->data * lp_parallel_context(plan);
    return ways < UINT32_MAX ? (uint32_t)ways : UINT32_MAX;
}

uint32_t lp_parallel_micro_batches(const LpParallel *plan) {
    return (uint32_t)(plan->batch / ((uint64_t)plan->micro_batch * plan->data));
}

uint32_t lp_parallel_layers(const LpDecoder *model, const LpParallel *plan, uint32_t chunk) {
    uint32_t parts = plan->pipeline * plan->chunks;
    return model->layers / parts + (chunk < model->layers % parts ? 1 : 0);
}

uint32_t lp_parallel_stage(const LpDecoder *model, const LpParallel *plan, uint32_t part) {
    uint32_t chunks = plan->pipeline * plan->chunks, end = 1; /* past the layers so far */
    if (part == 0)
        return 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        end += lp_parallel_layers(model, plan, chunk);
        if (part < end)
            return chunk % plan->pipeline;
    }
    return plan->pipeline - 1;
}

uint32_t lp_parallel_devices(const LpParallel *plan) {
    double devices = (double)plan->tensor * lp_parallel_context(plan) * plan->pipeline * plan->data;
    return devices < UINT32_MAX ? (uint32_t)devices : UINT32_MAX;
}
