/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours by number, and their contrast. */
#include "term/colour.h"

#include <math.h>
#include <stdbool.h>

enum { BLACK_256 = 16, WHITE_256 = 231, BRIGHT_WHITE = 15, WHITE = 7 };

LpColour lp_colour_of(int c256) {
    static const uint32_t base[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                      0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                      0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    static const uint8_t level[6] = {0, 95, 135, 175, 215, 255};
    if (c256 < 16)
        return (LpColour){(uint8_t)(base[c256] >> 16), (uint8_t)(base[c256] >> 8 & 255),
                          (uint8_t)(base[c256] & 255)};
    if (c256 < 232) {
        int cube = c256 - 16;
        return (LpColour){level[cube / 36], level[cube / 6 % 6], level[cube % 6]};
    }
    uint8_t grey = (uint8_t)(8 + 10 * (c256 - 232));
    return (LpColour){grey, grey, grey};
}

static double linear(uint8_t part) {
    double x = part / 255.0;
    return x <= 0.03928 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double luminance(LpColour c) {
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double lp_colour_contrast(LpColour a, LpColour b) {
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

int16_t lp_colour_on(int fill, int colors) {
    int black = colors >= 256 ? BLACK_256 : 0;
    int white = colors >= 256 ? WHITE_256 : colors >= 16 ? BRIGHT_WHITE : WHITE;
    LpColour back = lp_colour_of(fill);
    bool dark = lp_colour_contrast(back, lp_colour_of(black)) >=
                lp_colour_contrast(back, lp_colour_of(white));
    return (int16_t)(dark ? black : white);
}
