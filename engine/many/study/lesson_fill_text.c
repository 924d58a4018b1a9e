/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures as text: their values, a table on paper, and what is not as it should be. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "many/study/lesson_fill.h"
#include "model/lesson/lesson.h"

static const LpLessonAxis no_axis = {0};

void lp_lesson_fill_text(const LpLessonFill *fill, uint32_t index, char *text, size_t size) {
    const LpLessonFigure *figure = lp_lesson_fill_figure(fill);
    const LpLessonValue *value = lp_lesson_figure_value(figure, index);
    const LpLessonFilled *found = lp_lesson_fill_at(fill, index);
    const LpLessonAxis *axis = figure->kind == LP_LESSON_PLOT ? &figure->y : &no_axis;
    char printed[LP_LESSON_PRINTED];
    if (value->source == LP_LESSON_GIVEN)
        lp_str_show(text, size, value->text);
    else if (found->state != LP_FILL_KNOWN)
        lp_str_copy(text, size, found->state == LP_FILL_FAILED ? "-" : "...");
    else if (isfinite(found->number))
        lp_str_show(text, size, lp_lesson_print(value, axis->unit, found->number, printed));
    else
        lp_str_show(text, size, found->text);
}

/* ---- on paper ---- */

static void add_value(const LpLessonFill *fill, uint32_t index, bool hide, LpBuf *out) {
    char text[120];
    bool hidden = hide && lp_lesson_figure_value(lp_lesson_fill_figure(fill), index)->hidden;
    lp_lesson_fill_text(fill, index, text, sizeof text);
    lp_buf_add(out, " ");
    lp_lesson_plain(out, hidden ? "?" : text);
    lp_buf_add(out, " |");
}

static void add_rule(uint32_t columns, LpBuf *out) {
    lp_buf_add(out, "\n|");
    for (uint32_t i = 0; i < columns; i++)
        lp_buf_add(out, "---|");
    lp_buf_add(out, "\n");
}

static void add_table(const LpLessonFill *fill, bool hide, LpBuf *out) {
    const LpLessonFigure *f = lp_lesson_fill_figure(fill);
    uint32_t index = 0, columns = f->columns > 0 ? f->columns : f->row[0].cells;
    lp_buf_add(out, "|");
    for (uint32_t c = 0; c < columns; c++) {
        lp_buf_add(out, " ");
        lp_lesson_plain(out, f->columns > 0 ? f->column[c] : "");
        lp_buf_add(out, " |");
    }
    add_rule(columns, out);
    for (uint32_t r = 0; r < f->rows; r++) {
        lp_buf_add(out, "|");
        for (uint32_t c = 0; c < f->row[r].cells; c++)
            add_value(fill, index++, hide, out);
        lp_buf_add(out, "\n");
    }
}

/* A row for each series: its points, one after the other. */
static void add_series(const LpLessonFill *fill, uint32_t series, uint32_t first, bool hide,
                       LpBuf *out) {
    const LpLessonSeries *s = &lp_lesson_fill_figure(fill)->one[series];
    char text[40];
    lp_buf_add(out, "| ");
    lp_lesson_plain(out, s->name);
    lp_buf_add(out, " |");
    for (uint32_t p = 0; p < s->points; p++) {
        snprintf(text, sizeof text, " at %.6g:", s->point[p].x);
        lp_buf_add(out, text);
        add_value(fill, first + p, hide, out);
    }
    if (s->formula != NULL) {
        lp_buf_add(out, " ");
        lp_lesson_plain(out, hide && s->hidden ? "?" : s->formula);
        lp_buf_add(out, " |");
    }
    lp_buf_add(out, "\n");
}

static void add_plot(const LpLessonFill *fill, bool hide, LpBuf *out) {
    const LpLessonFigure *f = lp_lesson_fill_figure(fill);
    uint32_t first = 0, most = 1;
    for (uint32_t s = 0; s < f->series; s++)
        most = f->one[s].points > most ? f->one[s].points : most;
    lp_buf_add(out, "| ");
    lp_lesson_plain(out, f->y.label != NULL ? f->y.label : "");
    lp_buf_add(out, " by ");
    lp_lesson_plain(out, f->x.label != NULL ? f->x.label : "x");
    lp_buf_add(out, " |");
    for (uint32_t i = 0; i < most; i++)
        lp_buf_add(out, " |");
    add_rule(most + 1, out);
    for (uint32_t s = 0; s < f->series; s++) {
        add_series(fill, s, first, hide, out);
        first += f->one[s].points;
    }
}

void lp_lesson_fill_paper(const LpLessonFill *fill, bool hide, LpBuf *out) {
    const LpLessonFigure *f = lp_lesson_fill_figure(fill);
    lp_buf_add(out, "**Figure.** ");
    lp_lesson_plain(out, f->title);
    lp_buf_add(out, "\n\n");
    if (f->kind == LP_LESSON_TABLE)
        add_table(fill, hide, out);
    else
        add_plot(fill, hide, out);
    lp_buf_add(out, "\n");
}

/* ---- what is wrong ---- */

void lp_lesson_fill_verify(const LpLessonFill *fill, uint32_t *computed, uint32_t *wrong,
                           LpBuf *out) {
    const LpLessonFigure *f = lp_lesson_fill_figure(fill);
    char shows[80], found[160];
    for (uint32_t i = 0; i < lp_lesson_figure_values(f); i++) {
        const LpLessonValue *value = lp_lesson_figure_value(f, i);
        const LpLessonFilled *filled = lp_lesson_fill_at(fill, i);
        if (value->source == LP_LESSON_GIVEN)
            continue;
        *computed += 1;
        lp_str_show(found, sizeof found, filled->text != NULL ? filled->text : "not known");
        if (filled->state != LP_FILL_KNOWN)
            lp_buf_addf(out, "  figure, line %d: %s\n", value->line, found);
        else if (value->shows != NULL && !lp_lesson_agrees(value->shows, filled->text))
            lp_buf_addf(out, "  figure, line %d: shows \"%s\", but it is %s\n", value->line,
                        lp_str_show(shows, sizeof shows, value->shows), found);
        else
            continue;
        *wrong += 1;
    }
    for (uint32_t s = 0; s < f->series; s++) {
        const double *y = f->one[s].formula != NULL ? lp_lesson_fill_formula(fill, s) : NULL;
        int known = 0;
        for (int i = 0; y != NULL && i < LP_LESSON_SAMPLES; i++)
            known += isfinite(y[i]) ? 1 : 0;
        if (f->one[s].formula == NULL || known > 0)
            continue;
        *wrong += 1;
        lp_buf_addf(out, "  figure, line %d: the formula is nowhere a number\n", f->one[s].line_at);
    }
}
