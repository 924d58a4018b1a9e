/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The canvas: a grid of cells that views draw on and a terminal (or a file) shows. No terminal is
 * needed to draw. Everything is clipped. A cell is one column; a wide character takes two. */
#ifndef LP_UI_TERM_CANVAS_H
#define LP_UI_TERM_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "term/glyph.h"
#include "term/theme.h"

/* A role (LpRole) with emphasis bits (base/look.h). */
typedef uint16_t LpStyle;

/* What a cell shows, for the mouse. */
typedef enum LpHit {
    LP_HIT_NONE,
    LP_HIT_SERVER, /* `what`: the server, the first of several */
    LP_HIT_JOB,    /* the job */
    LP_HIT_ROW,    /* the row of a table */
    LP_HIT_TITLE,  /* a column: hit of LpTable and its place */
    LP_HIT_TIME,   /* where on the time line, in millionths */
    LP_HIT_KEY,    /* the action (LpUiAction) of a label */
    LP_HIT_PANE,   /* the pane: its title */
    LP_HIT_OP,     /* the op, by its number */
    LP_HIT_CURVE,  /* a curve, from 0 */
    LP_HIT_PATH,   /* a light path: LP_HIT_PATHS times its beginning, plus its end */
    LP_HIT_LIGHT,  /* a transmitter: LP_HIT_PATHS times its server, plus the group it lights */
    LP_HIT_OTHER,  /* a server of the other of two clusters side by side */
    LP_HIT_BAR,    /* a bar of the step of a decision, by its place in it */
    LP_HIT_CROSS   /* of a circuit switch: LP_HIT_PATHS times the input, plus the output */
} LpHit;

enum {
    LP_HIT_TIMES = 1000000, /* of LP_HIT_TIME: the end of the line */
    LP_HIT_PATHS = 65536,
    LP_HIT_HOLD = 0x7fff0000 /* of LP_HIT_CROSS: how long the matching is held */
};

enum {
    LP_CELL_REST = 0,  /* cp of the second cell of a wide character */
    LP_CELL_MARKS = 2, /* marks that are shown on a character; others are left out */
    LP_CELL_UTF8 = 4 + 3 * LP_CELL_MARKS + 1
};

typedef struct LpCell {
    uint32_t cp; /* code point; printable, of one column or two */
    LpStyle style;
    uint8_t hit; /* LpHit */
    uint32_t what;
    uint16_t mark[LP_CELL_MARKS]; /* combining marks on it, 0: none */
} LpCell;

/* Columns x .. x + w - 1, rows y .. y + h - 1; never negative. */
typedef struct LpRect {
    int x, y, w, h;
} LpRect;

enum { LP_CANVAS_MAX = 1000, LP_CANVAS_ROWS = 400 }; /* columns, rows; more are cut off */

typedef struct LpCanvas {
    int rows, cols;
    bool ascii;      /* glyphs come from the ASCII set, other text is shown as '?' */
    bool incomplete; /* a text had no memory: something is missing since this was last set false */
    LpCell *cell;    /* rows * cols, row-major; owned */
} LpCanvas;

/* Zero-initialise a canvas before its first size; sizes are cut to 0..LP_CANVAS_ROWS,
 * 0..LP_CANVAS_MAX. The content is blank afterwards. Errors: LP_ENOMEM, canvas unchanged then. */
LpErr lp_canvas_resize(LpCanvas *canvas, int rows, int cols, LpDiag *diag) LP_MUST_USE;
void lp_canvas_fini(LpCanvas *canvas);
void lp_canvas_clear(LpCanvas *canvas);
/* NULL outside. */
const LpCell *lp_canvas_at(const LpCanvas *canvas, int x, int y);
/* What is to be shown there, within the canvas: half of a wide character whose other half something
 * else was drawn over is a blank. */
LpCell lp_canvas_shown(const LpCanvas *canvas, int x, int y);
/* Do two cells look the same? */
bool lp_cell_same(const LpCell *a, const LpCell *b);
/* The cell's character with its marks, NUL-terminated; returns its bytes, 0 of LP_CELL_REST. */
size_t lp_cell_utf8(const LpCell *cell, char out[LP_CELL_UTF8]);
/* The characters of a text as the cells show them (lp_str_show): a wide one is followed by
 * LP_CELL_REST, marks are on the character before them. At most `most`; returns how many. */
int lp_text_cells(const char *text, int most, LpCell *cell);

/* A part of a canvas with its own coordinates: what a view is given to draw on. */
typedef struct LpArea {
    LpCanvas *canvas;
    LpRect rect; /* within the canvas */
} LpArea;

LpArea lp_canvas_area(LpCanvas *canvas, LpRect rect); /* cut to the canvas */
/* A part of an area, in the area's coordinates, cut to it. */
LpArea lp_area_part(const LpArea *area, LpRect rect);

void lp_area_clear(const LpArea *area);
/* One code point, in two cells where it is wide; what is no character of one column or two, or has
 * no room for its second one, shows as U+FFFD ('?' in ASCII). */
void lp_area_put(const LpArea *area, int x, int y, LpStyle style, uint32_t cp);
/* One cell of lp_text_cells, with its marks, like lp_area_put. */
void lp_area_cell(const LpArea *area, int x, int y, LpStyle style, LpCell cell);
void lp_area_glyph(const LpArea *area, int x, int y, LpStyle style, LpGlyph glyph);
/* `count` times to the right. */
void lp_area_repeat(const LpArea *area, int x, int y, int count, LpStyle style, LpGlyph glyph);
/* Frees a text that was drawn; where it had no memory, the canvas is incomplete. */
void lp_area_done(const LpArea *area, LpBuf *text);
/* Untrusted UTF-8, escaped as lp_str_show does. What the area has no room for ends in an ellipsis
 * as for lp_area_fit. Returns the column after it. */
int lp_area_text(const LpArea *area, int x, int y, LpStyle style, const char *text);
int lp_area_textf(const LpArea *area, int x, int y, LpStyle style, const char *fmt, ...)
    LP_PRINTF(5, 6);
/* At most `width` columns; what is longer ends in an ellipsis, and never within a number or between
 * it and its unit. Returns the column after it. */
int lp_area_fit(const LpArea *area, int x, int y, int width, LpStyle style, const char *text);
/* Ends before column `end`; not drawn where it would begin before the area: numbers are not cut. */
void lp_area_right(const LpArea *area, int end, int y, LpStyle style, const char *text);
/* Sets emphasis bits on `count` cells. */
void lp_area_mark(const LpArea *area, int x, int y, int count, LpStyle bits);
/* Marks what a cursor is on: foreground and background change places, cell by cell, between two
 * pointers where the cells before and behind are blank. */
void lp_area_choose(const LpArea *area, int x, int y, int count);
/* Says what cells show; drawing on them takes it away. */
void lp_area_hit(const LpArea *area, LpRect rect, LpHit hit, uint32_t what);
/* A box with a title around the area; returns what is inside (empty when there is no room). */
LpArea lp_area_box(const LpArea *area, const char *title);
/* A bold title in the first row, and a thin rule behind it; returns what is below. The last column
 * stays blank, and titles begin in the second one, so that two spaces part neighbours. */
LpArea lp_area_heading(const LpArea *area, const char *title);
/* A text at the right end of a heading's rule; nothing, and false, where it has no room beside the
 * title, or in so small a part of it that fewer than `least` columns are left. */
bool lp_area_heading_note(const LpArea *area, const char *title, int least, LpStyle style,
                          const char *text);

/* Draws attention to what the area holds: its heading, or the line, gets emphasis and a pointer. */
void lp_area_point(const LpArea *area);

/* Columns that the text takes when shown. */
int lp_text_width(const char *text);
/* Bytes of the longest start of the text of at most `columns` columns, its last character whole
 * and with its marks. */
size_t lp_text_prefix(const char *text, int columns);

/* Rows as UTF-8 lines without trailing blanks. */
void lp_canvas_print(const LpCanvas *canvas, LpBuf *out);
/* The same grid with a letter for each cell's role, then the list of letters; capitals are bold,
 * reverse or underlined. */
void lp_canvas_print_roles(const LpCanvas *canvas, LpBuf *out);

#endif
