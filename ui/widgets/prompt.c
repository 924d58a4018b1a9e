/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editing a line of UTF-8, and the lines before it. */
#include "widgets/prompt.h"

#include <string.h>

#include "base/assert.h"
#include "base/mem.h"
#include "base/str.h"
#include "term/canvas.h"

enum { CTRL_A = 1, CTRL_E = 5, CTRL_K = 11, CTRL_U = 21, CTRL_W = 23 };

/* Code points that stay out of the line: controls, surrogates, what is none at all. */
static bool is_typed(uint32_t cp) {
    return cp >= ' ' && !(cp >= 0x7F && cp < 0xA0) && !(cp >= 0xD800 && cp < 0xE000) &&
           cp <= 0x10FFFF;
}

/* Inside of a character, or of one with its marks? */
static bool is_inside(const LpPrompt *prompt, size_t at) {
    return at > 0 && at < prompt->len &&
           (((unsigned char)prompt->text[at] & 0xC0) == 0x80 ||
            lp_utf8_is_mark(prompt->text + at, prompt->len - at));
}

static size_t before(const LpPrompt *prompt, size_t at) {
    at -= at > 0;
    while (is_inside(prompt, at))
        at--;
    return at;
}

static size_t after(const LpPrompt *prompt, size_t at) {
    at += at < prompt->len;
    while (is_inside(prompt, at))
        at++;
    return at;
}

static void cut(LpPrompt *prompt, size_t from, size_t to) {
    LP_ASSERT(from <= to && to <= prompt->len);
    memmove(prompt->text + from, prompt->text + to, prompt->len - to + 1);
    prompt->len -= to - from;
    prompt->cursor = from;
}

static bool insert(LpPrompt *prompt, uint32_t cp) {
    char bytes[5];
    size_t len = lp_utf8_encode(cp, bytes);
    if (!is_typed(cp) || prompt->len + len >= sizeof prompt->text)
        return false;
    LP_ASSERT(prompt->cursor <= prompt->len && prompt->text[prompt->len] == '\0');
    char *at = prompt->text + prompt->cursor;
    memmove(at + len, at, prompt->len - prompt->cursor + 1);
    memcpy(at, bytes, len);
    prompt->len += len;
    prompt->cursor += len;
    return true;
}

bool lp_prompt_insert(LpPrompt *prompt, const char *text) {
    size_t left = strlen(text), used;
    bool any = false;
    for (uint32_t cp; left > 0; text += used, left -= used) {
        used = lp_utf8_decode(text, left, &cp);
        any |= insert(prompt, cp);
    }
    return any;
}

void lp_prompt_set(LpPrompt *prompt, const char *text) {
    prompt->len = prompt->cursor = 0;
    prompt->text[0] = '\0';
    lp_prompt_insert(prompt, text);
}

/* Start of the word before the cursor, with the blanks behind it. */
static size_t word_start(const LpPrompt *prompt) {
    size_t at = prompt->cursor;
    while (at > 0 && prompt->text[at - 1] == ' ')
        at--;
    while (at > 0 && prompt->text[at - 1] != ' ')
        at--;
    return at;
}

bool lp_prompt_key(LpPrompt *prompt, LpKey key) {
    switch (key) {
    case LP_KEY_LEFT:
        prompt->cursor = before(prompt, prompt->cursor);
        return true;
    case LP_KEY_RIGHT:
        prompt->cursor = after(prompt, prompt->cursor);
        return true;
    case LP_KEY_HOME:
    case CTRL_A:
        prompt->cursor = 0;
        return true;
    case LP_KEY_END:
    case CTRL_E:
        prompt->cursor = prompt->len;
        return true;
    case LP_KEY_BACKSPACE:
        cut(prompt, before(prompt, prompt->cursor), prompt->cursor);
        return true;
    case LP_KEY_DELETE:
        cut(prompt, prompt->cursor, after(prompt, prompt->cursor));
        return true;
    case CTRL_K:
        cut(prompt, prompt->cursor, prompt->len);
        return true;
    case CTRL_U:
        cut(prompt, 0, prompt->cursor);
        return true;
    case CTRL_W:
        cut(prompt, word_start(prompt), prompt->cursor);
        return true;
    default:
        return insert(prompt, key);
    }
}

int lp_prompt_column(const LpPrompt *prompt) {
    char before_it[sizeof prompt->text];
    return lp_text_width(lp_str_copy(before_it, prompt->cursor + 1, prompt->text));
}

/* ---- history ---- */

LpErr lp_history_add(LpHistory *history, const char *line) {
    size_t len = strlen(line);
    history->at = history->count;
    if (strspn(line, " ") == len ||
        (history->count > 0 && strcmp(history->line[history->count - 1], line) == 0))
        return LP_OK;
    char *copy = lp_alloc(len + 1, 1);
    if (!copy || lp_grow((void **)&history->line, &history->cap, history->count + 1,
                         sizeof *history->line) != LP_OK) {
        lp_free(copy);
        return LP_ENOMEM;
    }
    memcpy(copy, line, len);
    if (history->count == LP_HISTORY_MOST) {
        lp_free(history->line[0]);
        memmove(history->line, history->line + 1, (history->count - 1) * sizeof *history->line);
        history->count--;
    }
    history->line[history->count++] = copy;
    history->at = history->count;
    return LP_OK;
}

bool lp_history_move(LpHistory *history, LpPrompt *prompt, int by) {
    if (by < 0 ? history->at == 0 : history->at >= history->count)
        return false;
    if (history->at == history->count)
        lp_str_copy(history->kept, sizeof history->kept, prompt->text);
    history->at = by < 0 ? history->at - 1 : history->at + 1;
    lp_prompt_set(prompt,
                  history->at < history->count ? history->line[history->at] : history->kept);
    return true;
}

void lp_history_fini(LpHistory *history) {
    for (size_t i = 0; i < history->count; i++)
        lp_free(history->line[i]);
    lp_free(history->line);
    *history = (LpHistory){0};
}
