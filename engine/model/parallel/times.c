/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of operators, rings and messages. */
#include "model/parallel/times.h"

#include <math.h>

#include "model/device/roofline.h"
#include "model/parallel/memory.h"

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

/* The ranks of a data group that share a node: they stand `tensor` devices apart. */
static double data_packed(const LpParallel *plan, const LpMachine *m) {
    return larger(1, smaller(plan->data, floor(m->node / plan->tensor)));
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

double lp_gradient_time(const LpDecoder *model, const LpParallel *plan, uint32_t stage,
                        double share, const LpMachine *m) {
    double all = lp_stage_parameters(model, plan, stage);
    double expert = lp_stage_expert_parameters(model, plan, stage), packed = data_packed(plan, m);
    double groups = floor(plan->data / (double)lp_parallel_expert(plan));
    return lp_ring_time(LP_STEP_ALL_REDUCE, plan->data, packed,
                        m->gradient_bytes * share * (all - expert), m) +
           lp_ring_time(LP_STEP_ALL_REDUCE, groups, larger(1, floor(packed * groups / plan->data)),
                        m->gradient_bytes * share * expert, m);
}

static double tensor_packed(const LpParallel *plan, const LpMachine *m) {
    return smaller(plan->tensor, m->node);
}

double lp_step_ops_time(const LpStepOps *ops, const LpParallel *plan, const LpMachine *m) {
    double sum = 0, packed = tensor_packed(plan, m);
    for (uint32_t i = 0; i < ops->count; i++) {
        const LpStepOp *op = &ops->op[i];
        if (op->kind <= LP_STEP_VEC)
            sum += lp_step_compute_time(op, m);
        else if (op->kind == LP_STEP_ALL_TO_ALL)
            sum += lp_all_to_all_time(lp_parallel_expert(plan), data_packed(plan, m), op->bytes, m);
        else
            sum += lp_ring_time(op->kind, plan->tensor, packed, op->bytes, m);
    }
    return sum;
}

static bool same_node(double a, double b, const LpMachine *m) {
    return floor(a / m->node) == floor(b / m->node);
}

/* Devices are numbered tensor first, then data, then stage. */
double lp_wire_time(const LpStepShape *shape, const LpParallel *plan, const LpMachine *m,
                    uint32_t boundary) {
    double stage = (double)plan->tensor * plan->data;
    double from = boundary * stage, to = (boundary + 1) % plan->pipeline * stage;
    double bytes = VALUE * shape->hidden_values / shape->t;
    bool inside = same_node(from, to, m) && same_node(from + stage - 1, to + stage - 1, m);
    return m->base_latency + (inside ? m->link_latency + bytes / m->link_rate
                                     : m->network_latency + bytes / m->network_rate);
}

double lp_wire_gather_time(const LpStepShape *shape, const LpParallel *plan, const LpMachine *m) {
    if (plan->pipeline == 1 || plan->sequence)
        return 0;
    return lp_ring_time(LP_STEP_ALL_GATHER, plan->tensor, tensor_packed(plan, m),
                        VALUE * shape->hidden_values, m);
}

void lp_part_times(const LpStepShape *shape, const LpParallel *plan, const LpMachine *m,
                   double out[LP_PART_COUNT]) {
    LpStepOps ops;
    for (int part = 0; part < LP_PART_COUNT; part++) {
        lp_step_ops(shape, (LpStepPart)part, &ops);
        out[part] = lp_step_ops_time(&ops, plan, m);
    }
}
