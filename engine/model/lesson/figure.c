/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of a figure in one order. */
#include "model/lesson/figure.h"

#include <stddef.h>

uint32_t lp_lesson_figure_values(const LpLessonFigure *figure) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < figure->series; s++)
        count += figure->one[s].points;
    for (uint32_t r = 0; r < figure->rows; r++)
        count += figure->row[r].cells;
    return count;
}

const LpLessonValue *lp_lesson_figure_value(const LpLessonFigure *figure, uint32_t index) {
    for (uint32_t s = 0; s < figure->series; s++) {
        if (index < figure->one[s].points)
            return &figure->one[s].point[index].y;
        index -= figure->one[s].points;
    }
    for (uint32_t r = 0; r < figure->rows; r++) {
        if (index < figure->row[r].cells)
            return &figure->row[r].cell[index];
        index -= figure->row[r].cells;
    }
    return NULL;
}
