/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal is libvterm's, of version 0.1 or later. */
#include "live/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vterm.h>

#include "base/str.h"

struct LiveScreen {
    VTerm *vterm;
    VTermScreen *cells;
    bool hidden, other, mouse; /* the cursor; the alternate screen; the mouse is reported */
};

void *live_alloc(size_t size) {
    void *memory = calloc(1, size);
    if (memory == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return memory;
}

void live_picture_fini(LivePicture *picture) {
    free(picture->cell);
    *picture = (LivePicture){0};
}

bool live_same_cell(const LiveCell *a, const LiveCell *b) {
    const uint8_t drawn = LIVE_UNDERLINE | LIVE_REVERSE;
    if (a->cp != b->cp || a->back != b->back || (a->attr & drawn) != (b->attr & drawn))
        return false;
    if (a->cp == ' ' && !(a->attr & drawn))
        return true;
    return a->front == b->front && (a->cp == ' ' || a->attr == b->attr);
}

bool live_differs(const LivePicture *a, const LivePicture *b, int rows, int *x, int *y) {
    for (*y = 0; *y < rows; ++*y)
        for (*x = 0; *x < a->cols; ++*x)
            if (!live_same_cell(&a->cell[*y * a->cols + *x], &b->cell[*y * a->cols + *x]))
                return true;
    return false;
}

char *live_row_text(const LivePicture *picture, int y) {
    char *text = live_alloc((size_t)picture->cols * 4 + 1);
    size_t len = 0, end = 0;
    for (int x = 0; x < picture->cols; x++) {
        uint32_t cp = picture->cell[y * picture->cols + x].cp;
        len += lp_utf8_encode(cp, text + len);
        end = cp != ' ' ? len : end;
    }
    text[end] = '\0';
    return text;
}

/* ---- the terminal ---- */

static int on_property(VTermProp property, VTermValue *value, void *user) {
    LiveScreen *screen = user;
    /* The cursor is shown before the main screen is come back to. That libvterm then hides it as it
     * was when its place was last saved is not what others do. */
    if (property == VTERM_PROP_CURSORVISIBLE)
        screen->hidden = screen->other ? !value->boolean : screen->hidden && !value->boolean;
    else if (property == VTERM_PROP_ALTSCREEN)
        screen->other = value->boolean;
    else if (property == VTERM_PROP_MOUSE)
        screen->mouse = value->number != VTERM_PROP_MOUSE_NONE;
    return 1;
}

LiveScreen *live_screen_new(int cols, int rows, void (*reply)(const char *, size_t, void *),
                            void *user) {
    static const VTermScreenCallbacks callbacks = {.settermprop = on_property};
    LiveScreen *screen = live_alloc(sizeof *screen);
    screen->vterm = vterm_new(rows, cols);
    vterm_set_utf8(screen->vterm, 1);
    if (reply != NULL)
        vterm_output_set_callback(screen->vterm, reply, user);
    screen->cells = vterm_obtain_screen(screen->vterm);
    vterm_screen_set_callbacks(screen->cells, &callbacks, screen);
    vterm_screen_enable_altscreen(screen->cells, 1);
    vterm_screen_reset(screen->cells, 1);
    return screen;
}

void live_screen_free(LiveScreen *screen) {
    if (screen == NULL)
        return;
    vterm_free(screen->vterm);
    free(screen);
}

void live_screen_write(LiveScreen *screen, const char *bytes, size_t len) {
    vterm_input_write(screen->vterm, bytes, len);
}

void live_screen_resize(LiveScreen *screen, int cols, int rows) {
    vterm_set_size(screen->vterm, rows, cols);
}

static int16_t colour_of(const VTermColor *colour, bool is_default) {
    return is_default                       ? LIVE_DEFAULT
           : VTERM_COLOR_IS_INDEXED(colour) ? (int16_t)colour->indexed.idx
                                            : LIVE_DIRECT;
}

void live_screen_look(LiveScreen *screen, LivePicture *out) {
    int rows, cols;
    vterm_get_size(screen->vterm, &rows, &cols);
    vterm_screen_flush_damage(screen->cells);
    if (rows != out->rows || cols != out->cols) {
        live_picture_fini(out);
        *out = (LivePicture){cols, rows, live_alloc((size_t)(rows * cols) * sizeof *out->cell)};
    }
    for (int i = 0; i < rows * cols; i++) {
        VTermScreenCell cell;
        memset(&cell, 0, sizeof cell);
        vterm_screen_get_cell(screen->cells, (VTermPos){i / cols, i % cols}, &cell);
        out->cell[i] = (LiveCell){.cp = cell.chars[0] != 0 ? cell.chars[0] : ' ',
                                  .front = colour_of(&cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg)),
                                  .back = colour_of(&cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)),
                                  .attr = (uint8_t)((cell.attrs.bold ? LIVE_BOLD : 0) |
                                                    (cell.attrs.underline ? LIVE_UNDERLINE : 0) |
                                                    (cell.attrs.reverse ? LIVE_REVERSE : 0))};
    }
}

const char *live_screen_left(const LiveScreen *screen) {
    return screen->other    ? "the alternate screen"
           : screen->hidden ? "a hidden cursor"
           : screen->mouse  ? "the mouse"
                            : "";
}
