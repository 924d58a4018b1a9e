/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The box of what a lesson tells: title, progress, text, keys. */
#include <stdio.h>
#include <string.h>

#include "model/lesson/lesson.h"
#include "moment/lesson_text.h"
#include "views/lesson/lesson_view.h"
#include "views/lesson/lesson_view_impl.h"

static const LpLessonStep *step_of(const LpLessonState *l) {
    return &l->lesson->step[l->step];
}

/* ---- the box ---- */

static void draw_title(const LpLessonState *l, char *title, size_t size) {
    static const char *const marks[] = {"", ": predict", ": the answer"};
    char shown[120], lesson[24] = "lesson";
    if (l->tour)
        lp_str_copy(lesson, sizeof lesson, "tour");
    else if (l->lesson->number > 0)
        snprintf(lesson, sizeof lesson, "lesson %u", (unsigned)l->lesson->number);
    snprintf(title, size, "%s, %u of %u%s: %s", lesson, (unsigned)l->step + 1,
             (unsigned)l->lesson->steps, marks[l->phase],
             lp_str_show(shown, sizeof shown, step_of(l)->title));
}

/* A cell for each step, on the upper edge: gone through, here, to come; a question that was passed,
 * one that is open. */
static void draw_progress(const LpLessonState *l, const LpArea *area, const char *title) {
    int steps = (int)l->lesson->steps, x = area->rect.w - 3 - steps;
    if (lp_text_width(title) + 8 > x)
        return;
    lp_area_text(area, x - 1, 0, LP_ROLE_TEXT, " ");
    for (int i = 0; i < steps; i++) {
        bool asks = l->lesson->step[i].question && !l->told[i];
        bool passed = asks && l->skipped[i];
        if (i == (int)l->step)
            lp_area_glyph(area, x + i, 0, LP_ROLE_CURSOR | LP_BOLD, LP_GLYPH_POINTER);
        else if (!l->seen[i])
            lp_area_text(area, x + i, 0, LP_ROLE_MUTED, ".");
        else if (passed)
            lp_area_text(area, x + i, 0, LP_ROLE_WAIT, area->canvas->ascii ? "-" : "–");
        else if (asks)
            lp_area_text(area, x + i, 0, LP_ROLE_WAIT, "?");
        else
            lp_area_glyph(area, x + i, 0, LP_ROLE_GOOD, LP_GLYPH_CHECK);
    }
    lp_area_text(area, x + steps, 0, LP_ROLE_TEXT, " ");
}

/* What the keys do now, on the lower edge. */
static void add_keys(const LpLessonState *l, bool more, char *text, size_t size) {
    bool last = l->step + 1 == l->lesson->steps;
    if (more)
        lp_str_copy(text, size, l->tour ? " {take}: more  {out}: leave " : " {take}: more ");
    else if (l->phase == LP_LESSON_ASK)
        snprintf(text, size,
                 " a-%c: choose  {answer}: the answer  {page-down} {page-down}: pass  {page-up}: "
                 "back ",
                 'a' + (int)step_of(l)->question->choices - 1);
    else if (l->phase == LP_LESSON_TEXT && step_of(l)->question)
        lp_str_copy(text, size, l->told[l->step] ? " {take}: the answer " : " {take}: predict ");
    else if (l->tour)
        snprintf(text, size, " {take}: %s  {page-up}: back  {out}: leave ",
                 last ? "the end" : "next");
    else if (!last)
        lp_str_copy(text, size, " {take}: next  {page-up}: back ");
    else
        snprintf(text, size, " %s  {page-up}: back ",
                 l->lesson->exercise ? "{take}: the exercise" : "the end");
}

static void draw_keys(const LpModel *model, const LpArea *area, bool more) {
    char text[120], said[120];
    add_keys(&model->ui->lesson, more, text, sizeof text);
    lp_keymap_text(model->ui->keymap, text, said, sizeof said);
    if (lp_text_width(said) + 4 <= area->rect.w)
        lp_area_right(area, area->rect.w - 2, area->rect.h - 1, LP_ROLE_KEY, said);
}

void lp_view_lesson(const LpModel *model, const LpArea *area) {
    const LpLessonState *l = &model->ui->lesson;
    LpRect rect = {0, 0, area->rect.w, area->rect.h}, inside = lp_lesson_inside(rect);
    char title[200];
    LpBuf text = {0};
    if (!l->on)
        return;
    lp_area_clear(area);
    draw_title(l, title, sizeof title);
    if (area->rect.h < 3) {
        lp_area_fit(area, 0, 0, area->rect.w, LP_ROLE_LABEL, title);
        return;
    }
    lp_area_box(area, title);
    draw_progress(l, area, title);
    lp_lesson_add_text(model->ui, area->canvas->ascii, &text);
    LpArea part = lp_area_part(area, inside);
    int lines = lp_flow_draw(&part, lp_buf_text(&text), inside.w, l->first);
    draw_keys(model, area, lines > l->first + inside.h);
    lp_area_done(area, &text);
}

const LpView lp_lesson_view = {.fixed = true, .wants = LP_WANTS_NETWORK, .draw = lp_view_lesson};
