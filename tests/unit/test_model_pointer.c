/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of model/pointer: what can be pointed at, and what is said of the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "model/pointer.h"

static void what_is_pointed_at_is_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        LpPointerKind kind;
        bool numbered;
        uint32_t number, other;
        const char *which;
    } cases[] = {
        {"op 2", LP_POINTER_OP, true, 2, 0, "2"},
        {"row 4", LP_POINTER_ROW, true, 4, 0, "4"},
        {"row 4 ways", LP_POINTER_ROW, false, 0, 0, "4 ways"},
        {"server g2r1", LP_POINTER_SERVER, false, 0, 0, "g2r1"},
        {"server 0", LP_POINTER_SERVER, true, 0, 0, "0"},
        {"letter L", LP_POINTER_LETTER, false, 0, 0, "L"},
        {"curve  1", LP_POINTER_CURVE, true, 1, 0, "1"},
        {"path 0-8", LP_POINTER_PATH, false, 0, 8, "0-8"},
        {"text 24.7 %", LP_POINTER_WORDS, false, 0, 0, "24.7 %"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpPointer p;
        LpDiag diag;
        if (lp_pointer_parse(cases[i].text, &p, &diag) != LP_OK)
            fail_msg("%s: %s", cases[i].text, diag.text);
        assert_int_equal(p.kind, cases[i].kind);
        if (p.numbered != cases[i].numbered || p.number != cases[i].number ||
            p.other != cases[i].other || strcmp(p.text, cases[i].which) != 0)
            fail_msg("%s: %u, %u, \"%s\"", cases[i].text, p.number, p.other, p.text);
    }
}

static void the_rest_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",          "op",
        "op 0",      "op -1",
        "op x",      "row 0",
        "letter 4",  "letter LL",
        "curve two", "path 3",
        "path 3-3",  "path -3",
        "path 3-",   "text",
        "job 3",     "row 01234567890123456789012345678901234567890123456789012345678901234"};
    for (size_t i = 0; i < LP_COUNTOF(texts); i++) {
        LpPointer p = {.number = 77};
        LpDiag diag;
        if (lp_pointer_parse(texts[i], &p, &diag) != LP_EINVAL || p.number != 77 ||
            strstr(diag.text, "expected ") == NULL)
            fail_msg("%s", texts[i]);
    }
}

TEST_GROUP(test_model_pointer) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_pointed_at_is_read),
                                       cmocka_unit_test(the_rest_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
