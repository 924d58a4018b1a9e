/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of links that jobs share: between leaves and spines, or between zones with what is
 * measured of them and what is true; of other networks those that are taken most. */
#include "views/circuits/circuits_links.h"
#include "views/circuits/full.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/measure.h"

enum { TOP = 64, LABEL = 9, PERCENT = 7, WHO = 14 };

typedef LpLinkBoard Board;

/* ---- those that are taken most ---- */

/* "leaf 1 to spine 0, 100 %" */
static void print_link(const Board *b, uint32_t link, LpBuf *out) {
    char from[LP_LINK_NODE], to[LP_LINK_NODE], percent[LP_SHOW_TEXT];
    lp_link_node(b, b->network->from[link], from);
    lp_link_node(b, b->network->to[link], to);
    lp_buf_addf(out, "%s to %s %s", from, to, lp_show_percent(lp_link_share(b, link), percent));
}

void lp_links_list(const Board *b, const LpArea *area) {
    enum { LEAST = 42 };
    uint32_t top[TOP], count = lp_links_busiest(b, top, TOP);
    int columns = area->rect.w >= 2 * LEAST ? 2 : 1, width = area->rect.w / columns;
    for (uint32_t i = 0; i < count && (int)i < area->rect.h * columns; i++) {
        LpBuf text = {0};
        int x = (int)i / area->rect.h * width, y = (int)i % area->rect.h;
        print_link(b, top[i], &text);
        lp_link_bar(b, area, x, y, top[i]);
        int end = lp_area_fit(area, x + 2, y, width - 3, LP_ROLE_TEXT, lp_buf_text(&text));
        lp_link_letters(b, area, end + 1, y, x + width - end - 2, top[i]);
        lp_area_done(area, &text);
    }
    if (count == 0)
        lp_area_text(area, 0, 0, LP_ROLE_MUTED, "no shared link carries anything");
}

/* ---- leaves and spines ---- */

static bool leaf_spine_fits(const Board *b, const LpArea *area) {
    const LpNetworkSpec *s = &b->network->spec;
    return s->topology == LP_TOPOLOGY_LEAF_SPINE && (int)s->leaves < area->rect.h &&
           LABEL + 3 * (int)s->spines <= area->rect.w;
}

/* One direction of a cable: a bar, with room for it the share in words, with more who takes it: a
 * job's letter, or how many jobs. */
static void draw_direction(const Board *b, const LpArea *area, int x, int y, int width,
                           uint32_t link) {
    char text[LP_SHOW_TEXT];
    uint32_t jobs = b->link[link].jobs;
    bool bar = width < PERCENT || !b->ascii;
    if (bar || jobs == 0)
        lp_link_bar(b, area, x, y, link);
    if (jobs == 0 || width < PERCENT)
        return;
    lp_area_right(area, x + PERCENT, y, LP_ROLE_TEXT,
                  lp_show_percent(lp_link_share(b, link), text));
    int letter = lp_letters_of(&b->model->letters, b->link[link].job);
    if (width >= WHO && jobs == 1 && letter >= 0)
        lp_area_put(area, x + PERCENT + 1, y, lp_model_letter_style(letter),
                    (uint32_t)lp_letter(letter));
    else if (width >= WHO)
        lp_area_textf(area, x + PERCENT + 1, y, LP_ROLE_MUTED, "%u job%s", (unsigned)jobs,
                      lp_str_s(jobs));
}

static void draw_leaf_spine(const Board *b, const LpArea *area) {
    const LpNetworkSpec *s = &b->network->spec;
    int width = (area->rect.w - LABEL) / (int)s->spines;
    width = width > 2 * (WHO + 1) ? 2 * (WHO + 1) : width;
    int half = width >= 2 * (PERCENT + 1) ? width / 2 : 1;
    for (uint32_t p = 0; p < s->spines; p++) {
        int x = LABEL + (int)p * width;
        lp_area_textf(area, x, 0, LP_ROLE_MUTED,
                      half >= WHO  ? "up to spine %u"
                      : width >= 8 ? "spine %u"
                                   : "p%u",
                      (unsigned)p);
        if (half >= WHO)
            lp_area_text(area, x + half, 0, LP_ROLE_MUTED, "down");
    }
    for (uint32_t leaf = 0; leaf < s->leaves; leaf++) {
        lp_area_textf(area, 0, 1 + (int)leaf, LP_ROLE_MUTED, "leaf %u", (unsigned)leaf);
        for (uint32_t p = 0; p < s->spines; p++) {
            uint32_t up = 2 * (b->network->servers + leaf * s->spines + p);
            int x = LABEL + (int)p * width;
            draw_direction(b, area, x, 1 + (int)leaf, half - 1, up);
            draw_direction(b, area, x + half, 1 + (int)leaf, half - 1, up + 1);
        }
    }
}

/* ---- zones ---- */

/* Two servers that stand for the way from zone to zone: such as most of them are. False where a
 * zone has one server only. */
static bool stand_for(const LpNetwork *n, uint32_t from, uint32_t to, uint32_t *src,
                      uint32_t *dst) {
    uint32_t begin = n->locality_begin[to], end = n->locality_begin[to + 1];
    *src = n->usual[from];
    *dst = n->usual[to];
    if (from != to)
        return true;
    for (*dst = *src + 1; *dst < end && !lp_network_same_cable(n, *src, *dst);)
        ++*dst;
    if (*dst >= end)
        *dst = *src > begin ? begin : begin + 1;
    return *dst < end;
}

/* Figures of one way as lines of a cell; lines, and what a cell takes of columns. */
enum { CELL_LINES = 4, CELL_WIDTH = 8, CELL_BOTH = 17, CELL_WIDE = 22, CELL_MOST = 26 };

/* "1.5e-6" instead of "1.5e-06". */
static void print_short(double value, int digits, char out[32]) {
    char *zero;
    snprintf(out, 32, "%.*g", digits, value);
    zero = strstr(out, "e-0");
    if (zero != NULL)
        memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
}

/* "1.58 (1.5) ms", "1.58(1.5)ms", or where there is no room for both "1.58". */
static void draw_figure(const LpArea *area, int x, int y, int width, double seen, double truth,
                        const char *unit) {
    char text[96], a[32], b[32];
    bool wide = width >= CELL_WIDE - 2;
    print_short(seen, wide || *unit ? 3 : 2, a);
    print_short(truth, wide || *unit ? 3 : 2, b);
    if (wide)
        snprintf(text, sizeof text, "%s (%s)%s%s", a, b, *unit ? " " : "", unit);
    else if (width >= CELL_BOTH - 2)
        snprintf(text, sizeof text, "%s(%s)%s", a, b, unit);
    else
        snprintf(text, sizeof text, "%s", a);
    lp_area_fit(area, x, y, width - 1, LP_ROLE_TEXT, text);
}

/* How many servers of a zone have cables of their own; its figures are those of the rest. */
static void draw_others(const Board *b, const LpArea *area, int x, int y, int width,
                        uint32_t zone) {
    const uint32_t *begin = b->network->locality_begin;
    char text[48];
    if (b->network->others[zone] == 0)
        return;
    snprintf(text, sizeof text, "%u of %u differ", (unsigned)b->network->others[zone],
             (unsigned)(begin[zone + 1] - begin[zone]));
    lp_area_fit(area, x, y, width, LP_ROLE_TEXT, text);
}

static void draw_way(const Board *b, const LpArea *area, int x, int y, int width, int lines,
                     uint32_t from, uint32_t to) {
    double now = lp_world_now(b->model->world);
    uint32_t src, dst;
    if (!stand_for(b->network, from, to, &src, &dst))
        return;
    LpMeasuredPath w = lp_way_true(b->fabric, src, dst, now),
                   m = lp_way_measured(b->fabric, src, dst, now);
    if (from != to) {
        uint32_t zones = b->network->localities, low = from < to ? from : to;
        uint32_t cable = b->network->servers + lp_zone_pair(zones, low, from + to - low);
        lp_link_bar(b, area, x, y, 2 * cable + (from > to));
    }
    x += 2;
    width -= 2;
    draw_figure(area, x, y, width, 1e3 * m.delay, 1e3 * w.delay, "ms");
    if (lines > 1)
        draw_figure(area, x, y + 1, width, m.throughput / 1e9, w.throughput / 1e9, "GB/s");
    if (lines > 2 && w.loss > 0)
        draw_figure(area, x, y + 2, width, m.loss, w.loss, "");
    else if (lines > 2)
        lp_area_fit(area, x, y + 2, width - 1, LP_ROLE_MUTED, "no loss");
    if (from == to && lines > 3)
        draw_others(b, area, x, y + 3, width - 1, from);
}

/* Columns of the names before the rows: the longest, and a blank. */
static int zone_label(const Board *b) {
    char name[LP_ZONE_NAME];
    int width = 0;
    for (uint32_t z = 0; z < b->network->localities; z++) {
        int w = lp_text_width(lp_zone_name(b->fabric, z, name)) + 1;
        width = w > width ? w : width;
    }
    return width < LABEL ? width : LABEL;
}

static bool zones_fit(const Board *b, const LpArea *area) {
    int zones = (int)b->network->localities;
    return b->network->spec.topology == LP_TOPOLOGY_ZONES && zones < area->rect.h &&
           zone_label(b) + CELL_WIDTH * zones <= area->rect.w;
}

static void draw_zones(const Board *b, const LpArea *area) {
    int zones = (int)b->network->localities, label = zone_label(b);
    int lines = (area->rect.h - 1) / zones, width = (area->rect.w - label) / zones;
    char name[LP_ZONE_NAME];
    width = width > CELL_MOST ? CELL_MOST : width;
    lines = lines > CELL_LINES ? CELL_LINES : lines;
    for (int z = 0; z < zones; z++) {
        lp_zone_name(b->fabric, (uint32_t)z, name);
        lp_area_fit(area, label + z * width + 2, 0, width - 3, LP_ROLE_MUTED, name);
        lp_area_fit(area, 0, 1 + z * lines, label - 1, LP_ROLE_MUTED, name);
        for (int to = 0; to < zones; to++)
            draw_way(b, area, label + to * width, 1 + z * lines, width, lines, (uint32_t)z,
                     (uint32_t)to);
    }
}

/* ---- the pane ---- */

static void print_zones(const Board *b, const LpArea *inside, LpBuf *out) {
    int count = (int)b->network->localities;
    bool both = (inside->rect.w - zone_label(b)) / count >= CELL_BOTH;
    int lines = (inside->rect.h - 1) / count;
    lp_buf_addf(out, "WAYS measured%s%s, bar: taken", both ? " (true)" : " ms",
                both        ? ""
                : lines > 2 ? ", GB/s, loss"
                : lines > 1 ? ", GB/s"
                            : "");
}

/* What a board shows of the links, the most telling one first. */
typedef enum Form { SITES, ZONES, LEAVES, LEAF_SPINE, LIST } Form;

/* A map takes the place of the ways as they are measured where these have a screen of their own. */
static Form form_of(const Board *b, const LpArea *inside, bool alone) {
    return alone && lp_circuits_state(b->model)->look == LP_LOOK_PATHS      ? LIST
           : !alone && lp_view_sites_fit(b, inside->rect.w, inside->rect.h) ? SITES
           : zones_fit(b, inside)                                           ? ZONES
           : lp_view_leaves_fit(b, inside->rect.w, inside->rect.h)          ? LEAVES
           : leaf_spine_fits(b, inside)                                     ? LEAF_SPINE
                                                                            : LIST;
}

static void print_title(const Board *b, const LpArea *inside, Form form, LpBuf *out) {
    static const char *const titles[] = {
        [SITES] = "SITES delay in ms, line: data taken",
        [LEAVES] = "LINKS height: share taken, letters: jobs",
        [LEAF_SPINE] = "LINKS share taken, up and down",
        [LIST] = "LINKS most taken first",
    };
    if (form == ZONES)
        print_zones(b, inside, out);
    else
        lp_buf_add(out, titles[form]);
}

static void draw_line(const Board *b, const LpArea *area) {
    uint32_t top[1] = {LP_NO_INDEX};
    LpBuf text = {0};
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "links") + 1;
    if (lp_links_busiest(b, top, 1) > 0)
        print_link(b, top[0], &text);
    else
        lp_buf_add(&text, "idle");
    x = lp_area_fit(area, x, 0, area->rect.w - x, LP_ROLE_TEXT, lp_buf_text(&text));
    if (top[0] != LP_NO_INDEX)
        lp_link_letters(b, area, x + 1, 0, area->rect.w - x - 1, top[0]);
    lp_area_done(area, &text);
}

/* The picture, and below it in what is left the fullest links. */
static void draw_leaves(const Board *b, const LpArea *area) {
    int lines = lp_view_leaves(b, area) + 1;
    LpArea below = lp_area_part(area, (LpRect){0, lines, area->rect.w, area->rect.h - lines});
    if (below.rect.h > 0)
        lp_links_list(b, &below);
}

/* How full the ways are: beside the map, else below the table. */
static void draw_full_beside(const Board *b, const LpArea *area, LpRect map, int table) {
    int x = map.w, y = map.h + 1 + table;
    LpArea beside = lp_area_part(area, (LpRect){x, 0, area->rect.w - x, map.h});
    LpArea below = lp_area_part(area, (LpRect){-1, y, area->rect.w + 1, area->rect.h - y});
    if (beside.rect.w >= LP_FULL_WIDTH - 2)
        lp_view_full(b->model, &beside);
    else if (below.rect.h > 2)
        lp_view_full(b->model, &below);
}

/* Columns of the map: all, but for those of the gauges where that makes it no longer. */
static int map_width(const Board *b, int width, int height) {
    int beside = width - LP_FULL_WIDTH;
    bool room = lp_view_sites_fit(b, beside, height) &&
                lp_view_sites_lines(b, beside, height) == lp_view_sites_lines(b, width, height);
    return lp_view_sites_width(b, room ? beside : width, height);
}

/* On a screen of its own: the map, and below it what is measured of the ways. */
static bool draw_zones_alone(const Board *b, const LpArea *area) {
    uint32_t zones = b->network->localities, differ = 0;
    for (uint32_t z = 0; z < zones; z++)
        differ += b->network->others[z];
    int rows = (int)zones * (differ ? CELL_LINES : 1) + 2, room = area->rect.h - rows;
    if (!lp_view_sites_fit(b, area->rect.w, room))
        return false;
    LpRect map = {0, 0, map_width(b, area->rect.w, room), 0};
    map.h = lp_view_sites_lines(b, map.w, room);
    LpArea above = lp_area_part(area, map);
    LpArea below =
        lp_area_part(area, (LpRect){0, map.h + 1, area->rect.w, area->rect.h - map.h - 1});
    if (!zones_fit(b, &below))
        return false;
    lp_view_sites(b, &above);
    draw_zones(b, &below);
    int lines = (below.rect.h - 1) / (int)zones;
    draw_full_beside(b, area, map, (int)zones * (lines < CELL_LINES ? lines : CELL_LINES) + 1);
    return true;
}

static void draw_form(const Board *b, const LpArea *inside, Form form) {
    if (form == SITES)
        lp_view_sites(b, inside);
    else if (form == ZONES)
        draw_zones(b, inside);
    else if (form == LEAVES)
        draw_leaves(b, inside);
    else if (form == LEAF_SPINE)
        draw_leaf_spine(b, inside);
    else
        lp_links_list(b, inside);
}

static void draw_board(const Board *b, const LpArea *area) {
    bool alone = b->model->ui->only == LP_PANE_CIRCUITS;
    if (area->rect.h < 3) {
        draw_line(b, area);
        return;
    }
    LpArea inside = lp_area_part(
        area, (LpRect){1, 1, area->rect.w > 2 ? area->rect.w - 2 : 0, area->rect.h - 1});
    Form form = form_of(b, &inside, alone);
    LpBuf title = {0};
    print_title(b, &inside, form, &title);
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    lp_area_done(area, &title);
    inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    if (!alone || form != ZONES || !draw_zones_alone(b, &inside))
        draw_form(b, &inside, form);
}

void lp_view_links(const LpModel *model, const LpArea *area) {
    Board b;
    if (!lp_links_open(&b, model, area))
        return;
    draw_board(&b, area);
    lp_free(b.link);
}
