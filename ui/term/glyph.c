/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of glyphs. */
#include "term/glyph.h"

#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/str.h"

typedef struct Pair {
    const char *unicode, *ascii;
} Pair;

static const Pair glyphs[] = {
#define X(id, unicode, ascii) {unicode, ascii},
    LP_GLYPH_TABLE(X)
#undef X
};

static const Pair signs[] = {
#define X(id, unicode, ascii) {unicode, ascii},
    LP_SIGN_TABLE(X)
#undef X
};

const char *lp_glyph_text(LpGlyph glyph, bool ascii) {
    LP_ASSERT((size_t)glyph < LP_COUNTOF(glyphs));
    return ascii ? glyphs[glyph].ascii : glyphs[glyph].unicode;
}

uint32_t lp_glyph(LpGlyph glyph, bool ascii) {
    const char *text = lp_glyph_text(glyph, ascii);
    uint32_t cp;
    lp_utf8_decode(text, strlen(text), &cp);
    return cp;
}

const char *lp_sign(LpSign sign, bool ascii) {
    LP_ASSERT((size_t)sign < LP_COUNTOF(signs));
    return ascii ? signs[sign].ascii : signs[sign].unicode;
}

bool lp_glyph_covers(uint32_t cp) {
    return (cp >= 0x2580 && cp <= 0x259f) || cp == 0x25aa;
}

uint32_t lp_glyph_height(double share, bool ascii) {
    if (!(share > 0.0))
        return ' ';
    int eighths = share >= 1.0 ? 8 : (int)(share * 8.0 + 0.5);
    if (eighths < 1)
        eighths = 1;
    return ascii ? (uint32_t)('0' + eighths) : (uint32_t)(0x2580 + eighths);
}

uint32_t lp_glyph_dots(uint32_t bits, bool ascii) {
    /* Unicode numbers the dots 1 2 3 7 down the left column and 4 5 6 8 down the right one. */
    static const uint8_t order[] = {0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
    uint32_t dots = 0;
    if (bits == 0)
        return ' ';
    if (ascii)
        return (bits & 0x0F) == 0 ? '.' : (bits & 0xF0) == 0 ? '\'' : ':';
    for (size_t i = 0; i < LP_COUNTOF(order); i++)
        if (bits >> i & 1)
            dots |= order[i];
    return 0x2800 + dots;
}

uint32_t lp_glyph_halves(uint32_t bits) {
    bool upper = (bits & 0x0F) != 0, lower = (bits & 0xF0) != 0;
    return upper && lower ? 0x2588 : upper ? 0x2580 : lower ? 0x2584 : ' ';
}
