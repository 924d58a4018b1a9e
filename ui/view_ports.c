/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of circuit switches: which port is joined to which, what is lit, and how long the rest
 * still takes. */
#include "view.h"

#include <stdio.h>
#include <string.h>

#include "sim/circuits.h"

enum { COLUMN = 38, NODE = 14 };

/* "s3" or "a0", with the job's letter behind a server that is taken. */
static void print_node(const LpModel *model, uint32_t port, char *out, size_t size) {
    const LpOcsParams *o = &model->scenario->cluster.ocs;
    uint32_t node = o->plug[port].node;
    if (node >= o->servers)
        snprintf(out, size, "aggregator %u", (unsigned)(node - o->servers));
    else
        snprintf(out, size, "server %u", (unsigned)node);
}

static int letter_of(const LpModel *model, uint32_t port) {
    uint32_t node = model->scenario->cluster.ocs.plug[port].node;
    if (node >= model->scenario->cluster.ocs.servers)
        return -1;
    uint32_t job = lp_world_server(model->world, node)->job;
    for (uint32_t i = 0; job != LP_NO_INDEX && i < model->running_count; i++)
        if (model->running[i].job->id == job)
            return model->running[i].letter;
    return -1;
}

/* Both directions of a circuit are told once, at the lower port. */
static bool told_before(const LpModel *model, uint32_t port, const LpPortView *view) {
    const LpSchedule *s = lp_world_schedule(model->world, model->context);
    return s->entries == 1 && view->out < port && s->to[view->out] == port;
}

static bool duplex(const LpModel *model, uint32_t port, const LpPortView *view) {
    const LpSchedule *s = lp_world_schedule(model->world, model->context);
    return view->out < s->ports && s->to[view->out] == port;
}

static LpStyle style_of(const LpPortView *view, int letter) {
    if (view->state == LP_LIGHT_TURNING)
        return LP_ROLE_WAIT;
    return letter >= 0 ? lp_model_letter_style(letter) : LP_ROLE_TEXT;
}

static void draw_state(const LpModel *model, const LpArea *area, int x, int y,
                       const LpPortView *view) {
    char text[LP_SHOW_TEXT];
    if (view->state == LP_LIGHT_TURNING)
        lp_area_textf(area, x, y, LP_ROLE_WAIT, "in %s",
                      lp_show_seconds(view->until - lp_world_now(model->world), text));
    else if (view->share < 1)
        lp_area_text(area, x, y, LP_ROLE_TEXT, lp_show_percent(view->share, text));
    else
        lp_area_text(area, x, y, LP_ROLE_GOOD, "lit");
}

static void draw_circuit(const LpModel *model, const LpArea *area, int x, int y, uint32_t port,
                         const LpPortView *view) {
    char from[32], to[32];
    bool ascii = area->canvas->ascii;
    int letter = letter_of(model, port);
    print_node(model, port, from, sizeof from);
    print_node(model, view->out, to, sizeof to);
    if (letter >= 0)
        lp_area_put(area, x, y, lp_model_letter_style(letter), (uint32_t)lp_letter(letter));
    lp_area_fit(area, x + 2, y, NODE - 3, style_of(view, letter), from);
    lp_area_text(area, x + NODE - 1, y, LP_ROLE_MUTED,
                 duplex(model, port, view) ? "="
                 : ascii                   ? ">"
                                           : "→");
    lp_area_fit(area, x + NODE + 1, y, NODE - 1, style_of(view, letter), to);
    draw_state(model, area, x + 2 * NODE + 1, y, view);
}

static void print_title(const LpModel *model, bool ascii, LpBuf *out) {
    const LpSchedule *s = lp_world_schedule(model->world, model->context);
    char text[LP_SHOW_TEXT];
    lp_buf_addf(out, "circuits %s %u of %u ports lit", ascii ? "-" : "─",
                (unsigned)lp_world_lit(model->world), (unsigned)s->ports);
    if (s->entries > 1)
        lp_buf_addf(out, ", share of a cycle of %u", (unsigned)s->entries);
    lp_buf_addf(out, ", set %ux in %s", (unsigned)lp_world_reconfigurations(model->world),
                lp_show_seconds(lp_world_reconfiguration_time(model->world, model->context), text));
}

static void draw_line(const LpModel *model, const LpArea *area) {
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "circuits");
    lp_area_textf(area, x + 1, 0, LP_ROLE_TEXT, "%u lit", (unsigned)lp_world_lit(model->world));
}

void lp_view_ports(const LpModel *model, const LpArea *area) {
    LpBuf title = {0};
    if (area->rect.h < 3) {
        draw_line(model, area);
        return;
    }
    print_title(model, area->canvas->ascii, &title);
    LpArea box = lp_area_box(area, lp_buf_text(&title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    lp_buf_fini(&title);
    uint32_t ports = lp_world_ports(model->world), shown = 0, hidden = 0;
    int columns = inside.rect.w >= COLUMN ? inside.rect.w / COLUMN : 1;
    for (uint32_t p = 0; p < ports; p++) {
        LpPortView view = lp_world_port(model->world, model->context, p);
        if (view.state == LP_LIGHT_DARK || told_before(model, p, &view))
            continue;
        int y = (int)shown / columns, x = (int)shown % columns * COLUMN;
        if (y >= inside.rect.h)
            hidden++;
        else
            draw_circuit(model, &inside, x, y, p, &view);
        shown++;
    }
    if (shown == 0)
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "dark: no port is joined to another");
    if (hidden > 0)
        lp_area_textf(&inside, inside.rect.w - 12, inside.rect.h - 1, LP_ROLE_MUTED, "+ %u more",
                      (unsigned)hidden);
}
