/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line's text: editing, history, and whatever bytes may be typed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "group.h"
#include "widgets/prompt.h"

static void press(LpPrompt *prompt, const char *keys) {
    char name[16];
    while (*keys) {
        size_t len = strcspn(keys, " ");
        lp_str_copy(name, len + 1, keys);
        assert_true(lp_prompt_key(prompt, lp_key_find(name)));
        keys += len + (keys[len] == ' ');
    }
}

static void test_editing(void **state) {
    (void)state;
    static const struct {
        const char *text, *keys, *after;
        int column;
    } cases[] = {
        {"seek 40", "0", "seek 400", 8},
        {"seek 40", "Left Left 1", "seek 140", 6},
        {"seek 40", "Home x", "xseek 40", 1},
        {"seek 40", "Home Right Del", "sek 40", 1},
        {"seek 40", "Home End Backspace", "seek 4", 6},
        {"seek 40", "C-w", "seek ", 5},
        {"seek 40  ", "C-w", "seek ", 5},
        {"seek 40", "C-w C-w", "", 0},
        {"seek 40", "Left C-u", "0", 0},
        {"seek 40", "Left Left C-k", "seek ", 5},
        {"a\xC3\xA9\xE4\xB8\x96z", "Left Left", "a\xC3\xA9\xE4\xB8\x96z", 2},
        {"a\xC3\xA9\xE4\xB8\x96z", "Left Backspace Backspace", "az", 1},
        {"a\xC3\xA9", "C-a Right Del", "a", 1},
        {"\xE4\xB8\x96z", "Left", "\xE4\xB8\x96z", 2},  /* a wide one */
        {"ae\xCC\x81z", "Left Left", "ae\xCC\x81z", 1}, /* and one with its accent */
        {"ae\xCC\x81z", "Left Backspace", "az", 1},
        {"", "Backspace Del Left Right Home End C-u C-k C-w", "", 0},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpPrompt prompt = {0};
        lp_prompt_set(&prompt, cases[i].text);
        press(&prompt, cases[i].keys);
        assert_string_equal(prompt.text, cases[i].after);
        assert_int_equal(lp_prompt_column(&prompt), cases[i].column);
    }
}

static void test_what_is_no_text(void **state) {
    (void)state;
    static const LpKey refused[] = {0, 2, 27, 0x85, 0x9B, 0xD800, 0x110000, LP_KEY_PGUP};
    LpPrompt prompt = {0};
    for (size_t i = 0; i < LP_COUNTOF(refused); i++)
        assert_false(lp_prompt_key(&prompt, refused[i]));
    lp_prompt_set(&prompt, "a\x1b[31mb\nc\xC2\x9B"
                           "d\xff");
    assert_string_equal(prompt.text, "a[31mbcd\xEF\xBF\xBD");
}

static void test_full(void **state) {
    (void)state;
    LpPrompt prompt = {0};
    for (int i = 0; i < 2000; i++)
        lp_prompt_key(&prompt, 0x4E16);
    assert_int_equal(prompt.len, (LP_PROMPT_TEXT - 1) / 3 * 3);
    assert_int_equal(lp_prompt_column(&prompt), (LP_PROMPT_TEXT - 1) / 3 * 2);
    assert_false(lp_prompt_insert(&prompt, "\xE4\xB8\x96"));
}

/* Whatever is pressed: valid UTF-8, the cursor on a character, the length right. */
static void test_any_keys(void **state) {
    (void)state;
    static const LpKey some[] = {LP_KEY_LEFT,
                                 LP_KEY_RIGHT,
                                 LP_KEY_HOME,
                                 LP_KEY_END,
                                 'a',
                                 LP_KEY_BACKSPACE,
                                 LP_KEY_DELETE,
                                 ' ',
                                 23,
                                 0xE9,
                                 0x1F600,
                                 0x4E16,
                                 21,
                                 11,
                                 0x80,
                                 0xFFFF};
    LpPrompt prompt = {0};
    uint32_t random = 1;
    for (int i = 0; i < 20000; i++) {
        random = random * 1664525u + 1013904223u;
        lp_prompt_key(&prompt, some[(random >> 16) % (i % 7 ? 12 : LP_COUNTOF(some))]);
        assert_int_equal(prompt.len, strlen(prompt.text));
        assert_true(prompt.cursor <= prompt.len);
        assert_int_not_equal((unsigned char)prompt.text[prompt.cursor] & 0xC0, 0x80);
    }
}

static void test_history(void **state) {
    (void)state;
    LpHistory history = {0};
    LpPrompt prompt = {0};
    assert_false(lp_history_move(&history, &prompt, -1));
    assert_int_equal(lp_history_add(&history, "one"), LP_OK);
    assert_int_equal(lp_history_add(&history, "two"), LP_OK);
    assert_int_equal(lp_history_add(&history, "two"), LP_OK);
    assert_int_equal(lp_history_add(&history, "  "), LP_OK);
    assert_int_equal(history.count, 2);
    lp_prompt_set(&prompt, "typing");
    assert_true(lp_history_move(&history, &prompt, -1));
    assert_string_equal(prompt.text, "two");
    assert_true(lp_history_move(&history, &prompt, -1));
    assert_false(lp_history_move(&history, &prompt, -1));
    assert_string_equal(prompt.text, "one");
    assert_true(lp_history_move(&history, &prompt, 1));
    assert_true(lp_history_move(&history, &prompt, 1));
    assert_string_equal(prompt.text, "typing");
    assert_false(lp_history_move(&history, &prompt, 1));
    for (int i = 0; i < 3 * LP_HISTORY_MOST; i++)
        assert_int_equal(lp_history_add(&history, i % 2 ? "odd" : "even"), LP_OK);
    assert_int_equal(history.count, LP_HISTORY_MOST);
    lp_history_fini(&history);
}

TEST_GROUP(test_ui_prompt) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_editing), cmocka_unit_test(test_what_is_no_text),
        cmocka_unit_test(test_full),    cmocka_unit_test(test_any_keys),
        cmocka_unit_test(test_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
