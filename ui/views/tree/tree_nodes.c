/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes of a level: what is free in each, and who holds the rest. */
#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "views/tree/tree_view_impl.h"

enum {
    NAME_MOST = 14,
    HELD_LEAST = 16, /* columns of who holds a node's servers, while there are several columns */
    HELD_MOST = 128, /* and where there is room */
    SHADE = 3,
    SHADE_WIDE = 8,
    UNTIL = 12, /* of a time */
    GAP = 1,
    SHADED = 56, /* columns from which there are shades */
    WIDE = 100
};

const char *lp_tree_node_name(const LpTreeFacts *facts, uint32_t node, char out[LP_TREE_NAME]) {
    return lp_str_show(out, LP_TREE_NAME, facts->tree->name[node]);
}

static int digits(uint32_t number) {
    int count = 1;
    while (number >= 10) {
        number /= 10;
        count++;
    }
    return count;
}

static int min_int(int a, int b) {
    return a < b ? a : b;
}

/* Columns that a node has beside its servers. */
static int beside_held(const LpTreeGrid *grid) {
    return 1 + grid->name + 1 + grid->size + 1 + (grid->shade > 0 ? 1 + grid->shade : 0) + GAP;
}

static int columns_of(const LpTreeGrid *grid, int width) {
    int columns = (width + GAP) / (beside_held(grid) + grid->held);
    return columns > 0 ? columns : 1;
}

static int rows_for(const LpTreeFacts *f, int columns) {
    return ((int)f->nodes + columns - 1) / columns;
}

LpTreeGrid lp_tree_grid(const LpModel *model, int width, int rows) {
    const LpTreeFacts *f = lp_tree_facts(model);
    LpTreeGrid grid = {.name = 3};
    uint32_t most = f->board.level[f->level].most;
    for (uint32_t i = 0; i < f->nodes; i++) {
        int w = lp_text_width(f->tree->name[f->node[i]]);
        grid.name = w > grid.name ? min_int(w, NAME_MOST) : grid.name;
    }
    grid.size = 2 * digits(most) + 1;
    grid.held = min_int((int)(most < HELD_LEAST ? most : HELD_LEAST), width / 3 + 1);
    grid.shade = lp_tree_state(model)->shade == LP_TREE_SHADE_UNTIL ? UNTIL
                 : width >= WIDE                                    ? SHADE_WIDE
                                                                    : SHADE;
    grid.columns = columns_of(&grid, width);
    if (width < SHADED && lp_tree_state(model)->shade != LP_TREE_SHADE_UNTIL) {
        grid.shade = 0; /* the colour of a name says where the gang fits */
        grid.columns = columns_of(&grid, width);
    }
    while (rows > 0 && grid.columns > 1 && rows_for(f, grid.columns - 1) <= rows)
        grid.columns--;
    grid.rows = rows_for(f, grid.columns);
    grid.columns = grid.rows > 0 ? ((int)f->nodes + grid.rows - 1) / grid.rows : 1;
    int each = (width + GAP) / (grid.columns > 0 ? grid.columns : 1) - beside_held(&grid);
    if (each > grid.held)
        grid.held = min_int(each, (int)(most < HELD_MOST ? most : HELD_MOST));
    grid.cell = beside_held(&grid) + grid.held;
    return grid;
}

/* ---- one node ---- */

/* Its lowest nodes: those that have it above them. */
static bool is_under(const LpTree *tree, uint32_t lowest, uint32_t node) {
    while (tree->level[lowest] < tree->level[node])
        lowest = tree->parent[lowest];
    return lowest == node;
}

/* A letter for each server, as they lie. */
static int draw_servers(const LpModel *model, const LpArea *area, LpRect at, uint32_t lowest) {
    const LpTree *tree = lp_tree_facts(model)->tree;
    int x = at.x;
    for (uint32_t i = tree->member_begin[lowest]; i < tree->member_begin[lowest + 1]; i++, x++) {
        uint32_t s = tree->member[i], job = lp_world_server(model->world, s)->job;
        if (x >= at.x + at.w)
            return x;
        if (job != LP_NO_INDEX)
            lp_letter_put(area, x, at.y, lp_model_fill(model, job), job,
                          lp_letters_of(&model->letters, job));
        else if (lp_world_server(model->world, s)->state != LP_SERVER_IN_SERVICE)
            lp_area_glyph(area, x, at.y, LP_ROLE_BAD, LP_GLYPH_BLOCKED);
        else
            lp_area_glyph(area, x, at.y, LP_ROLE_FREE, LP_GLYPH_FREE);
        lp_area_hit(area, (LpRect){x, at.y, 1, 1}, LP_HIT_SERVER, s);
    }
    return x;
}

/* A bar of what is free in it, where not each of its servers has a column. */
static void draw_share(const LpArea *area, LpRect at, const LpTreeCount *count, uint32_t size) {
    int free = (int)((uint64_t)count->free * (uint32_t)at.w / size);
    int down = (int)((uint64_t)count->down * (uint32_t)at.w / size);
    int held = at.w - free - down > 0 ? at.w - free - down : 0;
    lp_area_repeat(area, at.x, at.y, held, LP_ROLE_CURVE, LP_GLYPH_BAR);
    lp_area_repeat(area, at.x + held, at.y, down, LP_ROLE_BAD, LP_GLYPH_BLOCKED);
    lp_area_repeat(area, at.x + held + down, at.y, at.w - held - down, LP_ROLE_FREE, LP_GLYPH_FREE);
}

static void draw_held(const LpModel *model, const LpArea *area, LpRect at, uint32_t node) {
    const LpTreeFacts *f = lp_tree_facts(model);
    const LpTree *tree = f->tree;
    uint32_t size = tree->size[node];
    if (size > (uint32_t)at.w) {
        draw_share(area, at, &f->count[node], size);
        return;
    }
    for (uint32_t i = 0; i < tree->level_begin[1]; i++)
        if (is_under(tree, i, node)) {
            int x = draw_servers(model, area, at, i);
            at.w -= x - at.x;
            at.x = x;
        }
}

/* The first end of a job that has servers in it, INFINITY: nobody has. */
static double first_end(const LpModel *model, uint32_t node) {
    const LpTreeFacts *f = lp_tree_facts(model);
    const LpTree *tree = f->tree;
    double first = (double)INFINITY;
    for (uint32_t i = 0; i < f->runners; i++) {
        if (!(f->runner[i].ends < first))
            return first; /* they are in order */
        for (uint32_t s = f->runner[i].job->placed.first_server; s != LP_NO_INDEX;
             s = lp_world_server(model->world, s)->next)
            if (lp_tree_node_of(tree, s, tree->level[node]) == node)
                first = fmin(first, f->runner[i].ends);
    }
    return first;
}

static void draw_shade(const LpModel *model, const LpArea *area, LpRect at, uint32_t node) {
    const LpTreeFacts *f = lp_tree_facts(model);
    uint32_t size = f->tree->size[node], free = f->count[node].free;
    char span[LP_SPAN_TEXT];
    double until;
    switch (lp_tree_state(model)->shade) {
    case LP_TREE_SHADE_FREE:
        lp_area_repeat(area, at.x, at.y, (int)((uint64_t)(size - free) * (uint32_t)at.w / size),
                       LP_ROLE_MUTED, LP_GLYPH_EMPTY);
        break;
    case LP_TREE_SHADE_UNTIL:
        until = first_end(model, node) - lp_world_now(model->world);
        if (until >= 0 && until < (double)INFINITY)
            lp_area_fit(area, at.x, at.y, at.w, LP_ROLE_MUTED, lp_span_print(until, span));
        break;
    default:
        if (free < (f->width > 0 ? f->width : 1))
            lp_area_repeat(area, at.x, at.y, at.w, LP_ROLE_MUTED, LP_GLYPH_EMPTY);
    }
}

/* Will the job in focus start there, when there is enough? */
static bool is_wanted(const LpModel *model, uint32_t node) {
    const LpTreeFacts *f = lp_tree_facts(model);
    const LpTreeWhy *why =
        f->focus >= 0 ? lp_tree_why_of(&f->whys, f->waiter[f->focus].job->id) : NULL;
    for (uint32_t i = 0; why != NULL && !lp_tree_is_asked(model) && i < f->runners; i++)
        if (f->runner[i].job->id == why->when_job && f->runner[i].frees == node)
            return true;
    return false;
}

static void draw_node(const LpModel *model, const LpArea *area, const LpTreeGrid *grid, LpRect at,
                      uint32_t node) {
    const LpTreeFacts *f = lp_tree_facts(model);
    char name[LP_TREE_NAME], number[16];
    LpStyle style = f->width > 0 && f->count[node].free >= f->width ? LP_ROLE_GOOD : LP_ROLE_TEXT;
    int x = at.x + 1, size = grid->size / 2;
    if (is_wanted(model, node))
        lp_area_glyph(area, at.x, at.y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_fit(area, x, at.y, grid->name, style, lp_tree_node_name(f, node, name));
    x += grid->name + 1;
    snprintf(number, sizeof number, "%u", (unsigned)f->count[node].free);
    lp_area_right(area, x + size, at.y, style, number);
    lp_area_textf(area, x + size, at.y, LP_ROLE_MUTED, "/%u", (unsigned)f->tree->size[node]);
    x += grid->size + 1;
    draw_held(model, area, (LpRect){x, at.y, grid->held, 1}, node);
    x += grid->held + 1;
    if (grid->shade > 0)
        draw_shade(model, area, (LpRect){x, at.y, grid->shade, 1}, node);
}

/* ---- all of them ---- */

static void add_shade(const LpModel *model, LpBuf *out) {
    const LpTreeFacts *f = lp_tree_facts(model);
    LpTreeShade shade = lp_tree_state(model)->shade;
    if (shade == LP_TREE_SHADE_FITS)
        lp_buf_addf(out, "; shade: no gang of %u", (unsigned)(f->width > 0 ? f->width : 1));
    else
        lp_buf_addf(out, "; shade: %s", lp_tree_shade_name(shade));
}

void lp_view_tree_nodes(const LpModel *model, const LpArea *area) {
    const LpTreeFacts *f = lp_tree_facts(model);
    LpTreeGrid grid = lp_tree_grid(model, area->rect.w - 1, area->rect.h - 1);
    char level[LP_TREE_NAME];
    LpBuf title = {0};
    int rows = area->rect.h - 1, shown = rows * grid.columns, first = 0;
    if (rows <= 0)
        return;
    lp_str_show(level, sizeof level, f->tree->level_name[f->level]);
    lp_buf_addf(&title, "TREE %s", level);
    if (shown < (int)f->nodes) {
        first = (int)lp_tree_state(model)->first;
        first = first > (int)f->nodes - shown ? (int)f->nodes - shown : first;
        lp_buf_addf(&title, " %d-%d of %u", first + 1, first + shown, (unsigned)f->nodes);
    }
    lp_buf_add(&title, lp_tree_state(model)->freest ? ", freest first" : ", free of all");
    if (grid.shade > 0)
        add_shade(model, &title);
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    lp_area_done(&box, &title);
    int deep = shown < (int)f->nodes ? rows : grid.rows;
    for (int i = 0; i < shown && first + i < (int)f->nodes; i++)
        draw_node(model, &box, &grid, (LpRect){i / deep * grid.cell, i % deep, grid.cell, 1},
                  f->node[first + i]);
}

void lp_view_tree_line(const LpModel *model, const LpArea *area) {
    const LpTreeFacts *f = lp_tree_facts(model);
    char plural[LP_TREE_PLURAL];
    LpBuf line = {0};
    lp_buf_addf(&line, "TREE %s, free: ", lp_tree_plural(f->tree->level_name[f->level], plural));
    for (uint32_t i = 0; i < f->nodes && line.len < LP_CANVAS_MAX; i++)
        lp_buf_addf(&line, "%u ", (unsigned)f->count[f->node[i]].free);
    (void)lp_area_heading(area, lp_buf_text(&line));
    lp_area_done(area, &line);
}
