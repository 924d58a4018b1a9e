/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a study as a whole: opening its file, and what keys do there. */
#include "views/study/study_view.h"
#include "views/study/study_view_impl.h"

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
    LpStudyPane *pane = lp_study_state(host->model);
    int metric = (int)pane->state.metric + (lines < 0 ? -1 : 1);
    int metrics = (int)lp_study_metrics(&pane->data);
    pane->state.metric = (LpStudyMetric)((metric + metrics) % metrics);
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

static const LpStudyData *data_of(const void *model) {
    return &lp_study_state(model)->data;
}

static int count_rows(const void *model) {
    const LpStudyData *d = data_of(model);
    return lp_study_state(model)->open ? (int)(lp_study_metrics(d) * d->points * d->agents) : 0;
}

/* By metric, then by point. */
static LpStudyMetric metric_of(const LpStudyData *d, int row) {
    return (LpStudyMetric)(row / (int)(d->points * d->agents));
}

static uint32_t point_of(const LpStudyData *d, int row) {
    return (uint32_t)row / d->agents % d->points;
}

static const void *estimate_at(const void *model, int row) {
    const LpStudyData *d = data_of(model);
    return lp_study_at(d, metric_of(d, row), point_of(d, row), (uint32_t)row % d->agents);
}

static const char *unit_of(const LpTableRow *row) {
    LpStudyMetric metric = metric_of(data_of(row->list), row->index);
    return lp_study_metric_unit(metric)[0] == '%' ? "1" : lp_study_metric_unit(metric);
}

static const LpStudyPoint *point(const LpTableRow *row) {
    const LpStudyData *d = data_of(row->list);
    return &d->point[point_of(d, row->index)];
}

#define LP_TABLE_ITEM LpEstimate
#define COLUMNS(X)                                                                                 \
    X(METRIC, NULL, "metric", "", "what was measured", 0, NULL,                                    \
      lp_study_metric_heading(metric_of(data_of(row->list), row->index)))                          \
    X(UNIT, NULL, "unit", "", "of mean and half_width", 0, NULL, unit_of(row))                     \
    X(POINT, NULL, "point", "", "name of the load", 0, NULL, lp_table_text(point(row)->label))     \
    X(INTERARRIVAL, NULL, "interarrival", "s", "between arrivals", 0, NULL,                        \
      point(row)->interarrival)                                                                    \
    X(AGENT, NULL, "agent", "", "who decides", 0, NULL,                                            \
      lp_table_text(data_of(row->list)->agent[(uint32_t)row->index % data_of(row->list)->agents])) \
    X(SEEDS, NULL, "seeds", "", "runs that the mean is of", 0, NULL, it->n)                        \
    X(MEAN, NULL, "mean", "", "over the seeds", 0, NULL, it->mean)                                 \
    X(HALF, NULL, "half_width", "", "of its 95 % interval", 0, NULL, it->half)

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static const LpTable table = {
    .column = columns, .columns = LP_COUNTOF(columns), .rows = count_rows, .item = estimate_at};

static const LpViewKey keys[] = {
    {"Left Right", "read off at a point"},
    {"Up Down", "blocked, not served, lost, mean JCT, throughputs, gap to bound"},
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
    .takes = "one metric",
    .looks = "numbers",
    .variant = variant,
    .table = &table,
    .keys = keys,
};
