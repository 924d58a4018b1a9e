/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the ways to decide, and which of them have room: of degrees and of plans. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/decision/decision_columns.h"

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

/* Share of the time in which it sends; not known of a rigid job: "" but where the line is dashed.
 */
static LpTableValue communication(const LpTableRow *row) {
    const LpForecast *f = &candidate_of(row)->forecast;
    double whole = f->step_time * job_of(row)->asked.steps;
    if (f->feasible && job_of(row)->graph < 0)
        return lp_table_word("");
    return lp_table_forecast(f, whole > 0.0 ? f->communication / whole : (double)NAN);
}

/* A number that only a plan has, no degree. */
static LpTableValue plan_number(const LpCandidate *candidate, double number) {
    return lp_table_number(candidate->plan.plan.tensor > 0 ? number : (double)NAN);
}

static LpTableValue plan_text(const LpTableRow *row) {
    const LpPlanFigures *figures = &candidate_of(row)->plan;
    char text[LP_PARALLEL_TEXT];
    if (figures->plan.tensor == 0 || !row->room)
        return lp_table_word("");
    lp_buf_add(row->room, lp_parallel_brief(&figures->plan, text));
    return lp_table_word(lp_buf_text(row->room));
}

static const char *print_turns(const LpTableRow *row, LpTableValue value LP_UNUSED,
                               char text[LP_SHOW_TEXT]) {
    const LpPlanFigures *figures = &candidate_of(row)->plan;
    snprintf(text, LP_SHOW_TEXT, "%u of %u", (unsigned)figures->exposed_turns,
             (unsigned)figures->turns);
    return text;
}

#define LP_TABLE_ITEM LpCandidate
COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static int count_candidates(const void *model) {
    return (int)((const LpModel *)model)->decision.count;
}

static const void *candidate_at(const void *model, int row) {
    return &((const LpModel *)model)->decision.candidate[row];
}

LpStyle lp_decision_cell_style(const LpTableRow *row, int column) {
    bool dashes = column != COLUMN_WAYS && !candidate_of(row)->forecast.feasible;
    return dashes ? LP_ROLE_MUTED : LP_ROLE_TEXT;
}

const LpTable lp_decision_table = {.column = columns,
                                   .columns = COLUMN_COUNT,
                                   .hit = LP_PANE_DECISION * LP_TABLE_COLUMNS,
                                   .rows = count_candidates,
                                   .item = candidate_at,
                                   .style = lp_decision_cell_style};

/* ---- where the columns stand ---- */

/* Columns of numbers are as wide as the largest that may come. */
enum {
    TIME_COLS = 9, /* "48.6 ms" */
    PERCENT_COLS = 8,
    NETWORK_COLS = 9,
    VERDICT_BRIEF = 7,
    VERDICT_FULL = 30,
    THEN_COLS = 24,
    NET_BAR = 6,
    NETWORK_LEAST = 56, /* columns of a table of plans that has room for it */
    MEMORY_COLS = 16,   /* "53.7 of 80 GB" */
    TURNS_COLS = 13     /* "46 of 1 046" */
};

/* How much of it is shown. */
typedef struct Wish {
    int bar, net_bar;
    bool step, data, servers, block, brief, then, tight;
} Wish;

static int servers_width(const LpModel *model) {
    unsigned servers = (unsigned)lp_world_servers(model->world);
    int width = 2 * snprintf(NULL, 0, "%u", servers) + 5;
    return width < 9 ? 9 : width;
}

/* Columns of times: "119 181 s" keeps off what stands before it. */
static int jct_width(const LpModel *model) {
    int width = TIME_COLS;
    for (uint32_t i = 0; i < model->decision.count; i++) {
        const LpForecast *f = &model->decision.candidate[i].forecast;
        char text[LP_SHOW_TEXT];
        int wide = f->feasible ? lp_text_width(lp_show_seconds(f->jct, text)) + 1 : 0;
        width = wide > width ? wide : width;
    }
    return width;
}

/* Puts the columns that are wished for beside each other; returns what is left for the verdict. */
static int lay(const LpModel *model, int width, const Wish *wish, LpDecisionForm *form) {
    int digits = snprintf(NULL, 0, "%u", (unsigned)model->scenario->partition.max_degree);
    int x = wish->tight ? 2 + (digits < 2 ? 2 : digits) : 2 + (digits < 4 ? 4 : digits);
    int percent = PERCENT_COLS - (wish->tight ? 1 : 0);
    *form = (LpDecisionForm){.brief = wish->brief,
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
    form->at[COLUMN_JCT] = x += jct_width(model);
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
        x += LP_DECISION_BLOCK;
    }
    form->at[COLUMN_VERDICT] = x += wish->brief ? 2 : 3;
    form->sentence = width;
    if (wish->then)
        form->at[COLUMN_THEN] = form->sentence = width - THEN_COLS;
    return form->sentence - x - (wish->then ? 2 : 0);
}

static LpDecisionForm degree_form(const LpModel *model, int width, bool ended) {
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
    LpDecisionForm form = {.brief = true};
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

/* ---- of plans ---- */

/* How much of it is shown: all that differs from the usual or only the ways; bytes or a share. */
typedef struct PlanWish {
    bool whole, bytes;
    int bar;
    bool jct, limit, exposed, turns, servers, brief, then, tight, bubble;
} PlanWish;

static int plan_width(const LpModel *model, bool whole) {
    char text[LP_PARALLEL_TEXT], ways[LP_PLAN_WAYS_TEXT];
    int most = (int)sizeof "plan" - 1;
    for (uint32_t i = 0; i < model->decision.count; i++) {
        const LpPlanFigures *f = &model->decision.candidate[i].plan;
        if (f->plan.tensor == 0)
            continue;
        const char *said = whole ? lp_parallel_brief(&f->plan, text) : lp_plan_ways(&f->plan, ways);
        int width = lp_text_width(said);
        most = width > most ? width : most;
    }
    return most;
}

static bool any_turns(const LpModel *model) {
    for (uint32_t i = 0; i < model->decision.count; i++)
        if (model->decision.candidate[i].plan.turns > 0)
            return true;
    return false;
}

/* As `lay`. */
static int lay_plans(const LpModel *model, int width, const PlanWish *wish, LpDecisionForm *form) {
    int gap = wish->tight ? 1 : 2, percent = PERCENT_COLS - (wish->tight ? 1 : 0);
    *form = (LpDecisionForm){.brief = wish->brief,
                             .tight = wish->tight,
                             .bar_width = wish->bar,
                             .plans = true,
                             .whole = wish->whole,
                             .bytes = wish->bytes};
    form->at[COLUMN_PLAN] = 2;
    int x = 2 + plan_width(model, wish->whole);
    if (model->network.networks > 0 && width >= NETWORK_LEAST) {
        form->net_width = wish->whole ? NET_BAR : 0;
        form->net_bar = x + 2;
        x += NETWORK_COLS + form->net_width;
        form->at[COLUMN_NETWORK] = x;
        x += 2; /* "step time" is wider than its numbers */
    }
    form->at[COLUMN_STEP] = x += TIME_COLS - 2 + gap;
    if (wish->jct)
        form->at[COLUMN_JCT] = x += TIME_COLS - 2 + gap;
    if (wish->bar) {
        form->at[COLUMN_BAR] = x + 2;
        x += 2 + wish->bar;
    }
    if (wish->limit)
        form->at[COLUMN_LIMIT] = x += percent;
    form->at[COLUMN_MEMORY] = x += wish->bytes ? MEMORY_COLS : percent;
    if (wish->bubble)
        form->at[COLUMN_BUBBLE] = x += percent;
    if (wish->exposed)
        form->at[COLUMN_EXPOSED] = x += percent + 1;
    if (wish->turns && any_turns(model))
        form->at[COLUMN_TURNS] = x += TURNS_COLS;
    if (wish->servers)
        form->at[COLUMN_SERVERS] = x += servers_width(model);
    form->at[COLUMN_VERDICT] = x += wish->tight ? 1 : wish->brief ? 2 : 3;
    form->sentence = width;
    if (wish->then)
        form->at[COLUMN_THEN] = form->sentence = width - THEN_COLS;
    return form->sentence - x - (wish->then ? 2 : 0);
}

static LpDecisionForm plan_form(const LpModel *model, int width, bool ended) {
    static const PlanWish wishes[] = {
        {true, true, 10, true, true, true, true, true, false, true, false, true},
        {true, true, 10, true, true, true, true, true, false, false, false, true},
        {true, true, 0, true, true, true, true, true, true, false, false, true},
        {true, true, 0, true, true, true, true, false, true, false, false, true},
        {false, true, 0, true, true, true, true, true, true, false, false, true},
        {false, true, 0, true, true, true, true, false, true, false, false, true},
        {false, false, 0, true, true, true, true, false, true, false, false, true},
        {false, false, 0, true, true, true, false, false, true, false, false, true},
        {false, false, 0, true, false, true, false, false, true, false, false, true},
        {false, false, 0, true, false, true, false, false, true, false, true, true},
        {false, false, 0, false, false, true, false, false, true, false, false, true},
        {false, false, 0, false, false, true, false, false, true, false, true, true},
        {false, false, 0, false, false, false, false, false, true, false, true, true},
        {false, false, 0, true, false, false, false, false, true, false, true, false},
        {false, false, 0, false, false, false, false, false, true, false, true, false},
    };
    LpDecisionForm form = {.brief = true};
    for (size_t i = 0; i < LP_COUNTOF(wishes); i++) {
        const PlanWish *wish = &wishes[i];
        if (wish->then && !ended)
            continue;
        if (lay_plans(model, width, wish, &form) >= (wish->brief ? VERDICT_BRIEF : VERDICT_FULL))
            break;
    }
    return form;
}

LpDecisionForm lp_decision_form(const LpModel *model, int width, bool ended) {
    bool plans = model->decision.count > 0 && model->decision.candidate[0].plan.planned;
    return (plans ? plan_form : degree_form)(model, width, ended);
}
