/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing on a grid of cells: clipping, text, headings, boxes, and the grid as text. */
#include "term/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/mem.h"

enum { TEXT_MAX = 4 * LP_CANVAS_MAX }; /* bytes of text that one call shows at most */

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

LpErr lp_canvas_resize(LpCanvas *canvas, int rows, int cols, LpDiag *diag) {
    rows = clamp(rows, 0, LP_CANVAS_ROWS);
    cols = clamp(cols, 0, LP_CANVAS_MAX);
    LpCell *cell = lp_alloc((size_t)rows * (size_t)cols, sizeof *cell);
    if (!cell)
        return lp_fail_memory(diag, "the screen");
    lp_free(canvas->cell);
    canvas->cell = cell;
    canvas->rows = rows;
    canvas->cols = cols;
    lp_canvas_clear(canvas);
    return LP_OK;
}

void lp_canvas_fini(LpCanvas *canvas) {
    lp_free(canvas->cell);
    *canvas = (LpCanvas){0};
}

void lp_canvas_clear(LpCanvas *canvas) {
    for (int i = 0; i < canvas->rows * canvas->cols; i++)
        canvas->cell[i] = (LpCell){.cp = ' ', .style = LP_ROLE_TEXT};
}

const LpCell *lp_canvas_at(const LpCanvas *canvas, int x, int y) {
    if (x < 0 || y < 0 || x >= canvas->cols || y >= canvas->rows)
        return NULL;
    return &canvas->cell[y * canvas->cols + x];
}

LpCell lp_canvas_shown(const LpCanvas *canvas, int x, int y) {
    LpCell cell = *lp_canvas_at(canvas, x, y);
    const LpCell *left = lp_canvas_at(canvas, x - 1, y), *right = lp_canvas_at(canvas, x + 1, y);
    bool orphan = cell.cp == LP_CELL_REST && (left == NULL || lp_utf8_columns(left->cp) != 2);
    bool cut = lp_utf8_columns(cell.cp) == 2 && (right == NULL || right->cp != LP_CELL_REST);
    if (orphan || cut) {
        cell.cp = ' ';
        memset(cell.mark, 0, sizeof cell.mark);
    }
    return cell;
}

bool lp_cell_same(const LpCell *a, const LpCell *b) {
    return a->cp == b->cp && a->style == b->style && memcmp(a->mark, b->mark, sizeof a->mark) == 0;
}

size_t lp_cell_utf8(const LpCell *cell, char out[LP_CELL_UTF8]) {
    out[0] = '\0';
    size_t len = cell->cp != LP_CELL_REST ? lp_utf8_encode(cell->cp, out) : 0;
    for (int i = 0; i < LP_CELL_MARKS && cell->mark[i] != 0; i++)
        len += lp_utf8_encode(cell->mark[i], out + len);
    return len;
}

/* The part of a rectangle that lies in 0..w-1, 0..h-1. */
static LpRect cut(LpRect rect, int w, int h) {
    int left = clamp(rect.x, 0, w), top = clamp(rect.y, 0, h);
    int right = clamp(rect.x + (rect.w > 0 ? rect.w : 0), left, w);
    int bottom = clamp(rect.y + (rect.h > 0 ? rect.h : 0), top, h);
    LP_ASSERT(right - left <= w && bottom - top <= h);
    return (LpRect){left, top, right - left, bottom - top};
}

LpArea lp_canvas_area(LpCanvas *canvas, LpRect rect) {
    return (LpArea){canvas, cut(rect, canvas->cols, canvas->rows)};
}

LpArea lp_area_part(const LpArea *area, LpRect rect) {
    LpRect part = cut(rect, area->rect.w, area->rect.h);
    part.x += area->rect.x;
    part.y += area->rect.y;
    return (LpArea){area->canvas, part};
}

static LpCell *cell_at(const LpArea *area, int x, int y) {
    if (x < 0 || y < 0 || x >= area->rect.w || y >= area->rect.h)
        return NULL;
    LP_ASSERT(area->rect.x + x < area->canvas->cols && area->rect.y + y < area->canvas->rows);
    return &area->canvas->cell[(area->rect.y + y) * area->canvas->cols + area->rect.x + x];
}

void lp_area_clear(const LpArea *area) {
    for (int y = 0; y < area->rect.h; y++)
        for (int x = 0; x < area->rect.w; x++)
            *cell_at(area, x, y) = (LpCell){.cp = ' ', .style = LP_ROLE_TEXT};
}

/* What covers its cell is not reversed but changes colours with the accent. */
static LpStyle marked(unsigned style, uint32_t cp) {
    bool covered = (style & LP_REVERSE) && lp_glyph_covers(cp);
    return (LpStyle)(covered ? (style & ~(unsigned)LP_REVERSE) | LP_SWAP : style);
}

void lp_area_cell(const LpArea *area, int x, int y, LpStyle style, LpCell what) {
    LpCell *cell = cell_at(area, x, y), *rest = cell_at(area, x + 1, y);
    bool wide = lp_utf8_columns(what.cp) == 2, ascii = area->canvas->ascii && what.cp > 0x7E;
    if (!cell)
        return;
    if (lp_utf8_columns(what.cp) < 1 || ascii || (wide && !rest))
        what = (LpCell){.cp = lp_glyph(LP_GLYPH_UNKNOWN, area->canvas->ascii)};
    what.style = marked(style, what.cp);
    *cell = what;
    if (wide && rest)
        *rest = (LpCell){.cp = ascii ? what.cp : LP_CELL_REST, .style = what.style};
}

void lp_area_put(const LpArea *area, int x, int y, LpStyle style, uint32_t cp) {
    lp_area_cell(area, x, y, style, (LpCell){.cp = cp});
}

void lp_area_glyph(const LpArea *area, int x, int y, LpStyle style, LpGlyph glyph) {
    lp_area_put(area, x, y, style, lp_glyph(glyph, area->canvas->ascii));
}

void lp_area_repeat(const LpArea *area, int x, int y, int count, LpStyle style, LpGlyph glyph) {
    int last = clamp(x + count, 0, area->rect.w);
    for (int i = clamp(x, 0, last); i < last; i++)
        lp_area_glyph(area, i, y, style, glyph);
}

/* Variants would change the width of what they follow, and no terminal shows tones of skin alone.
 */
static void add_mark(LpCell *cell, uint32_t cp) {
    if ((cp >= 0xFE00 && cp <= 0xFE0F) || cp > 0xFFFF)
        return;
    for (int i = 0; i < LP_CELL_MARKS; i++)
        if (cell->mark[i] == 0) {
            cell->mark[i] = (uint16_t)cp;
            return;
        }
}

int lp_text_cells(const char *text, int most, LpCell *cell) {
    char shown[TEXT_MAX];
    int n = 0;
    lp_str_show(shown, sizeof shown, text);
    for (const char *p = shown; *p != '\0' && n < most;) {
        uint32_t cp;
        p += lp_utf8_decode(p, strlen(p), &cp);
        int columns = lp_utf8_columns(cp);
        if (columns == 0 && n > 0)
            add_mark(&cell[cell[n - 1].cp == LP_CELL_REST ? n - 2 : n - 1], cp);
        if (columns == 0)
            continue;
        cell[n++] = (LpCell){.cp = cp};
        if (columns == 2 && n < most)
            cell[n++] = (LpCell){.cp = LP_CELL_REST};
    }
    return n;
}

int lp_text_width(const char *text) {
    char shown[TEXT_MAX];
    int width = 0;
    lp_str_show(shown, sizeof shown, text);
    for (const char *p = shown; *p;) {
        uint32_t cp;
        p += lp_utf8_decode(p, strlen(p), &cp);
        width += lp_utf8_columns(cp);
    }
    return width;
}

size_t lp_text_prefix(const char *text, int columns) {
    size_t end = 0, len = strlen(text), bytes;
    for (int width = 0; end < len; end += bytes) {
        uint32_t cp;
        bytes = lp_utf8_decode(text + end, len - end, &cp);
        int more = lp_utf8_columns(cp);
        width += more < 0 ? 1 : more;
        if (width > columns)
            break;
    }
    return end;
}

/* ---- what is too long ---- */

static bool is_digit(uint32_t cp) {
    return cp >= '0' && cp <= '9';
}

static bool is_letter(uint32_t cp) {
    return (cp | 0x20) >= 'a' && (cp | 0x20) <= 'z';
}

/* Does a word of at most four letters, such as a unit, begin at `at` and end behind `k`? */
static bool cuts_unit(const LpCell *cell, int n, int at, int k) {
    enum { UNIT_MOST = 4 };
    int end = at;
    while (end < n && (is_letter(cell[end].cp) || cell[end].cp == '%' || cell[end].cp == '/'))
        end++;
    return end > at && end - at <= UNIT_MOST && end > k;
}

/* Characters of a text of `n` that are shown before the sign of what is left out, at most `room`: a
 * number is shown whole and with its unit, or not at all. */
static int shown_part(const LpCell *cell, int n, int room) {
    int k = room, word = room, number;
    while (word > 0 &&
           (is_letter(cell[word - 1].cp) || cell[word - 1].cp == '%' || cell[word - 1].cp == '/'))
        word--;
    if (word == k && cell[k].cp == ' ')
        word = k + 1;
    for (number = word; number > 0 && number <= n && cell[number - 1].cp == ' ';)
        number--;
    bool unit =
        number < word && number > 0 && is_digit(cell[number - 1].cp) && cuts_unit(cell, n, word, k);
    int first = number;
    while (first > 0 && is_digit(cell[first - 1].cp))
        first--;
    unit &= first == 0 || !is_letter(cell[first - 1].cp); /* resnet18 is a name */
    k = unit ? number : k;
    if (k > 0 && is_digit(cell[k - 1].cp) &&
        (unit || is_digit(cell[k].cp) || cell[k].cp == '.' || cell[k].cp == '%'))
        while (k > 0 && (is_digit(cell[k - 1].cp) || cell[k - 1].cp == '.' ||
                         (cell[k - 1].cp == ' ' && k > 1 && is_digit(cell[k - 2].cp))))
            k--;
    while (k > 0 && (cell[k - 1].cp == ' ' || cell[k].cp == LP_CELL_REST))
        k--;
    return k;
}

int lp_area_fit(const LpArea *area, int x, int y, int width, LpStyle style, const char *text) {
    enum { MOST = LP_CANVAS_MAX + 2 }; /* one more than there is room for is too long */
    LpCell cell[MOST];
    int room = width < area->rect.w - x ? width : area->rect.w - x;
    int n = lp_text_cells(text, MOST, cell);
    while (n > room && n > 0 && cell[n - 1].cp == ' ')
        n--;
    if (room <= 0)
        return x;
    int most = n <= room ? n : shown_part(cell, n, room - 1);
    for (int i = 0; i < most; i++)
        if (cell[i].cp != LP_CELL_REST)
            lp_area_cell(area, x + i, y, style, cell[i]);
    if (n > room)
        lp_area_glyph(area, x + most, y, style, LP_GLYPH_ELLIPSIS);
    return x + most + (n > room);
}

void lp_area_done(const LpArea *area, LpBuf *text) {
    area->canvas->incomplete |= text->failed;
    lp_buf_fini(text);
}

int lp_area_text(const LpArea *area, int x, int y, LpStyle style, const char *text) {
    return lp_area_fit(area, x, y, TEXT_MAX, style, text);
}

int lp_area_textf(const LpArea *area, int x, int y, LpStyle style, const char *fmt, ...) {
    char text[TEXT_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return lp_area_text(area, x, y, style, text);
}

void lp_area_right(const LpArea *area, int end, int y, LpStyle style, const char *text) {
    int x = end - lp_text_width(text);
    if (x >= 0)
        lp_area_text(area, x, y, style, text);
}

void lp_area_mark(const LpArea *area, int x, int y, int count, LpStyle bits) {
    for (int i = x; i < x + count; i++) {
        LpCell *cell = cell_at(area, i, y);
        if (cell)
            cell->style = marked(cell->style | bits, cell->cp);
    }
}

void lp_area_choose(const LpArea *area, int x, int y, int count) {
    static const LpGlyph pointer[2] = {LP_GLYPH_POINTER, LP_GLYPH_LEFT};
    lp_area_mark(area, x, y, count, LP_REVERSE);
    for (int i = 0; i < 2; i++) {
        int at = i == 0 ? x - 1 : x + count;
        const LpCell *cell = cell_at(area, at, y);
        if (cell && cell->cp == ' ')
            lp_area_glyph(area, at, y, LP_ROLE_CURSOR, pointer[i]);
    }
}

void lp_area_hit(const LpArea *area, LpRect rect, LpHit hit, uint32_t what) {
    LpRect in = cut(rect, area->rect.w, area->rect.h);
    for (int y = in.y; y < in.y + in.h; y++)
        for (int x = in.x; x < in.x + in.w; x++) {
            LpCell *cell = cell_at(area, x, y);
            cell->hit = (uint8_t)hit;
            cell->what = what;
        }
}

LpArea lp_area_box(const LpArea *area, const char *title) {
    LpRect r = area->rect;
    if (r.w < 2 || r.h < 2)
        return lp_area_part(area, (LpRect){0, 0, 0, 0});
    int right = area->rect.w - 1, bottom = area->rect.h - 1;
    lp_area_repeat(area, 1, 0, right - 1, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    lp_area_repeat(area, 1, bottom, right - 1, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    for (int y = 1; y < bottom; y++) {
        lp_area_glyph(area, 0, y, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
        lp_area_glyph(area, right, y, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
    }
    lp_area_glyph(area, 0, 0, LP_ROLE_BORDER, LP_GLYPH_TOP_LEFT);
    lp_area_glyph(area, right, 0, LP_ROLE_BORDER, LP_GLYPH_TOP_RIGHT);
    lp_area_glyph(area, 0, bottom, LP_ROLE_BORDER, LP_GLYPH_BOTTOM_LEFT);
    lp_area_glyph(area, right, bottom, LP_ROLE_BORDER, LP_GLYPH_BOTTOM_RIGHT);
    if (title && *title && r.w >= 6) {
        lp_area_put(area, 1, 0, LP_ROLE_BORDER, ' ');
        int end = lp_area_fit(area, 2, 0, r.w - 4, LP_ROLE_LABEL, title);
        lp_area_put(area, end, 0, LP_ROLE_BORDER, ' ');
    }
    return lp_area_part(area, (LpRect){1, 1, r.w - 2, r.h - 2});
}

LpArea lp_area_heading(const LpArea *area, const char *title) {
    LpRect r = area->rect;
    int end = lp_area_fit(area, 1, 0, r.w - 2, LP_ROLE_LABEL, title);
    lp_area_repeat(area, end + 1, 0, r.w - 2 - end, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    return lp_area_part(area, (LpRect){0, 1, r.w - 1, r.h - 1});
}

bool lp_area_heading_note(const LpArea *area, const char *title, int least, LpStyle style,
                          const char *text) {
    int from = 1 + lp_text_width(title) + 2, end = area->rect.w - 1, width = lp_text_width(text);
    if (*text == '\0' || end - from < (least < width ? least : width))
        return false;
    int x = end - width > from ? end - width : from;
    lp_area_put(area, x - 1, 0, LP_ROLE_BORDER, ' ');
    lp_area_fit(area, x, 0, end - x, style, text);
    return true;
}

void lp_area_point(const LpArea *area) {
    bool heading = area->rect.h >= 3;
    for (int y = 0; y < (heading ? 1 : area->rect.h); y++)
        for (int x = 0; x < area->rect.w; x++) {
            LpCell *cell = cell_at(area, x, y);
            cell->style =
                heading ? LP_ROLE_PENDING | LP_BOLD : marked(cell->style | LP_REVERSE, cell->cp);
        }
    if (heading)
        lp_area_glyph(area, 0, 0, LP_ROLE_PENDING | LP_BOLD, LP_GLYPH_POINTER);
}

/* Columns up to the last cell that shows something. */
static int used_columns(const LpCanvas *canvas, int y) {
    int end = canvas->cols;
    while (end > 0 && lp_canvas_shown(canvas, end - 1, y).cp == ' ')
        end--;
    return end;
}

void lp_canvas_print(const LpCanvas *canvas, LpBuf *out) {
    for (int y = 0; y < canvas->rows; y++) {
        int end = used_columns(canvas, y);
        for (int x = 0; x < end; x++) {
            char bytes[LP_CELL_UTF8];
            LpCell cell = lp_canvas_shown(canvas, x, y);
            lp_buf_add_bytes(out, bytes, lp_cell_utf8(&cell, bytes));
        }
        lp_buf_add(out, "\n");
    }
}

void lp_canvas_print_roles(const LpCanvas *canvas, LpBuf *out) {
    for (int y = 0; y < canvas->rows; y++) {
        int end = used_columns(canvas, y);
        for (int x = 0; x < end; x++) {
            const LpCell *cell = lp_canvas_at(canvas, x, y);
            char letter = lp_role_letter((LpRole)(cell->style & 0xFF));
            if (cell->style & ~0xFF)
                letter = (char)(letter - 'a' + 'A');
            lp_buf_add_bytes(
                out, cell->cp == ' ' && !(cell->style & (LP_REVERSE | LP_FILL)) ? " " : &letter, 1);
        }
        lp_buf_add(out, "\n");
    }
    for (int role = 0; role < LP_ROLE_COUNT; role++)
        lp_buf_addf(out, "%c %s\n", lp_role_letter((LpRole)role), lp_role_name((LpRole)role));
}
