/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal: keys in, canvas out. The only thing behind it is curses. */
#ifndef LP_UI_TERM_H
#define LP_UI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "term/canvas.h"
#include "term/keymap.h"
#include "term/mouse.h"
#include "term/theme.h"

typedef struct LpTerm LpTerm;

/* theme NULL: the one for the background, which the terminal is asked about (OSC 11; what it does
 * not say within 100 ms, over a network 300 ms, the variable COLORFGBG may). Sets LC_CTYPE from the
 * environment (nothing else of the locale), takes over the terminal, and sees to it that a fatal
 * signal gives it back. Errors: LP_EIO when standard input or output is no terminal or its type is
 * unknown; LP_ENOMEM. */
LpErr lp_term_open(const LpTheme *theme, bool no_color, LpTerm **out, LpDiag *diag) LP_MUST_USE;
/* The theme that it was opened with, or that was found; what is known of the background, NULL: it
 * was not asked for; what is not as TERM says, NULL: nothing. Good as long as the terminal. */
const LpTheme *lp_term_theme(const LpTerm *term);
const char *lp_term_background(const LpTerm *term);
const char *lp_term_notice(const LpTerm *term);
void lp_term_close(LpTerm *term); /* NULL allowed; gives the terminal back */
/* Other colours from the next lp_term_show on (which should be a whole one); copies the theme. */
void lp_term_set_theme(LpTerm *term, const LpTheme *theme);
/* Has Ctrl-C been pressed since lp_term_read last said so, or is the program to end? */
bool lp_term_is_interrupted(void);
/* SIGTERM or SIGHUP once it has come, else 0: whoever has the terminal then ends in good order. The
 * terminal shows nothing more, so one that is not read keeps nobody; after five seconds, or with
 * the next such signal, the program ends as it is. */
int lp_term_ending(void);
/* Can it show more than ASCII? */
bool lp_term_is_utf8(const LpTerm *term);
/* At most LP_CANVAS_ROWS and LP_CANVAS_MAX, whatever the terminal or LINES and COLUMNS say. */
void lp_term_size(const LpTerm *term, int *rows, int *cols);
/* Is that less than they say? Then *rows and *cols are what they say. */
bool lp_term_is_cut(const LpTerm *term, int *rows, int *cols);
/* The next key; waits timeout ms for it (-1: as long as it takes) and gives LP_KEY_NONE when there
 * is none (a wait ends after a second at most: call again), LP_KEY_RESIZE after the size changed,
 * Ctrl-C also for SIGINT. The wait also ends when there is something to read from fd (-1: none). */
LpKey lp_term_read(LpTerm *term, int64_t timeout, int fd);
/* What was pasted when lp_term_read said LP_KEY_PASTE: one line without controls, at most 4 kB.
 * Good until the next key is read. */
const char *lp_term_pasted(const LpTerm *term);
/* Takes the mouse, or gives it back to the terminal; nothing where it is so already. */
void lp_term_take_mouse(LpTerm *term, bool take);
/* What the mouse did when lp_term_read said LP_KEY_MOUSE. */
LpMouse lp_term_mouse(const LpTerm *term);
/* Shows the canvas, sending only what changed; with `whole` everything. */
void lp_term_show(LpTerm *term, const LpCanvas *canvas, bool whole);
/* Hands a text to the terminal's clipboard (OSC 52); terminals without one take no notice. */
void lp_term_copy(LpTerm *term, const char *text, size_t len);
/* Has the other end hung up? */
bool lp_term_is_gone(const LpTerm *term);
/* A clock that does not go back, ms. */
int64_t lp_term_now(void);

#endif
