/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a study of the published experiment. */
#include "many/experiment/experiment.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "many/experiment/experiment_impl.h"

/* On no disk; bare names of policies are not looked for beside it. */
#define SCENARIO "experiment:/pac-ml.json"

/* Relative folders are the caller's, not the scenario's. */
static LpErr find_profiles(const LpExperimentSpec *spec, LpExperiment *e, LpDiag *diag) {
    if (spec->profiles == NULL)
        return LP_OK;
    char *folder = realpath(spec->profiles, NULL);
    if (folder == NULL && errno == ENOMEM)
        return lp_fail_memory(diag, "the profiles");
    if (folder == NULL)
        return lp_fail(diag, LP_EIO, "cannot read the profiles' folder %s: %s", spec->profiles,
                       strerror(errno));
    e->profiles = lp_arena_strdup(e->arena, folder);
    free(folder);
    LpErr err = e->profiles != NULL ? LP_OK : lp_fail_memory(diag, "the profiles");
    for (int m = 0; err == LP_OK && m < LP_EXPERIMENT_MODELS; m++) {
        LpBuf path = {0};
        lp_buf_addf(&path, "%s/%s.txt", e->profiles, lp_experiment_models[m]);
        err = lp_buf_ok(&path, diag);
        if (err == LP_OK && access(lp_buf_text(&path), R_OK) != 0)
            err = lp_fail(diag, LP_EIO,
                          "cannot read %s: %s; expected the five PipeDream profiles alexnet.txt, "
                          "gnmt.txt, resnet18.txt, squeezenet1_0.txt, vgg16.txt",
                          lp_buf_text(&path), strerror(errno));
        lp_buf_fini(&path);
    }
    return err;
}

static const char *keep(LpArena *arena, LpBuf *text) {
    const char *kept = text->failed ? NULL : lp_arena_strdup(arena, lp_buf_text(text));
    lp_buf_fini(text);
    return kept;
}

/* What a point changes in the scenario, and then the user. */
static LpErr point_sets(const LpExperimentSpec *spec, const LpPoint *point, LpArena *arena,
                        const char *const **out, LpDiag *diag) {
    const char **set = lp_arena_alloc(arena, (size_t)spec->sets + 2, sizeof *set);
    LpBuf cluster = {0}, generator = {0};
    lp_buf_add(&cluster, "cluster=");
    lp_experiment_cluster(point, &cluster);
    lp_buf_add(&generator, "generator=");
    lp_experiment_generator(spec, point, &generator);
    const char *first = keep(arena, &cluster), *second = keep(arena, &generator);
    if (set == NULL || first == NULL || second == NULL)
        return lp_fail_memory(diag, "the experiment");
    set[0] = first;
    set[1] = second;
    for (uint32_t i = 0; i < spec->sets; i++)
        set[2 + i] = spec->set[i];
    *out = set;
    return LP_OK;
}

static LpErr make_variants(const LpExperimentSpec *spec, LpExperiment *e, LpDiag *diag) {
    e->variant = lp_arena_alloc(e->arena, (size_t)e->points * e->agents, sizeof *e->variant);
    if (e->variant == NULL)
        return lp_fail_memory(diag, "the experiment");
    for (uint32_t p = 0; p < e->points; p++) {
        const char *const *set = NULL;
        LP_TRY(point_sets(spec, &e->point[p], e->arena, &set, diag));
        for (uint32_t a = 0; a < e->agents; a++) {
            LpBuf label = {0};
            LpVariant *v = &e->variant[p * e->agents + a];
            *v = e->agent[a];
            lp_buf_addf(&label, "%s %s", e->point[p].label, e->agent[a].label);
            if ((v->label = keep(e->arena, &label)) == NULL)
                return lp_fail_memory(diag, "the experiment");
            v->sets = spec->sets + 2;
            v->set = set;
        }
    }
    return LP_OK;
}

/* ---- in a file ---- */

/* What tells a study from others: the runs of each point with each agent, and what a point changes
 * in the scenario. */
static LpErr describe(const LpExperimentSpec *spec, const LpExperiment *e, LpCompareHead *out,
                      LpDiag *diag) {
    static const char *const AXIS[] = {"point"}, *const UNIT[] = {""};
    LpBuf name = {0};
    uint32_t variants = e->points * e->agents;
    const char **value = lp_arena_alloc(e->arena, variants, sizeof *value);
    for (uint32_t v = 0; value != NULL && v < variants; v++) {
        LpBuf text = {0};
        for (uint32_t i = 0; i < e->variant[v].sets; i++)
            lp_buf_addf(&text, "%s%s", i > 0 ? " " : "", e->variant[v].set[i]);
        value[v] = keep(e->arena, &text);
    }
    lp_buf_addf(&name, "pac-ml %s", lp_study_name(spec->study));
    *out = (LpCompareHead){.work = "experiment",
                           .scenario = keep(e->arena, &name),
                           .axes = 1,
                           .axis = AXIS,
                           .unit = UNIT,
                           .value = value,
                           .policies = variants};
    bool whole = value != NULL && out->scenario != NULL;
    for (uint32_t v = 0; whole && v < variants; v++)
        whole = value[v] != NULL;
    return whole ? LP_OK : lp_fail_memory(diag, "the experiment");
}

static LpErr run_kept(const LpExperimentSpec *spec, LpBatchSpec *batch, const LpPartSpec *part,
                      LpExperiment *e, bool *began, LpDiag *diag) {
    const LpExperimentKeep *k = &spec->keep;
    LpResults *results;
    uint32_t damaged;
    LP_TRY(lp_results_open(k->file, k->resume, part, &results, diag));
    uint32_t found = lp_results_found(results, &damaged);
    batch->keeper = lp_results_keeper(results);
    k->opened(spec->user, found, damaged);
    LpErr err = lp_batch_run(batch, &e->batch, began, diag);
    if (err == LP_OK) {
        *began = true;
        err = lp_results_end(results, &e->batch, diag);
    }
    batch->keeper = NULL;
    lp_results_close(results);
    return err;
}

/* The runs themselves. */
static LpErr run_batch(const LpExperimentSpec *spec, LpBatchSpec *batch, LpExperiment *e,
                       bool *began, LpDiag *diag) {
    const LpExperimentKeep *k = &spec->keep;
    LpCompareHead head;
    LpShardHead shard;
    LP_TRY(describe(spec, e, &head, diag));
    LpBatchSpec share = *batch, told;
    share.shard = k->shard;
    share.shards = k->shards;
    told = share;
    told.base.sets = spec->sets; /* variants have them, too */
    told.base.set = spec->set;
    LP_TRY(lp_shard_identify(&told, &head, k->word, k->words, e->arena, &shard, diag));
    e->provenance = shard.provenance;
    if (k->file == NULL)
        return lp_batch_run(batch, &e->batch, began, diag);
    const LpPartSpec part = {&head, &shard, &told};
    return run_kept(spec, &share, &part, e, began, diag);
}

/* ---- running ---- */

static LpErr run_all(const LpExperimentSpec *spec, LpExperiment *e, bool *began, LpDiag *diag) {
    LpInputs *inputs;
    LpBuf text = {0};
    LP_TRY(lp_inputs_new(&inputs, diag));
    LpBatchSpec batch = {.base = {.scenario = SCENARIO, .log = spec->log},
                         .variants = e->points * e->agents,
                         .variant = e->variant,
                         .seeds = spec->seeds,
                         .seed = spec->seed,
                         .threads = spec->threads,
                         .progress = spec->progress,
                         .cancelled = spec->cancelled,
                         .user = spec->user,
                         .inputs = inputs};
    lp_experiment_scenario(spec, &e->point[0], &text);
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = lp_inputs_put(inputs, SCENARIO, lp_buf_text(&text), text.len, diag);
    if (err == LP_OK && spec->tune)
        err = lp_experiment_tune(&batch, e, diag);
    if (err == LP_OK)
        err = run_batch(spec, &batch, e, began, diag);
    bool whole = err == LP_OK && !e->batch.stopped && spec->keep.shards == 0;
    if (whole)
        err = lp_experiment_compare_rules(&batch, e, diag);
    if (whole && err == LP_OK && spec->bound)
        err = lp_experiment_bounds(&batch, e, diag);
    lp_buf_fini(&text);
    lp_inputs_free(inputs);
    return err;
}

static LpErr run(const LpExperimentSpec *given, LpExperiment *e, bool *began, LpDiag *diag) {
    LpExperimentSpec spec = *given;
    LP_TRY(lp_experiment_points(&spec, e->point, &e->points, diag));
    LP_TRY(lp_experiment_choose_agents(&spec, e, diag));
    LP_TRY(find_profiles(&spec, e, diag));
    spec.profiles = e->profiles;
    LP_TRY(make_variants(&spec, e, diag));
    return run_all(&spec, e, began, diag);
}

LpErr lp_experiment_run(const LpExperimentSpec *spec, LpExperiment *out, bool *began,
                        LpDiag *diag) {
    LpExperiment e = {.study = spec->study, .arena = lp_arena_new(0)};
    *began = false;
    if (e.arena == NULL)
        return lp_fail_memory(diag, "the experiment");
    LpErr err = run(spec, &e, began, diag);
    if (err != LP_OK) {
        lp_experiment_fini(&e);
        return err;
    }
    *out = e;
    return LP_OK;
}

void lp_experiment_fini(LpExperiment *e) {
    lp_batch_fini(&e->batch);
    lp_arena_free(e->arena);
    *e = (LpExperiment){0};
}

/* ---- numbers ---- */

double lp_experiment_value(const LpRun *run, LpStudyMetric m) {
    const LpSummary *s = &run->summary;
    if (!run->done)
        return (double)NAN;
    if (m == LP_STUDY_METRIC_CLUSTER)
        return s->compute_throughput + s->dep_throughput;
    if (m == LP_STUDY_METRIC_LOST)
        return lp_summary_lost(s);
    return lp_metric_value(s, m == LP_STUDY_METRIC_BLOCKING   ? LP_METRIC_BLOCKING
                              : m == LP_STUDY_METRIC_UNSERVED ? LP_METRIC_UNSERVED
                              : m == LP_STUDY_METRIC_JCT      ? LP_METRIC_MEAN_JCT
                                                              : LP_METRIC_DEMAND);
}

bool lp_experiment_late_at(const LpExperiment *e, uint32_t point, uint32_t agent) {
    return lp_batch_late(&e->batch, point * e->agents + agent);
}

bool lp_experiment_late(const LpExperiment *e, uint32_t agent) {
    for (uint32_t p = 0; p < e->points; p++)
        if (lp_experiment_late_at(e, p, agent))
            return true;
    return false;
}

const char *lp_experiment_outside(const LpExperiment *e, uint32_t point, uint32_t agent) {
    return lp_batch_outside(&e->batch, point * e->agents + agent);
}

LpErr lp_experiment_losses(const LpExperiment *e, uint32_t point, uint32_t agent, LpEstimate *out,
                           LpDiag *diag) {
    return lp_batch_lost(&e->batch, point * e->agents + agent, out, diag);
}

double lp_experiment_lost(const LpExperiment *e, uint32_t point, uint32_t agent) {
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t s = 0; s < e->batch.seeds; s++) {
        double lost = lp_run_lost(lp_experiment_at(e, point, agent, s));
        if (isnan(lost))
            continue;
        sum += lost;
        n++;
    }
    return n > 0 ? sum / n : (double)NAN;
}

LpErr lp_experiment_estimate(const LpExperiment *e, uint32_t point, uint32_t agent,
                             LpStudyMetric metric, LpEstimate *out, LpDiag *diag) {
    double *value = lp_alloc(e->batch.seeds, sizeof *value);
    if (value == NULL)
        return lp_fail_memory(diag, "the experiment's means");
    for (uint32_t s = 0; s < e->batch.seeds; s++)
        value[s] = lp_experiment_value(lp_experiment_at(e, point, agent, s), metric);
    *out = lp_estimate(value, e->batch.seeds);
    lp_free(value);
    return LP_OK;
}
