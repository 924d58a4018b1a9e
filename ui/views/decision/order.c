/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stages of order: a training step as bars, servers on one axis of time with the light below,
 * and at an instant what is ready, what goes first, and what the other order would cost. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/decision/decision_view_impl.h"
#include "widgets/gantt.h"
#include "widgets/widgets_list.h"

enum {
    LABEL = 8,       /* columns of a row's name */
    WHOSE = 8,       /* columns in front of it: by hand, or the policy's */
    LIST_LEAST = 3,  /* rows of the list, with its heading */
    LIGHT_PAIRS = 64 /* that are looked at for the row of light */
};

typedef struct Order {
    const LpModel *model;
    const LpStepInspection *seen;
    const LpOrderTurn *turn; /* NULL: the whole step */
    LpGantt gantt;
    bool flows;
    bool policys; /* bars to compare with: dimmed, no cursor goes there */
} Order;

/* ---- bars ---- */

/* The instant a third into the window, which holds what waits; else the whole step. */
static void set_window(Order *o, const LpArea *area) {
    const LpStepBar *bar = o->seen->bar;
    double step = o->seen->step_time;
    o->gantt = (LpGantt){area, LABEL, area->rect.w - LABEL - 1, 0.0, step};
    if (!o->turn)
        return;
    uint32_t last =
        o->turn->wait[o->turn->waits < LP_CHOICE_WAIT ? o->turn->waits - 1 : LP_CHOICE_WAIT - 1];
    double from = bar[o->turn->bar].start, width = (bar[last].end - from) * 2;
    width = fmin(fmax(width, step / 1000), step);
    o->gantt.width = width;
    o->gantt.from = fmin(fmax(from - width / 3, 0.0), step - width);
}

static void print_op(const LpStepBar *bar, char out[16]) {
    snprintf(out, 16, "%u%s", (unsigned)bar->op, bar->backward ? "b" : "");
}

/* The bar under the cursor, and whether it is carried: "{4}". */
static void draw_cursor(const Order *o, const LpStepBar *bar, int y) {
    const LpGantt *g = &o->gantt;
    char text[16], name[24];
    int x = lp_gantt_column(g, bar->start);
    print_op(bar, text);
    snprintf(name, sizeof name, o->model->ui->hand.held ? "{%s}" : "[%s]", text);
    x = x > 0 && (int)strlen(text) > 0 ? x - 1 : x;
    if (x >= 0 && x < g->columns)
        lp_area_fit(g->area, g->x + x, y, g->columns - x, LP_ROLE_PENDING | LP_REVERSE, name);
}

static void hit_bar(const Order *o, uint32_t index, int y) {
    const LpGantt *g = &o->gantt;
    const LpStepBar *bar = &o->seen->bar[index];
    int from = lp_gantt_column(g, bar->start), to = lp_gantt_column(g, bar->end);
    from = from < 0 ? 0 : from;
    to = to <= from ? from + 1 : to > g->columns ? g->columns : to;
    if (from < g->columns)
        lp_area_hit(g->area, (LpRect){g->x + from, y, to - from, 1}, LP_HIT_BAR, index);
}

static void draw_row(const Order *o, uint32_t row, int y, LpStyle style, LpGlyph glyph) {
    const LpGantt *g = &o->gantt;
    const LpStepInspection *seen = o->seen;
    const LpHandState *hand = &o->model->ui->hand;
    char text[16];
    for (int c = 0; c < g->columns; c++) {
        double share =
            lp_step_inspection_share(seen, row, lp_gantt_time(g, c), lp_gantt_time(g, c + 1));
        if (share > 0.25)
            lp_area_glyph(g->area, g->x + c, y, style, glyph);
    }
    for (uint32_t i = seen->row[row].first; i < seen->row[row].end; i++) {
        if (seen->bar[i].end < g->from || seen->bar[i].start > g->from + g->width)
            continue;
        print_op(&seen->bar[i], text);
        lp_gantt_text(g, y, seen->bar[i].start, seen->bar[i].end, 0,
                      o->turn && i == o->turn->bar ? (LpStyle)LP_ROLE_STAGE : style | LP_REVERSE,
                      text);
        if (!o->policys &&
            o->flows == (seen->row[row].kind == LP_STEP_PAIR)) /* what the stage orders */
            hit_bar(o, i, y);
    }
    bool here = !o->policys && hand->board && hand->cursor >= seen->row[row].first &&
                hand->cursor < seen->row[row].end && lp_model_has_board(o->model);
    if (here)
        draw_cursor(o, &seen->bar[hand->cursor], y);
}

/* Any of the pairs, or a collective. */
static double light_share(const Order *o, double from, double to) {
    double most = 0.0;
    uint32_t first = o->seen->servers, count = o->seen->rows - first;
    for (uint32_t i = 0; i < count && i < LIGHT_PAIRS && most < 1.0; i++)
        most = fmax(most, lp_step_inspection_share(o->seen, o->seen->rows - 1 - i, from, to));
    return most;
}

static void draw_light(const Order *o, int y) {
    const LpGantt *g = &o->gantt;
    lp_area_text(g->area, g->x - LABEL + 1, y, LP_ROLE_LABEL, "light");
    for (int c = 0; c < g->columns; c++)
        if (light_share(o, lp_gantt_time(g, c), lp_gantt_time(g, c + 1)) > 0.25)
            lp_area_glyph(g->area, g->x + c, y, LP_ROLE_CURVE, LP_GLYPH_EMPTY);
}

/* Dots where nobody computes. */
static void draw_idle(const Order *o, int y) {
    const LpGantt *g = &o->gantt;
    lp_area_text(g->area, g->x - LABEL + 1, y, LP_ROLE_LABEL, "idle");
    for (int c = 0; c < g->columns; c++) {
        double busy = 0.0;
        for (uint32_t i = 0; i < o->seen->servers; i++)
            busy = fmax(busy, lp_step_inspection_share(o->seen, i, lp_gantt_time(g, c),
                                                       lp_gantt_time(g, c + 1)));
        if (busy < 0.25)
            lp_area_put(g->area, g->x + c, y, LP_ROLE_MUTED, '.');
    }
}

/* The row of the cursor, LP_NO_INDEX: it stands on none. */
static uint32_t cursor_row(const Order *o) {
    const LpHandState *hand = &o->model->ui->hand;
    for (uint32_t r = 0; hand->board && r < o->seen->rows; r++)
        if (hand->cursor >= o->seen->row[r].first && hand->cursor < o->seen->row[r].end)
            return r;
    return LP_NO_INDEX;
}

/* Where flows are ordered: from which server to which, the cursor's row among them. */
static void draw_pairs(const Order *o, int y, int rows) {
    uint32_t cursor = cursor_row(o), first = o->seen->servers, pairs = o->seen->pairs;
    int here = cursor != LP_NO_INDEX && cursor >= first ? (int)(cursor - first) : 0;
    int from = lp_list_around(here, (int)pairs, rows);
    for (int i = 0; i < rows && from + i < (int)pairs; i++) {
        const LpStepRow *row = &o->seen->row[first + (uint32_t)(from + i)];
        lp_area_textf(o->gantt.area, o->gantt.x - LABEL + 1, y + i,
                      o->policys ? LP_ROLE_MUTED : LP_ROLE_LABEL, "%u > %u", (unsigned)row->server,
                      (unsigned)row->to);
        draw_row(o, first + (uint32_t)(from + i), y + i, o->policys ? LP_ROLE_MUTED : LP_ROLE_CURVE,
                 LP_GLYPH_EMPTY);
    }
}

static void draw_servers(const Order *o, int top, int rows) {
    uint32_t cursor = cursor_row(o);
    uint32_t here = o->turn && !o->flows                                 ? o->turn->row
                    : cursor != LP_NO_INDEX && cursor < o->seen->servers ? cursor
                                                                         : 0;
    int first = lp_list_around((int)here, (int)o->seen->servers, rows);
    for (int y = 0; y < rows && first + y < (int)o->seen->servers; y++) {
        uint32_t row = (uint32_t)(first + y);
        lp_area_textf(o->gantt.area, o->gantt.x - LABEL + 1, top + y,
                      o->policys ? LP_ROLE_MUTED : LP_ROLE_LABEL, "s%u",
                      (unsigned)o->seen->row[row].server);
        draw_row(o, row, top + y, o->policys ? LP_ROLE_MUTED : LP_ROLE_JOB0, LP_GLYPH_FULL);
    }
}

/* ---- what is ready, and what waits ---- */

static void print_name(const Order *o, const LpStepBar *bar, char *out, size_t size) {
    const LpJob *job = lp_world_job(o->model->world, o->model->motion.job);
    const LpGraph *graph = o->model->scenario->graph[job->graph];
    const LpOp *op = &graph->op[graph->by_number[bar->op]];
    char text[16], bytes[LP_SHOW_TEXT];
    const char *name = op->name != NULL ? op->name : "";
    print_op(bar, text);
    if (o->flows)
        snprintf(out, size, "after op %s  %s", text, lp_show_bytes(bar->bytes, bytes));
    else
        snprintf(out, size, "op %s  %.*s", text, (int)lp_str_prefix(name, 24), name);
}

static void draw_task(const Order *o, int y, uint32_t index, double most) {
    enum { NAME = 36, BAR = 12 };
    const LpArea *area = o->gantt.area;
    const LpStepBar *bar = &o->seen->bar[index];
    double at = o->seen->bar[o->turn->bar].start, length = bar->end - bar->start;
    bool first = index == o->turn->bar;
    char name[64], text[LP_SHOW_TEXT], waits[LP_SHOW_TEXT];
    if (first)
        lp_area_glyph(area, 1, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    print_name(o, bar, name, sizeof name);
    lp_area_fit(area, 3, y, NAME - 4, first ? LP_ROLE_LABEL : LP_ROLE_TEXT, name);
    int full = most > 0.0 ? (int)ceil(length / most * BAR - 1e-9) : 0;
    lp_area_repeat(area, NAME, y, full < 1 ? 1 : full, first ? LP_ROLE_PENDING : LP_ROLE_MUTED,
                   LP_GLYPH_BAR);
    lp_area_right(area, NAME + BAR + 10, y, LP_ROLE_TEXT, lp_show_seconds(length, text));
    if (first)
        lp_area_text(area, NAME + BAR + 12, y, LP_ROLE_GOOD, o->flows ? "lit now" : "runs now");
    else
        lp_area_textf(area, NAME + BAR + 12, y, LP_ROLE_TEXT, "waits %s",
                      lp_show_seconds(bar->start - at, waits));
}

static void draw_other(const Order *o, int y) {
    const LpStepBar *first = &o->seen->bar[o->turn->bar], *second = &o->seen->bar[o->turn->wait[0]];
    char a[16], b[16], wait[LP_SHOW_TEXT];
    print_op(first, a);
    print_op(second, b);
    lp_area_textf(o->gantt.area, 1, y, LP_ROLE_MUTED, "the other way round %s would wait %s for %s",
                  a, lp_show_seconds(second->end - second->start, wait), b);
}

static void draw_list(const Order *o, int y, int end) {
    const LpOrderTurn *turn = o->turn;
    const LpStepRow *row = &o->seen->row[turn->row];
    uint32_t shown = turn->waits < LP_CHOICE_WAIT ? turn->waits : LP_CHOICE_WAIT;
    double most = o->seen->bar[turn->bar].end - o->seen->bar[turn->bar].start;
    for (uint32_t i = 0; i < shown; i++)
        most = fmax(most, o->seen->bar[turn->wait[i]].end - o->seen->bar[turn->wait[i]].start);
    int x = o->flows ? lp_area_textf(o->gantt.area, 1, y, LP_ROLE_LABEL,
                                     "WAITING FOR LIGHT from s%u to s%u", (unsigned)row->server,
                                     (unsigned)row->to)
                     : lp_area_textf(o->gantt.area, 1, y, LP_ROLE_LABEL, "READY on s%u",
                                     (unsigned)row->server);
    lp_area_textf(o->gantt.area, x + 2, y++, LP_ROLE_MUTED,
                  o->flows ? "%u transfers, one goes at a time" : "%u ops, one runs at a time",
                  (unsigned)turn->waits + 1);
    draw_task(o, y++, turn->bar, most);
    for (uint32_t i = 0; i < shown && y < end; i++)
        draw_task(o, y++, turn->wait[i], most);
    if (y < end)
        draw_other(o, y);
}

/* ---- all of it ---- */

static void draw_instant(const Order *o, int y) {
    char at[LP_SHOW_TEXT], text[LP_SHOW_TEXT + 8];
    if (!o->turn)
        return;
    double now = o->seen->bar[o->turn->bar].start;
    snprintf(text, sizeof text, "now %s", lp_show_seconds(now, at));
    lp_gantt_at(&o->gantt, y, now, text);
}

int lp_view_order_rows(const LpModel *model, int *below) {
    const LpMotionModel *m = &model->motion;
    const LpStepInspection *seen = &m->step.seen, *own = &model->drafted.policys.seen;
    bool flows = m->scene == LP_SCENE_ORDER_FLOWS, paths = flows && seen->pairs > 0;
    bool both = model->drafted.policys.known && m->frame >= m->choices;
    *below = both ? (int)(paths ? own->pairs : own->servers) : 0;
    return (int)(seen->servers + (paths ? seen->pairs : 1)) + 1;
}

/* Whose bars these are and how long their step is, in front of their first two rows. */
static void draw_whose(const Order *o, int y, int rows, const char *whose) {
    char text[LP_SHOW_TEXT];
    LpStyle style = o->policys ? LP_ROLE_MUTED : LP_ROLE_LABEL;
    lp_area_text(o->gantt.area, 1, y, style, whose);
    if (rows > 1)
        lp_area_fit(o->gantt.area, 1, y + 1, WHOSE, style,
                    lp_show_seconds(o->seen->step_time, text));
}

/* The policy's order below the draft's, on the same axis: what moved is seen. */
static void draw_both(Order *o, int rows, int below) {
    Order own;
    int servers = (int)o->seen->servers, y = servers;
    double width = fmax(o->seen->step_time, o->model->drafted.policys.seen.step_time);
    o->gantt = (LpGantt){o->gantt.area, WHOSE + LABEL, o->gantt.columns - WHOSE, 0.0, width};
    own = *o;
    own.seen = &o->model->drafted.policys.seen;
    own.policys = true;
    draw_whose(o, 0, servers, "by hand");
    draw_servers(o, 0, servers);
    if (o->flows && o->seen->pairs > 0)
        draw_pairs(o, y, rows - 1 - servers);
    else
        draw_light(o, y);
    y = rows - 1;
    draw_whose(&own, y, below, "policy");
    if (o->flows && o->seen->pairs > 0)
        draw_pairs(&own, y, below);
    else
        draw_servers(&own, y, below);
    lp_gantt_axis(&o->gantt, y + below);
}

/* Rows go first to one server, the light, the axis and the list; then to more servers, what waits,
 * and to the row of what is idle. The policy's bars are shown where everything else has room. */
void lp_view_order(const LpModel *model, const LpArea *area) {
    const LpMotionModel *m = &model->motion;
    bool turn = m->frame < m->choices;
    Order o = {model, &m->step.seen, turn ? &m->choice[m->frame] : NULL, {0}, false, false};
    int below, rows = lp_view_order_rows(model, &below);
    o.flows = m->scene == LP_SCENE_ORDER_FLOWS;
    int list = turn ? LIST_LEAST : 0, fixed = 2 + turn, spare;
    set_window(&o, area);
    if (o.gantt.columns < 20 || area->rect.h < 3)
        return;
    if (below > 0 && rows + below <= area->rect.h && o.gantt.columns - WHOSE >= 20) {
        draw_both(&o, rows, below);
        return;
    }
    int pair = turn && o.flows, servers = area->rect.h - fixed - list - pair;
    servers = servers > (int)o.seen->servers ? (int)o.seen->servers : servers;
    servers = servers < 1 ? 1 : servers;
    spare = area->rect.h - fixed - list - pair - servers;
    bool idle = spare > (turn ? 2 : 0);
    int paths = 0; /* of flows in place of the one row of light */
    if (o.flows && !turn && o.seen->pairs > 0) {
        int most = area->rect.h / 2;
        paths = (int)o.seen->pairs < most ? (int)o.seen->pairs : most < 1 ? 1 : most;
        servers = area->rect.h - 1 - paths < servers ? area->rect.h - 1 - paths : servers;
        idle = false;
    }
    draw_servers(&o, 0, servers);
    int y = servers;
    if (paths > 0) {
        draw_pairs(&o, y, paths);
        lp_gantt_axis(&o.gantt, y + paths);
        return;
    }
    if (pair) {
        lp_area_textf(area, 1, y, LP_ROLE_LABEL, "%u to %u",
                      (unsigned)o.seen->row[o.turn->row].server,
                      (unsigned)o.seen->row[o.turn->row].to);
        draw_row(&o, o.turn->row, y++, LP_ROLE_CURVE, LP_GLYPH_EMPTY);
    }
    draw_light(&o, y++);
    if (idle)
        draw_idle(&o, y++);
    lp_gantt_axis(&o.gantt, y++);
    draw_instant(&o, y);
    if (turn)
        draw_list(&o, y + 1, area->rect.h);
}
