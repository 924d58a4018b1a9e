/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line while it is typed: completion, and doing what it says. */
#include <stdio.h>
#include <string.h>

#include "app/app_impl.h"
#include "views/console/console_view.h"

static void close_prompt(LpApp *app) {
    app->ui.prompt.open = false;
}

/* A question leaves the line open for the next one. */
static void ask(LpApp *app, const char *text) {
    LpHost host = lp_app_host(app, 0);
    lp_console_ask(&host, text);
    lp_app_prompt_for(app, '>', "");
}

static void record_search(LpApp *app, const char *text) {
    char line[LP_PROMPT_TEXT + 16];
    snprintf(line, sizeof line, "search %s", text);
    lp_app_record_line(app, line);
}

static void run_line(LpApp *app, int64_t now) {
    char text[LP_PROMPT_TEXT], said[sizeof app->ui.message], mark = app->ui.prompt.mark;
    LpDiag diag = {0};
    LpErr err = LP_OK;
    lp_str_copy(text, sizeof text, app->ui.prompt.text);
    close_prompt(app);
    if (strspn(text, mark == '/' ? "" : " :") == strlen(text))
        return;
    if (lp_history_add(lp_app_prompt_history(app), text) != LP_OK)
        lp_app_say(app, true, "no memory for the history");
    if (mark == '>')
        ask(app, text);
    else
        err = mark == '/' ? lp_app_search(app, text, &diag) : lp_app_command(app, text, now, &diag);
    if (err != LP_OK)
        lp_app_say(app, true, "%s", lp_diag_format(&diag, said, sizeof said));
    else if (mark == '/')
        record_search(app, text);
}

/* ---- completion ---- */

/* Where the text to be completed begins: at the word, or after the name of the command. */
static size_t word_start(const LpPrompt *prompt, int command) {
    size_t at = prompt->cursor, name = strcspn(prompt->text, " ");
    LpUiWords words =
        command >= 0 ? lp_ui_command_info((LpUiCommand)command)->words : LP_UI_WORDS_NONE;
    if (at > name && (words == LP_UI_WORDS_BRANCH || words == LP_UI_WORDS_COMPARE ||
                      words == LP_UI_WORDS_CONDITION || words == LP_UI_WORDS_TOPIC))
        return name + 1;
    while (at > 0 && prompt->text[at - 1] != ' ')
        at--;
    return at;
}

/* Keeps the lines of `all` that begin with the prefix; returns how many. */
static int keep(const LpBuf *all, const char *prefix, LpBuf *out) {
    int count = 0;
    for (const char *line = lp_buf_text(all); *line;) {
        size_t len = strcspn(line, "\n");
        if (strncmp(line, prefix, strlen(prefix)) == 0) {
            lp_buf_add_bytes(out, line, len);
            lp_buf_add(out, "\n");
            count++;
        }
        line += len + (line[len] == '\n');
    }
    return count;
}

static const char *choice_at(const LpBuf *choices, int index, size_t *len) {
    const char *line = lp_buf_text(choices);
    while (index-- > 0)
        line += strcspn(line, "\n") + 1;
    *len = strcspn(line, "\n");
    return line;
}

/* The length of the beginning that all choices share. */
static size_t common(const LpBuf *choices, int count) {
    size_t least, len;
    const char *first = choice_at(choices, 0, &least);
    for (int i = 1; i < count; i++) {
        const char *other = choice_at(choices, i, &len);
        size_t same = 0;
        while (same < least && same < len && first[same] == other[same])
            same++;
        least = same;
    }
    while (least > 0 && ((unsigned char)first[least] & 0xC0) == 0x80)
        least--; /* never half a character */
    return least;
}

static void replace_word(LpApp *app, const char *text, size_t len, bool whole) {
    char word[LP_PROMPT_TEXT];
    LpPrompt *prompt = &app->ui.prompt;
    lp_str_copy(word, len + 1 < sizeof word ? len + 1 : sizeof word, text);
    while (prompt->cursor > app->typed.choice_start)
        lp_prompt_key(prompt, LP_KEY_BACKSPACE);
    lp_prompt_insert(prompt, word);
    if (whole && prompt->cursor == prompt->len && len > 0 && text[len - 1] != '=' &&
        text[len - 1] != ' ' && prompt->mark != '>')
        lp_prompt_insert(prompt, " ");
}

/* The choices in the line above, from the chosen one on where they do not all fit. */
static void show_choices(LpApp *app) {
    LpBuf hint = {0};
    size_t len;
    bool fits = app->typed.choices.len < (size_t)app->canvas.cols;
    app->ui.hint_from = app->ui.hint_to = 0;
    for (int i = fits || app->typed.choice < 0 ? 0 : app->typed.choice; i < app->typed.choice_count;
         i++) {
        const char *text = choice_at(&app->typed.choices, i, &len);
        if (i == app->typed.choice)
            app->ui.hint_from = (int)hint.len;
        lp_buf_add_bytes(&hint, text, len);
        if (i == app->typed.choice)
            app->ui.hint_to = (int)hint.len;
        lp_buf_add(&hint, "  ");
    }
    lp_str_copy(app->ui.hint, sizeof app->ui.hint, lp_buf_text(&hint));
    lp_buf_fini(&hint);
}

static void complete(LpApp *app) {
    LpPrompt *prompt = &app->ui.prompt;
    char prefix[LP_PROMPT_TEXT], name[64];
    size_t len = strcspn(prompt->text, " ");
    LpBuf all = {0};
    lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, prompt->text);
    int command = prompt->cursor > len ? lp_ui_command_find(name) : -1;
    bool lua = prompt->mark == '>';
    size_t start = lua ? lp_console_word(prompt) : word_start(prompt, command);
    lp_str_copy(prefix, prompt->cursor - start + 1, prompt->text + start);
    lp_buf_clear(&app->typed.choices);
    if (lua)
        lp_console_words(prefix, &all);
    else
        lp_app_words(app,
                     start == 0     ? LP_UI_WORDS_COMMAND
                     : command >= 0 ? lp_ui_command_info((LpUiCommand)command)->words
                                    : LP_UI_WORDS_NONE,
                     &all);
    int count = keep(&all, prefix, &app->typed.choices);
    lp_buf_fini(&all);
    app->typed.choice_count = count;
    app->typed.choice_start = start;
    if (count == 0) {
        lp_app_prompt_hint(app);
        return;
    }
    size_t same = common(&app->typed.choices, count);
    replace_word(app, lp_buf_text(&app->typed.choices), same, count == 1);
    lp_app_prompt_hint(app);
    if (count > 1) {
        show_choices(app);
        app->typed.completing = true;
    }
}

void lp_app_prompt_key(LpApp *app, LpKey key, int64_t now) {
    LpPrompt *prompt = &app->ui.prompt;
    bool tab = (key == LP_KEY_TAB || key == LP_KEY_BACKTAB) && prompt->mark != '/';
    if (tab && app->typed.completing) {
        /* The next of the choices, put in place of the one before. */
        int by = key == LP_KEY_TAB ? 1 : -1;
        size_t len;
        int count = app->typed.choice_count,
            from = app->typed.choice < 0 && by < 0 ? 0 : app->typed.choice;
        app->typed.choice = (from + by + count) % count;
        const char *text = choice_at(&app->typed.choices, app->typed.choice, &len);
        replace_word(app, text, len, false);
        show_choices(app);
        return;
    }
    app->typed.completing = false;
    if (tab)
        complete(app);
    else if (key == LP_KEY_ENTER)
        run_line(app, now);
    else if (key == LP_KEY_ESC || (key == LP_KEY_BACKSPACE && prompt->len == 0))
        close_prompt(app);
    else if (key == LP_KEY_UP || key == LP_KEY_DOWN)
        lp_history_move(lp_app_prompt_history(app), prompt, key == LP_KEY_UP ? -1 : 1);
    else
        lp_prompt_key(prompt, key);
    if (prompt->open && !tab)
        lp_app_prompt_hint(app);
}
