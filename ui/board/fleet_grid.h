/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the cells of a board of servers lie: a pure function of the fleet, what a cell stands for,
 * and the board's size. */
#ifndef LP_UI_BOARD_FLEET_GRID_H
#define LP_UI_BOARD_FLEET_GRID_H

#include "board/fleet.h"

/* A cell is a server, a rack or a group. Cells of one parent (the group of a rack, the rack of a
 * server ...) stand on lines of their own behind its label, several parents side by side where
 * lines are short. */
typedef struct LpFleetGrid {
    const LpFleet *fleet;
    LpFleetLevel level;  /* of a cell */
    LpFleetLevel parent; /* of what has lines; LP_FLEET_LEVELS: all cells flow */
    uint32_t cells, parents;
    int width;         /* columns of a cell: 2 a letter and a bar, 1 either */
    int pitch, gap;    /* columns from cell to cell; more between blocks */
    uint32_t block;    /* cells of a block, 0: no blocks */
    int label;         /* columns before the cells of a line */
    uint32_t per_line; /* cells of a line at most */
    int side, tile;    /* parents side by side, and columns of each */
    int deep;          /* lines of a parent */
    int lines;         /* in all */
    bool fits;         /* they all fit in the height that was given */
} LpFleetGrid;

/* The roomiest grid that fits, else the narrowest that can be read. w, h: of the board. */
LpFleetGrid lp_fleet_grid(const LpFleet *fleet, LpFleetLevel level, int w, int h);
/* The finest level whose cells all fit; the coarsest there is where none does. */
LpFleetLevel lp_fleet_grid_level(const LpFleet *fleet, int w, int h);

/* The first cell of a parent (parent <= parents). */
uint32_t lp_fleet_grid_first(const LpFleetGrid *grid, uint32_t parent);
/* Column of cell `k` of a line, counted from its first one. */
int lp_fleet_grid_offset(const LpFleetGrid *grid, uint32_t k);
/* Line and column of a cell. O(log parents). */
void lp_fleet_grid_find(const LpFleetGrid *grid, uint32_t cell, int *line, int *x);
/* The cells that tile `t` (0 .. side - 1) has on a line, and the tile's column; 0 cells: none. */
uint32_t lp_fleet_grid_line(const LpFleetGrid *grid, int line, int t, uint32_t *first, int *x);
/* The cell `columns` cells on and `lines` lines down, as far as there are any. */
uint32_t lp_fleet_grid_move(const LpFleetGrid *grid, uint32_t cell, int columns, int lines);

#endif
