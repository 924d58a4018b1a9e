/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The what-if table: every way to decide, what it would cost now, and where it leads. */
#include "views/whatif/whatif_view_impl.h"
#include "widgets/widgets_list.h"

#include <math.h>
#include <stdio.h>

static const LpWhatIf *way(const LpTableRow *row) {
    return row->item;
}

static double exposed(const LpTableRow *row) {
    const LpModel *model = row->list;
    const LpForecast *f = &way(row)->forecast;
    double whole = f->step_time * lp_world_job(model->world, model->whatif.job)->asked.steps;
    return whole > 0.0 ? f->exposed / whole : (double)NAN;
}

/* A number that only a plan has. */
static double plan_number(const LpWhatIf *row, double number) {
    return row->plan.plan.tensor > 0 ? number : (double)NAN;
}

static LpTableValue plan_text(const LpTableRow *row) {
    const LpPlanFigures *figures = &way(row)->plan;
    char text[LP_PARALLEL_TEXT];
    if (figures->plan.tensor == 0 || !row->room)
        return lp_table_word("");
    lp_buf_add(row->room, lp_parallel_brief(&figures->plan, text));
    return lp_table_word(lp_buf_text(row->room));
}

#define LP_TABLE_ITEM LpWhatIf
#define COLUMNS(X)                                                                                 \
    X(JOB, NULL, "job", "", "that is decided", 0, NULL, ((const LpModel *)row->list)->whatif.job)  \
    X(ANSWER, "answer", "degree", "", "partition degree, or wait, or decline", LP_TABLE_REST,      \
      NULL, it->kind == LP_ANSWER_RUN ? it->degree : (double)NAN)                                  \
    X(NETWORK, "network", NULL, "%", "how probable the policy's network finds it", 0, NULL, "")    \
    X(BLOCK, "block", NULL, "", "shape of its servers", LP_TABLE_REST, NULL, "")                   \
    LP_FORECAST_COLUMNS(X, "circuits")                                                             \
    X(BLOCKED, "blocked", "blocking_rate", "%", "of all jobs at the end of the run", 0, NULL,      \
      it->ended ? it->end.blocking_rate : (double)NAN)                                             \
    X(MEAN, "mean JCT", "mean_jct", "s", "of all jobs at the end of the run", 0, NULL,             \
      it->ended ? it->end.mean_jct : (double)NAN)                                                  \
    X(LIMIT, "limit", "of_limit", "%", "JCT as a share of its limit", 0, lp_table_percent,         \
      it->of_limit)                                                                                \
    X(EXPOSED, "exposed", NULL, "%", "share of the steps in which nobody computes", 0,             \
      lp_table_percent, exposed(row))                                                              \
    X(MEMORY, "memory", "memory_share", "%",                                                       \
      "of a plan's fullest server, of the largest server there is", 0, lp_table_percent,           \
      plan_number(it, it->plan.memory / it->plan.memory_most))                                     \
    X(BUBBLE, "bubble", "bubble", "%", "share of the stages' time in which they wait", 0,          \
      lp_table_percent, plan_number(it, it->plan.bubble))                                          \
    X(PLAN, NULL, "plan", "", "how a transformer is split", 0, NULL, plan_text(row))               \
    X(SERVERS, "servers", NULL, "", "that it takes", 0, lp_table_count, it->forecast.servers)      \
    X(VERDICT, "verdict", NULL, "", "accepted, or why not", LP_TABLE_REST, NULL, "")               \
    LP_VERDICT_COLUMNS(X)

enum { COLUMNS(LP_TABLE_ID) COLUMN_COUNT };

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static int count_ways(const void *model) {
    return (int)((const LpModel *)model)->whatif.count;
}

static const void *way_at(const void *model, int row) {
    return &((const LpModel *)model)->whatif.row[row];
}

static LpStyle style_of(const LpTableRow *row, int column) {
    return column == COLUMN_LIMIT && way(row)->of_limit > 1.0 ? LP_ROLE_BAD : LP_ROLE_TEXT;
}

const LpTable lp_whatif_columns = {.column = columns,
                                   .columns = COLUMN_COUNT,
                                   .hit = LP_PANE_WHATIF * LP_TABLE_COLUMNS,
                                   .rows = count_ways,
                                   .item = way_at,
                                   .style = style_of};

/* Where the columns stand; of a policy with a network also its bar. */
typedef struct Form {
    int at[COLUMN_COUNT], net_bar, net_width;
    bool plans, whole; /* rows of plans; with all that differs from the usual */
    int label;         /* room for what a row of a stage is called; 0: rows are ways to decide */
} Form;

enum { TIME_COLS = 7 /* "11.5 s" */, NET_BAR = 7 };

static Form choose_without(int width) {
    const int last = width < 150 ? width - 13 : 137, end = width < 150 ? width : 152;
    const bool wide = width >= 120, middle = width >= 92, small = width >= 70;
    Form form = {0};
    int *at = form.at;
    at[COLUMN_ANSWER] = 2;
    at[COLUMN_BLOCK] = wide ? 12 : small ? 11 : 0;
    at[COLUMN_STEP] = wide ? 32 : 0;
    at[COLUMN_JCT] = wide ? 44 : small ? 29 : 20;
    at[COLUMN_CIRCUITS] = wide ? 82 : 0;
    at[COLUMN_BLOCKED] = wide ? last : small ? width - 11 : 0;
    at[COLUMN_MEAN] = wide ? end : small ? width : 0;
    at[COLUMN_LIMIT] = wide ? 53 : small ? 37 : 28;
    at[COLUMN_EXPOSED] = wide ? 63 : middle ? 46 : 0;
    at[COLUMN_SERVERS] = wide ? 72 : middle ? 55 : 0;
    at[COLUMN_VERDICT] = wide ? 85 : middle ? 57 : small ? 39 : 30;
    return form;
}

/* ---- of plans ---- */

static int plan_width(const LpModel *model, bool whole) {
    char text[LP_PARALLEL_TEXT], ways[LP_PLAN_WAYS_TEXT];
    int most = 7; /* "decline" */
    for (uint32_t i = 0; i < model->whatif.count; i++) {
        const LpParallel *plan = &model->whatif.row[i].plan.plan;
        if (plan->tensor == 0)
            continue;
        int width = lp_text_width(whole ? lp_parallel_brief(plan, text) : lp_plan_ways(plan, ways));
        most = width > most ? width : most;
    }
    return most;
}

/* The columns of plans in the order in which they stand, and from how many columns of the screen on
 * they are there; the ends, where rows ran to theirs, take room from the others. */
static Form choose_for_plans(const LpModel *model, int width, bool ended) {
    static const struct {
        int column, width, least, least_ended;
    } part[] = {
        {COLUMN_NETWORK, 9, 80, 120}, {COLUMN_BLOCK, 11, 130, 140}, {COLUMN_STEP, 9, 0, 0},
        {COLUMN_JCT, 9, 0, 76},       {COLUMN_LIMIT, 8, 90, 110},   {COLUMN_MEMORY, 8, 60, 92},
        {COLUMN_BUBBLE, 8, 60, 92},   {COLUMN_EXPOSED, 9, 70, 100}, {COLUMN_SERVERS, 9, 110, 120},
    };
    Form form = {.plans = true, .whole = width >= 110};
    form.at[COLUMN_ANSWER] = 2;
    int x = 2 + plan_width(model, form.whole);
    for (size_t i = 0; i < LP_COUNTOF(part); i++) {
        bool words = part[i].column == COLUMN_BLOCK;
        if (width < (ended ? part[i].least_ended : part[i].least) ||
            (part[i].column == COLUMN_NETWORK && model->network.networks == 0))
            continue;
        form.at[part[i].column] = words ? x + 2 : x + part[i].width;
        x += part[i].width;
        x += part[i].column == COLUMN_NETWORK; /* "step time" is wider than its numbers */
        if (part[i].column == COLUMN_NETWORK && width >= 140) {
            form.net_bar = x + 1;
            x += form.net_width = NET_BAR;
        }
    }
    form.at[COLUMN_VERDICT] = x + 2;
    if (ended && width >= 60) {
        form.at[COLUMN_BLOCKED] = width - 11;
        form.at[COLUMN_MEAN] = width;
    }
    return form;
}

static bool has_plans(const LpModel *model) {
    return model->whatif.count > 0 && model->whatif.row[0].plan.planned;
}

/* A table of a stage: what is chosen stands where else the block does. */
static Form choose_for_stage(int width, bool ended) {
    Form form = choose_without(width);
    int *at = form.at;
    at[COLUMN_BLOCK] = 0;
    if (!ended)
        at[COLUMN_BLOCKED] = at[COLUMN_MEAN] = 0;
    form.label =
        (at[COLUMN_STEP] ? at[COLUMN_STEP] : at[COLUMN_JCT]) - TIME_COLS - 1 - at[COLUMN_ANSWER];
    return form;
}

/* The network's column stands between the answer and all else but the ends. */
static Form choose(const LpModel *model, int width, bool ended) {
    if (model->whatif.stage > LP_STAGE_PARTITION)
        return choose_for_stage(width, ended);
    if (has_plans(model))
        return choose_for_plans(model, width, ended);
    Form form = choose_without(width);
    bool wide = width >= 120;
    if (!ended)
        form.at[COLUMN_BLOCKED] = form.at[COLUMN_MEAN] = 0;
    if (model->network.networks == 0 || width < (ended ? 120 : 70))
        return form;
    for (int c = COLUMN_NETWORK; c <= COLUMN_VERDICT; c++)
        if (form.at[c] && c != COLUMN_BLOCKED && c != COLUMN_MEAN)
            form.at[c] += wide ? 16 : 9;
    form.at[COLUMN_NETWORK] = 19;
    form.net_bar = 20;
    form.net_width = wide ? 7 : 0;
    return form;
}

static bool any_ended(const LpWhatIfs *table) {
    for (uint32_t i = 0; i < table->count; i++)
        if (table->row[i].ended)
            return true;
    return false;
}

static void print_answer(const LpModel *model, const LpWhatIf *row, bool whole,
                         char text[LP_PARALLEL_TEXT]) {
    const LpAnswer *answer = model->decision.answer;
    char ways[LP_PLAN_WAYS_TEXT];
    if (row->label != NULL)
        lp_str_copy(text, LP_PARALLEL_TEXT, row->label);
    else if (row->kind == LP_ANSWER_RUN && row->plan.plan.tensor > 0 && whole)
        lp_parallel_brief(&row->plan.plan, text);
    else if (row->kind == LP_ANSWER_RUN && row->plan.plan.tensor > 0)
        lp_str_copy(text, LP_PARALLEL_TEXT, lp_plan_ways(&row->plan.plan, ways));
    else if (row->chosen && answer && answer->ways)
        lp_str_copy(text, LP_PARALLEL_TEXT, "by op"); /* each op its own way */
    else if (row->kind == LP_ANSWER_RUN && row->degree)
        snprintf(text, LP_PARALLEL_TEXT, "%u way%s", (unsigned)row->degree,
                 row->degree == 1 ? "" : "s");
    else
        lp_str_copy(text, LP_PARALLEL_TEXT,
                    row->kind == LP_ANSWER_WAIT      ? "wait"
                    : row->kind == LP_ANSWER_DECLINE ? "decline"
                                                     : "start");
}

static LpStyle print_verdict(const LpModel *model, const LpWhatIf *row, bool brief, LpBuf *out) {
    const LpJob *job = lp_world_job(model->world, model->whatif.job);
    if (row->note != NULL && row->accepted) {
        lp_buf_add(out, row->note);
        return LP_ROLE_TEXT;
    }
    if (row->kind == LP_ANSWER_RUN)
        return lp_words_verdict(job, &row->forecast, row->allowed, row->free_after, brief, out);
    lp_buf_add(out, row->kind == LP_ANSWER_DECLINE         ? "the job is blocked"
                    : model->scenario->queue_capacity == 0 ? "blocked: nobody can wait here"
                                                           : "the job stays in the queue");
    return LP_ROLE_MUTED;
}

/* Where it leads: blocking and mean JCT of the whole run. */
static void draw_end(const LpWhatIf *row, const LpArea *area, int y, const int *at) {
    char text[LP_SHOW_TEXT];
    if (!at[COLUMN_BLOCKED])
        return;
    if (!row->ended) {
        lp_area_right(area, at[COLUMN_MEAN], y, LP_ROLE_MUTED, "-");
        return;
    }
    snprintf(text, sizeof text, "%.1f %%", row->end.blocking_rate * 100.0);
    lp_area_right(area, at[COLUMN_BLOCKED], y, LP_ROLE_TEXT, row->end.arrived ? text : "-");
    lp_area_right(area, at[COLUMN_MEAN], y, LP_ROLE_TEXT, lp_show_seconds(row->end.mean_jct, text));
}

/* What a network calls it by. */
static uint32_t way_of(const LpWhatIf *row) {
    return row->plan.planned ? row->plan.way : row->degree;
}

/* What the network says of a degree or a plan, on the first of its rows. */
static void draw_network(const LpModel *model, int index, const LpArea *area, int y,
                         const Form *form) {
    const LpWhatIf *row = &model->whatif.row[index], *before = index > 0 ? row - 1 : NULL;
    bool run = row->kind == LP_ANSWER_RUN;
    if (row->kind == LP_ANSWER_WAIT || (run && row->degree == 0) ||
        (before && before->kind == row->kind && way_of(before) == way_of(row)))
        return;
    lp_draw_network(model, area, form->net_bar, form->net_width, form->at[COLUMN_NETWORK], y,
                    run ? way_of(row) : 0);
}

static void draw_forecast(const LpTableRow *row, const LpArea *area, int y, const int *at) {
    const LpForecast *f = &way(row)->forecast;
    char shape[LP_SHAPE_TEXT];
    lp_table_draw(&lp_whatif_columns, area, y, at, row);
    if (at[COLUMN_BLOCK] && f->shape.groups)
        lp_area_text(area, at[COLUMN_BLOCK], y, LP_ROLE_TEXT, lp_shape_print(&f->shape, shape));
}

/* A plan that cannot be placed now: what it is like alone. */
static void draw_alone(const LpPlanFigures *f, const LpArea *area, int y, const int *at) {
    const struct {
        int at;
        double share;
    } cell[] = {{at[COLUMN_MEMORY], f->memory / f->memory_most},
                {at[COLUMN_BUBBLE], f->bubble},
                {at[COLUMN_EXPOSED], f->exposed}};
    char text[LP_SHOW_TEXT];
    lp_area_right(area, at[COLUMN_STEP], y, LP_ROLE_MUTED, lp_show_seconds(f->step_time, text));
    for (size_t i = 0; i < LP_COUNTOF(cell); i++)
        if (cell[i].at)
            lp_area_right(area, cell[i].at, y, cell[i].share > 1 ? LP_ROLE_BAD : LP_ROLE_MUTED,
                          lp_show_percent(cell[i].share, text));
}

static void draw_row(const LpModel *model, const LpArea *area, int y, int index, const Form *form) {
    const LpWhatIf *row = &model->whatif.row[index];
    const int *at = form->at;
    LpBuf verdict = {0};
    char answer[LP_PARALLEL_TEXT];
    print_answer(model, row, form->whole, answer);
    if (row->chosen)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_fit(area, at[COLUMN_ANSWER], y, form->label ? form->label : area->rect.w, LP_ROLE_TEXT,
                answer);
    if (at[COLUMN_NETWORK])
        draw_network(model, index, area, y, form);
    bool feasible = row->kind == LP_ANSWER_RUN && row->forecast.feasible;
    if (feasible)
        draw_forecast(&(LpTableRow){.list = model, .item = row}, area, y, at);
    bool brief = at[COLUMN_NETWORK] || row->plan.planned ||
                 (at[COLUMN_BLOCKED] && at[COLUMN_MEAN] == area->rect.w);
    LpStyle style = print_verdict(model, row, brief, &verdict);
    int x = feasible || !at[COLUMN_BLOCK] || form->label || row->plan.planned ? at[COLUMN_VERDICT]
                                                                              : at[COLUMN_BLOCK];
    if (form->plans && row->kind != LP_ANSWER_RUN)
        x = at[COLUMN_STEP] - TIME_COLS;
    if (row->plan.plan.tensor > 0 && !feasible)
        draw_alone(&row->plan, area, y, at);
    int end = at[COLUMN_BLOCKED] ? at[COLUMN_BLOCKED] - 8 : area->rect.w;
    lp_area_fit(area, x, y, end - x, style, lp_buf_text(&verdict));
    draw_end(row, area, y, at);
    if (index == lp_model_picked(model))
        lp_area_mark(area, 0, y, area->rect.w, LP_REVERSE);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)index);
    lp_area_done(area, &verdict);
}

static void draw_rows(const LpModel *model, const LpArea *area, int rows) {
    const LpWhatIfs *table = &model->whatif;
    bool ended = any_ended(table) || model->whatif_runs != 0;
    Form form = choose(model, area->rect.w, ended);
    int first = lp_list_around(lp_model_picked(model), (int)table->count, rows);
    lp_table_titles(&lp_whatif_columns, area, form.at, -1);
    for (int i = 0; i < rows && first + i < (int)table->count; i++)
        draw_row(model, area, 1 + i, first + i, &form);
}

void lp_view_whatif_rows(const LpModel *model, const LpArea *area) {
    if (area->rect.h > 1)
        draw_rows(model, area, area->rect.h - 1);
}

void lp_view_whatif(const LpModel *model, const LpArea *area) {
    char title[160] = "WHAT IF every way to decide", stage[40];
    const LpWhatIfs *table = &model->whatif;
    snprintf(stage, sizeof stage, "%s, stage %d of %d:", lp_stage_name(table->stage),
             (int)table->stage + 1, (int)LP_STAGE_COUNT);
    if (table->count > 0) {
        LpWordsName name = lp_words_name(model, lp_world_job(model->world, table->job));
        snprintf(title, sizeof title, "WHAT IF %s %.*s",
                 table->stage > LP_STAGE_PARTITION ? stage : "every way to decide about",
                 (int)lp_str_prefix(name.text, 80), name.text);
    }
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (model->whatif.count == 0) {
        lp_area_keys(&inside, 0, 0, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
                     model->ui->playing
                         ? "{play} stops, then the table shows"
                         : "no decision is due; {next-decision} goes to the next one");
        return;
    }
    int rows = inside.rect.h > 4 ? inside.rect.h - 3 : inside.rect.h - 1;
    draw_rows(model, &inside, rows);
    if (rows + 1 < inside.rect.h)
        lp_area_keys(
            &inside, 0, inside.rect.h - 1, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
            any_ended(&model->whatif)
                ? "blocked, mean JCT: at the end of the run, when decided so"
                : "{up} {down} mark a row  {take} decide so  {whatif} run the best to the end");
}
