/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands, and reading a line. */
#include "app/line/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/word.h"

static const LpUiCommandInfo commands[] = {
#define X(id, names, arguments, words, least, most, section, help)                                 \
    {names, arguments, LP_UI_WORDS_##words, least, most, section, help},
    LP_UI_COMMAND_TABLE(X)
#undef X
};

const LpUiCommandInfo *lp_ui_command_info(LpUiCommand command) {
    return &commands[command];
}

/* Copies the first name of a list; returns what follows it, NULL at the end. */
static const char *next_name(const char *names, char buf[32]) {
    size_t len = strcspn(names, " ");
    lp_str_copy(buf, len + 1 < 32 ? len + 1 : 32, names);
    return names[len] ? names + len + 1 : NULL;
}

const char *lp_ui_command_name(LpUiCommand command, char buf[32]) {
    next_name(commands[command].names, buf);
    return buf;
}

int lp_ui_command_find(const char *name) {
    for (int i = 0; i < LP_UI_COMMAND_COUNT; i++)
        for (const char *names = commands[i].names; names;) {
            char known[32];
            names = next_name(names, known);
            if (strcmp(known, name) == 0)
                return i;
        }
    return -1;
}

LpErr lp_ui_command_unknown(const char *name, LpDiag *diag) {
    char text[LP_UI_COMMAND_COUNT][32], shown[64];
    const char *names[LP_UI_COMMAND_COUNT];
    for (int i = 0; i < LP_UI_COMMAND_COUNT; i++)
        names[i] = lp_ui_command_name((LpUiCommand)i, text[i]);
    int near = lp_str_nearest(name, names, LP_UI_COMMAND_COUNT);
    return lp_fail(diag, LP_EINVAL, "there is no command \"%s\"%s%s; help lists them",
                   lp_str_show(shown, sizeof shown, name), near >= 0 ? ", did you mean " : "",
                   near >= 0 ? names[near] : "");
}

void lp_ui_command_usage(LpUiCommand command, LpBuf *out) {
    char name[32];
    lp_buf_add(out, lp_ui_command_name(command, name));
    if (*commands[command].arguments)
        lp_buf_addf(out, " %s", commands[command].arguments);
}

static LpErr check_count(const LpUiLine *line, LpDiag *diag) {
    const LpUiCommandInfo *info = &commands[line->command];
    LpBuf usage = {0};
    if (line->words >= info->least && line->words <= info->most)
        return LP_OK;
    lp_ui_command_usage(line->command, &usage);
    lp_fail(diag, LP_EINVAL, "%s: expected %s",
            line->words < info->least ? "a word is missing" : "too many words",
            lp_buf_text(&usage));
    lp_buf_fini(&usage);
    return LP_EINVAL;
}

/* A moment alone on the line is gone to: "d30", "e120", "j12", "42 s", and "30" is d30. Returns the
 * line as a command of its own in buf, or the text as it is. */
static const char *as_command(const char *text, char *buf, size_t size) {
    static const char digits[] = "0123456789";
    size_t letter = strspn(text, "dej") == 1, number = strspn(text + letter, digits);
    const char *rest = text + letter + number;
    bool alone = rest[strspn(rest, " \t")] == '\0';
    if (number == 0 || (letter == 1 && !alone) || strlen(text) + sizeof "seek d" > size)
        return text;
    snprintf(buf, size, "seek %s%s", letter == 0 && alone ? "d" : "", text);
    return buf;
}

LpErr lp_ui_command_read(const char *text, LpUiLine *out, LpDiag *diag) {
    char name[64], moment[80];
    text = as_command(text + strspn(text, " \t:"), moment, sizeof moment);
    size_t len = strcspn(text, " \t");
    lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, text);
    int command = lp_ui_command_find(name);
    if (command < 0)
        return lp_ui_command_unknown(name, diag);
    text += len + strspn(text + len, " \t");
    if (strlen(text) >= sizeof out->text[0])
        return lp_fail(diag, LP_EINVAL, "the line is longer than %zu bytes", sizeof out->text[0]);
    for (int i = 0; i < 2; i++)
        lp_str_copy(out->text[i], sizeof out->text[i], text);
    out->command = (LpUiCommand)command;
    out->rest = out->text[0];
    for (size_t end = strlen(out->rest); end > 0 && strchr(" \t", out->rest[end - 1]);)
        out->text[0][--end] = '\0';
    if (commands[command].most == LP_UI_ANY) { /* the command reads the rest itself */
        out->words = *out->rest != '\0';
        out->word[0] = out->rest;
    } else {
        /* Cuts `at` (a copy that may be written to) into words. */
        char *at = out->text[1];
        out->words = 0;
        for (char *word;;) {
            LP_TRY(lp_word_next(&at, &word, diag));
            if (word == NULL)
                break;
            if (out->words == LP_UI_WORDS_MOST)
                return lp_fail(diag, LP_EINVAL, "more than %d words", LP_UI_WORDS_MOST);
            out->word[out->words++] = word;
        }
    }
    return check_count(out, diag);
}
