/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of a scenario whatever it came from; every complaint names the scenario key. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/need.h"
#include "base/num.h"
#include "base/str.h"
#include "model/dist.h"
#include "model/fabric/fabric.h"
#include "model/scenario_internal.h"

enum { KEY = 96, SHOWN = 64 };

/* ---- the cluster ---- */

static LpErr check_type(const LpServerType *type, bool only, LpDiag *diag) {
    if (!type->device)
        return lp_fail(diag, LP_EINVAL,
                       "cluster.server.device is missing: expected one such as "
                       "\"A100\"");
    if (type->count == 0 && !only)
        return lp_fail(diag, LP_EINVAL, "cluster.server.count is 0: expected at least 1");
    LP_TRY(lp_need("cluster.server.memory", type->memory, LP_NEED_POSITIVE, diag));
    return lp_need("cluster.server.speed", type->speed, LP_NEED_NOT_NEGATIVE, diag);
}

static LpErr check_types(const LpCluster *cluster, uint32_t servers, LpDiag *diag) {
    uint64_t sum = 0;
    bool only = cluster->types == 1;
    if (cluster->types < 1 || cluster->types > LP_SERVER_TYPES_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "cluster.server has %" PRIu32 " kinds of server: expected 1 to %d",
                       cluster->types, LP_SERVER_TYPES_MAX);
    for (uint32_t t = 0; t < cluster->types; t++) {
        LP_TRY(check_type(&cluster->type[t], only, diag));
        sum += cluster->type[t].count;
    }
    if (sum != servers && !(only && sum == 0))
        return lp_fail(diag, LP_EINVAL,
                       "cluster.server: the counts add up to %" PRIu64 ": expected %" PRIu32
                       ", the servers of the fabric",
                       sum, servers);
    return LP_OK;
}

static LpErr check_cluster(const LpCluster *cluster, LpDiag *diag) {
    LP_TRY(lp_fabric_ops(cluster->fabric)->check(cluster, diag));
    uint32_t servers = lp_cluster_servers(cluster);
    if (servers == 0)
        return lp_fail(diag, LP_ELIMIT, "cluster: too many servers: expected at most %d",
                       LP_SERVERS_MAX);
    return check_types(cluster, servers, diag);
}

/* ---- graphs ---- */

/* Here, because it bounds what fits. */
bool lp_scenario_reserves(const LpScenario *scenario) {
    return lp_fabric_ops(scenario->cluster.fabric)->reserves ||
           !lp_published(&scenario->options, LP_OPT_RESERVE);
}

/* Whatever the cut and the placement, a job's parts together hold its state and activations once,
 * on no more servers than it may use. What passes here may still not fit in practice. */
static LpErr check_fits(const LpScenario *scenario, const LpGraph *graph, LpDiag *diag) {
    char need[LP_NUM_TEXT], have[LP_NUM_TEXT], name[SHOWN];
    uint32_t servers = lp_cluster_servers(&scenario->cluster);
    if (lp_scenario_reserves(scenario) && scenario->partition.max_degree < servers)
        servers = scenario->partition.max_degree;
    double bytes = scenario->state_factor * graph->parameter_sum + graph->activation_sum;
    double memory = 0.0; /* of the largest server */
    for (uint32_t t = 0; t < scenario->cluster.types; t++)
        if (scenario->cluster.type[t].memory > memory)
            memory = scenario->cluster.type[t].memory;
    if (bytes <= memory * servers)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL,
                   "graph \"%s\" needs %s for state and activations: expected to fit into %" PRIu32
                   " server%s (partition.max_degree) of at most %s",
                   lp_str_show(name, sizeof name, graph->id),
                   lp_quantity_print(bytes, LP_DIM_BYTES, need, sizeof need), servers,
                   servers == 1 ? "" : "s",
                   lp_quantity_print(memory, LP_DIM_BYTES, have, sizeof have));
}

/* Plans and recorded steps have no published meaning. `what`: "has plans". */
static LpErr check_corrected(const LpScenario *scenario, const LpGraph *graph, const char *what,
                             LpDiag *diag) {
    static const LpOption needed[] = {LP_OPT_MEMORY,      LP_OPT_STEP_CLOCK, LP_OPT_CACHE,
                                      LP_OPT_MASK,        LP_OPT_GRAPH_JOIN, LP_OPT_EDGE_SIZE,
                                      LP_OPT_WEIGHT_SYNC, LP_OPT_DEADLINE};
    char name[SHOWN];
    for (size_t i = 0; i < LP_COUNTOF(needed); i++)
        if (lp_published(&scenario->options, needed[i]))
            return lp_fail(diag, LP_EINVAL,
                           "graph \"%s\" %s, which the published option %s does not know: "
                           "expected corrected semantics",
                           lp_str_show(name, sizeof name, graph->id), what,
                           lp_option_info(needed[i])->name);
    if (!lp_scenario_reserves(scenario))
        return lp_fail(diag, LP_EINVAL,
                       "graph \"%s\" %s, which the published option reserve does not know: "
                       "expected corrected semantics",
                       lp_str_show(name, sizeof name, graph->id), what);
    return LP_OK;
}

/* What a fabric cannot carry, and a cluster that is too small. */
static LpErr check_recorded(const LpScenario *scenario, const LpGraph *graph, LpDiag *diag) {
    const LpFabricOps *ops = lp_fabric_ops(scenario->cluster.fabric);
    uint32_t servers = lp_cluster_servers(&scenario->cluster);
    char name[SHOWN];
    if (!ops->any_pair)
        return lp_fail(
            diag, LP_EINVAL,
            "graph \"%s\" is a recorded step, whose ranks send to any other at any time: "
            "on fabric %s they cannot, expected ideal, packet, zones or ocs",
            lp_str_show(name, sizeof name, graph->id), ops->name);
    if (graph->ops > servers)
        return lp_fail(diag, LP_EINVAL,
                       "graph \"%s\" has %" PRIu32 " ranks, the cluster %" PRIu32
                       " servers: expected a server for each rank",
                       lp_str_show(name, sizeof name, graph->id), graph->ops, servers);
    return check_corrected(scenario, graph, "is a recorded step", diag);
}

/* ---- jobs ---- */

static const char *job_key(char key[KEY], uint32_t job, const char *part) {
    snprintf(key, KEY, "jobs[%" PRIu32 "].%s", job, part);
    return key;
}

static LpErr check_fraction(const LpScenario *scenario, const char *key, double max, LpDiag *diag) {
    if (lp_published(&scenario->options, LP_OPT_DEADLINE) && max > 1.0)
        return lp_need_fail(key, max, "at most 1 under the published deadline option", diag);
    return LP_OK;
}

/* What a job asks of the cluster's tree; `begin` is the path of its keys, servers 0: not known. */
static LpErr check_place(const LpScenario *scenario, const char *begin, const LpTreeAsk *ask,
                         uint32_t servers, LpDiag *diag) {
    const LpTree *tree = scenario->cluster.tree;
    if (!lp_tree_asks(ask))
        return LP_OK;
    if (ask->required > tree->levels || ask->preferred > tree->levels)
        return lp_fail(diag, LP_EINVAL,
                       "%s.%s is level %" PRIu32 ": expected one of the %" PRIu32
                       " levels of the cluster",
                       begin, ask->required > tree->levels ? "required" : "preferred",
                       ask->required > tree->levels ? ask->required : ask->preferred, tree->levels);
    if (ask->required > 0 && ask->preferred >= ask->required)
        return lp_fail(diag, LP_EINVAL,
                       "%s.preferred is \"%s\" beside the required \"%s\": expected a level below "
                       "that",
                       begin, tree->level_name[ask->preferred - 1],
                       tree->level_name[ask->required - 1]);
    if (ask->segment > 0 && tree->levels == 0)
        return lp_fail(diag, LP_EINVAL,
                       "%s.segment is %" PRIu32 ": expected none, since the cluster has no levels "
                       "(cluster.levels)",
                       begin, ask->segment);
    if (ask->segment > 0 && servers % ask->segment != 0)
        return lp_fail(diag, LP_EINVAL,
                       "%s.segment is %" PRIu32
                       ": expected a divisor of the job's servers, %" PRIu32,
                       begin, ask->segment, servers);
    return LP_OK;
}

/* Wider than any node of the level that it requires: it would wait for ever. Segments, of which a
 * node may hold fewer than it has servers for, are left to the run, which says `never`. */
static LpErr check_level(const LpScenario *scenario, uint32_t at, LpDiag *diag) {
    char key[KEY];
    const LpJobSpec *job = &scenario->job[at];
    const LpTree *tree = scenario->cluster.tree;
    uint32_t level = lp_tree_asked_level(tree, &job->place);
    if (scenario->too_large_blocks || job->slice > 0 || job->rigid_servers <= tree->most[level])
        return LP_OK;
    return lp_fail(diag, LP_EINVAL,
                   "%s is %" PRIu32 ": expected 1 to %" PRIu32
                   ", as many as the largest %s has, which the job requires",
                   job_key(key, at, "servers"), job->rigid_servers, tree->most[level],
                   tree->level_name[level]);
}

static LpErr check_rigid(const LpScenario *scenario, uint32_t at, LpDiag *diag) {
    char key[KEY];
    const LpJobSpec *job = &scenario->job[at];
    uint32_t servers = lp_cluster_servers(&scenario->cluster);
    if (scenario->too_large_blocks && servers < LP_SERVERS_MAX)
        servers = LP_SERVERS_MAX;
    if (job->slice == 0 && (job->rigid_servers < 1 || job->rigid_servers > servers))
        return lp_fail(diag, LP_EINVAL, "%s is %" PRIu32 ": expected 1 to %" PRIu32,
                       job_key(key, at, "servers"), job->rigid_servers, servers);
    LP_TRY(check_level(scenario, at, diag));
    return lp_need(job_key(key, at, "duration"), job->rigid_duration, LP_NEED_POSITIVE, diag);
}

static LpErr check_job(const LpScenario *scenario, uint32_t at, LpDiag *diag) {
    char key[KEY];
    const LpJobSpec *job = &scenario->job[at];
    LP_TRY(lp_need(job_key(key, at, "arrival"), job->arrival, LP_NEED_NOT_NEGATIVE, diag));
    snprintf(key, sizeof key, "jobs[%" PRIu32 "]", at);
    LP_TRY(check_place(scenario, key, &job->place, job->rigid_servers, diag));
    if (job->graph == -1)
        return check_rigid(scenario, at, diag);
    if (job->graph < -1 || (uint32_t)job->graph >= scenario->graphs)
        return lp_fail(diag, LP_EINVAL,
                       "%s is number %" PRId32 ": expected one of the %" PRIu32 " graphs",
                       job_key(key, at, "graph"), job->graph, scenario->graphs);
    LP_TRY(lp_need(job_key(key, at, "steps"), job->steps, LP_NEED_WHOLE, diag));
    LP_TRY(lp_need(job_key(key, at, "max_jct_fraction"), job->max_jct_fraction,
                   LP_NEED_NOT_NEGATIVE, diag));
    return check_fraction(scenario, key, job->max_jct_fraction, diag);
}

/* ---- the generator ---- */

static LpErr check_pool(const LpScenario *scenario, LpDiag *diag) {
    const LpGenerator *generator = &scenario->generator;
    bool bounded = generator->sampling == LP_SAMPLE_REMOVE;
    if (generator->graphs == 0)
        return lp_fail(diag, LP_EINVAL, "generator.graphs is empty: expected at least one graph");
    for (uint32_t g = 0; g < generator->graphs; g++)
        if (generator->graph[g] >= scenario->graphs)
            return lp_fail(diag, LP_EINVAL,
                           "generator.graphs[%" PRIu32 "] is number %" PRIu32
                           ": expected one of the %" PRIu32 " graphs",
                           g, generator->graph[g], scenario->graphs);
    if (generator->count >= UINT32_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "generator.count is %" PRIu64 ": expected less than %" PRIu32,
                       generator->count, UINT32_MAX);
    if (generator->replication > UINT32_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "generator.replication is %" PRIu64 ": expected at most %" PRIu32,
                       generator->replication, UINT32_MAX);
    if (generator->count == 0 && bounded && generator->replication == 0)
        return lp_fail(diag, LP_EINVAL,
                       "generator.replication is missing: expected copies per "
                       "graph, since count does not bound the pool");
    if (generator->count == 0 && !bounded && !isfinite(scenario->horizon))
        return lp_fail(diag, LP_EINVAL,
                       "generator.count is 0: expected a number of arrivals, a "
                       "horizon, or \"sampling\": \"remove\"");
    return LP_OK;
}

static LpErr check_interarrival(const LpScenario *scenario, LpDiag *diag) {
    static const char key[] = "generator.interarrival";
    const LpGenerator *generator = &scenario->generator;
    const LpDist *dist = &generator->interarrival;
    double min, max;
    if (generator->load > 0.0 && dist->kind != LP_DIST_EXPONENTIAL && dist->kind != LP_DIST_FIXED &&
        dist->kind != LP_DIST_NONE)
        return lp_fail(diag, LP_EINVAL,
                       "%s is a distribution: expected \"exponential\" or \"fixed\","
                       " since generator.load sets its mean",
                       key);
    if (generator->load > 0.0)
        return LP_OK;
    if (dist->kind == LP_DIST_NONE)
        return lp_fail(diag, LP_EINVAL, "%s is missing: expected a distribution, or generator.load",
                       key);
    LP_TRY(lp_dist_check(dist, key, diag));
    lp_dist_bounds(dist, &min, &max);
    if (!(min >= 0.0))
        return lp_need_fail(key, min, "times of 0 s or more", diag);
    if (generator->count == 0 && !(max > 0.0))
        return lp_need_fail(key, max, "times above 0 s, since count does not bound the arrivals",
                            diag);
    return LP_OK;
}

static bool pmf_is_whole(const LpDist *dist) {
    for (uint32_t i = 0; i < dist->count; i++)
        if (dist->values[i] != floor(dist->values[i]))
            return false;
    return true;
}

/* One of the distributions that steps are drawn by. An exponential one has no least number: what it
 * draws below 1 counts as 1, as the manual says. */
static LpErr check_drawn_steps(const LpDist *dist, const char *key, LpDiag *diag) {
    double min, max;
    for (uint32_t i = 0; dist->kind == LP_DIST_CHOICE && i < dist->count; i++)
        LP_TRY(check_drawn_steps(&dist->choices[i], key, diag));
    if (dist->kind == LP_DIST_CHOICE)
        return LP_OK;
    lp_dist_bounds(dist, &min, &max);
    if (dist->kind == LP_DIST_EXPONENTIAL) {
        min = 1.0;
        max = 64.0 * dist->value; /* what a stream of 53 bits draws is below 37 times the mean */
    }
    if (!(min >= 1.0) && dist->kind == LP_DIST_FIXED)
        return lp_need_fail(key, min, lp_need_text(LP_NEED_WHOLE), diag);
    if (!(min >= 1.0))
        return lp_fail(diag, LP_EINVAL,
                       "%s may draw %g training steps: expected %s, since a job has at least one "
                       "step",
                       key, min,
                       dist->kind == LP_DIST_PMF ? "values from 1" : "a min of 1 or more");
    if (!(max <= 0x1p53))
        return lp_need_fail(key, max, "a bounded number", diag);
    if ((dist->kind == LP_DIST_FIXED && min != floor(min)) ||
        (dist->kind == LP_DIST_PMF && !pmf_is_whole(dist)))
        return lp_fail(diag, LP_EINVAL, "%s holds a fraction: expected whole numbers", key);
    return LP_OK;
}

static LpErr check_steps(const LpGenerator *generator, LpDiag *diag) {
    static const char key[] = "generator.steps";
    const LpDist *dist = &generator->steps;
    if (dist->kind == LP_DIST_NONE)
        return lp_fail(diag, LP_EINVAL, "%s is missing: expected training steps per job", key);
    LP_TRY(lp_dist_check(dist, key, diag));
    return check_drawn_steps(dist, key, diag);
}

static LpErr check_fractions(const LpScenario *scenario, LpDiag *diag) {
    static const char key[] = "generator.max_jct_fraction";
    const LpDist *dist = &scenario->generator.max_jct_fraction;
    double min, max;
    if (dist->kind == LP_DIST_NONE)
        return LP_OK;
    LP_TRY(lp_dist_check(dist, key, diag));
    lp_dist_bounds(dist, &min, &max);
    if (!(min > 0.0))
        return lp_need_fail(key, min, "fractions above 0", diag);
    return check_fraction(scenario, key, max, diag);
}

/* Slices are drawn without end. */
static LpErr check_arrivals(const LpScenario *scenario, LpDiag *diag) {
    if (scenario->generator.count == 0 && !isfinite(scenario->horizon))
        return lp_fail(diag, LP_EINVAL,
                       "generator.count is 0: expected a number of arrivals, or a horizon");
    return LP_OK;
}

static LpErr check_generator(const LpScenario *scenario, LpDiag *diag) {
    const LpGenerator *generator = &scenario->generator;
    if (!scenario->has_generator)
        return LP_OK;
    LP_TRY(generator->slices > 0 ? check_arrivals(scenario, diag) : check_pool(scenario, diag));
    LP_TRY(check_place(scenario, "generator", &generator->place, 0, diag));
    LP_TRY(lp_need("generator.load", generator->load, LP_NEED_NOT_NEGATIVE, diag));
    LP_TRY(check_interarrival(scenario, diag));
    LP_TRY(check_steps(generator, diag));
    return check_fractions(scenario, diag);
}

/* ---- the rest ---- */

static LpErr check_settings(const LpScenario *scenario, LpDiag *diag) {
    const LpNumber numbers[] = {
        {"partition.max_degree", scenario->partition.max_degree, LP_NEED_WHOLE},
        {"partition.min_op_time", scenario->partition.min_op_time, LP_NEED_POSITIVE},
        {"partition.max_deps", (double)scenario->partition.max_deps, LP_NEED_POSITIVE},
        {"memory.state_factor", scenario->state_factor, LP_NEED_NOT_NEGATIVE},
        {"measure.from", scenario->measure_from, LP_NEED_NOT_NEGATIVE},
    };
    LP_TRY(lp_need_all(numbers, LP_COUNTOF(numbers), diag));
    if (scenario->partition.max_degree > LP_SERVERS_MAX)
        return lp_fail(diag, LP_ELIMIT, "partition.max_degree is %" PRIu32 ": expected at most %d",
                       scenario->partition.max_degree, LP_SERVERS_MAX);
    if (!(scenario->horizon > 0.0))
        return lp_need_fail("horizon", scenario->horizon, "a time above 0 s", diag);
    if (!(scenario->measure_until > scenario->measure_from))
        return lp_need_fail("measure.until", scenario->measure_until, "a time after measure.from",
                            diag);
    return LP_OK;
}

/* A job's pace on shared links is a matter of events; the published ticks, blocks and cached steps
 * know one pace per job. */
static LpErr check_shared(const LpScenario *scenario, LpDiag *diag) {
    static const LpOption without[] = {LP_OPT_COLLECTIVE, LP_OPT_CIRCUITS, LP_OPT_STEP_CLOCK,
                                       LP_OPT_CACHE,      LP_OPT_RESERVE,  LP_OPT_HORIZON};
    if (lp_cluster_packet(&scenario->cluster) == NULL)
        return LP_OK;
    for (size_t i = 0; i < LP_COUNTOF(without); i++)
        if (lp_published(&scenario->options, without[i]))
            return lp_fail(diag, LP_EINVAL,
                           "cluster.fabric is %s, where the published rule of the option "
                           "\"%s\" has no meaning: expected \"corrected\"",
                           lp_fabric_ops(scenario->cluster.fabric)->name,
                           lp_option_info(without[i])->name);
    return LP_OK;
}

/* A policy that asks for it later is refused when its partition is built. */
static LpErr check_kind(const LpScenario *scenario, const char *key, LpPartitionKind kind,
                        LpDiag *diag) {
    int against = lp_options_against_tensor(&scenario->options);
    if (kind != LP_PARTITION_TENSOR || against < 0)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL,
                   "%s is \"tensor\", which has no meaning under the published rule of the "
                   "option \"%s\": expected \"corrected\"",
                   key, lp_option_info((LpOption)against)->name);
}

static LpErr check_kinds(const LpScenario *scenario, LpDiag *diag) {
    LP_TRY(check_kind(scenario, "partition.kind", scenario->partition.kind, diag));
    if (scenario->has_generator)
        LP_TRY(check_kind(scenario, "generator.kind", scenario->generator.kind, diag));
    for (uint32_t j = 0; j < scenario->jobs; j++)
        LP_TRY(check_kind(scenario, "a job's kind", scenario->job[j].kind, diag));
    return LP_OK;
}

LpErr lp_scenario_check(const LpScenario *scenario, LpDiag *diag) {
    LP_TRY(lp_options_check(&scenario->options, diag));
    LP_TRY(check_shared(scenario, diag));
    LP_TRY(check_cluster(&scenario->cluster, diag));
    LP_TRY(lp_scenario_check_slices(scenario, diag));
    LP_TRY(lp_scenario_check_failures(scenario, diag));
    LP_TRY(check_settings(scenario, diag));
    LP_TRY(check_kinds(scenario, diag));
    for (uint32_t g = 0; g < scenario->graphs; g++) {
        if (!scenario->graph[g])
            return lp_fail(diag, LP_EINVAL, "graphs[%" PRIu32 "] is missing", g);
        if (scenario->graph[g]->split != NULL)
            LP_TRY(check_corrected(scenario, scenario->graph[g], "has plans", diag));
        else if (scenario->graph[g]->trace != NULL)
            LP_TRY(check_recorded(scenario, scenario->graph[g], diag));
        else if (!lp_published(&scenario->options, LP_OPT_MEMORY))
            LP_TRY(check_fits(scenario, scenario->graph[g], diag));
    }
    if (scenario->jobs > 0 && scenario->has_generator)
        return lp_fail(diag, LP_EINVAL, "jobs and generator are both given: expected one of them");
    for (uint32_t j = 0; j < scenario->jobs; j++)
        LP_TRY(check_job(scenario, j, diag));
    return check_generator(scenario, diag);
}
