/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a theme's file. What is read colours a screen of every role in every picture. */
#include "fuzz.h"

#include "term/picture.h"

static void draw(const LpTheme *theme) {
    LpCanvas canvas = {0};
    lp_fuzz_must(lp_canvas_resize(&canvas, 2, LP_ROLE_COUNT, NULL) == LP_OK);
    LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, canvas.cols, canvas.rows});
    for (int role = 0; role < LP_ROLE_COUNT; role++)
        lp_area_put(&area, role, 0, (LpStyle)role, 'x');
    for (int picture = 0; picture < LP_PICTURE_COUNT; picture++) {
        LpBuf text = {0};
        lp_picture_add(&canvas, theme, (LpPicture)picture, &text);
        lp_fuzz_must(!text.failed && strlen(lp_buf_text(&text)) == text.len);
        lp_buf_fini(&text);
    }
    lp_canvas_fini(&canvas);
}

FUZZ_TARGET(theme)(const uint8_t *data, size_t size) {
    LpTheme theme = {0};
    LpDiag diag = {0};
    LpErr err = lp_theme_open(lp_fuzz_file(data, size), NULL, &theme, &diag);
    lp_fuzz_must(err == LP_OK || diag.text[0] != '\0');
    if (err == LP_OK) {
        lp_fuzz_must(memchr(theme.name, '\0', sizeof theme.name) != NULL);
        draw(&theme);
    }
    return err == LP_OK;
}
