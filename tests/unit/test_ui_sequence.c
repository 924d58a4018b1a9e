/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control sequences of a terminal: where they end, and what they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "group.h"
#include "term/clipboard.h"
#include "term/sequence.h"

/* Adds what comes after Esc; returns how many characters belong to the sequence, -1 if it is none.
 */
static int add(LpSequence *s, const char *text) {
    *s = (LpSequence){0};
    for (int i = 0; text[i] != '\0'; i++) {
        if (!lp_sequence_add(s, (unsigned char)text[i]))
            return -1;
        if (s->ended)
            return i + 1;
    }
    return (int)strlen(text);
}

static LpSequenceKind kind(const char *text, LpKey *key, double *light) {
    LpSequence s;
    *light = -1;
    assert_int_equal(add(&s, text), (int)strlen(text));
    assert_true(s.ended);
    return lp_sequence_kind(&s, key, light);
}

static void test_ends(void **state) {
    static const struct {
        const char *text;
        int length; /* -1: Esc and keys */
        bool ended;
    } cases[] = {
        {"[A", 2, true},
        {"[Ax", 2, true},
        {"OP", 2, true},
        {"[1;5C", 5, true},
        {"[?62;4c", 7, true},
        {"[I", 2, true},
        {"[<0;10;20M", 10, true},
        {"[", 1, false},
        {"[12", 3, false},
        {"]11;rgb:0/0/0\a", 14, true},
        {"]0;title\033\\", 10, true},
        {"]52;c;", 6, false},
        {"Pq#0\033\\x", 6, true},
        {"_G\033\\", 4, true},
        {"n", -1, false},
        {"]]", -1, false},
        {"]n", -1, false},
        {"[1\n", -1, false},
        {"", 0, false},
        {"\177", -1, false},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpSequence s;
        if (add(&s, cases[i].text) != cases[i].length || s.ended != cases[i].ended)
            fail_msg("Esc %s", cases[i].text);
    }
}

/* Whatever is pasted: only its end, and what looks like it, is a sequence. */
static void test_pasted(void **state) {
    static const char *const text[] = {"]1", "P", "_", "^", "X", "O"};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(text); i++) {
        LpSequence s = {.pasted = true};
        assert_false(lp_sequence_add(&s, (unsigned char)text[i][0]));
    }
    LpSequence s = {.pasted = true};
    for (const char *at = "[201~"; *at != '\0'; at++)
        assert_true(lp_sequence_add(&s, (unsigned char)*at));
    assert_true(s.ended);
}

/* A terminal, or what it shows, may send anything: it ends. */
static void test_long(void **state) {
    LpSequence s = {0};
    int count = 0;
    (void)state;
    assert_true(lp_sequence_add(&s, ']') && lp_sequence_add(&s, '5'));
    while (!s.ended && count < 10 * LP_SEQUENCE_MOST) {
        assert_true(lp_sequence_add(&s, 0x4e16));
        count++;
    }
    assert_true(s.ended && count <= LP_SEQUENCE_MOST);
    assert_int_equal(strlen(s.text), LP_SEQUENCE_MOST);
}

static void test_kinds(void **state) {
    LpKey key;
    double light;
    (void)state;
    assert_int_equal(kind("[A", &key, &light), LP_SEQUENCE_KEY);
    assert_int_equal(key, LP_KEY_UP);
    assert_int_equal(kind("OD", &key, &light), LP_SEQUENCE_KEY);
    assert_int_equal(key, LP_KEY_LEFT);
    assert_int_equal(kind("[6~", &key, &light), LP_SEQUENCE_KEY);
    assert_int_equal(key, LP_KEY_PGDN);
    assert_int_equal(kind("[200~", &key, &light), LP_SEQUENCE_PASTE);
    assert_int_equal(kind("[201~", &key, &light), LP_SEQUENCE_PASTED);
    assert_int_equal(kind("[?62;4c", &key, &light), LP_SEQUENCE_DEVICE);
    assert_int_equal(kind("[I", &key, &light), LP_SEQUENCE_OTHER); /* the window has the focus */
    assert_int_equal(kind("]11;rgb:ffff/ffff/ffff\a", &key, &light), LP_SEQUENCE_BACKGROUND);
    assert_float_equal(light, 1, 1e-9);
    assert_int_equal(kind("]11;rgb:00/00/00\033\\", &key, &light), LP_SEQUENCE_BACKGROUND);
    assert_float_equal(light, 0, 1e-9);
    assert_int_equal(kind("]11;rgb:0/f/0\a", &key, &light), LP_SEQUENCE_BACKGROUND);
    assert_float_equal(light, 0.7152, 1e-9);
    assert_int_equal(kind("]11;rgb:0/0\a", &key, &light), LP_SEQUENCE_OTHER);
    assert_int_equal(kind("]11;rgb:00000/0/0\a", &key, &light), LP_SEQUENCE_OTHER);
    assert_int_equal(kind("]10;rgb:ff/ff/ff\a", &key, &light), LP_SEQUENCE_OTHER);
}

static void test_background(void **state) {
    static const struct {
        double luminance;
        const char *variable, *told;
        bool light;
    } cases[] = {
        {1, "15;0", "light, the terminal says", true},
        {0.5, "0;15", "dark, the terminal says", false},
        {-1, "0;15", "light, COLORFGBG says", true},
        {-1, "0;default;7", "light, COLORFGBG says", true},
        {-1, "15;0", "dark, COLORFGBG says", false},
        {-1, "7;8", "dark, COLORFGBG says", false},
        {-1, "7;16", "dark, COLORFGBG says", false},
        {-1, "white", "dark, COLORFGBG says", false},
        {-1, "0;default", "dark, COLORFGBG says", false},
        {-1, NULL, "not known, taken for dark", false},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        bool light;
        assert_string_equal(lp_background_told(cases[i].luminance, cases[i].variable, &light),
                            cases[i].told);
        assert_int_equal(light, cases[i].light);
    }
}

static void test_clipboard(void **state) {
    static const char *const cases[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpBuf out = {0}, want = {0};
        lp_clipboard_command(cases[i][0], strlen(cases[i][0]), &out);
        lp_buf_addf(&want, "\033]52;c;%s\a", cases[i][1]);
        assert_string_equal(lp_buf_text(&out), lp_buf_text(&want));
        lp_buf_fini(&out);
        lp_buf_fini(&want);
    }
}

TEST_GROUP(test_ui_sequence) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),       cmocka_unit_test(test_pasted),
        cmocka_unit_test(test_long),       cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_background), cmocka_unit_test(test_clipboard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
