/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario's life: defaults, what follows from what was asked for, and the end. */
#include "model/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/device/device.h"
#include "model/dist.h"
#include "model/fabric/fabric.h"
#include "model/scenario_internal.h"

static const char *const PARTITION_WORDS[LP_PARTITION_KINDS] = {"model", "data", "tensor"};

const char *lp_partition_kind_word(LpPartitionKind kind) {
    return PARTITION_WORDS[kind];
}

int lp_partition_kind_find(const char *word) {
    for (int kind = 0; kind < LP_PARTITION_KINDS; kind++)
        if (strcmp(word, PARTITION_WORDS[kind]) == 0)
            return kind;
    return -1;
}

LpPartitionKind lp_partition_kind_default(const LpOptions *options) {
    return lp_options_against_tensor(options) < 0 ? LP_PARTITION_TENSOR : LP_PARTITION_MODEL;
}

static const LpScenario defaults = {
    .name = "",
    .title = "",
    .notes = "",
    .seed = 1,
    .partition = {.max_degree = 16, .min_op_time = 10e-6, .overlap = true, .max_deps = 2000000},
    .state_factor = 4.0,
    .queue_capacity = 10,
    .tau = 10,
    .horizon = (double)INFINITY,
    .measure_until = (double)INFINITY,
    .scale = {1, 1, 1},
    .compute = 1,
};

LpScenario *lp_scenario_new(void) {
    LpScenario *scenario = lp_alloc(1, sizeof *scenario);
    LpArena *arena = lp_arena_new(0);
    if (!scenario || !arena) {
        lp_free(scenario);
        lp_arena_free(arena);
        return NULL;
    }
    *scenario = defaults;
    scenario->arena = arena;
    scenario->options = lp_options_corrected();
    lp_scenario_default_rules(scenario);
    lp_cluster_defaults(&scenario->cluster);
    scenario->cluster.type[0] = lp_server_type_default();
    return scenario;
}

/* The published quantum is 0.01 of the profile's unit: 10 us, taken for 0.01 s where milliseconds
 * are read as seconds. */
void lp_scenario_default_rules(LpScenario *scenario) {
    scenario->partition.kind = lp_partition_kind_default(&scenario->options);
    if (lp_published(&scenario->options, LP_OPT_TIME_UNIT))
        scenario->partition.min_op_time = 0.01;
}

void lp_scenario_default_queue(LpScenario *scenario) {
    scenario->queue_capacity = scenario->queue == LP_QUEUE_FIFO ? UINT32_MAX /* everybody waits */
                                                                : defaults.queue_capacity;
}

enum { DEFAULT_STEPS = 50 };

LpJobSpec lp_job_spec_default(const LpScenario *scenario, bool rigid) {
    return (LpJobSpec){.graph = -1,
                       .steps = rigid ? 1 : DEFAULT_STEPS,
                       .kind = scenario->partition.kind,
                       .listed = LP_NO_INDEX,
                       .communication_share = 1};
}

LpGenerator lp_generator_default(const LpScenario *scenario) {
    return (LpGenerator){.sampling = LP_SAMPLE_REMOVE_AND_REPEAT,
                         .steps = {.kind = LP_DIST_FIXED, .value = DEFAULT_STEPS},
                         .kind = scenario->partition.kind,
                         .communication_share = 1};
}

LpServerType lp_server_type_default(void) {
    const LpDevice *device = lp_device_default();
    return (LpServerType){.device = device, .memory = device->memory};
}

void lp_scenario_free(LpScenario *scenario) {
    if (!scenario)
        return;
    for (uint32_t g = 0; g < scenario->graphs; g++)
        lp_graph_free(scenario->graph[g]);
    lp_arena_free(scenario->arena);
    lp_free(scenario);
}

double lp_scenario_mean_slice(const LpScenario *scenario) {
    const LpGenerator *g = &scenario->generator;
    double sum = 0, weights = 0;
    for (uint32_t i = 0; i < g->slices; i++) {
        sum += g->weight[i] * scenario->slice[g->first_slice + i].slice.accelerators;
        weights += g->weight[i];
    }
    return weights > 0 ? sum / weights : 0;
}

double lp_scenario_mean_sequential_jct(const LpScenario *scenario) {
    const LpGenerator *generator = &scenario->generator;
    if (generator->slices > 0) /* of all its accelerators, one after the other */
        return lp_scenario_mean_slice(scenario) * lp_dist_mean(&generator->duration);
    double sum = 0.0;
    for (uint32_t g = 0; g < generator->graphs; g++)
        sum += lp_graph_sequential_time(scenario->graph[generator->graph[g]]);
    return sum / generator->graphs * lp_dist_mean(&generator->steps);
}

/* ---- what follows from what was asked for ---- */

static double device_rate(const LpDevice *device) {
    return device->peak_flops * device->flops_efficiency;
}

static void settle_cluster(LpCluster *cluster, double compute) {
    cluster->servers = lp_cluster_servers(cluster);
    if (cluster->types == 1)
        cluster->type[0].count = cluster->servers;
    for (uint32_t t = 0; t < cluster->types; t++)
        if (cluster->type[t].speed == 0.0)
            cluster->type[t].speed = compute * device_rate(cluster->type[t].device) /
                                     device_rate(cluster->type[0].device);
}

/* Sort key: the place in the list makes the order total, hence stable. */
typedef struct Place {
    double arrival;
    uint32_t at;
} Place;

static int compare_places(const void *left, const void *right) {
    const Place *a = left, *b = right;
    if (a->arrival != b->arrival)
        return a->arrival < b->arrival ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static bool is_sorted(const LpScenario *scenario) {
    for (uint32_t j = 1; j < scenario->jobs; j++)
        if (scenario->job[j].arrival < scenario->job[j - 1].arrival)
            return false;
    return true;
}

static LpErr sort_jobs(LpScenario *scenario, LpDiag *diag) {
    if (is_sorted(scenario))
        return LP_OK;
    uint32_t jobs = scenario->jobs;
    Place *place = lp_alloc(jobs, sizeof *place);
    LpJobSpec *sorted = lp_arena_alloc(scenario->arena, jobs, sizeof *sorted);
    if (!place || !sorted) {
        lp_free(place);
        return lp_fail_memory(diag, "the list of jobs");
    }
    for (uint32_t j = 0; j < jobs; j++)
        place[j] = (Place){scenario->job[j].arrival, j};
    qsort(place, jobs, sizeof *place, compare_places);
    for (uint32_t j = 0; j < jobs; j++)
        sorted[j] = scenario->job[place[j].at];
    lp_free(place);
    scenario->job = sorted;
    return LP_OK;
}

/* Copies of each graph where neither the scenario nor `count` says: the paper's pool. */
enum { DEFAULT_REPLICATION = 1000 };

static void settle_pool(LpGenerator *generator) {
    if (generator->replication > 0 || generator->slices > 0)
        return;
    generator->replication = generator->count == 0
                                 ? DEFAULT_REPLICATION
                                 : (generator->count + generator->graphs - 1) / generator->graphs;
}

/* load = mean unsplit JCT / (mean interarrival * servers) (design, section 3). */
static LpErr settle_load(LpScenario *scenario, LpDiag *diag) {
    LpGenerator *generator = &scenario->generator;
    if (generator->load == 0.0)
        return LP_OK;
    double jct = lp_scenario_mean_sequential_jct(scenario);
    double mean = jct / (generator->load * scenario->cluster.servers);
    if (!isfinite(mean) || !(mean > 0.0))
        return lp_fail(
            diag, LP_EINVAL,
            "generator.load: the unsplit jobs take %g s on average: expected graphs, or slices, "
            "with a positive time",
            jct);
    if (generator->interarrival.kind == LP_DIST_NONE)
        generator->interarrival.kind = LP_DIST_EXPONENTIAL;
    generator->interarrival.value = mean;
    return LP_OK;
}

static LpErr settle_scale(LpScenario *scenario, LpDiag *diag) {
    const LpScales *s = &scenario->scale;
    if (s->bandwidth == 1 && s->latency == 1 && s->reconfiguration == 1)
        return LP_OK;
    scenario->scaled = lp_arena_alloc(scenario->arena, 1, sizeof *scenario->scaled);
    if (scenario->scaled == NULL ||
        lp_cluster_scale(&scenario->cluster, s, scenario->arena, scenario->scaled) != LP_OK)
        return lp_fail_memory(diag, "a scaled network");
    return LP_OK;
}

LpErr lp_scenario_finish(LpScenario *scenario, LpDiag *diag) {
    const LpFabricOps *ops = lp_fabric_ops(scenario->cluster.fabric);
    LP_TRY(ops->build != NULL ? ops->build(&scenario->cluster, scenario->arena, diag) : LP_OK);
    LP_TRY(lp_cluster_build_tree(&scenario->cluster, scenario->arena, diag));
    LP_TRY(lp_scenario_settle_slices(scenario, diag));
    LP_TRY(lp_scenario_settle_failures(scenario, diag));
    LP_TRY(lp_scenario_check(scenario, diag));
    scenario->cluster.every_shape = !lp_published(&scenario->options, LP_OPT_SHAPES);
    scenario->cluster.single_light = !lp_published(&scenario->options, LP_OPT_COLLECTIVE_LIGHT);
    settle_cluster(&scenario->cluster, scenario->compute);
    LP_TRY(settle_scale(scenario, diag));
    /* Plans say themselves how far a job may be split. */
    uint32_t servers = lp_cluster_servers(&scenario->cluster);
    for (uint32_t g = 0; g < scenario->graphs; g++) {
        uint32_t most = scenario->graph[g]->split_servers;
        if (most > servers)
            most = servers;
        if (most > scenario->partition.max_degree)
            scenario->partition.max_degree = most;
    }
    LP_TRY(sort_jobs(scenario, diag));
    LP_TRY(lp_scenario_settle_clock(scenario, diag));
    if (!scenario->has_generator)
        return LP_OK;
    settle_pool(&scenario->generator);
    return settle_load(scenario, diag);
}
