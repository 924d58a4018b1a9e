/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision where it has the screen for itself: its five stages as steps with what each came to,
 * the boards, what the stage means, the tables of ways to decide, and why. */
#include "views/decision/decision_view_impl.h"

#include <math.h>
#include <stdio.h>

enum {
    LEAST = 14,      /* rows from which all of this is shown */
    BOARD_LEAST = 5, /* rows of a board, its box included */
    TABLE_LEAST = 4, /* rows of a table */
    STAGE_ROWS = 4,  /* what a stage means */
    ORDER_ROWS = 9,  /* of a step as bars */
    BOTH_COLS = 92,  /* columns from which both boards stand side by side */
    NAME_COLS = 18,  /* of a step, its number included */
};

/* The plan that the steps tell of: the marked candidate's, or the job's own. */
typedef struct Plan {
    const LpModel *model;
    const LpJob *job;
    const LpForecast *forecast; /* NULL: the job's own */
    const LpCandidate *candidate;
    bool known; /* there are servers */
    const uint32_t *server;
    uint32_t servers;
    LpOrders orders;
    const LpStepSummary *step; /* NULL: no step */
} Plan;

static Plan plan_of(const LpModel *model) {
    const LpStore *store = model->context->store;
    Plan p = {.model = model, .job = lp_world_job(model->world, model->decision.job)};
    int marked = lp_model_marked(model);
    p.candidate = model->decision.due && marked >= 0 ? &model->decision.candidate[marked] : NULL;
    uint32_t step = LP_NO_INDEX;
    const LpForecast *chosen = lp_model_plan(model);
    if (chosen && chosen->feasible) {
        p.forecast = chosen;
        p.server = p.forecast->server;
        p.servers = p.forecast->servers;
        p.orders = p.forecast->orders;
        step = p.forecast->step;
    } else if (!model->decision.due && p.job->placed.placement != LP_NO_INDEX) {
        const LpPlacement *placement = lp_store_placement(store, p.job->placed.placement);
        p.server = placement->server;
        p.servers = placement->servers;
        p.orders = p.job->placed.orders;
        step = p.job->placed.step;
    }
    p.known = p.server != NULL && p.servers > 0;
    p.step = step != LP_NO_INDEX ? lp_store_step(store, step) : NULL;
    return p;
}

/* ---- what each step came to ---- */

static void say_partition(const Plan *p, LpBuf *out) {
    const LpAnswer *answer = p->model->decision.answer;
    char text[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    if (p->candidate == NULL && answer && answer->kind != LP_ANSWER_RUN)
        lp_buf_add(out, answer->kind == LP_ANSWER_WAIT ? "the policy lets the job wait"
                                                       : "the policy turns the job away");
    else if (p->job->graph < 0)
        lp_buf_addf(out, "%u server%s asked for, it cannot be split",
                    (unsigned)p->job->asked.rigid_servers,
                    p->job->asked.rigid_servers == 1 ? " is" : "s are");
    else if (p->candidate)
        lp_buf_add(out, lp_words_split_of(p->candidate, cut));
    else if (answer && answer->ways)
        lp_buf_add(out, "each op its own way");
    else if (p->known)
        lp_buf_add(out, lp_words_split(p->model, p->job, cut));
    else
        lp_buf_add(out, lp_outcome_name((LpOutcome)p->job->outcome));
    if (p->forecast)
        lp_buf_addf(out, ": JCT %s", lp_show_seconds(p->forecast->jct, text));
    double of_limit = p->model->drafted.priced ? p->model->drafted.price.of_limit
                      : p->candidate           ? p->candidate->of_limit
                                               : (double)NAN;
    if (p->forecast && !isnan(of_limit))
        lp_buf_addf(out, ", %s of the limit", lp_show_percent(of_limit, text));
}

static void say_place(const Plan *p, LpBuf *out) {
    char shape[LP_SHAPE_TEXT];
    if (!p->known) {
        if (p->candidate)
            lp_buf_add(out, p->candidate->forecast.why);
        return;
    }
    lp_buf_addf(out, "%u server%s", (unsigned)p->servers, p->servers == 1 ? "" : "s");
    if (p->forecast && p->forecast->shape.groups)
        lp_buf_addf(out, ", block %s", lp_shape_print(&p->forecast->shape, shape));
    lp_buf_add(out, ": ");
    lp_words_servers(p->model, p->server, p->servers, 8, out);
}

static void say_order(const Plan *p, bool flows, LpBuf *out) {
    uint32_t order = flows ? p->orders.flows : p->orders.ops;
    lp_buf_add(out, order < LP_ORDER_COUNT ? lp_order_name((LpOrder)order) : "by its own list");
}

static void say_order_ops(const Plan *p, LpBuf *out) {
    const LpStepSummary *step = p->step;
    char share[LP_SHOW_TEXT], time[LP_SHOW_TEXT];
    if (!step || !(step->step_time > 0.0) || step->servers == 0)
        return;
    say_order(p, false, out);
    lp_buf_addf(out, ": servers compute %s of a step of %s",
                lp_show_percent(step->busy_area / (step->servers * step->step_time), share),
                lp_show_seconds(step->step_time, time));
}

static void say_circuits(const Plan *p, LpBuf *out) {
    const LpStepSummary *step = p->step;
    char count[LP_SHOW_TEXT], bytes[LP_SHOW_TEXT];
    if (!step)
        return;
    if (step->channels == 0)
        lp_buf_add(out, "no light path between servers is needed");
    else
        lp_buf_addf(out, "%s light path%s %s a step, at most %u at once",
                    lp_show_count(step->channels, count),
                    step->channels == 1 ? " carries" : "s carry",
                    lp_show_bytes(step->flow_bytes, bytes), (unsigned)step->peak_circuits);
}

static void say_order_flows(const Plan *p, LpBuf *out) {
    const LpStepSummary *step = p->step;
    char exposed[LP_SHOW_TEXT], time[LP_SHOW_TEXT];
    if (!step)
        return;
    say_order(p, true, out);
    lp_buf_addf(out, ": %s of %s a step exposed, nobody computes",
                lp_show_seconds(step->exposed, exposed), lp_show_seconds(step->step_time, time));
    if (step->turns > 0)
        lp_buf_addf(out, "; %u turn%s of light, %u exposed: %s", (unsigned)step->turns,
                    lp_str_s(step->turns), (unsigned)step->exposed_turns,
                    lp_show_seconds(step->turn_time, exposed));
}

static void (*const says[LP_STAGE_COUNT])(const Plan *p, LpBuf *out) = {
    [LP_STAGE_PARTITION] = say_partition,     [LP_STAGE_PLACE] = say_place,
    [LP_STAGE_ORDER_OPS] = say_order_ops,     [LP_STAGE_CIRCUITS] = say_circuits,
    [LP_STAGE_ORDER_FLOWS] = say_order_flows,
};

/* "2 place          ✓ 3 servers, block 3x1x1: ..." */
static void draw_steps(const Plan *plan, const LpArea *area) {
    bool due = plan->model->decision.due;
    int now = due ? (int)plan->model->ui->stage : LP_STAGE_COUNT;
    for (int i = 0; i < LP_STAGE_COUNT && i < area->rect.h; i++) {
        LpStyle style = i == now ? LP_ROLE_STAGE : i < now ? LP_ROLE_TEXT : LP_ROLE_MUTED;
        LpBuf text = {0};
        if (i == now)
            lp_area_glyph(area, 0, i, LP_ROLE_PENDING, LP_GLYPH_POINTER);
        lp_area_textf(area, 2, i, style, "%d %s", i + 1, lp_stage_name((LpStage)i));
        if (i < now && plan->known)
            lp_area_glyph(area, NAME_COLS - 2, i, LP_ROLE_GOOD, LP_GLYPH_CHECK);
        says[i](plan, &text);
        lp_area_fit(area, NAME_COLS, i, area->rect.w - NAME_COLS, style,
                    text.len ? lp_buf_text(&text) : "-");
        lp_area_done(area, &text);
    }
}

/* ---- the boards ---- */

static void draw_boards(const LpModel *model, const LpArea *area) {
    bool light = model->decision.due && model->ui->stage >= LP_STAGE_CIRCUITS;
    int w = area->rect.w, want = model->views[LP_PANE_SERVERS]->width(&model->board) + 2,
        half = w * 2 / 5;
    LpArea whole = *area;
    if (w < BOTH_COLS) {
        lp_view_part(model, light ? LP_PANE_CIRCUITS : LP_PANE_SERVERS, &whole);
        return;
    }
    int left = want < half ? half : want < w / 2 ? want : w / 2;
    LpArea servers = lp_area_part(area, (LpRect){0, 0, left, area->rect.h});
    LpArea circuits = lp_area_part(area, (LpRect){left, 0, w - left, area->rect.h});
    lp_view_part(model, LP_PANE_SERVERS, &servers);
    lp_view_part(model, LP_PANE_CIRCUITS, &circuits);
}

/* ---- tables ---- */

static bool shows_choices(const LpModel *model) {
    return model->decision.due && model->ui->stage > LP_STAGE_PARTITION;
}

/* The table of the stage: degrees, where a degree can lie, or what it means inside a step. */
static void draw_stage(const LpModel *model, const LpArea *area) {
    if (model->ui->explain)
        lp_view_explain(model, area);
    else if (shows_choices(model))
        lp_view_stage_body(model, area);
    else
        lp_view_degrees(model, area);
}

static int stage_rows(const LpModel *model, int width) {
    bool order = model->ui->stage == LP_STAGE_ORDER_OPS || model->ui->stage == LP_STAGE_ORDER_FLOWS;
    if (shows_choices(model))
        return lp_view_choices_rows(model, width) + (order ? ORDER_ROWS : STAGE_ROWS);
    return (int)model->decision.count + 1;
}

/* Below the stage, where there is room: every way to decide, wherever one is. */
static void draw_tables(const LpModel *model, const LpArea *area) {
    int rows = stage_rows(model, area->rect.w), spare = area->rect.h - rows - 1;
    bool both = model->decision.due && !model->ui->explain && model->whatif.count > 0 &&
                spare >= TABLE_LEAST;
    if (!both) {
        draw_stage(model, area);
        return;
    }
    LpArea upper = lp_area_part(area, (LpRect){0, 0, area->rect.w, rows});
    LpArea lower = lp_area_part(area, (LpRect){0, rows + 1, area->rect.w, area->rect.h - rows - 1});
    draw_stage(model, &upper);
    const char *title = "what if: every way to decide";
    lp_area_repeat(area, 0, rows, area->rect.w, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    lp_area_textf(area, 1, rows, LP_ROLE_LABEL, " %s ", title);
    lp_view_part(model, LP_PANE_WHATIF, &lower);
}

/* Rows of the boards: what is left by steps, reason and a table, none where that is too little. */
static int board_rows(const LpModel *model, int rows) {
    int groups = (int)model->board.groups, want = groups < 16 ? groups + 3 : 19;
    int left = rows - LP_STAGE_COUNT - 1 - (rows < 24 ? TABLE_LEAST : rows / 3);
    if (want < 7)
        want = 7;
    if (left >= want + groups + 8) /* a blank line between groups */
        want += groups - 1;
    left = left < want ? left : want;
    return left >= BOARD_LEAST ? left : 0;
}

bool lp_view_stages_fit(const LpModel *model, int rows) {
    return rows >= LEAST && model->decision.job != LP_NO_INDEX;
}

void lp_view_stages(const LpModel *model, const LpArea *area) {
    int rows = area->rect.h;
    Plan plan = plan_of(model);
    int boards = board_rows(model, rows), y = LP_STAGE_COUNT;
    LpArea steps = lp_area_part(area, (LpRect){0, 0, area->rect.w, LP_STAGE_COUNT});
    LpArea middle = lp_area_part(area, (LpRect){0, y, area->rect.w, boards});
    LpArea lower = lp_area_part(area, (LpRect){0, y + boards, area->rect.w, rows - y - boards - 1});
    draw_steps(&plan, &steps);
    if (boards > 0)
        draw_boards(model, &middle);
    draw_tables(model, &lower);
    lp_view_why(model, area, rows - 1);
}
