/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every sign that the screen is made of, once in Unicode and once in ASCII. */
#ifndef LP_UI_TERM_GLYPH_H
#define LP_UI_TERM_GLYPH_H

#include <stdbool.h>
#include <stdint.h>

/* X(ID, "unicode", "ascii"): one column each, also where the terminal draws what East Asian fonts
 * have as wide: no arrows, ellipsis, circles or multiplication sign. */
#define LP_GLYPH_TABLE(X)                                                                          \
    X(SPACE, " ", " ")                                                                             \
    X(HORIZONTAL, "─", "-")                                                                        \
    X(VERTICAL, "│", "|")                                                                          \
    X(TOP_LEFT, "┌", "+")                                                                          \
    X(TOP_RIGHT, "┐", "+")                                                                         \
    X(BOTTOM_LEFT, "└", "+")                                                                       \
    X(BOTTOM_RIGHT, "┘", "+")                                                                      \
    X(TICK_RIGHT, "├", "|")                                                                        \
    X(TICK_LEFT, "┤", "|")                                                                         \
    X(TICK_UP, "┴", "+")                                                                           \
    X(CROSS, "┼", "+")                                                                             \
    X(FREE, ".", ".")                                                                              \
    X(FULL, "▓", "#")                                                                              \
    X(EMPTY, "░", ".")                                                                             \
    X(POINTER, "▸", ">")                                                                           \
    X(CHECK, "✓", "x")                                                                             \
    X(BLOCKED, "✗", "X")                                                                           \
    X(BAR, "▪", "#")                                                                               \
    X(BAR_REST, ".", ".")                                                                          \
    X(STARTED, "▪", "o")                                                                           \
    X(DONE, "◦", "'")                                                                              \
    X(WAITING, "▫", "w")                                                                           \
    X(CURSOR, "┃", "|")                                                                            \
    X(PAST, "─", "-")                                                                              \
    X(FUTURE, ".", ".")                                                                            \
    X(PAUSED, "❚", "|")                                                                            \
    X(BRANCH, "└", "Y")                                                                            \
    X(BOOKMARK, "▾", "*")                                                                          \
    X(ELLIPSIS, "~", "~")                                                                          \
    X(UNKNOWN, "\xEF\xBF\xBD", "?")                                                                \
    X(AT, "▴", "^")                                                                                \
    X(LEFT, "◂", "<")                                                                              \
    X(DOWN, "▾", "v")                                                                              \
    X(TICK_DOWN, "┬", "+")                                                                         \
    X(HEAVY, "━", "=")                                                                             \
    X(HEAVY_DOWN, "┃", "#")                                                                        \
    X(DOUBLE, "═", "=")                                                                            \
    X(DOUBLE_DOWN, "║", "#")                                                                       \
    X(DOUBLE_CROSS, "╪", "#")                                                                      \
    X(FALLING, "╲", "\\")                                                                          \
    X(RISING, "╱", "/")                                                                            \
    X(CROSSING, "╳", "X")                                                                          \
    X(DASH, "╌", "-")                                                                              \
    X(BROKEN, "╳", "!")

/* X(ID, "unicode", "ascii"): in running text, of any width. */
#define LP_SIGN_TABLE(X)                                                                           \
    X(ARROW, "->", "->")                                                                           \
    X(TIMES, "x", "x")                                                                             \
    X(DOT, "-", "-")                                                                               \
    X(SUM, "sum", "sum")

typedef enum LpGlyph {
#define X(id, unicode, ascii) LP_GLYPH_##id,
    LP_GLYPH_TABLE(X)
#undef X
        LP_GLYPH_COUNT
} LpGlyph;

typedef enum LpSign {
#define X(id, unicode, ascii) LP_SIGN_##id,
    LP_SIGN_TABLE(X)
#undef X
        LP_SIGN_COUNT
} LpSign;

uint32_t lp_glyph(LpGlyph glyph, bool ascii);
/* Does the character cover its cell, or a part of it, as bars and blocks do? */
bool lp_glyph_covers(uint32_t cp);
const char *lp_glyph_text(LpGlyph glyph, bool ascii); /* the same as UTF-8 */
const char *lp_sign(LpSign sign, bool ascii);

/* A bar of height share (0..1) in one column: eighth blocks, or the digits 1 to 8. What is above 0
 * is never blank; 0 is. */
uint32_t lp_glyph_height(double share, bool ascii);

/* Dots of a braille cell, bit (x + 2 * y) for x < 2, y < 4. ASCII shows a point for the upper half,
 * the lower half, or both. */
uint32_t lp_glyph_dots(uint32_t bits, bool ascii);

/* The same in half blocks; not in ASCII. */
uint32_t lp_glyph_halves(uint32_t bits);

#endif
