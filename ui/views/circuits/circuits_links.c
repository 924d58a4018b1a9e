/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of links that jobs share, as the fabric wants them shown. */
#include "board/links.h"
#include "views/circuits/circuits_view_impl.h"
#include "views/circuits/full.h"

typedef LpLinkBoard Board;

/* How full the ways are: beside the map, else below the table. */
static void draw_full_beside(const Board *b, const LpArea *area, LpRect map, int table) {
    int x = map.w, y = map.h + 1 + table;
    LpArea beside = lp_area_part(area, (LpRect){x, 0, area->rect.w - x, map.h});
    LpArea below = lp_area_part(area, (LpRect){-1, y, area->rect.w + 1, area->rect.h - y});
    if (beside.rect.w >= LP_FULL_WIDTH - 2)
        lp_view_full(b->model, &beside);
    else if (below.rect.h > 2)
        lp_view_full(b->model, &below);
}

/* The map: all columns, but for those of the gauges where that makes it no longer. */
static LpRect map_of(const Board *b, int width, int height) {
    LpRect whole = lp_board_map_size(b, width, height);
    LpRect part = lp_board_map_size(b, width - LP_FULL_WIDTH, height);
    bool room = lp_board_map_fits(b, width - LP_FULL_WIDTH, height) && part.h == whole.h;
    return room ? part : whole;
}

/* On a screen of its own: the map, and below it what is measured of the ways. */
static bool draw_sites_alone(const Board *b, const LpArea *area) {
    int w = area->rect.w, room = area->rect.h - lp_board_ways_lines(b);
    if (!lp_board_map_fits(b, w, room))
        return false;
    LpRect map = map_of(b, w, room);
    LpArea above = lp_area_part(area, map);
    LpArea below = lp_area_part(area, (LpRect){0, map.h + 1, w, area->rect.h - map.h - 1});
    if (!lp_board_ways_fit(b, below.rect.w, below.rect.h))
        return false;
    lp_board_map(b, &above);
    draw_full_beside(b, area, map, lp_board_ways(b, &below));
    return true;
}

static void draw_board(const Board *b, const LpArea *area) {
    bool alone = b->model->ui->only == LP_PANE_CIRCUITS;
    int w = area->rect.w > 2 ? area->rect.w - 2 : 0, h = area->rect.h - 1;
    if (area->rect.h < 3) {
        uint32_t top[1] = {LP_NO_INDEX};
        LpBuf text = {0};
        int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "links") + 1;
        if (lp_links_busiest(b, top, 1) > 0)
            lp_link_say(b, top[0], &text);
        else
            lp_buf_add(&text, "idle");
        x = lp_area_fit(area, x, 0, area->rect.w - x, LP_ROLE_TEXT, lp_buf_text(&text));
        if (top[0] != LP_NO_INDEX)
            lp_link_letters(b, area, x + 1, 0, area->rect.w - x - 1, top[0]);
        lp_area_done(area, &text);
        return;
    }
    /* a map takes the place of the ways as they are measured where these have no screen */
    LpBoardLook look = alone && lp_circuits_state(b->model)->look == LP_LOOK_PATHS
                           ? LP_BOARD_LIST
                           : lp_links_look(b, w, h, !alone);
    LpBuf title = {0};
    lp_links_title(b, look, w, h, &title);
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    lp_area_done(area, &title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    if (!alone || look != LP_BOARD_WAYS || !draw_sites_alone(b, &inside))
        lp_links_draw(b, look, &inside);
}

void lp_view_links(const LpModel *model, const LpArea *area) {
    Board b;
    if (!lp_links_open(&b, model, area))
        return;
    draw_board(&b, area);
}
