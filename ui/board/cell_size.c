/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of cell sizes. */
#include "board/cell_size.h"

#include <stddef.h>

#include "base/err.h"

/* Widest first; `h`: rows of the highest cell of that width. A cell of 3 columns has a letter
 * between brackets, 6 the progress below it, 8 a name, 12 a bar, the time left and its number. */
static const LpCellSize steps[] = {{40, 4, 2}, {32, 4, 2}, {24, 4, 2}, {20, 6, 2}, {16, 6, 2},
                                   {14, 6, 2}, {12, 6, 2}, {10, 4, 2}, {8, 4, 2},  {6, 2, 1},
                                   {5, 2, 1},  {4, 2, 1},  {3, 2, 1},  {2, 2, 1},  {1, 1, 1}};

int lp_cell_line(LpCellSize size, int cells, int blocks) {
    return cells * size.w - (size.w == 2) + (blocks - 1) * size.gap;
}

int lp_cell_rows(int height, int lines, int most) {
    static const int rows[] = {6, 4, 3, 2, 1};
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        if (rows[i] <= most && lines * rows[i] <= height)
            return rows[i];
    return 0;
}

LpCellSize lp_cell_size(int width, int height, int cells, int blocks, int lines) {
    for (size_t i = 0; i < LP_COUNTOF(steps); i++) {
        LpCellSize size = steps[i];
        size.h = lp_cell_rows(height, lines, size.h);
        if (size.h > 0 && lp_cell_line(size, cells, blocks) <= width)
            return size;
    }
    return (LpCellSize){0, 0, 0};
}
