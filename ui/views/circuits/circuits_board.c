/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circuit board: from group (row) to group (column), the share of a training step that each job
 * keeps light paths lit. */
#include "board/instead.h"
#include "board/links.h"
#include "views/circuits/circuits_view_impl.h"
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

void lp_view_circuits(const LpModel *model, const LpArea *area) {
    static void (*const boards[LP_BOARD_JOINS])(const LpModel *, const LpArea *) = {
        [LP_BOARD_LIGHT] = draw_light,
        [LP_BOARD_SLICES] = lp_view_slices,
        [LP_BOARD_PORTS] = lp_view_ports,
        [LP_BOARD_LINKS] = lp_view_links,
    };
    if (area->rect.h < 3 && !lp_board_shares(&model->board))
        draw_line(model, area);
    else
        boards[model->board.joins](model, area);
}

int lp_view_circuits_width(const LpBoardPlan *plan) {
    uint32_t groups = plan->groups < 16 ? plan->groups : 16;
    if (lp_board_shares(plan))
        return 76; /* two columns of circuits, ways between zones, links by name */
    return 5 + (int)groups * (int)(2 * (plan->servers / plan->groups) + 7);
}

int lp_view_circuits_tall(const LpBoardPlan *plan, int width, int most) {
    enum { RACK = 10, SITES = 9 }; /* the pictures of ports, and of sites */
    if (plan->joins == LP_BOARD_LIGHT)
        return lp_view_transmitters_tall(plan, width, most);
    if (plan->joins == LP_BOARD_LINKS && !plan->sites)
        return lp_board_leaves_tall(plan, width, most);
    int want = plan->sites ? SITES : plan->joins == LP_BOARD_PORTS ? RACK : 0;
    if (plan->joins == LP_BOARD_PORTS && plan->count == 1)
        want = (int)plan->servers + 1; /* from port to port: a row each */
    return want < most ? want : most;
}
