/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings and all-to-alls of a plan, group by group, as bytes between devices. */
#include "sim/parallel/sends.h"

#include <math.h>
#include <stdlib.h>

#include "model/parallel/shard.h"
#include "model/parallel/times.h"

typedef struct Sends {
    const LpDecoder *model;
    const LpParallel *plan;
    const LpMachine *machine;
    LpStepShape shape;
    bool pairs;
    double bytes;
    uint32_t *rank; /* devices of the group at hand */
    LpPlanSend *send;
    size_t count, cap;
} Sends;

/* Bytes of whole tensors that go round the groups of one stage in a step; of an all-to-all those
 * that a device holds. */
typedef struct StageBytes {
    double tensor, context, experts;
} StageBytes;

/* ---- one group ---- */

static LpErr add(Sends *s, uint32_t from, uint32_t to, double bytes) {
    void *items = s->send;
    LP_TRY(lp_grow(&items, &s->cap, s->count + 1, sizeof *s->send));
    s->send = items;
    s->send[s->count++] = (LpPlanSend){s->rank[from], s->rank[to], bytes};
    return LP_OK;
}

/* `bytes` once round a ring of whole tensors. */
static LpErr add_ring(Sends *s, uint32_t ranks, double packed, double bytes) {
    if (ranks < 2 || !(bytes > 0))
        return LP_OK;
    double each = bytes * (ranks - 1) / ranks;
    uint32_t in_node = (uint32_t)packed, nodes = (ranks + in_node - 1) / in_node;
    s->bytes += ranks * each;
    for (uint32_t r = 0; s->pairs && nodes > 1 && r < ranks; r++) {
        uint32_t node = r / in_node, next = (node + 1) % nodes;
        uint32_t here = node + 1 < nodes ? in_node : ranks - node * in_node;
        uint32_t there = next + 1 < nodes ? in_node : ranks - next * in_node;
        LP_TRY(add(s, r, next * in_node + r % in_node % there, each / here));
    }
    return LP_OK;
}

static LpErr add_all_to_all(Sends *s, uint32_t ranks, double packed, double bytes) {
    uint32_t in_node = (uint32_t)packed;
    if (ranks < 2 || !(bytes > 0))
        return LP_OK;
    s->bytes += bytes * (ranks - 1);
    for (uint32_t r = 0; s->pairs && r < ranks; r++)
        for (uint32_t o = 0; o < ranks; o++)
            if (r / in_node != o / in_node)
                LP_TRY(add(s, r, o, bytes / ranks));
    return LP_OK;
}

/* ---- bytes ---- */

static void add_part(const Sends *s, LpStepPart part, double times, StageBytes *sum) {
    LpStepOps ops;
    lp_step_ops(&s->shape, part, &ops);
    for (uint32_t i = 0; i < ops.count; i++) {
        double bytes = times * ops.op[i].bytes;
        switch (ops.op[i].kind) {
        case LP_STEP_MAT:
        case LP_STEP_VEC:
            break;
        case LP_STEP_ALL_REDUCE:
            sum->tensor += 2 * bytes;
            break;
        case LP_STEP_ALL_GATHER:
        case LP_STEP_REDUCE_SCATTER:
            sum->tensor += bytes;
            break;
        case LP_STEP_ALL_TO_ALL:
            sum->experts += bytes;
            break;
        case LP_STEP_CONTEXT_GATHER:
        case LP_STEP_CONTEXT_SCATTER:
            sum->context += bytes;
        }
    }
}

static StageBytes bytes_of(const Sends *s, uint32_t stage) {
    const LpParallel *plan = s->plan;
    double layers = 0, rounds = lp_parallel_micro_batches(plan);
    bool first = stage == 0, last = stage + 1 == plan->pipeline;
    StageBytes sum = {0};
    for (uint32_t kappa = 0; kappa < plan->chunks; kappa++)
        layers += lp_parallel_layers(s->model, plan, kappa * plan->pipeline + stage);
    for (int part = LP_PART_FORWARD; part < LP_PART_COUNT; part++) {
        bool embedding = part == LP_PART_EMBEDDING_FORWARD || part == LP_PART_EMBEDDING_BACKWARD;
        bool here = part <= LP_PART_BACKWARD || (embedding ? first : last);
        if (here)
            add_part(s, (LpStepPart)part, part <= LP_PART_BACKWARD ? rounds * layers : rounds,
                     &sum);
    }
    /* every chunk but the first one gets a message forward, every one but the last one back */
    sum.tensor +=
        rounds * (2.0 * plan->chunks - first - last) * lp_wire_gather_bytes(&s->shape, plan);
    return sum;
}

/* ---- groups of a stage ---- */

/* `ranks` ranks from `first` on, `apart` apart. */
static void line_up(Sends *s, uint32_t first, uint32_t apart, uint32_t ranks) {
    for (uint32_t r = 0; r < ranks; r++)
        s->rank[r] = first + r * apart;
}

static LpErr add_tensor_groups(Sends *s, uint32_t base, double bytes) {
    uint32_t t = s->plan->tensor;
    double packed = lp_ranks_in_node(t, 1, s->machine);
    for (uint32_t r = 0; r < lp_parallel_replicas(s->plan); r++) {
        line_up(s, base + r * t, 1, t);
        LP_TRY(add_ring(s, t, packed, bytes));
    }
    return LP_OK;
}

static LpErr add_context_groups(Sends *s, uint32_t base, double bytes) {
    uint32_t t = s->plan->tensor, context = lp_parallel_context(s->plan);
    double packed = lp_ranks_in_node(context, t, s->machine);
    for (uint32_t d = 0; d < s->plan->data; d++)
        for (uint32_t k = 0; k < t; k++) {
            line_up(s, base + d * context * t + k, t, context);
            LP_TRY(add_ring(s, context, packed, bytes));
        }
    return LP_OK;
}

/* Devices that hold the same parameters, and those that hold the same experts: every e-th data way,
 * with all context ways. */
static LpErr add_replica_groups(Sends *s, uint32_t base, LpUnit bytes) {
    uint32_t t = s->plan->tensor, context = lp_parallel_context(s->plan);
    uint32_t e = lp_parallel_expert(s->plan), ranks = lp_parallel_replicas(s->plan);
    uint32_t same = ranks / e;
    double packed = lp_ranks_in_node(ranks, t, s->machine);
    double packed_same = floor(packed * same / ranks);
    for (uint32_t k = 0; k < t; k++) {
        line_up(s, base + k, t, ranks);
        LP_TRY(add_ring(s, ranks, packed, bytes.parameters));
        for (uint32_t j = 0; j < e; j++) {
            for (uint32_t r = 0; r < same; r++)
                s->rank[r] = base + k + ((r / context * e + j) * context + r % context) * t;
            LP_TRY(add_ring(s, same, packed_same > 1 ? packed_same : 1, bytes.experts));
        }
    }
    return LP_OK;
}

/* The experts of a layer lie on e data ways in line. */
static LpErr add_expert_groups(Sends *s, uint32_t base, double bytes) {
    uint32_t apart = s->plan->tensor * lp_parallel_context(s->plan);
    uint32_t e = lp_parallel_expert(s->plan);
    double packed = lp_ranks_in_node(s->plan->data, apart, s->machine);
    for (uint32_t group = 0; group < s->plan->data / e; group++)
        for (uint32_t k = 0; k < apart; k++) {
            line_up(s, base + group * e * apart + k, apart, e);
            LP_TRY(add_all_to_all(s, e, packed < e ? packed : e, bytes));
        }
    return LP_OK;
}

/* Both ends of a pipeline add up the gradients of a table that they share. */
static LpErr add_ends(Sends *s, uint32_t stage_devices) {
    const LpParallel *plan = s->plan;
    double bytes = 2 * s->machine->gradient_bytes * lp_table_parameters(&s->shape);
    double packed = lp_parallel_devices(plan) <= s->machine->node ? 2 : 1;
    if (!s->model->tied || plan->pipeline < 2)
        return LP_OK;
    for (uint32_t k = 0; k < stage_devices; k++) {
        line_up(s, k, (plan->pipeline - 1) * stage_devices, 2);
        LP_TRY(add_ring(s, 2, packed, bytes));
    }
    return LP_OK;
}

static LpErr add_all(Sends *s) {
    uint32_t devices = s->plan->tensor * lp_parallel_replicas(s->plan);
    for (uint32_t i = 0; i < s->plan->pipeline; i++) {
        StageBytes bytes = bytes_of(s, i);
        uint32_t base = i * devices;
        LP_TRY(add_tensor_groups(s, base, bytes.tensor));
        LP_TRY(add_context_groups(s, base, bytes.context));
        LP_TRY(add_replica_groups(s, base, lp_shard_rounds(s->model, s->plan, s->machine, i)));
        LP_TRY(add_expert_groups(s, base, bytes.experts));
    }
    return add_ends(s, devices);
}

/* ---- all of them ---- */

static int by_pair(const void *x, const void *y) {
    const LpPlanSend *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes); /* sums in one order */
}

static void unite(Sends *s) {
    size_t kept = 0;
    if (s->count > 1)
        qsort(s->send, s->count, sizeof *s->send, by_pair);
    for (size_t i = 0; i < s->count; i++) {
        LpPlanSend *last = &s->send[kept > 0 ? kept - 1 : 0];
        if (kept > 0 && last->from == s->send[i].from && last->to == s->send[i].to)
            last->bytes += s->send[i].bytes;
        else
            s->send[kept++] = s->send[i];
    }
    s->count = kept;
}

static LpErr keep(const Sends *s, LpArena *arena, LpPlanSends *out) {
    LpPlanSend *send = NULL;
    if (s->count > 0 && (send = lp_arena_raw(arena, s->count, sizeof *send)) == NULL)
        return LP_ENOMEM;
    for (size_t i = 0; i < s->count; i++)
        send[i] = s->send[i];
    *out = (LpPlanSends){s->bytes, (uint32_t)s->count, send};
    return LP_OK;
}

LpErr lp_plan_sends(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    bool pairs, LpArena *arena, LpPlanSends *out) {
    uint32_t replicas = lp_parallel_replicas(plan), most = 2;
    most = plan->tensor > most ? plan->tensor : most;
    most = replicas > most ? replicas : most;
    Sends s = {.model = model,
               .plan = plan,
               .machine = machine,
               .shape = lp_step_shape(model, plan),
               .pairs = pairs,
               .rank = lp_alloc(most, sizeof *s.rank)};
    LpErr err = s.rank != NULL ? add_all(&s) : LP_ENOMEM;
    unite(&s);
    if (err == LP_OK)
        err = keep(&s, arena, out);
    lp_free(s.rank);
    lp_free(s.send);
    return err;
}
