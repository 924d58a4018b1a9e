/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The palette of xterm: what its colours are, and which text can be read on them. */
#ifndef LP_UI_TERM_COLOUR_H
#define LP_UI_TERM_COLOUR_H

#include <stdint.h>

typedef struct LpColour {
    uint8_t r, g, b;
} LpColour;

/* Colour of a number from 0 to 255: 16 colours, a cube of 6 x 6 x 6, 24 greys. */
LpColour lp_colour_of(int c256);
/* The contrast of two colours as WCAG 2 has it, 1 to 21. */
double lp_colour_contrast(LpColour a, LpColour b);
/* Black or white, whichever can be read better on a fill, in a palette of `colors` colours (256,
 * 16, 8). */
int16_t lp_colour_on(int fill, int colors);

#endif
