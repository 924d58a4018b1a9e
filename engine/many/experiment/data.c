/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study's results as JSON and CSV. */
#include <math.h>
#include <string.h>

#include "base/csv_out.h"
#include "many/experiment/experiment_impl.h"

static const char *fabric_name(const LpPoint *point) {
    return point->ideal ? "ideal" : "ramp";
}

/* The letter of its deadlines, NULL where it has none. */
static const char *beta_name(const LpPoint *point) {
    static const char *const names[] = {"A", "B", "C", "D"};
    return point->beta >= 0 ? names[point->beta] : NULL;
}

static void open_place(LpJsonOut *out, const LpExperiment *e, uint32_t p, uint32_t a) {
    const LpPoint *point = &e->point[p];
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "agent", e->agent[a].label);
    lp_json_put_text(out, "beta", beta_name(point));
    lp_json_put_number(out, "interarrival", point->interarrival);
    lp_json_put_number(out, "bandwidth", point->bandwidth);
    lp_json_put_text(out, "fabric", fabric_name(point));
}

static void add_run(LpJsonOut *out, const LpExperiment *e, uint32_t p, uint32_t a, uint32_t s) {
    const LpRun *run = lp_experiment_at(e, p, a, s);
    open_place(out, e, p, a);
    lp_json_put_count(out, "seed", e->batch.seed[s]);
    for (int m = 0; m < LP_STUDY_METRIC_COUNT; m++)
        lp_json_put_number(out, lp_study_metric_key((LpStudyMetric)m),
                           lp_experiment_value(run, (LpStudyMetric)m));
    if (run->done) {
        lp_json_put_count(out, "late", run->summary.late);
        lp_summary_json_causes(out, &run->summary);
    }
    lp_json_close(out, '}');
}

/* What it did; what it is like; what a search found. */
static void add_words(LpJsonOut *out, const LpExperiment *e, uint32_t p, uint32_t a) {
    unsigned acts = lp_experiment_acts(e, a);
    lp_json_open(out, "does", '[');
    for (int i = 0; i < LP_ACT_COUNT; i++)
        if (acts >> i & 1)
            lp_json_put_text(out, NULL, lp_act_word((LpAct)i));
    lp_json_close(out, ']');
    if (e->nearest != NULL && e->nearest[p * e->agents + a].rule != NULL) {
        lp_json_put_text(out, "nearest_rule", e->nearest[p * e->agents + a].rule);
        lp_json_put_number(out, "equal_decisions", e->nearest[p * e->agents + a].share);
    }
    if (e->tuned != NULL && a + 1 == e->agents) {
        lp_json_put_text(out, "tuned", e->tuned[p].label);
        lp_json_put_number(out, "lost_in_training", e->tuned[p].lost);
        lp_json_put_count(out, "tried", e->tuned[p].tried);
    }
}

static LpErr add_mean(LpJsonOut *out, const LpExperiment *e, uint32_t p, uint32_t a, LpDiag *diag) {
    open_place(out, e, p, a);
    for (int m = 0; m < LP_STUDY_METRIC_COUNT; m++) {
        LpEstimate estimate;
        LP_TRY(lp_experiment_estimate(e, p, a, (LpStudyMetric)m, &estimate, diag));
        const char *key = lp_study_metric_key((LpStudyMetric)m);
        lp_json_open(out, key, '{');
        lp_json_put_count(out, "n", estimate.n);
        lp_json_put_number(out, "mean", estimate.mean);
        lp_json_put_number(out, "half_width", estimate.half);
        lp_json_close(out, '}');
    }
    lp_json_put_bool(out, "late_jobs_count_as_served", lp_experiment_late_at(e, p, a));
    lp_json_put_text(out, "outside_training", lp_experiment_outside(e, p, a));
    add_words(out, e, p, a);
    if (e->bound != NULL) {
        LpBoundKind kind = lp_experiment_bound_kind(e, a);
        double bound = lp_experiment_bound(e, p, kind);
        lp_json_put_text(out, "bound_of", lp_bound_key(kind));
        lp_json_put_number(out, "bound", bound);
        lp_json_put_number(out, "gap", lp_experiment_lost(e, p, a) - bound);
    }
    size_t count;
    const LpReference *r = lp_references(&count);
    lp_json_open(out, "published", '[');
    for (size_t i = 0; i < count; i++) {
        double value = e->point[p].beta >= 0 ? r[i].value[e->point[p].beta] : (double)NAN;
        if (r[i].study != e->study || strcmp(r[i].agent, e->agent[a].label) != 0 || isnan(value))
            continue;
        lp_json_open(out, NULL, '{');
        lp_json_put_number(out, "blocking_rate", value);
        lp_json_put_text(out, "source", r[i].source);
        lp_json_put_bool(out, "one_seed", r[i].one_seed);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
    lp_json_close(out, '}');
    return LP_OK;
}

LpErr lp_experiment_json(const LpExperiment *e, LpBuf *text, LpDiag *diag) {
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_put_text(&out, "experiment", "pac-ml");
    lp_json_put_text(&out, "study", lp_study_name(e->study));
    lp_json_put_text(&out, "profiles", e->profiles);
    lp_json_put_text(&out, "models", e->profiles != NULL ? "profiles" : "zoo");
    lp_json_break(&out);
    lp_json_open(&out, "runs", '[');
    for (uint32_t p = 0; p < e->points; p++)
        for (uint32_t a = 0; a < e->agents; a++)
            for (uint32_t s = 0; s < e->batch.seeds; s++)
                add_run(&out, e, p, a, s);
    lp_json_close(&out, ']');
    lp_json_break(&out);
    lp_json_open(&out, "means", '[');
    for (uint32_t p = 0; p < e->points; p++)
        for (uint32_t a = 0; a < e->agents; a++)
            LP_TRY(add_mean(&out, e, p, a, diag));
    lp_json_close(&out, ']');
    lp_json_break(&out);
    lp_json_put_bool(&out, "complete", !e->batch.stopped);
    lp_json_put_raw(&out, "provenance", e->provenance);
    lp_json_end(&out);
    return lp_buf_ok(text, diag);
}

static void add_csv_run(LpCsvOut *out, const LpExperiment *e, uint32_t p, uint32_t a, uint32_t s) {
    const LpPoint *point = &e->point[p];
    const LpRun *run = lp_experiment_at(e, p, a, s);
    if (!run->done)
        return;
    lp_csv_put_words(out, lp_study_name(e->study));
    lp_csv_put_quoted(out, e->agent[a].label);
    lp_csv_put_words(out, beta_name(point));
    lp_csv_put_number(out, point->interarrival);
    lp_csv_put_number(out, point->bandwidth);
    lp_csv_put_words(out, fabric_name(point));
    lp_csv_put_count(out, e->batch.seed[s]);
    for (int m = 0; m < LP_STUDY_METRIC_COUNT; m++)
        lp_csv_put_number(out, lp_experiment_value(run, (LpStudyMetric)m));
    lp_csv_put_count(out, run->summary.late);
    lp_csv_end(out);
}

LpErr lp_experiment_csv(const LpExperiment *e, bool raw, LpBuf *text, LpDiag *diag) {
    LpCsvOut out = {.out = text, .raw = raw};
    lp_csv_put_words(&out, "study,agent,beta,interarrival,bandwidth,fabric,seed");
    for (int m = 0; m < LP_STUDY_METRIC_COUNT; m++)
        lp_csv_put_words(&out, lp_study_metric_key((LpStudyMetric)m));
    lp_csv_put_words(&out, "late");
    lp_csv_end(&out);
    for (uint32_t p = 0; p < e->points; p++)
        for (uint32_t a = 0; a < e->agents; a++)
            for (uint32_t s = 0; s < e->batch.seeds; s++)
                add_csv_run(&out, e, p, a, s);
    return lp_buf_ok(text, diag);
}
