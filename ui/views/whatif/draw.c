/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The what-if table: every way to decide, what it would cost now, and where it leads. */
#include "views/whatif/impl.h"
#include "widgets/list.h"

#include <math.h>
#include <stdio.h>

/* Where columns end (numbers) or begin (words); 0: left out. */
typedef struct Columns {
    int answer, shape, step, jct, percent, exposed, servers, circuits, verdict, blocked, mean;
    int net, net_bar, net_width; /* of a policy with a network */
} Columns;

static Columns choose_without(int width) {
    Columns c;
    const int last = width < 150 ? width - 13 : 137, end = width < 150 ? width : 152;
    if (width >= 120)
        c = (Columns){2, 12, 32, 44, 53, 63, 72, 82, 85, last, end, 0, 0, 0};
    else if (width >= 92)
        c = (Columns){2, 11, 0, 29, 37, 46, 55, 0, 57, width - 11, width, 0, 0, 0};
    else if (width >= 70)
        c = (Columns){2, 11, 0, 29, 37, 0, 0, 0, 39, width - 11, width, 0, 0, 0};
    else
        c = (Columns){2, 0, 0, 20, 28, 0, 0, 0, 30, 0, 0, 0, 0, 0};
    return c;
}

/* The network's column stands between the answer and all else. */
static Columns choose(const LpModel *model, int width, bool ended) {
    Columns c = choose_without(width);
    bool wide = width >= 120;
    if (model->network.networks == 0 || width < (ended ? 120 : 70))
        return c;
    int *const shifted[] = {&c.shape,   &c.step,    &c.jct,      &c.percent,
                            &c.exposed, &c.servers, &c.circuits, &c.verdict};
    for (size_t i = 0; i < LP_COUNTOF(shifted); i++)
        *shifted[i] += *shifted[i] == 0 ? 0 : wide ? 16 : 9;
    c.net = 19;
    c.net_bar = 20;
    c.net_width = wide ? 7 : 0;
    return c;
}

static bool any_ended(const LpWhatIfs *table) {
    for (uint32_t i = 0; i < table->count; i++)
        if (table->row[i].ended)
            return true;
    return false;
}

static void put(const LpArea *area, int end, int y, LpStyle style, const char *text) {
    if (end)
        lp_area_right(area, end, y, style, text);
}

static void draw_headings(const LpArea *area, const Columns *c, bool ended) {
    lp_area_text(area, c->answer, 0, LP_ROLE_MUTED, "answer");
    put(area, c->net, 0, LP_ROLE_MUTED, "network");
    if (c->shape)
        lp_area_text(area, c->shape, 0, LP_ROLE_MUTED, "block");
    put(area, c->step, 0, LP_ROLE_MUTED, "step time");
    put(area, c->jct, 0, LP_ROLE_MUTED, "JCT");
    put(area, c->percent, 0, LP_ROLE_MUTED, "limit");
    put(area, c->exposed, 0, LP_ROLE_MUTED, "exposed");
    put(area, c->servers, 0, LP_ROLE_MUTED, "servers");
    put(area, c->circuits, 0, LP_ROLE_MUTED, "circuits");
    lp_area_text(area, c->verdict, 0, LP_ROLE_MUTED, "verdict");
    if (!ended || !c->blocked)
        return;
    put(area, c->blocked, 0, LP_ROLE_MUTED, "blocked");
    put(area, c->mean, 0, LP_ROLE_MUTED, "mean JCT");
}

static void print_answer(const LpModel *model, const LpWhatIf *row, char text[16]) {
    const LpAnswer *answer = model->decision.answer;
    if (row->chosen && answer && answer->ways)
        lp_str_copy(text, 16, "by op"); /* each op its own way */
    else if (row->kind == LP_ANSWER_RUN && row->degree)
        snprintf(text, 16, "%u way%s", (unsigned)row->degree, row->degree == 1 ? "" : "s");
    else
        lp_str_copy(text, 16,
                    row->kind == LP_ANSWER_WAIT      ? "wait"
                    : row->kind == LP_ANSWER_DECLINE ? "decline"
                                                     : "as policy");
}

static void draw_forecast(const LpJob *job, const LpWhatIf *row, const LpArea *area, int y,
                          const Columns *c) {
    const LpForecast *f = &row->forecast;
    char text[LP_SHOW_TEXT], shape[LP_SHAPE_TEXT];
    double whole = f->step_time * job->steps;
    if (c->shape && f->shape.groups)
        lp_area_text(area, c->shape, y, LP_ROLE_TEXT, lp_shape_print(&f->shape, shape));
    put(area, c->step, y, LP_ROLE_TEXT, lp_show_seconds(f->step_time, text));
    put(area, c->jct, y, LP_ROLE_TEXT, lp_show_seconds(f->jct, text));
    put(area, c->percent, y, row->of_limit > 1.0 ? LP_ROLE_BAD : LP_ROLE_TEXT,
        lp_show_percent(row->of_limit, text));
    put(area, c->exposed, y, LP_ROLE_TEXT,
        lp_show_percent(whole > 0.0 ? f->exposed / whole : (double)NAN, text));
    put(area, c->servers, y, LP_ROLE_TEXT, lp_show_count(f->servers, text));
    put(area, c->circuits, y, LP_ROLE_TEXT, lp_show_count(f->circuits, text));
}

static LpStyle print_verdict(const LpModel *model, const LpWhatIf *row, bool brief, LpBuf *out) {
    const LpJob *job = lp_world_job(model->world, model->whatif.job);
    if (row->kind == LP_ANSWER_RUN)
        return lp_words_verdict(job, &row->forecast, row->allowed, row->free_after, brief, out);
    lp_buf_add(out, row->kind == LP_ANSWER_DECLINE         ? "the job is blocked"
                    : model->scenario->queue_capacity == 0 ? "blocked: nobody can wait here"
                                                           : "the job stays in the queue");
    return LP_ROLE_MUTED;
}

/* Where it leads: blocking and mean JCT of the whole run. */
static void draw_end(const LpWhatIf *row, const LpArea *area, int y, const Columns *c) {
    char text[LP_SHOW_TEXT];
    if (!c->blocked)
        return;
    if (!row->ended) {
        put(area, c->mean, y, LP_ROLE_MUTED, "-");
        return;
    }
    snprintf(text, sizeof text, "%.1f %%", row->end.blocking_rate * 100.0);
    put(area, c->blocked, y, LP_ROLE_TEXT, row->end.arrived ? text : "-");
    put(area, c->mean, y, LP_ROLE_TEXT, lp_show_seconds(row->end.mean_jct, text));
}

/* Of all rows of a degree, on the first of them. */
static void draw_network(const LpModel *model, int index, const LpArea *area, int y,
                         const Columns *c) {
    const LpWhatIf *row = &model->whatif.row[index], *before = index > 0 ? row - 1 : NULL;
    bool run = row->kind == LP_ANSWER_RUN;
    if (row->kind == LP_ANSWER_WAIT || (run && row->degree == 0) ||
        (before && before->kind == row->kind && before->degree == row->degree))
        return;
    lp_draw_network(model, area, c->net_bar, c->net_width, c->net, y, run ? row->degree : 0);
}

static void draw_row(const LpModel *model, const LpArea *area, int y, int index, const Columns *c,
                     bool ended) {
    const LpWhatIf *row = &model->whatif.row[index];
    const LpJob *job = lp_world_job(model->world, model->whatif.job);
    LpBuf verdict = {0};
    char answer[16];
    print_answer(model, row, answer);
    if (row->chosen)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_text(area, c->answer, y, LP_ROLE_TEXT, answer);
    if (c->net)
        draw_network(model, index, area, y, c);
    bool feasible = row->kind == LP_ANSWER_RUN && row->forecast.feasible;
    if (feasible)
        draw_forecast(job, row, area, y, c);
    LpStyle style =
        print_verdict(model, row, c->net > 0 || (ended && c->mean == area->rect.w), &verdict);
    int x = feasible || !c->shape ? c->verdict : c->shape;
    int end = ended && c->blocked ? c->blocked - 8 : area->rect.w;
    lp_area_fit(area, x, y, end - x, style, lp_buf_text(&verdict));
    if (ended)
        draw_end(row, area, y, c);
    if (index == lp_model_picked(model))
        lp_area_mark(area, 0, y, area->rect.w, LP_REVERSE);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)index);
    lp_area_done(area, &verdict);
}

static void draw_rows(const LpModel *model, const LpArea *area, int rows) {
    const LpWhatIfs *table = &model->whatif;
    bool ended = any_ended(table) || model->whatif_runs != 0;
    Columns c = choose(model, area->rect.w, ended);
    int first = lp_list_around(lp_model_picked(model), (int)table->count, rows);
    draw_headings(area, &c, ended);
    for (int i = 0; i < rows && first + i < (int)table->count; i++)
        draw_row(model, area, 1 + i, first + i, &c, ended);
}

void lp_view_whatif_rows(const LpModel *model, const LpArea *area) {
    if (area->rect.h > 1)
        draw_rows(model, area, area->rect.h - 1);
}

void lp_view_whatif(const LpModel *model, const LpArea *area) {
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    char title[160];
    snprintf(title, sizeof title, "what if %s every way to decide", dash);
    if (model->whatif.count > 0)
        snprintf(title, sizeof title, "what if %s every way to decide about job %u %.60s", dash,
                 (unsigned)model->whatif.job,
                 lp_words_graph(model, lp_world_job(model->world, model->whatif.job)));
    LpArea box = lp_area_box(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (model->whatif.count == 0) {
        lp_area_keys(&inside, 0, 0, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
                     model->ui->playing ? "{space} stops, then the table shows"
                                        : "no decision is due; {n} goes to the next one");
        return;
    }
    int rows = inside.rect.h > 4 ? inside.rect.h - 3 : inside.rect.h - 1;
    draw_rows(model, &inside, rows);
    if (rows + 1 < inside.rect.h)
        lp_area_keys(
            &inside, 0, inside.rect.h - 1, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
            any_ended(&model->whatif)
                ? "blocked, mean JCT: at the end of the run, when decided so"
                : "{Up} {Down} mark a row  {Enter} decide so  {w} run the best to the end");
}
