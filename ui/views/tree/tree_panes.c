/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beside the nodes: gangs, who waits, why, what one end would free, the queue, and who runs. */
#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "sim/account/belief.h"
#include "sim/facts/identity.h"
#include "views/tree/tree_view_impl.h"
#include "widgets/flow.h"
#include "widgets/plot.h"
#include "widgets/widgets_list.h"

/* ---- gangs ---- */

enum { GANG = 5, FIT = 18, ACROSS = 26, UNUSED = 34, BAR = 36, BAR_MOST = 24 };

static void draw_gang(const LpTreeFacts *f, const LpArea *area, int y, const LpGang *gang) {
    char text[LP_SHOW_TEXT];
    int bar = area->rect.w - 1 - BAR < BAR_MOST ? area->rect.w - 1 - BAR : BAR_MOST;
    LpStyle style = (LpStyle)((gang->fit > 0 ? LP_ROLE_TEXT : LP_ROLE_MUTED) |
                              (gang->servers == f->width ? LP_BOLD : 0));
    lp_area_right(area, GANG, y, style, lp_show_count(gang->servers, text));
    lp_area_right(area, FIT, y, style, lp_show_count(gang->fit, text));
    lp_area_right(area, ACROSS, y, style,
                  gang->across > 0 ? lp_show_count(gang->across, text) : "-");
    if (area->rect.w < UNUSED)
        return;
    lp_area_right(area, UNUSED, y, style, lp_show_percent(gang->unused, text));
    if (bar >= 8)
        lp_area_repeat(area, BAR, y, (int)ceil(gang->unused * bar - 1e-9), LP_ROLE_WAIT,
                       LP_GLYPH_BAR);
}

/* The last one that is worth a row: wider ones do not even fit across all nodes. */
static uint32_t gangs_shown(const LpTreeFacts *f, uint32_t room) {
    uint32_t count = 0;
    while (count < f->board.gangs && count < room &&
           (count == 0 || f->board.gang[count - 1].across > 0 ||
            f->board.gang[count].servers == f->width))
        count++;
    return count;
}

void lp_view_tree_gangs(const LpModel *model, const LpArea *area) {
    const LpTreeFacts *f = lp_tree_facts(model);
    LpArea box = lp_area_heading(area, "GANGS free now");
    char level[LP_TREE_NAME + 8];
    int y = 0, rows = box.rect.h;
    if (rows < 3)
        return;
    snprintf(level, sizeof level, "in one %.*s", LP_TREE_NAME - 1, f->tree->level_name[f->level]);
    lp_area_right(&box, GANG, y, LP_ROLE_MUTED, "gang");
    lp_area_right(&box, FIT, y, LP_ROLE_MUTED, level);
    lp_area_right(&box, ACROSS, y, LP_ROLE_MUTED, "across");
    if (box.rect.w >= UNUSED)
        lp_area_right(&box, UNUSED, y, LP_ROLE_MUTED, "unused");
    uint32_t shown = gangs_shown(f, (uint32_t)rows - 2);
    for (uint32_t i = 0; i < shown; i++)
        draw_gang(f, &box, ++y, &f->board.gang[i]);
    LpBuf line = {0};
    const LpLevelRoom *room = &f->board.level[f->level];
    char plural[LP_TREE_PLURAL];
    lp_buf_addf(&line, "largest gang %u, in all %u", (unsigned)room->largest,
                (unsigned)f->board.free);
    for (uint32_t i = 0; i < f->board.gangs; i++)
        if (f->board.gang[i].servers == f->width && box.rect.w >= 60)
            lp_buf_addf(&line, "; %s of %u or more: %u of %u",
                        lp_tree_plural(f->tree->level_name[f->level], plural), (unsigned)f->width,
                        (unsigned)f->board.gang[i].nodes, (unsigned)f->nodes);
    lp_area_fit(&box, 1, ++y, box.rect.w - 2, LP_ROLE_TEXT, lp_buf_text(&line));
    lp_area_done(&box, &line);
}

/* ---- if one ended ---- */

/* "A llama-8b-sft" */
static void add_job(const LpModel *model, const LpJob *job, LpBuf *out) {
    int letter = lp_letters_of(&model->letters, job->id);
    if (letter >= 0)
        lp_buf_addf(out, "%c ", lp_letter(letter));
    lp_buf_add(out, lp_job_label(model->scenario, job).text);
}

static const char *focus_name(const LpModel *model, char out[LP_LABEL_TEXT]) {
    const LpTreeFacts *f = lp_tree_facts(model);
    lp_str_copy(out, LP_LABEL_TEXT, lp_job_label(model->scenario, f->waiter[f->focus].job).text);
    return out;
}

/* "ends in 2 h"; of a job whose true end is hidden, "ends within 14 h". Nothing where nobody knows.
 */
static void add_left(const LpModel *model, const LpTreeRunner *runner, LpBuf *out) {
    char span[LP_SPAN_TEXT];
    double left = runner->ends - lp_world_now(model->world);
    if (left >= 0 && left < (double)INFINITY)
        lp_buf_addf(out, "ends %s %s",
                    lp_job_veiled(model->scenario, runner->job) ? "within" : "in",
                    lp_span_print(left, span));
}

static void add_ended(const LpModel *model, const LpTreeRunner *runner, LpBuf *out) {
    const LpTreeFacts *f = lp_tree_facts(model);
    char node[LP_TREE_NAME];
    add_job(model, runner->job, out);
    if (runner->main != LP_NO_NODE)
        lp_buf_addf(out, ", %u in %s", (unsigned)runner->job->placed.servers,
                    lp_tree_node_name(f, runner->main, node));
    lp_buf_addf(out, ": then it fits in %s", lp_tree_node_name(f, runner->frees, node));
    lp_buf_add(out, runner->ends < (double)INFINITY ? "; " : "");
    add_left(model, runner, out);
}

static bool fits_already(const LpTreeFacts *f) {
    return f->runners > 1 && f->runner[0].frees != LP_NO_NODE &&
           f->count[f->runner[0].frees].free >= f->width && f->waiter[f->focus].ask.segment == 0;
}

/* Lines that say whose end would make room for the job in focus, at most `rows`. Returns how many.
 */
static int draw_ended(const LpModel *model, const LpArea *area, int y, int rows) {
    const LpTreeFacts *f = lp_tree_facts(model);
    int used = 0;
    uint32_t more = 0;
    if (f->focus < 0 || f->width == 0 || rows <= 0 || fits_already(f) || lp_tree_is_asked(model))
        return 0;
    for (uint32_t i = 0; i < f->runners; i++)
        more += f->runner[i].frees != LP_NO_NODE;
    if (more == 0) {
        lp_area_fit(area, 1, y, area->rect.w - 2, LP_ROLE_MUTED, "no job's end alone makes room");
        return 1;
    }
    for (uint32_t i = 0; i < f->runners && used < rows; i++) {
        LpBuf line = {0};
        if (f->runner[i].frees == LP_NO_NODE)
            continue;
        more--;
        add_ended(model, &f->runner[i], &line);
        if (more > 0 && used + 1 == rows)
            lp_buf_addf(&line, " (%u more would do)", (unsigned)more);
        lp_area_fit(area, 1, y + used, area->rect.w - 2, LP_ROLE_TEXT, lp_buf_text(&line));
        lp_area_done(area, &line);
        used++;
    }
    if (used < rows)
        lp_area_fit(area, 1, y + used++, area->rect.w - 2, LP_ROLE_MUTED,
                    "any other one alone makes no room for it");
    return used;
}

void lp_view_tree_ended(const LpModel *model, const LpArea *area) {
    LpArea box = lp_area_heading(area, "IF ONE JOB ENDED NOW");
    draw_ended(model, &box, 0, box.rect.h);
}

/* ---- who waits ---- */

static void draw_waiter(const LpModel *model, const LpArea *area, int y, const int *form, int row) {
    const LpTreeFacts *f = lp_tree_facts(model);
    const LpJob *job = f->waiter[row].job;
    LpBuf room = {0};
    LpTableRow line = {.list = model, .item = &f->waiter[row], .index = row, .room = &room};
    if (row == f->focus)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_letter_put(area, 2, y, lp_model_ink(model, job->id), job->id,
                  lp_letters_of(&model->letters, job->id));
    lp_table_draw(&lp_tree_waiting, area, y, form, &line);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)row);
    lp_area_done(area, &room);
}

void lp_view_tree_waiting(const LpModel *model, const LpArea *area) {
    const LpTreeFacts *f = lp_tree_facts(model);
    int titles = area->rect.h >= 7, rows = area->rect.h - 1 - titles, form[LP_TABLE_COLUMNS];
    int first = lp_list_around(f->focus, (int)f->waiters, rows);
    int last = first + rows < (int)f->waiters ? first + rows : (int)f->waiters;
    char title[96];
    if (f->waiters == 0)
        snprintf(title, sizeof title, "WAITING none");
    else
        snprintf(title, sizeof title, "WAITING %d-%d of %u, %s", first + 1, last,
                 (unsigned)f->waiters, lp_tree_order_name(lp_tree_state(model)->order));
    LpArea box = lp_area_heading(area, title);
    lp_tree_waiting_form(box.rect.w, form);
    if (titles)
        lp_table_titles(&lp_tree_waiting, &box, form, -1);
    for (int i = first; i < last; i++)
        draw_waiter(model, &box, titles + i - first, form, i);
}

/* ---- why ---- */

/* Draws a text in lines of the area's width; returns how many. */
static int draw_lines(const LpArea *area, int y, int rows, LpStyle style, const char *text) {
    int used = 0;
    while (*text != '\0' && used < rows) {
        size_t next, len = lp_flow_line(text, area->rect.w - 2, &next);
        bool cut = used + 1 == rows;
        char line[LP_CANVAS_MAX];
        lp_str_copy(line, !cut && len + 1 < sizeof line ? len + 1 : sizeof line, text);
        lp_area_fit(area, 1, y + used++, area->rect.w - 2, style, line);
        text += next;
    }
    return used;
}

/* When it would be done now across several nodes, and when in one, later. */
static void add_sooner(const LpModel *model, const LpTreeWaiter *waiter, const LpTreeWhy *why,
                       LpBuf *out) {
    double now = lp_world_now(model->world), left = waiter->job->forecast.jct;
    char span[LP_SPAN_TEXT];
    if (why->across < 2 || isnan(why->ratio) || isnan(left) || !(why->enough_at > now))
        return;
    double across = now + why->ratio * left, later = why->enough_at + left;
    lp_buf_addf(out, ": done %s %s so", lp_span_print(fabs(later - across), span),
                across < later ? "sooner" : "later");
}

void lp_view_tree_why(const LpModel *model, const LpArea *area, bool with_ended) {
    const LpTreeFacts *f = lp_tree_facts(model);
    char title[LP_LABEL_TEXT + 16], name[LP_LABEL_TEXT];
    if (f->focus < 0) {
        LpArea box = lp_area_heading(area, "WHY");
        lp_area_text(&box, 1, 0, LP_ROLE_MUTED, "nobody waits");
        return;
    }
    const LpTreeWaiter *waiter = &f->waiter[f->focus];
    const LpTreeWhy *why = lp_tree_why_of(&f->whys, waiter->job->id);
    snprintf(title, sizeof title, "WHY %s WAITS", focus_name(model, name));
    LpArea box = lp_area_heading(area, title);
    if (lp_tree_is_asked(model)) {
        lp_area_fit(&box, 1, 0, box.rect.w - 2, LP_ROLE_MUTED,
                    "?  shown when the question is answered");
        return;
    }
    LpBuf text = {0};
    if (why != NULL) {
        lp_buf_add(&text, why->text);
        add_sooner(model, waiter, why, &text);
    }
    int rows = box.rect.h, ended = with_ended ? (rows + 1) / 3 : 0, least = rows > 2;
    int y = draw_lines(&box, 0, rows - ended - least, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_buf_clear(&text);
    lp_buf_addf(&text, "%u job%s came later and %s started before it", (unsigned)waiter->overtaken,
                waiter->overtaken == 1 ? "" : "s", waiter->overtaken == 1 ? "has" : "have");
    if (least && waiter->overtaken > 0)
        y += draw_lines(&box, y, 1, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(&box, &text);
    if (with_ended)
        draw_ended(model, &box, y, rows - y);
}

/* ---- the queue over time ---- */

static double queue_at(const void *facts, double time) {
    const LpTreeFacts *f = facts;
    return time <= f->until ? lp_tree_queue_at(f, time) : (double)NAN;
}

static void print_jobs(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.0f", value);
}

void lp_view_tree_queue(const LpModel *model, const LpArea *area) {
    const LpTreeFacts *f = lp_tree_facts(model);
    LpArea box = lp_area_heading(area, "QUEUE waiting jobs over time");
    double most = 1;
    char end[LP_SHOW_TEXT];
    bool dates = model->scenario->epoch.given;
    for (uint32_t i = 0; i < f->cames; i++)
        most = fmax(most, lp_tree_queue_at(f, f->came[i]));
    LpPlotLine line = {queue_at, f, "", LP_ROLE_CURVE, false};
    LpPlot plot = {.to = f->until > 0 ? f->until : 1,
                   .top = lp_show_nice(most),
                   .print = print_jobs,
                   .lines = 1,
                   .line = &line};
    print_jobs(plot.top, plot.top_label);
    if (dates)
        lp_words_axis(model, plot.to, plot.to, plot.end);
    else
        snprintf(plot.end, sizeof plot.end, "%s s", lp_words_clock(model, plot.to, end));
    lp_plot_draw(&plot, &box, f->cames == 0 ? "no job has come yet" : NULL);
}

/* ---- who runs ---- */

enum { RUNNER = 64 };

static void draw_runner(const LpModel *model, const LpArea *area, int x, int y, int width,
                        const LpTreeRunner *runner) {
    const LpTreeFacts *f = lp_tree_facts(model);
    char node[LP_TREE_NAME], plural[LP_TREE_PLURAL];
    int letter = lp_letters_of(&model->letters, runner->job->id);
    LpBuf where = {0};
    lp_letter_put(area, x, y, lp_model_ink(model, runner->job->id), runner->job->id, letter);
    lp_area_fit(area, x + 3, y, 15, LP_ROLE_TEXT, lp_job_label(model->scenario, runner->job).text);
    if (runner->nodes == 1 && runner->main != LP_NO_NODE) {
        uint32_t at = runner->main;
        while (f->tree->level[at] < f->level)
            at = f->tree->parent[at];
        lp_buf_addf(&where, "%u in %s", (unsigned)runner->job->placed.servers,
                    lp_tree_node_name(f, at, node));
    } else {
        lp_buf_addf(&where, "%u in %u %s", (unsigned)runner->job->placed.servers,
                    (unsigned)runner->nodes, lp_tree_plural(f->tree->level_name[f->level], plural));
    }
    lp_area_fit(area, x + 19, y, 18, LP_ROLE_TEXT, lp_buf_text(&where));
    lp_buf_clear(&where);
    add_left(model, runner, &where);
    lp_area_fit(area, x + 38, y, width - 39, LP_ROLE_TEXT, lp_buf_text(&where));
    lp_area_hit(area, (LpRect){x, y, width - 1, 1}, LP_HIT_JOB, runner->job->id);
    lp_area_done(area, &where);
}

void lp_view_tree_running(const LpModel *model, const LpArea *area) {
    const LpTreeFacts *f = lp_tree_facts(model);
    char title[64];
    int columns = area->rect.w / RUNNER > 0 ? area->rect.w / RUNNER : 1;
    snprintf(title, sizeof title, "RUNNING %u, who ends first", (unsigned)f->runners);
    LpArea box = lp_area_heading(area, title);
    for (int i = 0; i < (int)f->runners && i < columns * box.rect.h; i++)
        draw_runner(model, &box, 1 + i % columns * RUNNER, i / columns,
                    columns > 1 ? RUNNER : box.rect.w, &f->runner[i]);
}
