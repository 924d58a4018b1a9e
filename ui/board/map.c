/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Up to four sites as a map: what each has, and the ways between them, the thicker the more of
 * their rate is taken, with their delay and the letters of the jobs that send over them. */
#include <stdio.h>

#include "board/links.h"
#include "board/site.h"
#include "model/measure.h"

enum {
    SITES = 4,
    GAP = 9,     /* columns between the boxes, in which the oblique ways cross */
    BETWEEN = 3, /* rows between them */
    LEAST = 16,  /* columns of a box */
    MOST = 30,
    FRAME = 2 /* rows, or columns, of a box that are its border */
};

/* Corners: of site z the column is z mod 2, the row z / 2. */
typedef struct Map {
    const LpLinkBoard *b;
    const LpArea *area;
    int width, lines; /* of a box, and of servers in it */
    int x[2], y[2];
} Map;

static Map map_of(const LpLinkBoard *b, const LpArea *area, int width, int height) {
    Map m = {b, area, (width - GAP) / 2, 1, {0, 0}, {0, 0}};
    m.width = m.width > MOST ? MOST : m.width;
    int per_line = (m.width - FRAME - 2) / 2;
    while (m.lines < 3 && per_line > 0 &&
           (uint32_t)(per_line * m.lines) < lp_board_site_most(b->model))
        m.lines++;
    while (m.lines > 1 && 2 * (m.lines + FRAME) + BETWEEN > height)
        m.lines--;
    m.x[1] = m.width + GAP;
    m.y[1] = m.lines + FRAME + BETWEEN;
    return m;
}

bool lp_board_map_fits(const LpLinkBoard *b, int width, int height) {
    uint32_t sites = b->plan->count;
    return sites >= 2 && sites <= SITES && width >= 2 * LEAST + GAP &&
           height >= 2 * (1 + FRAME) + BETWEEN;
}

/* ---- sites ---- */

static void draw_site(const Map *m, uint32_t zone) {
    LpBoardSite it = lp_board_site(m->b->model, zone);
    uint32_t begin = it.begin, end = it.end;
    char title[LP_ZONE_NAME + 32];
    snprintf(title, sizeof title, " %s %u free ", it.name, (unsigned)it.free);
    LpArea box =
        lp_area_part(m->area, (LpRect){m->x[zone % 2], m->y[zone / 2], m->width, m->lines + FRAME});
    LpArea inside = lp_area_box(&box, "");
    lp_area_fit(&box, 1, 0, m->width - 2, LP_ROLE_TEXT, title);
    int per_line = (inside.rect.w - 1) / 2;
    for (uint32_t i = 0; i < end - begin; i++) {
        int line = (int)i / per_line, at = (int)i % per_line;
        bool more = line == m->lines - 1 && at == per_line - 1 && i + 1 < end - begin;
        if (line >= m->lines)
            break;
        if (more)
            lp_area_put(&inside, 1 + 2 * at, line, LP_ROLE_MUTED, '+');
        else
            lp_link_server(m->b->model, &inside, 1 + 2 * at, line, begin + i);
    }
}

/* ---- ways ---- */

/* Both directions of a way. */
typedef struct Way {
    uint32_t link; /* and the next one back */
    double share;  /* the fuller direction */
    double delay;  /* s */
    uint32_t a, b;
} Way;

static Way way_of(const LpLinkBoard *b, uint32_t from, uint32_t to) {
    const LpNetwork *n = b->network;
    Way w = {2 * (n->servers + lp_zone_pair(b->plan->count, from, to)), 0.0, 0.0, from, to};
    double back = lp_link_share(b, w.link + 1);
    w.share = lp_link_share(b, w.link);
    w.share = back > w.share ? back : w.share;
    w.delay =
        lp_way_true(b->fabric, n->usual[from], n->usual[to], lp_world_now(b->model->world)).delay;
    return w;
}

/* Thin, heavy from a third of the rate on, double where it is full. */
static int thickness(const Way *w) {
    return w->share > 0.9 ? 2 : w->share > 0.3;
}

static LpStyle ink(const Way *w) {
    return w->share > 0.9   ? (LpStyle)(LP_ROLE_BAD | LP_BOLD)
           : w->share > 0.3 ? (LpStyle)(LP_ROLE_TEXT | LP_BOLD)
           : w->share > 0.0 ? (LpStyle)LP_ROLE_TEXT
                            : (LpStyle)LP_ROLE_BORDER;
}

static int print_delay(const Way *w, char out[32]) {
    return snprintf(out, 32, "%.3g", 1e3 * w->delay);
}

/* Who sends in either direction, each once, in `room` columns before `end` (right) or from x on.
 */
static void put_letters(const Map *m, const Way *w, int x, int y, int room, bool right) {
    enum { JOBS = 16 };
    uint32_t job[2 * JOBS], count = 0, dir[JOBS];
    for (uint32_t back = 0; back < 2; back++) {
        uint32_t n = lp_world_link_jobs(m->b->model->world, m->b->model->context, w->link + back,
                                        JOBS, dir, NULL);
        for (uint32_t i = 0; i < n && i < JOBS; i++) {
            bool known = false;
            for (uint32_t k = 0; k < count; k++)
                known |= job[k] == dir[i];
            if (!known)
                job[count++] = dir[i];
        }
    }
    uint32_t shown = (int)count <= room ? count : (uint32_t)(room > 0 ? room : 0);
    x = right ? x - (int)shown : x;
    for (uint32_t i = 0; i < shown; i++) {
        bool cut = shown < count && i + 1 == shown;
        if (cut)
            lp_area_put(m->area, x + (int)i, y, LP_ROLE_MUTED, '+');
        else
            lp_letter_put(m->area, x + (int)i, y, lp_model_ink(m->b->model, job[i]), job[i],
                          lp_letters_of(&m->b->model->letters, job[i]));
    }
}

static void draw_level(const Map *m, int row, const Way *w) {
    static const LpGlyph line[] = {LP_GLYPH_HORIZONTAL, LP_GLYPH_HEAVY, LP_GLYPH_DOUBLE};
    char text[32];
    int y = m->y[row] + (row == 0 ? 1 : m->lines);
    int width = print_delay(w, text);
    lp_area_repeat(m->area, m->width, y, GAP, ink(w), line[thickness(w)]);
    lp_area_text(m->area, m->width + (GAP - width) / 2, y + (row == 0 ? -1 : 1), LP_ROLE_TEXT,
                 text);
    put_letters(m, w, m->width + 2, y, GAP - 4, false);
}

static void draw_upright(const Map *m, int column, const Way *w) {
    static const LpGlyph line[] = {LP_GLYPH_VERTICAL, LP_GLYPH_HEAVY_DOWN, LP_GLYPH_DOUBLE_DOWN};
    char text[32];
    int x = m->x[column] + m->width / 2, y = m->lines + FRAME;
    for (int i = 0; i < BETWEEN; i++)
        lp_area_glyph(m->area, x, y + i, ink(w), line[thickness(w)]);
    print_delay(w, text);
    if (column == 0)
        lp_area_right(m->area, x - 1, y + 1, LP_ROLE_TEXT, text);
    else
        lp_area_text(m->area, x + 2, y + 1, LP_ROLE_TEXT, text);
    put_letters(m, w, column == 0 ? x - 1 : x + 2, y + 2, m->width / 2 - 2, column == 0);
}

/* From the upper left site down to the right, or the other way; their labels hug them. */
static void draw_oblique(const Map *m, const Way *w, bool falling) {
    enum { HALF = 2 };
    int cx = m->width + GAP / 2, cy = m->lines + FRAME + BETWEEN / 2, side = falling ? -1 : 1;
    char text[32];
    for (int i = -HALF; i <= HALF; i++)
        lp_area_glyph(m->area, cx + (falling ? i : -i), cy + i, ink(w),
                      falling ? LP_GLYPH_FALLING : LP_GLYPH_RISING);
    print_delay(w, text);
    if (falling)
        lp_area_text(m->area, cx + 3, cy + 1, LP_ROLE_TEXT, text);
    else
        lp_area_right(m->area, cx - 2, cy + 1, LP_ROLE_TEXT, text);
    put_letters(m, w, cx + 2 * side + (falling ? 0 : 1), cy - 1, m->width / 2, falling);
}

/* Sites 0 1 above 2 3: 0-1 and 2-3 are level, 0-2 and 1-3 upright, 0-3 and 1-2 oblique. */
static void draw_way(const Map *m, uint32_t from, uint32_t to) {
    Way w = way_of(m->b, from, to);
    if (from / 2 == to / 2)
        draw_level(m, (int)from / 2, &w);
    else if (from % 2 == to % 2)
        draw_upright(m, (int)from % 2, &w);
    else
        draw_oblique(m, &w, from == 0);
}

LpRect lp_board_map_size(const LpLinkBoard *b, int width, int height) {
    Map m = map_of(b, NULL, width, height);
    return (LpRect){0, 0, 2 * m.width + GAP, 2 * (m.lines + FRAME) + BETWEEN};
}

int lp_board_map(const LpLinkBoard *b, const LpArea *area) {
    Map m = map_of(b, area, area->rect.w, area->rect.h);
    uint32_t sites = b->plan->count;
    for (uint32_t to = 1; to < sites; to++)
        for (uint32_t from = 0; from < to; from++)
            draw_way(&m, from, to);
    if (sites == SITES)
        lp_area_glyph(area, m.width + GAP / 2, m.lines + FRAME + BETWEEN / 2, LP_ROLE_TEXT,
                      LP_GLYPH_CROSSING);
    for (uint32_t z = 0; z < sites; z++)
        draw_site(&m, z);
    return area->rect.h;
}
