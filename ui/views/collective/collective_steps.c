/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of a collective, a column each: how full its links are on the base and on its own
 * circuits, which light it goes on, and how long it takes. */
#include <math.h>
#include <stdio.h>

#include "views/collective/collective_view_impl.h"

enum { NAMES = 16, COLUMN = 13, BAR = 9, ROWS = 6, TEXT = 160 };

/* Steps that are in sight. */
typedef struct Sight {
    uint32_t first, count;
} Sight;

static Sight sight_of(const LpModel *model, const LpArea *area) {
    uint32_t steps = lp_coll_steps_count(lp_collective_facts(model)->plan);
    uint32_t room = area->rect.w > NAMES + COLUMN ? (uint32_t)(area->rect.w - NAMES) / COLUMN : 1;
    uint32_t focus = lp_collective_state(model)->step;
    Sight sight = {.count = room < steps ? room : steps};
    if (focus >= room)
        sight.first = focus - room + 1;
    return sight;
}

/* "0 <> 1", "i -> i+1": who meets whom, as seen from server 0. */
static void print_partners(const LpCollectiveFacts *f, uint32_t step, char *text, size_t size) {
    uint32_t ways = lp_coll_step(f->plan, step).ways;
    uint32_t first = lp_coll_partner(f->plan, step, 0, 0);
    if (ways > 2)
        snprintf(text, size, "0 - %u others", (unsigned)ways);
    else if (first == LP_NO_INDEX)
        snprintf(text, size, "0 rests");
    else if (ways == 2)
        snprintf(text, size, "0 - %u, %u", (unsigned)first,
                 (unsigned)lp_coll_partner(f->plan, step, 1, 0));
    else
        snprintf(text, size, "0 - %u", (unsigned)first);
}

static double full_load(const LpCollectiveFacts *f) {
    double full = 0;
    for (uint32_t j = 0; j < lp_coll_steps_count(f->plan); j++) {
        LpCollStep step = lp_coll_step(f->plan, j);
        full = step.load > full ? step.load : full;
        full = step.turned_load > full ? step.turned_load : full;
    }
    return full;
}

static void draw_bar(const LpArea *area, int x, int y, LpStyle style, double share) {
    if (isnan(share)) {
        lp_area_text(area, x, y, LP_ROLE_MUTED, "-");
        return;
    }
    int cells = (int)(share * BAR + 0.5);
    lp_area_repeat(area, x, y, cells > 0 ? cells : 1, style, LP_GLYPH_FULL);
}

static void draw_light(const LpModel *model, const LpArea *area, int x, int y, uint32_t step) {
    const LpCollectiveFacts *f = lp_collective_facts(model);
    char letter = f->choice[step], name[TEXT];
    bool stays = letter == 's', own = f->lit[step] == lp_coll_own(f->plan, step);
    if (lp_collective_state(model)->letters) {
        lp_area_textf(area, x, y, stays ? LP_ROLE_TEXT : LP_ROLE_WAIT | LP_BOLD, "%c", letter);
        return;
    }
    print_partners(f, step, name, sizeof name);
    if (!stays) {
        lp_area_repeat(area, x, y, 3, LP_ROLE_WAIT, LP_GLYPH_BROKEN);
        lp_area_fit(area, x + 4, y, COLUMN - 5, LP_ROLE_GOOD,
                    letter == 't'   ? name
                    : letter == 'b' ? "base"
                                    : "other");
        return;
    }
    lp_area_repeat(area, x, y, 3, LP_ROLE_GOOD, LP_GLYPH_DOUBLE);
    lp_area_fit(area, x + 4, y, COLUMN - 5, LP_ROLE_TEXT, own ? "own" : "stays");
}

static void draw_step(const LpModel *model, const LpArea *area, int x, uint32_t j, double full) {
    const LpCollectiveFacts *f = lp_collective_facts(model);
    const LpCollectiveState *state = lp_collective_state(model);
    LpCollStep step = lp_coll_step(f->plan, j);
    bool focus = j == state->step, stays = f->choice[j] == 's';
    char text[TEXT];
    print_partners(f, j, text, sizeof text);
    if (focus)
        lp_area_glyph(area, x - 1, 0, LP_ROLE_CURSOR, LP_GLYPH_POINTER);
    lp_area_fit(area, x, 0, COLUMN - 2, focus ? LP_ROLE_CURSOR | LP_BOLD : LP_ROLE_LABEL, text);
    draw_bar(area, x, 1, stays ? LP_ROLE_CURVE : LP_ROLE_MUTED, step.load / full);
    draw_bar(area, x, 2, stays ? LP_ROLE_MUTED : LP_ROLE_CURVE, step.turned_load / full);
    draw_light(model, area, x, 3, j);
    double turn = stays ? 0 : lp_coll_extra(f->plan, j, state->orders, f->delay);
    double takes = step.gap + turn + lp_coll_step_on(f->plan, j, f->lit[j]);
    lp_area_text(area, x, 4, LP_ROLE_TEXT, lp_show_seconds(takes, text));
}

/* "step 0: 8.39 MB; base 168 us, 1 hop, load 8.39 MB; turned 100 us + 84.4 us" */
static void draw_focus(const LpModel *model, const LpArea *area, int y) {
    const LpCollectiveFacts *f = lp_collective_facts(model);
    uint32_t j = lp_collective_state(model)->step;
    LpCollStep step = lp_coll_step(f->plan, j);
    char bytes[LP_SHOW_TEXT], stay[LP_SHOW_TEXT], load[LP_SHOW_TEXT], turn[LP_SHOW_TEXT],
        turned[LP_SHOW_TEXT], hops[LP_MANY_TEXT];
    int x = lp_area_textf(area, 1, y, LP_ROLE_TEXT, "step %u: %s", (unsigned)j,
                          lp_show_bytes(step.bytes, bytes));
    if (!isnan(step.stay))
        x = lp_area_textf(area, x, y, LP_ROLE_TEXT, "; base %s, %s, load %s",
                          lp_show_seconds(step.stay, stay), lp_str_many(hops, step.hops, "hop"),
                          lp_show_bytes(step.load, load));
    if (!isnan(step.turned))
        lp_area_textf(
            area, x, y, LP_ROLE_TEXT, "; turned %s + %s",
            lp_show_seconds(lp_coll_extra(f->plan, j, lp_collective_state(model)->orders, f->delay),
                            turn),
            lp_show_seconds(step.turned, turned));
}

void lp_view_collective_steps(const LpModel *model, const LpArea *area) {
    static const char *const names[] = {"", "load, base", "load, turned", "light", "takes"};
    const LpCollectiveFacts *f = lp_collective_facts(model);
    LpArea body = lp_area_heading(area, "STEPS");
    Sight sight = sight_of(model, &body);
    uint32_t steps = lp_coll_steps_count(f->plan);
    char text[TEXT];
    snprintf(text, sizeof text, "%u to %u of %u", (unsigned)sight.first,
             (unsigned)(sight.first + sight.count - 1), (unsigned)steps);
    lp_area_heading_note(area, "STEPS", 20, LP_ROLE_MUTED, text);
    double full = full_load(f);
    for (int y = 1; y < (int)LP_COUNTOF(names); y++)
        lp_area_text(&body, 2, y, LP_ROLE_LABEL, names[y]);
    for (uint32_t i = 0; i < sight.count; i++)
        draw_step(model, &body, NAMES + (int)i * COLUMN, sight.first + i, full);
    if (body.rect.h >= ROWS)
        draw_focus(model, &body, ROWS - 1);
}

/* Servers, and below each to whom it sends in the step in focus. */
void lp_view_collective_servers(const LpModel *model, const LpArea *area) {
    enum { CELL = 5 };
    const LpCollectiveFacts *f = lp_collective_facts(model);
    const LpCollectiveState *state = lp_collective_state(model);
    LpArea body = lp_area_heading(area, "WHO SENDS TO WHOM");
    uint32_t ways = lp_coll_step(f->plan, state->step).ways, shown = ways < 2 ? ways : 2;
    uint32_t room = (uint32_t)(body.rect.w > NAMES ? body.rect.w - NAMES : 0) / CELL;
    lp_area_text(&body, 2, 0, LP_ROLE_LABEL, "server");
    for (uint32_t i = 0; i < state->spec.servers && i < room; i++) {
        int x = NAMES + (int)i * CELL;
        lp_area_textf(&body, x, 0, LP_ROLE_LABEL, "%u", (unsigned)i);
        for (uint32_t way = 0; way < shown; way++) {
            uint32_t partner = lp_coll_partner(f->plan, state->step, way, i);
            if (partner == LP_NO_INDEX)
                lp_area_text(&body, x, 1 + (int)way, LP_ROLE_MUTED, "-");
            else
                lp_area_textf(&body, x, 1 + (int)way, LP_ROLE_TEXT, "%u", (unsigned)partner);
        }
    }
    for (uint32_t way = 0; way < shown; way++)
        lp_area_text(&body, 2, 1 + (int)way, LP_ROLE_LABEL, way == 0 ? "sends to" : "and to");
}
