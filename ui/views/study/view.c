/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a study as a whole: opening its file, and what keys do there. */
#include <math.h>

#include "base/num.h"
#include "views/study/impl.h"
#include "views/study/study.h"

static void end(void *state) {
    lp_study_fini(&((LpStudyPane *)state)->data);
}

LpErr lp_study_open(LpHost *host, const char *file, LpDiag *diag) {
    LpStudyPane *pane = lp_study_state(host->model);
    LpStudyData data;
    if (file) {
        LP_TRY(lp_study_load(file, &data, diag));
        lp_study_fini(&pane->data);
        *pane = (LpStudyPane){.open = true, .data = data, .state = {.point = -1}};
        lp_str_copy(pane->path, sizeof pane->path, file);
    } else if (!pane->open) {
        return lp_fail(diag, LP_EINVAL,
                       "no study is open: expected FILE, what lightpath experiment pac-ml --json "
                       "printed");
    }
    host->app->enter(host, LP_PANE_STUDY);
    return LP_OK;
}

/* ---- keys ---- */

static void move(LpHost *host, int lines) {
    LpStudyState *state = &lp_study_state(host->model)->state;
    int metric = (int)state->metric + (lines < 0 ? -1 : 1);
    state->metric = (LpStudyMetric)((metric + LP_STUDY_METRIC_COUNT) % LP_STUDY_METRIC_COUNT);
}

static void along(LpHost *host, int columns) {
    LpStudyPane *pane = lp_study_state(host->model);
    int last = (int)pane->data.points - 1, point = pane->state.point;
    point = point < 0 ? (columns < 0 ? last : 0) : point + (columns < 0 ? -1 : 1);
    pane->state.point = point > last ? last : point < 0 ? (last < 0 ? -1 : 0) : point;
}

static void take(LpHost *host) {
    lp_study_state(host->model)->state.alone = !lp_study_state(host->model)->state.alone;
}

static void variant(LpHost *host) {
    lp_study_state(host->model)->state.table = !lp_study_state(host->model)->state.table;
}

/* ---- as a table ---- */

static void add_number(LpBuf *out, double value) {
    char number[LP_NUM_TEXT];
    lp_buf_addf(out, ",%s", isnan(value) ? "" : lp_num_print(value, number));
}

static LpErr write_table(const LpModel *model, LpBuf *out, LpDiag *diag) {
    const LpStudyData *d = &lp_study_state(model)->data;
    lp_buf_add(out, "metric,unit,point,interarrival,agent,seeds,mean,half_width\n");
    for (int m = 0; lp_study_state(model)->open && m < LP_STUDY_METRIC_COUNT; m++)
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

static const LpViewKey keys[] = {
    {"Left Right", "read off at a point"},
    {"Up Down", "blocking rate, mean JCT, throughputs"},
    {"Enter", "the metric alone"},
    {"v", "curves, or numbers with their intervals"},
    {NULL, NULL},
};

const LpView lp_study_view = {
    .state = sizeof(LpStudyPane),
    .end = end,
    .draw = lp_view_study,
    .move = move,
    .along = along,
    .take = take,
    .variant = variant,
    .table = write_table,
    .keys = keys,
};
