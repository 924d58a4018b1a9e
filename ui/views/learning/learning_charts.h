/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning curves as charts: one training with its evaluations, or several side by side. */
#ifndef LP_UI_VIEWS_LEARNING_CHARTS_H
#define LP_UI_VIEWS_LEARNING_CHARTS_H

#include "many/train/learning.h"
#include "widgets/chart.h"

/* X(ID, METRIC, METRIC without exploring or COUNT, "name", begins at 0, percent) */
#define LP_LEARN_CHART_TABLE(X)                                                                    \
    X(REWARD, REWARD, EVAL_REWARD, "reward", false, false)                                         \
    X(BLOCKED, BLOCKED, EVAL_BLOCKED, "blocked", true, true)                                       \
    X(ENTROPY, ENTROPY, COUNT, "entropy", true, false)                                             \
    X(KL, KL, COUNT, "kl", true, false)                                                            \
    X(VALUE_LOSS, VALUE_LOSS, COUNT, "value loss", true, false)                                    \
    X(POLICY_LOSS, POLICY_LOSS, COUNT, "policy loss", false, false)                                \
    X(GRADIENT, GRADIENT, COUNT, "gradient", true, false)                                          \
    X(RATE, RATE, COUNT, "step size", true, false)

typedef enum LpLearnChart {
#define X(id, metric, evaluated, name, zero, percent) LP_LEARN_CHART_##id,
    LP_LEARN_CHART_TABLE(X)
#undef X
        LP_LEARN_CHART_COUNT
} LpLearnChart;

enum { LP_LEARN_SERIES = 8 };

typedef struct LpLearnSeries {
    const char *name;
    const LpLearnCurve *curve;
} LpLearnSeries;

/* How the charts are shown. */
typedef struct LpLearnState {
    LpLearnChart chart; /* the chosen one */
    bool alone;         /* it has all the room */
    bool evaluated;     /* reward and blocked without exploring */
    double cursor;      /* share of the x axis; < 0: none */
    LpChartInk ink;
} LpLearnState;

typedef struct LpLearnCharts {
    int count; /* of series, at most LP_LEARN_SERIES */
    const LpLearnSeries *series;
    const LpLearnState *state;
} LpLearnCharts;

/* As many charts as there is room for, or the chosen one. Any area will do. */
void lp_learn_draw(const LpLearnCharts *charts, const LpArea *area);
/* The chosen chart, with all the room. */
void lp_learn_draw_chart(const LpLearnCharts *charts, LpLearnChart kind, const LpArea *area);

/* Keys: lp_learn_move shows the chart `lines` after or before, lp_learn_along moves the cursor by
 * `columns` columns. */
void lp_learn_move(LpLearnState *state, int lines);
void lp_learn_along(LpLearnState *state, int columns);

#endif
