/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of one style and their colours, for all formats of pictures. */
#include "term/picture_impl.h"

LpPaper lp_picture_paper(const LpTheme *theme) {
    return theme->light ? (LpPaper){{26, 26, 26}, {255, 255, 255}}
                        : (LpPaper){{216, 222, 228}, {16, 20, 24}};
}

LpPictureInk lp_picture_ink(const LpTheme *theme, const LpPaper *paper, LpStyle style) {
    LpInk look = lp_theme_ink(theme, style, theme->plain ? 0 : 256);
    LpPictureInk ink = {look.front >= 0 ? lp_colour_of(look.front) : paper->front,
                        look.back >= 0 ? lp_colour_of(look.back) : paper->back,
                        (look.attr & LP_BOLD) != 0, (look.attr & LP_UNDERLINE) != 0,
                        look.back >= 0 || (look.attr & LP_REVERSE) != 0};
    if (look.attr & LP_REVERSE) {
        LpColour front = ink.front;
        ink.front = ink.back;
        ink.back = front;
    }
    return ink;
}

void lp_picture_markup(const LpCell *cell, LpBuf *out) {
    char utf8[LP_CELL_UTF8];
    if (cell->cp == '<' || cell->cp == '>' || cell->cp == '&')
        lp_buf_add(out, cell->cp == '<' ? "&lt;" : cell->cp == '>' ? "&gt;" : "&amp;");
    else
        lp_buf_add_bytes(out, utf8, lp_cell_utf8(cell, utf8));
}

/* The next run of equal style in a row; false at its end. */
bool lp_picture_next(const LpCanvas *canvas, LpPictureRun *run) {
    run->x += run->len;
    if (run->x >= canvas->cols)
        return false;
    run->style = lp_canvas_at(canvas, run->x, run->y)->style;
    for (run->len = 1; run->x + run->len < canvas->cols; run->len++)
        if (lp_canvas_at(canvas, run->x + run->len, run->y)->style != run->style)
            break;
    return true;
}
