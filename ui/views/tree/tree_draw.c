/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the parts of the view of the tree stand at every size. */
#include "views/tree/tree_view_impl.h"

enum {
    LEAST_COLS = 76, /* nodes beside gangs */
    VAST_COLS = 160, /* the queue beside the reasons, ends beside the nodes */
    VAST_ROWS = 40,
    MIDDLE_ROWS = 18, /* nodes over those who wait over why */
    GANGS_COLS = 28,  /* what is unused stands there from the wider one on */
    GANGS_WIDE = 36,
    LEGEND_ROWS = 24
};

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

/* Rows of each part, headings among them; 0: left out. */
typedef struct Rows {
    int nodes, waiting, why, running, legend;
} Rows;

/* What all can do with first, then what is left over to those who wait, the nodes, who runs. */
static Rows rows_of(const LpModel *model, const LpArea *area, int tree_width) {
    const LpTreeFacts *f = lp_tree_facts(model);
    bool vast = area->rect.w >= VAST_COLS && area->rect.h >= VAST_ROWS;
    int h = area->rect.h, waiters = (int)f->waiters, runners = (int)f->runners;
    int nodes = 1 + lp_tree_grid(model, tree_width - 1, 0).rows;
    Rows rows = {.legend = h >= LEGEND_ROWS, .running = 0};
    int waiting = 2 + max_int(waiters, 1), running = 1 + (runners + 2) / 3;
    rows.nodes = min_int(max_int(nodes, vast ? 17 : 8), h / 2);
    rows.why = vast ? 11 : h >= LEGEND_ROWS ? 6 : 5;
    rows.running = vast ? min_int(running, 5) : 0;
    int spare = h - rows.legend - rows.nodes - rows.why - rows.running;
    rows.waiting = min_int(waiting, max_int(spare, 0));
    spare -= rows.waiting;
    int more = min_int(max_int(nodes - rows.nodes, 0), spare);
    rows.nodes += more;
    spare -= more;
    more = rows.running > 0 ? min_int(max_int(running - rows.running, 0), spare) : 0;
    rows.running += more;
    spare -= more;
    rows.why += min_int(spare, 3);
    rows.waiting += spare - min_int(spare, 3);
    return rows;
}

static void draw_legend(const LpArea *area) {
    LpBuf line = {0};
    bool ascii = area->canvas->ascii;
    lp_buf_addf(&line,
                "a letter: the job that holds a server   %s free   %s broken   %s shade   "
                "%s place of the marked one",
                lp_glyph_text(LP_GLYPH_FREE, ascii), lp_glyph_text(LP_GLYPH_BLOCKED, ascii),
                lp_glyph_text(LP_GLYPH_EMPTY, ascii), lp_glyph_text(LP_GLYPH_POINTER, ascii));
    lp_area_fit(area, 1, 0, area->rect.w - 2, LP_ROLE_MUTED, lp_buf_text(&line));
    lp_area_done(area, &line);
}

/* Below each other: a line of nodes, why, who waits. */
static void draw_narrow(const LpModel *model, const LpArea *area) {
    int h = area->rect.h, why = min_int(6, max_int(h - 4, 1));
    LpArea line = lp_area_part(area, (LpRect){0, 0, area->rect.w, 1});
    LpArea reason = lp_area_part(area, (LpRect){0, 1, area->rect.w, why});
    LpArea waiting = lp_area_part(area, (LpRect){0, 1 + why, area->rect.w, h - 1 - why});
    lp_view_tree_line(model, &line);
    lp_view_tree_why(model, &reason, false);
    if (waiting.rect.h >= 2)
        lp_view_tree_waiting(model, &waiting);
}

/* The nodes, and on their right gangs over what one end would free. */
static void draw_upper(const LpModel *model, const LpArea *area, int left, bool vast) {
    LpArea nodes = lp_area_part(area, (LpRect){0, 0, left, area->rect.h});
    int right = area->rect.w - left, ended = vast ? max_int(area->rect.h - 11, 0) : 0;
    LpArea gangs = lp_area_part(area, (LpRect){left, 0, right, area->rect.h - ended});
    lp_view_tree_nodes(model, &nodes);
    lp_view_tree_gangs(model, &gangs);
    if (ended >= 2) {
        LpArea rest = lp_area_part(area, (LpRect){left, area->rect.h - ended, right, ended});
        lp_view_tree_ended(model, &rest);
    }
}

/* The nodes, all of them, which nothing else tells, and below them what there is room for. */
static void draw_low(const LpModel *model, const LpArea *area, int left, int nodes) {
    int w = area->rect.w, rest = area->rect.h - nodes, waiting = rest >= 6 ? rest - 4 : 0;
    LpArea upper = lp_area_part(area, (LpRect){0, 0, w, nodes});
    LpArea why = lp_area_part(area, (LpRect){0, nodes, w, rest - waiting});
    LpArea list = lp_area_part(area, (LpRect){0, nodes + rest - waiting, w, waiting});
    draw_upper(model, &upper, left, false);
    if (rest >= 2)
        lp_view_tree_why(model, &why, false);
    if (waiting > 0)
        lp_view_tree_waiting(model, &list);
}

void lp_view_tree(const LpModel *model, const LpArea *area) {
    int w = area->rect.w, h = area->rect.h, y = 0;
    bool vast = w >= VAST_COLS && h >= VAST_ROWS;
    if (lp_tree_facts(model)->tree == NULL || h < 1)
        return;
    int left = vast ? w * 11 / 20 : w - (w >= 96 ? GANGS_WIDE : GANGS_COLS);
    if (w < LEAST_COLS || h < MIDDLE_ROWS) {
        int nodes = w < LEAST_COLS ? h + 1 : 1 + lp_tree_grid(model, left - 1, 0).rows;
        if (nodes <= h)
            draw_low(model, area, left, nodes);
        else
            draw_narrow(model, area);
        return;
    }
    Rows rows = rows_of(model, area, left);
    LpArea upper = lp_area_part(area, (LpRect){0, 0, w, rows.nodes});
    draw_upper(model, &upper, left, vast);
    y += rows.nodes;
    LpArea waiting = lp_area_part(area, (LpRect){0, y, w, rows.waiting});
    lp_view_tree_waiting(model, &waiting);
    y += rows.waiting;
    int reason = vast ? w * 11 / 20 : w;
    LpArea why = lp_area_part(area, (LpRect){0, y, reason, rows.why});
    lp_view_tree_why(model, &why, !vast);
    if (vast) {
        LpArea queue = lp_area_part(area, (LpRect){reason, y, w - reason, rows.why});
        lp_view_tree_queue(model, &queue);
    }
    y += rows.why;
    if (rows.running > 0) {
        LpArea running = lp_area_part(area, (LpRect){0, y, w, rows.running});
        lp_view_tree_running(model, &running);
    }
    if (rows.legend) {
        LpArea legend = lp_area_part(area, (LpRect){0, h - 1, w, 1});
        draw_legend(&legend);
    }
}
