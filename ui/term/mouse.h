/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a mouse does, as terminals tell it. */
#ifndef LP_UI_TERM_MOUSE_H
#define LP_UI_TERM_MOUSE_H

typedef enum LpMouseKind {
    LP_MOUSE_PRESS, /* the left button */
    LP_MOUSE_DRAG,  /* moved while it is down */
    LP_MOUSE_RELEASE,
    LP_MOUSE_WHEEL_UP,
    LP_MOUSE_WHEEL_DOWN,
    LP_MOUSE_NOTHING
} LpMouseKind;

typedef struct LpMouse {
    LpMouseKind kind;
    int x, y; /* column, row */
} LpMouse;

#endif
