/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published episode statistics under their published names (semantics 9.5), as one table. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "sim/facts/metrics.h"

typedef struct Episode {
    const LpWorld *world;
    const LpContext *context;
    const LpPublishedSums *sums;
    const LpTally *tally;
    double time;
} Episode;

typedef double (*Scalar)(const Episode *e);
typedef double (*PerJob)(const Episode *e, const LpJob *job);

static double ratio(double part, double whole) {
    return part != 0 && whole != 0 ? part / whole : 0;
}

/* ---- one number ---- */

#define SUM(name, field)                                                                           \
    static double name(const Episode *e) {                                                         \
        return e->sums->field;                                                                     \
    }
#define STEP_MEAN(name, field)                                                                     \
    static double name(const Episode *e) {                                                         \
        return ratio(e->sums->field, e->sums->steps);                                              \
    }
#define RATE(name, field)                                                                          \
    static double name(const Episode *e) {                                                         \
        return ratio(e->sums->field, e->time);                                                     \
    }

SUM(compute_info, compute)
SUM(dep_info, dep)
SUM(flow_info, flow)
SUM(cluster_info, cluster)
SUM(demand_compute_info, demand_compute)
SUM(demand_dep_info, demand_dep)
SUM(demand_total_info, demand_total)
STEP_MEAN(compute_frac, compute_frac)
STEP_MEAN(communication_frac, communication_frac)
STEP_MEAN(jobs_running, running)
STEP_MEAN(mounted_workers, workers)
STEP_MEAN(worker_util, worker_util)
STEP_MEAN(cluster_util, cluster_util)
RATE(compute_rate, compute)
RATE(dep_rate, dep)
RATE(flow_rate, flow)
RATE(cluster_rate, cluster)
RATE(demand_compute_rate, demand_compute)
RATE(demand_dep_rate, demand_dep)
RATE(demand_total_rate, demand_total)

static double arrived(const Episode *e) {
    return (double)e->tally->arrived;
}
static double completed(const Episode *e) {
    return (double)e->tally->completed;
}
static double blocked(const Episode *e) {
    return (double)e->tally->blocked;
}
static double start_time(const Episode *e) {
    (void)e;
    return 0;
}
static double end_time(const Episode *e) {
    return e->time;
}
static double load_rate(const Episode *e) {
    return ratio(e->sums->load_rate, e->sums->load_rates);
}
static double blocking_rate(const Episode *e) {
    return ratio(blocked(e), arrived(e));
}
static double acceptance_rate(const Episode *e) {
    return ratio(completed(e), arrived(e));
}

typedef struct ScalarRow {
    const char *name;
    Scalar value;
} ScalarRow;

static const ScalarRow scalars[] = {
    {"num_jobs_arrived", arrived},
    {"num_jobs_completed", completed},
    {"num_jobs_blocked", blocked},
    {"episode_start_time", start_time},
    {"episode_end_time", end_time},
    {"episode_time", end_time},
    {"blocking_rate", blocking_rate},
    {"acceptance_rate", acceptance_rate},
    {"mean_load_rate", load_rate},
    {"compute_info_processed", compute_info},
    {"dep_info_processed", dep_info},
    {"flow_info_processed", flow_info},
    {"cluster_info_processed", cluster_info},
    {"demand_compute_info_processed", demand_compute_info},
    {"demand_dep_info_processed", demand_dep_info},
    {"demand_total_info_processed", demand_total_info},
    {"mean_compute_throughput", compute_rate},
    {"mean_dep_throughput", dep_rate},
    {"mean_flow_throughput", flow_rate},
    {"mean_cluster_throughput", cluster_rate},
    {"mean_demand_compute_throughput", demand_compute_rate},
    {"mean_demand_dep_throughput", demand_dep_rate},
    {"mean_demand_total_throughput", demand_total_rate},
    {"mean_compute_overhead_frac", compute_frac},
    {"mean_communication_overhead_frac", communication_frac},
    {"mean_num_jobs_running", jobs_running},
    {"mean_num_mounted_workers", mounted_workers},
    {"mean_mounted_worker_utilisation_frac", worker_util},
    {"mean_cluster_worker_utilisation_frac", cluster_util},
};

/* ---- one number per job ---- */

#define JOB(name, expression)                                                                      \
    static double name(const Episode *e, const LpJob *job) {                                       \
        (void)e;                                                                                   \
        return expression;                                                                         \
    }
#define FACTS (&e->context->facts[job->graph])

JOB(job_jct, job->times.end - job->asked.arrival)
JOB(job_speedup, job->forecast.part_sequential / (job->times.end - job->asked.arrival))
JOB(job_communication, job->forecast.communication)
JOB(job_computation, job->forecast.computation)
JOB(job_nodes, job->placed.ops)
JOB(job_edges, job->placed.deps)
JOB(job_memory, job->forecast.part_memory)
JOB(job_dep_bytes, job->forecast.part_deps)
JOB(job_degree, job->placed.partition_degree)
JOB(job_sequential, job->forecast.part_sequential)
JOB(job_limit, job->asked.fraction * job->forecast.part_sequential)
JOB(job_fraction, job->asked.fraction)
JOB(job_workers, job->placed.servers)
JOB(job_channels, job->placed.circuits)
JOB(job_util, job->published.worker_utilisation)
JOB(original_nodes, 2.0 * e->context->scenario->graph[job->graph]->ops)
JOB(original_edges, FACTS->edges)
JOB(original_memory, FACTS->memory_sum)
JOB(original_dep_bytes, FACTS->dep_sum)
JOB(original_sequential, job->asked.sequential_jct)
JOB(original_limit, job->asked.max_jct)

typedef struct ListRow {
    const char *name;
    LpOutcome of;
    PerJob value;
} ListRow;

static const ListRow lists[] = {
    {"job_completion_time", LP_JOB_COMPLETED, job_jct},
    {"job_completion_time_speedup", LP_JOB_COMPLETED, job_speedup},
    {"job_communication_overhead_time", LP_JOB_COMPLETED, job_communication},
    {"job_computation_overhead_time", LP_JOB_COMPLETED, job_computation},
    {"jobs_completed_num_nodes", LP_JOB_COMPLETED, job_nodes},
    {"jobs_completed_num_edges", LP_JOB_COMPLETED, job_edges},
    {"jobs_completed_total_operation_memory_cost", LP_JOB_COMPLETED, job_memory},
    {"jobs_completed_total_dependency_size", LP_JOB_COMPLETED, job_dep_bytes},
    {"jobs_completed_max_partitions_per_op", LP_JOB_COMPLETED, job_degree},
    {"jobs_completed_job_sequential_completion_time", LP_JOB_COMPLETED, job_sequential},
    {"jobs_completed_max_acceptable_job_completion_time", LP_JOB_COMPLETED, job_limit},
    {"jobs_completed_max_acceptable_job_completion_time_frac", LP_JOB_COMPLETED, job_fraction},
    {"jobs_completed_num_mounted_workers", LP_JOB_COMPLETED, job_workers},
    {"jobs_completed_num_mounted_channels", LP_JOB_COMPLETED, job_channels},
    {"jobs_completed_mean_mounted_worker_utilisation_frac", LP_JOB_COMPLETED, job_util},
    {"jobs_completed_original_demand_num_nodes", LP_JOB_COMPLETED, original_nodes},
    {"jobs_completed_original_demand_num_edges", LP_JOB_COMPLETED, original_edges},
    {"jobs_completed_original_demand_total_operation_memory_cost", LP_JOB_COMPLETED,
     original_memory},
    {"jobs_completed_original_demand_total_dependency_size", LP_JOB_COMPLETED, original_dep_bytes},
    {"jobs_blocked_num_nodes", LP_JOB_BLOCKED, original_nodes},
    {"jobs_blocked_num_edges", LP_JOB_BLOCKED, original_edges},
    {"jobs_blocked_total_operation_memory_cost", LP_JOB_BLOCKED, original_memory},
    {"jobs_blocked_total_dependency_size", LP_JOB_BLOCKED, original_dep_bytes},
    {"jobs_blocked_job_sequential_completion_time", LP_JOB_BLOCKED, original_sequential},
    {"jobs_blocked_max_acceptable_job_completion_time_frac", LP_JOB_BLOCKED, job_fraction},
    {"jobs_blocked_max_acceptable_job_completion_time", LP_JOB_BLOCKED, original_limit},
    {"jobs_blocked_original_demand_num_nodes", LP_JOB_BLOCKED, original_nodes},
    {"jobs_blocked_original_demand_num_edges", LP_JOB_BLOCKED, original_edges},
    {"jobs_blocked_original_demand_total_operation_memory_cost", LP_JOB_BLOCKED, original_memory},
    {"jobs_blocked_original_demand_total_dependency_size", LP_JOB_BLOCKED, original_dep_bytes},
};

/* Ids of the jobs that completed or were blocked, in the order in which they did. */
static LpErr by_rank(const Episode *e, LpArena *arena, const uint32_t **ids, uint32_t *count) {
    uint32_t jobs = lp_world_jobs(e->world);
    uint32_t ranks = (uint32_t)(e->tally->completed + e->tally->blocked);
    uint32_t *list = lp_arena_alloc(arena, ranks, sizeof *list);
    if (list == NULL)
        return LP_ENOMEM;
    for (uint32_t i = 0; i < jobs; i++) {
        const LpJob *job = lp_world_job(e->world, i);
        if (job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_BLOCKED)
            list[job->rank] = i;
    }
    *ids = list;
    *count = ranks;
    return LP_OK;
}

static LpErr fill_list(const Episode *e, LpArena *arena, const uint32_t *ids, uint32_t ranks,
                       const ListRow *row, LpStatistic *out) {
    double *values = lp_arena_alloc(arena, ranks, sizeof *values);
    if (values == NULL)
        return LP_ENOMEM;
    *out = (LpStatistic){.name = row->name, .is_list = true, .values = values};
    for (uint32_t i = 0; i < ranks; i++) {
        const LpJob *job = lp_world_job(e->world, ids[i]);
        if (job->outcome == row->of && job->graph >= 0)
            values[out->count++] = row->value(e, job);
    }
    return LP_OK;
}

static LpErr fill_all(const Episode *e, LpStatistics *s) {
    const uint32_t *ids;
    uint32_t ranks;
    s->item = lp_arena_alloc(s->arena, LP_COUNTOF(scalars) + LP_COUNTOF(lists), sizeof *s->item);
    if (s->item == NULL || by_rank(e, s->arena, &ids, &ranks) != LP_OK)
        return LP_ENOMEM;
    for (size_t i = 0; i < LP_COUNTOF(scalars); i++)
        s->item[s->count++] = (LpStatistic){.name = scalars[i].name, .value = scalars[i].value(e)};
    for (size_t i = 0; i < LP_COUNTOF(lists); i++)
        LP_TRY(fill_list(e, s->arena, ids, ranks, &lists[i], &s->item[s->count++]));
    return LP_OK;
}

LpErr lp_metrics_published(const LpWorld *world, const LpContext *context, LpStatistics *out,
                           LpDiag *diag) {
    Episode e = {world, context, lp_world_published(world), lp_world_tally(world),
                 lp_world_now(world)};
    LpStatistics s = {.arena = lp_arena_new(0)};
    if (s.arena == NULL || fill_all(&e, &s) != LP_OK) {
        lp_arena_free(s.arena);
        return lp_fail_memory(diag, "the published statistics");
    }
    *out = s;
    return LP_OK;
}

void lp_statistics_fini(LpStatistics *statistics) {
    lp_arena_free(statistics->arena);
    *statistics = (LpStatistics){0};
}
