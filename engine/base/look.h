/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How something looks on a terminal, as plain data: what a theme file says of each role. */
#ifndef LP_BASE_LOOK_H
#define LP_BASE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* Emphasis, as bits beside a role of up to 8 bits. LP_FILL colours the whole cell and not only what
 * stands in it; LP_DIM gives a fill the dark shade of its hue, and takes it away where there are
 * few colours. LP_SWAP is the mark of a cell that its glyph covers, a bar or a block: the accent on
 * the colour that the bar has, since reversed it would be a hole in the colour of the background;
 * where there are no colours it is bold. */
enum {
    LP_BOLD = 1 << 8,
    LP_REVERSE = 1 << 9,
    LP_UNDERLINE = 1 << 10,
    LP_FILL = 1 << 11,
    LP_DIM = 1 << 12,
    LP_SWAP = 1 << 13
};

/* Colours: -1 is the terminal's own. The text on a fill is black or white. */
typedef struct LpLook {
    int16_t c256;  /* 0..255, with 256 colours */
    int16_t c16;   /* 0..15 */
    int16_t c8;    /* 0..7 */
    uint16_t attr; /* emphasis where there are colours */
    uint16_t mono; /* emphasis where there are no colours */
    int16_t fill;  /* of filled cells, with 256 colours; -1: c256 */
    int16_t dim;   /* of filled cells that are dimmed, with 256 colours; -1: no fill */
} LpLook;

enum { LP_LOOKS_MAX = 32, LP_THEME_NAME = 64, LP_THEME_LIKE = 256 };

/* What a theme file says. */
typedef struct LpThemeSpec {
    char name[LP_THEME_NAME];
    char like[LP_THEME_LIKE]; /* the theme that has what is not said here; "": the built-in one */
    int like_line, like_col;  /* where the file says so */
    bool says_background;     /* else the background of `like` counts */
    bool light;               /* made for a light background */
    uint32_t given;           /* one bit per role: the file says how it looks */
    LpLook look[LP_LOOKS_MAX];
} LpThemeSpec;

#endif
