/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario's life: defaults, what follows from what was asked for, and the end. */
#include "model/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/dist.h"
#include "model/scenario_internal.h"

/* The cluster of the PAC-ML paper (Parsonson et al., arXiv 2301.13799): 4 x 4 x 2 servers. */
static const LpScenario defaults = {
    .name = "",
    .title = "",
    .notes = "",
    .seed = 1,
    .cluster =
        {.fabric = LP_FABRIC_RAMP,
         .ramp = {.communication_groups = 4,
                  .racks_per_group = 4,
                  .servers_per_rack = 2,
                  .node_bandwidth = 1.6e12,
                  .propagation_latency = 50e-9,
                  .io_latency = 100e-9,
                  .channels = 1,
                  .rack_isolated = true,
                  .slot = 20e-9},
         .ideal = {.servers = 32, .node_bandwidth = 1.6e12, .latency = 50e-9, .io_latency = 100e-9},
         .packet = {.spec = {.topology = LP_TOPOLOGY_LEAF_SPINE,
                             .leaves = 4,
                             .spines = 2,
                             .servers_per_leaf = 8,
                             .k = 4,
                             .server_bandwidth = 12.5e9,
                             .uplink_bandwidth = 12.5e9,
                             .server_delay = 500e-9,
                             .uplink_delay = 500e-9},
                    .io_latency = 1e-6},
         .ocs = {.servers = 16,
                 .switches = 1,
                 .nics = 1,
                 .server_bandwidth = 12.5e9,
                 .uplink_bandwidth = 12.5e9,
                 .server_delay = 500e-9,
                 .uplink_delay = 500e-9,
                 .delay = {.turn = 10e-3}},
         .zones = {.net = {.spec = {.topology = LP_TOPOLOGY_ZONES,
                                    .tcp = {.segment = 1460,
                                            .timeout = 1,
                                            .acked = 1,
                                            .connections = 1}},
                           .io_latency = 1e-6},
                   .measured = {.seed = 1}},
         .types = 1},
    .partition = {.max_degree = 16,
                  .min_op_time = 10e-6,
                  .kind = LP_PARTITION_MODEL,
                  .overlap = true,
                  .max_deps = 2000000},
    .state_factor = 4.0,
    .queue_capacity = 10,
    .horizon = (double)INFINITY,
    .measure_until = (double)INFINITY,
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
    scenario->cluster.type[0] =
        (LpServerType){.device = lp_device_default(), .memory = lp_device_default()->memory};
    return scenario;
}

void lp_scenario_free(LpScenario *scenario) {
    if (!scenario)
        return;
    for (uint32_t g = 0; g < scenario->graphs; g++)
        lp_graph_free(scenario->graph[g]);
    lp_arena_free(scenario->arena);
    lp_free(scenario);
}

double lp_scenario_mean_sequential_jct(const LpScenario *scenario) {
    const LpGenerator *generator = &scenario->generator;
    double sum = 0.0;
    for (uint32_t g = 0; g < generator->graphs; g++)
        sum += lp_graph_sequential_time(scenario->graph[generator->graph[g]]);
    return sum / generator->graphs * lp_dist_mean(&generator->steps);
}

/* ---- what follows from what was asked for ---- */

static double device_rate(const LpDevice *device) {
    return device->peak_flops * device->flops_efficiency;
}

static void settle_cluster(LpCluster *cluster) {
    cluster->servers = lp_scenario_servers(cluster);
    if (cluster->types == 1)
        cluster->type[0].count = cluster->servers;
    for (uint32_t t = 0; t < cluster->types; t++)
        if (cluster->type[t].speed == 0.0)
            cluster->type[t].speed =
                device_rate(cluster->type[t].device) / device_rate(cluster->type[0].device);
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
    if (generator->replication > 0)
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
            "generator.load: the unsplit jobs take %g s on average: expected graphs with "
            "a positive time",
            jct);
    if (generator->interarrival.kind == LP_DIST_NONE)
        generator->interarrival.kind = LP_DIST_EXPONENTIAL;
    generator->interarrival.value = mean;
    return LP_OK;
}

/* What a network complains of begins with its key, or with what is wrong altogether. */
static LpErr fail_network(const LpDiag *inner, const char *object, LpDiag *diag) {
    bool key = strncmp(inner->text, "the ", 4) != 0 && strncmp(inner->text, "server ", 7) != 0;
    if (inner->code == LP_ENOMEM)
        return lp_fail_memory(diag, "a network");
    return lp_fail(diag, inner->code, "cluster.%s%s%s", object, key ? "." : ": ", inner->text);
}

static LpErr build_network(LpScenario *scenario, LpDiag *diag) {
    bool zones = scenario->cluster.fabric == LP_FABRIC_ZONES;
    LpPacketParams *packet = zones ? &scenario->cluster.zones.net : &scenario->cluster.packet;
    LpDiag inner = {0};
    if ((!zones && scenario->cluster.fabric != LP_FABRIC_PACKET) || packet->network != NULL)
        return LP_OK;
    if (lp_network_build(&packet->spec, scenario->arena, &packet->network, &inner) != LP_OK)
        return fail_network(&inner, zones ? "zones" : "packet", diag);
    return LP_OK;
}

/* Circuit switches: the ports, and the network that they start with. */
static LpErr build_circuits(LpScenario *scenario, LpDiag *diag) {
    LpOcsParams *ocs = &scenario->cluster.ocs;
    LpDiag inner = {0};
    if (scenario->cluster.fabric != LP_FABRIC_OCS || scenario->cluster.packet.network != NULL)
        return LP_OK;
    if (lp_ocs_finish(ocs, scenario->arena, &inner) == LP_OK) {
        LpLit *lit = lp_alloc(ocs->ports, sizeof *lit);
        const double hold = 1;
        LpSchedule initial = {ocs->ports, 1, ocs->initial, &hold};
        if (lit == NULL)
            return lp_fail_memory(diag, "the circuits of a network");
        LpErr err = lp_ocs_network(ocs, lit, lp_schedule_lit(&initial, 0, lit), scenario->arena,
                                   &scenario->cluster.packet.network, &inner);
        lp_free(lit);
        if (err == LP_OK)
            return LP_OK;
    }
    if (inner.code == LP_ENOMEM)
        return lp_fail_memory(diag, "a network");
    return lp_fail(diag, inner.code, "cluster.ocs.%s", inner.text);
}

LpErr lp_scenario_finish(LpScenario *scenario, LpDiag *diag) {
    LP_TRY(build_network(scenario, diag));
    LP_TRY(build_circuits(scenario, diag));
    LP_TRY(lp_scenario_check(scenario, diag));
    settle_cluster(&scenario->cluster);
    LP_TRY(sort_jobs(scenario, diag));
    if (!scenario->has_generator)
        return LP_OK;
    settle_pool(&scenario->generator);
    return settle_load(scenario, diag);
}
