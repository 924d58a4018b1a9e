/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens as pictures. Cells of one style are written together. */
#include "term/picture.h"

#include <string.h>

#include "term/picture_impl.h"

LpPicture lp_picture_of(const char *path) {
    static const struct {
        const char *ending;
        LpPicture picture;
    } endings[] = {{".roles", LP_PICTURE_ROLES},
                   {".ansi", LP_PICTURE_ANSI},
                   {".svg", LP_PICTURE_SVG},
                   {".html", LP_PICTURE_HTML},
                   {".txt", LP_PICTURE_TEXT}};
    size_t len = strlen(path);
    for (size_t i = 0; i < LP_COUNTOF(endings); i++) {
        size_t end = strlen(endings[i].ending);
        if (len > end && strcmp(path + len - end, endings[i].ending) == 0)
            return endings[i].picture;
    }
    return LP_PICTURE_TEXT;
}

LpErr lp_picture_check(const char *path, LpDiag *diag) {
    static const char *const others[] = {".png", ".jpg", ".jpeg", ".gif",  ".pdf",
                                         ".ps",  ".eps", ".bmp",  ".webp", ".tiff"};
    char shown[160];
    size_t len = strlen(path);
    for (size_t i = 0; i < LP_COUNTOF(others); i++) {
        size_t end = strlen(others[i]);
        if (len > end && strcmp(path + len - end, others[i]) == 0)
            return lp_fail(diag, LP_EINVAL,
                           "%s: a screen is written as .svg, .html, .ansi, .roles or text, not %s",
                           lp_str_show(shown, sizeof shown, path), others[i]);
    }
    return LP_OK;
}

/* ---- runs ---- */

static void add_cells(const LpCanvas *canvas, const LpPictureRun *run, bool markup, LpBuf *out) {
    for (int i = 0; i < run->len; i++) {
        LpCell cell = lp_canvas_shown(canvas, run->x + i, run->y);
        char utf8[LP_CELL_UTF8];
        bool wide = lp_utf8_columns(cell.cp) == 2;
        if (!markup) {
            lp_buf_add_bytes(out, utf8, lp_cell_utf8(&cell, utf8));
            continue;
        }
        /* fonts of other scripts do not take two columns by themselves */
        lp_buf_add(out, wide ? "<span style=\"display:inline-block;width:2ch\">" : "");
        lp_picture_markup(&cell, out);
        lp_buf_add(out, wide ? "</span>" : "");
    }
}

/* ---- the formats ---- */

void lp_picture_sgr(const LpTheme *theme, LpStyle style, LpBuf *out) {
    LpInk ink = lp_theme_ink(theme, style, theme->plain ? 0 : 256);
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
        for (LpPictureRun run = {.y = y}; lp_picture_next(canvas, &run);) {
            lp_picture_sgr(theme, run.style, out);
            add_cells(canvas, &run, false, out);
        }
        lp_buf_add(out, "\x1b[0m\n");
    }
}

static void add_html(const LpCanvas *canvas, const LpTheme *theme, LpBuf *out) {
    LpPaper paper = lp_picture_paper(theme);
    lp_buf_addf(out,
                "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>lightpath</title>"
                "</head>\n<body style=\"background:#%02x%02x%02x;color:#%02x%02x%02x\">\n"
                "<pre style=\"font-family:DejaVu Sans Mono,Menlo,Consolas,monospace;"
                "line-height:1.25\">\n",
                paper.back.r, paper.back.g, paper.back.b, paper.front.r, paper.front.g,
                paper.front.b);
    for (int y = 0; y < canvas->rows; y++) {
        for (LpPictureRun run = {.y = y}; lp_picture_next(canvas, &run);) {
            LpPictureInk ink = lp_picture_ink(theme, &paper, run.style);
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
        lp_picture_svg(canvas, theme, out);
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
