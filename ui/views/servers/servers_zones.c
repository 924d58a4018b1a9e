/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server board of zones: a line or more for each site, with its name and how many are free. */
#include "board/site.h"
#include "views/servers/servers_view_impl.h"

enum { NAME_LEAST = 4, NAME_MOST = 14, FREE = 7 };

/* Servers of one zone from column x on, `unit` to a cell. */
static void draw_zone(const LpModel *model, const LpArea *area, int x, int y, uint32_t zone,
                      uint32_t unit, int pitch) {
    LpBoardSite it = lp_board_site(model, zone);
    lp_area_textf(area, x, y, it.free > 0 ? LP_ROLE_TEXT : LP_ROLE_MUTED, "%u free",
                  (unsigned)it.free);
    x += FREE + 1;
    for (uint32_t s = it.begin; s < it.end; s += unit, x += pitch) {
        uint32_t rest = it.end - s;
        lp_view_server_cell(model, area, (LpRect){x, y, pitch, 1}, s, rest < unit ? rest : unit);
    }
}

bool lp_view_zones_fit(const LpBoardPlan *plan, int width, int height) {
    return plan->sites && (int)plan->count <= height && width >= NAME_MOST + FREE + 8;
}

void lp_view_zones(const LpModel *model, const LpArea *area) {
    int names = lp_board_site_width(model), pitch = 4, step = 1;
    uint32_t zones = model->board.count, most = lp_board_site_most(model), unit = 1;
    names = names < NAME_LEAST ? NAME_LEAST : names > NAME_MOST ? NAME_MOST : names;
    int room = area->rect.w - names - FREE - 1;
    while (pitch > 1 && (int)most * pitch > room)
        pitch--;
    while ((int)((most + unit - 1) / unit) * pitch > room)
        unit++;
    if ((int)zones * 2 - 1 <= area->rect.h)
        step = 2;
    for (uint32_t z = 0; z < zones; z++) {
        lp_area_fit(area, 0, (int)z * step, names - 1, LP_ROLE_MUTED, lp_board_site(model, z).name);
        draw_zone(model, area, names, (int)z * step, z, unit, pitch);
    }
}
