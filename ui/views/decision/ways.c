/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways to decide about a job side by side. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/decision/impl.h"
#include "widgets/list.h"

enum { WITH_NETWORK = 46 }; /* columns */

/* Where the columns of the table end (numbers) or begin (words); 0: left out. */
typedef struct Columns {
    int ways, step, jct, bar, bar_width, percent, comm, block, verdict;
    int net, net_bar, net_width; /* of a policy with a network */
} Columns;

static Columns choose_with_network(int width) {
    if (width >= 90)
        return (Columns){6, 31, 41, 44, 6, 56, 63, 65, 73, 14, 15, 7};
    if (width >= 64)
        return (Columns){6, 0, 29, 31, 4, 40, 0, 42, 49, 14, 15, 5};
    return (Columns){6, 0, 24, 0, 0, 31, 0, 0, 33, 14, 0, 0};
}

static Columns choose_columns(const LpModel *model, int width) {
    if (model->network.networks > 0 && width >= WITH_NETWORK)
        return choose_with_network(width);
    if (width >= 90)
        return (Columns){6, 16, 26, 29, 10, 45, 52, 54, 63, 0, 0, 0};
    if (width >= 64)
        return (Columns){6, 0, 15, 17, 5, 28, 35, 37, 45, 0, 0, 0};
    return (Columns){6, 0, 16, 0, 0, 24, 0, 0, 26, 0, 0, 0};
}

static void draw_headings(const LpArea *area, const Columns *c) {
    static const LpStyle style = LP_ROLE_MUTED;
    lp_area_right(area, c->ways, 0, style, "ways");
    lp_area_right(area, c->jct, 0, style, "JCT");
    if (c->net)
        lp_area_right(area, c->net, 0, style, "network");
    if (c->step)
        lp_area_right(area, c->step, 0, style, "step time");
    if (c->bar)
        lp_area_text(area, c->bar, 0, style, "of limit");
    if (c->comm)
        lp_area_right(area, c->comm, 0, style, "comm");
    if (c->block)
        lp_area_text(area, c->block, 0, style, "block");
    lp_area_text(area, c->verdict, 0, style, "verdict");
}

static void draw_limit(const LpArea *area, int y, const Columns *c, double of_limit) {
    char text[LP_SHOW_TEXT];
    if (isnan(of_limit)) {
        lp_area_right(area, c->percent, y, LP_ROLE_MUTED, c->bar ? "no limit" : "-");
        return;
    }
    LpStyle style = of_limit > 1.0 ? LP_ROLE_BAD : LP_ROLE_GOOD;
    int full = (int)(fmin(of_limit, 1.0) * c->bar_width + 0.5);
    lp_area_repeat(area, c->bar, y, full, style, LP_GLYPH_FULL);
    lp_area_right(area, c->percent, y, style, lp_show_percent(of_limit, text));
}

/* The numbers of a candidate that can be placed. */
static void draw_numbers(const LpJob *job, const LpCandidate *candidate, const LpArea *area, int y,
                         const Columns *c) {
    const LpForecast *f = &candidate->forecast;
    char text[LP_SHOW_TEXT], shape[LP_SHAPE_TEXT];
    double whole = f->step_time * job->steps;
    lp_area_right(area, c->jct, y, LP_ROLE_TEXT, lp_show_seconds(f->jct, text));
    draw_limit(area, y, c, candidate->of_limit);
    if (c->step)
        lp_area_right(area, c->step, y, LP_ROLE_TEXT, lp_show_seconds(f->step_time, text));
    if (c->comm && job->graph >= 0)
        lp_area_right(area, c->comm, y, LP_ROLE_TEXT,
                      lp_show_percent(whole > 0.0 ? f->communication / whole : (double)NAN, text));
    if (c->block && f->shape.groups)
        lp_area_fit(area, c->block, y, c->verdict - c->block - 1, LP_ROLE_TEXT,
                    lp_shape_print(&f->shape, shape));
}

static void draw_dashes(const LpArea *area, int y, const Columns *c) {
    const int ends[] = {c->step, c->jct, c->percent, c->comm};
    for (size_t i = 0; i < LP_COUNTOF(ends); i++)
        if (ends[i])
            lp_area_right(area, ends[i], y, LP_ROLE_MUTED, "-");
}

/* Where the sentence begins: further left, over the dashes, where that helps to read it. */
static int verdict_column(const LpArea *area, const Columns *c, const LpCandidate *candidate,
                          const char *sentence) {
    int x = area->rect.w - lp_text_width(sentence), least = c->ways + 3;
    if (c->net)
        least = c->net + c->net_width + 3;
    if (candidate->forecast.feasible || x >= c->verdict)
        return c->verdict;
    return x > least ? x : least;
}

static void draw_row(const LpModel *model, const LpArea *area, int y, int index, const Columns *c) {
    const LpCandidate *candidate = &model->decision.candidate[index];
    const LpJob *job = lp_world_job(model->world, model->decision.job);
    LpBuf verdict = {0};
    char ways[16];
    snprintf(ways, sizeof ways, "%u", (unsigned)candidate->degree);
    const LpMotionModel *m = &model->motion;
    bool weighing = m->on && m->scene == LP_SCENE_PARTITION && m->frame + 1 < m->frames;
    if (index == model->decision.chosen && !weighing) /* not before it is answered */
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_right(area, c->ways, y, LP_ROLE_TEXT, job->graph < 0 ? "-" : ways);
    if (candidate->forecast.feasible)
        draw_numbers(job, candidate, area, y, c);
    else
        draw_dashes(area, y, c);
    if (c->net)
        lp_draw_network(model, area, c->net_bar, c->net_width, c->net, y, candidate->degree);
    LpStyle style = lp_words_verdict(job, &candidate->forecast, candidate->valid,
                                     candidate->free_after, c->net > 0, &verdict);
    int x = verdict_column(area, c, candidate, lp_buf_text(&verdict));
    lp_area_repeat(area, x - 2, y, 2, LP_ROLE_TEXT, LP_GLYPH_SPACE);
    lp_area_fit(area, x, y, area->rect.w - x, style, lp_buf_text(&verdict));
    if (index == lp_model_marked(model) && (model->ui->row >= 0 || weighing))
        lp_area_mark(area, 0, y, area->rect.w, LP_REVERSE);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)index);
    lp_area_done(area, &verdict);
}

void lp_view_degrees(const LpModel *model, const LpArea *area) {
    Columns c = choose_columns(model, area->rect.w);
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
        draw_headings(area, &c);
    for (int i = 0; i < rows && first + i < count; i++)
        draw_row(model, area, i + heading, first + i, &c);
}
