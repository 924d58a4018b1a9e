/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves and spines as a picture: a column for each leaf with its servers, above it a bar for each
 * link up to a spine and down from it, as high as it is full, with the letters of the jobs that
 * share it. */
#include <stdio.h>

#include "board/cell_size.h"
#include "board/links.h"

enum {
    LABEL = 7,
    LABEL_WIDE = 14,
    PITCH_LEAST = 3,
    WIDE = 5,
    PITCH_MOST = 11,
    BOXES = 2,
    ROWS_MOST = 4 /* of a link: height and letters, a bar, a number, air */
};

typedef struct Plan {
    uint32_t leaves, spines;
    int label, pitch;
    int boxes; /* lines of the spines' boxes */
    bool servers;
    int lines; /* of a link */
} Plan;

static Plan plan_of(const LpBoardPlan *s, int width, int height) {
    Plan p = {s->count, s->spines, LABEL, PITCH_MOST, 0, false, 1};
    int rows = 2 * (int)s->spines + 1;
    while (p.pitch >= PITCH_LEAST && p.label + p.pitch * (int)p.leaves > width)
        p.pitch--;
    if (LABEL_WIDE + (p.pitch < WIDE ? p.pitch : WIDE) * (int)p.leaves <= width)
        p.label = LABEL_WIDE;
    while (p.pitch > PITCH_LEAST && p.label + p.pitch * (int)p.leaves > width)
        p.pitch--;
    p.servers = rows + 1 <= height && (int)s->per_rack < p.pitch;
    if (p.label == LABEL_WIDE && rows + p.servers + BOXES <= height &&
        12 * (int)s->spines <= width - p.label)
        p.boxes = BOXES;
    int rows_left = height - p.boxes - 1 - p.servers;
    p.lines = lp_cell_rows(rows_left, 2 * (int)s->spines, p.pitch > WIDE ? ROWS_MOST : 1);
    p.lines = p.lines > 0 ? p.lines : 1;
    return p;
}

bool lp_board_leaves_fit(const LpLinkBoard *b, int width, int height) {
    return 2 * (int)b->plan->spines + 1 <= height &&
           LABEL + PITCH_LEAST * (int)b->plan->count <= width;
}

/* The links of one spine in one direction, leaf by leaf. */
static void draw_links(const LpLinkBoard *b, const LpArea *area, const Plan *p, int y,
                       uint32_t spine, bool down) {
    bool wide = p->label == LABEL_WIDE;
    const char *name = !wide ? down ? "down" : "up" : down ? "down, spine" : "up to spine";
    char text[32];
    snprintf(text, sizeof text, "%s %u", name, (unsigned)spine);
    lp_area_fit(area, 0, y, p->label - 1 + wide, LP_ROLE_MUTED, text);
    for (uint32_t leaf = 0; leaf < p->leaves; leaf++) {
        uint32_t link = 2 * (b->network->servers + leaf * p->spines + spine) + down;
        int x = p->label + (int)leaf * p->pitch;
        lp_link_bar(b, area, x, y, link);
        lp_link_letters(b, area, x + 1, y, p->pitch - 2, link);
        if (b->link[link].jobs == 0 || p->lines < 2)
            continue;
        char share[LP_SHOW_TEXT];
        lp_show_percent(lp_link_share(b, link), share);
        lp_area_fit(area, x, y + (p->lines > 2 ? 2 : 1), p->pitch - 1, LP_ROLE_MUTED, share);
        int full = (int)(lp_link_share(b, link) * (p->pitch - 2) + 0.5);
        if (p->lines > 2)
            lp_area_repeat(area, x, y + 1, full > 0 ? full : 1,
                           b->link[link].jobs == 1 ? lp_model_ink(b->model, b->link[link].job)
                                                   : (LpStyle)LP_ROLE_TEXT,
                           LP_GLYPH_BAR);
    }
}

/* The names of the leaves, and whose their servers are. */
static void draw_leaves(const LpLinkBoard *b, const LpArea *area, const Plan *p, int y) {
    uint32_t per = b->plan->per_rack;
    lp_area_text(area, 0, y, LP_ROLE_MUTED, b->plan->rack);
    if (p->servers)
        lp_area_text(area, 0, y + 1, LP_ROLE_MUTED, "server");
    for (uint32_t leaf = 0; leaf < p->leaves; leaf++) {
        int x = p->label + (int)leaf * p->pitch;
        lp_area_textf(area, x, y, LP_ROLE_MUTED, "%u", (unsigned)leaf);
        for (uint32_t i = 0; i < per && p->servers; i++) {
            uint32_t job = lp_world_server(b->model->world, leaf * per + i)->job;
            if (job == LP_NO_INDEX)
                lp_area_glyph(area, x + (int)i, y + 1, LP_ROLE_FREE, LP_GLYPH_FREE);
            else
                lp_letter_put(area, x + (int)i, y + 1, lp_model_ink(b->model, job), job,
                              lp_letters_of(&b->model->letters, job));
        }
    }
}

int lp_board_leaves_tall(const LpBoardPlan *plan, int width, int most) {
    if (plan->look[0] != LP_BOARD_PICTURE || 2 * (int)plan->spines + 1 > most ||
        LABEL + PITCH_LEAST * (int)plan->count > width)
        return 0;
    Plan p = plan_of(plan, width - 2, most);
    return p.boxes + 2 * (int)p.spines * p.lines + 1 + p.servers;
}

int lp_board_leaves(const LpLinkBoard *b, const LpArea *area) {
    Plan p = plan_of(b->plan, area->rect.w, area->rect.h);
    int y = p.boxes;
    if (p.boxes) {
        /* "┌ spine 0 ┐" over the columns of the leaves, evenly. */
        int room = p.pitch * (int)p.leaves / (int)p.spines;
        for (uint32_t i = 0; i < p.spines; i++) {
            char name[24];
            int width = snprintf(name, sizeof name, " spine %u ", (unsigned)i);
            int x = p.label + (int)i * room + (room - width) / 2 - 1;
            lp_area_glyph(area, x, 0, LP_ROLE_BORDER, LP_GLYPH_TOP_LEFT);
            lp_area_text(area, x + 1, 0, LP_ROLE_TEXT, name);
            lp_area_glyph(area, x + 1 + width, 0, LP_ROLE_BORDER, LP_GLYPH_TOP_RIGHT);
            lp_area_glyph(area, x, 1, LP_ROLE_BORDER, LP_GLYPH_BOTTOM_LEFT);
            lp_area_repeat(area, x + 1, 1, width, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
            lp_area_glyph(area, x + 1 + width / 2, 1, LP_ROLE_BORDER, LP_GLYPH_TICK_DOWN);
            lp_area_glyph(area, x + 1 + width, 1, LP_ROLE_BORDER, LP_GLYPH_BOTTOM_RIGHT);
        }
    }
    for (uint32_t spine = 0; spine < p.spines; spine++) {
        draw_links(b, area, &p, y, spine, false);
        draw_links(b, area, &p, y + p.lines, spine, true);
        y += 2 * p.lines;
    }
    draw_leaves(b, area, &p, y);
    return y + 1 + p.servers;
}
