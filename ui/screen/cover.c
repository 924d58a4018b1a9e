/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Covers the answer of an open question. Whatever view drew it, on the canvas it is cells. */
#include "screen/cover.h"

#include "model/lesson/lesson.h"

#include <string.h>

enum { TEXT_MOST = 80 };

static bool is_digit(uint32_t cp) {
    return cp >= '0' && cp <= '9';
}

static bool is_inside(LpRect rect, int x, int y) {
    return x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h;
}

static LpCell *cell_at(LpCanvas *canvas, int x, int y) {
    return &canvas->cell[y * canvas->cols + x];
}

/* ---- a text ---- */

/* Code points of the text as cells have them: 0 where there are too many. */
static int decode(const char *text, uint32_t cp[TEXT_MOST]) {
    LpCell cell[TEXT_MOST + 1];
    int count = lp_text_cells(text, TEXT_MOST + 1, cell);
    for (int i = 0; i < count && i < TEXT_MOST; i++)
        cp[i] = cell[i].cp;
    return count <= TEXT_MOST ? count : 0;
}

/* "36 ms" is no part of "136 ms", nor "3.6" of "3.65". */
static bool is_whole(LpCanvas *canvas, int x, int y, int count) {
    uint32_t before = x > 0 ? cell_at(canvas, x - 1, y)->cp : ' ';
    uint32_t after = x + count < canvas->cols ? cell_at(canvas, x + count, y)->cp : ' ';
    uint32_t then = x + count + 1 < canvas->cols ? cell_at(canvas, x + count + 1, y)->cp : ' ';
    uint32_t first = cell_at(canvas, x, y)->cp, last = cell_at(canvas, x + count - 1, y)->cp;
    if (is_digit(first) && (is_digit(before) || before == '.'))
        return false;
    return !is_digit(last) || !(is_digit(after) || (after == '.' && is_digit(then)));
}

static bool is_there(LpCanvas *canvas, int x, int y, const uint32_t *cp, int count) {
    for (int i = 0; i < count; i++)
        if (cell_at(canvas, x + i, y)->cp != cp[i])
            return false;
    return is_whole(canvas, x, y, count);
}

/* How much of the text stands there, cut by a cell that was too narrow: "0.67" and the mark of
 * what is missing, of "0.674 s". 0: none; three digits and points at least give something away. */
static int cut_there(LpCanvas *canvas, int x, int y, const uint32_t *cp, int count) {
    uint32_t mark = canvas->ascii ? '~' : 0x2026;
    int same = 0, digits = 0;
    while (same < count && x + same < canvas->cols &&
           cell_at(canvas, x + same, y)->cp == cp[same]) {
        digits += is_digit(cp[same]) || cp[same] == '.' ? 1 : 0;
        same++;
    }
    bool cut = digits >= 3 && same < count && x + same < canvas->cols &&
               cell_at(canvas, x + same, y)->cp == mark;
    return cut && is_whole(canvas, x, y, same) ? same : 0;
}

/* Covers the number alone of a text with a number: its unit says what is asked. */
static void cover_cells(LpCanvas *canvas, int x, int y, int count) {
    bool digits = false;
    for (int i = 0; i < count; i++)
        digits |= is_digit(cell_at(canvas, x + i, y)->cp);
    for (int i = 0; i < count; i++) {
        LpCell *cell = cell_at(canvas, x + i, y);
        if (cell->cp != ' ' && (!digits || is_digit(cell->cp)))
            cell->cp = '?';
    }
}

static void cover_text(LpCanvas *canvas, LpRect lesson, const char *text) {
    uint32_t cp[TEXT_MOST];
    int count = decode(text, cp);
    for (int y = 0; count > 0 && y < canvas->rows; y++)
        for (int x = 0; x < canvas->cols; x++) {
            int cut = is_inside(lesson, x, y) ? 0 : cut_there(canvas, x, y, cp, count);
            if (cut > 0)
                cover_cells(canvas, x, y, cut);
            else if (!is_inside(lesson, x, y) && x + count <= canvas->cols &&
                     is_there(canvas, x, y, cp, count))
                cover_cells(canvas, x, y, count);
        }
}

/* ---- the number of the right answer ---- */

/* The first number with its unit, "36 ms" of "36 ms, all the work"; false without one. A number
 * alone is one of many on a screen. */
static bool find_quantity(const char *text, char *out, size_t size) {
    static const char *const units[] = {"ms", "us", "ns",   "s",  "min", "h",    "%",
                                        "MB", "GB", "GB/s", "TB", "kB",  "times"};
    const char *at = strpbrk(text, "0123456789");
    if (!at)
        return false;
    size_t number = strspn(at, "0123456789."), blank = strspn(at + number, " ");
    size_t unit = strcspn(at + number + blank, " ,.;:)\n"), len = number + blank + unit;
    if (blank > 1 || unit == 0 || len >= size)
        return false;
    lp_str_copy(out, len + 1, at);
    for (size_t i = 0; i < LP_COUNTOF(units); i++)
        if (strcmp(out + number + blank, units[i]) == 0)
            return true;
    return false;
}

/* ---- a pane, and headings ---- */

/* What it shows gives way to one line that says so; a line of its own keeps its words' places. */
static void cover_pane(LpCanvas *canvas, LpRect rect) {
    LpArea area = lp_canvas_area(canvas, rect);
    if (rect.h < 3) {
        for (int y = rect.y; y < rect.y + rect.h; y++)
            cover_cells(canvas, rect.x, y, rect.w);
        return;
    }
    LpArea body = lp_area_part(&area, (LpRect){0, 1, rect.w, rect.h - 1});
    lp_area_clear(&body);
    const char *text = "?  shown when the question is answered";
    if (lp_text_width(text) + 2 > body.rect.w)
        text = "?  answer first";
    lp_area_fit(&body, 1, body.rect.h / 2, body.rect.w - 2, LP_ROLE_MUTED, text);
}

static void cover_heading(LpCanvas *canvas, LpRect rect) {
    for (int x = rect.x; rect.h >= 3 && x < rect.x + rect.w; x++) {
        LpCell *cell = cell_at(canvas, x, rect.y);
        if (is_digit(cell->cp))
            cell->cp = '?';
    }
}

static void cover_panes(LpCanvas *canvas, const LpScreenLayout *layout, const LpLessonHide *hide) {
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        LpRect rect = layout->pane[pane];
        if (pane == LP_PANE_LESSON || rect.w <= 0 || rect.h <= 0)
            continue;
        if (hide->headings)
            cover_heading(canvas, rect);
        else if (strcmp(hide->pane, lp_pane_name((LpPane)pane)) == 0)
            cover_pane(canvas, rect);
    }
}

void lp_screen_cover(const LpModel *model, const LpScreenLayout *layout, LpCanvas *canvas) {
    const LpLessonQuestion *q = lp_model_asked(model->ui);
    LpRect lesson = layout->pane[LP_PANE_LESSON];
    char number[TEXT_MOST];
    if (!q)
        return;
    for (uint32_t i = 0; i < q->hides; i++)
        if (q->hide[i].pane || q->hide[i].headings)
            cover_panes(canvas, layout, &q->hide[i]);
        else
            cover_text(canvas, lesson, q->hide[i].text);
    if (find_quantity(q->choice[q->answer].text, number, sizeof number))
        cover_text(canvas, lesson, number);
}
