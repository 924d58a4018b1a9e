/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of glyphs, and which code points are one column wide. */
#include "glyph.h"

#include <stddef.h>
#include <string.h>

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
    return ascii ? glyphs[glyph].ascii : glyphs[glyph].unicode;
}

uint32_t lp_glyph(LpGlyph glyph, bool ascii) {
    const char *text = lp_glyph_text(glyph, ascii);
    uint32_t cp;
    lp_utf8_decode(text, strlen(text), &cp);
    return cp;
}

const char *lp_sign(LpSign sign, bool ascii) {
    return ascii ? signs[sign].ascii : signs[sign].unicode;
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

typedef struct Range {
    uint32_t first, last;
} Range;

/* From Unicode's EastAsianWidth and emoji data: blocks of letters and signs without anything wide,
 * combining or shown as an emoji by default. Ascending. */
static const Range narrow[] = {
    {0x20, 0x7E},     {0xA1, 0xAC},     {0xAE, 0x2FF},    {0x370, 0x377},   {0x37A, 0x37F},
    {0x384, 0x38A},   {0x38C, 0x38C},   {0x38E, 0x3A1},   {0x3A3, 0x482},   {0x48A, 0x52F},
    {0x1E00, 0x1F15}, {0x2010, 0x2027}, {0x2030, 0x205E}, {0x2070, 0x2071}, {0x2074, 0x208E},
    {0x20A0, 0x20BF}, {0x2100, 0x218B}, {0x2190, 0x2319}, {0x231C, 0x2328}, {0x232B, 0x23E8},
    {0x23F4, 0x23FE}, {0x2440, 0x244A}, {0x2460, 0x25FC}, {0x25FF, 0x2613}, {0x2619, 0x2647},
    {0x2654, 0x267E}, {0x2701, 0x2704}, {0x2706, 0x2709}, {0x270C, 0x2727}, {0x2729, 0x274B},
    {0x274D, 0x274D}, {0x274F, 0x2752}, {0x2756, 0x2756}, {0x2758, 0x2794}, {0x2798, 0x27AF},
    {0x27B1, 0x27BE}, {0x27C0, 0x2B1A}, {0xFFFD, 0xFFFD},
};

uint32_t lp_glyph_halves(uint32_t bits) {
    bool upper = (bits & 0x0F) != 0, lower = (bits & 0xF0) != 0;
    return upper && lower ? 0x2588 : upper ? 0x2580 : lower ? 0x2584 : ' ';
}

bool lp_glyph_is_narrow(uint32_t cp) {
    size_t low = 0, high = LP_COUNTOF(narrow);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (cp > narrow[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < LP_COUNTOF(narrow) && cp >= narrow[low].first;
}
