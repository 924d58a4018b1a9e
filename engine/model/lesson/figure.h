/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a step of a lesson shows beside its boards: a plot or a table whose values are computed by
 * the program. Plain data in the scenario's arena; all texts are untrusted. */
#ifndef LP_MODEL_LESSON_FIGURE_H
#define LP_MODEL_LESSON_FIGURE_H

#include "model/lesson/value.h"

enum {
    LP_LESSON_SERIES = 6,
    LP_LESSON_POINTS = 64, /* of a series */
    LP_LESSON_COLUMNS = 10,
    LP_LESSON_ROWS = 40
};

typedef enum LpLessonFigureKind { LP_LESSON_PLOT, LP_LESSON_TABLE } LpLessonFigureKind;

/* Numbers that are written (x, bounds, guesses, formulas) are in the unit of their axis; computed
 * ones are in SI units and are converted. */
typedef struct LpLessonAxis {
    const char *label, *unit; /* NULL: none */
    bool log;
    double min, max; /* NAN: as the values want it */
} LpLessonAxis;

typedef struct LpLessonPoint {
    LpLessonValue y; /* stands first */
    double x;
} LpLessonPoint;

/* Points, or a line by a formula in Lua with the variable x. */
typedef struct LpLessonSeries {
    const char *name;
    const char *formula; /* NULL: points */
    bool line;           /* points are joined */
    bool hidden;         /* a formula that is drawn once the question is answered */
    uint32_t points;
    const LpLessonPoint *point;
    int line_at, col_at; /* where it stands in the file */
} LpLessonSeries;

/* What was predicted stays in the plot: for each choice of the question its height at x. */
typedef struct LpLessonGuess {
    double x;         /* NAN: that of the last point */
    uint32_t choices; /* 0: the height is the number in the text of the choice */
    const double *y;  /* NAN: a choice that stands nowhere */
} LpLessonGuess;

typedef struct LpLessonRow {
    uint32_t cells; /* up to as many as there are columns */
    const LpLessonValue *cell;
} LpLessonRow;

typedef struct LpLessonFigure {
    LpLessonFigureKind kind;
    const char *title;
    LpLessonAxis x, y; /* of a plot, like what follows */
    uint32_t series;
    const LpLessonSeries *one;
    const LpLessonGuess *guess; /* NULL: none */
    uint32_t columns;           /* of a table, like what follows */
    const char *const *column;
    uint32_t rows;
    const LpLessonRow *row;
} LpLessonFigure;

/* Values of the figure in their order: points of the series one after the other, or cells of the
 * rows. Values that are texts count, too. */
uint32_t lp_lesson_figure_values(const LpLessonFigure *figure);
/* NULL beyond the last. O(series + rows). */
const LpLessonValue *lp_lesson_figure_value(const LpLessonFigure *figure, uint32_t index);

#endif
