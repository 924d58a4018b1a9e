/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What numbers must be: the borders of each kind, and the sentence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/need.h"
#include "group.h"

static void borders_of_each_kind(void **state) {
    (void)state;
    static const struct {
        LpNeed need;
        double value;
        LpErr err;
    } rows[] = {
        {LP_NEED_POSITIVE, 0x1p-1074, LP_OK},
        {LP_NEED_POSITIVE, 0, LP_EINVAL},
        {LP_NEED_NOT_NEGATIVE, 0, LP_OK},
        {LP_NEED_NOT_NEGATIVE, -0x1p-1074, LP_EINVAL},
        {LP_NEED_WHOLE, 1, LP_OK},
        {LP_NEED_WHOLE, 0, LP_EINVAL},
        {LP_NEED_WHOLE, 1.5, LP_EINVAL},
        {LP_NEED_WHOLE, 0x1p53, LP_OK},
        {LP_NEED_WHOLE, 0x1p54, LP_EINVAL},
        {LP_NEED_SHARE, 1, LP_OK},
        {LP_NEED_SHARE, 1 + 0x1p-52, LP_EINVAL},
        {LP_NEED_SHARE, 0, LP_OK},
    };
    LpDiag diag;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(lp_need("key", rows[i].value, rows[i].need, &diag), rows[i].err);
    for (int need = LP_NEED_POSITIVE; need <= LP_NEED_SHARE; need++) {
        assert_int_equal(lp_need("key", (double)INFINITY, (LpNeed)need, &diag), LP_EINVAL);
        assert_int_equal(lp_need("key", (double)NAN, (LpNeed)need, &diag), LP_EINVAL);
    }
}

static void the_first_that_is_wrong_is_named(void **state) {
    (void)state;
    LpDiag diag;
    const LpNumber numbers[] = {{"a", 1, LP_NEED_WHOLE},
                                {"cluster.ramp.slot", -2.5, LP_NEED_NOT_NEGATIVE},
                                {"c", (double)NAN, LP_NEED_SHARE}};
    assert_int_equal(lp_need_all(numbers, 1, &diag), LP_OK);
    assert_int_equal(lp_need_all(numbers, 3, &diag), LP_EINVAL);
    assert_string_equal(diag.text, "cluster.ramp.slot is -2.5: expected a number of 0 or more");
    assert_int_equal(lp_need_all(numbers + 2, 1, &diag), LP_EINVAL);
    assert_string_equal(diag.text, "c is not a number: expected a number from 0 to 1");
}

TEST_GROUP(test_base_need) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders_of_each_kind),
        cmocka_unit_test(the_first_that_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
