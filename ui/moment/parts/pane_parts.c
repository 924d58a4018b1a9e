/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panes of the screen by name, and the part of it that is theirs. */
#include "moment/parts/pane_parts.h"

enum {
    LESSON_BESIDE = 150, /* columns from which on what is told stands on the right */
    LESSON_COLS = 56,
    BESIDE_ROWS = 14
};

static const char *const names[] = {
#define X(id, name) name,
    LP_PANE_TABLE(X)
#undef X
};

const char *lp_pane_name(LpPane pane) {
    return names[pane];
}

bool lp_pane_is_extra(LpPane pane) {
    return pane > LP_PANE_EVENTS && pane < LP_PANE_TIMELINE;
}

/* Rows of what is told where it lies below. */
static int told_rows(int rows, int wanted) {
    int part = rows >= 24 ? rows * 5 / 12 : rows * 3 / 8;
    int told = part < wanted ? part : wanted;
    return told >= 3 ? told : rows >= 4;
}

LpRect lp_pane_rest(int cols, int rows, int told) {
    LpRect rest = {0, 0, cols > 0 ? cols : 0, rows > 0 ? rows : 0};
    if (told > 0 && cols >= LESSON_BESIDE && rows >= BESIDE_ROWS)
        rest.w -= LESSON_COLS;
    else if (told > 0)
        rest.h -= told_rows(rows, told);
    return rest;
}
