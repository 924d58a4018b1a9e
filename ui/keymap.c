/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of keys, and the table of actions. */
#include "keymap.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

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
    return &actions[action];
}

/* Is the key one of the names in the list? */
static bool names_key(const char *list, LpKey key) {
    while (*list) {
        char name[16];
        size_t len = strcspn(list, " ");
        lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, list);
        if (lp_key_find(name) == key)
            return true;
        list += len + (list[len] == ' ');
    }
    return false;
}

LpUiAction lp_ui_action_of_key(LpKey key) {
    for (int i = LP_UI_ACTION_NONE + 1; key != LP_KEY_NONE && i < LP_UI_ACTION_COUNT; i++)
        if (names_key(actions[i].keys, key))
            return (LpUiAction)i;
    return LP_UI_ACTION_NONE;
}
