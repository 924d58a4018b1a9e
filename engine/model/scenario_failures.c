/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What breaks by itself in a scenario: its trace as faults, and what must hold of all of it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/fabric/fabric.h"
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
