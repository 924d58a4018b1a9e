/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal shows, cell by cell, and the terminal (libvterm) that makes it of bytes. */
#ifndef LP_TESTS_LIVE_PICTURE_H
#define LP_TESTS_LIVE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LIVE_BOLD = 1,
    LIVE_UNDERLINE = 2,
    LIVE_REVERSE = 4,
    LIVE_DEFAULT = -1,   /* the terminal's own colour */
    LIVE_DIRECT = 0x1000 /* a colour given as red, green and blue: the program has none */
};

typedef struct LiveCell {
    uint32_t cp; /* a blank is ' ' */
    int16_t front, back;
    uint8_t attr;
} LiveCell;

typedef struct LivePicture {
    int cols, rows;
    LiveCell *cell; /* rows * cols, row-major; owned */
} LivePicture;

/* No memory ends the test program: there is nothing to be tested without. */
void *live_alloc(size_t size);
void live_picture_fini(LivePicture *picture);
/* Of two pictures of one size, do cells look alike? A blank has no front unless it is drawn. */
bool live_same_cell(const LiveCell *a, const LiveCell *b);
/* The first cell of the first `rows` rows that looks otherwise; false: none does. */
bool live_differs(const LivePicture *a, const LivePicture *b, int rows, int *x, int *y);
/* A row as UTF-8 without blanks at its end; freed by the caller. */
char *live_row_text(const LivePicture *picture, int y);

/* A terminal, and how it was left. */
typedef struct LiveScreen LiveScreen;

/* `reply` is given what the terminal answers to a question; NULL: nobody asks. */
LiveScreen *live_screen_new(int cols, int rows, void (*reply)(const char *, size_t, void *),
                            void *user);
void live_screen_free(LiveScreen *screen);
void live_screen_write(LiveScreen *screen, const char *bytes, size_t len);
void live_screen_resize(LiveScreen *screen, int cols, int rows);
/* Makes the picture anew. */
void live_screen_look(LiveScreen *screen, LivePicture *out);
/* What a program has not given back of the terminal, "" for nothing. */
const char *live_screen_left(const LiveScreen *screen);

#endif
