/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of ui/widgets/flow.c: where lines of any script end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "group.h"
#include "term/canvas.h"
#include "widgets/flow.h"

/* The text in a box of that width, its lines parted by "|". */
static void expect(const char *text, int width, const char *lines) {
    LpCanvas canvas = {0};
    LpBuf out = {0};
    assert_int_equal(lp_canvas_resize(&canvas, 6, width, NULL), LP_OK);
    LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, width, 6});
    int rows = lp_flow_draw(&area, text, width, 0);
    assert_int_equal(rows, lp_flow_draw(NULL, text, width, 0));
    lp_canvas_print(&canvas, &out);
    for (size_t i = 0; i < out.len; i++)
        if (out.text[i] == '\n')
            out.text[i] = '|';
    assert_memory_equal(lp_buf_text(&out), lines, strlen(lines));
    lp_buf_fini(&out);
    lp_canvas_fini(&canvas);
}

#define CHINESE "\xE5\x85\x89\xE8\xB7\xAF\xE5\xBE\x88\xE5\xBF\xAB" /* four ideograms */

static void test_lines(void **state) {
    (void)state;
    expect("one two three", 8, "one two|three||");
    expect("seven--eight nine", 9, "seven--ei|ght nine||"); /* a word that is too long */
    expect("onwards", 8, "onwards||");
    /* ideograms need no blank; none is cut in half */
    expect(CHINESE CHINESE, 9, CHINESE "|" CHINESE "||");
    expect("ab " CHINESE " cd", 9, "ab \xE5\x85\x89\xE8\xB7\xAF\xE5\xBE\x88|\xE5\xBF\xAB cd||");
    /* a word of letters is not cut where a blank would do */
    expect("ab cdefghij", 9, "ab|cdefghij||");
    /* a mark stays with its letter, and takes no column */
    expect("abcdefge\xCC\x81 hi", 8, "abcdefge\xCC\x81|hi||");
    expect("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD7\x9C\xD7\x9B\xD7\x9D", 8,
           "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD7\x9C\xD7\x9B\xD7\x9D||");
}

TEST_GROUP(test_ui_flow) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
