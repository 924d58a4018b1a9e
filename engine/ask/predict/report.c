/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions as JSON and as a table for people. */
#include <inttypes.h>
#include <math.h>

#include "ask/predict/predict_impl.h"
#include "base/json_out.h"
#include "base/num.h"
#include "sim/world.h"

enum { TEXT = 64 };

/* ---- JSON ---- */

static double known(const LpForecast *f, double value) {
    return f->feasible ? value : (double)NAN;
}

/* What the cut costs, wherever it runs: how many collectives, and bytes that go round once. */
static void add_collectives(LpJsonOut *out, const LpPrediction *p, const LpForecast *f) {
    double count = (double)NAN, bytes = (double)NAN;
    if (f->feasible) {
        const LpPartition *partition = lp_store_partition(p->context->store, f->partition);
        count = partition->collectives;
        bytes = partition->collective_bytes;
    }
    lp_json_put_number(out, "collectives", count);
    lp_json_put_number(out, "collective_bytes", bytes);
}

/* How much sooner the job is done than unsplit; a job without work is no sooner done than at once:
 * NAN. */
static double speedup(const LpPrediction *p, const LpForecast *f) {
    return f->feasible && f->jct > 0 ? p->sequential_jct / f->jct : (double)NAN;
}

static void add_row(LpJsonOut *out, const LpPrediction *p, const LpPredictRow *row) {
    const LpForecast *f = &row->forecast;
    const LpJsonNumber first[] = {
        {"jct", known(f, f->jct)},
        {"step_time", known(f, f->step_time)},
        {"communication_time", known(f, f->communication)},
        {"computation_time", known(f, f->computation)},
        {"ops", known(f, f->ops)},
        {"deps", known(f, f->deps)},
    };
    const LpJsonNumber last[] = {
        {"ticks", known(f, (double)f->ticks)},
        {"exposed_communication_time", known(f, f->exposed)},
        {"partition_degree", known(f, f->partition_degree)},
        {"circuits", known(f, f->circuits)},
        {"speedup", speedup(p, f)},
    };
    const char *why = f->why[0] != '\0' ? f->why : lp_cause_sentence(f->cause);
    lp_json_open(out, NULL, '{');
    lp_json_put_count(out, "degree", row->degree);
    lp_json_put_bool(out, "feasible", f->feasible);
    lp_json_put_text(out, "cause", f->feasible ? NULL : lp_cause_code(f->cause));
    lp_json_put_numbers(out, first, LP_COUNTOF(first));
    if (f->feasible)
        lp_json_put_counts(out, "servers", f->server, f->servers);
    else
        lp_json_put_null(out, "servers");
    lp_json_put_numbers(out, last, LP_COUNTOF(last));
    if (p->collectives)
        add_collectives(out, p, f);
    lp_json_put_text(out, "why", f->feasible ? NULL : why);
    lp_json_close(out, '}');
}

void lp_prediction_json(const LpPrediction *prediction, LpBuf *text) {
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_open(&out, "rows", '[');
    for (uint32_t i = 0; i < prediction->rows; i++) {
        if (i > 0)
            lp_json_break(&out);
        add_row(&out, prediction, &prediction->row[i]);
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
        lp_buf_add(out, f->why[0] != '\0' ? f->why : lp_cause_sentence(f->cause));
        lp_buf_add(out, "\n");
        return;
    }
    add_column(out, 10, f->step_time);
    add_column(out, 10, f->jct);
    if (isfinite(speedup(p, f)))
        lp_buf_addf(out, "  %6.2fx", speedup(p, f));
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
