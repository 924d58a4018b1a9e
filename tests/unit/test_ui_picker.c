/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing a scenario: what the list shows at every size, and what the keys do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "front/picker.h"
#include "group.h"
#include "import/import.h"

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

static const LpCatalogItem lessons[] = {
    {.name = "1-graph",
     .path = "1.json",
     .title = "The graph",
     .notes = "",
     .fabric = "ramp",
     .semantics = "corrected",
     .servers = 1,
     .lesson = 1,
     .minutes = 10,
     .goal = "know a graph"},
    {.name = "2-light",
     .path = "2.json",
     .title = "Light",
     .notes = "",
     .fabric = "ramp",
     .semantics = "corrected",
     .servers = 8,
     .lesson = 2,
     .minutes = 12,
     .goal = "know wavelengths"},
};

static const LpGoneThrough nothing = {0}, toured = {.toured = true, .lesson = {[1] = true}};

static const char *marked(const LpPicker *p) {
    const LpPickEntry *entry = lp_picker_marked(p);
    return entry ? entry->name : "";
}

static void press(LpPicker *p, const char *keys) {
    for (; *keys; keys++)
        lp_picker_key(p, (LpKey)*keys);
}

static void test_keys(void **state) {
    LpPicker p;
    (void)state;
    lp_picker_open(&p, items, LP_COUNTOF(items), "alpha", &nothing);
    assert_string_equal(marked(&p), "tour"); /* at the first run */
    lp_picker_open(&p, items, LP_COUNTOF(items), "alpha", &toured);
    assert_string_equal(marked(&p), "alpha");
    lp_picker_key(&p, LP_KEY_DOWN);
    assert_string_equal(marked(&p), "broken");
    lp_picker_key(&p, LP_KEY_ENTER);
    assert_false(p.chosen);
    assert_string_equal(p.message, "this scenario cannot be opened");
    lp_picker_key(&p, LP_KEY_END);
    lp_picker_key(&p, LP_KEY_DOWN);
    assert_int_equal(p.row, 3);
    press(&p, "k");
    assert_int_equal(p.row, 2);
    lp_picker_key(&p, LP_KEY_HOME);
    assert_string_equal(p.message, "");
    press(&p, "&");
    assert_non_null(strstr(p.message, "does nothing here"));
    lp_picker_key(&p, LP_KEY_ENTER);
    assert_true(p.chosen && !p.quit && lp_picker_marked(&p)->tour);
    lp_picker_open(&p, NULL, 0, "nothing", &nothing);
    lp_picker_key(&p, LP_KEY_DOWN);
    lp_picker_key(&p, LP_KEY_TAB);
    lp_picker_key(&p, LP_KEY_ENTER);
    assert_false(p.chosen);
    press(&p, "q");
    assert_true(p.quit);
}

/* / and letters leave what has them in name, title or goal; Esc shows all again, then quits. */
static void test_search(void **state) {
    LpPicker p;
    (void)state;
    lp_picker_open(&p, lessons, LP_COUNTOF(lessons), "none", &nothing);
    assert_string_equal(marked(&p), "1-graph");
    press(&p, "/wave");
    assert_string_equal(marked(&p), "2-light");
    press(&p, "q"); /* a letter like others */
    assert_null(lp_picker_marked(&p));
    assert_false(p.quit);
    lp_picker_key(&p, LP_KEY_BACKSPACE);
    assert_string_equal(marked(&p), "2-light");
    lp_picker_key(&p, LP_KEY_ESC);
    assert_string_equal(marked(&p), "1-graph");
    assert_false(p.quit);
    press(&p, "z"); /* no key of the list: looked for at once */
    assert_null(lp_picker_marked(&p));
    lp_picker_key(&p, LP_KEY_ESC);
    lp_picker_key(&p, LP_KEY_ESC);
    assert_true(p.quit);
}

static void test_groups(void **state) {
    static const LpPickGroup order[] = {LP_PICK_START, LP_PICK_LESSONS, LP_PICK_SCENARIOS,
                                        LP_PICK_RECENT, LP_PICK_START};
    LpCatalogItem all[LP_COUNTOF(items) + LP_COUNTOF(lessons)];
    LpPicker p;
    (void)state;
    memcpy(all, items, sizeof items);
    memcpy(all + LP_COUNTOF(items), lessons, sizeof lessons);
    lp_picker_open(&p, all, LP_COUNTOF(all), "alpha", &nothing);
    lp_picker_add_recent(&p, "/home/x/alpha-7.session");
    for (size_t i = 0; i < LP_COUNTOF(order); i++) {
        assert_int_equal(lp_picker_marked(&p)->group, order[i]);
        lp_picker_key(&p, LP_KEY_TAB);
    }
    lp_picker_key(&p, LP_KEY_END);
    assert_string_equal(marked(&p), "alpha-7.session");
    assert_string_equal(lp_picker_marked(&p)->path, "/home/x/alpha-7.session");
}

static void test_screen(void **state) {
    LpCanvas canvas = {0};
    LpPicker p;
    (void)state;
    lp_picker_open(&p, items, LP_COUNTOF(items), "alpha", &toured);
    assert_int_equal(lp_canvas_resize(&canvas, 24, 100, NULL), LP_OK);
    lp_picker_draw(&p, &canvas);
    assert_true(shows(&canvas, "START HERE") && shows(&canvas, "SCENARIOS"));
    assert_true(shows(&canvas, "ramp, 8 servers, corrected"));
    assert_true(shows(&canvas, "some words about it"));
    p.preview = lp_preview_open("scenarios/two-servers.json", false);
    assert_non_null(p.preview);
    lp_picker_draw(&p, &canvas);
    assert_true(shows(&canvas, "SERVERS"));
    lp_preview_close(p.preview);
    p.preview = NULL;
    p.row = 2;
    lp_picker_draw(&p, &canvas);
    assert_true(shows(&canvas, "b.json:1:1: no JSON"));
    p.row = 3;
    lp_picker_draw(&p, &canvas);
    assert_true(shows(&canvas, "\\x1b"));
    for (int rows = 1; rows < 40; rows += 3)
        for (int cols = 1; cols < 130; cols += 7) {
            assert_int_equal(lp_canvas_resize(&canvas, rows, cols, NULL), LP_OK);
            lp_picker_draw(&p, &canvas);
            (void)shows(&canvas, "");
        }
    assert_null(lp_preview_open("scenarios/nowhere.json", false));
    lp_picker_open(&p, lessons, LP_COUNTOF(lessons), "none", &toured);
    assert_int_equal(lp_canvas_resize(&canvas, 24, 80, NULL), LP_OK);
    lp_picker_draw(&p, &canvas);
    assert_true(shows(&canvas, "LESSONS 1 of 2 done") && shows(&canvas, "10 min"));
    lp_canvas_fini(&canvas);
}

/* ? explains the words that stand in the list; any key that does not move leads back. */
static void test_words(void **state) {
    static const struct { int rows, cols; } sizes[] = {{24, 80}, {30, 100}, {20, 60}};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
        LpCanvas canvas = {0};
        LpPicker p;
        lp_picker_open(&p, items, LP_COUNTOF(items), "alpha", &toured);
        assert_int_equal(lp_canvas_resize(&canvas, sizes[i].rows, sizes[i].cols, NULL), LP_OK);
        lp_picker_draw(&p, &canvas);
        bool shown = shows(&canvas, "WORDS lines");
        assert_false(shown);
        press(&p, "?");
        lp_picker_draw(&p, &canvas);
        assert_true(shows(&canvas, "WORDS lines 1 to"));
        lp_picker_key(&p, LP_KEY_DOWN);
        lp_picker_draw(&p, &canvas);
        assert_string_equal(marked(&p), "alpha"); /* the text moves, not the list */
        lp_picker_key(&p, LP_KEY_ESC);
        assert_false(p.quit);
        lp_picker_draw(&p, &canvas);
        shown = shows(&canvas, "WORDS lines");
        assert_false(shown);
        lp_canvas_fini(&canvas);
    }
}

/* A lesson that is begun says how much of it is answered, one that is done has its mark. */
static void test_answered(void **state) {
    static const LpGoneThrough some = {.toured = true,
                                       .lesson = {[1] = true},
                                       .answered = {[1] = 3, [2] = 4},
                                       .asked = {[1] = 3, [2] = 6}};
    static const int sizes[][2] = {{24, 80}, {30, 100}, {40, 120}};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
        LpPicker p;
        LpCanvas canvas = {0};
        lp_picker_open(&p, lessons, LP_COUNTOF(lessons), "none", &some);
        assert_int_equal(lp_canvas_resize(&canvas, sizes[i][0], sizes[i][1], NULL), LP_OK);
        lp_picker_draw(&p, &canvas);
        assert_true(shows(&canvas, "1 of 2 done"));
        assert_true(shows(&canvas, "4 of 6 answered"));
        assert_true(shows(&canvas, "10 min") && !shows(&canvas, "3 of 3"));
        lp_canvas_fini(&canvas);
    }
}

/* What was gone through is kept, each once. */
static void test_progress(void **state) {
    char folder[] = "/tmp/lp-progress.XXXXXX", file[80];
    LpDiag diag = {0};
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_DATA_HOME", folder, 1), 0);
    assert_false(lp_progress_read().toured);
    LpGoneThrough more = {.toured = true};
    assert_int_equal(lp_progress_add(&more, &diag), LP_OK);
    more.lesson[3] = true;
    assert_int_equal(lp_progress_add(&more, &diag), LP_OK);
    LpGoneThrough now = lp_progress_read();
    assert_true(now.toured && now.lesson[3] && !now.lesson[2]);
    /* The most that was answered in one go counts; not what an earlier form of the lesson asked. */
    static const uint8_t steps[][4] = {
        {4, 6, 4, 6}, {2, 6, 4, 6}, {5, 6, 5, 6}, {1, 7, 1, 7}, {0, 0, 1, 7}};
    for (size_t i = 0; i < LP_COUNTOF(steps); i++) {
        LpGoneThrough some = {.answered[5] = steps[i][0], .asked[5] = steps[i][1]};
        assert_int_equal(lp_progress_add(&some, &diag), LP_OK);
        now = lp_progress_read();
        assert_int_equal(now.answered[5], steps[i][2]);
        assert_int_equal(now.asked[5], steps[i][3]);
        assert_true(now.toured && now.lesson[3] && !now.lesson[5]);
    }
    snprintf(file, sizeof file, "%s/lightpath/progress", folder);
    assert_int_equal(unlink(file), 0);
    snprintf(file, sizeof file, "%s/lightpath", folder);
    assert_int_equal(rmdir(file) | rmdir(folder), 0);
}

static void test_catalog(void **state) {
    LpArena *arena = lp_arena_new(0);
    const LpCatalogItem *item;
    size_t count, known = 0;
    (void)state;
    assert_int_equal(lp_catalog_read(arena, &lp_import_source, &item, &count, NULL), LP_OK);
    for (size_t i = 0; i < count; i++) {
        assert_null(item[i].error);
        assert_true(item[i].servers > 0 && item[i].title[0] != '\0');
        bool lesson = item[i].goal != NULL;
        assert_true(lesson == (item[i].minutes > 0));
        if (i > 0 && item[i - 1].goal != NULL) /* lessons come last, in their order */
            assert_true(lesson && item[i - 1].order <= item[i].order);
        else if (i > 0 && !lesson)
            assert_true(strcmp(item[i - 1].name, item[i].name) < 0);
        known += strcmp(item[i].name, "pac-ml-32") == 0;
    }
    assert_int_equal(known, 1);
    lp_arena_free(arena);
}

TEST_GROUP(test_ui_picker) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),     cmocka_unit_test(test_search),
        cmocka_unit_test(test_groups),   cmocka_unit_test(test_screen),
        cmocka_unit_test(test_words),    cmocka_unit_test(test_progress),
        cmocka_unit_test(test_answered), cmocka_unit_test(test_catalog)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
