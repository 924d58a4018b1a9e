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

/* The row of a shape of `accelerators` accelerators, made where there is none yet. There is room.
 */
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

/* ---- halves ---- */

static uint32_t rows_of(const LpScenario *scenario) {
    return scenario->shapes + scenario->halves;
}

static uint32_t find_row(const LpScenario *scenario, const LpSlice *slice) {
    for (uint32_t i = 0; i < rows_of(scenario); i++)
        if (lp_slice_same(&scenario->slice[i].slice, slice))
            return i + 1;
    return 0;
}

/* Half as long along d; twisted where it was and still can be. */
static bool halve(const LpScenario *scenario, const LpSlice *from, int d, LpSlice *out) {
    const LpPod *pod = &scenario->cluster.pod.net;
    uint32_t e[3] = {from->extent[0], from->extent[1], from->extent[2]};
    char text[SHOWN];
    if (e[d] % 2 != 0)
        return false;
    e[d] /= 2;
    snprintf(text, sizeof text, "%ux%ux%u twisted", e[0], e[1], e[2]);
    if (from->asked_twist && lp_slice_ask(text, pod, out, NULL) == LP_OK)
        return true;
    *strchr(text, ' ') = '\0';
    return lp_slice_ask(text, pod, out, NULL) == LP_OK;
}

/* Rows grow while they are gone through: halves are halved. */
static LpErr add_halves(LpScenario *scenario, LpDiag *diag) {
    enum { MOST = 1024 };
    LpSliceAsk *rows =
        lp_arena_alloc(scenario->arena, (size_t)scenario->shapes + MOST, sizeof *rows);
    if (rows == NULL)
        return lp_fail_memory(diag, "the halves of slices");
    memcpy(rows, scenario->slice, scenario->shapes * sizeof *rows);
    scenario->slice = rows;
    for (uint32_t i = 0; i < rows_of(scenario); i++)
        for (int d = 0; d < 3; d++) {
            LpSlice half;
            if (scenario->halves < MOST && halve(scenario, &rows[i].slice, d, &half) &&
                find_row(scenario, &half) == 0)
                rows[scenario->shapes + scenario->halves++] =
                    (LpSliceAsk){.accelerators = half.accelerators, .slice = half};
        }
    return LP_OK;
}

static bool power_of_two_times(uint32_t large, uint32_t small) {
    uint32_t times = large / small;
    return large % small == 0 && (times & (times - 1)) == 0;
}

/* Extents ascend in both, and halving keeps that order possible. */
static bool halves_to(const LpSlice *large, const LpSlice *small) {
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int p = 0; p < 6; p++) {
        bool all = true;
        for (int d = 0; d < 3; d++)
            all = all && power_of_two_times(large->extent[d], small->extent[order[p][d]]);
        if (all)
            return true;
    }
    return false;
}

bool lp_halves_next(LpHalves *h) {
    const LpSliceAsk *rows = h->scenario->slice;
    const LpSlice *of = &rows[h->of - 1].slice;
    uint32_t last = h->row > 0 ? rows[h->row - 1].slice.accelerators : of->accelerators, best = 0;
    for (uint32_t i = 1; i <= rows_of(h->scenario); i++) {
        const LpSlice *s = &rows[i - 1].slice;
        bool later =
            s->accelerators < last || (h->row > 0 && s->accelerators == last && i > h->row);
        if (later && s->accelerators < of->accelerators && halves_to(of, s) &&
            (best == 0 || s->accelerators > rows[best - 1].slice.accelerators))
            best = i;
    }
    if (best > 0)
        h->row = best;
    return best > 0;
}

LpErr lp_scenario_slice_row(const LpScenario *scenario, const char *text, uint32_t *row,
                            LpDiag *diag) {
    LpSlice slice;
    char name[LP_SLICE_TEXT];
    if (!has_slices(scenario))
        return lp_fail(diag, LP_EINVAL, "the fabric %s has no slices",
                       lp_fabric_ops(scenario->cluster.fabric)->name);
    LP_TRY(lp_slice_ask(text, &scenario->cluster.pod.net, &slice, diag));
    uint32_t found = find_row(scenario, &slice);
    if (found == 0)
        return lp_fail(diag, LP_EINVAL,
                       "slice %s: expected one that jobs of the scenario ask for, or that halving "
                       "extents makes of it",
                       lp_slice_name(&slice, name));
    *row = found;
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
    if (scenario->outages.any)
        LP_TRY(add_halves(scenario, diag));
    for (uint32_t i = 0; i < rows_of(scenario); i++)
        lp_slice_name(&scenario->slice[i].slice, scenario->slice[i].name);
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
    for (uint32_t i = 0; i < scenario->slices; i++)
        return lp_fail(diag, LP_EINVAL,
                       "slice %s: cluster.fabric is %s, which has no slices: expected the fabric "
                       "pod",
                       lp_str_show(shown, sizeof shown, scenario->slice[i].text), fabric);
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
    if (!scenario->has_generator)
        return LP_OK;
    if (g->slices == 0)
        return lp_fail(diag, LP_EINVAL,
                       "generator.slices is missing: on the fabric pod expected \"table2\" or a "
                       "list of slices and weights");
    LP_TRY(check_weights(g, diag));
    return check_duration(g, diag);
}
