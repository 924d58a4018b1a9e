/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sharded state: each level of ZeRO cuts one kind of it more. */
#include "model/parallel/shard.h"

/* Devices that hold the same parameters, and those that hold the same experts. */
typedef struct Replicas {
    double all, experts;
} Replicas;

static Replicas replicas_of(const LpParallel *plan) {
    uint32_t all = lp_parallel_replicas(plan), same = all / lp_parallel_expert(plan);
    return (Replicas){all, same > 0 ? same : 1};
}

static LpUnit stage_unit(const LpDecoder *model, const LpParallel *plan, uint32_t stage) {
    return (LpUnit){lp_stage_parameters(model, plan, stage),
                    lp_stage_expert_parameters(model, plan, stage)};
}

/* Parameters of a unit that are a device's own. */
static double own(LpUnit unit, Replicas r) {
    return (unit.parameters - unit.experts) / r.all + unit.experts / r.experts;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* Parameters of the stage's largest unit that are not a device's own: there while it is computed.
 */
static double others(const LpDecoder *model, const LpParallel *plan, uint32_t stage) {
    LpStepShape shape = lp_step_shape(model, plan);
    Replicas r = replicas_of(plan);
    double layers[2] = {0, 0}, most = 0;
    for (uint32_t kappa = 0; kappa < plan->chunks; kappa++) {
        double some[2];
        lp_chunk_layers(model, plan, kappa * plan->pipeline + stage, some);
        layers[0] += some[0];
        layers[1] += some[1];
    }
    const struct {
        bool there;
        LpUnit unit;
    } units[] = {
        {layers[0] > 0, lp_layer_unit(model, &shape, true)},
        {layers[1] > 0, lp_layer_unit(model, &shape, false)},
        {stage == 0, lp_embedding_unit(model, &shape)},
        {stage + 1 == plan->pipeline, lp_head_unit(model, plan, &shape)},
    };
    for (size_t i = 0; i < LP_COUNTOF(units); i++)
        if (units[i].there)
            most = larger(most, units[i].unit.parameters - own(units[i].unit, r));
    return most;
}

LpShardState lp_shard_state(const LpDecoder *model, const LpParallel *plan, const LpMachine *m,
                            uint32_t stage) {
    LpUnit unit = stage_unit(model, plan, stage);
    double all = unit.parameters, some = own(unit, replicas_of(plan));
    double cut = plan->zero >= 2 ? some + others(model, plan, stage) : all;
    return (LpShardState){
        .parameters = LP_WEIGHT_BYTES * (plan->zero >= 3 ? cut : all),
        .gradients = m->gradient_bytes * cut,
        .optimiser =
            (m->state_bytes - m->gradient_bytes - LP_WEIGHT_BYTES) * (plan->zero >= 1 ? some : all),
    };
}

double lp_shard_bytes(const LpParallel *plan, const LpMachine *m) {
    double n = lp_parallel_replicas(plan);
    double optimiser = m->state_bytes - m->gradient_bytes - LP_WEIGHT_BYTES;
    if (plan->zero == 0)
        return m->state_bytes;
    return LP_WEIGHT_BYTES / (plan->zero >= 3 ? n : 1) +
           m->gradient_bytes / (plan->zero >= 2 ? n : 1) + optimiser / n;
}

/* Gradients of every micro-batch are scattered from level 2 on, since nobody has room to add them
 * up; at level 3 weights are gathered for every pass, before that once after the update. */
static double round_bytes(const LpParallel *plan, const LpMachine *m) {
    double rounds = lp_parallel_micro_batches(plan), gradient = m->gradient_bytes;
    const double bytes[LP_ZERO_MOST + 1] = {2 * gradient, gradient + LP_WEIGHT_BYTES,
                                            rounds * gradient + LP_WEIGHT_BYTES,
                                            rounds * (gradient + 2 * LP_WEIGHT_BYTES)};
    return bytes[plan->zero];
}

LpUnit lp_shard_rounds(const LpDecoder *model, const LpParallel *plan, const LpMachine *m,
                       uint32_t stage) {
    LpUnit unit = stage_unit(model, plan, stage);
    Replicas r = replicas_of(plan);
    double bytes = round_bytes(plan, m);
    return (LpUnit){r.all > 1 ? bytes * (unit.parameters - unit.experts) : 0,
                    r.experts > 1 ? bytes * unit.experts : 0};
}

double lp_shard_traffic(const LpDecoder *model, const LpParallel *plan, const LpMachine *m,
                        uint32_t stage) {
    LpUnit rounds = lp_shard_rounds(model, plan, m, stage);
    return rounds.parameters + rounds.experts;
}

double lp_shard_updated(const LpDecoder *model, const LpParallel *plan, uint32_t stage) {
    LpUnit unit = stage_unit(model, plan, stage);
    return plan->zero == 0 ? unit.parameters : own(unit, replicas_of(plan));
}
