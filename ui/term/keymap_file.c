/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys from files: names looked up, no key for two actions, and the map as a file again. */
#include <string.h>
#include <unistd.h>

#include "base/json_out.h"
#include "host/host_keys.h"
#include "host/paths.h"
#include "term/keymap.h"

enum { STOP = 'c' - 'a' + 1 }; /* always stops, whatever a file says */

/* A map while its file is read: where each key of it stands, line 0: a default. */
typedef struct Draft {
    const char *path;
    LpKeymap map;
    bool named[LP_UI_ACTION_COUNT];
    int line[LP_UI_ACTION_COUNT][LP_KEYS_EACH], col[LP_UI_ACTION_COUNT][LP_KEYS_EACH];
} Draft;

static LpErr fail_action(const Draft *draft, const LpBoundWord *name, LpDiag *diag) {
    char text[LP_UI_ACTION_COUNT][LP_UI_ACTION_NAME], shown[64];
    const char *names[LP_UI_ACTION_COUNT];
    for (int i = 1; i < LP_UI_ACTION_COUNT; i++)
        names[i - 1] = lp_ui_action_name((LpUiAction)i, text[i]);
    int near = lp_str_nearest(name->text, names, LP_UI_ACTION_COUNT - 1);
    return lp_fail_at(diag, LP_EINVAL, draft->path, name->line, name->col,
                      "there is no action \"%s\"%s%s%s",
                      lp_str_show(shown, sizeof shown, name->text),
                      near >= 0 ? ", expected \"" : "; lightpath keys lists them",
                      near >= 0 ? names[near] : "", near >= 0 ? "\"" : "");
}

static LpErr read_key(Draft *draft, LpUiAction action, const LpBoundWord *word, int index,
                      LpDiag *diag) {
    char shown[64];
    LpKey key = lp_key_find(word->text);
    if (key == LP_KEY_NONE)
        return lp_fail_at(diag, LP_EINVAL, draft->path, word->line, word->col,
                          "\"%s\" names no key: expected a character, or a name such as space, "
                          "Tab, Enter, Esc, Up, F5, C-x",
                          lp_str_show(shown, sizeof shown, word->text));
    if (key == STOP && action != LP_UI_ACTION_INTERRUPT)
        return lp_fail_at(diag, LP_EINVAL, draft->path, word->line, word->col,
                          "C-c always stops, expected another key");
    draft->map.key[action][index] = key;
    draft->line[action][index] = word->line;
    draft->col[action][index] = word->col;
    return LP_OK;
}

static LpErr read_binding(Draft *draft, const LpBinding *binding, LpDiag *diag) {
    LpUiAction action = lp_ui_action_find(binding->name.text);
    if (action == LP_UI_ACTION_NONE)
        return fail_action(draft, &binding->name, diag);
    if (binding->words > LP_KEYS_EACH)
        return lp_fail_at(diag, LP_EINVAL, draft->path, binding->name.line, binding->name.col,
                          "\"%s\" has %u keys, expected at most %d", binding->name.text,
                          (unsigned)binding->words, LP_KEYS_EACH);
    memset(draft->map.key[action], 0, sizeof draft->map.key[action]);
    draft->named[action] = true;
    for (uint32_t i = 0; i < binding->words; i++)
        LP_TRY(read_key(draft, action, &binding->word[i], (int)i, diag));
    if (action == LP_UI_ACTION_INTERRUPT && lp_keymap_action(&draft->map, STOP) != action)
        return lp_fail_at(diag, LP_EINVAL, draft->path, binding->name.line, binding->name.col,
                          "\"interrupt\" must keep C-c, expected it among its keys");
    return LP_OK;
}

/* Names the conflict of two actions with one key; at least one of them is in the file. */
static LpErr fail_conflict(const Draft *draft, LpUiAction a, int i, LpUiAction b, int k,
                           LpDiag *diag) {
    char key[16], one[LP_UI_ACTION_NAME], other[LP_UI_ACTION_NAME];
    bool later = draft->line[b][k] > draft->line[a][i] ||
                 (draft->line[b][k] == draft->line[a][i] && draft->col[b][k] > draft->col[a][i]);
    LpUiAction at = later ? b : a, than = later ? a : b;
    int line = later ? draft->line[b][k] : draft->line[a][i];
    int col = later ? draft->col[b][k] : draft->col[a][i];
    lp_key_name(draft->map.key[a][i], key);
    lp_ui_action_name(at, one);
    lp_ui_action_name(than, other);
    if (at == than)
        return lp_fail_at(diag, LP_EINVAL, draft->path, line, col,
                          "\"%s\" has the key %s twice, expected once", one, key);
    if (draft->named[than])
        return lp_fail_at(diag, LP_EINVAL, draft->path, line, col,
                          "the key %s of \"%s\" is that of \"%s\" in line %d, expected another",
                          key, one, other, later ? draft->line[a][i] : draft->line[b][k]);
    return lp_fail_at(diag, LP_EINVAL, draft->path, line, col,
                      "the key %s of \"%s\" is that of \"%s\": expected another, or other keys for "
                      "\"%s\" in this file",
                      key, one, other, other);
}

/* Does a later place of the map have the key, too? */
static bool find_again(const LpKeymap *map, LpUiAction action, int index, LpUiAction *other,
                       int *at) {
    for (int i = action; i < LP_UI_ACTION_COUNT; i++)
        for (int k = i == (int)action ? index + 1 : 0; k < LP_KEYS_EACH; k++)
            if (map->key[i][k] == map->key[action][index]) {
                *other = (LpUiAction)i;
                *at = k;
                return true;
            }
    return false;
}

static LpErr check_conflicts(const Draft *draft, LpDiag *diag) {
    LpUiAction other;
    int at;
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++)
        for (int k = 0; k < LP_KEYS_EACH && draft->map.key[i][k] != LP_KEY_NONE; k++)
            if (find_again(&draft->map, (LpUiAction)i, k, &other, &at))
                return fail_conflict(draft, (LpUiAction)i, k, other, at, diag);
    return LP_OK;
}

static LpErr read_file(Draft *draft, LpArena *arena, LpDiag *diag) {
    LpBindings bindings;
    LP_TRY(lp_run_keys_load(draft->path, arena, &bindings, diag));
    for (uint32_t i = 0; i < bindings.count; i++)
        LP_TRY(read_binding(draft, &bindings.item[i], diag));
    return check_conflicts(draft, diag);
}

LpErr lp_keymap_load(const char *path, LpKeymap *out, LpDiag *diag) {
    Draft draft = {.path = path};
    LpArena *arena = lp_arena_new(0);
    if (arena == NULL)
        return lp_fail_memory(diag, "a file of keys");
    lp_keymap_defaults(&draft.map);
    LpErr err = read_file(&draft, arena, diag);
    lp_arena_free(arena);
    if (err == LP_OK)
        *out = draft.map;
    return err;
}

LpErr lp_keymap_load_default(LpKeymap *out, LpDiag *diag) {
    char path[LP_PATH_TEXT];
    if (lp_paths_in_home(LP_HOME_CONFIG, "keys.json", path, sizeof path) && access(path, F_OK) == 0)
        return lp_keymap_load(path, out, diag);
    lp_keymap_defaults(out);
    return LP_OK;
}

void lp_keymap_json(const LpKeymap *map, LpBuf *text) {
    LpJsonOut out = {.out = text, .spaced = true};
    char name[LP_UI_ACTION_NAME], key[16];
    lp_json_lines(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath_keys", 1);
    lp_json_lines(&out, "keys", '{');
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++) {
        lp_json_open(&out, lp_ui_action_name((LpUiAction)i, name), '[');
        for (int k = 0; k < LP_KEYS_EACH && map->key[i][k] != LP_KEY_NONE; k++)
            lp_json_put_text(&out, NULL, lp_key_name(map->key[i][k], key));
        lp_json_close(&out, ']');
    }
    lp_json_close(&out, '}');
    lp_json_end(&out);
}
