/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of base/err: codes, diagnoses, places, cutting and escaping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"

static void texts_are_distinct(void **state) {
    (void)state;
    static const LpErr codes[] = {
#define X(name, number, text) name,
        LP_ERR_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < LP_COUNTOF(codes); i++) {
        assert_true(strlen(lp_err_text(codes[i])) > 0);
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(codes[i], codes[j]);
            assert_string_not_equal(lp_err_text(codes[i]), lp_err_text(codes[j]));
        }
    }
    assert_int_equal(LP_OK, 0);
    assert_string_equal(lp_err_text(LP_ECYCLE), "the graph has a cycle");
}

static void unknown_code_has_a_text(void **state) {
    (void)state;
    assert_string_equal(lp_err_text((LpErr)99), "unknown error");
    assert_string_equal(lp_err_text((LpErr)-1), "unknown error");
}

static void fail_fills_and_returns(void **state) {
    (void)state;
    LpDiag diag = {.line = 3, .col = 4, .file = "old", .text = "old"};
    assert_int_equal(lp_fail(&diag, LP_EINVAL, "degree %d of \"%s\"", 3, "conv"), LP_EINVAL);
    assert_int_equal(diag.code, LP_EINVAL);
    assert_string_equal(diag.text, "degree 3 of \"conv\"");
    assert_string_equal(diag.file, "");
    assert_int_equal(diag.line, 0);
    assert_int_equal(diag.col, 0);
}

static void fail_at_names_the_place(void **state) {
    (void)state;
    LpDiag diag = {0};
    assert_int_equal(lp_fail_at(&diag, LP_EPARSE, "a.json", 12, 7, "expected %c", '}'), LP_EPARSE);
    assert_string_equal(diag.file, "a.json");
    assert_int_equal(diag.line, 12);
    assert_int_equal(diag.col, 7);
    assert_string_equal(diag.text, "expected }");
    assert_int_equal(lp_fail_at(&diag, LP_EIO, NULL, 0, 0, "gone"), LP_EIO);
    assert_string_equal(diag.file, "");
}

static void no_diagnosis_is_allowed(void **state) {
    (void)state;
    assert_int_equal(lp_fail(NULL, LP_ERANGE, "%d", 1), LP_ERANGE);
    assert_int_equal(lp_fail_at(NULL, LP_EIO, "f", 1, 1, "%d", 1), LP_EIO);
    assert_int_equal(lp_fail_memory(NULL, "jobs"), LP_ENOMEM);
}

static void memory_names_what(void **state) {
    (void)state;
    LpDiag diag = {0};
    assert_int_equal(lp_fail_memory(&diag, "the queue"), LP_ENOMEM);
    assert_int_equal(diag.code, LP_ENOMEM);
    assert_non_null(strstr(diag.text, "the queue"));
    assert_non_null(strstr(diag.text, "memory"));
    assert_int_equal(lp_fail_memory(&diag, NULL), LP_ENOMEM);
}

static void messages_may_wrap_themselves(void **state) {
    (void)state;
    LpDiag diag = {0};
    lp_fail_at(&diag, LP_EPARSE, "in.json", 2, 5, "bad \"%s\"", "k");
    lp_fail_at(&diag, diag.code, diag.file, diag.line, diag.col, "graph: %s", diag.text);
    assert_string_equal(diag.text, "graph: bad \"k\"");
    assert_string_equal(diag.file, "in.json");
    assert_int_equal(diag.line, 2);
}

static void overlong_text_is_cut_between_characters(void **state) {
    (void)state;
    char text[3 * LP_DIAG_TEXT];
    LpDiag diag;
    for (size_t offset = 0; offset < 4; offset++) {
        memset(text, 'x', offset);
        for (size_t i = offset; i + 2 < sizeof text; i += 2)
            memcpy(text + i, "\xC3\xA9", 3); /* e acute */
        memset(&diag, 'Z', sizeof diag);
        lp_fail_at(&diag, LP_EINVAL, text, 1, 1, "%s", text);
        size_t len = strlen(diag.text), file_len = strlen(diag.file);
        assert_true(len >= LP_DIAG_TEXT - 5 && len <= LP_DIAG_TEXT - 1);
        assert_true(file_len >= LP_DIAG_FILE - 5 && file_len <= LP_DIAG_FILE - 1);
        assert_string_equal(diag.text + len - 5, "\xC3\xA9\xE2\x80\xA6");
        assert_string_equal(diag.file + file_len - 5, "\xC3\xA9\xE2\x80\xA6");
    }
}

static void text_of_exactly_the_room_is_kept(void **state) {
    (void)state;
    char text[LP_DIAG_TEXT + 1];
    LpDiag diag;
    memset(text, 'y', sizeof text);
    text[LP_DIAG_TEXT - 1] = '\0';
    lp_fail(&diag, LP_EINVAL, "%s", text);
    assert_string_equal(diag.text, text);
    text[LP_DIAG_TEXT - 1] = 'y';
    text[LP_DIAG_TEXT] = '\0';
    lp_fail(&diag, LP_EINVAL, "%s", text);
    assert_int_equal(strlen(diag.text), LP_DIAG_TEXT - 1);
    assert_int_equal(diag.text[LP_DIAG_TEXT - 2], '\xA6');
}

static void terminal_controls_are_escaped(void **state) {
    (void)state;
    LpDiag diag = {0};
    lp_fail_at(&diag, LP_EPARSE, "a\x1b[2J", 1, 1, "key \"%s\"", "\x1b]0;x\a\n\xE2\x80\xAE\xFF");
    assert_string_equal(diag.file, "a\\x1b[2J");
    assert_string_equal(diag.text, "key \"\\x1b]0;x\\x07\\n\\u202e\\xff\"");
}

static void format_shows_what_is_known(void **state) {
    (void)state;
    char buf[LP_DIAG_FILE + LP_DIAG_TEXT + 32];
    LpDiag diag = {0};
    lp_fail(&diag, LP_EINVAL, "only text");
    assert_string_equal(lp_diag_format(&diag, buf, sizeof buf), "only text");
    lp_fail_at(&diag, LP_EINVAL, "f.json", 0, 0, "text");
    assert_string_equal(lp_diag_format(&diag, buf, sizeof buf), "f.json: text");
    lp_fail_at(&diag, LP_EINVAL, "f.json", 8, 0, "text");
    assert_string_equal(lp_diag_format(&diag, buf, sizeof buf), "f.json:8: text");
    lp_fail_at(&diag, LP_EINVAL, "f.json", 8, 2, "text");
    assert_string_equal(lp_diag_format(&diag, buf, sizeof buf), "f.json:8:2: text");
    assert_ptr_equal(lp_diag_format(&diag, buf, sizeof buf), buf);
}

static void format_holds_the_longest(void **state) {
    (void)state;
    char buf[LP_DIAG_FILE + LP_DIAG_TEXT + 32], want[sizeof buf];
    LpDiag diag = {.code = LP_EIO, .line = INT32_MAX, .col = INT32_MAX};
    memset(diag.file, 'f', sizeof diag.file - 1);
    memset(diag.text, 't', sizeof diag.text - 1);
    lp_diag_format(&diag, buf, sizeof buf);
    memcpy(want, diag.file, LP_DIAG_FILE);
    strcat(want, ":2147483647:2147483647: ");
    strcat(want, diag.text);
    assert_string_equal(buf, want);
}

static void format_fits_any_size(void **state) {
    (void)state;
    char buf[8] = "1234567";
    LpDiag diag = {0};
    lp_fail(&diag, LP_EINVAL, "a\xC3\xA9z");
    assert_ptr_equal(lp_diag_format(&diag, buf, 0), buf);
    assert_string_equal(buf, "1234567");
    assert_string_equal(lp_diag_format(&diag, buf, 1), "");
    assert_string_equal(lp_diag_format(&diag, buf, 3), "a");
    assert_string_equal(lp_diag_format(&diag, buf, 4), "a\xC3\xA9");
    assert_int_equal(buf[5], '6');
}

static LpErr try_it(LpErr err, int *reached) {
    LP_TRY(err);
    ++*reached;
    return LP_OK;
}

static void try_propagates(void **state) {
    (void)state;
    int reached = 0;
    assert_int_equal(try_it(LP_ESTATE, &reached), LP_ESTATE);
    assert_int_equal(reached, 0);
    assert_int_equal(try_it(LP_OK, &reached), LP_OK);
    assert_int_equal(reached, 1);
}

TEST_GROUP(test_base_err) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_distinct),
        cmocka_unit_test(unknown_code_has_a_text),
        cmocka_unit_test(fail_fills_and_returns),
        cmocka_unit_test(fail_at_names_the_place),
        cmocka_unit_test(no_diagnosis_is_allowed),
        cmocka_unit_test(memory_names_what),
        cmocka_unit_test(messages_may_wrap_themselves),
        cmocka_unit_test(overlong_text_is_cut_between_characters),
        cmocka_unit_test(text_of_exactly_the_room_is_kept),
        cmocka_unit_test(terminal_controls_are_escaped),
        cmocka_unit_test(format_shows_what_is_known),
        cmocka_unit_test(format_holds_the_longest),
        cmocka_unit_test(format_fits_any_size),
        cmocka_unit_test(try_propagates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
