/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One training step from within: what runs when on each server, when data moves between which
 * servers, the critical path, and what happens at the instant under the scrubber. */
#include "sim/turns/turns.h"
#include "views/step/step_view_impl.h"
#include "widgets/gantt.h"
#include "widgets/widgets_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sharing/phase_view.h"
#include "widgets/widgets_keys.h"

enum {
    LABEL = 11, /* columns of the row's name */
    SHARE = 7,  /* columns of its share at the right */
    RULER = 1,  /* lines above the rows */
    SAYS = 3,   /* lines below them */
    PASS = 5,   /* columns of a pass whose number has room */
    CLOSER_MOST = 4096
};

int lp_view_step_columns(int cols) {
    return cols - 4 - LABEL - SHARE;
}

int lp_view_step_rows(const LpModel *model) {
    return (int)lp_step_facts(model)->shown_count;
}

/* The visible part of the step. */
typedef struct Window {
    const LpModel *model;
    const LpArea *area;
    double from, width; /* s */
    int columns;
} Window;

static LpGantt gantt_of(const Window *w) {
    return (LpGantt){w->area, LABEL, w->columns, w->from, w->width};
}

static double time_of(const Window *w, int column) {
    LpGantt gantt = gantt_of(w);
    return lp_gantt_time(&gantt, column);
}

static double scrubber(const LpModel *model) {
    return lp_step_state(model)->at * lp_step_facts(model)->seen.step_time;
}

static Window window_of(const LpModel *model, const LpArea *area) {
    double step = lp_step_facts(model)->seen.step_time;
    double zoom = lp_step_state(model)->zoom >= 1.0 ? lp_step_state(model)->zoom : 1.0;
    int columns = area->rect.w - LABEL - SHARE;
    return (Window){model, area, lp_step_state(model)->from * step, step / zoom,
                    columns > 0 ? columns : 1};
}

/* Forward and backward passes and what moves data differ in colour; the bars' numbers and the text
 * below say the same in words. */
static LpStyle style_of(const LpStepBar *bar) {
    if (bar->turn != LP_STEP_TURN_NONE)
        return bar->turn == LP_STEP_TURN_EXPOSED  ? LP_ROLE_BAD
               : bar->turn == LP_STEP_TURN_WAITED ? LP_ROLE_PENDING
                                                  : LP_ROLE_MUTED;
    LpStyle style = bar->kind == LP_TASK_COLLECTIVE ? LP_ROLE_JOB3
                    : bar->kind == LP_TASK_FLOW     ? LP_ROLE_JOB1
                    : bar->backward                 ? LP_ROLE_JOB2
                                                    : LP_ROLE_JOB0;
    return bar->critical ? style | LP_BOLD : style;
}

/* A turn is hidden, waited for, or exposed: told apart without colours, too. */
static const char *turn_sign(const LpStepBar *bar) {
    return bar->turn == LP_STEP_TURN_EXPOSED ? "X" : bar->turn == LP_STEP_TURN_WAITED ? "w" : "h";
}

/* ---- rows ---- */

static void print_label(const LpModel *model, const LpStepRow *row, bool ascii, char text[40]) {
    char name[LP_SERVER_TEXT];
    if (row->kind == LP_STEP_PAIR && lp_step_facts(model)->seen.region)
        snprintf(text, 40, "  region");
    else if (row->kind == LP_STEP_PAIR && lp_step_facts(model)->seen.turning)
        snprintf(text, 40, "  light %u", (unsigned)row->to);
    else if (lp_step_facts(model)->seen.planned)
        snprintf(text, 40, "stage %u", (unsigned)row->to);
    else if (row->kind == LP_STEP_SERVER && lp_step_facts(model)->seen.recorded)
        snprintf(text, 40, "rank %u", (unsigned)row->to);
    else if (row->kind == LP_STEP_SERVER)
        snprintf(text, 40, "server %.30s",
                 lp_cluster_server(&model->scenario->cluster, row->server, name));
    else if (row->kind == LP_STEP_PAIR)
        snprintf(text, 40, "%u %s %u", (unsigned)row->server, lp_sign(LP_SIGN_ARROW, ascii),
                 (unsigned)row->to);
    else
        snprintf(text, 40, "collect.");
}

static void draw_share(const LpArea *area, int y, double share) {
    char text[LP_SHOW_TEXT];
    snprintf(text, sizeof text, "%.0f %%", floor(share * 100.0 + 0.5));
    lp_area_right(area, area->rect.w, y, LP_ROLE_TEXT, text);
}

/* The worst turn of a stretch of a row; LP_STEP_TURN_NONE: there is none. */
static const LpStepBar *turn_in(const LpStepInspection *seen, uint32_t row, double from,
                                double to) {
    const LpStepBar *worst = NULL;
    for (uint32_t i = seen->row[row].first; i < seen->row[row].end; i++) {
        const LpStepBar *bar = &seen->bar[i];
        if (bar->start >= to)
            break;
        if (bar->turn != LP_STEP_TURN_NONE && bar->end > from &&
            (worst == NULL || bar->turn > worst->turn))
            worst = bar;
    }
    return worst;
}

/* How much of each column's stretch is busy, as a height; the colour of what runs there. */
static void draw_cells(const Window *w, uint32_t row, int y) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    bool light = seen->turning && seen->row[row].kind == LP_STEP_PAIR;
    for (int c = 0; c < w->columns; c++) {
        double from = time_of(w, c), to = time_of(w, c + 1);
        double share = lp_step_inspection_share(seen, row, from, to);
        uint32_t bar =
            share > 0.0 ? lp_step_inspection_at(seen, row, (from + to) / 2) : LP_NO_INDEX;
        const LpStepBar *turn = light ? turn_in(seen, row, from, to) : NULL;
        if (turn != NULL)
            lp_area_text(w->area, LABEL + c, y, style_of(turn), turn_sign(turn));
        else if (bar != LP_NO_INDEX && share > 0.0)
            lp_area_put(w->area, LABEL + c, y, style_of(&seen->bar[bar]),
                        lp_glyph_height(fmin(share, 1.0), w->area->canvas->ascii));
        else if (share > 0.0)
            lp_area_put(w->area, LABEL + c, y, LP_ROLE_MUTED,
                        lp_glyph_height(share, w->area->canvas->ascii));
        else
            lp_area_glyph(w->area, LABEL + c, y, LP_ROLE_FREE, LP_GLYPH_FUTURE);
    }
}

/* Op numbers on bars that are wide enough; of a plan those of micro-batches. */
static void draw_numbers(const Window *w, const LpStepRow *row, int y) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    LpGantt gantt = gantt_of(w);
    for (uint32_t i = row->first; i < row->end && !(seen->turning && row->kind == LP_STEP_PAIR);
         i++) {
        const LpStepBar *bar = &seen->bar[i];
        char text[24];
        if (bar->end < w->from || bar->start > w->from + w->width)
            continue;
        unsigned number = seen->planned    ? (unsigned)bar->part + 1
                          : seen->recorded ? (unsigned)bar->part
                                           : (unsigned)bar->op;
        if (seen->planned && bar->kind != LP_TASK_OP)
            snprintf(text, sizeof text, "update");
        else
            snprintf(text, sizeof text, "%u%s", number, bar->backward ? "b" : "");
        lp_gantt_text(&gantt, y, bar->start, bar->end, 1, style_of(bar) | LP_REVERSE, text);
    }
}

/* Which op each column of the row is of. */
static void say_ops(const Window *w, uint32_t row, int y) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    for (int c = 0; c < w->columns; c++) {
        double from = time_of(w, c), to = time_of(w, c + 1);
        uint32_t bar = lp_step_inspection_share(seen, row, from, to) > 0.0
                           ? lp_step_inspection_at(seen, row, (from + to) / 2)
                           : LP_NO_INDEX;
        if (bar != LP_NO_INDEX)
            lp_area_hit(w->area, (LpRect){LABEL + c, y, 1, 1}, LP_HIT_OP, seen->bar[bar].op);
    }
}

static void draw_row(const Window *w, uint32_t index, int y, bool marked) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    const LpStepRow *row = &seen->row[index];
    char text[40];
    print_label(w->model, row, w->area->canvas->ascii, text);
    lp_area_fit(w->area, 1, y, LABEL - 1, marked ? LP_ROLE_TEXT | LP_BOLD : LP_ROLE_LABEL, text);
    if (marked)
        lp_area_glyph(w->area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    draw_cells(w, index, y);
    draw_numbers(w, row, y);
    say_ops(w, index, y);
    draw_share(w->area, y, seen->step_time > 0.0 ? row->busy / seen->step_time : 0.0);
}

/* "op 12 of 3, part 1" and how long; `among` others in a list what all have in common need not be
 * said: that the step waited for it, or the time of the whole step. */
static void add_bar(const LpModel *model, const LpStepBar *bar, bool among, LpBuf *out) {
    char from[LP_SHOW_TEXT], length[LP_SHOW_TEXT], bytes[LP_SHOW_TEXT];
    const LpJob *job = lp_world_job(model->world, lp_step_facts(model)->job);
    if (lp_step_facts(model)->seen.recorded) {
        lp_step_add_node(bar, among, out);
        return;
    }
    const LpGraph *graph = model->scenario->graph[job->graph];
    const LpOp *op = &graph->op[graph->by_number[bar->op]];
    lp_buf_addf(out, "op %u ", (unsigned)bar->op);
    if (op->name && op->name[0])
        lp_buf_addf(out, "%.*s ", (int)lp_str_prefix(op->name, 24), op->name);
    lp_buf_add(out, bar->backward ? "backward" : "forward");
    if (bar->kind == LP_TASK_OP)
        lp_buf_addf(out, ", part %u", (unsigned)bar->part + 1);
    else
        lp_buf_addf(out, ", %s %s", bar->kind == LP_TASK_FLOW ? "sends" : "collective of",
                    lp_show_bytes(bar->bytes, bytes));
    lp_buf_addf(out, ", from %s for %s%s", lp_show_seconds(bar->start, from),
                lp_show_seconds(bar->end - bar->start, length),
                bar->critical && !among ? ", the step waited for it" : "");
}

/* "turn for bucket 2: exposed, from 1.2 s for 25 ms". */
static void add_light(const LpModel *model, const LpStepBar *bar, bool among LP_UNUSED,
                      LpBuf *out) {
    static const char *const turn[] = {"", "hidden, its transfer did not wait",
                                       "waited for, but not on the longest way",
                                       "exposed, the step waits for it"};
    const LpStepInspection *seen = &lp_step_facts(model)->seen;
    char from[LP_SHOW_TEXT], length[LP_SHOW_TEXT];
    const char *name = lp_turn_kind_name((LpTurnKind)bar->transfer);
    lp_buf_addf(out, "%s%s %u", bar->turn != LP_STEP_TURN_NONE ? "turn for " : "", name,
                (unsigned)bar->part + 1);
    if (seen->region)
        lp_buf_addf(out, " of layer %u", (unsigned)bar->chunk + 1);
    if (bar->turn != LP_STEP_TURN_NONE)
        lp_buf_addf(out, ": %s", turn[bar->turn]);
    lp_buf_addf(out, ", from %s for %s", lp_show_seconds(bar->start, from),
                lp_show_seconds(bar->end - bar->start, length));
}

/* "micro-batch 3 backward, chunk 2 of 24, from 1.2 s for 15 ms". */
static void add_pass(const LpModel *model, const LpStepBar *bar, bool among, LpBuf *out) {
    char from[LP_SHOW_TEXT], length[LP_SHOW_TEXT];
    if (bar->kind == LP_TASK_OP)
        lp_buf_addf(out, "micro-batch %u %s, %s %u", (unsigned)bar->part + 1,
                    bar->backward ? "backward" : "forward",
                    lp_step_facts(model)->seen.region ? "layer" : "chunk",
                    (unsigned)bar->chunk + 1);
    else
        lp_buf_add(out, "gradients are reduced, weights updated");
    lp_buf_addf(out, ", from %s for %s", lp_show_seconds(bar->start, from),
                lp_show_seconds(bar->end - bar->start, length));
    const LpStepInspection *seen = &lp_step_facts(model)->seen;
    if (!among)
        lp_buf_addf(out, " of %s", lp_show_seconds(seen->step_time, from));
}

static void draw_critical(const Window *w, uint32_t index, int y, bool marked) {
    const LpStepBar *bar = &lp_step_facts(w->model)->seen.bar[index];
    LpBuf text = {0};
    add_bar(w->model, bar, true, &text);
    if (marked)
        lp_area_glyph(w->area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_fit(w->area, 2, y, w->area->rect.w - 2, style_of(bar), lp_buf_text(&text));
    lp_area_done(w->area, &text);
}

/* ---- the ruler and the scrubber ---- */

static void draw_ruler(const Window *w) {
    char text[LP_SHOW_TEXT];
    for (int c = 0; c < w->columns; c++)
        lp_area_glyph(w->area, LABEL + c, 0, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    lp_area_fit(w->area, 0, 0, LABEL - 1, LP_ROLE_MUTED, lp_show_seconds(w->from, text));
    lp_show_seconds(w->from + w->width, text);
    lp_area_right(w->area, w->area->rect.w, 0, LP_ROLE_MUTED, text);
}

static void draw_scrubber(const Window *w, int rows) {
    double time = scrubber(w->model);
    LpGantt gantt = gantt_of(w);
    int column = lp_gantt_column(&gantt, time);
    column = column == w->columns ? column - 1 : column;
    if (column < 0 || column >= w->columns)
        return;
    lp_area_glyph(w->area, LABEL + column, 0, LP_ROLE_CURSOR, LP_GLYPH_CURSOR);
    for (int y = RULER; y < RULER + rows; y++)
        lp_area_mark(w->area, LABEL + column, y, 1, LP_REVERSE);
}

/* ---- what it says ---- */

static void count_running(const LpStepInspection *seen, double t, uint32_t *ops, uint32_t *pairs,
                          uint32_t *collectives) {
    *ops = *pairs = *collectives = 0;
    for (uint32_t i = 0; i < seen->rows; i++) {
        uint32_t bar = lp_step_inspection_at(seen, i, t);
        if (bar == LP_NO_INDEX || seen->bar[bar].end <= t)
            continue;
        *ops += seen->row[i].kind == LP_STEP_SERVER;
        *pairs += seen->row[i].kind == LP_STEP_PAIR;
        *collectives += seen->row[i].kind == LP_STEP_COLLECTIVES;
    }
}

/* What the signs of the rows of light mean, with their sums. */
static void draw_turns(const Window *w, int y) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    char time[LP_SHOW_TEXT], step[LP_SHOW_TEXT];
    lp_area_textf(w->area, 0, y, LP_ROLE_TEXT,
                  "light: %u turn%s, %u exposed X: %s of %s; waited for w, hidden h",
                  (unsigned)seen->turns, lp_str_s(seen->turns), (unsigned)seen->exposed_turns,
                  lp_show_seconds(seen->turn_time, time), lp_show_seconds(seen->step_time, step));
}

static void draw_instant(const Window *w, int y) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    double t = fmin(scrubber(w->model), seen->step_time * (1.0 - 1e-9));
    uint32_t ops, pairs, collectives;
    char text[LP_SHOW_TEXT];
    count_running(seen, t, &ops, &pairs, &collectives);
    int x = lp_area_textf(w->area, 0, y, LP_ROLE_CURSOR, "at %s", lp_show_seconds(t, text));
    if (seen->planned) {
        lp_area_textf(w->area, x, y, LP_ROLE_TEXT,
                      ": %u of %u stages work, %u wait (. bubble); bubble %.1f %% of all",
                      (unsigned)ops, (unsigned)seen->servers, (unsigned)(seen->servers - ops),
                      100 * seen->bubble);
        if (seen->turning)
            draw_turns(w, y + 1);
        return;
    }
    lp_area_textf(w->area, x, y, LP_ROLE_TEXT,
                  ": %u of %u server%s compute%s, data moves between %u pair%s%s", (unsigned)ops,
                  (unsigned)seen->servers, lp_str_s(seen->servers), seen->servers == 1 ? "s" : "",
                  (unsigned)pairs, lp_str_s(pairs), collectives ? ", a collective runs" : "");
}

/* What the marked row does under the scrubber. */
static void draw_marked(const Window *w, uint32_t index, int y) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    bool list = lp_step_facts(w->model)->shown_rows == LP_STEP_ROWS_CRITICAL;
    bool light = !list && seen->turning && seen->row[index].kind == LP_STEP_PAIR;
    double t = scrubber(w->model);
    uint32_t bar = list ? index : lp_step_inspection_at(seen, index, t);
    char label[40] = "critical";
    LpBuf text = {0};
    if (!list)
        print_label(w->model, &seen->row[index], w->area->canvas->ascii, label);
    lp_buf_addf(&text, "%s: ", label);
    if (bar == LP_NO_INDEX) {
        if (!seen->recorded || !lp_step_add_wait(seen, index, bar, &text))
            lp_buf_add(&text, "nothing yet");
    } else {
        bool waits = seen->bar[bar].end <= t && !list;
        if (waits && seen->recorded && lp_step_add_wait(seen, index, bar, &text))
            lp_buf_add(&text, "; last ");
        else if (waits)
            lp_buf_add(&text, light           ? "no transfer, last "
                              : seen->planned ? "bubble, last "
                                              : "idle, last ");
        (light           ? add_light
         : seen->planned ? add_pass
                         : add_bar)(w->model, &seen->bar[bar], list, &text);
    }
    lp_area_fit(w->area, 0, y, w->area->rect.w, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(w->area, &text);
}

static const char *const rows_names[] = {"all", "servers", "flows", "what it waited for",
                                         "time by delay"};

/* The first row that shows where `rows` rows fit. */
static int first_row(const LpModel *model, int rows) {
    int marked = lp_step_state(model)->row, count = lp_view_step_rows(model);
    return lp_list_around(marked < count ? marked : count - 1, count, rows);
}

/* The critical path from what runs, or ran last, under the scrubber on, in the lines left. */
static void draw_path(const Window *w, int y) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    double t = scrubber(w->model);
    uint32_t at = 0;
    if (w->area->rect.h - y < 3 || seen->planned)
        return;
    while (at + 1 < seen->critical && seen->bar[seen->critical_bar[at + 1]].start <= t)
        at++;
    lp_area_text(w->area, 0, y++, LP_ROLE_LABEL, "what this step waited for, from here on");
    for (; at < seen->critical && y < w->area->rect.h; at++, y++)
        draw_critical(w, seen->critical_bar[at], y, false);
}

/* ---- a plan's step, in the lines left ---- */

/* How much closer than the whole step a window must be for the numbers of most passes to have room:
 * a power of two. */
static double closer_zoom(const Window *w, const LpStepRow *row) {
    const LpStepInspection *seen = &lp_step_facts(w->model)->seen;
    double zoom = 1, bars = row->end > row->first ? row->end - row->first : 1;
    while (zoom < CLOSER_MOST && row->busy / bars * zoom * w->columns < PASS * seen->step_time)
        zoom *= 2;
    return zoom;
}

/* The same rows once more from the scrubber on, so close that passes have their numbers, where the
 * bars above are too narrow for them. Returns the line after. */
static int draw_closer(const Window *w, int rows, int y) {
    const LpStepModel *step = lp_step_facts(w->model);
    const double zoom = closer_zoom(w, &step->seen.row[step->shown[0]]);
    const double width = step->seen.step_time / zoom;
    int first = first_row(w->model, rows), left = w->area->rect.h - y - 1 - RULER;
    if (left < rows || width > 0.75 * w->width)
        return y;
    LpArea part = lp_area_part(w->area, (LpRect){0, y + 1, w->area->rect.w, RULER + rows});
    Window close = {w->model, &part,
                    fmin(scrubber(w->model), fmax(step->seen.step_time - width, 0)), width,
                    w->columns};
    lp_area_textf(w->area, 0, y, LP_ROLE_LABEL,
                  "closer, %gx, from here on: a number is a "
                  "micro-batch going forward, with b on its way back",
                  zoom);
    draw_ruler(&close);
    for (int i = 0; i < rows; i++)
        draw_row(&close, step->shown[first + i], RULER + i, false);
    draw_scrubber(&close, rows);
    return y + 1 + RULER + rows;
}

/* What the marked row does from the scrubber on. */
static void draw_next(const Window *w, int y) {
    const LpStepModel *step = lp_step_facts(w->model);
    const LpStepInspection *seen = &step->seen;
    int marked = lp_step_state(w->model)->row, count = (int)step->shown_count;
    uint32_t index = step->shown[marked < count ? marked : count - 1];
    const LpStepRow *row = &seen->row[index];
    bool light = seen->turning && row->kind == LP_STEP_PAIR;
    double t = scrubber(w->model);
    char label[40];
    uint32_t i = row->first;
    while (i < row->end && seen->bar[i].end <= t)
        i++;
    if (w->area->rect.h - y < 3 || i == row->end)
        return;
    print_label(w->model, row, w->area->canvas->ascii, label);
    lp_area_textf(w->area, 0, y++, LP_ROLE_LABEL, "%s, from here on", label + strspn(label, " "));
    for (; i < row->end && y < w->area->rect.h; i++, y++) {
        LpBuf text = {0};
        (light ? add_light : add_pass)(w->model, &seen->bar[i], true, &text);
        lp_area_fit(w->area, 2, y, w->area->rect.w - 2, style_of(&seen->bar[i]),
                    lp_buf_text(&text));
        lp_area_done(w->area, &text);
    }
}

/* ---- on shared links ---- */

/* "waits for what it sends, at 50 %, link full with job 1" */
static void say_phase(const LpModel *model, const LpPhaseView *seen, LpBuf *out) {
    char percent[LP_SHOW_TEXT];
    lp_buf_add(out, lp_doing_words(seen->doing));
    if (seen->rate > 0)
        lp_buf_addf(out, ", at %s", lp_show_percent(seen->rate / seen->full, percent));
    if (seen->others == 1)
        lp_buf_addf(out, ", link full with %s",
                    lp_world_label(model->world, model->scenario, seen->other).text);
    else if (seen->others > 1)
        lp_buf_addf(out, ", link full with %u jobs", (unsigned)seen->others);
    if (seen->partners == 0)
        lp_buf_add(out, ", no other job is on its links");
    else if (seen->phase > 0)
        lp_buf_addf(out, ", phase %u of %u", (unsigned)seen->phase, (unsigned)seen->phases);
}

/* How jobs share links, and what this one does with them now. */
static void draw_sharing(const Window *w, int y) {
    const LpModel *model = w->model;
    const LpContext *now = lp_world_context(model->world, model->context);
    LpPhaseView seen;
    LpBuf text = {0};
    if (!lp_board_shares(&model->board))
        return;
    bool interleaved = lp_world_interleaves(now), ahead = lp_step_facts(model)->ahead;
    lp_buf_addf(&text, "links: %s%s", interleaved ? "interleaved" : "always on",
                interleaved && !ahead ? "; " : "");
    if (!ahead && lp_world_phase(model->world, model->context, lp_step_facts(model)->job, &seen))
        say_phase(model, &seen, &text);
    else if (interleaved && !ahead)
        lp_buf_add(&text, "it sends on none that others use");
    lp_area_fit(w->area, 0, y, w->area->rect.w, LP_ROLE_MUTED, lp_buf_text(&text));
    lp_area_done(w->area, &text);
}

/* ---- the pane ---- */

static void print_title(const LpModel *model, char *title, size_t size) {
    const LpStepModel *step = lp_step_facts(model);
    char text[LP_SHOW_TEXT];
    if (!step->known) {
        snprintf(title, size, "STEP one training step from within");
        return;
    }
    const LpJob *job = lp_world_job(model->world, step->job);
    char servers[LP_MANY_TEXT], pairs[LP_MANY_TEXT];
    LpWordsName name = lp_words_name(model, job);
    int cut = (int)lp_str_prefix(name.text, 40);
    if (step->seen.planned) {
        const LpPartition *p = lp_store_partition(model->context->store, step->partition);
        snprintf(title, size, "STEP of %.*s %.40s: %s, %s, bubble %.1f %%%s", cut, name.text,
                 p->plan_text, lp_show_seconds(step->seen.step_time, text),
                 lp_str_many(servers, step->seen.servers, "stage"), 100 * step->seen.bubble,
                 step->ahead ? ", forecast" : "");

        return;
    }
    snprintf(title, size, "STEP of %.*s x%u: %s, %s, %s%s", cut, name.text, (unsigned)step->degree,
             lp_show_seconds(step->seen.step_time, text),
             lp_str_many(servers, step->seen.servers, "server"),
             lp_str_many(pairs, step->seen.pairs, "pair"), step->ahead ? ", forecast" : "");
}

static void draw_rows(const Window *w, int rows) {
    const LpStepModel *step = lp_step_facts(w->model);
    int marked = lp_step_state(w->model)->row, count = (int)step->shown_count;
    marked = marked < count ? marked : count - 1;
    int first = first_row(w->model, rows);
    for (int i = 0; i < rows && first + i < count; i++) {
        uint32_t index = step->shown[first + i];
        bool here = first + i == marked;
        if (step->shown_rows == LP_STEP_ROWS_CRITICAL)
            draw_critical(w, index, RULER + i, here);
        else
            draw_row(w, index, RULER + i, here);
    }
    if (marked >= 0 && count > 0)
        draw_marked(w, step->shown[marked], RULER + rows + 1 + (step->seen.turning ? 1 : 0));
}

void lp_view_step(const LpModel *model, const LpArea *area) {
    char title[160];
    print_title(model, title, sizeof title);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (!lp_step_facts(model)->known || lp_step_facts(model)->seen.step_time <= 0.0) {
        lp_area_keys(&inside, 0, 0, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
                     "no step to show: no decision with a placement, and no job that runs on a "
                     "graph; {next-decision} goes on");
        return;
    }
    if (lp_step_shows_delay(model)) {
        lp_view_delay(model, &inside);
        return;
    }
    Window w = window_of(model, &inside);
    int more = lp_step_facts(model)->seen.turning ? 1 : 0; /* a line about turns */
    int rows = inside.rect.h - RULER - SAYS - more - lp_board_shares(&model->board);
    if (inside.rect.w < LABEL + SHARE + 8 || rows < 1)
        return;
    if (rows > (int)lp_step_facts(model)->shown_count)
        rows = (int)lp_step_facts(model)->shown_count;
    draw_ruler(&w);
    draw_rows(&w, rows);
    if (lp_step_facts(model)->shown_rows != LP_STEP_ROWS_CRITICAL)
        draw_scrubber(&w, rows);
    draw_instant(&w, RULER + rows);
    int y = RULER + rows + 2 + more;
    const LpStepState *state = lp_step_state(w.model);
    int count = lp_view_step_rows(w.model), first = first_row(w.model, rows);
    double zoom = state->zoom >= 1.0 ? state->zoom : 1.0;
    char text[200];
    if (rows < count)
        snprintf(text, sizeof text,
                 "{play} plays  {left} {right} move  {up} {down} rows %d-%d of %d  "
                 "{zoom-in} {zoom-out} zoom %gx  {variant} %s",
                 first + 1, first + rows, count, zoom, rows_names[state->rows]);
    else
        snprintf(text, sizeof text,
                 "{play} plays the step  {left} {right} move in it  {up} {down} row  "
                 "{zoom-in} {zoom-out} zoom %gx  {variant} %s",
                 zoom, rows_names[state->rows]);
    const char *keys = lp_model_tells(w.model->ui) ? strstr(text, "{left}") : text; /* a lesson's */
    lp_area_keys(w.area, 0, y, w.area->rect.w, LP_ROLE_MUTED, w.model->ui->keymap, keys);
    draw_sharing(&w, RULER + rows + 3 + more);
    if (lp_step_facts(model)->seen.planned)
        draw_next(
            &w, draw_closer(&w, rows, RULER + rows + SAYS + more + lp_board_shares(&model->board)));
    else if (lp_step_facts(model)->shown_rows != LP_STEP_ROWS_CRITICAL)
        draw_path(&w, RULER + rows + 4);
}
