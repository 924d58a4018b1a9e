/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens as pictures. Cells of one style are written together. */
#include "term/picture.h"

#include <string.h>

#include "term/colour.h"

enum { CELL_W = 9, CELL_H = 19, BASE = 14, MARGIN = 12 }; /* of the SVG, pixels */

LpPicture lp_picture_of(const char *path) {
    static const struct {
        const char *ending;
        LpPicture picture;
    } endings[] = {{".roles", LP_PICTURE_ROLES},
                   {".ansi", LP_PICTURE_ANSI},
                   {".svg", LP_PICTURE_SVG},
                   {".html", LP_PICTURE_HTML}};
    size_t len = strlen(path);
    for (size_t i = 0; i < LP_COUNTOF(endings); i++) {
        size_t end = strlen(endings[i].ending);
        if (len > end && strcmp(path + len - end, endings[i].ending) == 0)
            return endings[i].picture;
    }
    return LP_PICTURE_TEXT;
}

/* ---- colours ---- */

/* The colours and emphasis of a run of cells. */
typedef struct Ink {
    LpColour front, back;
    bool bold, underline, filled; /* filled: the background is not the paper's */
} Ink;

typedef struct Paper {
    LpColour front, back;
} Paper;

static Paper paper_of(const LpTheme *theme) {
    return theme->light ? (Paper){{26, 26, 26}, {255, 255, 255}}
                        : (Paper){{216, 222, 228}, {16, 20, 24}};
}

static Ink ink_of(const LpTheme *theme, const Paper *paper, LpStyle style) {
    LpInk look = lp_look_ink(&theme->look[style & 0xff], style, 256);
    Ink ink = {look.front >= 0 ? lp_colour_of(look.front) : paper->front,
               look.back >= 0 ? lp_colour_of(look.back) : paper->back, (look.attr & LP_BOLD) != 0,
               (look.attr & LP_UNDERLINE) != 0, look.back >= 0 || (look.attr & LP_REVERSE) != 0};
    if (look.attr & LP_REVERSE) {
        LpColour front = ink.front;
        ink.front = ink.back;
        ink.back = front;
    }
    return ink;
}

/* ---- runs ---- */

typedef struct Run {
    int x, y, len;
    LpStyle style;
} Run;

/* The next run of equal style in a row; false at its end. */
static bool next_run(const LpCanvas *canvas, Run *run) {
    run->x += run->len;
    if (run->x >= canvas->cols)
        return false;
    run->style = lp_canvas_at(canvas, run->x, run->y)->style;
    for (run->len = 1; run->x + run->len < canvas->cols; run->len++)
        if (lp_canvas_at(canvas, run->x + run->len, run->y)->style != run->style)
            break;
    return true;
}

static bool is_blank(const LpCanvas *canvas, const Run *run) {
    for (int i = 0; i < run->len; i++)
        if (lp_canvas_at(canvas, run->x + i, run->y)->cp != ' ')
            return false;
    return true;
}

static void add_cells(const LpCanvas *canvas, const Run *run, bool markup, LpBuf *out) {
    for (int i = 0; i < run->len; i++) {
        uint32_t cp = lp_canvas_at(canvas, run->x + i, run->y)->cp;
        char utf8[4];
        if (markup && (cp == '<' || cp == '>' || cp == '&'))
            lp_buf_add(out, cp == '<' ? "&lt;" : cp == '>' ? "&gt;" : "&amp;");
        else
            lp_buf_add_bytes(out, utf8, lp_utf8_encode(cp, utf8));
    }
}

/* ---- the formats ---- */

void lp_picture_sgr(const LpTheme *theme, LpStyle style, LpBuf *out) {
    LpInk ink = lp_look_ink(&theme->look[style & 0xff], style, 256);
    lp_buf_addf(out, "\x1b[0%s%s%s", ink.attr & LP_BOLD ? ";1" : "",
                ink.attr & LP_UNDERLINE ? ";4" : "", ink.attr & LP_REVERSE ? ";7" : "");
    if (ink.front >= 0)
        lp_buf_addf(out, ";38;5;%d", ink.front);
    if (ink.back >= 0)
        lp_buf_addf(out, ";48;5;%d", ink.back);
    lp_buf_add(out, "m");
}

static void add_ansi(const LpCanvas *canvas, const LpTheme *theme, LpBuf *out) {
    for (int y = 0; y < canvas->rows; y++) {
        for (Run run = {.y = y}; next_run(canvas, &run);) {
            lp_picture_sgr(theme, run.style, out);
            add_cells(canvas, &run, false, out);
        }
        lp_buf_add(out, "\x1b[0m\n");
    }
}

static void add_svg_run(const LpCanvas *canvas, const Run *run, const Ink *ink, LpBuf *out) {
    int x = MARGIN + run->x * CELL_W, y = MARGIN + run->y * CELL_H, w = run->len * CELL_W;
    if (ink->filled)
        lp_buf_addf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                    "fill=\"#%02x%02x%02x\"/>\n",
                    x, y, w, CELL_H, ink->back.r, ink->back.g, ink->back.b);
    if (is_blank(canvas, run))
        return;
    lp_buf_addf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%02x%02x%02x\"%s%s>", x,
                y + BASE, w, ink->front.r, ink->front.g, ink->front.b,
                ink->bold ? " font-weight=\"bold\"" : "",
                ink->underline ? " text-decoration=\"underline\"" : "");
    add_cells(canvas, run, true, out);
    lp_buf_add(out, "</text>\n");
}

static void add_svg(const LpCanvas *canvas, const LpTheme *theme, LpBuf *out) {
    Paper paper = paper_of(theme);
    int w = canvas->cols * CELL_W + 2 * MARGIN, h = canvas->rows * CELL_H + 2 * MARGIN;
    lp_buf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, "
                "monospace\" font-size=\"15\" xml:space=\"preserve\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#%02x%02x%02x\"/>\n",
                w, h, w, h, paper.back.r, paper.back.g, paper.back.b);
    for (int y = 0; y < canvas->rows; y++)
        for (Run run = {.y = y}; next_run(canvas, &run);) {
            Ink ink = ink_of(theme, &paper, run.style);
            add_svg_run(canvas, &run, &ink, out);
        }
    lp_buf_add(out, "</svg>\n");
}

static void add_html(const LpCanvas *canvas, const LpTheme *theme, LpBuf *out) {
    Paper paper = paper_of(theme);
    lp_buf_addf(out,
                "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>lightpath</title>"
                "</head>\n<body style=\"background:#%02x%02x%02x;color:#%02x%02x%02x\">\n"
                "<pre style=\"font-family:DejaVu Sans Mono,Menlo,Consolas,monospace;"
                "line-height:1.25\">\n",
                paper.back.r, paper.back.g, paper.back.b, paper.front.r, paper.front.g,
                paper.front.b);
    for (int y = 0; y < canvas->rows; y++) {
        for (Run run = {.y = y}; next_run(canvas, &run);) {
            Ink ink = ink_of(theme, &paper, run.style);
            lp_buf_addf(out, "<span style=\"color:#%02x%02x%02x", ink.front.r, ink.front.g,
                        ink.front.b);
            if (ink.filled)
                lp_buf_addf(out, ";background:#%02x%02x%02x", ink.back.r, ink.back.g, ink.back.b);
            lp_buf_addf(out, "%s%s\">", ink.bold ? ";font-weight:bold" : "",
                        ink.underline ? ";text-decoration:underline" : "");
            add_cells(canvas, &run, true, out);
            lp_buf_add(out, "</span>");
        }
        lp_buf_add(out, "\n");
    }
    lp_buf_add(out, "</pre>\n</body></html>\n");
}

void lp_picture_add(const LpCanvas *canvas, const LpTheme *theme, LpPicture picture, LpBuf *out) {
    switch (picture) {
    case LP_PICTURE_ROLES:
        lp_canvas_print_roles(canvas, out);
        return;
    case LP_PICTURE_ANSI:
        add_ansi(canvas, theme, out);
        return;
    case LP_PICTURE_SVG:
        add_svg(canvas, theme, out);
        return;
    case LP_PICTURE_HTML:
        add_html(canvas, theme, out);
        return;
    case LP_PICTURE_TEXT:
    case LP_PICTURE_COUNT:
        break;
    }
    lp_canvas_print(canvas, out);
}
