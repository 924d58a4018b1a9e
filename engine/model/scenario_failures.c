/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What breaks by itself in a scenario: its trace as faults, what must hold of all of it, and what
 * it can be expected to do to jobs. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "model/fabric/fabric.h"
#include "model/pod/checkpoint.h"
#include "model/scenario_failures.h"
#include "model/scenario_internal.h"

enum { KINDS = 120 };

static const LpFabricOps *ops_of(const LpScenario *scenario) {
    return lp_fabric_ops(scenario->cluster.fabric);
}

/* ---- working out ---- */

LpErr lp_scenario_settle_failures(LpScenario *scenario, LpDiag *diag) {
    uint32_t counts[LP_OUTAGE_COUNT], lines = 1;
    LpDiag inner;
    scenario->answers = scenario->answers || scenario->outages.any;
    if (scenario->trace == NULL)
        return LP_OK;
    for (const char *at = scenario->trace; *at != '\0'; at++)
        lines += *at == '\n';
    LpOutageFault *fault = lp_arena_alloc(scenario->arena, lines, sizeof *fault);
    if (fault == NULL)
        return lp_fail_memory(diag, "a trace of failures");
    lp_cluster_components(&scenario->cluster, counts);
    LpErr err = lp_outage_trace(scenario->trace_file, scenario->trace, counts, fault, lines,
                                &scenario->outages.faults, &inner);
    if (err != LP_OK && scenario->trace_file != NULL)
        return lp_fail_at(diag, err, inner.file, inner.line, inner.col, "%s", inner.text);
    if (err != LP_OK)
        return lp_fail(diag, LP_EINVAL, "failures.trace: %s", inner.text);
    scenario->outages.fault = fault;
    return LP_OK;
}

/* ---- what must hold ---- */

static LpErr fail_none(const LpScenario *scenario, const uint32_t *counts, int kind, LpDiag *diag) {
    char kinds[KINDS];
    bool wiring = ops_of(scenario)->slices && (kind == LP_OUTAGE_SWITCH || kind == LP_OUTAGE_CABLE);
    if (wiring)
        return lp_fail(diag, LP_EINVAL,
                       "failures.%s: static wiring has none: expected the wiring switched, or "
                       "another kind",
                       lp_outage_word((LpOutageKind)kind));
    return lp_fail(diag, LP_EINVAL, "failures.%s: the fabric %s has none: expected %s",
                   lp_outage_word((LpOutageKind)kind), ops_of(scenario)->name,
                   lp_outage_kinds(counts, kinds, sizeof kinds));
}

static LpErr check_kinds(const LpScenario *scenario, LpDiag *diag) {
    uint32_t counts[LP_OUTAGE_COUNT];
    lp_cluster_components(&scenario->cluster, counts);
    uint64_t clocks = 0;
    for (int k = 0; k < LP_OUTAGE_COUNT; k++) {
        if (scenario->outages.process[k].fails.law == LP_OUTAGE_NEVER)
            continue;
        if (counts[k] == 0)
            return fail_none(scenario, counts, k, diag);
        clocks += counts[k];
        if (clocks > LP_OUTAGE_CLOCKS_MAX)
            return lp_fail(diag, LP_ELIMIT,
                           "failures.%s: %" PRIu64 " components would have a clock of their own: "
                           "expected at most %d, or a trace",
                           lp_outage_word((LpOutageKind)k), clocks, LP_OUTAGE_CLOCKS_MAX);
    }
    return LP_OK;
}

static bool follows(const LpCheckpointSpec *spec) {
    return spec->rule == LP_CHECKPOINT_YOUNG || spec->rule == LP_CHECKPOINT_DALY;
}

/* Where links are shared the pace of a job changes with its neighbours. */
static LpErr check_checkpoint(const LpScenario *scenario, const char *key, bool graph,
                              const LpCheckpointSpec *spec, LpDiag *diag) {
    if (spec->rule == LP_CHECKPOINT_NONE || ops_of(scenario)->slices || !graph)
        return LP_OK;
    if (lp_cluster_packet(&scenario->cluster) != NULL)
        return lp_fail(diag, LP_EINVAL,
                       "%s.checkpoint: on the fabric %s the pace of a job with a graph changes "
                       "while it runs: expected a job with a duration, or no checkpoint (finished "
                       "steps are kept then)",
                       key, ops_of(scenario)->name);
    if (follows(spec))
        return lp_fail(diag, LP_EINVAL,
                       "%s.checkpoint.interval: how many servers a job with a graph gets is not "
                       "known when it arrives: expected a time",
                       key);
    return LP_OK;
}

static LpErr check_share(const LpScenario *scenario, LpDiag *diag) {
    const LpGenerator *g = &scenario->generator;
    if (scenario->has_generator && g->slices == 0 && g->communication_share < 1)
        return lp_fail(diag, LP_EINVAL,
                       "generator.communication_share: what a graph sends is known: expected it "
                       "with the key slices only");
    return LP_OK;
}

static LpErr check_checkpoints(const LpScenario *scenario, LpDiag *diag) {
    char key[32];
    LP_TRY(check_share(scenario, diag));
    for (uint32_t j = 0; j < scenario->jobs; j++) {
        snprintf(key, sizeof key, "jobs[%u]", j);
        LP_TRY(check_checkpoint(scenario, key, scenario->job[j].graph >= 0,
                                &scenario->job[j].checkpoint, diag));
    }
    return check_checkpoint(scenario, "generator", scenario->generator.slices == 0,
                            &scenario->generator.checkpoint, diag);
}

static bool any_graph(const LpScenario *scenario) {
    bool any = scenario->has_generator && scenario->generator.slices == 0;
    for (uint32_t j = 0; j < scenario->jobs; j++)
        any = any || scenario->job[j].graph >= 0;
    return any;
}

static LpErr check_answer(const LpScenario *scenario, LpDiag *diag) {
    const LpFabricOps *ops = ops_of(scenario);
    if (scenario->on_failure == LP_ON_FAILURE_SHRINK && !ops->slices && !any_graph(scenario))
        return lp_fail(diag, LP_EINVAL,
                       "on_failure is \"shrink\", and jobs with a duration have one size on the "
                       "fabric %s: expected \"spare\", \"requeue\", \"hold\" or \"abort\"",
                       ops->name);
    if (scenario->on_failure == LP_ON_FAILURE_DEGRADED && !scenario->cluster.pod.fault_tolerant)
        return lp_fail(diag, LP_EINVAL,
                       "on_failure is \"degraded\", and only slices of a pod with "
                       "cluster.pod.fault_tolerant go on without some of their light: expected it "
                       "true, or \"spare\", \"requeue\", \"hold\", \"shrink\" or \"abort\"");
    return LP_OK;
}

LpErr lp_scenario_check_failures(const LpScenario *scenario, LpDiag *diag) {
    int published = lp_options_first_published(&scenario->options);
    if (!scenario->outages.any && scenario->trace == NULL)
        return check_checkpoints(scenario, diag);
    if (published >= 0 && !ops_of(scenario)->slices)
        return lp_fail(diag, LP_EINVAL,
                       "failures: nothing breaks under the published rule of the option \"%s\": "
                       "expected \"corrected\"",
                       lp_option_info((LpOption)published)->name);
    LP_TRY(check_kinds(scenario, diag));
    LP_TRY(check_checkpoints(scenario, diag));
    return check_answer(scenario, diag);
}

/* ==== what they can be expected to do ==== */

/* Chances below are not worth waiting for: a run that waits for them is ended as endless. */
static const double hardly = 1e-4;

/* ---- how often ---- */

/* Hosts under a slice. A part lies as it is tried first: its longest extent along x. */
static uint32_t hosts_of(const LpPodParams *pod, const LpSlice *s) {
    const uint32_t *host = pod->host;
    uint32_t hosts = 1;
    if (s->cubes > 0)
        return s->accelerators / (host[0] * host[1] * host[2]);
    for (int axis = 0; axis < 3; axis++)
        hosts *= (s->extent[2 - axis] + host[axis] - 1) / host[axis];
    return hosts;
}

/* Failure domains that a slice of `cubes` cubes touches where the pod is empty. */
static uint32_t domains_of(const LpPodParams *pod, uint32_t cubes) {
    uint32_t per = pod->rules.cubes_per_domain, all = (pod->net.cubes + per - 1) / per;
    uint32_t least = (cubes + per - 1) / per;
    if (!pod->rules.spread)
        return least;
    return cubes < all ? cubes : all;
}

/* Failures per second of all that stops a slice. */
static double rate_on_slice(const LpScenario *scenario, const LpSlice *s) {
    const LpPodParams *pod = &scenario->cluster.pod;
    uint32_t n = pod->net.cube;
    bool light = s->cubes > 0 && !pod->net.fixed && !pod->fault_tolerant;
    uint32_t cubes = s->cubes > 0 ? s->cubes : 1;
    const uint32_t counts[LP_OUTAGE_COUNT] = {[LP_OUTAGE_DOMAIN] = domains_of(pod, cubes),
                                              [LP_OUTAGE_CUBE] = cubes,
                                              [LP_OUTAGE_HOST] = hosts_of(pod, s),
                                              [LP_OUTAGE_ACCELERATOR] = s->accelerators,
                                              [LP_OUTAGE_SWITCH] = light ? 3 * n * n : 0,
                                              [LP_OUTAGE_CABLE] = light ? 6 * n * n * cubes : 0};
    double rate = 0;
    for (int k = 0; k < LP_OUTAGE_COUNT; k++)
        rate += counts[k] / lp_outage_mean(&scenario->outages.process[k].fails);
    return rate;
}

/* Failures per second of all that stops a job of `servers` servers: the servers, their links, the
 * light between them. */
static double rate_elsewhere(const LpScenario *scenario, double servers) {
    const LpOutageProcess *process = scenario->outages.process;
    return servers / lp_outage_mean(&process[LP_OUTAGE_SERVER].fails) +
           servers / lp_outage_mean(&process[LP_OUTAGE_LINK].fails) +
           servers * (servers - 1) / 2 / lp_outage_mean(&process[LP_OUTAGE_CIRCUIT].fails);
}

double lp_failure_rate(const LpScenario *scenario, const LpJobSpec *job) {
    return job->slice > 0 ? rate_on_slice(scenario, &scenario->slice[job->slice - 1].slice)
                          : rate_elsewhere(scenario, job->rigid_servers);
}

double lp_checkpoint_interval(const LpScenario *scenario, const LpJobSpec *job) {
    const LpCheckpointSpec *spec = &job->checkpoint;
    if (spec->rule == LP_CHECKPOINT_NONE)
        return 0;
    if (spec->rule == LP_CHECKPOINT_EVERY)
        return spec->interval;
    double rate = lp_failure_rate(scenario, job);
    LpPodCheckpoint c = {.cost = spec->cost, .restart = spec->restart, .mean = 1 / rate};
    if (!(rate > 0))
        return 0;
    return spec->rule == LP_CHECKPOINT_DALY ? lp_checkpoint_daly(&c) : lp_checkpoint_young(&c);
}

/* ---- do enough work at once? ---- */

/* The share of its time that a component works. */
static double up(const LpScenario *scenario, LpOutageKind kind) {
    const LpOutageProcess *p = &scenario->outages.process[kind];
    double works = lp_outage_mean(&p->fails), mended = lp_outage_mean(&p->repair);
    if (p->fails.law == LP_OUTAGE_NEVER || isinf(works))
        return 1;
    return isinf(mended) ? 0 : works / (works + mended);
}

static double power(double x, double n) {
    return x > 0 ? lp_num_exp(n * lp_num_log(x)) : 0;
}

/* The share of its time that a cube with its hosts and accelerators works, or a server. */
static double unit_up(const LpScenario *scenario, bool cubes) {
    const LpPodParams *pod = &scenario->cluster.pod;
    double n = pod->net.cube * pod->net.cube * pod->net.cube;
    double hosts = n / (pod->host[0] * pod->host[1] * pod->host[2]);
    if (!cubes)
        return up(scenario, LP_OUTAGE_SERVER);
    return up(scenario, LP_OUTAGE_DOMAIN) * up(scenario, LP_OUTAGE_CUBE) *
           power(up(scenario, LP_OUTAGE_HOST), hosts) *
           power(up(scenario, LP_OUTAGE_ACCELERATOR), n);
}

/* That at least `need` of `all` work, each by itself for a share `p` of the time. O(all). */
static double enough(double p, uint32_t need, uint32_t all) {
    double chosen = 0, sum = 0; /* chosen: logarithm of `all` over `need` */
    if (p >= 1 || need == 0)
        return 1;
    if (!(p > 0))
        return 0;
    for (uint32_t i = 1; i <= need; i++)
        chosen += lp_num_log((double)(all - need + i) / i);
    double term = lp_num_exp(chosen + need * lp_num_log(p) + (all - need) * lp_num_log(1 - p));
    for (uint32_t k = need; k <= all; k++) {
        sum += term;
        term *= (double)(all - k) / (k + 1) * p / (1 - p);
    }
    return sum;
}

/* ---- the lines ---- */

static void add_who(const char *who, int64_t job, LpBuf *out) {
    lp_buf_add(out, who);
    if (job >= 0)
        lp_buf_addf(out, "[%" PRId64 "]", job);
    lp_buf_add(out, ": ");
}

/* Seconds of work that have to pass before any of it is kept; 0: all of it is kept as it comes. */
static double piece(const LpScenario *scenario, const LpJobSpec *job) {
    double interval = lp_checkpoint_interval(scenario, job);
    bool last = !(interval < job->rigid_duration);
    if (!(interval > 0))
        return 0;
    return job->checkpoint.restart + (last ? job->rigid_duration : interval + job->checkpoint.cost);
}

static bool told_of(const LpScenario *scenario, const char *who, int64_t number,
                    const LpJobSpec *job, LpBuf *out) {
    const LpSlice *slice = job->slice > 0 ? &scenario->slice[job->slice - 1].slice : NULL;
    bool cubes = slice != NULL && slice->cubes > 0;
    uint32_t all = cubes ? scenario->cluster.pod.net.cubes : lp_cluster_servers(&scenario->cluster);
    uint32_t need = cubes ? slice->cubes : job->rigid_servers;
    double share = unit_up(scenario, cubes), rate = lp_failure_rate(scenario, job);
    double chance = slice != NULL && !cubes ? 1 : fmax(enough(share, need, all), DBL_MIN);
    double lasts = piece(scenario, job), alone = lp_num_exp(-rate * lasts);
    char every[32], long_[32];
    if (chance < hardly) {
        add_who(who, number, out);
        lp_buf_addf(out,
                    "it needs %" PRIu32 " %s%s, each of which works %.3g %% of the time: so many "
                    "of %" PRIu32 " hardly ever work at once (chance %.2g), the run may not end\n",
                    need, cubes ? "cube" : "server", lp_str_s(need), 100 * share, all, chance);
    } else if (alone < hardly) {
        add_who(who, number, out);
        lp_buf_addf(out,
                    "a failure stops it every %s on average, and any work is kept only after %s "
                    "without one (chance %.2g): the run may not end\n",
                    lp_quantity_print(1 / rate, LP_DIM_TIME, every, sizeof every),
                    lp_quantity_print(lasts, LP_DIM_TIME, long_, sizeof long_), alone);
    }
    return chance < hardly || alone < hardly;
}

void lp_failure_outlook(const LpScenario *scenario, LpBuf *out) {
    int lines = 0;
    if (!scenario->outages.any || !isinf(scenario->horizon))
        return;
    for (uint32_t j = 0; j < scenario->jobs && lines < LP_OUTLOOK_LINES; j++)
        if (scenario->job[j].graph < 0)
            lines += told_of(scenario, "jobs", j, &scenario->job[j], out);
    if (scenario->has_generator) {
        /* The largest slice that a generator draws, for as long as a checkpoint takes. */
        const LpGenerator *g = &scenario->generator;
        LpJobSpec job = {
            .graph = -1, .rigid_duration = (double)INFINITY, .checkpoint = g->checkpoint};
        uint32_t most = 0;
        for (uint32_t i = 0; i < g->slices; i++) {
            uint32_t size = scenario->slice[g->first_slice + i].slice.accelerators;
            if (g->weight[i] > 0 && size > most) {
                most = size;
                job.slice = g->first_slice + i + 1;
            }
        }
        if (most > 0)
            told_of(scenario, "generator", -1, &job, out);
    }
}
