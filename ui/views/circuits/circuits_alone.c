/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circuits where they have the screen for themselves: who to whom, which transmitters are held
 * and lit, and how full that is. */
#include <stdio.h>

#include "views/circuits/circuits_view_impl.h"
#include "views/circuits/full.h"
#include "views/circuits/groups.h"
#include "views/circuits/spread.h"

/* Groups, with what each job keeps lit between two of them: where there are too many transmitters
 * to show each. */
static void draw_groups(const LpModel *model, const LpArea *area) {
    const char *title = area->rect.w >= 72   ? "CIRCUITS share of a step lit, from row to column"
                        : area->rect.w >= 44 ? "CIRCUITS lit, row to column"
                                             : "CIRCUITS";
    char note[64];
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (inside.rect.w <= 0 || inside.rect.h <= 0)
        return;
    LpGroupGrid b = lp_groups_scrolled(model, inside.rect.w, inside.rect.h);
    lp_view_groups(model, &inside, &b);
    if (b.rows == b.groups && b.columns == b.groups)
        return;
    snprintf(note, sizeof note, "g%u-%u to g%u-%u of %u", (unsigned)b.row,
             (unsigned)(b.row + b.rows - 1), (unsigned)b.column,
             (unsigned)(b.column + b.columns - 1), (unsigned)b.groups);
    lp_area_heading_note(area, title, 1, LP_ROLE_WAIT, note);
}

/* ---- the three parts ---- */

enum {
    GAP_PARTS = 1,     /* columns between neighbours */
    BOARD_TALL = 24,   /* lines in all from which a group has two */
    SENDERS_LEAST = 4, /* heading, titles, two lines */
    LIST_WIDTH = 60,
    GROUPS_LEAST = 24,
    PICTURE_SLACK = 3 /* lines the picture may lose */
};

/* Lines of the board above the rest. */
static int board_lines(const LpModel *model, int h) {
    int groups = (int)model->board.groups;
    int once = 2 + groups, twice = 2 + 2 * groups;
    if (h >= BOARD_TALL && twice <= h / 3)
        return twice;
    once = once < LP_FULL_LEAST + 2 ? LP_FULL_LEAST + 2 : once;
    return once <= h / 2 ? once : h / 2;
}

/* Columns of the board beside the gauges: as many as it can use, but no fewer than it needs. */
static int board_columns(const LpModel *model, int w) {
    const LpBoardPlan *plan = &model->board;
    int want = lp_view_circuits_width(plan) + 2, least = lp_view_transmitters_width(plan) + 2;
    int left = w - GAP_PARTS - LP_FULL_WIDTH;
    bool groups = least > w && left >= GROUPS_LEAST; /* there are too many for single ones */
    return want <= left ? want : left >= least || groups ? left : w;
}

/* Who to whom, and beside it how full that is. */
static void draw_top(const LpModel *model, const LpArea *area) {
    int w = area->rect.w, board = board_columns(model, w);
    bool both = board < w;
    LpArea left = lp_area_part(area, (LpRect){0, 0, both ? board : w, area->rect.h});
    if (!lp_view_transmitters(model, &left))
        draw_groups(model, &left);
    if (!both)
        return;
    LpArea right =
        lp_area_part(area, (LpRect){board + GAP_PARTS, 0, w - board - GAP_PARTS, area->rect.h});
    lp_view_full(model, &right);
}

/* Groups, racks and servers with the light between them; false: they have no room. */
static bool draw_picture(const LpModel *model, const LpArea *area) {
    const LpView *fabric = model->views[LP_PANE_FABRIC];
    const LpBoardPlan *plan = &model->board;
    if (fabric->rows(plan) == 0 || fabric->rows(plan) - PICTURE_SLACK > area->rect.h ||
        fabric->width(plan) == 0 || fabric->width(plan) + 2 > area->rect.w)
        return false;
    lp_view_part(model, LP_PANE_FABRIC, area);
    return true;
}

/* By wavelength and as a list where both have room, else one of them; or the picture. */
static void draw_below(const LpModel *model, const LpArea *area) {
    const LpCircuitsState *state = lp_circuits_state(model);
    LpSpread s;
    LpArea rest = *area;
    int h = area->rect.h, w = area->rect.w;
    bool fits = lp_spread_plan(model, (int)state->from, w - 1, h, &s);
    int lines = (int)s.lines + 3;
    bool both = fits && h >= lines + SENDERS_LEAST;
    if (state->look == LP_LOOK_PICTURE && draw_picture(model, area))
        return;
    if (fits && (both || state->look == LP_LOOK_PATHS)) {
        LpArea above = lp_area_part(area, (LpRect){0, 0, w, lines});
        lp_view_spread(model, &above, (int)state->from);
        rest = lp_area_part(area, (LpRect){0, lines, w, h - lines});
    }
    if (rest.rect.h >= SENDERS_LEAST - 1)
        lp_view_senders(model, &rest, (int)state->from);
}

/* Beside all paths: every transmitter in words, and the picture. */
static void draw_vast_right(const LpModel *model, const LpArea *area) {
    const LpBoardPlan *plan = &model->board;
    int w = area->rect.w, h = area->rect.h, list = (int)plan->servers + 2;
    int picture = model->views[LP_PANE_FABRIC]->rows(plan);
    list = list > h - picture ? h - picture : list;
    LpArea above = lp_area_part(area, (LpRect){0, 0, w, list});
    LpArea below = lp_area_part(area, (LpRect){0, list, w, h - list});
    if (!draw_picture(model, &below))
        above = *area;
    lp_view_senders(model, &above, LP_SPREAD_ALL);
}

/* All transmitters at once, with the rest beside and below them; false: no room for that. */
static bool draw_vast(const LpModel *model, const LpArea *area) {
    LpSpread s;
    int w = area->rect.w, h = area->rect.h, board = 2 + (int)model->board.groups;
    if (!lp_spread_plan(model, LP_SPREAD_ALL, w - LIST_WIDTH, h - LP_FULL_LEAST - board, &s) ||
        s.groups < model->board.groups)
        return false;
    int left = s.width + 3 < LIST_WIDTH ? LIST_WIDTH : s.width + 3, lines = (int)s.lines + 3;
    if (w - left < LIST_WIDTH)
        return false;
    if (2 * board - 2 + LP_FULL_PAST <= h - lines)
        board = 2 * board - 2;
    LpArea all = lp_area_part(area, (LpRect){0, 0, left, lines});
    LpArea groups = lp_area_part(area, (LpRect){0, lines, left, board});
    LpArea full = lp_area_part(area, (LpRect){0, lines + board, left, h - lines - board});
    LpArea right = lp_area_part(area, (LpRect){left, 0, w - left, h});
    lp_view_spread(model, &all, LP_SPREAD_ALL);
    if (!lp_view_transmitters(model, &groups))
        draw_groups(model, &groups);
    lp_view_full(model, &full);
    draw_vast_right(model, &right);
    return true;
}

void lp_view_lights(const LpModel *model, const LpArea *area) {
    int h = area->rect.h, top = board_lines(model, h);
    if (lp_view_turning(model, area) || draw_vast(model, area))
        return;
    if (h - top < SENDERS_LEAST)
        top = h;
    LpArea above = lp_area_part(area, (LpRect){0, 0, area->rect.w, top});
    LpArea below = lp_area_part(area, (LpRect){0, top, area->rect.w, h - top});
    draw_top(model, &above);
    if (h > top)
        draw_below(model, &below);
}
