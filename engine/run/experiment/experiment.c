/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a study of the published experiment. */
#include "run/experiment/experiment.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/experiment/impl.h"
#include "run/study/compare.h"

/* On no disk; bare names of policies are not looked for beside it. */
#define SCENARIO "experiment:/pac-ml.json"

/* Agents that a study takes by default. */
static const char *const DEFAULTS[LP_STUDY_COUNT] = {
    "max min random no sip-ml k1 k2 k4 k8 k16 meets-deadline least-fragmenting prefer4 prefer8",
    "max min k2 k4 k8 k16 meets-deadline", "max min", "k1 k4 max"};

/* ---- what is run ---- */

static const LpAgent *find_agent(const char *name, size_t len) {
    size_t count;
    const LpAgent *agent = lp_agents(&count);
    for (size_t i = 0; i < count; i++)
        if (strlen(agent[i].name) == len && strncmp(agent[i].name, name, len) == 0)
            return &agent[i];
    return NULL;
}

LpErr lp_experiment_rule(const LpAgent *agent, LpArena *arena, LpVariant *out, LpDiag *diag) {
    LpBuf text = {0};
    lp_buf_addf(&text, "%s%s%s", agent->policy, agent->param != NULL ? ":" : "",
                agent->param != NULL ? agent->param : "");
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = lp_variant_parse(lp_buf_text(&text), arena, out, diag);
    lp_buf_fini(&text);
    out->label = agent->name;
    return err;
}

/* A network is played by the policy that ships. */
static LpErr read_network(const char *file, LpArena *arena, LpVariant *out, LpDiag *diag) {
    LpBuf text = {0};
    lp_buf_addf(&text, "weights=%s", file);
    const char **param = lp_arena_alloc(arena, 1, sizeof *param);
    const char *kept = text.failed ? NULL : lp_arena_strdup(arena, lp_buf_text(&text));
    lp_buf_fini(&text);
    if (param == NULL || kept == NULL)
        return lp_fail_memory(diag, "the agents");
    *param = kept;
    *out = (LpVariant){.label = file, .policy = "pac_ml.lua", .params = 1, .param = param};
    return LP_OK;
}

static LpErr fail_agent(const char *text, LpDiag *diag) {
    LpBuf names = {0};
    size_t count;
    char shown[80];
    const LpAgent *agent = lp_agents(&count);
    for (size_t i = 0; i < count; i++)
        lp_buf_addf(&names, "%s, ", agent[i].name);
    LpErr err = lp_fail(diag, LP_EINVAL,
                        "there is no agent \"%s\"; expected all, %sa policy's FILE.lua, or a "
                        "network's FILE.json",
                        lp_str_show(shown, sizeof shown, text),
                        names.failed ? "" : lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

/* A name of the table, a policy's file, or a network's. */
static LpErr read_agent(const char *text, size_t len, LpArena *arena, LpVariant *out,
                        LpDiag *diag) {
    const LpAgent *known = find_agent(text, len);
    if (known != NULL)
        return lp_experiment_rule(known, arena, out, diag);
    char *copy = lp_arena_strndup(arena, text, len);
    if (copy == NULL)
        return lp_fail_memory(diag, "the agents");
    if (len > 5 && strcmp(copy + len - 5, ".json") == 0)
        return read_network(copy, arena, out, diag);
    if (strstr(copy, ".lua") == NULL)
        return fail_agent(copy, diag);
    return lp_variant_parse(copy, arena, out, diag);
}

static LpErr add_agent(LpExperiment *e, const char *text, size_t len, size_t *cap, LpDiag *diag) {
    LpVariant agent;
    LP_TRY(read_agent(text, len, e->arena, &agent, diag));
    for (uint32_t i = 0; i < e->agents; i++)
        if (strcmp(e->agent[i].label, agent.label) == 0)
            return lp_fail(diag, LP_EINVAL, "the agent %s is there twice", agent.label);
    if (e->agents == *cap)
        return lp_fail(diag, LP_ELIMIT, "more than %zu agents", *cap);
    e->agent[e->agents++] = agent;
    return LP_OK;
}

/* Names may come in one text, with spaces or commas between; files with parameters stand alone. */
static LpErr add_agents(LpExperiment *e, const char *text, size_t *cap, LpDiag *diag) {
    size_t count;
    const LpAgent *known = lp_agents(&count);
    if (strcmp(text, "all") == 0) {
        for (size_t i = 0; i < count; i++)
            LP_TRY(add_agent(e, known[i].name, strlen(known[i].name), cap, diag));
        return LP_OK;
    }
    if (strchr(text, ':') != NULL)
        return add_agent(e, text, strlen(text), cap, diag);
    while (*text != '\0') {
        size_t len = strcspn(text, " ,");
        if (len > 0)
            LP_TRY(add_agent(e, text, len, cap, diag));
        text += len + (text[len] != '\0');
    }
    return LP_OK;
}

enum { AGENTS_MAX = 256 };

static LpErr choose_agents(const LpExperimentSpec *spec, LpExperiment *e, LpDiag *diag) {
    size_t cap = AGENTS_MAX;
    e->agent = lp_arena_alloc(e->arena, cap, sizeof *e->agent);
    if (e->agent == NULL)
        return lp_fail_memory(diag, "the agents");
    if (spec->agents == 0)
        LP_TRY(add_agents(e, DEFAULTS[spec->study], &cap, diag));
    for (uint32_t i = 0; i < spec->agents; i++)
        LP_TRY(add_agents(e, spec->agent[i], &cap, diag));
    if (e->agents == 0 && !spec->tune)
        return lp_fail(diag, LP_EINVAL, "no agent is named");
    if (spec->tune && e->agents == cap)
        return lp_fail(diag, LP_ELIMIT, "more than %zu agents", cap);
    if (spec->tune) /* until the search: any rule */
        e->agent[e->agents++] = (LpVariant){.label = "tuned", .policy = "meets_deadline.lua"};
    return LP_OK;
}

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

/* ---- running ---- */

static LpErr run_all(const LpExperimentSpec *spec, LpExperiment *e, bool *began, LpDiag *diag) {
    LpInputs *inputs;
    LpBuf text = {0};
    LP_TRY(lp_inputs_new(&inputs, diag));
    LpBatchSpec batch = {.base = {.scenario = SCENARIO},
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
        err = lp_batch_run(&batch, &e->batch, began, diag);
    if (err == LP_OK && !e->batch.stopped)
        err = lp_experiment_compare_rules(&batch, e, diag);
    if (err == LP_OK && spec->bound && !e->batch.stopped)
        err = lp_experiment_bounds(&batch, e, diag);
    lp_buf_fini(&text);
    lp_inputs_free(inputs);
    return err;
}

static LpErr run(const LpExperimentSpec *given, LpExperiment *e, bool *began, LpDiag *diag) {
    LpExperimentSpec spec = *given;
    LP_TRY(lp_experiment_points(&spec, e->point, &e->points, diag));
    LP_TRY(choose_agents(&spec, e, diag));
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
    return lp_metric_value(s, m == LP_STUDY_METRIC_BLOCKING ? LP_METRIC_UNSERVED
                              : m == LP_STUDY_METRIC_JCT    ? LP_METRIC_MEAN_JCT
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
