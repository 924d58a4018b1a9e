/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study of the experiment from a file: opening it, and what keys do there. */
#include <math.h>

#include "app/impl.h"
#include "base/num.h"

void lp_app_drop_study(LpApp *app) {
    lp_study_fini(&app->ui.study.data);
    app->ui.study.open = false;
}

LpErr lp_app_study(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    LpStudyPane *pane = &app->ui.study;
    LpStudyData data;
    (void)now;
    if (line->words > 0) {
        LP_TRY(lp_study_load(line->word[0], &data, diag));
        lp_app_drop_study(app);
        *pane = (LpStudyPane){.open = true, .data = data, .state = {.point = -1}};
        lp_str_copy(pane->path, sizeof pane->path, line->word[0]);
    } else if (!pane->open) {
        return lp_fail(diag, LP_EINVAL,
                       "no study is open: expected FILE, what lightpath experiment pac-ml --json "
                       "printed");
    }
    lp_app_enter(app, LP_PANE_STUDY);
    return LP_OK;
}

/* ---- keys ---- */

void lp_app_study_move(LpApp *app, int lines) {
    LpStudyState *state = &app->ui.study.state;
    int metric = (int)state->metric + (lines < 0 ? -1 : 1);
    state->metric = (LpStudyMetric)((metric + LP_STUDY_METRIC_COUNT) % LP_STUDY_METRIC_COUNT);
}

void lp_app_study_along(LpApp *app, int columns) {
    LpStudyPane *pane = &app->ui.study;
    int last = (int)pane->data.points - 1, point = pane->state.point;
    point = point < 0 ? (columns < 0 ? last : 0) : point + (columns < 0 ? -1 : 1);
    pane->state.point = point > last ? last : point < 0 ? (last < 0 ? -1 : 0) : point;
}

void lp_app_study_take(LpApp *app) {
    app->ui.study.state.alone = !app->ui.study.state.alone;
}

void lp_app_study_variant(LpApp *app) {
    app->ui.study.state.table = !app->ui.study.state.table;
}

/* ---- as a table ---- */

static void add_number(LpBuf *out, double value) {
    char number[LP_NUM_TEXT];
    lp_buf_addf(out, ",%s", isnan(value) ? "" : lp_num_print(value, number));
}

LpErr lp_app_study_table(LpApp *app, LpBuf *out, LpDiag *diag) {
    const LpStudyData *d = &app->ui.study.data;
    lp_buf_add(out, "metric,unit,point,interarrival,agent,seeds,mean,half_width\n");
    for (int m = 0; app->ui.study.open && m < LP_STUDY_METRIC_COUNT; m++)
        for (uint32_t p = 0; p < d->points; p++)
            for (uint32_t a = 0; a < d->agents; a++) {
                const LpEstimate *e = lp_study_at(d, (LpStudyMetric)m, p, a);
                bool rate = m == LP_STUDY_METRIC_BLOCKING;
                lp_buf_addf(out, "%s,%s,", lp_study_metric_heading((LpStudyMetric)m),
                            rate ? "1" : lp_study_metric_unit((LpStudyMetric)m));
                lp_str_json(out, d->point[p].label);
                add_number(out, d->point[p].interarrival);
                lp_buf_add(out, ",");
                lp_str_csv(out, d->agent[a], true);
                lp_buf_addf(out, ",%u", (unsigned)e->n);
                add_number(out, e->mean);
                add_number(out, e->half);
                lp_buf_add(out, "\n");
            }
    return lp_buf_ok(out, diag);
}
