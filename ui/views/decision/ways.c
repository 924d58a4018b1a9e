/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways to decide about a job side by side. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/decision/impl.h"
#include "widgets/list.h"

enum { WITH_NETWORK = 46 }; /* columns */

static const LpCandidate *candidate_of(const LpTableRow *row) {
    return row->item;
}

static const LpJob *job_of(const LpTableRow *row) {
    const LpModel *model = row->list;
    return lp_world_job(model->world, model->decision.job);
}

static const char *print_ways(const LpTableRow *row, LpTableValue value, char text[LP_SHOW_TEXT]) {
    snprintf(text, LP_SHOW_TEXT, job_of(row)->graph < 0 ? "-" : "%.0f", value.number);
    return text;
}

/* Of a rigid job nothing is known: "" but where the line is dashed. */
static LpTableValue communication(const LpTableRow *row) {
    const LpForecast *f = &candidate_of(row)->forecast;
    double whole = f->step_time * job_of(row)->steps;
    if (f->feasible && job_of(row)->graph < 0)
        return lp_table_word("");
    return lp_table_forecast(f, whole > 0.0 ? f->communication / whole : (double)NAN);
}

#define LP_TABLE_ITEM LpCandidate
#define COLUMNS(X)                                                                                 \
    X(JOB, NULL, "job", "", "that is decided", 0, NULL,                                            \
      ((const LpModel *)row->list)->decision.job)                                                  \
    X(WAYS, "ways", "degree", "", "partition degree", 0, print_ways, it->degree)                   \
    X(NETWORK, "network", NULL, "%", "how probable the policy's network finds it", 0, NULL, "")    \
    LP_FORECAST_COLUMNS(X, NULL)                                                                   \
    X(BAR, "of limit", NULL, "%", "JCT as a share of its limit", 8, NULL, "")                      \
    X(LIMIT, NULL, "of_limit", "", "likewise", 0, NULL, it->of_limit)                              \
    X(COMM, "comm", NULL, "%", "share of the steps in which it communicates", 0, lp_table_percent, \
      communication(row))                                                                          \
    X(BLOCK, "block", NULL, "", "shape of its servers", 8, NULL, "")                               \
    X(VERDICT, "verdict", NULL, "", "accepted, or why not", LP_TABLE_REST, NULL, "")               \
    LP_VERDICT_COLUMNS(X)

enum { COLUMNS(LP_TABLE_ID) COLUMN_COUNT };

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static int count_candidates(const void *model) {
    return (int)((const LpModel *)model)->decision.count;
}

static const void *candidate_at(const void *model, int row) {
    return &((const LpModel *)model)->decision.candidate[row];
}

static LpStyle style_of(const LpTableRow *row, int column) {
    bool dashes = column != COLUMN_WAYS && !candidate_of(row)->forecast.feasible;
    return dashes ? LP_ROLE_MUTED : LP_ROLE_TEXT;
}

const LpTable lp_decision_table = {.column = columns,
                                   .columns = COLUMN_COUNT,
                                   .hit = LP_PANE_DECISION * LP_TABLE_COLUMNS,
                                   .rows = count_candidates,
                                   .item = candidate_at,
                                   .style = style_of};

/* Where the columns stand, and how wide the bars in them are; `net_bar`: of a policy with a
 * network. */
typedef struct Form {
    int at[COLUMN_COUNT], bar_width, net_bar, net_width;
} Form;

static Form choose_with_network(int width) {
    if (width >= 90)
        return (Form){{0, 6, 14, 41, 31, 0, 0, 0, 44, 56, 63, 65, 73}, 6, 15, 7};
    if (width >= 64)
        return (Form){{0, 6, 14, 29, 0, 0, 0, 0, 31, 40, 0, 42, 49}, 4, 15, 5};
    return (Form){{0, 6, 14, 24, 0, 0, 0, 0, 0, 31, 0, 0, 33}, 0, 0, 0};
}

static Form choose_columns(const LpModel *model, int width) {
    if (model->network.networks > 0 && width >= WITH_NETWORK)
        return choose_with_network(width);
    if (width >= 90)
        return (Form){{0, 6, 0, 26, 16, 0, 0, 0, 29, 45, 52, 54, 63}, 10, 0, 0};
    if (width >= 64)
        return (Form){{0, 6, 0, 15, 0, 0, 0, 0, 17, 28, 35, 37, 45}, 5, 0, 0};
    return (Form){{0, 6, 0, 16, 0, 0, 0, 0, 0, 24, 0, 0, 26}, 0, 0, 0};
}

static void draw_limit(const LpArea *area, int y, const Form *form, const LpCandidate *candidate) {
    int bar = form->at[COLUMN_BAR], end = form->at[COLUMN_LIMIT];
    double of_limit = candidate->of_limit;
    char text[LP_SHOW_TEXT];
    if (isnan(of_limit) || !candidate->forecast.feasible) {
        bool limit = bar && candidate->forecast.feasible;
        lp_area_right(area, end, y, LP_ROLE_MUTED, limit ? "no limit" : "-");
        return;
    }
    LpStyle style = of_limit > 1.0 ? LP_ROLE_BAD : LP_ROLE_GOOD;
    int full = (int)(fmin(of_limit, 1.0) * form->bar_width + 0.5);
    lp_area_repeat(area, bar, y, full, style, LP_GLYPH_FULL);
    lp_area_right(area, end, y, style, lp_show_percent(of_limit, text));
}

static void draw_block(const LpArea *area, int y, const int *at, const LpForecast *f) {
    char shape[LP_SHAPE_TEXT];
    if (at[COLUMN_BLOCK] && f->feasible && f->shape.groups)
        lp_area_fit(area, at[COLUMN_BLOCK], y, at[COLUMN_VERDICT] - at[COLUMN_BLOCK] - 1,
                    LP_ROLE_TEXT, lp_shape_print(&f->shape, shape));
}

/* Where the sentence begins: further left, over the dashes, where that helps to read it. */
static int verdict_column(const LpArea *area, const Form *form, const LpCandidate *candidate,
                          const char *sentence) {
    const int *at = form->at;
    int x = area->rect.w - lp_text_width(sentence), least = at[COLUMN_WAYS] + 3;
    if (at[COLUMN_NETWORK])
        least = at[COLUMN_NETWORK] + form->net_width + 3;
    if (candidate->forecast.feasible || x >= at[COLUMN_VERDICT])
        return at[COLUMN_VERDICT];
    return x > least ? x : least;
}

static void draw_row(const LpModel *model, const LpArea *area, int y, int index, const Form *form) {
    const LpCandidate *candidate = &model->decision.candidate[index];
    const LpJob *job = lp_world_job(model->world, model->decision.job);
    LpBuf verdict = {0};
    LpTableRow row = {.list = model, .item = candidate};
    int net = form->at[COLUMN_NETWORK];
    const LpMotionModel *m = &model->motion;
    bool weighing = m->on && m->scene == LP_SCENE_PARTITION && m->frame + 1 < m->frames;
    if (index == model->decision.chosen && !weighing) /* not before it is answered */
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_table_draw(&lp_decision_table, area, y, form->at, &row);
    draw_limit(area, y, form, candidate);
    draw_block(area, y, form->at, &candidate->forecast);
    if (net)
        lp_draw_network(model, area, form->net_bar, form->net_width, net, y, candidate->degree);
    LpStyle style = lp_words_verdict(job, &candidate->forecast, candidate->valid,
                                     candidate->free_after, net > 0, &verdict);
    int x = verdict_column(area, form, candidate, lp_buf_text(&verdict));
    lp_area_repeat(area, x - 2, y, 2, LP_ROLE_TEXT, LP_GLYPH_SPACE);
    lp_area_fit(area, x, y, area->rect.w - x, style, lp_buf_text(&verdict));
    if (index == lp_model_marked(model) && (model->ui->row >= 0 || weighing))
        lp_area_mark(area, 0, y, area->rect.w, LP_REVERSE);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)index);
    lp_area_done(area, &verdict);
}

void lp_view_degrees(const LpModel *model, const LpArea *area) {
    Form form = choose_columns(model, area->rect.w);
    int heading = area->rect.h > 1, rows = area->rect.h - heading,
        count = (int)model->decision.count;
    int marked = lp_model_marked(model);
    int first = lp_list_around(marked < 0 ? 0 : marked, count, rows);
    if (count == 0 && !model->decision.due) {
        lp_area_text(area, 0, 0, LP_ROLE_MUTED,
                     "the ways to decide show while the decision is due");
        return;
    }
    if (heading)
        lp_table_titles(&lp_decision_table, area, form.at, -1);
    for (int i = 0; i < rows && first + i < count; i++)
        draw_row(model, area, i + heading, first + i, &form);
}
