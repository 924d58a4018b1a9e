/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job's computation graph, from left to right: as profiled, or both passes as they were cut and
 * placed; the critical path; and what is known of the op under the cursor. */
#include "views/graph/graph_view_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "widgets/dots.h"

enum { SAYS = 5, SAYS_FEW = 2, NAME_COLS = 15, LETTERS_MOST = 8, TIGHT = 2 };

/* Columns per row of the drawing, lines per column of it, and columns and lines of an op. */
typedef struct Scale {
    LpGraphZoom zoom;
    double x, y;
    int w, h;
    bool parts; /* has room for the servers of parts: of cut graphs only */
} Scale;

/* The closest first. */
static const Scale scales[] = {
    {LP_GRAPH_ZOOM_NAMES, NAME_COLS + 4, 3, NAME_COLS, 2, false},
    {LP_GRAPH_ZOOM_NUMBERS, 12, 2, 9, 1, true},
    {LP_GRAPH_ZOOM_NUMBERS, 12, 1, 9, 1, true},
    {LP_GRAPH_ZOOM_NUMBERS, 9, 2, 6, 1, false},
    {LP_GRAPH_ZOOM_NUMBERS, 8, 1, 5, 1, false},
    {LP_GRAPH_ZOOM_DOTS, 4, 1, 1, 1, false},
    {LP_GRAPH_ZOOM_ALL, 3, 1, 1, 1, false},
    {LP_GRAPH_ZOOM_ALL, 2, 1, 1, 1, false},
    {LP_GRAPH_ZOOM_ALL, 1, 1, 1, 1, false},
};

/* A long graph goes on in the next band, as a text does in the next line. */
typedef struct Plan {
    Scale scale;
    int rows;        /* of the drawing in a band; 0: there is one, and it is moved about */
    int bands, band; /* and lines of each */
    bool fits;
} Plan;

/* The visible part of the drawing: one band of it. */
typedef struct Frame {
    const LpModel *model;
    const LpGraphInspection *seen;
    const LpArea *area;
    Scale scale;
    double x, y;       /* column and line of the drawing's origin */
    double first, end; /* rows whose ops are drawn here */
    uint32_t cursor;
} Frame;

static Plan plan_with(const LpGraphInspection *seen, const Scale *scale, int w, int h) {
    Plan plan = {
        .scale = *scale, .bands = 1, .band = (int)ceil(seen->height * scale->y) + scale->h};
    plan.fits = seen->width * scale->x + scale->w <= w && plan.band <= h;
    if (plan.fits || plan.band * 2 > h || w <= scale->w)
        return plan;
    plan.rows = (int)((w - scale->w) / scale->x) + 1;
    plan.bands = (int)seen->width / plan.rows + 1;
    plan.band += (plan.band + 1) * plan.bands - 1 <= h; /* a blank line between */
    plan.fits = plan.band * plan.bands <= h + 1;
    return plan;
}

static double at_most(double value, double limit) {
    return value < limit ? value : limit;
}

/* All of it, however small. */
static Plan plan_squeezed(const LpGraphInspection *seen, int w, int h) {
    Scale scale = {LP_GRAPH_ZOOM_ALL, 1, 1, 1, 1, false};
    scale.x = seen->width > 0.0 ? at_most(3.0, (w - 1) / seen->width) : 1.0;
    scale.y = seen->height > 0.0 ? at_most(1.0, (h - 1) / seen->height) : 1.0;
    return (Plan){.scale = scale, .bands = 1, .band = h, .fits = true};
}

static Plan plan_for(const LpModel *model, int w, int h) {
    const LpGraphInspection *seen = &lp_graph_facts(model)->seen;
    LpGraphZoom asked = lp_graph_state(model)->zoom;
    Plan plan = {.fits = false};
    bool any = asked == LP_GRAPH_ZOOM_AUTO;
    for (size_t i = 0; i < LP_COUNTOF(scales) && !plan.fits; i++)
        if ((any || scales[i].zoom == asked) &&
            ((seen->cut && seen->stages == 0) || !scales[i].parts))
            plan = plan_with(seen, &scales[i], w, h);
    if (!plan.fits && (any || asked == LP_GRAPH_ZOOM_ALL))
        plan = plan_squeezed(seen, w, h);
    return plan;
}

/* Where the drawing begins along one axis: in the middle, or so that the cursor is seen. */
static double origin(double extent, double cursor, int room) {
    if (extent <= room)
        return floor((room - extent) / 2);
    double from = floor(room / 2.0 - cursor);
    return from > 0.0 ? 0.0 : from < room - extent ? room - extent : from;
}

static int column_of(const Frame *f, const LpGraphNode *node) {
    return (int)floor(f->x + node->x * f->scale.x + 0.5);
}

static int line_of(const Frame *f, const LpGraphNode *node) {
    return (int)floor(f->y + node->y * f->scale.y + 0.5);
}

/* Lines that are left for the drawing. */
static int drawing_lines(int h) {
    return h - (h >= 12 ? SAYS : h >= 6 ? SAYS_FEW : 0);
}

LpGraphZoom lp_view_graph_zoom(const LpModel *model, int cols, int rows, int *band) {
    Plan plan = plan_for(model, cols - 3, drawing_lines(rows - 5));
    *band = plan.rows;
    return plan.scale.zoom;
}

/* ---- edges ---- */

static void draw_edge(const Frame *f, LpDots *dots, uint32_t e, LpStyle style) {
    const LpGraphNode *a = &f->seen->node[f->seen->src[e]], *b = &f->seen->node[f->seen->dst[e]];
    double x0 = column_of(f, a) + f->scale.w, x1 = column_of(f, b) - 1;
    double y0 = line_of(f, a), y1 = line_of(f, b);
    if (f->scale.x < TIGHT) {
        x0--; /* as near as dots are */
        x1++;
    }
    lp_dots_line(dots, 2 * x0, 4 * y0 + 1.5, 2 * x1 + 1, 4 * y1 + 1.5, style);
}

/* ---- ops ---- */

static char letter_of(uint32_t server) {
    return server < 26 ? (char)('a' + (int)server) : '#';
}

static LpStyle server_style(uint32_t server) {
    return (LpStyle)(LP_ROLE_JOB0 + server % LP_JOB_ROLES);
}

static LpStyle style_of(const Frame *f, const LpGraphNode *node) {
    LpStyle style = !f->seen->cut      ? LP_ROLE_TEXT
                    : f->seen->stages  ? server_style(node->stage)
                    : node->ways > 1   ? LP_ROLE_TEXT
                    : f->seen->servers ? server_style(f->seen->part_server[node->parts])
                                       : LP_ROLE_TEXT;
    return node->critical ? style | LP_BOLD : style;
}

/* The letters of the servers of its parts. */
static void draw_servers(const Frame *f, const LpGraphNode *node, int x, int y, int room) {
    bool all = (int)node->ways <= room;
    for (uint32_t k = 0; f->seen->cut && k < node->ways && (int)k < room - !all; k++) {
        uint32_t server = f->seen->part_server[node->parts + k];
        lp_area_put(f->area, x + (int)k, y, server_style(server), (uint32_t)letter_of(server));
    }
    if (f->seen->cut && !all)
        lp_area_glyph(f->area, x + room - 1, y, LP_ROLE_MUTED, LP_GLYPH_ELLIPSIS);
}

static uint32_t bar_of(const Frame *f, const LpGraphNode *node) {
    double share = f->seen->longest > 0.0 ? node->time / f->seen->longest : 0.0;
    return share > 0.0 ? lp_glyph_height(share, f->area->canvas->ascii) : ' ';
}

static void draw_dot(const Frame *f, const LpGraphNode *node, int x, int y) {
    lp_area_glyph(f->area, x, y, style_of(f, node),
                  node->critical ? LP_GLYPH_STARTED : LP_GLYPH_DONE);
}

/* "s3" beside the first op that stage 3 of a plan has in each pass through it, over the edge. */
static void draw_stage(const Frame *f, const LpGraphNode *node, int x, int y) {
    uint32_t v = (uint32_t)(node - f->seen->node), before = v;
    for (uint32_t i = f->seen->in[v]; i < f->seen->in[v + 1]; i++)
        before = f->seen->src[f->seen->from[i]];
    if (f->seen->stages == 0 || (before != v && f->seen->node[before].stage == node->stage))
        return;
    char text[16];
    int room = (int)f->scale.x - f->scale.w, w = snprintf(text, sizeof text, "p%u", node->stage);
    if (w > room)
        return;
    int left = x + f->scale.w + w <= f->area->rect.w ? x + f->scale.w : x - w;
    lp_area_text(f->area, left, y, style_of(f, node), text);
}

/* "12b▃", or "12▃ab" of one that is cut. */
static void draw_number(const Frame *f, const LpGraphNode *node, int x, int y) {
    const LpOp *op = &f->seen->graph->op[node->op];
    LpStyle style = style_of(f, node);
    int w = f->scale.w;
    lp_area_repeat(f->area, x, y, w, LP_ROLE_TEXT, LP_GLYPH_SPACE);
    int end = lp_area_textf(f->area, x, y, style, "%u%s", (unsigned)op->number,
                            node->backward ? "b" : "");
    if (end < x + w)
        lp_area_put(f->area, end++, y, style, bar_of(f, node));
    if (f->scale.parts)
        draw_servers(f, node, end, y, x + w - end);
}

/* Number and name, and below them time and servers. */
static void draw_name(const Frame *f, const LpGraphNode *node, int x, int y) {
    const LpOp *op = &f->seen->graph->op[node->op];
    LpStyle style = style_of(f, node);
    char text[96], time[LP_SHOW_TEXT];
    for (int i = 0; i < 2; i++)
        lp_area_repeat(f->area, x, y + i, f->scale.w, LP_ROLE_TEXT, LP_GLYPH_SPACE);
    const char *name = op->name != NULL ? op->name : "";
    snprintf(text, sizeof text, "%u%s %.*s", (unsigned)op->number, node->backward ? "b" : "",
             (int)lp_str_prefix(name, 60), name);
    lp_area_fit(f->area, x, y, f->scale.w, style, text);
    int end =
        lp_area_textf(f->area, x, y + 1, LP_ROLE_MUTED, "%s", lp_show_seconds(node->time, time));
    lp_area_put(f->area, end, y + 1, style, bar_of(f, node));
    int room = x + f->scale.w - end - 2;
    if (room > 0 && f->seen->stages == 0)
        draw_servers(f, node, end + 2, y + 1, room < LETTERS_MOST ? room : LETTERS_MOST);
}

static void draw_node(const Frame *f, uint32_t v) {
    const LpGraphNode *node = &f->seen->node[v];
    int x = column_of(f, node), y = line_of(f, node);
    if (node->x < f->first || node->x >= f->end || x + f->scale.w <= 0 || x >= f->area->rect.w ||
        y + f->scale.h <= 0 || y >= f->area->rect.h)
        return;
    if (f->scale.zoom <= LP_GRAPH_ZOOM_DOTS)
        draw_dot(f, node, x, y);
    else if (f->scale.zoom == LP_GRAPH_ZOOM_NUMBERS)
        draw_number(f, node, x, y);
    else
        draw_name(f, node, x, y);
    draw_stage(f, node, x, y);
    lp_area_hit(f->area, (LpRect){x, y, f->scale.w, f->scale.h}, LP_HIT_OP,
                f->seen->graph->op[node->op].number);
    if (v == f->cursor)
        for (int i = 0; i < f->scale.h; i++)
            lp_area_mark(f->area, x, y + i, f->scale.w, LP_REVERSE);
}

static void draw_nodes(const Frame *f) {
    for (int critical = 0; critical < 2; critical++)
        for (uint32_t v = 0; v < f->seen->nodes; v++)
            if (f->seen->node[v].critical == (critical != 0))
                draw_node(f, v);
    draw_node(f, f->cursor);
}

/* ---- what it says ---- */

/* "11, 12b and 3 more" */
static void add_list(const LpGraphInspection *seen, const uint32_t *item, uint32_t count,
                     const uint32_t *end, LpBuf *out) {
    enum { MOST = 6 };
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        const LpGraphNode *node = &seen->node[end[item[i]]];
        lp_buf_addf(out, "%s%u%s", i ? ", " : "", (unsigned)seen->graph->op[node->op].number,
                    node->backward ? "b" : "");
    }
    if (count > MOST)
        lp_buf_addf(out, " and %u more", (unsigned)(count - MOST));
    if (count == 0)
        lp_buf_add(out, "nothing");
}

static void add_op(const LpGraphInspection *seen, const LpGraphNode *node, LpBuf *out) {
    const LpOp *op = &seen->graph->op[node->op];
    lp_buf_addf(out, "op %u %s%s%s", (unsigned)op->number, op->name ? op->name : "",
                seen->cut ? node->backward ? ", backward" : ", forward" : "",
                !node->critical ? ""
                : seen->cut     ? ", the step waited for it"
                                : ", on the longest way");
    if (seen->stages > 0)
        lp_buf_addf(out, ", stage %u of %u", (unsigned)node->stage, (unsigned)seen->stages);
}

/* Where the graph has a plan: copies of the op, and what one server of a copy has of it. */
static void add_shard(const LpGraphInspection *seen, const LpGraphNode *node, LpBuf *out) {
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT];
    uint32_t copies = node->ways / seen->tensor;
    lp_buf_addf(out, "%u %s cut into %u; a server: %s parameters, %s, %s", (unsigned)copies,
                copies == 1 ? "copy" : "copies", (unsigned)seen->tensor,
                lp_show_count((uint64_t)node->parameters, a), lp_show_seconds(node->time, b),
                lp_show_bytes(node->memory, c));
}

static void add_costs(const LpGraphInspection *seen, const LpGraphNode *node, LpBuf *out) {
    const LpOp *op = &seen->graph->op[node->op];
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT], d[LP_SHOW_TEXT];
    if (seen->stages > 0)
        add_shard(seen, node, out);
    else if (seen->cut && node->ways == 1)
        lp_buf_addf(out, "not split: computes %s and holds %s for both passes",
                    lp_show_seconds(node->time, a), lp_show_bytes(node->memory, b));
    else if (seen->cut)
        lp_buf_addf(out, "%u parts of %s, each computes %s and holds %s for both passes",
                    (unsigned)node->ways,
                    lp_show_seconds(node->backward ? op->backward : op->forward, a),
                    lp_show_seconds(node->time, b), lp_show_bytes(node->memory, c));
    else
        lp_buf_addf(out, "forward %s, backward %s; activations %s, parameters %s",
                    lp_show_seconds(op->forward, a), lp_show_seconds(op->backward, b),
                    lp_show_bytes(op->activation, c), lp_show_bytes(op->parameters, d));
}

static void add_deps(const LpGraphInspection *seen, uint32_t v, LpBuf *out) {
    lp_buf_add(out, "needs ");
    add_list(seen, seen->from + seen->in[v], seen->in[v + 1] - seen->in[v], seen->src, out);
    lp_buf_add(out, "; needed by ");
    add_list(seen, seen->to + seen->out[v], seen->out[v + 1] - seen->out[v], seen->dst, out);
}

/* "on a 18  b 20": the legend of the letters as well. */
static void draw_where(const Frame *f, const LpArea *area, int y) {
    const LpGraphInspection *seen = f->seen;
    const LpGraphNode *node = &seen->node[f->cursor];
    int x =
        lp_area_text(area, 0, y, LP_ROLE_TEXT, node->ways > 1 ? "parts on servers" : "on server");
    for (uint32_t k = 0; k < node->ways && x < area->rect.w - 8; k++) {
        uint32_t server = seen->part_server[node->parts + k];
        x = lp_area_textf(area, x + 1, y, server_style(server), "%c %u", letter_of(server),
                          (unsigned)seen->server_id[server]);
    }
}

static void draw_says(const Frame *f, const LpArea *area) {
    const LpGraphInspection *seen = f->seen;
    const LpGraphNode *node = &seen->node[f->cursor];
    LpBuf text = {0};
    int w = area->rect.w, y = 0;
    add_op(seen, node, &text);
    lp_area_fit(area, 0, y++, w, LP_ROLE_LABEL, lp_buf_text(&text));
    lp_area_done(area, &text);
    add_costs(seen, node, &text);
    lp_area_fit(area, 0, y++, w, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
    add_deps(seen, f->cursor, &text);
    lp_area_fit(area, 0, y++, w, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
    if (seen->cut)
        draw_where(f, area, y);
    if (seen->stages > 0) {
        lp_area_text(area, 0, SAYS - 1, LP_ROLE_MUTED,
                     "arrows op  z Z zoom  v as profiled   s3: from here on stage 3  bar: time");
        return;
    }
    lp_area_textf(area, 0, SAYS - 1, LP_ROLE_MUTED, "arrows op  z Z zoom  v %s   %s %s  bar: time",
                  seen->cut ? "as profiled" : "as cut and placed",
                  lp_glyph_text(LP_GLYPH_STARTED, area->canvas->ascii),
                  seen->cut ? "waited for" : "longest way");
}

/* ---- the drawing ---- */

static void draw_frame(const Frame *f) {
    /* The critical ones over the others, those of the cursor over all. */
    const LpGraphInspection *seen = f->seen;
    LpDots dots;
    lp_dots_open(&dots, f->area->rect.w, f->area->rect.h);
    for (int critical = 0; critical < 2; critical++)
        for (uint32_t e = 0; e < seen->edges; e++)
            if (seen->critical_edge[e] == (critical != 0))
                draw_edge(f, &dots, e, critical ? LP_ROLE_WAIT | LP_BOLD : LP_ROLE_BORDER);
    for (uint32_t i = seen->out[f->cursor]; i < seen->out[f->cursor + 1]; i++)
        draw_edge(f, &dots, seen->to[i], LP_ROLE_CURSOR);
    for (uint32_t i = seen->in [f->cursor]; i < seen->in[f->cursor + 1]; i++)
        draw_edge(f, &dots, seen->from[i], LP_ROLE_CURSOR);
    lp_dots_close(&dots, f->area);
    draw_nodes(f);
}

/* One piece, moved so that the cursor is seen. */
static void draw_whole(Frame *f) {
    const LpGraphNode *node = &f->seen->node[f->cursor];
    f->x = origin(f->seen->width * f->scale.x + f->scale.w, node->x * f->scale.x, f->area->rect.w);
    f->y = origin(f->seen->height * f->scale.y + f->scale.h, node->y * f->scale.y, f->area->rect.h);
    f->end = (double)INFINITY;
    draw_frame(f);
}

/* Band below band, those around the cursor. */
static void draw_bands(Frame *f, const Plan *plan, const LpArea *area) {
    int row = (int)f->seen->node[f->cursor].x, h = area->rect.h;
    int seen = (h + plan->band - 1) / plan->band, first = row / plan->rows - (seen - 1) / 2;
    first = first > plan->bands - h / plan->band ? plan->bands - h / plan->band : first;
    first = first < 0 || plan->fits ? 0 : first;
    for (int b = first; b < plan->bands && (b - first) * plan->band < h; b++) {
        LpArea band =
            lp_area_part(area, (LpRect){0, (b - first) * plan->band, area->rect.w, plan->band});
        f->area = &band;
        f->first = (double)b * plan->rows;
        f->end = f->first + plan->rows;
        f->x = -f->first * f->scale.x;
        f->y = 0;
        draw_frame(f);
    }
}

static void draw_graph(const LpModel *model, const LpArea *area, const LpArea *below) {
    Plan plan = plan_for(model, area->rect.w, area->rect.h);
    Frame f = {.model = model,
               .seen = &lp_graph_facts(model)->seen,
               .area = area,
               .scale = plan.scale,
               .cursor = lp_graph_model_node(lp_graph_facts(model), lp_graph_state(model))};
    if (plan.rows > 0)
        draw_bands(&f, &plan, area);
    else
        draw_whole(&f);
    draw_says(&f, below);
}

/* ---- the pane ---- */

static void print_title(const LpModel *model, char *title, size_t size) {
    const LpGraphModel *g = lp_graph_facts(model);
    const LpGraphInspection *seen = &g->seen;
    char time[LP_SHOW_TEXT], all[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    if (!g->known) {
        snprintf(title, size, "graph: the ops of a job and what depends on what");
        return;
    }
    LpLabel label = lp_world_label(model->world, model->scenario, g->of.job);
    lp_show_seconds(seen->cut && g->of.step_time > 0 ? g->of.step_time : seen->critical_time, time);
    double back = 0;
    for (uint32_t i = 0; i < seen->nodes && !seen->cut; i++)
        back += seen->node[i].critical ? seen->graph->op[seen->node[i].op].backward : 0;
    if (seen->cut)
        snprintf(title, size,
                 "GRAPH of %.*s %.*s %.40s%s: %u op%s of both passes on %u server%s, step %s",
                 (int)lp_str_prefix(label.text, 30), label.text,
                 (int)lp_str_prefix(seen->graph->id, 20), seen->graph->id,
                 lp_words_cut_by(model, g->of.partition, g->of.degree, cut),
                 g->of.ahead ? ", forecast" : "", (unsigned)seen->nodes, lp_str_s(seen->nodes),
                 (unsigned)seen->servers, lp_str_s(seen->servers), time);
    else
        snprintf(title, size, "GRAPH of %.*s %.*s: %u op%s, longest way %s, %s forward",
                 (int)lp_str_prefix(label.text, 40), label.text,
                 (int)lp_str_prefix(seen->graph->id, 16), seen->graph->id, (unsigned)seen->nodes,
                 lp_str_s(seen->nodes), lp_show_seconds(seen->critical_time + back, all), time);
}

static void draw_nothing(const LpModel *model, const LpArea *area, const char *text) {
    lp_area_keys(area, 0, 0, area->rect.w, LP_ROLE_MUTED, model->ui->keymap, text);
}

void lp_view_graph(const LpModel *model, const LpArea *area) {
    const LpGraphModel *g = lp_graph_facts(model);
    char title[200];
    print_title(model, title, sizeof title);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int w = inside.rect.w, h = inside.rect.h, lines = drawing_lines(h);
    if (!g->known)
        draw_nothing(
            model, &inside,
            "no graph to show: no job with one is decided or runs; {next-decision} goes on");
    else if (g->seen.width < 0.0)
        draw_nothing(model, &inside, "being drawn ...");
    if (!g->known || g->seen.width < 0.0 || g->seen.nodes == 0 || w < 4 || h < 1)
        return;
    LpArea drawing = lp_area_part(&inside, (LpRect){0, 0, w, lines});
    LpArea below = lp_area_part(&inside, (LpRect){0, lines, w, h - lines});
    draw_graph(model, &drawing, &below);
}
