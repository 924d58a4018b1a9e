/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing a scenario: what the list shows at every size, and what the keys do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/picker.h"

static const LpCatalogItem items[] = {
    {.name = "alpha",
     .path = "a.json",
     .title = "first",
     .notes = "some words about it",
     .fabric = "ramp",
     .semantics = "corrected",
     .servers = 8},
    {.name = "broken",
     .path = "b.json",
     .title = "",
     .notes = "",
     .fabric = "",
     .semantics = "",
     .error = "b.json:1:1: no JSON"},
    {.name = "evil\x1b[2J",
     .path = "c.json",
     .title = "\x1b]52;c;x\x07",
     .notes = "\x1b[31m",
     .fabric = "ideal",
     .semantics = "published",
     .servers = 2},
};

static bool shows(const LpCanvas *canvas, const char *text) {
    LpBuf out = {0};
    lp_canvas_print(canvas, &out);
    bool found = strstr(lp_buf_text(&out), text) != NULL;
    for (const char *c = lp_buf_text(&out); *c != '\0'; c++)
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
    lp_buf_fini(&out);
    return found;
}

static void test_keys(void **state) {
    LpPicker p;
    (void)state;
    lp_picker_open(&p, items, LP_COUNTOF(items), "evil\x1b[2J");
    assert_int_equal(p.row, 2);
    lp_picker_key(&p, LP_KEY_DOWN);
    assert_int_equal(p.row, 2);
    lp_picker_key(&p, 'k');
    assert_int_equal(p.row, 1);
    lp_picker_key(&p, LP_KEY_ENTER);
    assert_false(p.chosen);
    assert_string_equal(p.message, "this scenario cannot be opened");
    lp_picker_key(&p, LP_KEY_HOME);
    assert_int_equal(p.row, 0);
    assert_string_equal(p.message, "");
    lp_picker_key(&p, '&');
    assert_non_null(strstr(p.message, "does nothing here"));
    lp_picker_key(&p, LP_KEY_ENTER);
    assert_true(p.chosen && !p.quit);
    lp_picker_open(&p, items, LP_COUNTOF(items), "nothing");
    assert_int_equal(p.row, 0);
    lp_picker_key(&p, 'q');
    assert_true(p.quit && !p.chosen);
    lp_picker_open(&p, NULL, 0, "nothing");
    lp_picker_key(&p, LP_KEY_DOWN);
    lp_picker_key(&p, LP_KEY_ENTER);
    assert_int_equal(p.row, 0);
    assert_false(p.chosen);
}

static void test_screen(void **state) {
    LpCanvas canvas = {0};
    LpPicker p;
    (void)state;
    lp_picker_open(&p, items, LP_COUNTOF(items), "alpha");
    assert_int_equal(lp_canvas_resize(&canvas, 24, 100, NULL), LP_OK);
    lp_picker_draw(&p, &canvas);
    assert_true(shows(&canvas, "alpha"));
    assert_true(shows(&canvas, "ramp, 8 servers, corrected"));
    assert_true(shows(&canvas, "some words about it"));
    assert_true(shows(&canvas, "cannot be opened"));
    p.row = 1;
    lp_picker_draw(&p, &canvas);
    assert_true(shows(&canvas, "b.json:1:1: no JSON"));
    p.row = 2;
    lp_picker_draw(&p, &canvas);
    assert_true(shows(&canvas, "\\x1b"));
    for (int rows = 1; rows < 40; rows += 3)
        for (int cols = 1; cols < 130; cols += 7) {
            assert_int_equal(lp_canvas_resize(&canvas, rows, cols, NULL), LP_OK);
            lp_picker_draw(&p, &canvas);
            (void)shows(&canvas, "");
        }
    lp_canvas_fini(&canvas);
}

static void test_catalog(void **state) {
    LpArena *arena = lp_arena_new(0);
    const LpCatalogItem *item;
    size_t count, known = 0;
    (void)state;
    assert_int_equal(lp_catalog_read(arena, &item, &count, NULL), LP_OK);
    for (size_t i = 0; i < count; i++) {
        assert_null(item[i].error);
        assert_true(item[i].servers > 0 && item[i].title[0] != '\0');
        bool lesson = item[i].goal != NULL;
        assert_true(lesson == (item[i].minutes > 0));
        if (i > 0 && item[i - 1].goal != NULL) /* lessons come last, by their numbers */
            assert_true(lesson && item[i - 1].lesson < item[i].lesson);
        else if (i > 0 && !lesson)
            assert_true(strcmp(item[i - 1].name, item[i].name) < 0);
        known += strcmp(item[i].name, "pac-ml-32") == 0;
    }
    assert_int_equal(known, 1);
    lp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys), cmocka_unit_test(test_screen),
                                       cmocka_unit_test(test_catalog)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
