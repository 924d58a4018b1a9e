/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rack of servers below one or more circuit switches as a picture: under every server the
 * aggregators that its ports are set to, as digits, "~" while they are being set; then the
 * aggregators with their servers, and the uplinks between them with what crosses them. */
#include <stdio.h>

#include "board/links.h"
#include "views/circuits/ports.h"

enum {
    AGGREGATORS = 9, /* one digit */
    SMALL = 3,       /* lines: servers, their jobs, their digits */
    TALL = 5,        /* with the switch and its wires */
    PITCH_MOST = 8,
    SIDE = 24, /* columns beside the picture */
    BOX_GAP = 20,
    BOX_ROWS = 4,
    TURNING = -1,
    DARK = -2
};

typedef struct Plan {
    int pitch, lines; /* columns of a server; lines down to the digits */
    uint32_t nics;    /* most that a server has */
    bool boxes, side;
} Plan;

/* ---- what is set to what ---- */

/* The aggregator that a server's port is set to, TURNING or DARK. */
static int set_to(const LpPortBoard *b, uint32_t port) {
    LpPortView view = lp_world_port(b->model->world, b->model->context, port);
    if (view.out == LP_DARK || view.out >= b->ocs->ports || view.state == LP_LIGHT_DARK)
        return DARK;
    if (view.state == LP_LIGHT_TURNING)
        return TURNING;
    return (int)(b->ocs->plug[view.out].node - b->ocs->servers);
}

static uint32_t most_nics(const LpPortBoard *b) {
    uint32_t most = 1;
    for (uint32_t s = 0; s < b->ocs->servers; s++) {
        uint32_t nics = 0;
        for (uint32_t p = 0; p < b->ocs->ports; p++)
            nics += b->ocs->plug[p].node == s;
        most = nics > most ? nics : most;
    }
    return most;
}

/* Is every server set to aggregators alone? */
static bool is_rack(const LpPortBoard *b) {
    if (b->ocs->aggregators == 0 || b->ocs->aggregators > AGGREGATORS || b->schedule->entries != 1)
        return false;
    for (uint32_t p = 0; p < b->ocs->ports; p++) {
        uint32_t out = b->schedule->to[p];
        if (lp_port_is_server(b, p) && out < b->ocs->ports && lp_port_is_server(b, out) && out != p)
            return false;
    }
    return true;
}

static Plan plan_of(const LpPortBoard *b, int width, int height) {
    Plan p = {.nics = most_nics(b)};
    int servers = (int)b->ocs->servers, least = (int)p.nics > 2 ? (int)p.nics + 1 : 3;
    p.side = width - SIDE >= servers * least;
    p.pitch = (width - (p.side ? SIDE : 0)) / (servers > 0 ? servers : 1);
    p.pitch = p.pitch > PITCH_MOST ? PITCH_MOST : p.pitch < least ? 0 : p.pitch;
    p.lines = height >= TALL + 1 + BOX_ROWS ? TALL : SMALL;
    p.boxes = height >= p.lines + 1 + BOX_ROWS &&
              2 * (3 * servers + 4) + BOX_GAP <= width + 2 * servers && b->ocs->aggregators == 2;
    return p;
}

bool lp_view_rack_fits(const LpPortBoard *b, int width, int height) {
    return is_rack(b) && height >= SMALL && plan_of(b, width, height).pitch > 0;
}

/* ---- servers and digits ---- */

/* The digits of a server's ports, side by side. */
static void put_digits(const LpPortBoard *b, const LpArea *area, int x, int y, uint32_t server) {
    uint32_t job = lp_world_server(b->model->world, server)->job;
    LpStyle ink = job == LP_NO_INDEX ? (LpStyle)LP_ROLE_TEXT : lp_model_ink(b->model, job);
    for (uint32_t p = 0; p < b->ocs->ports; p++) {
        if (b->ocs->plug[p].node != server)
            continue;
        int to = set_to(b, p);
        if (to == DARK)
            lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
        else
            lp_area_put(area, x, y, to == TURNING ? (LpStyle)(LP_ROLE_WAIT | LP_BOLD) : ink,
                        to == TURNING ? '~' : (uint32_t)('0' + to));
        x++;
    }
}

/* What stands beside the picture, line by line. */
static void put_side(const LpArea *area, int x, int y, LpStyle style, const char *text) {
    lp_area_fit(area, x + 2, y, area->rect.w - x - 2, style, text);
}

static void print_rate(double bytes, char *out, size_t size, const char *what) {
    snprintf(out, size, "%s %.3g Gb/s", what, bytes * 8.0 / 1e9);
}

static void draw_servers(const LpPortBoard *b, const LpArea *area, const Plan *p) {
    int width = (int)b->ocs->servers * p->pitch;
    if (p->lines == TALL)
        lp_area_repeat(area, 0, 3, width, LP_ROLE_BORDER, LP_GLYPH_DOUBLE);
    for (uint32_t s = 0; s < b->ocs->servers; s++) {
        int x = (int)s * p->pitch + p->pitch / 2 - (p->pitch >= 4);
        lp_area_textf(area, x, 0, LP_ROLE_MUTED, "s%u", (unsigned)s);
        lp_link_server(b->model, area, x, 1, s);
        if (p->lines == TALL) {
            lp_area_glyph(area, x, 2, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
            lp_area_glyph(area, x, 3, LP_ROLE_BORDER, LP_GLYPH_DOUBLE_CROSS);
        }
        put_digits(b, area, x, p->lines - 1, s);
    }
}

/* ---- aggregators ---- */

/* Is any port of the server set to it now? */
static bool is_under(const LpPortBoard *b, uint32_t server, uint32_t aggregator) {
    for (uint32_t p = 0; p < b->ocs->ports; p++)
        if (b->ocs->plug[p].node == server && set_to(b, p) == (int)aggregator)
            return true;
    return false;
}

/* The uplink from one aggregator to another, LP_NO_INDEX: there is none. */
static uint32_t uplink(const LpLinkBoard *l, uint32_t from, uint32_t to) {
    uint32_t servers = l->network->servers;
    for (uint32_t i = 0; i < l->network->links; i++)
        if (l->network->from[i] == servers + from && l->network->to[i] == servers + to)
            return i;
    return LP_NO_INDEX;
}

/* "100 % A B": how full an uplink is, and whose data cross it. */
static int draw_load(const LpLinkBoard *l, const LpArea *area, int x, int y, uint32_t link) {
    char percent[LP_SHOW_TEXT];
    if (l->link[link].jobs == 0)
        return lp_area_text(area, x, y, LP_ROLE_MUTED, "idle");
    x = lp_area_text(area, x, y, LP_ROLE_TEXT, lp_show_percent(lp_link_share(l, link), percent));
    return lp_link_letters(l, area, x + 1, y, area->rect.w - x - 1, link);
}

/* "aggregator 0: s0 s2 s4", the uplink to the next one behind it. */
static void draw_line(const LpPortBoard *b, const LpLinkBoard *l, const LpArea *area, int y,
                      uint32_t aggregator) {
    int x = lp_area_textf(area, 0, y, LP_ROLE_MUTED, "aggregator %u", (unsigned)aggregator) + 1;
    for (uint32_t s = 0; s < b->ocs->servers && x + 4 < area->rect.w; s++)
        if (is_under(b, s, aggregator)) {
            lp_link_server(b->model, area, x, y, s);
            x += 2;
        }
    uint32_t to = aggregator + 1 < b->ocs->aggregators ? aggregator + 1 : 0;
    uint32_t link = to != aggregator ? uplink(l, aggregator, to) : LP_NO_INDEX;
    if (link == LP_NO_INDEX)
        return;
    x = lp_area_textf(area, x + 1, y, LP_ROLE_MUTED, "uplink to %u", (unsigned)to) + 1;
    draw_load(l, area, x, y, link);
}

static void draw_box(const LpPortBoard *b, const LpArea *area, int x, int y, int width,
                     uint32_t aggregator) {
    char title[32];
    snprintf(title, sizeof title, "aggregator %u", (unsigned)aggregator);
    LpArea box = lp_area_part(area, (LpRect){x, y, width, BOX_ROWS});
    LpArea inside = lp_area_box(&box, title);
    int at = 1;
    for (uint32_t s = 0; s < b->ocs->servers; s++) {
        if (!is_under(b, s, aggregator))
            continue;
        lp_area_textf(&inside, at, 0, LP_ROLE_MUTED, "s%u", (unsigned)s);
        lp_link_server(b->model, &inside, at, 1, s);
        at += 4;
    }
    if (at == 1)
        lp_area_text(&inside, 1, 0, LP_ROLE_MUTED, "no server");
}

/* Two aggregators side by side, and the uplink between them: its rate, both directions. */
static void draw_boxes(const LpPortBoard *b, const LpLinkBoard *l, const LpArea *area, int y) {
    static const LpGlyph line[] = {LP_GLYPH_HORIZONTAL, LP_GLYPH_HEAVY, LP_GLYPH_DOUBLE};
    int width = (area->rect.w - BOX_GAP) / 2, most = 4 * (int)b->ocs->servers + 3;
    width = width > most ? most : width;
    uint32_t there = uplink(l, 0, 1), back = uplink(l, 1, 0);
    draw_box(b, area, 0, y, width, 0);
    draw_box(b, area, width + BOX_GAP, y, width, 1);
    if (there == LP_NO_INDEX || back == LP_NO_INDEX)
        return;
    double share = lp_link_share(l, there), other = lp_link_share(l, back);
    share = other > share ? other : share;
    char text[48];
    print_rate(l->network->capacity[there], text, sizeof text, "uplink");
    LpArea gap = lp_area_part(area, (LpRect){width, y, BOX_GAP, BOX_ROWS});
    lp_area_text(&gap, 1, 0, LP_ROLE_MUTED, text);
    lp_area_repeat(&gap, 0, 1, BOX_GAP, share > 0.9 ? LP_ROLE_BAD : LP_ROLE_TEXT,
                   line[share > 0.9 ? 2 : share > 0.3]);
    draw_load(l, &gap, lp_area_text(&gap, 1, 2, LP_ROLE_MUTED, "to 1") + 1, 2, there);
    draw_load(l, &gap, lp_area_text(&gap, 1, 3, LP_ROLE_MUTED, "to 0") + 1, 3, back);
}

int lp_view_rack(const LpPortBoard *b, const LpArea *area) {
    Plan p = plan_of(b, area->rect.w, area->rect.h);
    LpLinkBoard links;
    int y = p.lines;
    draw_servers(b, area, &p);
    if (p.side) {
        int x = (int)b->ocs->servers * p.pitch;
        const LpWorld *w = b->model->world;
        double left = lp_world_lit_at(w) - lp_world_now(w);
        char text[96], time[LP_SHOW_TEXT];
        print_rate(b->ocs->plug[0].bandwidth, text, sizeof text, "a server:");
        put_side(area, x, 0, LP_ROLE_MUTED, text);
        snprintf(text, sizeof text, "%u of %u ports lit",
                 (unsigned)lp_world_lit_at_once(w, b->model->context),
                 (unsigned)b->schedule->ports);
        put_side(area, x, p.lines == TALL ? 3 : 1, LP_ROLE_TEXT, text);
        lp_show_seconds(left > 0 ? left : lp_world_reconfiguration_time(w, b->model->context),
                        time);
        snprintf(text, sizeof text, left > 0 ? "~ dark, lit in %s" : "setting one: %s", time);
        put_side(area, x, p.lines == TALL ? 4 : 2, left > 0 ? LP_ROLE_WAIT : LP_ROLE_MUTED, text);
        if (p.lines == TALL)
            put_side(area, x, 2, LP_ROLE_MUTED, "optical switch");
    }
    if (!lp_links_open(&links, b->model, area))
        return y;
    y += area->rect.h > p.lines + (int)b->ocs->aggregators;
    if (p.boxes)
        draw_boxes(b, &links, area, y);
    for (uint32_t a = 0; a < b->ocs->aggregators && !p.boxes; a++)
        draw_line(b, &links, area, y + (int)a, a);
    return y + (p.boxes ? BOX_ROWS : (int)b->ocs->aggregators);
}
