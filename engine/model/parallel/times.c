/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of operators, rings and messages. */
#include "model/parallel/times.h"

#include <math.h>

#include "model/device/roofline.h"

enum { VALUE = 2 }; /* bytes */

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

/* ---- operators ---- */

static double tiled(const LpStepOp *op, const LpMachine *m, double x, double y) {
    return lp_tiled_flops(m->units, x, y, op->n, op->m_rows, op->n_columns, op->k_inner);
}

double lp_step_compute_time(const LpStepOp *op, const LpMachine *m) {
    double memory = op->bytes / (m->bandwidth * m->memory_efficiency), work;
    if (op->kind == LP_STEP_MAT)
        work = smaller(tiled(op, m, m->tile_long, m->tile_short),
                       tiled(op, m, m->tile_short, m->tile_long)) /
               (m->peak * m->matrix_efficiency);
    else
        work = op->flops / m->vector_peak;
    return m->op_time + larger(work, memory);
}

/* ---- communication ---- */

double lp_ring_time(LpStepOpKind kind, double ranks, double packed, double bytes,
                    const LpMachine *m) {
    if (ranks <= 1 || bytes <= 0)
        return 0;
    double nodes = ceil(ranks / packed);
    double rate = nodes <= 1 ? m->link_rate : smaller(m->link_rate, packed * m->network_rate);
    double once = (ranks - nodes) * m->link_latency + (nodes - 1) * m->network_latency +
                  bytes * (ranks - 1) / ranks / rate;
    return m->base_latency + (kind == LP_STEP_ALL_REDUCE ? 2 : 1) * once;
}

double lp_ranks_in_node(double ranks, double apart, const LpMachine *m) {
    return larger(1, smaller(ranks, floor(m->node / apart)));
}

/* Ranks in a node of the data ways alone: context ways stand between them. */
static double data_packed(const LpParallel *plan, const LpMachine *m) {
    return lp_ranks_in_node(plan->data, (double)plan->tensor * lp_parallel_context(plan), m);
}

double lp_all_to_all_time(double ranks, double packed, double bytes, const LpMachine *m) {
    double near = smaller(ranks, packed);
    if (ranks <= 1 || bytes <= 0)
        return 0;
    double inside = bytes * (near - 1) / ranks / m->link_rate;
    double outside = bytes * (ranks - near) / ranks / m->network_rate;
    return m->base_latency + (near < ranks ? m->network_latency : m->link_latency) +
           larger(inside, outside);
}

double lp_replica_time(LpStepOpKind kind, const LpParallel *plan, LpUnit unit, double bytes,
                       const LpMachine *m) {
    double ranks = lp_parallel_replicas(plan), packed = lp_ranks_in_node(ranks, plan->tensor, m);
    double groups = floor(ranks / (double)lp_parallel_expert(plan));
    return lp_ring_time(kind, ranks, packed, bytes * (unit.parameters - unit.experts), m) +
           lp_ring_time(kind, groups, larger(1, floor(packed * groups / ranks)),
                        bytes * unit.experts, m);
}

double lp_gradient_time(const LpDecoder *model, const LpParallel *plan, uint32_t stage,
                        double share, const LpMachine *m) {
    LpUnit all = {lp_stage_parameters(model, plan, stage),
                  lp_stage_expert_parameters(model, plan, stage)};
    return lp_replica_time(plan->zero == 0 ? LP_STEP_ALL_REDUCE : LP_STEP_REDUCE_SCATTER, plan, all,
                           m->gradient_bytes * share, m);
}

static double tensor_packed(const LpParallel *plan, const LpMachine *m) {
    return smaller(plan->tensor, m->node);
}

static double op_time(const LpStepOp *op, const LpParallel *plan, const LpMachine *m) {
    double context = lp_parallel_context(plan);
    switch (op->kind) {
    case LP_STEP_MAT:
    case LP_STEP_VEC:
        return lp_step_compute_time(op, m);
    case LP_STEP_ALL_TO_ALL:
        return lp_all_to_all_time(lp_parallel_expert(plan), data_packed(plan, m), op->bytes, m);
    case LP_STEP_CONTEXT_GATHER:
    case LP_STEP_CONTEXT_SCATTER:
        return lp_ring_time(op->kind, context, lp_ranks_in_node(context, plan->tensor, m),
                            op->bytes, m);
    case LP_STEP_ALL_GATHER:
    case LP_STEP_REDUCE_SCATTER:
    case LP_STEP_ALL_REDUCE:
        break;
    }
    return lp_ring_time(op->kind, plan->tensor, tensor_packed(plan, m), op->bytes, m);
}

double lp_step_ops_time(const LpStepOps *ops, const LpParallel *plan, const LpMachine *m) {
    double sum = 0;
    for (uint32_t i = 0; i < ops->count; i++)
        sum += op_time(&ops->op[i], plan, m);
    return sum;
}

static bool same_node(double a, double b, const LpMachine *m) {
    return floor(a / m->node) == floor(b / m->node);
}

/* Devices are numbered tensor first, then context, data, stage. */
double lp_wire_time(const LpStepShape *shape, const LpParallel *plan, const LpMachine *m,
                    uint32_t boundary) {
    double stage = (double)plan->tensor * lp_parallel_replicas(plan);
    double from = boundary * stage, to = (boundary + 1) % plan->pipeline * stage;
    double bytes = VALUE * shape->hidden_values / shape->t;
    bool inside = same_node(from, to, m) && same_node(from + stage - 1, to + stage - 1, m);
    return m->base_latency + (inside ? m->link_latency + bytes / m->link_rate
                                     : m->network_latency + bytes / m->network_rate);
}

double lp_wire_gather_bytes(const LpStepShape *shape, const LpParallel *plan) {
    return plan->pipeline == 1 || plan->sequence ? 0 : VALUE * shape->hidden_values;
}

double lp_wire_gather_time(const LpStepShape *shape, const LpParallel *plan, const LpMachine *m) {
    return lp_ring_time(LP_STEP_ALL_GATHER, plan->tensor, tensor_packed(plan, m),
                        lp_wire_gather_bytes(shape, plan), m);
}

void lp_part_times(const LpStepShape *shape, const LpParallel *plan, const LpMachine *m,
                   double out[LP_PART_COUNT]) {
    LpStepOps ops;
    for (int part = 0; part < LP_PART_COUNT; part++) {
        lp_step_ops(shape, (LpStepPart)part, &ops);
        out[part] = lp_step_ops_time(&ops, plan, m);
    }
}
