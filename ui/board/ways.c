/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From each site to each: what is measured of the way, what is true, and how much of it is taken.
 */
#include <stdio.h>
#include <string.h>

#include "board/links.h"
#include "board/site.h"
#include "model/measure.h"

enum { LABEL = 9 };

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
static void draw_others(const LpLinkBoard *b, const LpArea *area, int x, int y, int width,
                        uint32_t zone) {
    const uint32_t *begin = b->network->locality_begin;
    char text[48];
    if (b->network->others[zone] == 0)
        return;
    snprintf(text, sizeof text, "%u of %u differ", (unsigned)b->network->others[zone],
             (unsigned)(begin[zone + 1] - begin[zone]));
    lp_area_fit(area, x, y, width, LP_ROLE_TEXT, text);
}

static void draw_way(const LpLinkBoard *b, const LpArea *area, int x, int y, int width, int lines,
                     uint32_t from, uint32_t to) {
    double now = lp_world_now(b->model->world);
    uint32_t src, dst;
    if (!stand_for(b->network, from, to, &src, &dst))
        return;
    LpMeasuredPath w = lp_way_true(b->fabric, src, dst, now),
                   m = lp_way_measured(b->fabric, src, dst, now);
    if (from != to) {
        uint32_t zones = b->plan->count, low = from < to ? from : to;
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

static int label_of(const LpLinkBoard *b) {
    int width = lp_board_site_width(b->model);
    return width < LABEL ? width : LABEL;
}

bool lp_board_ways_fit(const LpLinkBoard *b, int width, int height) {
    int sites = (int)b->plan->count;
    return sites < height && label_of(b) + CELL_WIDTH * sites <= width;
}

int lp_board_ways_lines(const LpLinkBoard *b) {
    bool differ = false;
    for (uint32_t z = 0; z < b->plan->count; z++)
        differ |= b->network->others[z] > 0;
    return (int)b->plan->count * (differ ? CELL_LINES : 1) + 2;
}

void lp_board_ways_title(const LpLinkBoard *b, int width, int height, LpBuf *out) {
    int sites = (int)b->plan->count, lines = (height - 1) / sites;
    bool both = (width - label_of(b)) / sites >= CELL_BOTH;
    lp_buf_addf(out, "WAYS measured%s%s, bar: taken", both ? " (true)" : " ms",
                both        ? ""
                : lines > 2 ? ", GB/s, loss"
                : lines > 1 ? ", GB/s"
                            : "");
}

int lp_board_ways(const LpLinkBoard *b, const LpArea *area) {
    int zones = (int)b->plan->count, label = label_of(b);
    int lines = (area->rect.h - 1) / zones, width = (area->rect.w - label) / zones;
    width = width > CELL_MOST ? CELL_MOST : width;
    lines = lines > CELL_LINES ? CELL_LINES : lines;
    for (int z = 0; z < zones; z++) {
        const char *name = lp_board_site(b->model, (uint32_t)z).name;
        lp_area_fit(area, label + z * width + 2, 0, width - 3, LP_ROLE_MUTED, name);
        lp_area_fit(area, 0, 1 + z * lines, label - 1, LP_ROLE_MUTED, name);
        for (int to = 0; to < zones; to++)
            draw_way(b, area, label + to * width, 1 + z * lines, width, lines, (uint32_t)z,
                     (uint32_t)to);
    }
    return zones * lines + 1;
}
