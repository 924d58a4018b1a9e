/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys by name, and the table of actions behind help, key line and scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "keymap.h"

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
    for (LpKey key = LP_KEY_UP; key <= LP_KEY_F1; key++)
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
            if (lp_ui_action_of_key(key) != (LpUiAction)i)
                fail_msg("%s of %s belongs to %s", name, info->name,
                         lp_ui_action_info(lp_ui_action_of_key(key))->name);
        }
    }
}

static void test_promised_keys(void **state) {
    (void)state;
    static const struct {
        const char *key;
        LpUiAction action;
    } promised[] = {
        {"space", LP_UI_ACTION_PLAY},   {"n", LP_UI_ACTION_NEXT_DECISION},
        {"]", LP_UI_ACTION_NEXT_EVENT}, {"q", LP_UI_ACTION_QUIT},
        {"?", LP_UI_ACTION_HELP},       {"+", LP_UI_ACTION_FASTER},
        {"-", LP_UI_ACTION_SLOWER},     {"Tab", LP_UI_ACTION_STAGE},
        {"Esc", LP_UI_ACTION_OUT},      {"v", LP_UI_ACTION_VARIANT},
        {"Q", LP_UI_ACTION_QUIT_NOW},   {"C-c", LP_UI_ACTION_INTERRUPT},
    };
    for (size_t i = 0; i < LP_COUNTOF(promised); i++)
        assert_int_equal(lp_ui_action_of_key(lp_key_find(promised[i].key)), promised[i].action);
    assert_int_equal(lp_ui_action_of_key('&'), LP_UI_ACTION_NONE);
    assert_int_equal(lp_ui_action_of_key(LP_KEY_NONE), LP_UI_ACTION_NONE);
    assert_int_equal(lp_ui_action_of_key(LP_KEY_RESIZE), LP_UI_ACTION_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),           cmocka_unit_test(test_no_names),
        cmocka_unit_test(test_names_read_back), cmocka_unit_test(test_table),
        cmocka_unit_test(test_promised_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
