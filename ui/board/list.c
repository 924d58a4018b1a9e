/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links as sentences, those that are taken most first; and which look a board of links has. */
#include "board/links.h"

int lp_board_list(const LpLinkBoard *b, const LpArea *area) {
    enum { LEAST = 42, TOP = 64 };
    uint32_t top[TOP], count = lp_links_busiest(b, top, TOP);
    int columns = area->rect.w >= 2 * LEAST ? 2 : 1, width = area->rect.w / columns;
    for (uint32_t i = 0; i < count && (int)i < area->rect.h * columns; i++) {
        LpBuf text = {0};
        int x = (int)i / area->rect.h * width, y = (int)i % area->rect.h;
        lp_link_say(b, top[i], &text);
        lp_link_bar(b, area, x, y, top[i]);
        int end = lp_area_fit(area, x + 2, y, width - 3, LP_ROLE_TEXT, lp_buf_text(&text));
        lp_link_letters(b, area, end + 1, y, x + width - end - 2, top[i]);
        lp_area_done(area, &text);
    }
    if (count == 0)
        lp_area_text(area, 0, 0, LP_ROLE_MUTED, "no shared link carries anything");
    return ((int)count + columns - 1) / columns;
}

/* ---- all looks ---- */

static const struct {
    const char *title;
    bool (*fits)(const LpLinkBoard *b, int width, int height);
    int (*draw)(const LpLinkBoard *b, const LpArea *area);
} looks[LP_BOARD_LOOKS] = {
    [LP_BOARD_LIST] = {"LINKS most taken first", NULL, lp_board_list},
    [LP_BOARD_MATRIX] = {"LINKS share taken, up and down", lp_board_matrix_fits, lp_board_matrix},
    [LP_BOARD_PICTURE] = {"LINKS height: share taken, letters: jobs", lp_board_leaves_fit,
                          lp_board_leaves},
    [LP_BOARD_WAYS] = {NULL, lp_board_ways_fit, lp_board_ways},
    [LP_BOARD_MAP] = {"SITES delay in ms, line: data taken", lp_board_map_fits, lp_board_map},
};

LpBoardLook lp_links_look(const LpLinkBoard *b, int width, int height, bool map) {
    const LpBoardLook *look = b->plan->look;
    while (*look != LP_BOARD_LIST &&
           ((*look == LP_BOARD_MAP && !map) || !looks[*look].fits(b, width, height)))
        look++;
    return *look;
}

void lp_links_title(const LpLinkBoard *b, LpBoardLook look, int width, int height, LpBuf *out) {
    if (look == LP_BOARD_WAYS)
        lp_board_ways_title(b, width, height, out);
    else
        lp_buf_add(out, looks[look].title);
}

void lp_links_draw(const LpLinkBoard *b, LpBoardLook look, const LpArea *area) {
    int lines = looks[look].draw(b, area) + 1;
    LpArea below = lp_area_part(area, (LpRect){0, lines, area->rect.w, area->rect.h - lines});
    if (look == LP_BOARD_PICTURE && below.rect.h > 0)
        lp_board_list(b, &below);
}
