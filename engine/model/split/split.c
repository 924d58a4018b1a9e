/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs with plans, and what a plan makes of one. */
#include "model/split/split.h"

#include <stdio.h>
#include <string.h>

#include "base/fact.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/graph_internal.h"
#include "model/parallel/memory.h"
#include "model/parallel/times.h"

enum { NAME = 64, VALUE_BYTES = 2 };

/* ---- content ---- */

static uint64_t hash_split(const LpSplit *s) {
    const LpDecoder *m = &s->model;
    const uint32_t number[] = {
#define X(field, kind) m->field,
        LP_DECODER_KEYS(X)
#undef X
            s->plans};
    _Static_assert(sizeof *m == 17 * sizeof(uint32_t), "a further size belongs into the hash");
    uint64_t h = LP_HASH_INIT;
    for (size_t i = 0; i < LP_COUNTOF(number); i++)
        h = lp_hash_u64(h, number[i]);
    for (size_t i = 0; i < lp_machine_facts.facts; i++)
        h = lp_hash_f64(
            h, lp_fact_value(&lp_machine_facts, &lp_machine_facts.fact[i], &s->machine, NULL).real);
    for (uint32_t i = 0; i < s->plans; i++)
        h = lp_parallel_hash(h, &s->plan[i]);
    return lp_turning_hash(h, &s->turning);
}

static LpErr check_plans(const LpSplit *s, LpDiag *diag) {
    LpDiag inner;
    for (uint32_t i = 0; i < s->plans; i++) {
        LpErr err = lp_parallel_check(&s->model, &s->plan[i], &inner);
        if (err != LP_OK)
            return lp_fail(diag, err, "plan %u of %u: %s", (unsigned)i + 1, (unsigned)s->plans,
                           inner.text);
        if (s->plan[i].batch != s->plan[0].batch)
            return lp_fail(diag, LP_EINVAL,
                           "plan %u of %u has batch %u, plan 1 has %u: expected the same, since "
                           "steps of a job are of one batch",
                           (unsigned)i + 1, (unsigned)s->plans, (unsigned)s->plan[i].batch,
                           (unsigned)s->plan[0].batch);
    }
    return lp_machine_check(&s->machine, diag);
}

/* ---- the graph ---- */

/* One device, the whole batch, nothing computed again. */
static LpParallel alone(const LpSplit *s) {
    LpParallel plan = s->plan[0];
    plan.tensor = plan.pipeline = plan.data = plan.expert = plan.chunks = 1;
    plan.context = 1;
    plan.zero = 0;
    plan.recompute = LP_RECOMPUTE_NONE;
    plan.sequence = plan.overlap = false;
    return plan;
}

/* Embedding, layer or head of the model; op number from 1. */
static LpErr add_op(LpGraphBuilder *builder, const LpSplit *s, uint32_t number, const double *part,
                    const LpStepShape *shape, double rounds, LpDiag *diag) {
    const LpDecoder *m = &s->model;
    bool first = number == 1, last = number == m->layers + 2;
    char name[NAME];
    LpStepPart forward = first  ? LP_PART_EMBEDDING_FORWARD
                         : last ? LP_PART_HEAD_FORWARD
                                : LP_PART_FORWARD;
    LpStepPart backward = first  ? LP_PART_EMBEDDING_BACKWARD
                          : last ? LP_PART_HEAD_BACKWARD
                                 : LP_PART_BACKWARD;
    double table = lp_table_parameters(shape);
    double parameters = first  ? table + (m->rotary ? 0 : shape->s * shape->h)
                        : last ? (m->unbiased ? 1 : 2) * shape->h + (m->tied ? 0 : table)
                               : lp_layer_parameters(m, shape, number - 2);
    if (first)
        snprintf(name, sizeof name, "Embedding(%u, %u)", (unsigned)m->vocabulary,
                 (unsigned)m->hidden);
    else if (last)
        snprintf(name, sizeof name, "Head(%u, %u)", (unsigned)m->hidden, (unsigned)m->vocabulary);
    else
        snprintf(name, sizeof name, "Layer %u", (unsigned)number - 1);
    LpOp op = {.number = number,
               .forward = rounds * part[forward],
               .backward = rounds * part[backward],
               .activation = last ? 0 : rounds * VALUE_BYTES * shape->hidden_values,
               .parameters = VALUE_BYTES * parameters,
               .name = name};
    return lp_graph_builder_op(builder, &op, 0, 0, diag);
}

static LpErr fill(LpGraphBuilder *builder, const LpSplit *s, LpDiag *diag) {
    LpParallel plan = alone(s);
    LpStepShape shape = lp_step_shape(&s->model, &plan);
    double part[LP_PART_COUNT], rounds = lp_parallel_micro_batches(&plan);
    lp_part_times(&shape, &plan, &s->machine, part);
    for (uint32_t i = 1; i <= s->model.layers + 2; i++)
        LP_TRY(add_op(builder, s, i, part, &shape, rounds, diag));
    for (uint32_t i = 1; i < s->model.layers + 2; i++)
        LP_TRY(lp_graph_builder_edge(builder, i, i + 1, 0, 0, diag));
    lp_graph_builder_batch(builder, plan.batch);
    return LP_OK;
}

/* The graph keeps a copy in its own memory. */
static LpErr keep(LpGraph *graph, const char *device, const LpSplit *split) {
    LpArena *arena = ((LpGraphOwner *)graph)->arena;
    LpSplit *kept = lp_arena_alloc(arena, 1, sizeof *kept);
    LpParallel *plan = lp_arena_alloc(arena, split->plans, sizeof *plan);
    if (kept == NULL || plan == NULL)
        return LP_ENOMEM;
    memcpy(plan, split->plan, split->plans * sizeof *plan);
    *kept = *split;
    kept->plan = plan;
    graph->split = kept;
    graph->split_hash = hash_split(kept);
    for (uint32_t i = 0; i < kept->plans; i++)
        if (lp_parallel_devices(&plan[i]) > graph->split_servers)
            graph->split_servers = lp_parallel_devices(&plan[i]);
    graph->device = device;
    lp_graph_summarise(graph);
    return LP_OK;
}

LpErr lp_split_graph(const char *id, const char *file, const char *device, const LpSplit *split,
                     LpGraph **out, LpDiag *diag) {
    LP_TRY(check_plans(split, diag));
    LpGraphBuilder *builder = lp_graph_builder_new(id, file);
    LpGraph *graph = NULL;
    if (builder == NULL)
        return lp_fail_memory(diag, "a computation graph");
    LpErr err = fill(builder, split, diag);
    if (err == LP_OK)
        err = lp_graph_builder_finish(builder, &graph, diag);
    lp_graph_builder_free(builder);
    if (err == LP_OK && keep(graph, device, split) != LP_OK) {
        lp_graph_free(graph);
        err = lp_fail_memory(diag, "a computation graph");
    }
    if (err == LP_OK)
        *out = graph;
    return err;
}

/* ---- partitions ---- */

LpErr lp_split_check(const LpGraph *graph, const LpParallel *plan, LpDiag *diag) {
    LpDiag inner;
    uint32_t batch = graph->split->plan[0].batch;
    if (lp_parallel_check(&graph->split->model, plan, &inner) != LP_OK)
        return lp_fail(diag, LP_EREFUSED, "the plan does not fit graph %s: %s", graph->id,
                       inner.text);
    if (plan->batch != batch)
        return lp_fail(diag, LP_EREFUSED, "the plan has batch %u, graph %s has %u",
                       (unsigned)plan->batch, graph->id, (unsigned)batch);
    return LP_OK;
}

/* Works out, for one server's part, what it does in a step and what of the weights it has. */
static void cost_parts(LpPartition *p) {
    const LpSplit *s = p->graph->split;
    LpStepShape shape = lp_step_shape(&s->model, &p->plan);
    uint32_t n = p->graph->ops;
    double part[LP_PART_COUNT], rounds = lp_parallel_micro_batches(&p->plan);
    lp_part_times(&shape, &p->plan, &s->machine, part);
    for (uint32_t f = 0; f < n; f++) {
        bool first = f == 0, last = f + 1 == n;
        double backward = first  ? part[LP_PART_EMBEDDING_BACKWARD]
                          : last ? part[LP_PART_HEAD_BACKWARD]
                                 : part[LP_PART_RECOMPUTE] + part[LP_PART_BACKWARD];
        p->op_time[f] = rounds * (first  ? part[LP_PART_EMBEDDING_FORWARD]
                                  : last ? part[LP_PART_HEAD_FORWARD]
                                         : part[LP_PART_FORWARD]);
        p->op_time[n + f] = rounds * backward;
        p->op_parameters[f] = first || last
                                  ? p->graph->op[f].parameters / p->plan.tensor
                                  : VALUE_BYTES * lp_layer_parameters(&s->model, &shape, f - 1);
    }
}

LpErr lp_split_partition(const LpCut *cut, const LpParallel *plan, LpPartition **out,
                         LpDiag *diag) {
    LpPartition *p;
    LpCut bare = *cut;
    LP_TRY(lp_split_check(cut->graph, plan, diag));
    uint32_t *ways = lp_alloc(cut->graph->ops, sizeof *ways);
    if (ways == NULL)
        return lp_fail_memory(diag, "a partition");
    for (uint32_t f = 0; f < cut->graph->ops; f++)
        ways[f] = plan->tensor * lp_parallel_replicas(plan);
    bare.bare = true;
    bare.kind = LP_PARTITION_MODEL;
    LpErr err = lp_partition_build(&bare, ways, &p, diag);
    lp_free(ways);
    if (err != LP_OK)
        return err;
    p->planned = true;
    p->plan = *plan;
    lp_parallel_brief(plan, p->plan_text);
    p->degree = lp_parallel_devices(plan);
    cost_parts(p);
    p->sequential_time = lp_graph_sequential_time(p->graph);
    p->hash = lp_parallel_hash(p->hash, plan);
    *out = p;
    return LP_OK;
}
