/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How large the cells of a board are: they step up with the room that the board has. */
#ifndef LP_UI_BOARD_CELL_SIZE_H
#define LP_UI_BOARD_CELL_SIZE_H

#include <stdbool.h>

/* Columns from cell to cell and rows from line to line, and columns between blocks besides. */
typedef struct LpCellSize {
    int w, h, gap;
} LpCellSize;

/* Columns of a line of `cells` cells in `blocks` blocks. */
int lp_cell_line(LpCellSize size, int cells, int blocks);
/* The widest cell of the table by which `lines` such lines fit into width x height, and the highest
 * one of its width. w is 0: none fits. O(steps). */
LpCellSize lp_cell_size(int width, int height, int cells, int blocks, int lines);
/* The highest step of which `lines` lines fit into `height` rows, at most `most`; 0: none. */
int lp_cell_rows(int height, int lines, int most);

#endif
