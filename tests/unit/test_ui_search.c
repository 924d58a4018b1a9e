/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in lines and on the canvas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "group.h"
#include "widgets/search.h"

static void test_in(void **state) {
    (void)state;
    assert_true(lp_search_in("job 4 Gnmt x2", "gnmt"));
    assert_true(lp_search_in("gnmt", "GNMT"));
    assert_true(lp_search_in("aab", "ab"));
    assert_true(lp_search_in("x\xC3\xA9y", "\xC3\xA9Y"));
    assert_false(lp_search_in("gnm", "gnmt"));
    assert_false(lp_search_in("anything", ""));
    assert_false(lp_search_in("", "a"));
}

static int marks(const LpCanvas *canvas, LpStyle bits) {
    int count = 0;
    for (int i = 0; i < canvas->rows * canvas->cols; i++)
        count += (canvas->cell[i].style & bits) != 0;
    return count;
}

/* Within a row, within the area, once per place; a row that is reversed stays readable. */
static void test_mark(void **state) {
    (void)state;
    LpCanvas canvas = {0};
    LpDiag diag = {0};
    assert_int_equal(lp_canvas_resize(&canvas, 3, 12, &diag), LP_OK);
    LpArea all = lp_canvas_area(&canvas, (LpRect){0, 0, 12, 3});
    lp_area_text(&all, 0, 0, LP_ROLE_TEXT, "aaaa Job job");
    lp_area_text(&all, 0, 1, LP_ROLE_TEXT, "...jo");
    lp_area_text(&all, 0, 2, LP_ROLE_TEXT, "b job");
    lp_area_mark(&all, 0, 2, 12, LP_REVERSE);
    assert_int_equal(lp_search_mark(&all, "job"), 3);
    assert_int_equal(marks(&canvas, LP_REVERSE), 6 + 12);
    assert_int_equal(marks(&canvas, LP_UNDERLINE), 3);
    LpArea left = lp_canvas_area(&canvas, (LpRect){0, 0, 11, 3});
    assert_int_equal(lp_search_mark(&left, "aa"), 2);
    assert_int_equal(lp_search_mark(&left, "job"), 2);
    assert_int_equal(lp_search_mark(&all, ""), 0);
    assert_int_equal(lp_search_mark(&all, "longer than the whole row"), 0);
    lp_canvas_fini(&canvas);
}

TEST_GROUP(test_ui_search) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in), cmocka_unit_test(test_mark)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
