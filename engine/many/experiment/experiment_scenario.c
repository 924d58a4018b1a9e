/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published experiment's scenarios, and the points of its studies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "io/json/json.h"
#include "many/experiment/experiment.h"
#include "many/experiment/experiment_impl.h"

/* The load study is at the lower rate; the zoo's models, which are on the true clock and not a
 * thousandfold slower, would then all be late. 32 servers, one arrival each 1000 s, which is a load
 * of 0.936 with the published profiles. */
#define BANDWIDTH 1.6e12
#define SLOW 3.125e9
#define INTERARRIVAL 1000.0
#define LOAD_AT_1000 (29945.16 / 32 / 1000)
#define TIME 1e6

const char *const lp_experiment_models[LP_EXPERIMENT_MODELS] = {"alexnet", "gnmt", "resnet18",
                                                                "squeezenet1_0", "vgg16"};

/* ---- points ---- */

static LpErr add_betas(const LpExperimentSpec *spec, LpPoint *out, uint32_t *count, LpDiag *diag) {
    const char *betas = spec->betas != NULL ? spec->betas : "ABCD";
    for (const char *b = betas; *b != '\0'; b++) {
        if (*b < 'A' || *b > 'D' || strchr(b + 1, *b) != NULL)
            return lp_fail(diag, LP_EINVAL,
                           "the distributions are \"%s\"; expected some of A, B, C and D, such as "
                           "\"AD\"",
                           betas);
        out[*count] = (LpPoint){.beta = *b - 'A',
                                .interarrival = INTERARRIVAL,
                                .bandwidth = BANDWIDTH,
                                .ideal = spec->study == LP_STUDY_IDEAL};
        LpPoint *p = &out[(*count)++];
        if (p->beta >= 0)
            snprintf(p->label, sizeof p->label, "%c", 'A' + p->beta);
    }
    return LP_OK;
}

static LpErr add_loads(const LpExperimentSpec *spec, LpPoint *out, uint32_t *count, LpDiag *diag) {
    static const double at[] = {50,   100,  250,  500,  1000, 1500,  2000,
                                2500, 3000, 4000, 6000, 8000, 10000, 12000};
    bool metric = spec->study == LP_STUDY_METRIC;
    uint32_t betas = 0;
    LpPoint beta[LP_POINTS_MAX] = {{.beta = metric ? -1 : 0}};
    if (spec->betas != NULL)
        LP_TRY(add_betas(spec, beta, &betas, diag));
    if (betas > 1)
        return lp_fail(diag, LP_EINVAL,
                       "the distributions are \"%s\"; expected one of A, B, C and D", spec->betas);
    for (size_t i = 0; i < LP_COUNTOF(at); i++) {
        out[i] = (LpPoint){.beta = beta[0].beta,
                           .interarrival = at[i],
                           .bandwidth = metric || spec->profiles == NULL ? BANDWIDTH : SLOW};
        snprintf(out[i].label, sizeof out[i].label, "%g s", at[i]);
    }
    *count = LP_COUNTOF(at);
    return LP_OK;
}

LpErr lp_experiment_points(const LpExperimentSpec *spec, LpPoint out[LP_POINTS_MAX],
                           uint32_t *count, LpDiag *diag) {
    *count = 0;
    if (spec->study == LP_STUDY_TABLE || spec->study == LP_STUDY_IDEAL)
        return add_betas(spec, out, count, diag);
    return add_loads(spec, out, count, diag);
}

/* ---- texts ---- */

static void add_number(LpBuf *out, const char *before, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_addf(out, "%s%s", before, lp_num_print(value, text));
}

void lp_experiment_cluster(const LpPoint *point, LpBuf *out) {
    if (point->ideal) {
        lp_buf_add(out, "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 32, ");
        add_number(out, "\"node_bandwidth\": ", point->bandwidth);
        lp_buf_add(out, ", \"latency\": 50e-9, \"io_latency\": 100e-9 }, ");
    } else {
        lp_buf_add(out, "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 4, "
                        "\"racks_per_group\": 4, \"servers_per_rack\": 2, ");
        add_number(out, "\"node_bandwidth\": ", point->bandwidth);
        lp_buf_add(out, ", \"propagation_latency\": 50e-9, \"io_latency\": 100e-9, "
                        "\"channels\": 1 }, ");
    }
    lp_buf_add(out, "\"server\": { \"device\": \"A100\", \"memory\": \"80 GB\" } }");
}

static void add_deadlines(int beta, LpBuf *out) {
    static const int skewness[] = {0, 5, 0, -5};
    if (beta == 0)
        lp_buf_add(out, ", \"max_jct_fraction\": { \"uniform\": { \"min\": 0.1, \"max\": 1, "
                        "\"decimals\": 2 } }");
    if (beta > 0)
        lp_buf_addf(out,
                    ", \"max_jct_fraction\": { \"skew_normal\": { \"skewness\": %d, \"min\": 0.1, "
                    "\"max\": 1, \"decimals\": 2 } }",
                    skewness[beta]);
}

/* Profiles are on the publication's clock. The zoo's models are faster: the load is what stays. */
void lp_experiment_generator(const LpExperimentSpec *spec, const LpPoint *point, LpBuf *out) {
    double time = spec->until > 0 && spec->until < TIME ? spec->until : TIME;
    lp_buf_add(out,
               "{ \"replication\": 1000, \"sampling\": \"remove_and_repeat\", \"steps\": 50, ");
    if (spec->profiles != NULL) {
        add_number(out, "\"interarrival\": { \"fixed\": ", point->interarrival);
        lp_buf_add(out, " }");
    } else {
        add_number(out, "\"count\": ", floor(time / point->interarrival) + 1);
        add_number(out, ", \"load\": ", LOAD_AT_1000 * INTERARRIVAL / point->interarrival);
        lp_buf_add(out, ", \"interarrival\": \"fixed\"");
    }
    add_deadlines(point->beta, out);
    lp_buf_add(out, " }");
}

void lp_experiment_scenario(const LpExperimentSpec *spec, const LpPoint *point, LpBuf *out) {
    double time = spec->until > 0 && spec->until < TIME ? spec->until : TIME;
    lp_buf_add(out, "{ \"lightpath\": 1, \"name\": \"pac-ml\", \"semantics\": \"published\",\n"
                    "  \"title\": \"The published PAC-ML experiment\",\n  \"cluster\": ");
    lp_experiment_cluster(point, out);
    lp_buf_add(out, ",\n  \"graphs\": [\n");
    for (int m = 0; m < LP_EXPERIMENT_MODELS; m++) {
        const char *model = lp_experiment_models[m];
        lp_buf_addf(out, "%s    { \"id\": \"%s\", ", m > 0 ? ",\n" : "", model);
        if (spec->profiles == NULL) {
            lp_buf_addf(out, "\"zoo\": \"%s\" }", model);
            continue;
        }
        LpBuf path = {0};
        lp_buf_addf(&path, "%s/%s.txt", spec->profiles, model);
        lp_buf_add(out, "\"file\": ");
        lp_str_json(out, lp_buf_text(&path));
        lp_buf_add(out, ", \"format\": \"pipedream\", \"time_unit\": \"ms\" }");
        out->failed = out->failed || path.failed;
        lp_buf_fini(&path);
    }
    lp_buf_add(out, " ],\n  \"generator\": ");
    lp_experiment_generator(spec, point, out);
    if (spec->profiles != NULL)
        add_number(out, ",\n  \"horizon\": ", time);
    lp_buf_addf(out, ",\n  \"partition\": { \"max_degree\": 16, \"min_op_time\": \"%s\" },\n",
                spec->profiles != NULL ? "10 ms" : "10 us");
    lp_buf_add(out, "  \"queue_capacity\": 10 }\n");
}

/* ---- as it is run ---- */

static LpErr apply_sets(const LpExperimentSpec *spec, LpBuf *text, LpDiag *diag) {
    LpJson *doc;
    LP_TRY(lp_json_parse("the experiment", lp_buf_text(text), text->len, &doc, diag));
    LpErr err = LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < spec->sets; i++)
        err = lp_json_set(doc, spec->set[i], diag);
    LpBuf changed = {0};
    if (err == LP_OK) {
        lp_json_print(lp_json_root(doc), &changed);
        lp_buf_add(&changed, "\n");
        err = lp_buf_ok(&changed, diag);
    }
    lp_json_free(doc);
    if (err != LP_OK) {
        lp_buf_fini(&changed);
        return err;
    }
    lp_buf_fini(text);
    *text = changed;
    return LP_OK;
}

LpErr lp_experiment_print(const LpExperimentSpec *spec, const LpPoint *point, LpBuf *out,
                          LpDiag *diag) {
    lp_experiment_scenario(spec, point, out);
    LP_TRY(lp_buf_ok(out, diag));
    return spec->sets > 0 ? apply_sets(spec, out, diag) : LP_OK;
}
