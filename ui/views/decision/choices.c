/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a stage after the first: what can be chosen, what each comes to against the policy's,
 * and the one by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/decision/decision_view_impl.h"
#include "widgets/flow.h"
#include "widgets/widgets_list.h"

enum {
    LABEL_LEAST = 9,
    TIME_COLS = 9,
    CHANGE_COLS = 7,
    NOTE_LEAST = 14,
    MARKS = 2,
    NOTE_TEXT = LP_DRAFT_WORDS
};

/* Where the columns end; 0: there is no room for one. */
typedef struct Form {
    int label, step, jct, change, note; /* note: where it begins */
} Form;

static Form form_of(const LpStageRows *rows, int width) {
    Form f = {.label = LABEL_LEAST};
    for (uint32_t i = 0; i < rows->count; i++) {
        int wide = lp_text_width(rows->row[i].label);
        f.label = wide > f.label ? wide : f.label;
    }
    int most = width - MARKS - TIME_COLS - CHANGE_COLS - 2;
    f.label = f.label > most ? most : f.label;
    int x = MARKS + f.label;
    if (width - x >= 2 * TIME_COLS + CHANGE_COLS + 3)
        f.step = x += TIME_COLS;
    f.jct = x += TIME_COLS;
    f.change = x += CHANGE_COLS;
    if (width - x - 2 >= NOTE_LEAST)
        f.note = x + 2;
    return f;
}

/* Why there is nothing to choose, in lines of the area (NULL: nowhere); returns how many of `width`
 * columns there are. */
static int draw_none(const LpArea *area, int width, const char *why) {
    enum { INDENT = 1 };
    int y = 0;
    for (size_t next; *why != '\0'; why += next, y++) {
        char line[LP_CHOICE_NOTE];
        size_t len = lp_flow_line(why, width - INDENT, &next);
        bool last = area != NULL && y == area->rect.h - 1;
        snprintf(line, sizeof line, "%.*s", last ? (int)strlen(why) : (int)len, why);
        if (area != NULL && y < area->rect.h)
            lp_area_fit(area, INDENT, y, width - INDENT, LP_ROLE_TEXT, line);
    }
    return y;
}

int lp_view_choices_rows(const LpModel *model, int width) {
    const LpStageRows *rows = model->drafted.choices;
    if (rows == NULL)
        return 0;
    return rows->none[0] != '\0' ? draw_none(NULL, width, rows->none)
                                 : 1 + (int)rows->count + rows->by_hand;
}

static void draw_heading(const LpModel *model, const LpArea *area, const Form *f) {
    static const char *const names[LP_STAGE_COUNT] = {"split", "place", "rule", "circuits", "rule"};
    lp_area_text(area, MARKS, 0, LP_ROLE_LABEL, names[model->ui->stage]);
    if (f->step)
        lp_area_right(area, f->step, 0, LP_ROLE_LABEL, "step");
    lp_area_right(area, f->jct, 0, LP_ROLE_LABEL, "JCT");
    if (f->note)
        lp_area_fit(area, f->note, 0, area->rect.w - f->note, LP_ROLE_LABEL, "what it means");
}

/* "-57 %" against the policy's; late or impossible in a word. */
static LpStyle print_change(const LpPrice *price, double own, char *out, size_t size) {
    double change = price->jct / own - 1.0;
    out[0] = '\0';
    if (!price->possible || price->late) {
        snprintf(out, size, price->late ? "late" : "no");
        return LP_ROLE_BAD;
    }
    if (isinf(price->jct))
        return LP_ROLE_BAD; /* its time says that it never ends */
    if (!(own > 0.0) || fabs(change) < 0.005)
        return LP_ROLE_MUTED;
    snprintf(out, size, "%+.0f %%", 100.0 * change);
    return change < 0.0 ? LP_ROLE_GOOD : LP_ROLE_BAD;
}

/* The times of a price, and its change; `own` is the policy's JCT. */
static void draw_price(const LpArea *area, int y, const Form *f, const LpPrice *price, double own) {
    char text[LP_SHOW_TEXT];
    LpStyle style = price->possible ? LP_ROLE_TEXT : LP_ROLE_MUTED;
    if (f->step)
        lp_area_right(area, f->step, y, style,
                      price->possible ? lp_show_seconds(price->step_time, text) : "-");
    lp_area_right(area, f->jct, y, style,
                  price->possible ? lp_show_seconds(price->jct, text) : "-");
    style = print_change(price, own, text, sizeof text);
    lp_area_right(area, f->change, y, style, text);
}

/* What a row means; why it cannot be. */
static void print_note(const LpPrice *price, const char *note, char out[NOTE_TEXT]) {
    char dark[LP_SHOW_TEXT];
    bool bad = !price->possible || price->late;
    if (!bad && price->dark > 0.0)
        snprintf(out, NOTE_TEXT, "%s; dark for %s", note, lp_show_seconds(price->dark, dark));
    else
        lp_str_copy(out, NOTE_TEXT, bad ? price->why : note);
}

static void draw_note(const LpArea *area, int y, const Form *f, const LpPrice *price,
                      const char *note) {
    char text[NOTE_TEXT];
    bool bad = !price->possible || price->late;
    if (!f->note)
        return;
    print_note(price, note, text);
    lp_area_fit(area, f->note, y, area->rect.w - f->note, bad ? LP_ROLE_BAD : LP_ROLE_MUTED, text);
}

static void draw_row(const LpModel *model, const LpArea *area, int y, const Form *f, int index) {
    const LpStageRows *rows = model->drafted.choices;
    const LpStageRow *row = &rows->row[index];
    bool here = index == lp_model_choice(model);
    if (row->policys)
        lp_area_glyph(area, 1, y, LP_ROLE_GOOD, LP_GLYPH_CHECK);
    if (here)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_fit(area, MARKS, y, f->label, here ? LP_ROLE_LABEL : LP_ROLE_TEXT, row->label);
    draw_price(area, y, f, &row->price, index > 0 ? rows->row[0].price.jct : (double)NAN);
    draw_note(area, y, f, &row->price, row->note);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)index);
}

static void draw_by_hand(const LpModel *model, const LpArea *area, int y, const Form *f) {
    const LpStageRows *rows = model->drafted.choices;
    bool here = (int)rows->count == lp_model_choice(model);
    if (here)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_text(area, MARKS, y, here ? LP_ROLE_LABEL : LP_ROLE_TEXT, "by hand");
    if (here) {
        draw_price(area, y, f, &model->drafted.price, rows->row[0].price.jct);
        draw_note(area, y, f, &model->drafted.price, model->ui->hand.draft.word[model->ui->stage]);
    } else {
        lp_area_keys(area, MARKS + LABEL_LEAST, y, area->rect.w - MARKS - LABEL_LEAST,
                     LP_ROLE_MUTED, model->ui->keymap, "{right} goes onto the board");
    }
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, rows->count);
}

/* Columns that the rows take, with what each means. */
static int cols_of(const LpModel *model, const Form *f) {
    const LpStageRows *rows = model->drafted.choices;
    char text[NOTE_TEXT];
    int most = 0, wide;
    for (uint32_t i = 0; i < rows->count; i++) {
        print_note(&rows->row[i].price, rows->row[i].note, text);
        wide = lp_text_width(text);
        most = wide > most ? wide : most;
    }
    print_note(&model->drafted.price, model->ui->hand.draft.word[model->ui->stage], text);
    wide = lp_model_choice(model) == (int)rows->count ? lp_text_width(text) : 0;
    return f->note + (wide > most ? wide : most);
}

/* The draft in numbers beside the rows, else below them, where nothing gives way for it. */
static void draw_if_so(const LpModel *model, const LpArea *area, const Form *f, int used) {
    enum { GAP = 2, ROWS_LEAST = 30, COLS_LEAST = 100, NOTES = 40 };
    int rows = lp_view_if_so_rows(model), cols = lp_view_if_so_cols(), w = area->rect.w;
    if (rows == 0 || model->ui->cols < COLS_LEAST || model->ui->rows < ROWS_LEAST)
        return;
    LpRect at = {w - cols - 1, 0, cols, rows};
    at.x = at.x < f->note + NOTES ? at.x : f->note + NOTES;
    if (!f->note || cols_of(model, f) + GAP > at.x || rows > area->rect.h)
        at = (LpRect){MARKS, used + (used + rows < area->rect.h), cols, rows};
    if (at.y + rows > area->rect.h || at.x + cols > w)
        return;
    LpArea table = lp_area_part(area, at);
    lp_view_if_so(model, &table);
}

void lp_view_choices(const LpModel *model, const LpArea *area) {
    const LpStageRows *rows = model->drafted.choices;
    if (rows == NULL || area->rect.h < 1)
        return;
    if (rows->none[0] != '\0') {
        draw_none(area, area->rect.w, rows->none);
        return;
    }
    Form f = form_of(rows, area->rect.w);
    int all = (int)rows->count + rows->by_hand, shown = area->rect.h - 1;
    int first = lp_list_around(lp_model_choice(model), all, shown);
    draw_heading(model, area, &f);
    for (int i = 0; i < shown && first + i < all; i++) {
        if (first + i < (int)rows->count)
            draw_row(model, area, 1 + i, &f, first + i);
        else
            draw_by_hand(model, area, 1 + i, &f);
    }
    draw_if_so(model, area, &f, 1 + (all < shown ? all : shown));
}
