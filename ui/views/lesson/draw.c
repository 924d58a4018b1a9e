/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lesson tells: the text of a step, its question, what is said of a choice, the answer. */
#include <stdio.h>
#include <string.h>

#include "views/lesson/impl.h"
#include "views/lesson/lesson.h"

static const LpLessonStep *step_of(const LpLessonState *l) {
    return &l->lesson->step[l->step];
}

/* ---- the text, in the form of pages ---- */

/* What is told at once, from all to least: `text` is the step's own, `ask` the question, which the
 * bar under the title has, too, where it fits there. */
typedef struct Form {
    bool text, ask;
} Form;

/* A choice that was wrong has a mark before its letter. */
static void add_choices(const LpLessonState *l, bool ask, bool ascii, LpBuf *out) {
    const LpLessonQuestion *q = step_of(l)->question;
    int last = l->last[l->step];
    if (ask)
        lp_buf_addf(out, "%s\n", q->ask);
    for (uint32_t i = 0; i < q->choices; i++)
        lp_buf_addf(out, "%s%s%c\t%s", i > 0 ? "\n" : "",
                    !(l->wrong[l->step] >> i & 1) ? ""
                    : ascii                       ? "x "
                                                  : "✗ ",
                    'a' + (int)i, q->choice[i].text);
    if (last < 0)
        return;
    lp_buf_addf(out, "\n# not %c\n%s", 'a' + last,
                q->choice[last].why ? q->choice[last].why : "Try another one.");
}

/* The truth, and the prediction beside it. */
static void add_answer(const LpLessonState *l, LpBuf *out) {
    const LpLessonQuestion *q = step_of(l)->question;
    int said = l->choice[l->step];
    lp_buf_addf(out, "# %c: %s", 'a' + (int)q->answer, q->choice[q->answer].text);
    if (said == (int)q->answer)
        lp_buf_add(out, " (as you said)");
    else if (said >= 0)
        lp_buf_addf(out, " (you said %c: %s)", 'a' + said, q->choice[said].text);
    lp_buf_addf(out, "\n%s", q->reveal);
}

static void add_form(const LpLessonState *l, Form form, bool ascii, LpBuf *out) {
    if (l->phase == LP_LESSON_TEXT || form.text)
        lp_buf_add(out, step_of(l)->text);
    if (l->phase == LP_LESSON_TEXT)
        return;
    lp_buf_add(out, form.text ? "\n" : "");
    if (l->phase == LP_LESSON_ASK)
        add_choices(l, form.ask, ascii, out);
    else
        add_answer(l, out);
}

static int lines_of(const LpBuf *text, int width) {
    return lp_flow_draw(NULL, lp_buf_text(text), width, 0);
}

static bool form_fits(const LpLessonState *l, Form form, LpRect inside) {
    LpBuf text = {0};
    add_form(l, form, false, &text);
    bool fit = lines_of(&text, inside.w) <= inside.h;
    lp_buf_fini(&text);
    return fit;
}

/* Does the bar say all of the question? */
static bool bar_asks(const LpUiState *ui) {
    enum { VERB = 9 }; /* columns for pointer, "ASK" and margins */
    const LpLessonQuestion *q = step_of(&ui->lesson)->question;
    LpRect rest = lp_model_rest(ui);
    return q && rest.h >= 8 && lp_text_width(q->ask) + VERB <= rest.w;
}

/* The most that has room; the last form whether or not it has. */
static Form form_of(const LpUiState *ui, LpRect inside) {
    static const Form forms[] = {{true, true}, {true, false}, {false, true}, {false, false}};
    bool asks = ui->lesson.phase == LP_LESSON_ASK, bar = bar_asks(ui);
    Form form = {false, true};
    for (size_t i = 0; i < LP_COUNTOF(forms); i++) {
        if (!forms[i].ask && (!bar || !asks))
            continue;
        form = forms[i];
        if (form_fits(&ui->lesson, form, inside))
            break;
    }
    return form;
}

static void add_text(const LpUiState *ui, LpRect inside, bool ascii, LpBuf *out) {
    add_form(&ui->lesson, form_of(ui, inside), ascii, out);
}

/* ---- where it stands ---- */

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

bool lp_lesson_fits(const LpUiState *ui) {
    return form_of(ui, inside_of(pane_of(ui))).text;
}

int lp_lesson_below(const LpUiState *ui) {
    const LpLessonState *l = &ui->lesson;
    LpRect inside = inside_of(pane_of(ui));
    LpBuf text = {0};
    add_text(ui, inside, false, &text);
    int lines = lines_of(&text, inside.w);
    lp_buf_fini(&text);
    return lines > l->first + inside.h ? lines - l->first - inside.h : 0;
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

/* A cell for each step, on the upper edge: gone through, here, to come; an open question stays one.
 */
static void draw_progress(const LpLessonState *l, const LpArea *area, const char *title) {
    int steps = (int)l->lesson->steps, x = area->rect.w - 3 - steps;
    if (lp_text_width(title) + 8 > x)
        return;
    lp_area_text(area, x - 1, 0, LP_ROLE_TEXT, " ");
    for (int i = 0; i < steps; i++) {
        bool asks = l->lesson->step[i].question && !l->told[i];
        if (i == (int)l->step)
            lp_area_glyph(area, x + i, 0, LP_ROLE_CURSOR | LP_BOLD, LP_GLYPH_POINTER);
        else if (!l->seen[i])
            lp_area_text(area, x + i, 0, LP_ROLE_MUTED, ".");
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
        lp_str_copy(text, size, l->tour ? " {PgDn}: more  {Esc}: leave " : " {PgDn}: more ");
    else if (l->phase == LP_LESSON_ASK)
        snprintf(text, size, " a-%c: choose  {A}: the answer  {PgDn}: on  {PgUp}: back ",
                 'a' + (int)step_of(l)->question->choices - 1);
    else if (l->phase == LP_LESSON_TEXT && step_of(l)->question)
        lp_str_copy(text, size, l->told[l->step] ? " {PgDn}: the answer " : " {PgDn}: predict ");
    else if (l->tour)
        snprintf(text, size, " {PgDn}: %s  {PgUp}: back  {Esc}: leave ", last ? "the end" : "next");
    else if (!last)
        lp_str_copy(text, size, " {PgDn}: next  {PgUp}: back ");
    else
        snprintf(text, size, " %s  {PgUp}: back ",
                 l->lesson->exercise ? "{Enter}: the exercise" : "the end");
}

static void draw_keys(const LpModel *model, const LpArea *area, bool more) {
    char text[80], said[80];
    add_keys(&model->ui->lesson, more, text, sizeof text);
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
    draw_progress(l, area, title);
    add_text(model->ui, inside, area->canvas->ascii, &text);
    LpArea part = lp_area_part(area, inside);
    int lines = lp_flow_draw(&part, lp_buf_text(&text), inside.w, l->first);
    draw_keys(model, area, lines > l->first + inside.h);
    lp_area_done(area, &text);
}

const LpView lp_lesson_view = {.fixed = true, .wants = LP_WANTS_NETWORK, .draw = lp_view_lesson};
