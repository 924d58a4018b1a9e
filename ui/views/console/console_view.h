/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console: Lua over the moment. */
#ifndef LP_UI_VIEWS_CONSOLE_CONSOLE_H
#define LP_UI_VIEWS_CONSOLE_CONSOLE_H

#include "moment/view.h"

extern const LpView lp_console_view;

/* Begins a line of Lua, in the console. */
void lp_console_open(LpHost *host);
void lp_console_ask(LpHost *host, const char *text);
/* Where the name before the cursor begins, the names that may stand there (a line each), and what
 * is known of it. */
size_t lp_console_word(const LpPrompt *prompt);
void lp_console_words(const char *prefix, LpBuf *out);
void lp_console_hint(const LpPrompt *prompt, char *hint, size_t size);

#endif
