/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How something looks on a terminal, as plain data: what a theme file says of each role. */
#ifndef LP_BASE_LOOK_H
#define LP_BASE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* Emphasis, as bits beside a role of up to 8 bits. */
enum { LP_BOLD = 1 << 8, LP_REVERSE = 1 << 9, LP_UNDERLINE = 1 << 10 };

/* Colours: -1 is the terminal's own; the background is always the terminal's own. */
typedef struct LpLook {
    int16_t c256;  /* 0..255, with 256 colours */
    int16_t c16;   /* 0..15 */
    int16_t c8;    /* 0..7 */
    uint16_t attr; /* emphasis where there are colours */
    uint16_t mono; /* ... and where there are none */
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
