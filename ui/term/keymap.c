/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of keys, and the table of actions. */
#include "term/keymap.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

static const struct {
    const char *name;
    LpKey key;
} key_names[] = {
    {"space", ' '},
    {"Tab", LP_KEY_TAB},
    {"Enter", LP_KEY_ENTER},
    {"Esc", LP_KEY_ESC},
    {"Up", LP_KEY_UP},
    {"Down", LP_KEY_DOWN},
    {"Left", LP_KEY_LEFT},
    {"Right", LP_KEY_RIGHT},
    {"PgUp", LP_KEY_PGUP},
    {"PgDn", LP_KEY_PGDN},
    {"Home", LP_KEY_HOME},
    {"End", LP_KEY_END},
    {"F1", LP_KEY_F1},
    {"F2", LP_KEY_F1 + 1},
    {"F3", LP_KEY_F1 + 2},
    {"F4", LP_KEY_F1 + 3},
    {"F5", LP_KEY_F1 + 4},
    {"F6", LP_KEY_F1 + 5},
    {"F7", LP_KEY_F1 + 6},
    {"F8", LP_KEY_F1 + 7},
    {"F9", LP_KEY_F1 + 8},
    {"F10", LP_KEY_F1 + 9},
    {"F11", LP_KEY_F1 + 10},
    {"F12", LP_KEY_F12},
    {"Ins", LP_KEY_INSERT},
    {"S-Tab", LP_KEY_BACKTAB},
    {"Backspace", LP_KEY_BACKSPACE},
    {"Del", LP_KEY_DELETE},
    {"hash", '#'},
};

static const LpUiActionInfo actions[] = {{"NONE", "", "", "", ""},
#define X(id, keys, label, section, help) {#id, keys, label, section, help},
                                         LP_UI_ACTION_TABLE(X)
#undef X
};

LpKey lp_key_find(const char *name) {
    size_t len = strlen(name);
    uint32_t cp;
    for (size_t i = 0; i < LP_COUNTOF(key_names); i++)
        if (strcmp(name, key_names[i].name) == 0)
            return key_names[i].key;
    if (len == 3 && name[0] == 'C' && name[1] == '-' && name[2] >= 'a' && name[2] <= 'z')
        return (LpKey)(name[2] - 'a' + 1);
    if (len == 0 || lp_utf8_decode(name, len, &cp) != len)
        return LP_KEY_NONE;
    bool bad = len == 1 && (unsigned char)name[0] >= 0x80;
    return bad || cp < ' ' || cp == 0x7F ? LP_KEY_NONE : cp;
}

const char *lp_key_name(LpKey key, char buf[16]) {
    for (size_t i = 0; i < LP_COUNTOF(key_names); i++)
        if (key_names[i].key == key)
            return lp_str_copy(buf, 16, key_names[i].name);
    if (key >= 1 && key <= 26)
        snprintf(buf, 16, "C-%c", (char)('a' + (int)key - 1));
    else if (key < LP_KEY_UP)
        lp_utf8_encode(key, buf);
    else
        lp_str_copy(buf, 16, "?");
    return buf;
}

const LpUiActionInfo *lp_ui_action_info(LpUiAction action) {
    LP_ASSERT(action < LP_UI_ACTION_COUNT);
    return &actions[action];
}

const char *lp_ui_action_name(LpUiAction action, char buf[LP_UI_ACTION_NAME]) {
    LP_ASSERT(action < LP_UI_ACTION_COUNT);
    lp_str_copy(buf, LP_UI_ACTION_NAME, actions[action].name);
    for (char *c = buf; *c; c++)
        *c = (char)(*c == '_' ? '-' : *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    return buf;
}

LpUiAction lp_ui_action_find(const char *name) {
    char known[LP_UI_ACTION_NAME];
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++)
        if (strcmp(lp_ui_action_name((LpUiAction)i, known), name) == 0)
            return (LpUiAction)i;
    return LP_UI_ACTION_NONE;
}

/* ---- the keys of an action ---- */

static void read_names(const char *list, LpKey key[LP_KEYS_EACH]) {
    int count = 0;
    while (*list && count < LP_KEYS_EACH) {
        char name[16];
        size_t len = strcspn(list, " ");
        lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, list);
        key[count++] = lp_key_find(name);
        list += len + (list[len] == ' ');
    }
}

void lp_keymap_defaults(LpKeymap *out) {
    *out = (LpKeymap){0};
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++)
        read_names(actions[i].keys, out->key[i]);
}

/* The keys of one action. */
static void keys_of(const LpKeymap *map, LpUiAction action, LpKey key[LP_KEYS_EACH]) {
    memset(key, 0, LP_KEYS_EACH * sizeof *key);
    if (map)
        memcpy(key, map->key[action], LP_KEYS_EACH * sizeof *key);
    else
        read_names(actions[action].keys, key);
}

LpUiAction lp_keymap_action(const LpKeymap *map, LpKey key) {
    LpKey keys[LP_KEYS_EACH];
    for (int i = LP_UI_ACTION_NONE + 1; key != LP_KEY_NONE && i < LP_UI_ACTION_COUNT; i++) {
        keys_of(map, (LpUiAction)i, keys);
        for (int k = 0; k < LP_KEYS_EACH; k++)
            if (keys[k] == key)
                return (LpUiAction)i;
    }
    return LP_UI_ACTION_NONE;
}

bool lp_keymap_has(const LpKeymap *map, LpUiAction action) {
    LpKey keys[LP_KEYS_EACH];
    keys_of(map, action, keys);
    return keys[0] != LP_KEY_NONE;
}

const char *lp_keymap_key(const LpKeymap *map, LpUiAction action, char buf[16]) {
    LpKey keys[LP_KEYS_EACH];
    keys_of(map, action, keys);
    return keys[0] != LP_KEY_NONE ? lp_key_name(keys[0], buf) : lp_str_copy(buf, 16, "(no key)");
}

void lp_keymap_keys(const LpKeymap *map, LpUiAction action, LpBuf *out) {
    LpKey keys[LP_KEYS_EACH];
    char name[16];
    keys_of(map, action, keys);
    for (int k = 0; k < LP_KEYS_EACH && keys[k] != LP_KEY_NONE; k++)
        lp_buf_addf(out, "%s%s", k ? " " : "", lp_key_name(keys[k], name));
}

void lp_keymap_add(const LpKeymap *map, const char *text, LpBuf *out) {
    char name[LP_UI_ACTION_NAME], key[16];
    for (const char *end; *text; text = end) {
        size_t len = *text == '{' ? strcspn(text, "}") : 0;
        end = text + (len && text[len] ? len + 1 : 1);
        lp_str_copy(name, len && len < sizeof name ? len : 1, text + 1);
        LpUiAction action = lp_ui_action_find(name);
        if (action == LP_UI_ACTION_NONE)
            end = text + 1, lp_buf_add_bytes(out, text, 1);
        else
            lp_buf_add(out, lp_keymap_key(map, action, key));
    }
}

const char *lp_keymap_text(const LpKeymap *map, const char *text, char *out, size_t size) {
    LpBuf made = {0};
    lp_keymap_add(map, text, &made);
    lp_str_copy(out, size, lp_buf_text(&made));
    lp_buf_fini(&made);
    return out;
}
