/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How large a terminal is: by LINES and COLUMNS of the environment, else as it says itself. */
#ifndef LP_UI_TERM_TTY_SIZE_H
#define LP_UI_TERM_TTY_SIZE_H

#include <stdbool.h>

enum { LP_TTY_NUMBER = 16 };

void lp_tty_size(int tty, int *rows, int *cols);        /* 0: not known */
void lp_tty_canvas_size(int tty, int *rows, int *cols); /* no more of it than a canvas has */
/* The number in a variable, which a library is to overwrite, and whether there is such a variable.
 */
bool lp_tty_keep_env(const char *name, char text[LP_TTY_NUMBER]);
/* Back as it was; NULL: there was none. */
void lp_tty_restore_env(const char *name, const char *text);

#endif
