/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading key scripts: lines, the words before which everything else is a key, and repeats. */
#include "app/line/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/line/command.h"
#include "base/lack.h"
#include "base/mem.h"
#include "base/str.h"

enum { SCRIPT_MAX = 1 << 20, REPEAT_MAX = 100000, PATIENCE_MS = 600000 };

/* ---- the file ---- */

static LpErr check_text(const char *path, const char *text, size_t len, bool bad, LpDiag *diag) {
    if (!text)
        return lp_fail_memory(diag, "the key script");
    if (bad)
        return lp_fail(diag, LP_EIO, "%s: cannot read", path);
    if (len > SCRIPT_MAX)
        return lp_fail(diag, LP_ELIMIT, "%s: longer than 1 MiB", path);
    return lp_text_check(path, text, len, diag);
}

LpErr lp_script_open(const char *name, LpScript *out, LpDiag *diag) {
    bool standard = strcmp(name, "-") == 0;
    FILE *file = standard ? stdin : fopen(name, "rb");
    if (!file && errno == ENOMEM)
        return lp_fail_memory(diag, "the key script");
    if (!file)
        return lp_fail(diag, lp_err_of(errno), "%s: %s", name, strerror(errno));
    char *text = lp_alloc(SCRIPT_MAX + 1, 1);
    size_t len = text ? fread(text, 1, SCRIPT_MAX + 1, file) : 0;
    bool bad = ferror(file) != 0;
    if (!standard)
        fclose(file);
    LpErr err = check_text(name, text, len, bad, diag);
    char *whole = err == LP_OK ? lp_alloc(len + 1, 1) : NULL;
    if (err == LP_OK && !whole)
        err = lp_fail_memory(diag, "the key script");
    if (err != LP_OK) {
        lp_free(text);
        return err;
    }
    memcpy(whole, text, len + 1);
    *out = (LpScript){.name = name, .text = text, .next = text, .whole = whole, .size = len + 1};
    return LP_OK;
}

void lp_script_free(LpScript *script) {
    lp_free(script->text);
    lp_free(script->whole);
    *script = (LpScript){0};
}

/* ---- lines that are no keys ---- */

static LpErr fail_line(const LpScript *script, LpDiag *diag, const char *text, const char *what) {
    return lp_fail_at(diag, LP_EPARSE, script->name, script->line, 1, "\"%s\" is %s", text, what);
}

static LpErr read_wait(LpScript *script, LpScriptStep *step, LpDiag *diag) {
    char *end = NULL;
    long ms = strtol(step->text, &end, 10);
    if (end == step->text || *end || ms < 0 || ms > PATIENCE_MS)
        return fail_line(script, diag, step->text, "no time to wait: expected 0 to 600000 ms");
    step->ms = ms;
    return LP_OK;
}

/* "press 10 3", "drag 20 3", "release 20 3", "up 5 5", "down 5 5": column and row from 0. */
static LpErr read_pointer(LpScript *script, LpScriptStep *step, LpDiag *diag) {
    static const char *const kinds[] = {"press", "drag", "release", "up", "down"};
    LpMouse *mouse = &step->mouse;
    char word[16];
    int used = 0;
    *mouse = (LpMouse){LP_MOUSE_NOTHING, 0, 0};
    if (sscanf(step->text, "%15s %d %d%n", word, &mouse->x, &mouse->y, &used) == 3 &&
        !step->text[used])
        for (size_t i = 0; i < LP_COUNTOF(kinds); i++)
            if (strcmp(word, kinds[i]) == 0)
                mouse->kind = (LpMouseKind)i;
    if (mouse->kind != LP_MOUSE_NOTHING)
        return LP_OK;
    return fail_line(script, diag, step->text,
                     "nothing that a mouse does: expected press, drag, release, up or "
                     "down, then column and row");
}

/* Every character of it is a key. */
static LpErr read_typed(LpScript *script, LpScriptStep *step, LpDiag *diag LP_UNUSED) {
    script->rest = (char *)(uintptr_t)step->text; /* which points into the script's own text */
    script->typed = true;
    return LP_OK;
}

static const struct {
    const char *name;
    LpScriptKind kind;
    bool bare; /* nothing need follow */
    LpErr (*read)(LpScript *script, LpScriptStep *step, LpDiag *diag);
} directives[] = {
    {"wait", LP_SCRIPT_WAIT, false, read_wait}, {"wait-until", LP_SCRIPT_WAIT_UNTIL, false, NULL},
    {"expect", LP_SCRIPT_EXPECT, false, NULL},  {"size", LP_SCRIPT_SIZE, false, NULL},
    {"type", LP_SCRIPT_END, false, read_typed}, {"pointer", LP_SCRIPT_POINTER, false, read_pointer},
    {"pause", LP_SCRIPT_PAUSE, true, NULL},
};

/* Index of the directive that the line begins with, -1: none; *text: what follows. */
static int find_directive(char *line, char **text) {
    size_t len = strcspn(line, " \t");
    for (size_t i = 0; i < LP_COUNTOF(directives); i++)
        if (strlen(directives[i].name) == len && strncmp(line, directives[i].name, len) == 0) {
            *text = line + len + strspn(line + len, " \t");
            return (int)i;
        }
    return -1;
}

/* Removes quotes around a text. */
static char *unquote(char *text) {
    size_t len = strlen(text);
    if (len < 2 || text[0] != '"' || text[len - 1] != '"')
        return text;
    text[len - 1] = '\0';
    return text + 1;
}

static LpErr read_directive(LpScript *script, int index, char *text, LpScriptStep *step,
                            LpDiag *diag) {
    if (!*text && !directives[index].bare)
        return lp_fail_at(diag, LP_EPARSE, script->name, script->line, 1,
                          ":%s needs a word after it", directives[index].name);
    step->kind = directives[index].kind;
    step->text = unquote(text);
    return directives[index].read ? directives[index].read(script, step, diag) : LP_OK;
}

/* Is the first word of the line the name of a command? */
static bool names_command(const char *line) {
    char name[32];
    size_t len = strcspn(line, " \t");
    if (len == 0 || len >= sizeof name)
        return false;
    lp_str_copy(name, len + 1, line);
    return lp_ui_command_find(name) >= 0 && lp_key_find(name) == LP_KEY_NONE;
}

/* The next line: a command or directive, or keys, which are left for later. */
static LpErr read_line(LpScript *script, LpScriptStep *step, LpDiag *diag) {
    char *line = script->next, *end = strchr(line, '\n'), *text = NULL;
    if (end)
        *end++ = '\0';
    script->next = end;
    script->line++;
    line[strcspn(line, "\r")] = '\0';
    char *start = line + strspn(line, " \t");
    bool colon = start[0] == ':' && start[1] && !strchr(" \t", start[1]);
    int directive = find_directive(start + colon, &text);
    step->line = script->line;
    step->col = 1;
    script->start = line;
    if (directive >= 0)
        return read_directive(script, directive, text, step, diag);
    if (colon || names_command(start)) {
        step->kind = LP_SCRIPT_COMMAND;
        step->text = start;
    } else
        script->rest = start;
    return LP_OK;
}

/* ---- keys ---- */

/* "n", "Tab", "n*12" */
static LpErr read_key(LpScript *script, char *word, LpDiag *diag) {
    char *star = strlen(word) > 2 ? strchr(word + 1, '*') : NULL, *end = NULL;
    script->again = 1;
    if (star) {
        script->again = strtol(star + 1, &end, 10);
        if (end == star + 1 || *end || script->again < 1 || script->again > REPEAT_MAX)
            return lp_fail_at(diag, LP_EPARSE, script->name, script->line, script->col,
                              "\"%s\": expected KEY*N with N from 1 to %d", word, REPEAT_MAX);
        *star = '\0';
    }
    script->key = lp_key_find(word);
    if (script->key != LP_KEY_NONE)
        return LP_OK;
    return lp_fail_at(diag, LP_EPARSE, script->name, script->line, script->col,
                      "\"%s\" names no key: expected a character, or a name such as space, "
                      "Tab, Enter, Esc, Up, C-c",
                      word);
}

/* The next word of a line of keys; nothing comes of it at the line's end. */
static LpErr read_word(LpScript *script, LpDiag *diag) {
    char *word = script->rest;
    size_t len = strcspn(word, " \t");
    script->rest = *word && *word != '#' ? word + len + strspn(word + len, " \t") : NULL;
    script->col = (int)(word - script->start) + 1;
    if (!script->rest)
        return LP_OK;
    word[len] = '\0';
    return read_key(script, word, diag);
}

/* The next character of what is typed. */
static void read_character(LpScript *script) {
    uint32_t cp = 0;
    size_t left = strlen(script->rest), used = left ? lp_utf8_decode(script->rest, left, &cp) : 0;
    script->rest = left ? script->rest + used : NULL;
    script->typed = left > 0;
    script->again = left > 0;
    script->key = cp;
    script->col = 1;
}

LpErr lp_script_next(LpScript *script, LpScriptStep *step, LpDiag *diag) {
    LpScriptStep found = {.kind = LP_SCRIPT_END};
    while (found.kind == LP_SCRIPT_END && (script->again > 0 || script->rest || script->next)) {
        if (script->again > 0) {
            script->again--;
            found = (LpScriptStep){.kind = LP_SCRIPT_KEY,
                                   .key = script->key,
                                   .line = script->line,
                                   .col = script->col};
        } else if (script->rest && script->typed)
            read_character(script);
        else if (script->rest)
            LP_TRY(read_word(script, diag));
        else
            LP_TRY(read_line(script, &found, diag));
    }
    *step = found;
    return LP_OK;
}

LpScriptPlace lp_script_place(const LpScript *script) {
    size_t offset = script->next ? (size_t)(script->next - script->text) : script->size;
    return (LpScriptPlace){.offset = offset, .line = script->line};
}

void lp_script_go(LpScript *script, LpScriptPlace place) {
    memcpy(script->text, script->whole, script->size);
    script->next = place.offset < script->size ? script->text + place.offset : NULL;
    script->rest = NULL;
    script->again = 0;
    script->line = place.line;
}
