/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "term/tty_size.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "term/canvas.h"

static int env_number(const char *name) {
    const char *text = getenv(name);
    char *end;
    long value = text != NULL && text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : 0;
    return value > 0 && *end == '\0' ? (int)(value < INT_MAX ? value : INT_MAX) : 0;
}

void lp_tty_size(int tty, int *rows, int *cols) {
    struct winsize size = {0};
    if (ioctl(tty, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    *rows = env_number("LINES") > 0 ? env_number("LINES") : size.ws_row;
    *cols = env_number("COLUMNS") > 0 ? env_number("COLUMNS") : size.ws_col;
}

void lp_tty_canvas_size(int tty, int *rows, int *cols) {
    lp_tty_size(tty, rows, cols);
    *rows = *rows < LP_CANVAS_ROWS ? *rows : LP_CANVAS_ROWS;
    *cols = *cols < LP_CANVAS_MAX ? *cols : LP_CANVAS_MAX;
}

bool lp_tty_keep_env(const char *name, char text[LP_TTY_NUMBER]) {
    snprintf(text, LP_TTY_NUMBER, "%d", env_number(name));
    return getenv(name) != NULL;
}

void lp_tty_restore_env(const char *name, const char *text) {
    if (text != NULL)
        setenv(name, text, 1);
    else
        unsetenv(name);
}
