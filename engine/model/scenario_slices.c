/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that a scenario's jobs ask for: what the pod makes of them, and what must hold. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/need.h"
#include "base/str.h"
#include "model/dist.h"
#include "model/fabric/fabric.h"
#include "model/scenario_internal.h"

enum { SHOWN = 64 };

static bool has_slices(const LpScenario *scenario) {
    return lp_fabric_ops(scenario->cluster.fabric)->slices;
}

/* The row of a shape of so many accelerators, made where there is none yet. There is room. */
static uint32_t row_of(LpScenario *scenario, uint32_t accelerators) {
    for (uint32_t i = 0; i < scenario->slices; i++)
        if (scenario->slice[i].text == NULL && scenario->slice[i].accelerators == accelerators)
            return i + 1;
    scenario->slice[scenario->slices] = (LpSliceAsk){.accelerators = accelerators};
    return ++scenario->slices;
}

/* Jobs that say how many accelerators they want get a row, too. */
static LpErr ask_by_size(LpScenario *scenario, LpJobSpec **out, LpDiag *diag) {
    LpSliceAsk *rows = lp_arena_alloc(scenario->arena,
                                      (size_t)scenario->slices + scenario->jobs + 1, sizeof *rows);
    LpJobSpec *jobs = lp_arena_alloc(scenario->arena, (size_t)scenario->jobs + 1, sizeof *jobs);
    if (rows == NULL || jobs == NULL)
        return lp_fail_memory(diag, "the slices of the jobs");
    if (scenario->slices > 0)
        memcpy(rows, scenario->slice, scenario->slices * sizeof *rows);
    scenario->slice = rows;
    for (uint32_t j = 0; j < scenario->jobs; j++) {
        jobs[j] = scenario->job[j];
        if (jobs[j].graph < 0 && jobs[j].slice == 0)
            jobs[j].slice = row_of(scenario, jobs[j].rigid_servers);
    }
    scenario->job = *out = jobs;
    return LP_OK;
}

/* The lines of the trace become faults. */
static LpErr settle_trace(LpScenario *scenario, LpDiag *diag) {
    uint32_t counts[LP_OUTAGE_COUNT], lines = 1;
    LpDiag inner;
    if (scenario->trace == NULL)
        return LP_OK;
    for (const char *at = scenario->trace; *at != '\0'; at++)
        lines += *at == '\n';
    LpOutageFault *fault = lp_arena_alloc(scenario->arena, lines, sizeof *fault);
    if (fault == NULL)
        return lp_fail_memory(diag, "a trace of failures");
    lp_cluster_components(&scenario->cluster, counts);
    if (lp_outage_trace(scenario->trace, counts, fault, lines, &scenario->outages.faults, &inner) !=
        LP_OK)
        return lp_fail(diag, LP_EINVAL, "failures.trace: %s", inner.text);
    scenario->outages.fault = fault;
    return LP_OK;
}

static LpErr settle_row(const LpScenario *scenario, LpSliceAsk *row, LpDiag *diag) {
    const LpPodParams *pod = &scenario->cluster.pod;
    if (row->text != NULL)
        return lp_slice_ask(row->text, &pod->net, &row->slice, diag);
    LP_TRY(lp_pod_check(&pod->net, diag));
    return lp_slice_of_size(row->accelerators, &pod->net, pod->auto_twist, &row->slice, diag);
}

/* ---- other shapes ---- */

static bool size_seen(const LpScenario *scenario, uint32_t row) {
    const LpSlice *slice = &scenario->slice[row].slice;
    bool seen = slice->accelerators > lp_cluster_servers(&scenario->cluster);
    for (uint32_t i = 0; i < row && !seen; i++)
        seen = scenario->slice[i].slice.accelerators == slice->accelerators;
    return seen;
}

/* Static wiring runs twisted slices as plain ones: no shape of its own. */
static bool is_new(const LpScenario *scenario, const LpSlice *slice) {
    if (slice->misfit != LP_SLICE_FITS || (slice->asked_twist && !slice->twisted))
        return false;
    for (uint32_t i = 0; i < scenario->slices; i++)
        if (lp_slice_same(&scenario->slice[i].slice, slice))
            return false;
    return true;
}

/* How many there may be of those asked for that are no larger than the pod. */
static uint32_t count_shapes(const LpScenario *scenario) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < scenario->slices; i++)
        if (!size_seen(scenario, i))
            count += lp_slice_shapes(scenario->slice[i].slice.accelerators,
                                     &scenario->cluster.pod.net, NULL, 0);
    return count;
}

static LpErr add_shapes(LpScenario *scenario, LpDiag *diag) {
    uint32_t most = count_shapes(scenario);
    LpSlice *shape = lp_arena_alloc(scenario->arena, (size_t)most + 1, sizeof *shape);
    LpSliceAsk *rows =
        lp_arena_alloc(scenario->arena, (size_t)scenario->slices + most + 1, sizeof *rows);
    if (shape == NULL || rows == NULL)
        return lp_fail_memory(diag, "the shapes of slices");
    if (scenario->slices > 0)
        memcpy(rows, scenario->slice, scenario->slices * sizeof *rows);
    scenario->slice = rows;
    scenario->shapes = scenario->slices;
    for (uint32_t i = 0; i < scenario->slices; i++) {
        if (size_seen(scenario, i))
            continue;
        uint32_t count = lp_slice_shapes(scenario->slice[i].slice.accelerators,
                                         &scenario->cluster.pod.net, shape, most);
        for (uint32_t k = 0; k < count; k++)
            if (is_new(scenario, &shape[k]))
                rows[scenario->shapes++] =
                    (LpSliceAsk){.accelerators = shape[k].accelerators, .slice = shape[k]};
    }
    return LP_OK;
}

LpErr lp_scenario_settle_slices(LpScenario *scenario, LpDiag *diag) {
    if (!has_slices(scenario))
        return LP_OK;
    LpJobSpec *jobs = NULL;
    LP_TRY(ask_by_size(scenario, &jobs, diag));
    for (uint32_t i = 0; i < scenario->slices; i++)
        LP_TRY(settle_row(scenario, &scenario->slice[i], diag));
    LP_TRY(add_shapes(scenario, diag));
    LP_TRY(settle_trace(scenario, diag));
    for (uint32_t j = 0; j < scenario->jobs; j++)
        if (jobs[j].slice > 0)
            jobs[j].rigid_servers = scenario->slice[jobs[j].slice - 1].slice.accelerators;
    return LP_OK;
}

/* ---- checks ---- */

static LpErr check_absent(const LpScenario *scenario, LpDiag *diag) {
    const char *fabric = lp_fabric_ops(scenario->cluster.fabric)->name;
    char shown[SHOWN];
    if (scenario->queue != LP_QUEUE_LOSS)
        return lp_fail(diag, LP_EINVAL,
                       "queue is \"fifo\" and cluster.fabric is %s, where policies decide who "
                       "waits: expected the fabric pod, or no queue",
                       fabric);
    if (scenario->outages.any)
        return lp_fail(diag, LP_EINVAL,
                       "failures: cluster.fabric is %s: expected the fabric pod (elsewhere servers "
                       "break by hand, :change fail_server=N)",
                       fabric);
    for (uint32_t i = 0; i < scenario->slices; i++)
        return lp_fail(diag, LP_EINVAL,
                       "slice %s: cluster.fabric is %s, which has no slices: expected the fabric "
                       "pod",
                       lp_str_show(shown, sizeof shown, scenario->slice[i].text), fabric);
    return LP_OK;
}

/* Static wiring has neither switches nor cables; Young's and Daly's intervals need a mean. */
static LpErr check_failures(const LpScenario *scenario, LpDiag *diag) {
    uint32_t counts[LP_OUTAGE_COUNT];
    lp_cluster_components(&scenario->cluster, counts);
    for (int k = 0; k < LP_OUTAGE_COUNT; k++) {
        const LpOutageProcess *p = &scenario->outages.process[k];
        if (p->fails.law != LP_OUTAGE_NEVER && counts[k] == 0)
            return lp_fail(diag, LP_EINVAL,
                           "failures.%s: static wiring has none: expected the wiring switched, or "
                           "another kind",
                           lp_outage_word((LpOutageKind)k));
    }
    return LP_OK;
}

static bool follows(const LpCheckpointSpec *spec) {
    return spec->rule == LP_CHECKPOINT_YOUNG || spec->rule == LP_CHECKPOINT_DALY;
}

static LpErr check_intervals(const LpScenario *scenario, LpDiag *diag) {
    bool any = follows(&scenario->generator.checkpoint);
    for (uint32_t j = 0; j < scenario->jobs; j++)
        any = any || follows(&scenario->job[j].checkpoint);
    for (int k = 0; any && k < LP_OUTAGE_COUNT; k++)
        if (isnan(lp_outage_mean(&scenario->outages.process[k].fails)))
            return lp_fail(diag, LP_EINVAL,
                           "failures.%s: Young's and Daly's intervals need its mean, which a "
                           "Weibull shape other than 1 does not tell here: expected an interval",
                           lp_outage_word((LpOutageKind)k));
    return LP_OK;
}

static LpErr check_weights(const LpGenerator *g, LpDiag *diag) {
    char key[SHOWN];
    double sum = 0;
    for (uint32_t i = 0; i < g->slices; i++) {
        snprintf(key, sizeof key, "generator.slices[%u].weight", i);
        LP_TRY(lp_need(key, g->weight[i], LP_NEED_NOT_NEGATIVE, diag));
        sum += g->weight[i];
    }
    if (!(sum > 0))
        return lp_fail(diag, LP_EINVAL,
                       "generator.slices: the weights add up to 0: expected one above 0");
    return LP_OK;
}

static LpErr check_duration(const LpGenerator *g, LpDiag *diag) {
    static const char key[] = "generator.duration";
    double min, max;
    if (g->duration.kind == LP_DIST_NONE)
        return lp_fail(diag, LP_EINVAL,
                       "%s is missing: expected a distribution of the time that a slice is held",
                       key);
    LP_TRY(lp_dist_check(&g->duration, key, diag));
    lp_dist_bounds(&g->duration, &min, &max);
    if (!(min >= 0.0) || !(max > 0.0))
        return lp_need_fail(key, min, "times above 0 s", diag);
    return LP_OK;
}

LpErr lp_scenario_check_slices(const LpScenario *scenario, LpDiag *diag) {
    const LpGenerator *g = &scenario->generator;
    int published = lp_options_first_published(&scenario->options);
    if (!has_slices(scenario))
        return check_absent(scenario, diag);
    if (published >= 0)
        return lp_fail(diag, LP_EINVAL,
                       "cluster.fabric is pod, where the published rule of the option \"%s\" has "
                       "no meaning: expected \"corrected\"",
                       lp_option_info((LpOption)published)->name);
    for (uint32_t j = 0; j < scenario->jobs; j++)
        if (scenario->job[j].graph >= 0 && scenario->job[j].slice == 0)
            return lp_fail(diag, LP_EINVAL,
                           "jobs[%u].graph: a job of the fabric pod runs on a slice: expected "
                           "\"slice\", too, such as \"4x4x8\"",
                           j);
    LP_TRY(check_failures(scenario, diag));
    LP_TRY(check_intervals(scenario, diag));
    if (!scenario->has_generator)
        return LP_OK;
    if (g->slices == 0)
        return lp_fail(diag, LP_EINVAL,
                       "generator.slices is missing: on the fabric pod expected \"table2\" or a "
                       "list of slices and weights");
    LP_TRY(check_weights(g, diag));
    return check_duration(g, diag);
}
