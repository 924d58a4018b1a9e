/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy's network: how probable each answer is, by degree and rule of placement, and which
 * features and ops moved it. */
#include "views/network/network_view_impl.h"
#include "widgets/widgets_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SIDE_COLS = 60,  /* columns from which table and reasons stand side by side */
    STACK_ROWS = 14, /* rows from which they stand below each other on a screen that is not wide */
    WIDE_COLS = 132, /* columns of a wide screen */
    DEGREES = 64,    /* rows of the table at most */
    FIRST = 9,       /* column of the first cell; where rows are plans: */
    PLAN_FIRST = 15,
    NUMBER = 7, /* columns of "100.0 %" */
    BRIEF = 5,  /* columns of "100 %" */
    BAR_MOST = 16,
    MOVED = 8,     /* columns of "+1.23" */
    PART_LEAST = 4 /* rows that are worth a list */
};

/* ---- the table: a row per degree, a column per rule ---- */

typedef struct Table {
    const LpModel *model;
    const LpNetworkInspection *seen;
    uint32_t degree[DEGREES];
    int rows, marked;        /* marked: row of the answer that is explained, -1 */
    int column, number, bar; /* columns of a cell, and of number and bar in it */
    int first;               /* where cells begin */
    bool plans;
} Table;

/* What the network calls a way to decide by. */
static uint32_t way_of(const LpCandidate *c) {
    return c->plan.planned ? c->plan.way : c->degree;
}

/* Declining, what is open, and what the table of candidates has. */
static void list_degrees(Table *t) {
    const LpDecision *d = &t->model->decision;
    uint32_t degrees = 0;
    for (uint32_t a = 0; a < t->seen->actions; a++) {
        uint32_t degree = t->seen->action[a].degree;
        if (degree != LP_DEGREE_WAIT && degree > degrees)
            degrees = degree;
    }
    for (uint32_t degree = 0; degree <= degrees && t->rows < DEGREES; degree++) {
        bool row = degree == 0 || lp_network_open(t->seen, degree);
        for (uint32_t i = 0; d->due && i < d->count; i++)
            row |= way_of(&d->candidate[i]) == degree;
        if (row)
            t->degree[t->rows++] = degree;
        if (degree == 0 && lp_network_action_of(t->seen, LP_DEGREE_WAIT) != LP_NO_INDEX)
            t->degree[t->rows++] = LP_DEGREE_WAIT;
    }
}

static Table make_table(const LpModel *model, int width) {
    const LpNetworkModel *n = &model->network;
    Table t = {.model = model, .seen = &n->seen, .marked = -1};
    uint32_t action = n->explained ? n->why.question.action : n->seen.best;
    list_degrees(&t);
    for (int i = 0; i < t.rows; i++)
        if (action < n->seen.actions && t.degree[i] == n->seen.action[action].degree)
            t.marked = i;
    for (uint32_t a = 0; a < n->seen.actions; a++)
        t.plans |= n->seen.action[a].plan.tensor > 0;
    t.first = t.plans ? PLAN_FIRST : FIRST;
    t.column = (width - t.first) / (int)(n->seen.placings > 0 ? n->seen.placings : 1);
    t.number = t.column > NUMBER + 1 ? NUMBER : BRIEF;
    t.bar = t.column - NUMBER - 3;
    t.bar = t.bar > BAR_MOST ? BAR_MOST : t.bar < 2 ? 0 : t.bar;
    if (t.column > NUMBER + BAR_MOST + 3)
        t.column = NUMBER + BAR_MOST + 3;
    return t;
}

static int cell_at(const Table *t, uint32_t placing) {
    return t->first + (int)placing * t->column;
}

static void draw_headings(const Table *t, const LpArea *area) {
    lp_area_text(area, 2, 0, LP_ROLE_MUTED, t->plans ? "plan" : "ways");
    for (uint32_t k = 0; k < t->seen->placings; k++)
        lp_area_fit(area, cell_at(t, k), 0, t->column - 1, LP_ROLE_MUTED,
                    t->seen->placings > 1 ? t->seen->action[1 + k].rule : "probability");
}

static void draw_cell(const Table *t, const LpArea *area, int x, int y, uint32_t action) {
    const LpNetworkAction *a = &t->seen->action[action];
    bool best = action == t->seen->best;
    LpStyle style = best ? LP_ROLE_PENDING : LP_ROLE_TEXT;
    bool brief = t->number < NUMBER;
    int end = x + t->number;
    if (best)
        lp_area_glyph(area, x - 1, y, style, LP_GLYPH_POINTER);
    if (a->open)
        lp_draw_share(area, end + 1, t->bar, end, y, style, a->probability, brief);
    else
        lp_area_right(area, end, y, LP_ROLE_MUTED, brief ? "-" : "closed");
}

/* The plan of a way; NULL: it is none. */
static const LpParallel *plan_of(const LpNetworkInspection *seen, uint32_t way) {
    uint32_t action = lp_network_action_of(seen, way);
    return action != LP_NO_INDEX && seen->action[action].plan.tensor > 0
               ? &seen->action[action].plan
               : NULL;
}

static void draw_degree(const Table *t, const LpArea *area, int y, int row) {
    uint32_t degree = t->degree[row];
    const LpParallel *plan = plan_of(t->seen, degree);
    char text[16], ways[LP_PLAN_WAYS_TEXT];
    snprintf(text, sizeof text, "%u", (unsigned)degree);
    if (degree == 0)
        lp_area_text(area, 0, y, LP_ROLE_TEXT, "decline");
    else if (degree == LP_DEGREE_WAIT)
        lp_area_text(area, 3, y, LP_ROLE_TEXT, "wait");
    else if (plan)
        lp_area_fit(area, 0, y, t->first - 2, LP_ROLE_TEXT, lp_plan_ways(plan, ways));
    else
        lp_area_right(area, 6, y, LP_ROLE_TEXT, text);
    for (uint32_t a = 0, k = 0; a < t->seen->actions; a++)
        if (t->seen->action[a].degree == degree)
            draw_cell(t, area, cell_at(t, k++), y, a);
    const LpDecision *d = &t->model->decision;
    bool marked = d->due && t->model->ui->row >= 0 && row == t->marked;
    if (marked)
        lp_area_mark(area, 0, y, area->rect.w, LP_REVERSE);
    for (uint32_t i = 0; d->due && i < d->count; i++)
        if (way_of(&d->candidate[i]) == degree)
            lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, i);
}

/* Who goes next: the jobs that wait and the one that is decided, the likeliest first. */
static void draw_queue(const Table *t, const LpArea *area, int y, int rows) {
    const LpNetworkInspection *seen = t->seen;
    if (seen->queued < 2 || rows < 2)
        return;
    lp_area_text(area, 2, y, LP_ROLE_MUTED, "goes next");
    for (int i = 0; i + 1 < rows && (uint32_t)i < seen->queued; i++) {
        const LpNetworkQueued *q = &seen->queue[i];
        int x = cell_at(t, 0), end = x + t->number;
        LpStyle style = q->job == seen->job ? LP_ROLE_PENDING : LP_ROLE_TEXT;
        lp_area_fit(area, 0, y + 1 + i, t->first, style,
                    lp_world_label(t->model->world, t->model->scenario, q->job).text);
        lp_draw_share(area, end + 1, t->bar, end, y + 1 + i, style, q->probability,
                      t->number < NUMBER);
    }
}

static void draw_table(const LpModel *model, const LpArea *area) {
    Table t = make_table(model, area->rect.w);
    int shown = area->rect.h - 1, first = lp_list_around(t.marked, t.rows, shown);
    draw_headings(&t, area);
    for (int i = 0; i < shown && first + i < t.rows; i++)
        draw_degree(&t, area, 1 + i, first + i);
    if (shown > t.rows)
        draw_queue(&t, area, 1 + t.rows, shown - t.rows);
}

static int table_rows(const LpModel *model) {
    Table t = make_table(model, 80);
    uint32_t queued = model->network.seen.queued;
    return t.rows + 1 + (queued > 1 ? (int)queued + 1 : 0);
}

/* ---- what moved it ---- */

/* "    ▓▓│      -0.18 free in 4 arrivals": the bar grows from its middle. */
static void draw_moved(const LpArea *area, int y, int half, double moved, double most,
                       const char *name) {
    char text[24];
    int full = most > 0 ? (int)(fabs(moved) / most * half + 0.5) : 0;
    LpStyle style = moved < 0 ? LP_ROLE_BAD : LP_ROLE_GOOD;
    lp_area_repeat(area, moved < 0 ? half - full : half + 1, y, full, style, LP_GLYPH_FULL);
    lp_area_glyph(area, half, y, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
    snprintf(text, sizeof text, fabs(moved) >= 0.005 ? "%+.2f" : "%+.0e", moved);
    int x = 2 * half + 1 + MOVED;
    lp_area_right(area, x - 1, y, style, text);
    lp_area_fit(area, x, y, area->rect.w - x, LP_ROLE_TEXT, name);
}

static int bar_half(int width) {
    return width >= 64 ? 8 : width >= 48 ? 5 : 3;
}

static void draw_moves(const LpModel *model, const LpNetworkMove *move, uint32_t count,
                       const LpArea *area) {
    char name[LP_NETWORK_TEXT];
    for (uint32_t i = 0; (int)i < area->rect.h && i < count; i++)
        draw_moved(area, (int)i, bar_half(area->rect.w), move[i].moved, fabs(move[0].moved),
                   lp_network_move_text(&model->network.seen, &move[i], name));
}

static void draw_ops(const LpNetworkWhy *why, const LpArea *area) {
    for (uint32_t i = 0; (int)i < area->rect.h && i < why->ops; i++) {
        const LpNetworkOp *op = &why->op[i];
        char name[160];
        snprintf(name, sizeof name, "%u %.*s%s", (unsigned)op->number,
                 (int)lp_str_prefix(op->name, 120), op->name, op->backward ? " backward" : "");
        draw_moved(area, (int)i, bar_half(area->rect.w), op->moved, fabs(why->op[0].moved), name);
    }
}

static void draw_rule(const LpArea *area, int y, const char *title) {
    lp_area_repeat(area, 0, y, area->rect.w, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    lp_area_fit(area, 1, y, area->rect.w - 2, LP_ROLE_LABEL, title);
}

static void print_question(const LpModel *model, bool brief, LpBuf *out) {
    const LpNetworkModel *n = &model->network;
    const LpNetworkQuestion *q = &n->why.question;
    char text[LP_NETWORK_TEXT];
    lp_buf_addf(out, " what moved %s", lp_network_action_text(&n->seen, q->action, text));
    if (!n->seen.action[q->action].open)
        lp_buf_add(out, ", which is closed");
    if (q->against < n->seen.actions && !brief)
        lp_buf_addf(out, ": score %.2f %s %s", fabs(n->why.output),
                    n->why.output < 0 ? "below" : "above",
                    lp_network_action_text(&n->seen, q->against, text));
    lp_buf_add(out, " ");
}

static LpArea rows_of(const LpArea *area, int from, int to) {
    to = to > area->rect.h ? area->rect.h : to;
    return lp_area_part(area, (LpRect){0, from, area->rect.w, to > from ? to - from : 0});
}

/* Parts of what moved it, from the one that matters most. */
typedef enum Part { FEATURES, OPS, GRAPH, VALUE, PARTS } Part;

static void draw_part(const LpModel *model, Part part, const LpArea *area) {
    const LpNetworkModel *n = &model->network;
    switch (part) {
    case FEATURES:
        draw_moves(model, n->why.brief, n->why.briefs, area);
        break;
    case OPS:
        draw_ops(&n->why, area);
        break;
    case GRAPH:
        draw_moves(model, n->why.graph, n->why.graphs, area);
        break;
    default:
        draw_moves(model, n->value.brief, n->value.briefs, area);
    }
}

/* Rows of each part, its rule not counted: as many parts as there is room for. */
static void share_rows(const LpNetworkModel *n, int h, int rows[PARTS]) {
    const int most[PARTS] = {(int)n->why.briefs, (int)n->why.ops, (int)n->why.graphs,
                             (int)n->value.briefs};
    int parts = (h + 1) / (PART_LEAST + 1);
    parts = parts < 1 ? 1 : parts > PARTS ? PARTS : parts;
    int left = h - parts;
    for (int p = 0; p < PARTS; p++)
        rows[p] = 0;
    for (int p = parts - 1; p >= 0; p--) { /* what a part does not need is for those before it */
        int fair = left / (p + 1);
        rows[p] = fair < most[p] ? fair : most[p];
        left -= rows[p];
    }
}

static void draw_why(const LpModel *model, const LpArea *area) {
    const LpNetworkModel *n = &model->network;
    const char *const titles[PARTS] = {"", " ops: states where the graph is pooled ",
                                       " numbers of ops and deps, over all of them ",
                                       n->seen.queued > 0
                                           ? " what moved its priority "
                                           : " what moved the return that it expects "};
    int rows[PARTS], y = 0;
    LpBuf title = {0};
    if (!n->explained) {
        lp_area_keys(area, 0, 0, area->rect.w, LP_ROLE_MUTED, model->ui->keymap,
                     model->ui->playing ? "{play} stops, then what moved it shows" : "");
        return;
    }
    print_question(model, area->rect.w < SIDE_COLS, &title);
    share_rows(n, area->rect.h, rows);
    for (int p = 0; p < PARTS; p++) {
        LpArea part = rows_of(area, y + 1, y + 1 + rows[p]);
        if (rows[p] == 0)
            continue;
        draw_rule(area, y, p == FEATURES ? lp_buf_text(&title) : titles[p]);
        draw_part(model, (Part)p, &part);
        y += 1 + rows[p];
    }
    lp_area_done(area, &title);
}

/* ---- all of it ---- */

/* True where there is something to show instead of a table. */
static bool draw_nothing(const LpModel *model, const LpArea *area) {
    const LpNetworkModel *n = &model->network;
    if (n->networks == 0)
        lp_area_fit(area, 0, 0, area->rect.w, LP_ROLE_MUTED, "the policy has no network");
    else if (!n->known)
        lp_area_keys(area, 0, 0, area->rect.w, LP_ROLE_MUTED, model->ui->keymap,
                     model->ui->playing ? "{play} stops, then the network shows"
                                        : "no decision yet; {next-decision} goes to the next one");
    else if (n->seen.actions == 0)
        lp_area_fit(area, 0, 0, area->rect.w, LP_ROLE_MUTED, n->seen.problem);
    else
        return false;
    return true;
}

/* What became of the decision where that is not what the network says. */
static void print_taken(const LpModel *model, LpBuf *out) {
    const LpNetworkInspection *seen = &model->network.seen;
    const LpAnswer *answer = model->decision.answer;
    uint32_t best = seen->action[seen->best].degree;
    if (!model->decision.due) {
        uint32_t degree = lp_world_job(model->world, seen->job)->placed.degree;
        bool planned = lp_context_planned(model->context, (int32_t)seen->graph_index);
        if (degree > 0 && degree != best && best != LP_DEGREE_WAIT && !planned)
            lp_buf_addf(out, "taken: %u way%s", (unsigned)degree, degree == 1 ? "" : "s");
        else
            lp_buf_add(out, "as of when it was due");
    } else if (answer && answer->kind == LP_ANSWER_WAIT && best == LP_DEGREE_WAIT) {
        return;
    } else if (answer && answer->kind == LP_ANSWER_WAIT) {
        lp_buf_add(out, "the policy lets it wait");
    } else if (answer && answer->kind == LP_ANSWER_DECLINE && best > 0) {
        lp_buf_add(out, "the policy declines");
    } else if (answer && lp_context_planned(model->context, (int32_t)seen->graph_index)) {
        /* The policy's own choice where it is another plan than the network's. */
        const LpDecision *d = &model->decision;
        char ways[LP_PLAN_WAYS_TEXT];
        for (uint32_t i = 0; i < d->count; i++)
            if (d->candidate[i].chosen && way_of(&d->candidate[i]) != best)
                lp_buf_addf(out, "the policy: plan %s",
                            lp_plan_ways(&d->candidate[i].plan.plan, ways));
    } else if (answer && answer->kind == LP_ANSWER_RUN && !answer->ways && answer->degree != best) {
        lp_buf_addf(out, "the policy: %u way%s", (unsigned)answer->degree,
                    answer->degree == 1 ? "" : "s");
    }
}

/* "expects a return of 2.49; most probable: 8 ways first_fit" */
static void draw_summary(const LpModel *model, const LpArea *area, int y) {
    const LpNetworkModel *n = &model->network;
    char text[LP_NETWORK_TEXT];
    int x = lp_area_text(area, 0, y, LP_ROLE_LABEL,
                         n->seen.queued > 0 ? "priority " : "expects a return of ");
    x = lp_area_textf(area, x, y, LP_ROLE_TEXT, "%.2f", n->seen.value);
    x = lp_area_text(area, x, y, LP_ROLE_LABEL, "  would answer ");
    x = lp_area_text(area, x, y, LP_ROLE_PENDING,
                     lp_network_action_text(&n->seen, n->seen.best, text));
    LpBuf taken = {0};
    if (n->seen.outside[0] != '\0')
        lp_buf_addf(&taken, "outside of its training: %s", n->seen.outside);
    else
        print_taken(model, &taken);
    lp_area_fit(area, x + 2, y, area->rect.w - x - 2, LP_ROLE_WAIT, lp_buf_text(&taken));
    lp_area_done(area, &taken);
}

void lp_view_network_panel(const LpModel *model, const LpArea *area) {
    int w = area->rect.w, h = area->rect.h;
    if (draw_nothing(model, area))
        return;
    if (w < SIDE_COLS && h < STACK_ROWS) {
        draw_table(model, area);
        return;
    }
    if (h >= STACK_ROWS && w < WIDE_COLS) {
        int rows = table_rows(model), most = h * 3 / 5;
        rows = rows > most ? most : rows;
        LpArea table = rows_of(area, 1, 1 + rows), why = rows_of(area, 1 + rows, h);
        draw_summary(model, area, 0);
        draw_table(model, &table);
        draw_why(model, &why);
        return;
    }
    int summary = h > 6, left = w * 2 / 5;
    LpArea table = lp_area_part(area, (LpRect){0, summary, left, h - summary});
    LpArea why = lp_area_part(area, (LpRect){left + 1, summary, w - left - 1, h - summary});
    if (summary)
        draw_summary(model, area, 0);
    draw_table(model, &table);
    draw_why(model, &why);
}

void lp_view_network(const LpModel *model, const LpArea *area) {
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    const LpNetworkModel *n = &model->network;
    char title[240] = "NETWORK";
    if (n->known && n->seen.job != LP_NO_INDEX)
        snprintf(title, sizeof title, "NETWORK %.40s %s %.20s %s %s %.*s", n->seen.param, dash,
                 n->seen.encoding, dash,
                 lp_world_label(model->world, model->scenario, n->seen.job).text,
                 (int)lp_str_prefix(n->seen.graph, 60), n->seen.graph);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int keys = inside.rect.h > 8;
    LpArea panel = lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, inside.rect.h - keys});
    lp_view_network_panel(model, &panel);
    if (keys && n->known && n->seen.actions > 0)
        lp_area_keys(&inside, 0, inside.rect.h - 1, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
                     n->networks > 1
                         ? "{up} {down} another answer  {take} decide so  {variant} next network"
                         : "{up} {down} another answer  {take} decide so  {whatif} what if");
}
