/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision pane: the ways to decide about a job side by side, what the policy answers, and
 * why. */
#include "views/decision/impl.h"
#include "widgets/list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* What has become of the job that was decided last. */
static LpStyle print_outcome(const LpModel *model, LpBuf *out) {
    const LpDecision *decision = &model->decision;
    const LpJob *job = lp_world_job(model->world, decision->job);
    char at[LP_SHOW_TEXT], jct[LP_SHOW_TEXT];
    lp_show_clock(job->forecast_end, model->marks.scale, at);
    switch ((LpOutcome)job->outcome) {
    case LP_JOB_RUNNING:
        if (job->dark != LP_JOB_LIT)
            lp_buf_addf(out, "started x%u, its circuits are dark", (unsigned)lp_model_ways(job));
        else
            lp_buf_addf(out, "started x%u, ends at t %s s", (unsigned)lp_model_ways(job), at);
        return LP_ROLE_GOOD;
    case LP_JOB_COMPLETED:
        lp_buf_addf(out, "done, JCT %s", lp_show_seconds(job->end - job->arrival, jct));
        return LP_ROLE_GOOD;
    case LP_JOB_BLOCKED:
        if (decision->error) {
            lp_buf_addf(out, "blocked (%s)", lp_cause_code((LpCause)job->cause));
            return LP_ROLE_BAD;
        }
        lp_buf_addf(out, "blocked (%s): %s", lp_cause_code((LpCause)job->cause),
                    *decision->why.reason ? decision->why.reason
                                          : lp_cause_sentence((LpCause)job->cause));
        return LP_ROLE_BAD;
    default:
        lp_buf_add(out, lp_outcome_name((LpOutcome)job->outcome));
        return LP_ROLE_WAIT;
    }
}

/* What the policy answers where that is not one of the rows. */
static LpStyle print_answer(const LpModel *model, LpBuf *out) {
    const LpAnswer *answer = model->decision.answer;
    const LpForecast *forecast;
    int marked = lp_model_marked(model);
    if (answer && answer->kind == LP_ANSWER_DECLINE && model->ui->row < 0) {
        lp_buf_add(out, answer->cause == LP_CAUSE_POLICY_ERROR ? "the policy's script fails here  "
                                                               : "the policy declines  ");
        return LP_ROLE_BAD;
    }
    if (answer && answer->kind == LP_ANSWER_WAIT && model->ui->row < 0) {
        lp_buf_add(out, "the policy lets the job wait  ");
        return LP_ROLE_WAIT;
    }
    if (answer && answer->ways && model->ui->row < 0) {
        lp_buf_add(out, "the policy splits each op its own way, w compares  ");
        return LP_ROLE_PENDING;
    }
    if (marked < 0 || model->ui->stage != LP_STAGE_PLACE)
        return LP_ROLE_TEXT;
    forecast = &model->decision.candidate[marked].forecast;
    if (!forecast->feasible || !forecast->server)
        return LP_ROLE_TEXT;
    lp_buf_add(out, "on ");
    lp_words_servers(model, forecast->server, forecast->servers, 6, out);
    lp_buf_add(out, "  ");
    return LP_ROLE_PENDING;
}

/* The last line: outcome or answer, why, and the keys that matter here. */
void lp_view_why(const LpModel *model, const LpArea *area, int y) {
    const LpDecision *decision = &model->decision;
    const char *why = decision->why.why, *where = decision->why.where;
    char hint[120];
    lp_keymap_text(model->ui->keymap,
                   model->ui->row < 0 ? "{Up} {Down} mark a row  {Tab} stage"
                                      : "{Enter} decide with this row  {Esc} back",
                   hint, sizeof hint);
    LpBuf text = {0};
    if (decision->answer && decision->answer->why)
        why = decision->answer->why;
    if (decision->answer && decision->answer->where)
        where = decision->answer->where;
    if (model->motion.on) {
        lp_draw_caption(model, area, y);
        return;
    }
    LpStyle style = decision->due ? print_answer(model, &text) : print_outcome(model, &text);
    int x = lp_area_fit(area, 0, y, area->rect.w, style, lp_buf_text(&text));
    x += x > 0 && !decision->due ? 2 : 0;
    lp_area_done(area, &text);
    if (decision->error) {
        const char *file = strrchr(decision->error->file, '/');
        lp_buf_addf(&text, "%s:%d: %s", file ? file + 1 : decision->error->file,
                    decision->error->line, decision->error->text);
    } else if (why && *why) {
        lp_buf_addf(&text, "why: \"%s\"%s%s", why, where && *where ? " " : "", where ? where : "");
    }
    style = decision->error ? LP_ROLE_BAD : LP_ROLE_TEXT;
    x = lp_area_fit(area, x, y, area->rect.w - x, style, lp_buf_text(&text));
    if (decision->due && x + 3 + lp_text_width(hint) <= area->rect.w)
        lp_area_right(area, area->rect.w, y, LP_ROLE_MUTED, hint);
    lp_area_done(area, &text);
}

/* "partition ✓  [place]  order ops ...", on the upper border. */
static void draw_stages(const LpModel *model, const LpArea *area, int x) {
    const char *check = lp_glyph_text(LP_GLYPH_CHECK, area->canvas->ascii);
    int stage = model->decision.due ? (int)model->ui->stage : LP_STAGE_COUNT;
    x += 2;
    if (x + 64 > area->rect.w) { /* no room for all five */
        if (stage < LP_STAGE_COUNT && x + 19 < area->rect.w)
            lp_area_textf(area, x, 0, LP_ROLE_STAGE, "[%s %d/%d]", lp_stage_name((LpStage)stage),
                          stage + 1, LP_STAGE_COUNT);
        return;
    }
    lp_area_put(area, x - 1, 0, LP_ROLE_BORDER, ' ');
    for (int i = 0; i < LP_STAGE_COUNT; i++) {
        const char *name = lp_stage_name((LpStage)i);
        if (i == stage)
            x = lp_area_textf(area, x, 0, LP_ROLE_STAGE, "[%s]", name);
        else
            x = lp_area_textf(area, x, 0, LP_ROLE_TEXT, i < stage ? "%s %s" : "%s", name, check);
        lp_area_text(area, x, 0, LP_ROLE_BORDER, i + 1 < LP_STAGE_COUNT ? "  " : " ");
        x += 2;
    }
}

static void add_limit(const LpJob *job, const char *dash, char *title, size_t size) {
    char limit[LP_SHOW_TEXT];
    size_t len = strlen(title);
    if (!isinf(job->max_jct))
        snprintf(title + len, size - len, " %s limit %s", dash,
                 lp_show_seconds(job->max_jct, limit));
}

static LpArea draw_box(const LpModel *model, const LpArea *area, bool alone) {
    const LpDecision *decision = &model->decision;
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    char title[200];
    snprintf(title, sizeof title, "decision");
    if (decision->job != LP_NO_INDEX) {
        const LpJob *job = lp_world_job(model->world, decision->job);
        snprintf(title, sizeof title, "decision %s job %u %.100s", dash, (unsigned)job->id,
                 lp_model_graph(model, job));
    }
    bool listed =
        alone && lp_view_stages_fit(model, area->rect.h - 2); /* then the stages stand inside */
    if (listed)
        add_limit(lp_world_job(model->world, decision->job), dash, title, sizeof title);
    LpArea box = lp_area_box(area, title);
    if (decision->job != LP_NO_INDEX && !listed)
        draw_stages(model, area, 3 + lp_text_width(title));
    return lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
}

/* The whole decision in one line. */
static void draw_line(const LpModel *model, const LpArea *area) {
    const LpDecision *decision = &model->decision;
    int marked = lp_model_marked(model);
    LpBuf text = {0};
    char jct[LP_SHOW_TEXT], percent[LP_SHOW_TEXT];
    if (decision->job == LP_NO_INDEX) {
        lp_area_text(area, 1, 0, LP_ROLE_MUTED, "no decision yet");
        return;
    }
    const LpJob *job = lp_world_job(model->world, decision->job);
    lp_buf_addf(&text, "%s%u %s ", decision->due ? "? " : "", (unsigned)job->id,
                lp_model_graph(model, job));
    LpStyle style = decision->due ? LP_ROLE_PENDING : print_outcome(model, &text);
    if (decision->due && marked >= 0) {
        const LpCandidate *candidate = &decision->candidate[marked];
        lp_buf_addf(&text, "x%u %s %s of limit", (unsigned)candidate->degree,
                    lp_show_seconds(candidate->forecast.jct, jct),
                    lp_show_percent(candidate->of_limit, percent));
    }
    lp_area_fit(area, 1, 0, area->rect.w - 1, style, lp_buf_text(&text));
    lp_area_done(area, &text);
}

static void draw(const LpModel *model, const LpArea *area, bool alone) {
    const LpDecision *decision = &model->decision;
    if (area->rect.h < 3 && model->motion.on) {
        LpArea line = lp_area_part(area, (LpRect){1, 0, area->rect.w - 1, 1});
        lp_draw_caption(model, &line, 0);
        return;
    }
    if (area->rect.h < 3) {
        draw_line(model, area);
        return;
    }
    LpArea inside = draw_box(model, area, alone);
    if (decision->job == LP_NO_INDEX) {
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "no decision yet");
        return;
    }
    if (alone && lp_view_stages_fit(model, inside.rect.h)) {
        lp_view_stages(model, &inside);
        return;
    }
    LpRect upper = {0, 0, inside.rect.w, inside.rect.h > 1 ? inside.rect.h - 1 : 1};
    LpArea body = lp_area_part(&inside, upper);
    int marked = lp_model_marked(model);
    if (model->ui->explain)
        lp_view_explain(model, &body);
    else if (decision->due && model->ui->stage >= LP_STAGE_ORDER_OPS && marked >= 0)
        lp_view_stage(model, &decision->candidate[marked], &body);
    else
        lp_view_degrees(model, &body);
    if (inside.rect.h > 1)
        lp_view_why(model, &inside, inside.rect.h - 1);
}

void lp_view_decision(const LpModel *model, const LpArea *area) {
    draw(model, area, false);
}

void lp_view_decision_alone(const LpModel *model, const LpArea *area) {
    draw(model, area, true);
}
