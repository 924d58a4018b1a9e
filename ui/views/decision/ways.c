/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways to decide about a job side by side. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/decision/impl.h"
#include "widgets/list.h"

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

/* "4 of 7"; one server of many that are free is no news. */
static const char *print_servers(const LpTableRow *row, LpTableValue value LP_UNUSED,
                                 char text[LP_SHOW_TEXT]) {
    const LpCandidate *candidate = candidate_of(row);
    if (candidate->needs == 0)
        return "-";
    snprintf(text, LP_SHOW_TEXT, "%u of %u", (unsigned)candidate->needs,
             (unsigned)lp_decision_free(candidate));
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
    X(DATA, "data", NULL, "%", "share of the steps in which data is under way", 0, NULL,           \
      communication(row))                                                                          \
    X(SERVERS, "servers", NULL, "", "that it needs, of those that are free", 0, print_servers,     \
      it->needs)                                                                                   \
    X(BLOCK, "block", NULL, "",                                                                    \
      "its servers: groups x racks x servers; of a plan tensor x pipeline x data ways", 8, NULL,   \
      "")                                                                                          \
    X(VERDICT, "verdict", NULL, "", "in time, or late, or why it cannot be placed", LP_TABLE_REST, \
      NULL, "")                                                                                    \
    X(THEN, "whole run then", NULL, "", "how the run ends if decided so, once w ran it",           \
      LP_TABLE_REST, NULL, "")                                                                     \
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

/* ---- where the columns stand ---- */

/* Columns of numbers are as wide as the largest that may come. */
enum {
    TIME_COLS = 9, /* "48.6 ms" */
    PERCENT_COLS = 8,
    NETWORK_COLS = 9,
    VERDICT_BRIEF = 7,
    VERDICT_FULL = 30,
    BLOCK_COLS = 12,
    THEN_COLS = 24
};

/* How much of it is shown. */
typedef struct Wish {
    int bar, net_bar;
    bool step, data, servers, block, brief, then, tight;
} Wish;

typedef struct Form {
    int at[COLUMN_COUNT], bar_width, net_bar, net_width;
    bool past;         /* one row of what was decided */
    bool brief, tight; /* verdicts in a word or two; no blanks that can be missed */
    int sentence;      /* column before which they end */
} Form;

static int servers_width(const LpModel *model) {
    unsigned servers = (unsigned)lp_world_servers(model->world);
    int width = 2 * snprintf(NULL, 0, "%u", servers) + 5;
    return width < 9 ? 9 : width;
}

/* Puts the columns that are wished for beside each other; returns what is left for the verdict. */
static int lay(const LpModel *model, int width, const Wish *wish, Form *form) {
    int digits = snprintf(NULL, 0, "%u", (unsigned)model->scenario->partition.max_degree);
    int x = wish->tight ? 2 + (digits < 2 ? 2 : digits) : 2 + (digits < 4 ? 4 : digits);
    int percent = PERCENT_COLS - (wish->tight ? 1 : 0);
    *form = (Form){.brief = wish->brief,
                   .tight = wish->tight,
                   .bar_width = wish->bar,
                   .net_width = wish->net_bar};
    form->at[COLUMN_WAYS] = x;
    if (model->network.networks > 0) {
        form->net_bar = x + 2;
        x += NETWORK_COLS + wish->net_bar;
        form->at[COLUMN_NETWORK] = x;
    }
    if (wish->step)
        form->at[COLUMN_STEP] = x += TIME_COLS + 1;
    form->at[COLUMN_JCT] = x += TIME_COLS;
    if (wish->bar) {
        form->at[COLUMN_BAR] = x + 2;
        x += 2 + wish->bar;
    }
    form->at[COLUMN_LIMIT] = x += wish->bar && wish->tight ? 5 : percent;
    if (wish->data)
        form->at[COLUMN_DATA] = x += percent;
    if (wish->servers)
        form->at[COLUMN_SERVERS] = x += servers_width(model);
    if (wish->block) {
        form->at[COLUMN_BLOCK] = x + 3;
        x += BLOCK_COLS;
    }
    form->at[COLUMN_VERDICT] = x += wish->brief ? 2 : 3;
    form->sentence = width;
    if (wish->then)
        form->at[COLUMN_THEN] = form->sentence = width - THEN_COLS;
    return form->sentence - x - (wish->then ? 2 : 0);
}

/* The richest table that has room for its verdicts. */
static Form choose_columns(const LpModel *model, int width, bool ended) {
    static const Wish wishes[] = {
        {10, 8, true, true, true, true, false, true, false},
        {10, 6, true, true, true, false, false, true, false},
        {10, 8, true, true, true, true, false, false, false},
        {10, 6, true, true, true, false, false, false, false},
        {8, 3, false, true, true, false, false, false, false},
        {8, 3, false, true, true, false, true, false, false},
        {5, 0, false, true, true, false, true, false, false},
        {5, 0, false, true, true, false, true, false, true},
        {3, 0, false, true, true, false, true, false, true},
        {0, 0, false, true, true, false, true, false, true},
        {0, 0, false, false, true, false, true, false, true},
        {0, 0, false, false, false, false, true, false, true},
    };
    Form form = {.brief = true};
    for (size_t i = 0; i < LP_COUNTOF(wishes); i++) {
        const Wish *wish = &wishes[i];
        int least = wish->brief ? VERDICT_BRIEF : VERDICT_FULL;
        if (wish->then && !ended)
            continue;
        if (lay(model, width, wish, &form) >= least)
            break;
    }
    return form;
}

/* ---- rows ---- */

static const char *print_percent(double share, bool tight, char text[LP_SHOW_TEXT]) {
    lp_show_percent(share, text);
    char *blank = strchr(text, ' ');
    if (tight && blank)
        lp_str_copy(blank, 2, "%");
    return text;
}

static void draw_data(const LpArea *area, int y, const Form *form, const LpTableRow *row) {
    LpTableValue value = lp_table_value(&lp_decision_table, row, COLUMN_DATA);
    char text[LP_SHOW_TEXT];
    if (form->at[COLUMN_DATA])
        lp_area_right(area, form->at[COLUMN_DATA], y, style_of(row, COLUMN_DATA),
                      value.text ? value.text : print_percent(value.number, form->tight, text));
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
    lp_area_repeat(area, bar, y, full, style, LP_GLYPH_BAR);
    lp_area_right(area, end, y, style, print_percent(of_limit, form->tight, text));
}

/* The shape; of a plan, which has more to tell, its ways. */
static void draw_block(const LpModel *model, const LpArea *area, int y, const int *at,
                       const LpForecast *f) {
    char shape[LP_SHAPE_TEXT];
    const LpPartition *p = f->partition != LP_NO_INDEX && f->feasible
                               ? lp_store_partition(model->context->store, f->partition)
                               : NULL;
    if (at[COLUMN_BLOCK] && p != NULL && p->planned)
        lp_area_fit(area, at[COLUMN_BLOCK], y, BLOCK_COLS - 2, LP_ROLE_TEXT, p->plan_text);
    else if (at[COLUMN_BLOCK] && f->feasible && f->shape.groups)
        lp_area_fit(area, at[COLUMN_BLOCK], y, BLOCK_COLS - 2, LP_ROLE_TEXT,
                    lp_shape_print(&f->shape, shape));
}

/* "77 blocked of 300": of a row that ran to the end. */
static void draw_then(const LpModel *model, const LpArea *area, int y, const Form *form,
                      const LpWhatIf *row) {
    int x = form->at[COLUMN_THEN];
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT];
    if (x == 0 || !row || !row->ended)
        return;
    if (row->end.blocked > 0 || isfinite(lp_world_job(model->world, model->decision.job)->max_jct))
        lp_area_textf(area, x, y, LP_ROLE_TEXT, "%s blocked of %s",
                      lp_show_count(row->end.blocked, a), lp_show_count(row->end.arrived, b));
    else
        lp_area_textf(area, x, y, LP_ROLE_TEXT, "mean JCT %s",
                      lp_show_seconds(row->end.mean_jct, a));
}

/* The way in the table of what would follow, NULL: not there. */
static const LpWhatIf *find_whatif(const LpModel *model, LpAnswerKind kind, uint32_t degree) {
    for (uint32_t i = 0; i < model->whatif.count; i++) {
        const LpWhatIf *row = &model->whatif.row[i];
        if (row->kind == kind && (kind != LP_ANSWER_RUN || row->degree == degree))
            return row;
    }
    return NULL;
}

static bool any_ended(const LpModel *model) {
    for (uint32_t i = 0; i < model->whatif.count; i++)
        if (model->whatif.row[i].ended)
            return true;
    return false;
}

static bool is_weighing(const LpModel *model) {
    const LpMotionModel *m = &model->motion;
    return m->on && m->scene == LP_SCENE_PARTITION && m->frame + 1 < m->frames;
}

static void draw_row(const LpModel *model, const LpArea *area, int y, int index, const Form *form) {
    const LpCandidate *candidate = &model->decision.candidate[index];
    LpBuf verdict = {0};
    LpTableRow row = {.list = model, .item = candidate};
    int net = form->at[COLUMN_NETWORK];
    bool weighing = is_weighing(model);
    bool taken = index == model->decision.chosen && !weighing; /* not before it is answered */
    if (taken)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING,
                      model->decision.due ? LP_GLYPH_POINTER : LP_GLYPH_CHECK);
    lp_table_draw(&lp_decision_table, area, y, form->at, &row);
    draw_limit(area, y, form, candidate);
    draw_data(area, y, form, &row);
    draw_block(model, area, y, form->at, &candidate->forecast);
    if (net)
        lp_draw_network(model, area, form->net_bar, form->net_width, net, y, candidate->degree);
    LpDecisionVerdict form_of = {taken, form->brief, area->canvas->ascii, form->past};
    LpStyle style = lp_decision_verdict(model, candidate, &form_of, &verdict);
    if (taken && model->decision.by_hand) {
        lp_buf_clear(&verdict);
        lp_buf_add(&verdict, form->brief ? "by hand" : "taken by hand, not the policy's choice");
        style = LP_ROLE_PENDING;
    }
    int x = form->at[COLUMN_VERDICT];
    lp_area_fit(area, x, y, form->sentence - x, style, lp_buf_text(&verdict));
    draw_then(model, area, y, form, find_whatif(model, LP_ANSWER_RUN, candidate->degree));
    if (index == lp_model_marked(model) && (model->ui->row >= 0 || weighing))
        lp_area_mark(area, 0, y, area->rect.w, LP_REVERSE);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)index);
    lp_area_done(area, &verdict);
}

/* What turning the job away comes to. */
static void draw_declined(const LpModel *model, const LpArea *area, int y, const Form *form) {
    const LpAnswer *answer = model->decision.answer;
    int letter = lp_model_deciding(model), x = form->at[COLUMN_VERDICT];
    if (answer && answer->kind == LP_ANSWER_DECLINE && !is_weighing(model))
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_right(area, form->at[COLUMN_WAYS], y, LP_ROLE_TEXT, "no");
    if (form->at[COLUMN_SERVERS])
        lp_area_right(area, form->at[COLUMN_SERVERS], y, LP_ROLE_TEXT, "0");
    if (form->brief)
        lp_area_fit(area, x, y, form->sentence - x, LP_ROLE_MUTED, "away");
    else
        lp_area_textf(area, x, y, LP_ROLE_MUTED, "%c is turned away", lp_letter(letter));
    draw_then(model, area, y, form, find_whatif(model, LP_ANSWER_DECLINE, 0));
}

/* The heading; where not all rows fit, which ones show. */
static void draw_titles(const LpArea *area, const Form *form, int first, int rows, int count) {
    char text[40];
    int verdict = form->at[COLUMN_VERDICT], room = area->rect.w - verdict;
    lp_table_titles(&lp_decision_table, area, form->at, -1);
    if (!form->at[COLUMN_BAR])
        lp_area_right(area, form->at[COLUMN_LIMIT], 0, LP_ROLE_MUTED, "limit");
    if (rows >= count)
        return;
    int width = snprintf(text, sizeof text, " %d-%d of %d", first + 1, first + rows, count);
    if (width + 7 > room) /* as long as "verdict" */
        lp_area_repeat(area, verdict, 0, room, LP_ROLE_TEXT, LP_GLYPH_SPACE);
    lp_area_right(area, area->rect.w, 0, LP_ROLE_LABEL, text);
}

/* The decision that was taken, where the table of its ways is not known: one row. */
static LpCandidate taken_as_row(const LpModel *model) {
    const LpJob *job = lp_world_job(model->world, model->decision.job);
    LpCandidate row = {.degree = lp_words_ways(job), .valid = true, .chosen = true};
    LpForecast *f = &row.forecast;
    f->partition = job->partition;
    double jct = (job->outcome == LP_JOB_COMPLETED ? job->end : job->forecast_end) - job->arrival;
    f->feasible = job->placement != LP_NO_INDEX;
    f->cause = f->feasible ? LP_CAUSE_NONE : (LpCause)job->cause;
    f->jct = jct;
    f->finish = job->arrival + jct;
    f->step_time = job->step_time;
    f->communication = job->communication;
    row.of_limit = f->feasible ? lp_job_of_limit(job, jct) : (double)NAN;
    row.needs =
        f->feasible ? lp_store_placement(model->context->store, job->placement)->servers : 0;
    row.free_after = lp_world_free_servers(model->world);
    return row;
}

/* Of a model whose decision is not known any more, with that row in its place. */
static void draw_taken(const LpModel *model, const LpArea *area) {
    LpCandidate row = taken_as_row(model);
    LpModel one = *model;
    if (!row.forecast.feasible) {
        lp_view_lost(model, area);
        return;
    }
    one.decision.candidate = &row;
    one.decision.count = 1;
    one.decision.chosen = 0;
    Form form = choose_columns(&one, area->rect.w, false);
    form.past = true;
    form.at[COLUMN_SERVERS] = 0; /* how many were free is not known */
    if (area->rect.h > 1)
        draw_titles(area, &form, 0, 1, 1);
    draw_row(&one, area, area->rect.h > 1, 0, &form);
}

void lp_view_degrees(const LpModel *model, const LpArea *area) {
    Form form = choose_columns(model, area->rect.w, any_ended(model));
    int heading = area->rect.h > 1, rows = area->rect.h - heading,
        count = (int)model->decision.count;
    int marked = lp_model_marked(model);
    int first = lp_list_around(marked < 0 ? 0 : marked, count, rows);
    if (count == 0) {
        if (!model->decision.due)
            draw_taken(model, area);
        return;
    }
    if (heading)
        draw_titles(area, &form, first, rows, count);
    for (int i = 0; i < rows && first + i < count; i++)
        draw_row(model, area, i + heading, first + i, &form);
    if (count < rows && model->decision.due)
        draw_declined(model, area, count + heading, &form);
}
