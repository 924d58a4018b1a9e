/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server board of zones: a line or more for each site, with its name and how many are free. */
#include "board/cell_size.h"
#include "board/site.h"
#include "views/servers/servers_view_impl.h"

enum { NAME_LEAST = 4, NAME_MOST = 14, FREE = 7 };

/* Servers of one zone from column x on, `unit` to a cell. */
static void draw_zone(const LpModel *model, const LpArea *area, int x, int y, uint32_t zone,
                      uint32_t unit, LpCellSize size) {
    LpBoardSite it = lp_board_site(model, zone);
    lp_area_textf(area, x, y, it.free > 0 ? LP_ROLE_TEXT : LP_ROLE_MUTED, "%u free",
                  (unsigned)it.free);
    x += FREE + 1;
    for (uint32_t s = it.begin; s < it.end; s += unit, x += size.w) {
        uint32_t rest = it.end - s;
        lp_view_server_cell(model, area, (LpRect){x, y, size.w, size.h}, s,
                            rest < unit ? rest : unit);
    }
}

bool lp_view_zones_fit(const LpBoardPlan *plan, int width, int height) {
    return plan->sites && (int)plan->count <= height && width >= NAME_MOST + FREE + 8;
}

/* Servers of the largest site in a line; where they are too many for it, cells are of several. */
static LpCellSize size_of(const LpBoardPlan *plan, uint32_t most, int room, int height) {
    LpCellSize size = lp_cell_size(room, height, (int)most, 1, (int)plan->count);
    return size.w > 0 ? size : (LpCellSize){1, 1, 0};
}

int lp_view_zones_tall(const LpBoardPlan *plan, int width, int most) {
    uint32_t each = (plan->servers + plan->count - 1) / plan->count;
    int room = width - 2 - NAME_MOST - FREE - 1;
    return (int)plan->count * size_of(plan, each, room, most).h;
}

void lp_view_zones(const LpModel *model, const LpArea *area) {
    int names = lp_board_site_width(model);
    uint32_t zones = model->board.count, most = lp_board_site_most(model), unit = 1;
    names = names < NAME_LEAST ? NAME_LEAST : names > NAME_MOST ? NAME_MOST : names;
    int room = area->rect.w - names - FREE - 1;
    LpCellSize size = size_of(&model->board, most, room, area->rect.h);
    while ((int)((most + unit - 1) / unit) * size.w > room)
        unit++;
    for (uint32_t z = 0; z < zones; z++) {
        int y = (int)z * size.h;
        lp_area_fit(area, 0, y, names - 1, LP_ROLE_MUTED, lp_board_site(model, z).name);
        draw_zone(model, area, names, y, z, unit, size);
    }
}
