/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study's results as JSON and CSV. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "run/experiment/impl.h"

static void add_number(LpBuf *out, const char *before, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_addf(out, "%s%s", before, lp_num_print(value, text));
}

static void add_text(LpBuf *out, const char *before, const char *text) {
    lp_buf_add(out, before);
    if (text == NULL)
        lp_buf_add(out, "null");
    else
        lp_str_json(out, text);
}

static void add_place(LpBuf *out, const LpExperiment *e, uint32_t p, uint32_t a) {
    const LpPoint *point = &e->point[p];
    const char beta[2] = {(char)('A' + point->beta), '\0'};
    add_text(out, "{\"agent\":", e->agent[a].label);
    add_text(out, ",\"beta\":", point->beta >= 0 ? beta : NULL);
    add_number(out, ",\"interarrival\":", point->interarrival);
    add_number(out, ",\"bandwidth\":", point->bandwidth);
    lp_buf_addf(out, ",\"fabric\":\"%s\"", point->ideal ? "ideal" : "ramp");
}

static void add_blocked_by(LpBuf *out, const LpSummary *s) {
    const char *before = "";
    lp_buf_add(out, ",\"blocked_by\":{");
    for (int c = 0; c < LP_CAUSE_COUNT; c++) {
        if (s->blocked_by[c] == 0 || lp_cause_code((LpCause)c) == NULL)
            continue;
        lp_buf_addf(out, "%s\"%s\":%" PRIu64, before, lp_cause_code((LpCause)c), s->blocked_by[c]);
        before = ",";
    }
    lp_buf_add(out, "}");
}

static void add_run(LpBuf *out, const LpExperiment *e, uint32_t p, uint32_t a, uint32_t s) {
    const LpRun *run = lp_experiment_at(e, p, a, s);
    add_place(out, e, p, a);
    lp_buf_addf(out, ",\"seed\":%" PRIu64, e->batch.seed[s]);
    for (int m = 0; m < LP_EXPERIMENT_METRICS_COUNT; m++) {
        lp_buf_addf(out, ",\"%s\":", lp_experiment_metric_key((LpExperimentMetric)m));
        add_number(out, "", lp_experiment_value(run, (LpExperimentMetric)m));
    }
    if (run->done)
        add_blocked_by(out, &run->summary);
    lp_buf_add(out, "}");
}

static void add_references(LpBuf *out, const LpExperiment *e, uint32_t p, uint32_t a) {
    size_t count;
    const LpReference *r = lp_references(&count);
    const char *before = "";
    lp_buf_add(out, ",\"published\":[");
    for (size_t i = 0; i < count; i++) {
        double value = e->point[p].beta >= 0 ? r[i].value[e->point[p].beta] : (double)NAN;
        if (r[i].study != e->study || strcmp(r[i].agent, e->agent[a].label) != 0 || isnan(value))
            continue;
        lp_buf_add(out, before);
        add_number(out, "{\"blocking_rate\":", value);
        add_text(out, ",\"source\":", r[i].source);
        lp_buf_addf(out, ",\"one_seed\":%s}", r[i].one_seed ? "true" : "false");
        before = ",";
    }
    lp_buf_add(out, "]");
}

static LpErr add_mean(LpBuf *out, const LpExperiment *e, uint32_t p, uint32_t a, LpDiag *diag) {
    add_place(out, e, p, a);
    for (int m = 0; m < LP_EXPERIMENT_METRICS_COUNT; m++) {
        LpEstimate estimate;
        LP_TRY(lp_experiment_estimate(e, p, a, (LpExperimentMetric)m, &estimate, diag));
        lp_buf_addf(out, ",\"%s\":{\"n\":%" PRIu32, lp_experiment_metric_key((LpExperimentMetric)m),
                    estimate.n);
        add_number(out, ",\"mean\":", estimate.mean);
        add_number(out, ",\"half_width\":", estimate.half);
        lp_buf_add(out, "}");
    }
    add_references(out, e, p, a);
    lp_buf_add(out, "}");
    return LP_OK;
}

LpErr lp_experiment_json(const LpExperiment *e, LpBuf *out, LpDiag *diag) {
    const char *before = "\n";
    add_text(out, "{\"lightpath\":1,\"experiment\":\"pac-ml\",\"study\":", lp_study_name(e->study));
    add_text(out, ",\"profiles\":", e->profiles);
    lp_buf_addf(out, ",\"models\":\"%s\"", e->profiles != NULL ? "profiles" : "zoo");
    lp_buf_add(out, ",\n\"runs\":[");
    for (uint32_t p = 0; p < e->points; p++)
        for (uint32_t a = 0; a < e->agents; a++)
            for (uint32_t s = 0; s < e->batch.seeds; s++, before = ",\n") {
                lp_buf_add(out, before);
                add_run(out, e, p, a, s);
            }
    lp_buf_add(out, "],\n\"means\":[");
    before = "\n";
    for (uint32_t p = 0; p < e->points; p++)
        for (uint32_t a = 0; a < e->agents; a++, before = ",\n") {
            lp_buf_add(out, before);
            LP_TRY(add_mean(out, e, p, a, diag));
        }
    lp_buf_add(out, "]}\n");
    return lp_buf_ok(out, diag);
}

static void add_csv_run(LpBuf *out, const LpExperiment *e, uint32_t p, uint32_t a, uint32_t s) {
    const LpPoint *point = &e->point[p];
    const LpRun *run = lp_experiment_at(e, p, a, s);
    if (!run->done)
        return;
    lp_buf_addf(out, "%s,", lp_study_name(e->study));
    lp_str_csv(out, e->agent[a].label, true);
    if (point->beta >= 0)
        lp_buf_addf(out, ",%c", 'A' + point->beta);
    else
        lp_buf_add(out, ",");
    add_number(out, ",", point->interarrival);
    add_number(out, ",", point->bandwidth);
    lp_buf_addf(out, ",%s,%" PRIu64, point->ideal ? "ideal" : "ramp", e->batch.seed[s]);
    for (int m = 0; m < LP_EXPERIMENT_METRICS_COUNT; m++) {
        double value = lp_experiment_value(run, (LpExperimentMetric)m);
        if (isnan(value))
            lp_buf_add(out, ",");
        else
            add_number(out, ",", value);
    }
    lp_buf_add(out, "\n");
}

LpErr lp_experiment_csv(const LpExperiment *e, LpBuf *out, LpDiag *diag) {
    lp_buf_add(out, "study,agent,beta,interarrival,bandwidth,fabric,seed");
    for (int m = 0; m < LP_EXPERIMENT_METRICS_COUNT; m++)
        lp_buf_addf(out, ",%s", lp_experiment_metric_key((LpExperimentMetric)m));
    lp_buf_add(out, "\n");
    for (uint32_t p = 0; p < e->points; p++)
        for (uint32_t a = 0; a < e->agents; a++)
            for (uint32_t s = 0; s < e->batch.seeds; s++)
                add_csv_run(out, e, p, a, s);
    return lp_buf_ok(out, diag);
}
