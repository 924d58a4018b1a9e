/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers off the screens of a lesson's step. */
#include "front/lesson_screen.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "model/lesson/lesson.h"
#include "screen/screen.h"

/* ---- screens ---- */

/* Of which a step must show all that it speaks of on one at least. */
static const struct { int rows, cols; } sizes[] = {{24, 80}, {30, 100}};

static void blank(LpCanvas *canvas, LpRect rect) {
    for (int y = rect.y; y < rect.y + rect.h && y < canvas->rows; y++)
        for (int x = rect.x; x < rect.x + rect.w && x < canvas->cols; x++)
            canvas->cell[y * canvas->cols + x].cp = ' ';
}

static LpErr add_screen(LpApp *app, LpBuf *out, LpDiag *diag) {
    app->dirty = true;
    LP_TRY(lp_app_draw(app, diag));
    LpScreenLayout layout = lp_screen_layout(&app->model, &app->canvas);
    blank(&app->canvas, layout.pane[LP_PANE_LESSON]);
    blank(&app->canvas, layout.pane[LP_PANE_NOW]);
    lp_canvas_print(&app->canvas, out);
    app->dirty = true;
    return LP_OK;
}

LpErr lp_lesson_screens(LpApp *app, LpBuf *out, LpDiag *diag) {
    int rows = app->canvas.rows, cols = app->canvas.cols;
    LpErr err = LP_OK;
    for (size_t i = 0; err == LP_OK && i < LP_COUNTOF(sizes); i++) {
        err = lp_app_resize(app, sizes[i].rows, sizes[i].cols, diag);
        if (err == LP_OK)
            err = add_screen(app, out, diag);
    }
    if (err == LP_OK)
        err = lp_app_resize(app, rows, cols, diag);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}

/* ---- what the step itself states ---- */

void lp_lesson_told(const LpLessonStep *step, const LpLessonFill *fill, LpBuf *out) {
    uint32_t values = step->figure != NULL ? lp_lesson_figure_values(step->figure) : 0;
    for (uint32_t f = 0; f < step->facts; f++)
        lp_buf_addf(out, "%s\n", step->fact[f].shows);
    for (uint32_t i = 0; fill != NULL && i < values; i++) {
        char text[LP_LESSON_PRINTED * 4];
        lp_lesson_fill_text(fill, i, text, sizeof text);
        lp_buf_addf(out, "%s\n", text);
    }
    for (uint32_t s = 0; fill != NULL && s < step->figure->series; s++)
        for (uint32_t p = 0; p < step->figure->one[s].points; p++)
            lp_buf_addf(out, "%g\n", step->figure->one[s].point[p].x);
}

/* ---- numbers ---- */

/* A number where it stands, with the word behind it: "36 ms". */
typedef struct Number {
    const char *at;
    size_t digits, len; /* of the number, and with its word */
} Number;

static bool next_number(const char **text, Number *number) {
    size_t digits = lp_lesson_next_number(text), word;
    if (digits == 0)
        return false;
    const char *unit = *text + digits;
    unit += *unit == ' ' ? 1 : 0;
    word = strspn(unit, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%/");
    *number = (Number){*text, digits, word > 0 ? (size_t)(unit - *text) + word : digits};
    *text += digits;
    return true;
}

/* In the unit of its dimension, as a computed value is printed. */
static bool value_of(const Number *number, char text[LP_NUM_TEXT]) {
    char digits[40], unit[24];
    double value;
    if (number->digits + 1 > sizeof digits)
        return false;
    lp_str_copy(digits, number->digits + 1, number->at);
    size_t len = number->len - number->digits;
    lp_str_copy(unit, len + 1 < sizeof unit ? len + 1 : sizeof unit, number->at + number->digits);
    if (lp_num_parse(digits, &value, NULL) != LP_OK)
        return false;
    lp_num_print(value / lp_lesson_per_unit(unit), text);
    return true;
}

static void tell(const Number *number, char *text, size_t size) {
    lp_str_copy(text, number->len + 1 < size ? number->len + 1 : size, number->at);
}

/* The same digits; or the same quantity, rounded to those of the first. */
static bool is_seen(const Number *number, const char *seen) {
    char shows[64], value[LP_NUM_TEXT];
    Number other;
    tell(number, shows, sizeof shows);
    while (next_number(&seen, &other)) {
        if (other.digits == number->digits && memcmp(other.at, number->at, other.digits) == 0)
            return true;
        if (value_of(&other, value) && lp_lesson_agrees(shows, value))
            return true;
    }
    return false;
}

bool lp_lesson_all_seen(const char *text, const char *seen, char *number, size_t size) {
    Number one;
    while (text != NULL && next_number(&text, &one))
        if (!is_seen(&one, seen)) {
            tell(&one, number, size);
            return false;
        }
    return true;
}

/* "36 ms" and "0.377" are few on a screen; of "9 times" and "two" there are many. */
static bool is_rare(const Number *number) {
    static const char *const units[] = {"ms", "us", "ns", "s",  "min", "h",
                                        "%",  "kB", "MB", "GB", "TB",  "GB/s"};
    size_t len = number->len - number->digits;
    const char *unit = number->at + number->digits;
    if (memchr(number->at, '.', number->digits) != NULL)
        return true;
    unit += len > 0 && *unit == ' ' ? 1 : 0;
    len = (size_t)(number->at + number->len - unit);
    for (size_t i = 0; i < LP_COUNTOF(units); i++)
        if (strlen(units[i]) == len && strncmp(units[i], unit, len) == 0)
            return true;
    return false;
}

bool lp_lesson_answer_seen(const LpLessonQuestion *question, const char *seen, char *number,
                           size_t size) {
    const char *text = question->choice[question->answer].text;
    Number one;
    Number other;
    char shows[64], value[LP_NUM_TEXT];
    if (!next_number(&text, &one) || !is_rare(&one))
        return false;
    tell(&one, shows, sizeof shows);
    while (next_number(&seen, &other))
        if (is_rare(&other) && value_of(&other, value) && lp_lesson_agrees(shows, value)) {
            tell(&other, number, size);
            return true;
        }
    return false;
}
