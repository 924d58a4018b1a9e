/* SPDX-License-Identifier: GPL-3.0-or-later */
/* widgets/said: the wording that fits, and what is left of the shortest where none does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "group.h"
#include "widgets/said.h"

static void assert_fits(const LpSaid *said, int width, const char *want) {
    LpBuf out = {0};
    lp_said_fit(said, width, &out);
    assert_string_equal(lp_buf_text(&out), want);
    lp_buf_fini(&out);
}

static void test_longest_wording_that_fits(void **state) {
    (void)state;
    LpSaid said = {0};
    lp_said_add(&said, LP_FORM_LONG, "4 ways for L are too late.");
    lp_said_add(&said, LP_FORM_SHORT, "Too late.");
    assert_fits(&said, 26, "4 ways for L are too late.");
    assert_fits(&said, 25, "Too late.");
    lp_said_fini(&said);
}

static void test_cut_ends_with_a_sentence_a_clause_or_a_word(void **state) {
    (void)state;
    LpSaid said = {0};
    lp_said_add(&said, LP_FORM_SHORT, "4 ways: 2.43 s, limit 2.82 s. In time.");
    assert_fits(&said, 38, "4 ways: 2.43 s, limit 2.82 s. In time.");
    assert_fits(&said, 37, "4 ways: 2.43 s, limit 2.82 s.");
    assert_fits(&said, 28, "4 ways: 2.43 s");
    assert_fits(&said, 14, "4 ways: 2.43 s");
    assert_fits(&said, 13, "4 ways");
    assert_fits(&said, 5, "4~");
    assert_fits(&said, 0, "");
    lp_said_clear(&said);
    assert_fits(&said, 80, "");
    lp_said_fini(&said);
}

TEST_GROUP(test_ui_said) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longest_wording_that_fits),
        cmocka_unit_test(test_cut_ends_with_a_sentence_a_clause_or_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
