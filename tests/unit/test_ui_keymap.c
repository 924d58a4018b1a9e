/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys by name, and the table of actions behind help, key line and scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"
#include "term/keymap.h"

static void test_names(void **state) {
    (void)state;
    assert_int_equal(lp_key_find("space"), ' ');
    assert_int_equal(lp_key_find("Tab"), LP_KEY_TAB);
    assert_int_equal(lp_key_find("Esc"), LP_KEY_ESC);
    assert_int_equal(lp_key_find("C-c"), 3);
    assert_int_equal(lp_key_find("n"), 'n');
    assert_int_equal(lp_key_find("]"), ']');
    assert_int_equal(lp_key_find("hash"), '#');
    assert_int_equal(lp_key_find("\xC3\xA9"), 0xE9);
}

static void test_no_names(void **state) {
    (void)state;
    static const char *const bad[] = {"", "nn", "tab", "C-", "C-C", "\n", "\xff", "\xC3", "spaces"};
    for (size_t i = 0; i < LP_COUNTOF(bad); i++)
        assert_int_equal(lp_key_find(bad[i]), LP_KEY_NONE);
}

static void test_names_read_back(void **state) {
    (void)state;
    char name[16];
    for (LpKey key = 1; key < 0x300; key++) {
        if (key >= 0x7F && key < 0xA0 && key != LP_KEY_BACKSPACE)
            continue;
        if (key > 26 && key < ' ' && key != LP_KEY_ESC)
            continue;
        assert_int_equal(lp_key_find(lp_key_name(key, name)), key);
    }
    for (LpKey key = LP_KEY_UP; key <= LP_KEY_INSERT; key++)
        assert_int_equal(lp_key_find(lp_key_name(key, name)), key);
}

/* Every key of the table names a key, belongs to that action, and to no other. */
static void test_table(void **state) {
    (void)state;
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++) {
        const LpUiActionInfo *info = lp_ui_action_info((LpUiAction)i);
        char keys[64];
        assert_true(strlen(info->keys) < sizeof keys && *info->keys);
        assert_true(*info->section && *info->help);
        strcpy(keys, info->keys);
        for (char *name = strtok(keys, " "); name; name = strtok(NULL, " ")) {
            LpKey key = lp_key_find(name);
            assert_int_not_equal(key, LP_KEY_NONE);
            if (lp_keymap_action(NULL, key) != (LpUiAction)i)
                fail_msg("%s of %s belongs to %s", name, info->name,
                         lp_ui_action_info(lp_keymap_action(NULL, key))->name);
        }
    }
}

static void test_promised_keys(void **state) {
    (void)state;
    static const struct {
        const char *key;
        LpUiAction action;
    } promised[] = {
        {"space", LP_UI_ACTION_PLAY},    {"n", LP_UI_ACTION_NEXT_DECISION},
        {"]", LP_UI_ACTION_NEXT_EVENT},  {"q", LP_UI_ACTION_QUIT},
        {"?", LP_UI_ACTION_WORDS},       {"F1", LP_UI_ACTION_HELP},
        {"+", LP_UI_ACTION_FASTER},      {"-", LP_UI_ACTION_SLOWER},
        {"Tab", LP_UI_ACTION_STAGE},     {"Esc", LP_UI_ACTION_OUT},
        {"v", LP_UI_ACTION_VARIANT},     {"Q", LP_UI_ACTION_QUIT_NOW},
        {"C-c", LP_UI_ACTION_INTERRUPT},
    };
    for (size_t i = 0; i < LP_COUNTOF(promised); i++)
        assert_int_equal(lp_keymap_action(NULL, lp_key_find(promised[i].key)), promised[i].action);
    assert_int_equal(lp_keymap_action(NULL, '&'), LP_UI_ACTION_NONE);
    assert_int_equal(lp_keymap_action(NULL, LP_KEY_NONE), LP_UI_ACTION_NONE);
    assert_int_equal(lp_keymap_action(NULL, LP_KEY_RESIZE), LP_UI_ACTION_NONE);
}

/* ---- files ---- */

static LpErr load(const char *text, LpKeymap *out, LpDiag *diag) {
    char path[512];
    snprintf(path, sizeof path, "%s/keys.json", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    LpErr err = lp_keymap_load(path, out, diag);
    if (err != LP_OK)
        assert_string_equal(diag->file, path);
    remove(path);
    return err;
}

#define HEAD "{\"lightpath_keys\":1,\"keys\":{\n"

static void test_file(void **state) {
    (void)state;
    LpKeymap map;
    LpDiag diag = {0};
    char text[200], key[16];
    LpBuf keys = {0};
    LpErr err = load(HEAD "\"play\":\"F5\",\"next-decision\":[\"p\",\"space\"],"
                          "\"back-decision\":\"n\",\"blame\":[]}}",
                     &map, &diag);
    if (err != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_keymap_action(&map, LP_KEY_F1 + 4), LP_UI_ACTION_PLAY);
    assert_int_equal(lp_keymap_action(&map, 'p'), LP_UI_ACTION_NEXT_DECISION);
    assert_int_equal(lp_keymap_action(&map, ' '), LP_UI_ACTION_NEXT_DECISION);
    assert_int_equal(lp_keymap_action(&map, 'n'), LP_UI_ACTION_BACK_DECISION);
    assert_int_equal(lp_keymap_action(&map, 'b'), LP_UI_ACTION_NONE);
    assert_int_equal(lp_keymap_action(&map, 'q'), LP_UI_ACTION_QUIT);
    lp_keymap_keys(&map, LP_UI_ACTION_NEXT_DECISION, &keys);
    assert_string_equal(lp_buf_text(&keys), "p space");
    assert_string_equal(lp_keymap_key(&map, LP_UI_ACTION_BLAME, key), "(no key)");
    assert_string_equal(
        lp_keymap_text(&map, "{next-decision} or {play}, not {blame}; {} {zz} {", text, 200),
        "p or F5, not (no key); {} {zz} {");
    assert_string_equal(lp_keymap_text(NULL, "{next-decision} or {play}", text, 200), "n or space");
    lp_buf_fini(&keys);
}

/* A map that is written and read again is the same. */
static void test_file_again(void **state) {
    (void)state;
    LpKeymap map, again;
    LpBuf json = {0};
    LpDiag diag = {0};
    lp_keymap_defaults(&map);
    lp_keymap_json(&map, &json);
    if (load(lp_buf_text(&json), &again, &diag) != LP_OK)
        fail_msg("%d:%d: %s", diag.line, diag.col, diag.text);
    assert_memory_equal(&map, &again, sizeof map);
    lp_buf_fini(&json);
}

static void test_file_mistakes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, col;
        const char *said;
    } cases[] = {
        {"[]", 1, 1, "expected an object"},
        {"{\"lightpath_keys\":1}", 1, 1, "\"keys\" is missing"},
        {"{\"lightpath_keys\":3,\"keys\":{}}", 1, 19, "expected format 1"},
        {HEAD "\"plai\":\"x\"}}", 2, 1, "expected \"play\""},
        {HEAD "\"launch-rockets\":\"x\"}}", 2, 1, "lightpath keys lists them"},
        {HEAD "\"play\":\"Spce\"}}", 2, 8, "\"Spce\" names no key"},
        {HEAD "\"play\":\"\\u001b\"}}", 2, 8, "names no key"},
        {HEAD "\"play\":7}}", 2, 8, "expected a text"},
        {HEAD "\"play\":[\"F2\",7]}}", 2, 14, "expected a text"},
        {HEAD "\"play\":[\"1\",\"2\",\"3\",\"4\",\"5\"]}}", 2, 1, "5 keys, expected at most 4"},
        {HEAD "\"play\":\"n\"}}", 2, 8, "that of \"next-decision\": expected another"},
        {HEAD "\"play\":\"F2\",\n\"fork\":\"F2\"}}", 3, 8, "that of \"play\" in line 2"},
        {HEAD "\"fork\":\"F2\",\n\"play\":\"F2\"}}", 3, 8, "that of \"fork\" in line 2"},
        {HEAD "\"play\":[\"F2\",\"F2\"]}}", 2, 14, "twice"},
        {HEAD "\"play\":\"C-c\"}}", 2, 8, "C-c always stops"},
        {HEAD "\"interrupt\":[]}}", 2, 1, "must keep C-c"},
        {HEAD "\"stage\":\"C-m\"}}", 2, 9, "the key Enter"}, /* the same to a terminal */
        {HEAD "\"play\":\"F2\",\"play\":\"F3\"}}", 2, 13, "twice"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpKeymap map = {.key = {{7}}};
        LpDiag diag = {0};
        if (load(cases[i].text, &map, &diag) == LP_OK)
            fail_msg("%s is taken", cases[i].text);
        if (diag.line != cases[i].line || diag.col != cases[i].col ||
            strstr(diag.text, cases[i].said) == NULL)
            fail_msg("%s: %d:%d: %s", cases[i].text, diag.line, diag.col, diag.text);
        assert_int_equal(map.key[0][0], 7); /* unchanged on failure */
    }
}

static void test_action_names(void **state) {
    (void)state;
    char name[LP_UI_ACTION_NAME];
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++)
        assert_int_equal(lp_ui_action_find(lp_ui_action_name((LpUiAction)i, name)), i);
    assert_string_equal(lp_ui_action_name(LP_UI_ACTION_NEXT_DECISION, name), "next-decision");
    assert_int_equal(lp_ui_action_find("none"), LP_UI_ACTION_NONE);
    assert_int_equal(lp_ui_action_find(""), LP_UI_ACTION_NONE);
}

TEST_GROUP(test_ui_keymap) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),           cmocka_unit_test(test_no_names),
        cmocka_unit_test(test_names_read_back), cmocka_unit_test(test_table),
        cmocka_unit_test(test_promised_keys),   cmocka_unit_test(test_file),
        cmocka_unit_test(test_file_again),      cmocka_unit_test(test_file_mistakes),
        cmocka_unit_test(test_action_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
