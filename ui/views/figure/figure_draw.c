/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws figures of lessons: plots by the chart that all curves use, and tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/lesson/lesson.h"
#include "views/figure/figure_view_impl.h"
#include "widgets/chart.h"

enum { TICKS = 12 /* values of x that are told one by one, at most */ };
enum { MARKS = LP_LESSON_SERIES * LP_LESSON_POINTS + 2, GAP = 2, CELL = 80 };

bool lp_figure_told(const LpModel *model) {
    const LpLessonState *l = &model->ui->lesson;
    return l->lesson == NULL || l->lesson->step[l->step].question == NULL || l->told[l->step];
}

/* Signs of the series, told apart without colour. */
static const char signs[LP_LESSON_SERIES + 1] = "ox+*#@";

/* A line of a plot: points that are joined, or a formula. */
typedef struct Line {
    const struct Plot *plot;
    uint32_t series, first;
} Line;

typedef struct Plot {
    const LpLessonFill *fill;
    const LpLessonFigure *figure;
    bool told;
    LpChart chart;
    Line line[LP_LESSON_SERIES];
    LpPlotLine drawn[LP_LESSON_SERIES];
    LpChartMark mark[MARKS];
    double tick[TICKS];
} Plot;

/* ---- heights ---- */

/* On the axis: logarithms where it counts factors; NAN where it has no place. */
static double height(const Plot *p, double y) {
    if (!p->figure->y.log)
        return y;
    return y > 0 ? log10(y) : (double)NAN;
}

static double known(const Plot *p, uint32_t index) {
    const LpLessonFilled *found = lp_lesson_fill_at(p->fill, index);
    const LpLessonValue *value = lp_lesson_figure_value(p->figure, index);
    if (found->state != LP_FILL_KNOWN || (value->hidden && !p->told))
        return (double)NAN;
    return height(p, found->number * lp_lesson_per_unit(p->figure->y.unit));
}

static double between(const Plot *p, double x, double x0, double y0, double x1, double y1) {
    double share = p->figure->x.log ? log(x / x0) / log(x1 / x0) : (x - x0) / (x1 - x0);
    return y0 + (y1 - y0) * share;
}

/* Between the nearest known points on both sides. */
static double joined_at(const Line *l, double x) {
    const LpLessonSeries *s = &l->plot->figure->one[l->series];
    double x0 = -(double)INFINITY, x1 = (double)INFINITY, y0 = (double)NAN, y1 = (double)NAN;
    for (uint32_t i = 0; i < s->points; i++) {
        double at = s->point[i].x, y = known(l->plot, l->first + i);
        if (isnan(y))
            continue;
        if (at <= x && at > x0)
            x0 = at, y0 = y;
        if (at >= x && at < x1)
            x1 = at, y1 = y;
    }
    return x1 > x0 ? between(l->plot, x, x0, y0, x1, y1) : y0;
}

static double formula_at(const Line *l, double x) {
    const Plot *p = l->plot;
    const double *y = lp_lesson_fill_formula(p->fill, l->series);
    double from = p->chart.from, to = p->chart.to;
    if (y == NULL || (p->figure->one[l->series].hidden && !p->told))
        return (double)NAN;
    double share = p->figure->x.log ? log(x / from) / log(to / from) : (x - from) / (to - from);
    double at = fmin(fmax(share, 0), 1) * (LP_LESSON_SAMPLES - 1);
    int i = (int)at < LP_LESSON_SAMPLES - 1 ? (int)at : LP_LESSON_SAMPLES - 2;
    return height(p, y[i] + (y[i + 1] - y[i]) * (at - i));
}

static double line_at(const void *data, double x) {
    const Line *l = data;
    return l->plot->figure->one[l->series].formula != NULL ? formula_at(l, x) : joined_at(l, x);
}

/* ---- what was predicted ---- */

/* The first number of a text; NAN: none. */
static double number_in(const char *text) {
    size_t len = strcspn(text, "0123456789");
    double value = 0, place = 1;
    bool point = false;
    if (text[len] == '\0')
        return (double)NAN;
    for (text += len; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
        point |= *text == '.';
        if (*text == '.')
            continue;
        value = value * 10 + (*text - '0');
        place *= point ? 10 : 1;
    }
    return value / place;
}

static void add_guess(const LpModel *model, Plot *p) {
    const LpLessonState *l = &model->ui->lesson;
    const LpLessonGuess *guess = p->figure->guess;
    const LpLessonQuestion *q = l->lesson->step[l->step].question;
    int choice = l->choice[l->step];
    if (guess == NULL || q == NULL || choice < 0 || choice >= (int)q->choices)
        return;
    double y = guess->choices == 0            ? number_in(q->choice[choice].text)
               : choice < (int)guess->choices ? guess->y[choice]
                                              : (double)NAN;
    double x = guess->x;
    for (uint32_t s = 0; isnan(x) && s < p->figure->series; s++)
        if (p->figure->one[s].points > 0)
            x = p->figure->one[s].point[p->figure->one[s].points - 1].x;
    p->mark[p->chart.marks++] = (LpChartMark){.x = x,
                                              .y = height(p, y),
                                              .low = (double)NAN,
                                              .high = (double)NAN,
                                              .cp = '?',
                                              .style = LP_ROLE_WAIT | LP_BOLD};
}

/* ---- plots ---- */

static void print_plain(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.4g", fabs(value) < 1e-12 ? 0.0 : value);
}

static void print_power(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.3g", pow(10, value));
}

/* Of milliseconds: "20 ns", "10 ms". */
static void print_ms(double value, char text[LP_PLOT_LABEL]) {
    lp_chart_seconds(value / 1000, text);
}

static void print_power_ms(double value, char text[LP_PLOT_LABEL]) {
    lp_chart_seconds(pow(10, value) / 1000, text);
}

static LpChartPrint *printer_of(const LpLessonAxis *axis, bool powers) {
    if (axis->log && axis->unit != NULL && strcmp(axis->unit, "ms") == 0)
        return powers ? print_power_ms : print_ms;
    return powers && axis->log ? print_power : print_plain;
}

/* The values of x that have points, rising; none where they are many. */
static void find_ticks(Plot *p) {
    const LpLessonFigure *f = p->figure;
    uint32_t count = 0;
    for (uint32_t s = 0; s < f->series; s++)
        for (uint32_t i = 0; i < f->one[s].points; i++) {
            double x = f->one[s].point[i].x;
            uint32_t at = 0;
            while (at < count && p->tick[at] < x)
                at++;
            if (at < count && !(p->tick[at] > x))
                continue;
            if (count == TICKS)
                return;
            memmove(p->tick + at + 1, p->tick + at, (count++ - at) * sizeof *p->tick);
            p->tick[at] = x;
        }
    p->chart.tick = p->tick;
    p->chart.ticks = count;
}

static void add_series(Plot *p, uint32_t series, uint32_t first) {
    const LpLessonSeries *s = &p->figure->one[series];
    if (s->line || s->formula != NULL) {
        int i = p->chart.lines++;
        p->line[i] = (Line){p, series, first};
        p->drawn[i] = (LpPlotLine){line_at, &p->line[i], s->name, lp_chart_style((int)series),
                                   s->formula != NULL};
    }
    for (uint32_t i = 0; i < s->points; i++)
        p->mark[p->chart.marks++] = (LpChartMark){.x = s->point[i].x,
                                                  .y = known(p, first + i),
                                                  .low = (double)NAN,
                                                  .high = (double)NAN,
                                                  .cp = (uint32_t)signs[series],
                                                  .style = lp_chart_style((int)series) | LP_BOLD};
}

static void make_plot(const LpModel *model, Plot *p, int columns) {
    uint32_t first = 0;
    p->chart = (LpChart){.log_x = p->figure->x.log,
                         .print_x = printer_of(&p->figure->x, false),
                         .print_y = printer_of(&p->figure->y, true),
                         .line = p->drawn,
                         .mark = p->mark,
                         .cursor = -1};
    lp_lesson_fill_ends(p->fill, &p->chart.from, &p->chart.to);
    add_guess(model, p);
    for (uint32_t s = 0; s < p->figure->series; s++) {
        add_series(p, s, first);
        first += p->figure->one[s].points;
    }
    find_ticks(p);
    /* Ends of the y axis: as written, else so that everything is inside. */
    const LpLessonAxis *y = &p->figure->y;
    double low = (double)INFINITY, high = -(double)INFINITY;
    lp_chart_span(&p->chart, columns, &low, &high);
    for (uint32_t i = 0; i < p->chart.marks; i++)
        if (isfinite(p->mark[i].y)) {
            low = fmin(low, p->mark[i].y);
            high = fmax(high, p->mark[i].y);
        }
    if (isfinite(y->min))
        low = height(p, y->min);
    if (isfinite(y->max))
        high = height(p, y->max);
    if (!(low <= high))
        low = 0, high = 1;
    lp_chart_fit(&p->chart, low, high, !y->log);
}

static int draw_axis_name(const LpArea *area, int x, const LpLessonAxis *axis, const char *way) {
    char shown[60], unit[24];
    x = lp_area_textf(area, x, 0, LP_ROLE_MUTED, "%s %s", way,
                      lp_str_show(shown, sizeof shown, axis->label != NULL ? axis->label : "?"));
    bool told = printer_of(axis, false) == print_ms; /* by every number */
    if (axis->unit != NULL && !told)
        x = lp_area_textf(area, x, 0, LP_ROLE_MUTED, ", %s",
                          lp_str_show(unit, sizeof unit, axis->unit));
    return x + GAP;
}

/* Axes, signs and names of the series, and what a '?' is. */
static void draw_legend(const Plot *p, const LpArea *area) {
    char shown[60];
    int x = draw_axis_name(area, 0, &p->figure->y, "up");
    x = draw_axis_name(area, x, &p->figure->x, "right");
    for (uint32_t s = 0; s < p->figure->series; s++) {
        const LpLessonSeries *one = &p->figure->one[s];
        if (one->hidden && !p->told)
            continue;
        char sign[] = {one->formula != NULL ? '-' : signs[s], one->formula != NULL ? '-' : ' ',
                       '\0'};
        x = lp_area_text(area, x, 0, lp_chart_style((int)s), sign);
        x += one->formula != NULL ? 1 : 0;
        x = lp_area_text(area, x, 0, LP_ROLE_TEXT, lp_str_show(shown, sizeof shown, one->name));
        x += GAP;
    }
    if (p->chart.marks > 0 && p->mark[0].cp == '?')
        lp_area_text(area, x, 0, LP_ROLE_WAIT, "? your guess");
}

/* The marked value in words, and a line through it. */
static void read_off(const LpModel *model, Plot *p, const LpArea *line) {
    int cursor = lp_figure_state(model)->cursor;
    uint32_t first = 0;
    char text[CELL], name[60];
    if (cursor < 0)
        return;
    for (uint32_t s = 0; s < p->figure->series; s++) {
        const LpLessonSeries *one = &p->figure->one[s];
        uint32_t at = (uint32_t)cursor - first;
        if ((uint32_t)cursor >= first && at < one->points) {
            double from = p->chart.from, to = p->chart.to, x = one->point[at].x;
            bool hidden = one->point[at].y.hidden && !p->told;
            lp_lesson_fill_text(p->fill, (uint32_t)cursor, text, sizeof text);
            lp_area_clear(line);
            lp_area_textf(line, 0, 0, LP_ROLE_TEXT, "%c %s at %.6g: %s", signs[s],
                          lp_str_show(name, sizeof name, one->name), x, hidden ? "?" : text);
            p->chart.cursor =
                p->figure->x.log ? log(x / from) / log(to / from) : (x - from) / (to - from);
        }
        first += one->points;
    }
}

static void draw_plot(const LpModel *model, const LpLessonFill *fill, const LpArea *area) {
    Plot plot = {
        .fill = fill, .figure = lp_lesson_fill_figure(fill), .told = lp_figure_told(model)};
    LpArea legend = lp_area_part(area, (LpRect){0, 0, area->rect.w, 1});
    LpArea below = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    make_plot(model, &plot, lp_chart_columns(area->rect.w));
    draw_legend(&plot, &legend);
    read_off(model, &plot, &legend);
    lp_chart_draw(&plot.chart, &below);
}

/* ---- tables ---- */

static void cell_text(const LpLessonFill *fill, uint32_t index, bool told, char text[CELL]) {
    const LpLessonValue *value = lp_lesson_figure_value(lp_lesson_fill_figure(fill), index);
    if (value->hidden && !told)
        lp_str_copy(text, CELL, "?");
    else
        lp_lesson_fill_text(fill, index, text, CELL);
}

/* The width of every column: its widest text, less where there is no room for all. Returns the
 * blanks between two. */
static int find_widths(const LpLessonFill *fill, bool told, int room,
                       int width[LP_LESSON_COLUMNS]) {
    const LpLessonFigure *f = lp_lesson_fill_figure(fill);
    char text[CELL];
    uint32_t index = 0;
    int sum = 0;
    memset(width, 0, LP_LESSON_COLUMNS * sizeof *width);
    for (uint32_t c = 0; c < f->columns; c++)
        width[c] = lp_text_width(lp_str_show(text, sizeof text, f->column[c]));
    for (uint32_t r = 0; r < f->rows; r++)
        for (uint32_t c = 0; c < f->row[r].cells; c++) {
            cell_text(fill, index++, told, text);
            int wide = lp_text_width(text);
            width[c] = wide > width[c] ? wide : width[c];
        }
    for (int c = 0; c < LP_LESSON_COLUMNS; c++)
        sum += width[c] > 0 ? width[c] + GAP : 0;
    int gap = sum - GAP > room ? 1 : GAP;
    sum -= gap + (GAP - gap) * (int)f->columns; /* nothing follows the last one */
    for (; sum > room; sum--) {
        int widest = 0;
        for (int c = 1; c < LP_LESSON_COLUMNS; c++)
            widest = width[c] > width[widest] ? c : widest;
        if (width[widest] <= 1)
            break;
        width[widest]--;
    }
    return gap;
}

static void draw_cell(const LpArea *area, int x, int y, int width, bool first, LpStyle style,
                      const char *text) {
    int wide = lp_text_width(text);
    lp_area_fit(area, first || wide >= width ? x : x + width - wide, y, width, style, text);
}

static void draw_table(const LpModel *model, const LpLessonFill *fill, const LpArea *area) {
    const LpLessonFigure *f = lp_lesson_fill_figure(fill);
    bool told = lp_figure_told(model);
    int width[LP_LESSON_COLUMNS], y = f->columns > 0 ? 1 : 0;
    char text[CELL];
    uint32_t index = 0;
    uint32_t gap = (uint32_t)find_widths(fill, told, area->rect.w, width);
    for (uint32_t c = 0, x = 0; c < f->columns; x += (uint32_t)width[c++] + gap)
        draw_cell(area, (int)x, 0, width[c], c == 0, LP_ROLE_LABEL,
                  lp_str_show(text, sizeof text, f->column[c]));
    for (uint32_t r = 0; r < f->rows; r++, y++)
        for (uint32_t c = 0, x = 0; c < f->row[r].cells; x += (uint32_t)width[c++] + gap) {
            const LpLessonValue *value = &f->row[r].cell[c];
            LpStyle style = value->source == LP_LESSON_GIVEN ? LP_ROLE_TEXT
                            : value->hidden                  ? LP_ROLE_TEXT | LP_BOLD
                                                             : LP_ROLE_TEXT;
            cell_text(fill, index++, told, text);
            draw_cell(area, (int)x, y, width[c], c == 0, style, text);
        }
}

void lp_view_figure(const LpModel *model, const LpArea *area) {
    const LpLessonFill *fill = lp_figure_facts(model)->fill;
    char title[120];
    lp_area_clear(area);
    if (fill == NULL) {
        LpArea none = lp_area_heading(area, "FIGURE");
        lp_area_text(&none, 0, 0, LP_ROLE_MUTED, "this step of the lesson has no figure");
        return;
    }
    const LpLessonFigure *f = lp_lesson_fill_figure(fill);
    char shown[100];
    snprintf(title, sizeof title, "FIGURE %s", lp_str_show(shown, sizeof shown, f->title));
    LpArea inside = lp_area_heading(area, title);
    if (f->kind == LP_LESSON_PLOT)
        draw_plot(model, fill, &inside);
    else
        draw_table(model, fill, &inside);
}
