/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The canvas: clipping, untrusted text, boxes, printing; and the glyphs it is drawn with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "term/canvas.h"

static LpCanvas canvas_of(int cols, int rows) {
    LpCanvas canvas = {0};
    assert_int_equal(lp_canvas_resize(&canvas, rows, cols, NULL), LP_OK);
    return canvas;
}

static LpArea whole(LpCanvas *canvas) {
    return lp_canvas_area(canvas, (LpRect){0, 0, canvas->cols, canvas->rows});
}

static void expect_text(const LpCanvas *canvas, const char *text) {
    LpBuf out = {0};
    lp_canvas_print(canvas, &out);
    assert_string_equal(lp_buf_text(&out), text);
    lp_buf_fini(&out);
}

static void test_blank_after_resize(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(3, 2);
    LpArea area = whole(&canvas);
    lp_area_text(&area, 0, 0, LP_ROLE_TEXT, "abc");
    expect_text(&canvas, "abc\n\n");
    assert_int_equal(lp_canvas_resize(&canvas, 1, 5, NULL), LP_OK);
    expect_text(&canvas, "\n");
    lp_canvas_fini(&canvas);
}

static void test_sizes_are_cut(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(-3, 5);
    assert_int_equal(canvas.cols, 0);
    assert_null(lp_canvas_at(&canvas, 0, 0));
    assert_int_equal(lp_canvas_resize(&canvas, 1, LP_CANVAS_MAX + 7, NULL), LP_OK);
    assert_int_equal(canvas.cols, LP_CANVAS_MAX);
    lp_canvas_fini(&canvas);
}

static void test_everything_is_clipped(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(4, 2);
    LpArea area = lp_canvas_area(&canvas, (LpRect){1, 1, 2, 9});
    assert_int_equal(area.rect.h, 1);
    lp_area_text(&area, -1, 0, LP_ROLE_TEXT, "abcdef");
    lp_area_put(&area, 0, 5, LP_ROLE_TEXT, 'x');
    lp_area_put(&area, 0, -1, LP_ROLE_TEXT, 'x');
    lp_area_repeat(&area, -100, 7, 1 << 30, LP_ROLE_TEXT, LP_GLYPH_FULL);
    lp_area_mark(&area, -5, 0, 50, LP_REVERSE);
    expect_text(&canvas, "\n b~\n");
    assert_int_equal(lp_canvas_at(&canvas, 0, 1)->style, LP_ROLE_TEXT);
    assert_int_equal(lp_canvas_at(&canvas, 1, 1)->style, LP_ROLE_TEXT | LP_REVERSE);
    lp_canvas_fini(&canvas);
}

static void test_parts_lie_within(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(10, 5);
    LpArea area = lp_canvas_area(&canvas, (LpRect){2, 1, 6, 3});
    LpArea part = lp_area_part(&area, (LpRect){4, 2, 100, 100});
    assert_int_equal(part.rect.x, 6);
    assert_int_equal(part.rect.y, 3);
    assert_int_equal(part.rect.w, 2);
    assert_int_equal(part.rect.h, 1);
    part = lp_area_part(&area, (LpRect){50, 50, 3, 3});
    assert_int_equal(part.rect.w, 0);
    part = lp_area_part(&area, (LpRect){1, 1, -4, -4});
    assert_int_equal(part.rect.w * part.rect.h, 0);
    lp_canvas_fini(&canvas);
}

static void test_text_is_escaped(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(40, 1);
    LpArea area = whole(&canvas);
    int end = lp_area_text(&area, 0, 0, LP_ROLE_TEXT, "a\033[2Jb\n\xff");
    expect_text(&canvas, "a\\x1b[2Jb\\n\\xff\n");
    assert_int_equal(end, lp_text_width("a\033[2Jb\n\xff"));
    assert_int_equal(end, 15);
    lp_canvas_fini(&canvas);
}

static void test_scripts_take_their_columns(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(12, 8);
    LpArea area = whole(&canvas);
    /* an ideogram, e with a combining accent, an emoji; then words of other scripts */
    int end = lp_area_text(&area, 0, 0, LP_ROLE_TEXT, "\xE4\xB8\xAD|e\xCC\x81|\xF0\x9F\x98\x80|");
    assert_int_equal(end, 8);
    assert_int_equal(lp_text_width("\xE4\xB8\xAD|e\xCC\x81|\xF0\x9F\x98\x80|"), 8);
    assert_int_equal(lp_canvas_at(&canvas, 1, 0)->cp, LP_CELL_REST);
    assert_int_equal(lp_canvas_at(&canvas, 3, 0)->mark[0], 0x301);
    /* cut at whole characters, with a blank where half of one would have had room */
    lp_area_fit(&area, 0, 1, 4, LP_ROLE_TEXT, "\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97");
    lp_area_fit(&area, 0, 2, 5, LP_ROLE_TEXT, "\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97");
    /* the last column has no room for a wide one */
    lp_area_put(&area, 11, 3, LP_ROLE_TEXT, 0x4E2D);
    /* what is drawn over half of one leaves a blank */
    lp_area_text(&area, 0, 4, LP_ROLE_TEXT, "\xE4\xB8\xAD\xE6\x96\x87");
    lp_area_put(&area, 1, 4, LP_ROLE_TEXT, 'x');
    lp_area_put(&area, 2, 4, LP_ROLE_TEXT, 'y');
    /* a family: without its joiners; a hand without its tone; Hebrew, Arabic, a Hangul syllable in
     * its parts */
    lp_area_text(&area, 0, 5, LP_ROLE_TEXT,
                 "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xF0\x9F\x8F\xBD|");
    lp_area_text(&area, 0, 6, LP_ROLE_TEXT, "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D|\xD8\xB3|");
    lp_area_text(&area, 0, 7, LP_ROLE_TEXT, "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB|");
    expect_text(&canvas, "\xE4\xB8\xAD|e\xCC\x81|\xF0\x9F\x98\x80|\n"
                         "\xE4\xB8\xAD~\n"
                         "\xE4\xB8\xAD\xE6\x96\x87~\n"
                         "           \xEF\xBF\xBD\n"
                         " xy\n"
                         "\xF0\x9F\x91\xA8\xF0\x9F\x91\xA9|\n"
                         "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D|\xD8\xB3|\n"
                         "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB|\n");
    canvas.ascii = true;
    lp_area_text(&area, 0, 0, LP_ROLE_TEXT, "\xE4\xB8\xAD|e\xCC\x81|");
    assert_int_equal(lp_canvas_at(&canvas, 0, 0)->cp, '?');
    assert_int_equal(lp_canvas_at(&canvas, 1, 0)->cp, '?');
    assert_int_equal(lp_canvas_at(&canvas, 2, 0)->cp, '|');
    lp_canvas_fini(&canvas);
}

static void test_prefix_by_columns(void **state) {
    (void)state;
    static const char text[] = "\xE4\xB8\xAD"
                               "e\xCC\x81"
                               "\xF0\x9F\x98\x80z"; /* 2, 1, 2 and 1 columns */
    static const size_t ends[] = {0, 0, 3, 6, 6, 10, 11, 11};
    for (int columns = 0; columns < (int)LP_COUNTOF(ends); columns++)
        assert_int_equal(lp_text_prefix(text, columns), ends[columns]);
}

static void test_ascii_shows_only_ascii(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(12, 3);
    canvas.ascii = true;
    LpArea area = whole(&canvas);
    LpArea inside = lp_area_box(&area, "b\xC3\xB6x");
    lp_area_text(&inside, 0, 0, LP_ROLE_TEXT, "\xC3\xA9t\xC3\xA9");
    lp_area_fit(&inside, 4, 0, 3, LP_ROLE_TEXT, "abcdef");
    expect_text(&canvas, "+ b?x -----+\n|?t? ab~   |\n+----------+\n");
    lp_canvas_fini(&canvas);
}

static void test_fit_ends_in_an_ellipsis(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(20, 1);
    LpArea area = whole(&canvas);
    assert_int_equal(lp_area_fit(&area, 0, 0, 5, LP_ROLE_TEXT, "abcde"), 5);
    assert_int_equal(lp_area_fit(&area, 6, 0, 5, LP_ROLE_TEXT, "abcdef"), 11);
    assert_int_equal(lp_area_fit(&area, 12, 0, 0, LP_ROLE_TEXT, "abc"), 12);
    assert_int_equal(lp_area_fit(&area, 13, 0, -7, LP_ROLE_TEXT, "abc"), 13);
    lp_area_right(&area, 20, 0, LP_ROLE_TEXT, "end");
    expect_text(&canvas, "abcde abcd~      end\n");
    lp_canvas_fini(&canvas);
}

static void test_box(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(10, 3);
    LpArea area = whole(&canvas);
    LpArea inside = lp_area_box(&area, "a very long title");
    assert_int_equal(inside.rect.w, 8);
    assert_int_equal(inside.rect.h, 1);
    expect_text(&canvas, "┌ a ver~ ┐\n│        │\n└────────┘\n");
    LpArea small = lp_canvas_area(&canvas, (LpRect){0, 0, 1, 3});
    inside = lp_area_box(&small, "x");
    assert_int_equal(inside.rect.w, 0);
    lp_canvas_fini(&canvas);
}

static void test_heading(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(24, 3);
    LpArea left = lp_canvas_area(&canvas, (LpRect){0, 0, 12, 3});
    LpArea right = lp_canvas_area(&canvas, (LpRect){12, 0, 12, 2});
    LpArea inside = lp_area_heading(&left, "JOBS");
    assert_int_equal(inside.rect.w, 11); /* two columns part neighbours */
    assert_int_equal(inside.rect.h, 2);
    assert_int_equal(inside.rect.y, 1);
    lp_area_heading(&right, "much too long");
    expect_text(
        &canvas,
        " JOBS \xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80  much too~\n\n\n");
    assert_true(lp_area_heading_note(&left, "JOBS", 0, LP_ROLE_WAIT, "5"));
    assert_false(lp_area_heading_note(&left, "JOBS", 6, LP_ROLE_WAIT, "of many"));
    expect_text(&canvas, " JOBS \xE2\x94\x80\xE2\x94\x80\xE2\x94\x80 5  much too~\n\n\n");
    canvas.ascii = true;
    lp_area_heading(&left, "JOBS");
    expect_text(&canvas, " JOBS -----  much too~\n\n\n");
    lp_area_point(&left);
    assert_int_equal(lp_canvas_at(&canvas, 0, 0)->cp, '>');
    assert_int_equal(lp_canvas_at(&canvas, 3, 0)->style, LP_ROLE_PENDING | LP_BOLD);
    assert_int_equal(lp_canvas_at(&canvas, 3, 1)->style, LP_ROLE_TEXT);
    lp_canvas_fini(&canvas);
}

static void test_roles_are_printed(void **state) {
    (void)state;
    LpCanvas canvas = canvas_of(6, 1);
    LpArea area = whole(&canvas);
    LpBuf out = {0};
    lp_area_text(&area, 0, 0, LP_ROLE_TEXT, "a");
    lp_area_text(&area, 2, 0, LP_ROLE_BAD | LP_BOLD, "b");
    lp_area_mark(&area, 4, 0, 1, LP_REVERSE);
    lp_canvas_print_roles(&canvas, &out);
    char expected[8] = {lp_role_letter(LP_ROLE_TEXT), ' ',
                        (char)(lp_role_letter(LP_ROLE_BAD) - 'a' + 'A'), '\n', '\0'};
    assert_memory_equal(lp_buf_text(&out), expected, 4);
    assert_non_null(strstr(lp_buf_text(&out), "i bad\n"));
    lp_buf_fini(&out);
    lp_canvas_fini(&canvas);
}

static void test_every_glyph_is_one_column(void **state) {
    (void)state;
    for (int glyph = 0; glyph < LP_GLYPH_COUNT; glyph++)
        for (int ascii = 0; ascii < 2; ascii++) {
            const char *text = lp_glyph_text((LpGlyph)glyph, ascii);
            uint32_t cp = lp_glyph((LpGlyph)glyph, ascii);
            assert_int_equal(lp_text_width(text), 1);
            assert_int_equal(lp_utf8_columns(cp), 1);
            assert_true(!ascii || cp < 0x7F);
        }
    for (int sign = 0; sign < LP_SIGN_COUNT; sign++)
        for (const char *p = lp_sign((LpSign)sign, true); *p; p++)
            assert_true(*p >= 0x20 && *p <= 0x7E);
}

static void test_bars_and_dots(void **state) {
    (void)state;
    assert_int_equal(lp_glyph_height(0.0, false), ' ');
    assert_int_equal(lp_glyph_height(1e-9, false), 0x2581); /* something is never nothing */
    assert_int_equal(lp_glyph_height(0.5, false), 0x2584);
    assert_int_equal(lp_glyph_height(7.0, false), 0x2588);
    assert_int_equal(lp_glyph_height(0.0 / 0.0, false), ' ');
    assert_int_equal(lp_glyph_height(0.5, true), '4');
    assert_int_equal(lp_glyph_dots(0, false), ' ');
    assert_int_equal(lp_glyph_dots(0xFF, false), 0x28FF);
    assert_int_equal(lp_glyph_dots(1u << 6, false), 0x2840); /* lower left */
    assert_int_equal(lp_glyph_dots(1u << 1, false), 0x2808); /* upper right */
    assert_int_equal(lp_glyph_dots(0x0F, true), '\'');
    assert_int_equal(lp_glyph_dots(0xF0, true), '.');
    assert_int_equal(lp_glyph_dots(0xFF, true), ':');
}

static void test_columns(void **state) {
    static const struct {
        int columns;
        uint32_t cp[12];
    } are[] = {
        {1, {' ', 'a', '~', 0xE9, 0x3B1, 0x416, 0x5D0, 0x627, 0x905, 0x2500, 0x28FF, 0x1F1E9}},
        {2, {0x231A, 0x26A1, 0x2705, 0x274C, 0x4E2D, 0xAC00, 0xFF21, 0x1F600, 0x20000, 0x1100}},
        {0, {0x300, 0x301, 0x5B4, 0x94D, 0xE31, 0x1161, 0x20E3, 0xFE0F, 0x1F3FB}},
        {-1,
         {7, 0x1B, 0x7F, 0x9B, 0xAD, 0x200B, 0x202E, 0xE000, 0xFEFF, 0xFFFE, 0xF0000, 0x10FFFF}},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(are); i++)
        for (size_t c = 0; c < LP_COUNTOF(are[i].cp) && are[i].cp[c] != 0; c++)
            if (lp_utf8_columns(are[i].cp[c]) != are[i].columns)
                fail_msg("U+%04X is of %d columns", (unsigned)are[i].cp[c],
                         lp_utf8_columns(are[i].cp[c]));
    assert_int_equal(lp_utf8_columns(0), -1);
}

/* Terminals with East Asian fonts draw arrows, circles, the ellipsis and the multiplication sign
 * two columns wide: nothing is made of these. */
static bool is_narrow(uint32_t cp) {
    static const uint32_t marks[] = {0x25AA, 0x25AB, 0x25B4, 0x25B8, 0x25BE, 0x25C2,
                                     0x25E6, 0x2713, 0x2717, 0x275A, 0xFFFD};
    for (size_t i = 0; i < LP_COUNTOF(marks); i++)
        if (cp == marks[i])
            return true;
    return cp < 128 || (cp >= 0x2500 && cp <= 0x259F) || (cp >= 0x2800 && cp <= 0x28FF);
}

static void test_glyphs_are_narrow(void **state) {
    (void)state;
    for (int g = 0; g < LP_GLYPH_COUNT; g++) {
        if (!is_narrow(lp_glyph((LpGlyph)g, false)))
            fail_msg("glyph %d: %s", g, lp_glyph_text((LpGlyph)g, false));
        assert_true(lp_glyph((LpGlyph)g, true) < 128);
    }
    for (int sign = 0; sign < LP_SIGN_COUNT; sign++)
        for (const char *at = lp_sign((LpSign)sign, false); *at; at++)
            assert_true((unsigned char)*at < 128);
}

/* A mark reverses letters, and a bar changes colours with the accent: never a hole. Pointers stand
 * beside it where nothing else does. */
static void test_choose(void **state) {
    (void)state;
    LpCanvas canvas = {0};
    assert_int_equal(lp_canvas_resize(&canvas, 1, 8, NULL), LP_OK);
    LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, 8, 1});
    lp_area_put(&area, 2, 0, LP_ROLE_JOB0 | LP_FILL, 'A');
    lp_area_put(&area, 3, 0, LP_ROLE_JOB0, 0x2588);
    lp_area_put(&area, 4, 0, LP_ROLE_JOB0, 0x25aa);
    lp_area_put(&area, 5, 0, LP_ROLE_TEXT, 'x');
    lp_area_choose(&area, 2, 0, 3);
    assert_int_equal(lp_canvas_at(&canvas, 1, 0)->cp, lp_glyph(LP_GLYPH_POINTER, false));
    assert_int_equal(lp_canvas_at(&canvas, 2, 0)->style, LP_ROLE_JOB0 | LP_FILL | LP_REVERSE);
    assert_int_equal(lp_canvas_at(&canvas, 3, 0)->style, LP_ROLE_JOB0 | LP_SWAP);
    assert_int_equal(lp_canvas_at(&canvas, 4, 0)->style, LP_ROLE_JOB0 | LP_SWAP);
    assert_int_equal(lp_canvas_at(&canvas, 5, 0)->cp, 'x');
    lp_area_choose(&area, 5, 0, 1);
    assert_int_equal(lp_canvas_at(&canvas, 6, 0)->cp, lp_glyph(LP_GLYPH_LEFT, false));
    lp_canvas_fini(&canvas);
}

/* What is cut ends in ~, by the area too; a number is there whole and with its unit, or not. */
static void test_cut(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int width;
        const char *shown;
    } cases[] = {{"a word more", 8, "a word~"},
                 {"resnet18 more", 8, "resnet~"},
                 {"resnet18 more", 9, "resnet18~"},
                 {"takes 17.4045 s", 11, "takes~"},
                 {"takes 17.4045 s", 14, "takes~"},
                 {"takes 17.4045 s", 15, "takes 17.4045 s"},
                 {"in 12.5 ms, then", 9, "in~"},
                 {"in 12.5 ms, then", 11, "in 12.5 ms~"},
                 {"of 1 000 s more", 7, "of~"},
                 {"87 % of it", 4, "~"},
                 {"blanks     ", 7, "blanks"},
                 {"squeezenet1_0", 6, "squee~"},
                 {"servers 4 groups", 12, "servers 4 g~"}};
    for (int by_area = 0; by_area < 2; by_area++)
        for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
            LpCanvas canvas = {0};
            LpBuf out = {0};
            assert_int_equal(lp_canvas_resize(&canvas, 1, 40, NULL), LP_OK);
            LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, by_area ? cases[i].width : 40, 1});
            if (by_area)
                lp_area_text(&area, 0, 0, LP_ROLE_TEXT, cases[i].text);
            else
                lp_area_fit(&area, 0, 0, cases[i].width, LP_ROLE_TEXT, cases[i].text);
            lp_canvas_print(&canvas, &out);
            out.text[out.len - 1] = '\0';
            assert_string_equal(out.text, cases[i].shown);
            lp_buf_fini(&out);
            lp_canvas_fini(&canvas);
        }
    LpCanvas canvas = {0};
    assert_int_equal(lp_canvas_resize(&canvas, 1, 4, NULL), LP_OK);
    LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, 4, 1});
    lp_area_right(&area, 4, 0, LP_ROLE_TEXT, "12 345");
    for (int x = 0; x < 4; x++)
        assert_int_equal(lp_canvas_at(&canvas, x, 0)->cp, ' ');
    lp_canvas_fini(&canvas);
}

TEST_GROUP(test_ui_canvas) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choose),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_glyphs_are_narrow),
        cmocka_unit_test(test_blank_after_resize),
        cmocka_unit_test(test_sizes_are_cut),
        cmocka_unit_test(test_everything_is_clipped),
        cmocka_unit_test(test_parts_lie_within),
        cmocka_unit_test(test_text_is_escaped),
        cmocka_unit_test(test_scripts_take_their_columns),
        cmocka_unit_test(test_prefix_by_columns),
        cmocka_unit_test(test_ascii_shows_only_ascii),
        cmocka_unit_test(test_fit_ends_in_an_ellipsis),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_heading),
        cmocka_unit_test(test_roles_are_printed),
        cmocka_unit_test(test_every_glyph_is_one_column),
        cmocka_unit_test(test_bars_and_dots),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
