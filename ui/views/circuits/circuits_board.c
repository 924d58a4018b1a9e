/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circuit board: from group (row) to group (column), the share of a training step that each job
 * keeps light paths lit. */
#include "board/instead.h"
#include "board/links.h"
#include "views/circuits/circuits_view_impl.h"
#include "views/circuits/full.h"
#include "views/circuits/groups.h"

#include <stdio.h>

static void print_title(const LpModel *model, const LpGroupGrid *grid, bool ascii, LpBuf *out) {
    char at[LP_SHOW_TEXT], step[LP_SHOW_TEXT];
    if (model->motion.instant) {
        lp_buf_addf(out, "CIRCUITS lit %s into a step of %s, row %s col",
                    lp_show_seconds(model->motion.at, at),
                    lp_show_seconds(model->motion.step_time, step), lp_sign(LP_SIGN_ARROW, ascii));
        return;
    }
    if (grid->merge > 1)
        lp_buf_addf(out, "CIRCUITS share lit%s, cell: mean of %ux%u groups",
                    ascii ? " in eighths" : "", (unsigned)grid->merge, (unsigned)grid->merge);
    else
        lp_buf_addf(out, "CIRCUITS share of a step lit%s, row %s col", ascii ? " in eighths" : "",
                    lp_sign(LP_SIGN_ARROW, ascii));
}

static void draw_line(const LpModel *model, const LpArea *area) {
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "circuits");
    lp_area_textf(area, x + 1, 0, LP_ROLE_TEXT, "%u lit", (unsigned)lp_model_lit(model));
}

static void draw_light(const LpModel *model, const LpArea *area) {
    LpBuf title = {0};
    if (lp_board_instead(model, area) || lp_view_turning(model, area) ||
        lp_view_transmitters(model, area))
        return;
    LpGroupGrid grid = lp_groups_merged(model, area->rect.w - 2, area->rect.h - 1);
    print_title(model, &grid, area->canvas->ascii, &title);
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    lp_area_done(area, &title);
    lp_view_groups(model, &inside, &grid);
}

/* The part of an area below its heading that shows anything, from its upper left corner on. */
static LpRect used_part(const LpArea *area) {
    LpRect used = {0, 0, 0, 1};
    for (int y = 1; y < area->rect.h; y++)
        for (int x = 0; x < area->rect.w; x++) {
            const LpCell *cell = lp_canvas_at(area->canvas, area->rect.x + x, area->rect.y + y);
            if (cell->cp == ' ' && !(cell->style & LP_FILL))
                continue;
            used.h = y + 1;
            used.w = x + 1 > used.w ? x + 1 : used.w;
        }
    return used;
}

/* Where a board on the main screen leaves a half beside it, or rows below it: how full the network
 * is. */
static void draw_rest(const LpModel *model, const LpArea *area) {
    enum { LEAST = LP_FULL_LEAST - 1, GAP = 3 };
    LpRect used = used_part(area), whole = area->rect;
    LpRect beside = {used.w + GAP, 1, whole.w - used.w - GAP, whole.h - 1};
    LpRect below = {0, used.h + 1, whole.w, whole.h - used.h - 1};
    bool half = (2 * used.w <= whole.w || below.h < LEAST) && beside.w >= LP_FULL_WIDTH;
    if (model->ui->only != LP_PANE_COUNT || whole.h < LEAST)
        return;
    if (!half && below.h < LEAST)
        return;
    LpArea part = lp_area_part(area, half ? beside : below);
    if (part.rect.w >= LP_FULL_WIDTH)
        lp_view_full(model, &part);
}

void lp_view_circuits(const LpModel *model, const LpArea *area) {
    static void (*const boards[LP_BOARD_JOINS])(const LpModel *, const LpArea *) = {
        [LP_BOARD_LIGHT] = draw_light,
        [LP_BOARD_SLICES] = lp_view_slices,
        [LP_BOARD_PORTS] = lp_view_ports,
        [LP_BOARD_LINKS] = lp_view_links,
    };
    if (area->rect.h < 3 && !lp_board_shares(&model->board)) {
        draw_line(model, area);
    } else {
        boards[model->board.joins](model, area);
        draw_rest(model, area);
    }
}

int lp_view_circuits_width(const LpBoardPlan *plan) {
    uint32_t groups = plan->groups < 16 ? plan->groups : 16;
    if (lp_board_shares(plan))
        return 76; /* two columns of circuits, ways between zones, links by name */
    return 5 + (int)groups * (int)(2 * (plan->servers / plan->groups) + 7);
}

int lp_view_circuits_tall(const LpModel *model, int width, int most) {
    enum { RACK = 10, SITES = 9, SLICES = 5 }; /* the pictures of ports and of sites, a list */
    const LpBoardPlan *plan = &model->board;
    int instead = lp_board_instead_tall(model), turning = lp_view_turning_tall(model);
    int want = plan->sites                      ? SITES
               : plan->joins == LP_BOARD_SLICES ? SLICES
               : plan->joins == LP_BOARD_LINKS  ? lp_board_leaves_tall(plan, width, most)
               : plan->joins != LP_BOARD_PORTS  ? lp_view_transmitters_tall(plan, width, most)
               : plan->count > 1                ? RACK
                                                : (int)plan->servers + 1; /* from port to port */
    if (plan->joins == LP_BOARD_LIGHT && instead + turning > 0)
        want = instead > 0 ? instead : turning;
    return want < most ? want : most;
}
