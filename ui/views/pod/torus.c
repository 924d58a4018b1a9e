/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slice as a torus: layers along x, rows along y, columns along z. A cell is an accelerator, as
 * high as its busiest link is loaded, or a cube with its number. Where a row or a column ends
 * stands the letter (the cube) at which its link goes on: a twist shows as an offset. */
#include <stdio.h>

#include "views/pod/pod_view_impl.h"

enum {
    GAP = 3,    /* columns between layers */
    FACTS = 5,  /* lines below the layers */
    HEADER = 1, /* name and letters of a layer */
    LETTERS_MOST = 52,
    CUBE_COLUMNS = 5
};

typedef struct Grid {
    const LpModel *model;
    const LpPodSlice *s;
    bool cubes;    /* cells are cubes */
    int e[3];      /* cells along each dimension */
    int px, py;    /* columns and rows from a cell to the next */
    int label;     /* columns before the first cell */
    int w, h;      /* of a layer */
    int per, rows; /* layers side by side, and lines of them */
    double full;   /* the load that fills a cell */
} Grid;

/* ---- which cells, and where they lead ---- */

static uint32_t node_of(const Grid *g, int x, int y, int z) {
    return (uint32_t)((x * g->e[1] + y) * g->e[2] + z);
}

/* The cell that the link of the last one in a dimension leads to; LP_NO_INDEX: it ends. */
static uint32_t next_of(const Grid *g, int d, uint32_t cell) {
    return g->cubes ? lp_slice_next(g->s->slice, d, cell)
                    : lp_pod_link(lp_pod_of(g->model), g->s->slice, cell, d, 0);
}

static char letter_at(uint32_t at) {
    return (char)(at < 26 ? 'a' + at : 'A' + (at - 26) % 26);
}

/* What stands for a cell in the labels of its rows and columns: a cube's number, or a letter. */
static const char *name_of(const Grid *g, uint32_t cell, int d, char text[16]) {
    uint32_t columns = (uint32_t)g->e[2], rows = (uint32_t)g->e[1];
    if (cell == LP_NO_INDEX)
        return ".";
    if (g->cubes && g->s->cubes != NULL)
        snprintf(text, 16, "%u", (unsigned)g->s->cubes[cell]);
    else if (g->cubes)
        snprintf(text, 16, "o%u", (unsigned)cell);
    else
        snprintf(text, 16, "%c", letter_at(d == 2 ? cell / columns % rows : cell % columns));
    return text;
}

/* ---- heat ---- */

static double busiest(const Grid *g, uint32_t cell) {
    double most = 0;
    for (int k = 0; g->s->load != NULL && k < 6; k++)
        most =
            g->s->load[6 * cell + (uint32_t)k] > most ? g->s->load[6 * cell + (uint32_t)k] : most;
    return most;
}

static double both_ways(const Grid *g, uint32_t cell, int d) {
    uint32_t to = lp_pod_link(lp_pod_of(g->model), g->s->slice, cell, d, 0);
    double there = g->s->load[6 * cell + 2 * (uint32_t)d];
    double back = to != LP_NO_INDEX ? g->s->load[6 * to + 2 * (uint32_t)d + 1] : 0;
    return there > back ? there : back;
}

static LpStyle style_of(double share) {
    return share >= 0.95 ? LP_ROLE_BAD : share >= 0.5 ? LP_ROLE_WAIT : LP_ROLE_GOOD;
}

static void draw_link(const Grid *g, const LpArea *area, int x, int y, uint32_t cell, int d) {
    double share = g->cubes || g->s->load == NULL ? 0 : both_ways(g, cell, d) / g->full;
    LpGlyph thin = d == 2 ? LP_GLYPH_HORIZONTAL : LP_GLYPH_VERTICAL;
    LpGlyph heavy = d == 2 ? LP_GLYPH_HEAVY : LP_GLYPH_HEAVY_DOWN;
    LpStyle style = g->cubes || g->s->load == NULL ? LP_ROLE_MUTED : style_of(share);
    if (d == 2)
        lp_area_repeat(area, x, y, g->px - 1, style, share >= 0.95 ? heavy : thin);
    for (int i = 0; d == 1 && i < g->py - 1; i++)
        lp_area_glyph(area, x, y + i, style, share >= 0.95 ? heavy : thin);
}

static void draw_cell(const Grid *g, const LpArea *area, int x, int y, uint32_t cell) {
    char name[16];
    if (g->cubes) {
        lp_area_text(area, x, y, lp_model_ink(g->model, g->s->job), name_of(g, cell, 0, name));
        return;
    }
    double share = busiest(g, cell) / g->full;
    if (g->s->load == NULL)
        lp_area_glyph(area, x, y, LP_ROLE_MUTED, LP_GLYPH_FREE);
    else
        lp_area_put(area, x, y, style_of(share), lp_glyph_height(share, area->canvas->ascii));
}

/* ---- a layer ---- */

/* Names that are not the plain way back to the beginning stand out. */
static void draw_seam(const Grid *g, const LpArea *area, int x, int y, int d, uint32_t from,
                      uint32_t plain) {
    char name[16];
    uint32_t to = next_of(g, d, from);
    LpStyle style = to == plain ? LP_ROLE_MUTED : LP_ROLE_PENDING | LP_BOLD;
    lp_area_text(area, x, y, style, name_of(g, to, d, name));
}

static void draw_row(const Grid *g, const LpArea *area, int layer, int row) {
    int y = HEADER + row * g->py, last = g->e[2] - 1;
    char name[16];
    if (!g->cubes)
        lp_area_text(area, 1, y, LP_ROLE_LABEL, name_of(g, node_of(g, layer, row, 0), 2, name));
    for (int z = 0; z <= last; z++) {
        uint32_t cell = node_of(g, layer, row, z);
        int x = g->label + z * g->px;
        int wide = g->cubes ? lp_text_width(name_of(g, cell, 0, name)) : 1;
        if (z < last)
            draw_link(g, area, x + 1, y, cell, 2);
        if (g->py > 1 && row + 1 < g->e[1])
            draw_link(g, area, x, y + 1, cell, 1);
        if (g->cubes)
            lp_area_repeat(area, x, y, wide, LP_ROLE_TEXT, LP_GLYPH_SPACE);
        draw_cell(g, area, x, y, cell);
    }
    draw_seam(g, area, g->label + last * g->px + (g->cubes ? CUBE_COLUMNS - 1 : 2), y, 2,
              node_of(g, layer, row, last), node_of(g, layer, row, 0));
}

static void draw_layer(const Grid *g, const LpArea *area, int layer) {
    char name[16];
    lp_area_textf(area, 0, 0, LP_ROLE_LABEL, "x%d", layer);
    for (int z = 0; z < g->e[2] && !g->cubes; z++)
        lp_area_text(area, g->label + z * g->px, 0, LP_ROLE_LABEL,
                     name_of(g, node_of(g, layer, 0, z), 1, name));
    for (int row = 0; row < g->e[1]; row++)
        draw_row(g, area, layer, row);
    for (int z = 0; z < g->e[2]; z++)
        draw_seam(g, area, g->label + z * g->px, HEADER + g->e[1] * g->py - (g->py - 1), 1,
                  node_of(g, layer, g->e[1] - 1, z), node_of(g, layer, 0, z));
}

/* ---- which cells have room ---- */

static bool plan(Grid *g, bool cubes, int px, int py, int width, int height) {
    const LpSlice *s = g->s->slice;
    for (int d = 0; d < 3; d++)
        g->e[d] = (int)(cubes ? s->size[d] : s->extent[d]);
    g->cubes = cubes;
    g->px = cubes ? CUBE_COLUMNS : px;
    g->py = py;
    g->label = cubes ? 1 : 3;
    g->w = g->label + g->e[2] * g->px + GAP + (cubes ? 0 : 1);
    g->h = HEADER + (g->e[1] - 1) * py + 3;
    g->per = (width + GAP) / g->w;
    if (g->per < 1 || (!cubes && g->e[2] > LETTERS_MOST))
        return false;
    g->per = g->per > g->e[0] ? g->e[0] : g->per;
    g->rows = (g->e[0] + g->per - 1) / g->per;
    return g->rows * g->h <= height + 1;
}

/* The largest drawing that has room; false: none has, and only some layers of cubes show. */
static bool choose(Grid *g, int width, int height) {
    static const struct {
        int px, py;
    } tries[] = {{10, 4}, {8, 3}, {6, 3}, {6, 2}, {4, 2}, {4, 1}, {2, 2}, {2, 1}};
    bool cubes = g->s->slice->cubes > 0;
    for (size_t i = 0; i < LP_COUNTOF(tries); i++)
        if (!(cubes && lp_pod_state(g->model)->by_cubes) &&
            plan(g, false, tries[i].px, tries[i].py, width, height))
            return true;
    return (cubes && (plan(g, true, 0, 2, width, height) || plan(g, true, 0, 1, width, height))) ||
           (!cubes && plan(g, false, 2, 1, width, height));
}

/* ---- in words ---- */

/* " +x: 4 on along z" */
static void add_seam(const LpPodSlice *s, const LpPod *pod, int d, LpBuf *out) {
    static const char axis[] = "xyz";
    bool plain = true;
    lp_buf_addf(out, "  +%c ", axis[d]);
    if (!s->slice->closed[d]) {
        lp_buf_add(out, "ends");
        return;
    }
    for (int e = 0; e < 3; e++)
        if (s->slice->shift[d][e] > 0) {
            lp_buf_addf(out, "%s%u on along %c", plain ? "" : ", ",
                        (unsigned)(s->slice->shift[d][e] * pod->cube), axis[e]);
            plain = false;
        }
    if (plain)
        lp_buf_add(out, "back to its start");
}

/* The busiest link of each dimension as a bar. */
static void draw_dimensions(const Grid *g, const LpArea *area, int y) {
    int x = lp_area_text(area, 0, y, LP_ROLE_LABEL, "load ") + 1,
        room = (area->rect.w - x) / 3 - 10;
    room = room > 20 ? 20 : room;
    for (int d = 0; d < 3; d++) {
        double most = 0;
        for (uint32_t k = 0; k < 6 * g->s->slice->accelerators; k++)
            if ((int)(k % 6) / 2 == d && g->s->load[k] > most)
                most = g->s->load[k];
        int filled = (int)(most / g->full * room + 0.5);
        x = lp_area_textf(area, x, y, LP_ROLE_TEXT, "%c %.5g ", "xyz"[d], most);
        for (int i = 0; i < room; i++)
            lp_area_glyph(area, x++, y, i < filled ? style_of(most / g->full) : LP_ROLE_FREE,
                          i < filled ? LP_GLYPH_BAR : LP_GLYPH_BAR_REST);
        x += 2;
    }
}

static void draw_heat(const Grid *g, const LpArea *area, int y) {
    int x = lp_area_text(area, 0, y, LP_ROLE_LABEL, "heat  ");
    for (int i = 1; i <= 8; i++)
        lp_area_put(area, x++, y, style_of(i / 8.0), lp_glyph_height(i / 8.0, area->canvas->ascii));
    lp_area_textf(area, x, y, LP_ROLE_MUTED, " 0 to %.5g units on the busiest link", g->full);
}

static void draw_facts(const Grid *g, const LpArea *area, int y) {
    const LpSlicePrediction *p = &g->s->is;
    char reduce[LP_SHOW_TEXT];
    LpBuf text = {0};
    for (int d = 0; d < 3; d++)
        add_seam(g->s, lp_pod_of(g->model), d, &text);
    int x = lp_area_text(area, 0, y, LP_ROLE_LABEL, "seams");
    lp_area_fit(area, x, y, area->rect.w - x, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
    if (g->s->load == NULL) {
        lp_area_fit(area, 0, y + 1, area->rect.w, LP_ROLE_MUTED,
                    "its loads take seconds: lightpath predict slice:... has them");
        return;
    }
    draw_dimensions(g, area, y + 1);
    lp_area_textf(area, 0, y + 2, LP_ROLE_TEXT,
                  "all-to-all at most %.5g on a link, plain rings %.5g; diameter %u, mean %.4g",
                  p->load, p->load * p->gain, (unsigned)p->diameter, p->mean_distance);
    lp_area_textf(area, 0, y + 3, LP_ROLE_TEXT, "all-reduce %s for 1 GB%s; %u circuits",
                  lp_show_seconds(p->all_reduce_time, reduce),
                  p->slice.twisted ? " (rings: as plain)" : "", (unsigned)p->cross_connects);
    if (!g->cubes)
        draw_heat(g, area, y + 4);
}

static void add_cubes(const LpPodSlice *s, LpBuf *out) {
    enum { MOST = 8 };
    if (s->cubes == NULL && s->slice->cubes == 0 && s->home != LP_NO_INDEX)
        lp_buf_addf(out, " in cube %u", (unsigned)s->home);
    for (uint32_t o = 0; s->cubes != NULL && o < s->slice->cubes && o < MOST; o++)
        lp_buf_addf(out, "%s%u",
                    o > 0                  ? " "
                    : s->slice->cubes == 1 ? ", cube "
                                           : ", cubes ",
                    (unsigned)s->cubes[o]);
    if (s->cubes != NULL && s->slice->cubes > MOST)
        lp_buf_addf(out, " and %u more", (unsigned)(s->slice->cubes - MOST));
}

void lp_view_torus(const LpModel *model, const LpArea *area) {
    const LpPodSlice *s = &lp_pod_facts(model)->shown;
    LpBuf title = {0};
    if (s->slice == NULL) {
        LpArea none = lp_area_heading(area, "SLICE");
        lp_area_fit(&none, 1, 0, none.rect.w - 2, LP_ROLE_MUTED, "no slice is held");
        return;
    }
    LpBuf *out = &title;
    char name[LP_SLICE_TEXT], whose[LP_WORDS_JOB];
    lp_buf_add(out, "SLICE");
    if (s->job != LP_NO_INDEX)
        lp_buf_addf(out, " of %s:", lp_words_job(model, lp_world_job(model->world, s->job), whose));
    lp_buf_addf(out, " %s", lp_slice_name(s->slice, name));
    add_cubes(s, out);
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    Grid grid = {.model = model, .s = s, .full = 1};
    if (s->load != NULL)
        grid.full = s->is.load * (s->is.gain > 1 ? s->is.gain : 1);
    grid.full = grid.full > 0 ? grid.full : 1;
    int room = inside.rect.h - FACTS;
    bool whole = choose(&grid, inside.rect.w, room);
    LpArea above = lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, room});
    const Grid *g = &grid;
    uint32_t first = whole ? 0 : lp_pod_state(g->model)->layer;
    int per = g->per < 1 ? 1 : g->per;
    for (int i = 0; i < g->e[0]; i++) {
        int layer = ((int)first + i) % g->e[0], y = i / per * g->h;
        LpArea part = lp_area_part(&above, (LpRect){i % per * g->w, y, g->w, g->h - 1});
        if (y >= above.rect.h)
            break;
        draw_layer(g, &part, layer);
    }
    int below = grid.rows * grid.h;
    draw_facts(&grid, &inside, whole && below < room ? below : room);
    lp_area_done(area, &title);
}
