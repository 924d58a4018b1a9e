/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions as JSON and as a table for people. */
#include <inttypes.h>
#include <math.h>

#include "ask/predict/predict_impl.h"
#include "sim/world.h"

enum { TEXT = 64 };

/* ---- facts ---- */

enum { FEASIBLE = 1 };
static unsigned traits_of(const void *record) {
    return ((const LpPredictRow *)record)->forecast.feasible ? FEASIBLE : 0;
}

static LpFactValue cause(const void *record, void *around LP_UNUSED) {
    const LpForecast *f = &((const LpPredictRow *)record)->forecast;
    return lp_fact_text(f->feasible ? NULL : lp_cause_code(f->cause));
}

static const char *why_not(const LpForecast *f) {
    return f->why[0] != '\0' ? f->why : lp_cause_sentence(f->cause);
}

static LpFactValue why(const void *record, void *around LP_UNUSED) {
    const LpForecast *f = &((const LpPredictRow *)record)->forecast;
    return lp_fact_text(f->feasible ? NULL : why_not(f));
}

static LpFactValue servers(const void *record, void *around LP_UNUSED) {
    const LpForecast *f = &((const LpPredictRow *)record)->forecast;
    return lp_fact_list(f->server, f->servers);
}

/* A job without work is no sooner done than at once: not known. */
static double sooner(const LpPrediction *p, const LpPredictRow *row) {
    return row->forecast.jct > 0 ? p->sequential_jct / row->forecast.jct : (double)NAN;
}

static LpFactValue speedup(const void *record, void *around) {
    return lp_fact_real(sooner(around, record));
}

/* What the cut costs, wherever it runs. */
static LpFactValue of_cut(const LpPrediction *p, const LpForecast *f, bool bytes) {
    if (!p->collectives)
        return lp_fact_absent();
    if (!f->feasible)
        return lp_fact_null();
    const LpPartition *partition = lp_store_partition(p->context->store, f->partition);
    return lp_fact_real(bytes ? partition->collective_bytes : partition->collectives);
}

static LpFactValue collectives(const void *record, void *around) {
    return of_cut(around, &((const LpPredictRow *)record)->forecast, false);
}

static LpFactValue collective_bytes(const void *record, void *around) {
    return of_cut(around, &((const LpPredictRow *)record)->forecast, true);
}

#define MEMBER(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpPredictRow, name)
#define PLACED(name) MEMBER(forecast.name), .of = FEASIBLE
static const LpFact of_step[] = {
    {"degree", LP_NUMBER, "largest number of ways in which an operation may be split",
     MEMBER(degree)},
    {"feasible", LP_FLAG, "the degree can be placed", MEMBER(forecast.feasible)},
    {"cause", LP_WORDS, "code of why not", LP_TO_JSON, .value = cause},
    {"jct", LP_SECONDS, "time of all steps", PLACED(jct)},
    {"step_time", LP_SECONDS, "time of one training step", PLACED(step_time)},
    {"communication_time", LP_SECONDS, "time of all steps in which it sends",
     PLACED(communication)},
    {"computation_time", LP_SECONDS, "time of all steps in which it computes", PLACED(computation)},
    {"ops", LP_NUMBER, "parts of ops after it was split", PLACED(ops)},
    {"deps", LP_NUMBER, "dependencies after it was split", PLACED(deps)},
    {"servers", LP_COUNTS, "servers that it runs on", LP_TO_JSON, .of = FEASIBLE, .value = servers},
    {"ticks", LP_NUMBER,
     "distinct instants of a step at which something ends; published: iterations of its clock",
     PLACED(ticks)},
    {"exposed_communication_time", LP_SECONDS,
     "time of all steps in which it sends and computes nothing", PLACED(exposed)},
    {"partition_degree", LP_NUMBER, "into how many parts an op was split at most",
     PLACED(partition_degree)},
    {"circuits", LP_NUMBER, "circuits that a step uses", PLACED(circuits)},
    {"speedup", LP_NUMBER,
     "sequential_jct by jct; null, and - in the table, for a job without work", LP_TO_JSON,
     .of = FEASIBLE, .value = speedup},
    {"collectives", LP_NUMBER,
     "collectives of a step; only with --kind or where operations are cut each by what it does",
     LP_TO_JSON, .value = collectives, .optional = true},
    {"collective_bytes", LP_NUMBER, "bytes of these that go round once, likewise", LP_TO_JSON,
     .value = collective_bytes, .optional = true},
    {"why", LP_WORDS, "the cause as a sentence", LP_TO_JSON, .value = why},
};
const LpFacts lp_step_facts = {"step", of_step, LP_COUNTOF(of_step), traits_of};

/* ---- JSON ---- */

void lp_prediction_json(const LpPrediction *prediction, LpBuf *text) {
    LpPrediction around = *prediction;
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_open(&out, "rows", '[');
    for (uint32_t i = 0; i < prediction->rows; i++) {
        if (i > 0)
            lp_json_break(&out);
        lp_json_open(&out, NULL, '{');
        lp_facts_json(&lp_step_facts, &prediction->row[i], &around, &out);
        lp_json_close(&out, '}');
    }
    lp_json_close(&out, ']');
    lp_json_end(&out);
}

/* ---- table ---- */

static void add_column(LpBuf *out, int width, double seconds) {
    char text[TEXT];
    lp_buf_addf(out, "  %*s", width, lp_quantity_print(seconds, LP_DIM_TIME, text, sizeof text));
}

static void add_line(LpBuf *out, const LpPrediction *p, const LpPredictRow *row) {
    const LpForecast *f = &row->forecast;
    lp_buf_addf(out, "%6" PRIu32, row->degree);
    if (!f->feasible) {
        lp_buf_addf(out, "  %s: ", lp_cause_code(f->cause));
        lp_buf_add(out, why_not(f));
        lp_buf_add(out, "\n");
        return;
    }
    add_column(out, 10, f->step_time);
    add_column(out, 10, f->jct);
    if (isfinite(sooner(p, row)))
        lp_buf_addf(out, "  %6.2fx", sooner(p, row));
    else
        lp_buf_addf(out, "  %7s", "-");
    add_column(out, 10, f->computation);
    add_column(out, 13, f->communication);
    add_column(out, 10, f->exposed);
    lp_buf_addf(out, "  %7" PRIu32 "  %8" PRIu32 "  %7" PRIu32 "  %8" PRIu32 "\n", f->servers,
                f->circuits, f->ops, f->deps);
}

void lp_prediction_text(const LpPrediction *prediction, LpBuf *out) {
    lp_buf_addf(out, "%6s  %10s  %10s  %7s  %10s  %13s  %10s  %7s  %8s  %7s  %8s\n", "degree",
                "step time", "JCT", "speedup", "computing", "communicating", "exposed", "servers",
                "circuits", "ops", "deps");
    for (uint32_t i = 0; i < prediction->rows; i++)
        add_line(out, prediction, &prediction->row[i]);
}
