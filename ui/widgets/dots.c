/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers dots. */
#include "widgets/dots.h"

#include <math.h>

#include "base/mem.h"

void lp_dots_open(LpDots *dots, int w, int h) {
    size_t cells = w > 0 && h > 0 ? (size_t)w * (size_t)h : 0;
    *dots = (LpDots){.bits = lp_alloc(cells, sizeof *dots->bits),
                     .style = lp_alloc(cells, sizeof *dots->style)};
    dots->lacking = cells > 0 && (!dots->bits || !dots->style);
    if (cells == 0 || dots->lacking)
        return;
    dots->w = w;
    dots->h = h;
}

void lp_dots_put(LpDots *dots, int x, int y, LpStyle style) {
    if (x < 0 || y < 0 || x >= 2 * dots->w || y >= 4 * dots->h)
        return;
    size_t cell = (size_t)(y / 4) * (size_t)dots->w + (size_t)(x / 2);
    dots->bits[cell] |= (uint8_t)(1u << (x % 2 + 2 * (y % 4)));
    dots->style[cell] = style;
}

/* Cuts the stretch from..to of a line off where from + t * by is outside 0..limit; false: all of
 * it. */
static bool cut(double from, double by, double limit, double *first, double *last) {
    double a = -from / by, b = (limit - from) / by;
    if (by == 0.0)
        return from >= 0.0 && from <= limit;
    *first = fmax(*first, fmin(a, b));
    *last = fmin(*last, fmax(a, b));
    return *first <= *last;
}

void lp_dots_line(LpDots *dots, double x0, double y0, double x1, double y1, LpStyle style) {
    double first = 0.0, last = 1.0, dx = x1 - x0, dy = y1 - y0;
    if (dots->w == 0 || !cut(x0, dx, 2 * dots->w - 1, &first, &last) ||
        !cut(y0, dy, 4 * dots->h - 1, &first, &last))
        return;
    double length = fmax(fabs(dx), fabs(dy)) * (last - first);
    int steps = (int)length + 1;
    for (int i = 0; i <= steps; i++) {
        double t = first + (last - first) * i / steps;
        lp_dots_put(dots, (int)floor(x0 + dx * t + 0.5), (int)floor(y0 + dy * t + 0.5), style);
    }
}

void lp_dots_close(LpDots *dots, const LpArea *area) {
    area->canvas->incomplete |= dots->lacking;
    for (int y = 0; y < dots->h; y++)
        for (int x = 0; x < dots->w; x++) {
            size_t cell = (size_t)y * (size_t)dots->w + (size_t)x;
            if (dots->bits[cell])
                lp_area_put(area, x, y, dots->style[cell],
                            dots->blocks && !area->canvas->ascii
                                ? lp_glyph_halves(dots->bits[cell])
                                : lp_glyph_dots(dots->bits[cell], area->canvas->ascii));
        }
    lp_free(dots->bits);
    lp_free(dots->style);
    *dots = (LpDots){0};
}
