/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of predictions; private to ask/. */
#ifndef LP_ASK_PREDICT_PREDICT_IMPL_H
#define LP_ASK_PREDICT_PREDICT_IMPL_H

#include "ask/predict/predict.h"

struct LpPrediction {
    LpScenario *scenario;
    LpContext *context;
    LpWorld *world;
    double sequential_jct; /* s */
    bool collectives;      /* rows tell them */
    uint32_t rows;
    LpPredictRow *row;
};

/* The scenario that a prediction runs: the fabric, one graph and one job. *out is owned by the
 * caller. */
LpErr lp_predict_scenario(const LpPredictSpec *spec, LpScenario **out, LpDiag *diag) LP_MUST_USE;

#endif
