/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Libraries that are loaded late: their functions, and what is said of one that cannot be used. The
 * C library's mathematics is on every machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "late/library.h"

static const char SONAME[] = "libm.so.6";

typedef struct Rounding {
    double (*down)(double);
    double (*up)(double);
} Rounding;

static double untouched(double x) {
    return x + 1000;
}

static void finds_functions_in_their_order(void **state) {
    (void)state;
    static const char *const NAMES[] = {"floor", "ceil"};
    Rounding rounding = {0};
    for (int again = 0; again < 2; again++) {
        assert_int_equal(lp_library_load(SONAME, NAMES, 2, &rounding, "a test", NULL), LP_OK);
        assert_true(rounding.down(1.5) == 1);
        assert_true(rounding.up(1.5) == 2);
    }
}

static void says_which_library_is_not_there(void **state) {
    (void)state;
    static const char *const NAMES[] = {"floor", "ceil"};
    Rounding rounding = {untouched, untouched};
    LpDiag diag;
    assert_int_equal(
        lp_library_load("liblightpath-none.so.7", NAMES, 2, &rounding, "drawing", &diag), LP_EIO);
    assert_non_null(strstr(diag.text, "the library liblightpath-none.so.7, needed for drawing, "));
    assert_non_null(strstr(diag.text, "in the package liblightpath-none7"));
    assert_true(rounding.down(1) == 1001);
}

/* A library of the right name may be another one: nothing of it is taken then. */
static void says_which_function_it_lacks(void **state) {
    (void)state;
    static const char *const NAMES[] = {"floor", "lightpath_none"};
    Rounding rounding = {untouched, untouched};
    LpDiag diag;
    assert_int_equal(lp_library_load(SONAME, NAMES, 2, &rounding, "drawing", &diag), LP_EIO);
    assert_non_null(strstr(diag.text, "lightpath_none"));
    assert_true(rounding.down(1) == 1001);
    assert_true(rounding.up(1) == 1001);
}

static void a_function_may_be_missing(void **state) {
    (void)state;
    double (*function)(double) = untouched;
    lp_library_find(SONAME, "lightpath_none", &function);
    assert_true(function(1) == 1001);
    lp_library_find("liblightpath-none.so.7", "floor", &function);
    assert_true(function(1) == 1001);
    lp_library_find(SONAME, "floor", &function);
    assert_true(function(1.5) == 1);
}

TEST_GROUP(test_late_library) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_functions_in_their_order),
        cmocka_unit_test(says_which_library_is_not_there),
        cmocka_unit_test(says_which_function_it_lacks),
        cmocka_unit_test(a_function_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
