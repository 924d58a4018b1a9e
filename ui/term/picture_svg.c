/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A screen as SVG. Each character has a place of its own, and lines, blocks and dots are drawn as
 * shapes, so that cells meet whatever font the viewer has. */
#include "term/picture_impl.h"

enum { CELL_W = 9, CELL_H = 19, BASE = 14, MARGIN = 12 }; /* pixels */

enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, HEAVY = 16, BROKEN = 32 };

/* The arms of a line from the middle of its cell. */
static int arms_of(uint32_t cp) {
    static const struct {
        uint32_t cp;
        int arms;
    } lines[] = {{0x2500, LEFT | RIGHT},
                 {0x2501, LEFT | RIGHT | HEAVY},
                 {0x2502, UP | DOWN},
                 {0x2503, UP | DOWN | HEAVY},
                 {0x250c, RIGHT | DOWN},
                 {0x2510, LEFT | DOWN},
                 {0x2514, RIGHT | UP},
                 {0x2518, LEFT | UP},
                 {0x251c, RIGHT | UP | DOWN},
                 {0x2524, LEFT | UP | DOWN},
                 {0x252c, LEFT | RIGHT | DOWN},
                 {0x2534, LEFT | RIGHT | UP},
                 {0x253c, LEFT | RIGHT | UP | DOWN},
                 {0x254c, LEFT | RIGHT | BROKEN},
                 {0x2550, LEFT | RIGHT | HEAVY}};
    for (size_t i = 0; i < LP_COUNTOF(lines); i++)
        if (lines[i].cp == cp)
            return lines[i].arms;
    return 0;
}

/* A rectangle of a path, in tenths of a pixel. */
static void add_rect(LpBuf *out, int x, int y, int w, int h) {
    lp_buf_addf(out, "M%d.%d %d.%dh%d.%dv%d.%dh-%d.%dz", x / 10, x % 10, y / 10, y % 10, w / 10,
                w % 10, h / 10, h % 10, w / 10, w % 10);
}

static void add_line(int arms, int x, int y, LpBuf *out) {
    int thick = arms & HEAVY ? 24 : 12, w = CELL_W * 10, h = CELL_H * 10;
    int mx = x + (w - thick) / 2, my = y + (h - thick) / 2;
    int from = arms & LEFT ? x : mx, to = arms & RIGHT ? x + w : mx + thick;
    if (arms & BROKEN) {
        add_rect(out, x + 10, my, 25, thick);
        add_rect(out, x + 55, my, 25, thick);
        return;
    }
    if (arms & (LEFT | RIGHT))
        add_rect(out, from, my, to - from, thick);
    from = arms & UP ? y : my;
    to = arms & DOWN ? y + h : my + thick;
    if (arms & (UP | DOWN))
        add_rect(out, mx, from, thick, to - from);
}

/* Dots of braille: bits of the code point go down the left column, then the right one, the lowest
 * two last. */
static void add_dots(uint32_t bits, int x, int y, LpBuf *out) {
    static const struct {
        int col, row;
    } dots[] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}};
    for (size_t i = 0; i < LP_COUNTOF(dots); i++)
        if (bits >> i & 1)
            add_rect(out, x + 14 + dots[i].col * CELL_W * 5, y + 14 + dots[i].row * 47, 22, 22);
}

/* Full and half blocks, eighths from below and from the left, quarters of none. */
static bool add_block(uint32_t cp, int x, int y, LpBuf *out) {
    int w = CELL_W * 10, h = CELL_H * 10;
    if (cp == 0x2580)
        add_rect(out, x, y, w, h / 2);
    else if (cp >= 0x2581 && cp <= 0x2588)
        add_rect(out, x, y + h - h * (int)(cp - 0x2580) / 8, w, h * (int)(cp - 0x2580) / 8);
    else if (cp > 0x2588 && cp <= 0x258f)
        add_rect(out, x, y, w * (int)(0x2590 - cp) / 8, h);
    else if (cp == 0x2590)
        add_rect(out, x + w / 2, y, w / 2, h);
    else if (cp == 0x25aa)
        add_rect(out, x + 15, y + 65, 60, 60);
    else
        return false;
    return true;
}

/* Draws what is a shape into a path; false for a character of text. */
static bool add_shape(uint32_t cp, int column, int row, LpBuf *out) {
    int x = (MARGIN + column * CELL_W) * 10, y = (MARGIN + row * CELL_H) * 10;
    int arms = arms_of(cp);
    if (arms)
        add_line(arms, x, y, out);
    else if (cp >= 0x2800 && cp <= 0x28ff)
        add_dots(cp - 0x2800, x, y, out);
    else
        return add_block(cp, x, y, out);
    return true;
}

static void add_colour(const char *name, LpColour colour, LpBuf *out) {
    lp_buf_addf(out, " %s=\"#%02x%02x%02x\"", name, colour.r, colour.g, colour.b);
}

/* Shades are the cell in a thinner colour. */
static bool add_shade(uint32_t cp, int column, int row, const LpPictureInk *ink, LpBuf *out) {
    if (cp < 0x2591 || cp > 0x2593)
        return false;
    lp_buf_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill-opacity=\"0.%d\"",
                MARGIN + column * CELL_W, MARGIN + row * CELL_H, CELL_W, CELL_H,
                (int)(cp - 0x2590) * 25);
    add_colour("fill", ink->front, out);
    lp_buf_add(out, "/>\n");
    return true;
}

/* Words: without blanks, which viewers fold, and every character at its own place. */
static void add_word(const LpCanvas *canvas, int from, int to, int y, const LpPictureInk *ink,
                     LpBuf *out) {
    lp_buf_addf(out, "<text y=\"%d\" x=\"", MARGIN + y * CELL_H + BASE);
    for (int x = from; x < to; x++)
        lp_buf_addf(out, "%s%d", x > from ? " " : "", MARGIN + x * CELL_W);
    lp_buf_add(out, "\"");
    add_colour("fill", ink->front, out);
    lp_buf_addf(out, "%s>", ink->bold ? " font-weight=\"bold\"" : "");
    for (int x = from; x < to; x++) {
        LpCell cell = lp_canvas_shown(canvas, x, y);
        lp_picture_markup(&cell, out);
    }
    lp_buf_add(out, "</text>\n");
}

/* What is more than one code unit to a viewer: a list of places would lose count behind it. */
static bool stands_alone(const LpCanvas *canvas, int x, int y) {
    LpCell cell = lp_canvas_shown(canvas, x, y);
    return cell.cp > 0xFFFF || cell.mark[0] != 0 || lp_utf8_columns(cell.cp) == 2;
}

static bool is_text(uint32_t cp) {
    LpBuf none = {0};
    bool shape = cp == ' ' || cp == LP_CELL_REST || add_shape(cp, 0, 0, &none) ||
                 (cp >= 0x2591 && cp <= 0x2593);
    lp_buf_fini(&none);
    return !shape;
}

static void add_run(const LpCanvas *canvas, const LpPictureRun *run, const LpPictureInk *ink,
                    LpBuf *out) {
    if (ink->filled) {
        lp_buf_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"",
                    MARGIN + run->x * CELL_W, MARGIN + run->y * CELL_H, run->len * CELL_W, CELL_H);
        add_colour("fill", ink->back, out);
        lp_buf_add(out, "/>\n");
    }
    LpBuf path = {0};
    for (int i = 0; i < run->len; i++)
        add_shape(lp_canvas_at(canvas, run->x + i, run->y)->cp, run->x + i, run->y, &path);
    if (ink->underline)
        add_rect(&path, (MARGIN + run->x * CELL_W) * 10, (MARGIN + run->y * CELL_H + BASE + 2) * 10,
                 run->len * CELL_W * 10, 10);
    if (path.len > 0) {
        lp_buf_addf(out, "<path d=\"%s\"", lp_buf_text(&path));
        add_colour("fill", ink->front, out);
        lp_buf_add(out, "/>\n");
    }
    out->failed |= path.failed;
    lp_buf_fini(&path);
    for (int x = run->x, end = run->x + run->len; x < end; x++) {
        int from = x;
        while (x < end && is_text(lp_canvas_at(canvas, x, run->y)->cp) &&
               !stands_alone(canvas, x, run->y))
            x++;
        if (x > from)
            add_word(canvas, from, x, run->y, ink, out);
        if (x < end && stands_alone(canvas, x, run->y))
            add_word(canvas, x, x + 1, run->y, ink, out);
        else if (x < end)
            add_shade(lp_canvas_at(canvas, x, run->y)->cp, x, run->y, ink, out);
    }
}

void lp_picture_svg(const LpCanvas *canvas, const LpTheme *theme, LpBuf *out) {
    LpPaper paper = lp_picture_paper(theme);
    int w = canvas->cols * CELL_W + 2 * MARGIN, h = canvas->rows * CELL_H + 2 * MARGIN;
    lp_buf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, "
                "monospace\" font-size=\"15\">\n<rect width=\"100%%\" height=\"100%%\"",
                w, h, w, h);
    add_colour("fill", paper.back, out);
    lp_buf_add(out, "/>\n");
    for (int y = 0; y < canvas->rows; y++)
        for (LpPictureRun run = {.y = y}; lp_picture_next(canvas, &run);) {
            LpPictureInk ink = lp_picture_ink(theme, &paper, run.style);
            add_run(canvas, &run, &ink, out);
        }
    lp_buf_add(out, "</svg>\n");
}
