/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panes of the screen by name, and the part of it that is theirs. */
#include "moment/pane.h"

enum {
    LESSON_BESIDE = 150, /* columns from which on what is told stands on the right */
    LESSON_COLS = 56,
    LESSON_ROWS = 10, /* at most, where it lies below: eight of text, which hold every step */
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
static int lesson_rows(int rows) {
    int part = rows >= 24 ? rows * 5 / 12 : rows * 3 / 8;
    int told = part < LESSON_ROWS ? part : LESSON_ROWS;
    return told >= 3 ? told : rows >= 4;
}

LpRect lp_pane_rest(int cols, int rows, bool lesson) {
    LpRect rest = {0, 0, cols > 0 ? cols : 0, rows > 0 ? rows : 0};
    if (lesson && cols >= LESSON_BESIDE && rows >= BESIDE_ROWS)
        rest.w -= LESSON_COLS;
    else if (lesson)
        rest.h -= lesson_rows(rows);
    return rest;
}
