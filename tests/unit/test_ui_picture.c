/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens as files: the format by the ending, every cell there, and nothing of its text acts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "term/picture.h"

static void draw(LpCanvas *canvas) {
    assert_int_equal(lp_canvas_resize(canvas, 2, 24, NULL), LP_OK);
    LpArea area = lp_canvas_area(canvas, (LpRect){0, 0, 24, 2});
    lp_area_text(&area, 0, 0, LP_ROLE_BAD, "<script>&\x1b]0;x\x07");
    lp_area_text(&area, 0, 1, LP_ROLE_GOOD | LP_REVERSE, "good");
    lp_area_text(&area, 5, 1, LP_ROLE_TEXT | LP_BOLD | LP_UNDERLINE, "bold");
}

static char *picture(const LpCanvas *canvas, const char *theme, LpPicture kind, LpBuf *out) {
    lp_buf_clear(out);
    LpTheme look;
    assert_int_equal(lp_theme_open(theme, NULL, &look, NULL), LP_OK);
    lp_picture_add(canvas, &look, kind, out);
    return (char *)(uintptr_t)lp_buf_text(out);
}

static void test_endings(void **state) {
    (void)state;
    assert_int_equal(lp_picture_of("a.txt"), LP_PICTURE_TEXT);
    assert_int_equal(lp_picture_of("-"), LP_PICTURE_TEXT);
    assert_int_equal(lp_picture_of(".svg"), LP_PICTURE_TEXT);
    assert_int_equal(lp_picture_of("a.svg"), LP_PICTURE_SVG);
    assert_int_equal(lp_picture_of("x/y.html"), LP_PICTURE_HTML);
    assert_int_equal(lp_picture_of("a.ansi"), LP_PICTURE_ANSI);
    assert_int_equal(lp_picture_of("a.txt.roles"), LP_PICTURE_ROLES);
    assert_int_equal(lp_picture_check("x.png", NULL), LP_EINVAL);
    assert_int_equal(lp_picture_check("x.svg", NULL), LP_OK);
    assert_int_equal(lp_picture_check("png", NULL), LP_OK);
}

static void test_formats(void **state) {
    LpCanvas canvas = {0};
    LpBuf out = {0};
    (void)state;
    draw(&canvas);
    for (int kind = 0; kind < LP_PICTURE_COUNT; kind++) {
        const char *text = picture(&canvas, "dark", (LpPicture)kind, &out);
        if (kind == LP_PICTURE_SVG || kind == LP_PICTURE_HTML)
            assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "\x1b]"));
        assert_null(strstr(text, "\x07"));
        if (kind != LP_PICTURE_ANSI)
            assert_null(strchr(text, '\x1b'));
    }
    const char *svg = picture(&canvas, "dark", LP_PICTURE_SVG, &out);
    assert_non_null(strstr(svg, "&lt;script&gt;&amp;"));
    assert_non_null(strstr(svg, "font-weight=\"bold\""));
    assert_non_null(strstr(svg, "width=\"240\" height=\"62\""));
    assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
    const char *ansi = picture(&canvas, "dark", LP_PICTURE_ANSI, &out);
    assert_non_null(strstr(ansi, "\x1b[0;7;38;5;114mgood"));
    assert_non_null(strstr(ansi, "\x1b[0;1;4mbold"));
    const char *html = picture(&canvas, "light", LP_PICTURE_HTML, &out);
    assert_non_null(strstr(html, "background:#ffffff"));
    assert_non_null(strstr(html, ">good</span>"));
    html = picture(&canvas, "dark", LP_PICTURE_HTML, &out);
    assert_non_null(strstr(html, "background:#101418"));
    lp_buf_fini(&out);
    lp_canvas_fini(&canvas);
}

/* Every character has its own place; lines, blocks and dots are no text. */
static void test_svg(void **state) {
    LpCanvas canvas = {0};
    LpBuf out = {0};
    (void)state;
    assert_int_equal(lp_canvas_resize(&canvas, 1, 12, NULL), LP_OK);
    LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, 12, 1});
    lp_area_text(&area, 0, 0, LP_ROLE_TEXT,
                 "ab c\xE2\x94\x80\xE2\xA1\x87\xE2\x96\x83"
                 "d");
    const char *svg = picture(&canvas, "dark", LP_PICTURE_SVG, &out);
    assert_non_null(strstr(svg, "x=\"12 21\""));
    assert_non_null(strstr(svg, ">ab</text>"));
    assert_non_null(strstr(svg, ">c</text>"));
    assert_non_null(strstr(svg, "x=\"75\""));
    assert_non_null(strstr(svg, "<path d=\"M48.0"));
    assert_null(strstr(svg, "textLength"));
    for (const char *c = svg; *c; c++)
        assert_true((unsigned char)*c < 0x80); /* nothing is left to the viewer's font */
    lp_buf_fini(&out);
    lp_canvas_fini(&canvas);
}

TEST_GROUP(test_ui_picture) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_endings),
                                       cmocka_unit_test(test_formats), cmocka_unit_test(test_svg)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
