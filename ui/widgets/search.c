/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts found in lines and on the canvas. */
#include "widgets/search.h"

#include <string.h>

static uint32_t fold(uint32_t cp) {
    return cp >= 'A' && cp <= 'Z' ? cp - 'A' + 'a' : cp;
}

static bool begins(const char *text, const char *needle) {
    while (*needle && fold((unsigned char)*text) == fold((unsigned char)*needle))
        text++, needle++;
    return *needle == '\0';
}

bool lp_search_in(const char *text, const char *needle) {
    if (*needle == '\0')
        return false;
    for (; *text; text++)
        if (begins(text, needle))
            return true;
    return false;
}

/* Do the cells from here on show these characters? */
static bool stands_at(const LpArea *area, int x, int y, const uint32_t *cps, int count) {
    for (int i = 0; i < count; i++) {
        const LpCell *cell = lp_canvas_at(area->canvas, area->rect.x + x + i, area->rect.y + y);
        if (!cell || fold(cell->cp) != cps[i])
            return false;
    }
    return true;
}

static void mark(const LpArea *area, int x, int y, int count) {
    for (int i = 0; i < count; i++) {
        const LpCell *cell = lp_canvas_at(area->canvas, area->rect.x + x + i, area->rect.y + y);
        bool reversed = cell && (cell->style & LP_REVERSE);
        lp_area_mark(area, x + i, y, 1, reversed ? LP_UNDERLINE | LP_BOLD : LP_REVERSE);
    }
}

int lp_search_mark(const LpArea *area, const char *needle) {
    uint32_t cps[LP_SEARCH_TEXT];
    LpCell cell[LP_SEARCH_TEXT];
    int count = lp_text_cells(needle, LP_SEARCH_TEXT, cell), found = 0;
    for (int i = 0; i < count; i++)
        cps[i] = fold(cell[i].cp);
    if (count == 0)
        return 0;
    for (int y = 0; y < area->rect.h; y++)
        for (int x = 0; x + count <= area->rect.w; x++)
            if (stands_at(area, x, y, cps, count)) {
                mark(area, x, y, count);
                x += count - 1;
                found++;
            }
    return found;
}
