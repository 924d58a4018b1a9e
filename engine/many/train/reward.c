/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rewards by name. */
#include "many/train/reward.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "model/dist.h"

static const struct {
    const char *name;
    double sign;
} REWARDS[] = {
#define X(id, name, sign, doc) {name, sign},
    LP_REWARDS(X)
#undef X
};

const char *lp_reward_name(LpRewardKind kind) {
    return REWARDS[kind].name;
}

int lp_reward_find(const char *name) {
    for (int i = 0; i < LP_REWARD_COUNT; i++)
        if (strcmp(REWARDS[i].name, name) == 0)
            return i;
    return -1;
}

LpReward lp_reward_default(LpRewardKind kind) {
    return (LpReward){.kind = kind,
                      .success = 1,
                      .fail = -1,
                      .fail_factor = 1,
                      .blocking_weight = 1,
                      .normaliser_factor = 1,
                      .sign = REWARDS[kind].sign};
}

/* ---- scales ---- */

static void widen(LpRewardScale *scale, double least, double most) {
    if (least < scale->least_sequential)
        scale->least_sequential = least;
    if (most > scale->most_sequential)
        scale->most_sequential = most;
}

static void add_graph(LpRewardScale *scale, const LpContext *context, uint32_t graph,
                      double least_steps, double most_steps) {
    const LpGraph *g = context->scenario->graph[graph];
    double one = context->facts[graph].sequential_time;
    widen(scale, one * least_steps, one * most_steps);
    for (uint32_t i = 0; i < 2 * g->ops; i++) {
        const LpOp *op = &g->op[i / 2];
        double time = i % 2 == 0 ? op->forward : op->backward;
        double rate = time > 0 ? (op->activation + op->parameters) / time : 0;
        if (rate > scale->most_compute)
            scale->most_compute = rate;
    }
}

LpRewardScale lp_reward_scale(const LpContext *context) {
    const LpScenario *s = context->scenario;
    const LpGenerator *g = &s->generator;
    LpRewardScale scale = {.least_sequential = (double)INFINITY};
    double least, most;
    lp_dist_bounds(&g->steps, &least, &most);
    for (uint32_t i = 0; s->has_generator && i < g->graphs; i++)
        add_graph(&scale, context, g->graph[i], least, most);
    for (uint32_t i = 0; i < s->jobs; i++) {
        const LpJobSpec *job = &s->job[i];
        if (job->graph >= 0)
            add_graph(&scale, context, (uint32_t)job->graph, job->steps, job->steps);
        else
            widen(&scale, job->rigid_duration, job->rigid_duration);
    }
    scale.most_compute *= context->fabric.servers;
    scale.most_dep = context->fabric.servers * context->fabric.port_rate * context->fabric.channels;
    return scale;
}

/* ---- one decision ---- */

LpRewardStep lp_reward_step(const LpWorld *world, const LpContext *context, double until) {
    LpRewardStep step = {.seconds = until - lp_world_now(world)};
    if (!(step.seconds > 0) || isinf(step.seconds))
        return (LpRewardStep){0};
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        if (job->graph < 0 || !(job->forecast.jct > 0))
            continue;
        const LpGraphFacts *facts = &context->facts[job->graph];
        double f = step.seconds / job->forecast.jct;
        step.compute += job->forecast.part_memory * f;
        step.cluster += (job->forecast.part_memory + job->forecast.part_deps) * f;
        step.demand += (facts->memory_sum + facts->dep_sum) * f;
    }
    return step;
}

static double throughput(const LpReward *reward, const LpRewardScale *scale,
                         const LpRewardStep *step) {
    double bytes = reward->kind == LP_REWARD_COMPUTE_THROUGHPUT   ? step->compute
                   : reward->kind == LP_REWARD_CLUSTER_THROUGHPUT ? step->cluster
                                                                  : step->demand;
    double most = scale->most_compute;
    double value = step->seconds > 0 ? bytes / step->seconds : 0;
    if (reward->kind != LP_REWARD_COMPUTE_THROUGHPUT)
        most += scale->most_dep;
    return reward->normalise && most > 0 ? value / most : value;
}

/* Sequential JCT of the job as it was cut. */
static double cut_sequential(const LpJob *job) {
    return job->forecast.part_sequential > 0 ? job->forecast.part_sequential
                                             : job->asked.sequential_jct;
}

static double lookahead(const LpReward *reward, const LpJob *job, bool accepted) {
    double value = accepted ? job->forecast.jct : job->asked.sequential_jct * reward->fail_factor;
    double by =
        (accepted ? cut_sequential(job) : job->asked.sequential_jct) * reward->normaliser_factor;
    return reward->normalise && by > 0 ? value / by : value;
}

static double multi_objective(const LpReward *reward, const LpRewardScale *scale, const LpJob *job,
                              bool accepted) {
    double range = scale->most_sequential - scale->least_sequential;
    if (accepted)
        return cut_sequential(job) > 0 ? job->forecast.jct / cut_sequential(job) : 0;
    double length = range > 0 ? (job->asked.sequential_jct - scale->least_sequential) / range : 0;
    return reward->blocking_weight * (length + 1);
}

static double raw(const LpReward *reward, const LpRewardScale *scale, const LpRewardStep *step,
                  const LpJob *job) {
    bool accepted = job->outcome != LP_JOB_BLOCKED;
    switch (reward->kind) {
    case LP_REWARD_JOB_ACCEPTANCE:
        return accepted ? reward->success : reward->fail;
    case LP_REWARD_LOOKAHEAD_JCT:
        return lookahead(reward, job, accepted);
    case LP_REWARD_MULTI_OBJECTIVE:
        return multi_objective(reward, scale, job, accepted);
    default:
        return throughput(reward, scale, step);
    }
}

static double logarithm(double r) {
    double size = lp_num_log(1 + fabs(r)) / lp_num_log(10);
    return r < 0 ? -size : size;
}

double lp_reward_value(const LpReward *reward, const LpRewardScale *scale, const LpRewardStep *step,
                       const LpJob *job) {
    double r = raw(reward, scale, step, job);
    if (reward->inverse && r != 0)
        r = 1 / r;
    r *= reward->sign;
    if (reward->log)
        r = logarithm(r);
    return isfinite(r) ? r : 0;
}
