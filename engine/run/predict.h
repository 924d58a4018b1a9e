/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath predict`: one job on an empty cluster, per degree. */
#ifndef LP_RUN_PREDICT_H
#define LP_RUN_PREDICT_H

#include "base/str.h"
#include "run/session.h"

typedef struct LpPredictSpec {
    const char *graph;      /* profile file or zoo:NAME */
    const char *fabric;     /* ramp:4x4x2, ideal:32 */
    uint32_t degrees;
    const uint32_t *degree;
    bool published;
    const char *time_unit, *bandwidth, *latency, *io_latency, *device; /* NULL: default */
    double steps;           /* 0: 50 */
    const char *quantum;    /* min_op_time in the profile's unit (or with a unit), NULL: default */
    uint32_t sets;
    const char *const *set;
    size_t max_input;
} LpPredictSpec;

typedef struct LpPredictRow {
    uint32_t degree;
    LpForecast forecast;
} LpPredictRow;

typedef struct LpPrediction LpPrediction;

/* Errors: bad graph, fabric or values (exit code 2). Owned by the caller. */
LpErr lp_predict_run(const LpPredictSpec *spec, LpPrediction **out, LpDiag *diag) LP_MUST_USE;
uint32_t lp_prediction_rows(const LpPrediction *prediction);
const LpPredictRow *lp_prediction_row(const LpPrediction *prediction, uint32_t index);
/* Appends {"lightpath":1,"rows":[...]} and a newline. */
void lp_prediction_json(const LpPrediction *prediction, LpBuf *out);
/* Trace of the first row's step as JSON lines. */
LpErr lp_prediction_trace(const LpPrediction *prediction, LpBuf *out, LpDiag *diag) LP_MUST_USE;
void lp_prediction_free(LpPrediction *prediction);

#endif
