/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath predict`: one job on an empty cluster, per degree. */
#ifndef LP_ASK_PREDICT_PREDICT_H
#define LP_ASK_PREDICT_PREDICT_H

#include "base/fact.h"
#include "session/session.h"
#include "sim/forecast.h"

/* Texts are borrowed for the call. */
typedef struct LpPredictSpec {
    const char *graph;  /* profile file or zoo:NAME */
    const char *fabric; /* ramp:4x4x2, ideal:32; NULL: ramp:4x4x2 */
    uint32_t degrees;
    const uint32_t *degree; /* each >= 1 */
    bool published;
    const char *time_unit, *bandwidth, *latency, *io_latency, *device; /* NULL: default */
    const char *precision, *efficiency; /* of ops that state work; NULL: "fp32", "flat" */
    double steps;                       /* 0: 50 */
    /* min_op_time with a unit, or a number in the profile's unit: that of time_unit, seconds for
     * own JSON profiles, zoo models, and wherever published semantics reads numbers as seconds.
     * NULL: 10 us (published: 0.01 of what it reads) */
    const char *quantum;
    const char *kind; /* of the partition; NULL: the default, and rows say nothing of collectives */
    uint32_t sets;    /* PATH=VALUE on the scenario made of all this: one graph, one job */
    const char *const *set;
    size_t max_input;
    const LpDebugLog *log; /* as in LpSessionSpec */
} LpPredictSpec;

typedef struct LpPredictRow {
    uint32_t degree;
    LpForecast forecast;
} LpPredictRow;

typedef struct LpPrediction LpPrediction;
/* Of an LpPredictRow, around it its LpPrediction. */
extern const LpFacts lp_step_facts;

/* Mask, queue and deadline are ignored: a degree is infeasible only where the job cannot be cut or
 * placed so, or published semantics cannot run it. Errors: bad graph, fabric or values (exit code
 * 2). *out is owned by the caller. */
LpErr lp_predict_run(const LpPredictSpec *spec, LpPrediction **out, LpDiag *diag) LP_MUST_USE;
uint32_t lp_prediction_rows(const LpPrediction *prediction);
const LpPredictRow *lp_prediction_row(const LpPrediction *prediction, uint32_t index);
/* Appends {"lightpath":1,"rows":[...]} and a newline. */
void lp_prediction_json(const LpPrediction *prediction, LpBuf *out);
/* Appends a table for people, units named. */
void lp_prediction_text(const LpPrediction *prediction, LpBuf *out);
/* The step of the first feasible row as JSON lines, see LP_REPORT_TRACE; *degree is set. Errors:
 * LP_EREFUSED when no row is feasible, LP_ENOMEM, those of the sink. */
LpErr lp_prediction_trace(const LpPrediction *prediction, LpSink sink, void *user, uint32_t *degree,
                          LpDiag *diag) LP_MUST_USE;
void lp_prediction_free(LpPrediction *prediction); /* NULL allowed */

#endif
