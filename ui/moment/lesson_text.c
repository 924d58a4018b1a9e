/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lesson tells, in the most words that have room, and the rows that they take. */
#include "moment/lesson_text.h"

#include "model/lesson/lesson.h"
#include "widgets/flow.h"

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

static void add_told(const LpLessonState *l, Form form, bool ascii, LpBuf *out) {
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

/* Keys that the text names by what they do are those that are bound now. */
static void add_form(const LpUiState *ui, Form form, bool ascii, LpBuf *out) {
    LpBuf text = {0};
    add_told(&ui->lesson, form, ascii, &text);
    lp_keymap_add(ui->keymap, lp_buf_text(&text), out);
    out->failed |= text.failed;
    lp_buf_fini(&text);
}

static int lines_of(const LpBuf *text, int width) {
    return lp_flow_draw(NULL, lp_buf_text(text), width, 0);
}

static bool form_fits(const LpUiState *ui, Form form, LpRect inside) {
    LpBuf text = {0};
    add_form(ui, form, false, &text);
    bool fit = lines_of(&text, inside.w) <= inside.h;
    lp_buf_fini(&text);
    return fit;
}

/* The part of the screen for which the text is written: what is told may have all its rows. */
static LpRect widest(const LpUiState *ui) {
    LpRect rest = lp_pane_rest(ui->cols, ui->rows, LP_PANE_TOLD);
    bool beside = rest.w < ui->cols;
    return lp_lesson_inside((LpRect){0, 0, beside ? ui->cols - rest.w : ui->cols,
                                     beside ? ui->rows : ui->rows - rest.h});
}

/* Does the bar say all of the question? */
static bool bar_asks(const LpUiState *ui) {
    enum { VERB = 9 }; /* columns for pointer, "ASK" and margins */
    const LpLessonQuestion *q = step_of(&ui->lesson)->question;
    LpRect rest = lp_pane_rest(ui->cols, ui->rows, LP_PANE_TOLD);
    return q && rest.h >= 8 && lp_text_width(q->ask) + VERB <= rest.w;
}

/* The most that has room; the last form whether or not it has. */
static Form form_of(const LpUiState *ui) {
    static const Form forms[] = {{true, true}, {true, false}, {false, true}, {false, false}};
    bool asks = ui->lesson.phase == LP_LESSON_ASK, bar = bar_asks(ui);
    Form form = {false, true};
    for (size_t i = 0; i < LP_COUNTOF(forms); i++) {
        if (!forms[i].ask && (!bar || !asks))
            continue;
        form = forms[i];
        if (form_fits(ui, form, widest(ui)))
            break;
    }
    return form;
}

void lp_lesson_add_text(const LpUiState *ui, bool ascii, LpBuf *out) {
    add_form(ui, form_of(ui), ascii, out);
}

static int text_lines(const LpUiState *ui, int width) {
    LpBuf text = {0};
    lp_lesson_add_text(ui, false, &text);
    int lines = lines_of(&text, width);
    lp_buf_fini(&text);
    return lines;
}

/* ---- where it stands ---- */

LpRect lp_lesson_inside(LpRect pane) {
    if (pane.h < 3)
        return (LpRect){0, 0, pane.w, pane.h};
    return (LpRect){2, 1, pane.w > 4 ? pane.w - 4 : 0, pane.h - 2};
}

/* Lines of the longest text that the open question comes to, whichever choice is taken. */
static int lines_of_question(const LpUiState *ui, int width) {
    LpUiState chosen = {
        .cols = ui->cols, .rows = ui->rows, .keymap = ui->keymap, .lesson = ui->lesson};
    LpLessonState *l = &chosen.lesson;
    const LpLessonQuestion *q = step_of(l)->question;
    int most = 0;
    for (int i = -1; i < (int)q->choices; i++) {
        l->last[l->step] = (signed char)i;
        if (i == (int)q->answer)
            continue;
        int lines = text_lines(&chosen, width);
        most = lines > most ? lines : most;
    }
    return most;
}

int lp_lesson_rows(const LpUiState *ui) {
    enum { FRAME = 2 };
    const LpLessonState *l = &ui->lesson;
    if (!l->on)
        return 0;
    int width = widest(ui).w;
    int lines = l->phase == LP_LESSON_ASK ? lines_of_question(ui, width) : text_lines(ui, width);
    return lines + FRAME < LP_PANE_TOLD ? lines + FRAME : LP_PANE_TOLD;
}

static LpRect pane_of(const LpUiState *ui) {
    LpRect rest = lp_pane_rest(ui->cols, ui->rows, lp_lesson_rows(ui));
    if (rest.w < ui->cols)
        return (LpRect){rest.w, 0, ui->cols - rest.w, ui->rows};
    return (LpRect){0, 0, ui->cols, ui->rows - rest.h};
}

int lp_lesson_lines(const LpUiState *ui) {
    return lp_lesson_inside(pane_of(ui)).h;
}

bool lp_lesson_fits(const LpUiState *ui) {
    return form_of(ui).text;
}

int lp_lesson_below(const LpUiState *ui) {
    LpRect inside = lp_lesson_inside(pane_of(ui));
    int left = text_lines(ui, inside.w) - ui->lesson.first - inside.h;
    return left > 0 ? left : 0;
}
