/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways to decide about a job side by side: the rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/decision/decision_columns.h"
#include "widgets/widgets_list.h"

static const char *print_percent(double share, bool tight, char text[LP_SHOW_TEXT]) {
    lp_show_percent(share, text);
    char *blank = strchr(text, ' ');
    if (tight && blank)
        lp_str_copy(blank, 2, "%");
    return text;
}

static void draw_data(const LpArea *area, int y, const LpDecisionForm *form,
                      const LpTableRow *row) {
    LpTableValue value = lp_table_value(&lp_decision_table, row, COLUMN_DATA);
    char text[LP_SHOW_TEXT];
    if (form->at[COLUMN_DATA])
        lp_area_right(area, form->at[COLUMN_DATA], y, lp_decision_cell_style(row, COLUMN_DATA),
                      value.text ? value.text : print_percent(value.number, form->tight, text));
}

static void draw_limit(const LpArea *area, int y, const LpDecisionForm *form,
                       const LpCandidate *candidate) {
    int bar = form->at[COLUMN_BAR], end = form->at[COLUMN_LIMIT];
    double of_limit = candidate->of_limit;
    char text[LP_SHOW_TEXT];
    if (end == 0)
        return;
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

static void draw_block(const LpArea *area, int y, const int *at, const LpForecast *f) {
    char shape[LP_SHAPE_TEXT];
    if (at[COLUMN_BLOCK] && f->feasible && f->shape.groups)
        lp_area_fit(area, at[COLUMN_BLOCK], y, LP_DECISION_BLOCK - 2, LP_ROLE_TEXT,
                    lp_shape_print(&f->shape, shape));
}

/* ---- of plans ---- */

static void draw_share(const LpArea *area, int x, int y, const LpDecisionForm *form, LpStyle style,
                       double share) {
    char text[LP_SHOW_TEXT];
    if (x)
        lp_area_right(area, x, y, style, print_percent(share, form->tight, text));
}

/* "53.7 of 80 GB", or "67 %": red where no server has so much. */
static void draw_memory(const LpArea *area, int y, const LpDecisionForm *form,
                        const LpPlanFigures *f, LpStyle style) {
    int x = form->at[COLUMN_MEMORY];
    char has[LP_SHOW_TEXT], of[LP_SHOW_TEXT], text[2 * LP_SHOW_TEXT + 8];
    if (f->memory > f->memory_most)
        style = LP_ROLE_BAD;
    if (!form->bytes) {
        draw_share(area, x, y, form, style, f->memory / f->memory_most);
        return;
    }
    lp_show_bytes(f->memory, has);
    lp_show_bytes(f->memory_most, of);
    char *unit = strchr(has, ' ');
    if (unit && strchr(of, ' ') && strcmp(unit, strchr(of, ' ')) == 0)
        *unit = '\0'; /* once is enough */
    snprintf(text, sizeof text, "%s of %s", has, of);
    lp_area_right(area, x, y, style, text);
}

/* The plan and its figures, those of its servers alone where it cannot be placed now. */
static void draw_plan(const LpArea *area, int y, const LpDecisionForm *form,
                      const LpCandidate *candidate) {
    const LpPlanFigures *f = &candidate->plan;
    LpStyle style = candidate->forecast.feasible ? LP_ROLE_TEXT : LP_ROLE_MUTED;
    int x = form->at[COLUMN_PLAN], end = form->at[COLUMN_STEP];
    char text[LP_PARALLEL_TEXT], ways[LP_PLAN_WAYS_TEXT], step[LP_SHOW_TEXT];
    if (f->plan.tensor == 0) {
        lp_area_textf(area, x, y, style, "%u server%s", (unsigned)candidate->degree,
                      candidate->degree == 1 ? "" : "s");
        return;
    }
    lp_area_text(area, x, y, LP_ROLE_TEXT,
                 form->whole ? lp_parallel_brief(&f->plan, text) : lp_plan_ways(&f->plan, ways));
    lp_area_right(area, end, y, style, lp_show_seconds(f->step_time, step));
    draw_memory(area, y, form, f, style);
    draw_share(area, form->at[COLUMN_BUBBLE], y, form, style, f->bubble);
    draw_share(area, form->at[COLUMN_EXPOSED], y, form, style, f->exposed);
}

/* "77 blocked of 300": of a row that ran to the end. */
static void draw_then(const LpModel *model, const LpArea *area, int y, const LpDecisionForm *form,
                      const LpWhatIf *row) {
    int x = form->at[COLUMN_THEN];
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT];
    if (x == 0 || !row || !row->ended)
        return;
    if (row->end.blocked > 0 ||
        isfinite(lp_world_job(model->world, model->decision.job)->asked.max_jct))
        lp_area_textf(area, x, y, LP_ROLE_TEXT, "%s blocked of %s",
                      lp_show_count(row->end.blocked, a), lp_show_count(row->end.arrived, b));
    else
        lp_area_textf(area, x, y, LP_ROLE_TEXT, "mean JCT %s",
                      lp_show_seconds(row->end.mean_jct, a));
}

static bool is_same_way(const LpWhatIf *row, const LpCandidate *candidate) {
    if (candidate->plan.planned)
        return lp_parallel_same(&row->plan.plan, &candidate->plan.plan);
    return row->degree == candidate->degree;
}

/* The way in the table of what would follow, candidate NULL: turning it away; NULL: not there. */
static const LpWhatIf *find_whatif(const LpModel *model, const LpCandidate *candidate) {
    for (uint32_t i = 0; i < model->whatif.count; i++) {
        const LpWhatIf *row = &model->whatif.row[i];
        if (candidate ? row->kind == LP_ANSWER_RUN && is_same_way(row, candidate)
                      : row->kind == LP_ANSWER_DECLINE)
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

static void draw_row(const LpModel *model, const LpArea *area, int y, int index,
                     const LpDecisionForm *form) {
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
    draw_block(area, y, form->at, &candidate->forecast);
    if (form->plans)
        draw_plan(area, y, form, candidate);
    if (net)
        lp_draw_network(model, area, form->net_bar, form->net_width, net, y,
                        candidate->plan.planned ? candidate->plan.way : candidate->degree);
    LpDecisionVerdict form_of = {taken, form->brief, area->canvas->ascii, form->past};
    LpStyle style = lp_decision_verdict(model, candidate, &form_of, &verdict);
    if (taken && model->decision.by_hand) {
        lp_buf_clear(&verdict);
        lp_buf_add(&verdict, form->brief ? "by hand" : "taken by hand, not the policy's choice");
        style = LP_ROLE_PENDING;
    }
    int x = form->at[COLUMN_VERDICT];
    lp_area_fit(area, x, y, form->sentence - x, style, lp_buf_text(&verdict));
    draw_then(model, area, y, form, find_whatif(model, candidate));
    if (index == lp_model_marked(model) && (model->ui->row >= 0 || weighing))
        lp_area_mark(area, 0, y, area->rect.w, LP_REVERSE);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)index);
    lp_area_done(area, &verdict);
}

/* What turning the job away comes to. */
static void draw_declined(const LpModel *model, const LpArea *area, int y,
                          const LpDecisionForm *form) {
    const LpAnswer *answer = model->decision.answer;
    int letter = lp_model_deciding(model), x = form->at[COLUMN_VERDICT];
    if (answer && answer->kind == LP_ANSWER_DECLINE && !is_weighing(model))
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    if (form->plans)
        lp_area_text(area, form->at[COLUMN_PLAN], y, LP_ROLE_TEXT, "no");
    else
        lp_area_right(area, form->at[COLUMN_WAYS], y, LP_ROLE_TEXT, "no");
    if (form->at[COLUMN_SERVERS])
        lp_area_right(area, form->at[COLUMN_SERVERS], y, LP_ROLE_TEXT, "0");
    if (form->brief)
        lp_area_fit(area, x, y, form->sentence - x, LP_ROLE_MUTED, "away");
    else
        lp_area_textf(area, x, y, LP_ROLE_MUTED, "%c is turned away", lp_letter(letter));
    draw_then(model, area, y, form, find_whatif(model, NULL));
}

/* The heading; where not all rows fit, which ones show. */
static void draw_titles(const LpArea *area, const LpDecisionForm *form, int first, int rows,
                        int count) {
    char text[40];
    int verdict = form->at[COLUMN_VERDICT], room = area->rect.w - verdict;
    lp_table_titles(&lp_decision_table, area, form->at, -1);
    if (!form->at[COLUMN_BAR] && form->at[COLUMN_LIMIT])
        lp_area_right(area, form->at[COLUMN_LIMIT], 0, LP_ROLE_MUTED, "limit");
    if (rows >= count)
        return;
    int width = snprintf(text, sizeof text, " %d-%d of %d", first + 1, first + rows, count);
    if (width > room && form->plans)
        width = snprintf(text, sizeof text, "%d-%d/%d", first + 1, first + rows, count);
    if (width + 7 > room) /* as long as "verdict" */
        lp_area_repeat(area, verdict, 0, room, LP_ROLE_TEXT, LP_GLYPH_SPACE);
    lp_area_right(area, area->rect.w, 0, LP_ROLE_LABEL, text);
}

/* The decision that was taken, where the table of its ways is not known: one row. */
static LpCandidate taken_as_row(const LpModel *model) {
    const LpJob *job = lp_world_job(model->world, model->decision.job);
    LpCandidate row = {.degree = lp_words_ways(job), .valid = true, .chosen = true};
    LpForecast *f = &row.forecast;
    f->partition = job->placed.partition;
    double jct = (job->outcome == LP_JOB_COMPLETED ? job->times.end : job->times.forecast_end) -
                 job->asked.arrival;
    f->feasible = job->placed.placement != LP_NO_INDEX;
    f->cause = f->feasible ? LP_CAUSE_NONE : (LpCause)job->cause;
    f->jct = jct;
    f->finish = job->asked.arrival + jct;
    f->step_time = job->forecast.step_time;
    f->communication = job->forecast.communication;
    row.of_limit = f->feasible ? lp_job_of_limit(job, jct) : (double)NAN;
    row.needs =
        f->feasible ? lp_store_placement(model->context->store, job->placed.placement)->servers : 0;
    row.free_after = lp_world_free_servers(model->world);
    if (lp_plan_figures_of_job(model->session, job, &row.plan, NULL) != LP_OK)
        row.plan = (LpPlanFigures){0}; /* then it shows as a degree */
    return row;
}

/* Draws a decision that was taken and is not known any more, as its one row. */
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
    LpDecisionForm form = lp_decision_form(&one, area->rect.w, false);
    form.past = true;
    form.at[COLUMN_SERVERS] = 0; /* how many were free is not known */
    if (area->rect.h > 1)
        draw_titles(area, &form, 0, 1, 1);
    draw_row(&one, area, area->rect.h > 1, 0, &form);
}

void lp_view_degrees(const LpModel *model, const LpArea *area) {
    LpDecisionForm form = lp_decision_form(model, area->rect.w, any_ended(model));
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
