/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study of the experiment as charts and a table: on the screen of the explorer, and in the text
 * of the command. */
#ifndef LP_UI_VIEWS_STUDY_CHARTS_H
#define LP_UI_VIEWS_STUDY_CHARTS_H

#include "many/experiment/study.h"
#include "widgets/chart.h"

/* How it is shown. */
typedef struct LpStudyState {
    LpStudyMetric metric; /* the chosen one */
    bool alone;           /* it has all the room */
    bool table;           /* numbers only */
    int point;            /* that is read off; -1: none */
    LpChartInk ink;
} LpStudyState;

/* The metric over the time between arrivals: a line and a letter for each agent, upright strokes
 * for the 95 % intervals, and a sign where the least becomes another's. */
void lp_study_draw_chart(const LpStudyData *data, LpStudyMetric metric, const LpStudyState *state,
                         const LpArea *area);
/* A line for each point, a column for each agent. */
void lp_study_draw_table(const LpStudyData *data, LpStudyMetric metric, const LpStudyState *state,
                         const LpArea *area);
/* "a max  b min  x crossing", with their values where a point is read off. Returns its rows. */
int lp_study_draw_legend(const LpStudyData *data, LpStudyMetric metric, const LpStudyState *state,
                         const LpArea *area);
/* All of it, as there is room. */
void lp_study_draw(const LpStudyData *data, const LpStudyState *state, const LpArea *area);
/* The charts of a study as lines of text, `cols` wide, below each other. Nothing for a study
 * without an axis. Errors: LP_ENOMEM. */
LpErr lp_study_print(const LpStudyData *data, int cols, bool ascii, LpBuf *out,
                     LpDiag *diag) LP_MUST_USE;

#endif
