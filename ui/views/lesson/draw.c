/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lesson tells: the text of a step, its question, and the answer. */
#include <stdio.h>
#include <string.h>

#include "views/lesson/impl.h"
#include "views/lesson/lesson.h"

enum { ROOMY = 24 }; /* lines in which text, question and answer stand together */

static const LpLessonStep *step_of(const LpLessonState *l) {
    return &l->lesson->step[l->step];
}

static void add_choices(const LpLessonState *l, LpBuf *out) {
    const LpLessonQuestion *q = step_of(l)->question;
    lp_buf_addf(out, "%s\n", q->ask);
    for (uint32_t i = 0; i < q->choices; i++)
        lp_buf_addf(out, "%s%c\t%s", i > 0 ? "\n" : "", 'a' + (int)i, q->choice[i].text);
}

static void add_answer(const LpLessonState *l, LpBuf *out) {
    const LpLessonQuestion *q = step_of(l)->question;
    int said = l->choice[l->step];
    lp_buf_addf(out, "# %c: %s", 'a' + (int)q->answer, q->choice[q->answer].text);
    if (said >= 0)
        lp_buf_addf(out, said == (int)q->answer ? " (as you said)" : " (you said %c)", 'a' + said);
    lp_buf_addf(out, "\n%s", q->reveal);
}

/* The text of the phase, in the form of pages; after the step's own where there is room. */
static void add_text(const LpLessonState *l, bool roomy, LpBuf *out) {
    if (roomy && l->phase != LP_LESSON_TEXT)
        lp_buf_addf(out, "%s\n\n", step_of(l)->text);
    if (l->phase == LP_LESSON_ASK)
        add_choices(l, out);
    else if (l->phase == LP_LESSON_REVEAL)
        add_answer(l, out);
    else
        lp_buf_add(out, step_of(l)->text);
}

/* Columns and lines of the text in a pane of that size. */
static LpRect inside_of(LpRect pane) {
    if (pane.h < 3)
        return (LpRect){0, 0, pane.w, pane.h};
    return (LpRect){2, 1, pane.w > 4 ? pane.w - 4 : 0, pane.h - 2};
}

static LpRect pane_of(const LpUiState *ui) {
    LpRect rest = lp_model_rest(ui);
    if (rest.w < ui->cols)
        return (LpRect){rest.w, 0, ui->cols - rest.w, ui->rows};
    return (LpRect){0, 0, ui->cols, ui->rows - rest.h};
}

int lp_lesson_lines(const LpUiState *ui) {
    return inside_of(pane_of(ui)).h;
}

int lp_lesson_below(const LpUiState *ui) {
    const LpLessonState *l = &ui->lesson;
    LpRect inside = inside_of(pane_of(ui));
    LpBuf text = {0};
    add_text(l, inside.h >= ROOMY, &text);
    int lines = lp_flow_draw(NULL, lp_buf_text(&text), inside.w, 0);
    lp_buf_fini(&text);
    return lines > l->first + inside.h ? lines - l->first - inside.h : 0;
}

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

/* What the keys do now, on the lower edge. */
static void draw_keys(const LpModel *model, const LpArea *area, bool more) {
    const LpLessonState *l = &model->ui->lesson;
    char text[80], said[80];
    if (more)
        lp_str_copy(text, sizeof text, l->tour ? " {PgDn}: more  {Esc}: leave " : " {PgDn}: more ");
    else if (l->phase == LP_LESSON_ASK)
        snprintf(text, sizeof text, " a-%c: choose  {PgDn}: the answer ",
                 'a' + (int)step_of(l)->question->choices - 1);
    else if (l->phase == LP_LESSON_TEXT && step_of(l)->question)
        snprintf(text, sizeof text, " {PgDn}: predict ");
    else if (l->tour)
        snprintf(text, sizeof text, " {PgDn}: %s  {PgUp}: back  {Esc}: leave ",
                 l->step + 1 < l->lesson->steps ? "next" : "the end");
    else if (l->step + 1 < l->lesson->steps)
        snprintf(text, sizeof text, " {PgDn}: next  {PgUp}: back ");
    else
        snprintf(text, sizeof text, " the end  {PgUp}: back ");
    lp_keymap_text(model->ui->keymap, text, said, sizeof said);
    if (lp_text_width(said) + 4 <= area->rect.w)
        lp_area_right(area, area->rect.w - 2, area->rect.h - 1, LP_ROLE_KEY, said);
}

void lp_view_lesson(const LpModel *model, const LpArea *area) {
    const LpLessonState *l = &model->ui->lesson;
    LpRect rect = {0, 0, area->rect.w, area->rect.h}, inside = inside_of(rect);
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
    add_text(l, inside.h >= ROOMY, &text);
    LpArea part = lp_area_part(area, inside);
    int lines = lp_flow_draw(&part, lp_buf_text(&text), inside.w, l->first);
    draw_keys(model, area, lines > l->first + inside.h);
    lp_area_done(area, &text);
}

const LpView lp_lesson_view = {.fixed = true, .wants = LP_WANTS_NETWORK, .draw = lp_view_lesson};
