/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line in which a command is typed: text, cursor, history. It knows nothing of commands. */
#ifndef LP_UI_WIDGETS_PROMPT_H
#define LP_UI_WIDGETS_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "term/keymap.h"

enum { LP_PROMPT_TEXT = 1024, LP_HISTORY_MOST = 200 };

/* Zero-initialise. */
typedef struct LpPrompt {
    bool open;
    char mark;                 /* what the line is for: ':' a command, '/' a search, '>' Lua */
    char text[LP_PROMPT_TEXT]; /* valid UTF-8 without control characters */
    size_t len, cursor;        /* bytes; the cursor stands on the start of a character */
} LpPrompt;

/* Lines typed before, oldest first; the last LP_HISTORY_MOST are kept. Zero-initialise. */
typedef struct LpHistory {
    char **line; /* owned */
    size_t count, cap;
    size_t at;                 /* shown in the prompt; count: none */
    char kept[LP_PROMPT_TEXT]; /* what was being typed before going back */
} LpHistory;

/* Replaces the text, the cursor goes behind it. What is no printable character is left out, what
 * does not fit is cut. */
void lp_prompt_set(LpPrompt *prompt, const char *text);
/* Inserts a text at the cursor, likewise. False when nothing of it was taken. */
bool lp_prompt_insert(LpPrompt *prompt, const char *text);
/* Editing keys: characters, Left, Right, Home, End, Backspace, Del, C-a, C-e, C-u (to the start),
 * C-k (to the end), C-w (a word). False for any other key. */
bool lp_prompt_key(LpPrompt *prompt, LpKey key);
/* Column of the cursor: every character takes one. */
int lp_prompt_column(const LpPrompt *prompt);

/* Appends a line unless it is blank or the last one again. LP_ENOMEM. */
LpErr lp_history_add(LpHistory *history, const char *line) LP_MUST_USE;
/* Up (older) or Down (newer): replaces the prompt's text. False at the end. */
bool lp_history_move(LpHistory *history, LpPrompt *prompt, int by);
void lp_history_fini(LpHistory *history);

#endif
