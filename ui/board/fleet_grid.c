/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays cells out in lines. */
#include "board/fleet_grid.h"

#include <stdlib.h>
#include <string.h>

enum { TILE_GAP = 3, LABEL = 7, LABEL_LONG = 14, LABEL_SHORT = 5 };

static LpFleetLevel parent_of(const LpFleet *fleet, LpFleetLevel level) {
    for (int up = LP_FLEET_GROUPS; up > (int)level; up--)
        if (lp_fleet_has(fleet, (LpFleetLevel)up))
            return (LpFleetLevel)up;
    return LP_FLEET_LEVELS;
}

uint32_t lp_fleet_grid_first(const LpFleetGrid *grid, uint32_t parent) {
    if (grid->parent == LP_FLEET_LEVELS)
        return parent ? grid->cells : 0;
    uint32_t place = parent == grid->parents ? grid->fleet->servers
                                             : lp_fleet_begin(grid->fleet, grid->parent, parent);
    return place == grid->fleet->servers ? grid->cells
                                         : lp_fleet_unit(grid->fleet, grid->level, place);
}

static uint32_t largest_parent(const LpFleetGrid *grid) {
    uint32_t most = 1;
    for (uint32_t p = 0; p < grid->parents; p++) {
        uint32_t cells = lp_fleet_grid_first(grid, p + 1) - lp_fleet_grid_first(grid, p);
        most = cells > most ? cells : most;
    }
    return most;
}

int lp_fleet_grid_offset(const LpFleetGrid *grid, uint32_t k) {
    return (int)k * grid->pitch + (grid->block ? (int)(k / grid->block) * grid->gap : 0);
}

static int width_of(const LpFleetGrid *grid, uint32_t cells) {
    return grid->label + lp_fleet_grid_offset(grid, cells - 1) + grid->width;
}

static uint32_t most_cells(const LpFleetGrid *grid, uint32_t largest, int w) {
    uint32_t cells = 1;
    while (cells < largest && width_of(grid, cells + 1) <= w)
        cells++;
    uint32_t layer = grid->level == LP_FLEET_RACKS ? grid->fleet->plan.layer : 0;
    if (layer > 0 && cells >= layer)
        return layer;
    if (cells == largest)
        return cells;
    if (grid->block && cells >= grid->block)
        return cells - cells % grid->block;
    uint32_t even = 1; /* a power of two, so that racks and dozens of lines stay in step */
    while (even * 2 <= cells)
        even *= 2;
    return even;
}

/* Parents go side by side only where there are too many lines otherwise. */
static void set_lines(LpFleetGrid *grid, uint32_t largest, int w, int h) {
    grid->per_line = most_cells(grid, largest, w);
    grid->deep = (int)((largest + grid->per_line - 1) / grid->per_line);
    grid->tile = width_of(grid, grid->per_line);
    int most = grid->deep > 1 ? 1 : (w + TILE_GAP) / (grid->tile + TILE_GAP);
    for (grid->side = 1;; grid->side++) {
        int rows = (int)((grid->parents + (uint32_t)grid->side - 1) / (uint32_t)grid->side);
        grid->lines = rows * grid->deep;
        if (grid->lines <= h || grid->side >= most)
            break;
    }
    grid->fits = grid->lines <= h && grid->tile <= w;
}

/* "cube 128" and a mark. */
static int length_of(const LpFleet *fleet) {
    int digits = 1;
    for (uint32_t left = fleet->racks - 1; left > 9; left /= 10)
        digits++;
    int length = (int)strlen(fleet->plan.rack) + 1 + digits + 2;
    return length < LABEL_LONG ? length : LABEL_LONG;
}

static int label_of(const LpFleetGrid *grid, int w) {
    if (w < 30)
        return LABEL_SHORT;
    bool alone = grid->level == LP_FLEET_RACKS && grid->parent == LP_FLEET_LEVELS;
    return alone ? length_of(grid->fleet) : grid->parent == LP_FLEET_RACKS ? LABEL_LONG : LABEL;
}

LpFleetGrid lp_fleet_grid(const LpFleet *fleet, LpFleetLevel level, int w, int h) {
    static const struct {
        int width, pitch, gap;
    } tries[] = {{2, 5, 4}, {2, 4, 2}, {2, 3, 2}, {2, 3, 1}, {1, 2, 2}, {1, 1, 1}};
    LpFleetGrid grid = {.fleet = fleet, .level = level, .parent = parent_of(fleet, level)};
    grid.cells = lp_fleet_units(fleet, level);
    grid.parents = grid.parent == LP_FLEET_LEVELS ? 1 : lp_fleet_units(fleet, grid.parent);
    grid.label = label_of(&grid, w);
    bool racks = level == LP_FLEET_SERVERS && grid.parent == LP_FLEET_GROUPS;
    grid.block = racks                                            ? fleet->rack[1]
                 : level == LP_FLEET_RACKS && fleet->plan.row > 1 ? fleet->plan.row
                                                                  : 0;
    uint32_t largest = largest_parent(&grid);
    for (size_t i = 0; i < LP_COUNTOF(tries); i++) {
        grid.width = tries[i].width;
        grid.pitch = tries[i].pitch;
        grid.gap = tries[i].gap;
        set_lines(&grid, largest, w, h);
        if (grid.fits)
            return grid;
    }
    grid.width = 2; /* to be scrolled: then it may as well be read */
    grid.pitch = 3;
    grid.gap = 1;
    set_lines(&grid, largest, w, h);
    return grid;
}

LpFleetLevel lp_fleet_grid_level(const LpFleet *fleet, int w, int h) {
    LpFleetLevel level = LP_FLEET_SERVERS;
    for (int i = LP_FLEET_SERVERS; i < LP_FLEET_LEVELS; i++) {
        if (!lp_fleet_has(fleet, (LpFleetLevel)i))
            continue;
        level = (LpFleetLevel)i;
        if (lp_fleet_grid(fleet, level, w, h).fits)
            break;
    }
    return level;
}

static uint32_t parent_with(const LpFleetGrid *grid, uint32_t cell) {
    uint32_t low = 0, high = grid->parents;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (lp_fleet_grid_first(grid, middle) <= cell)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void lp_fleet_grid_find(const LpFleetGrid *grid, uint32_t cell, int *line, int *x) {
    uint32_t p = parent_with(grid, cell), k = cell - lp_fleet_grid_first(grid, p);
    uint32_t side = (uint32_t)grid->side;
    *line = (int)(p / side) * grid->deep + (int)(k / grid->per_line);
    *x = (int)(p % side) * (grid->tile + TILE_GAP) + grid->label +
         lp_fleet_grid_offset(grid, k % grid->per_line);
}

uint32_t lp_fleet_grid_line(const LpFleetGrid *grid, int line, int t, uint32_t *first, int *x) {
    uint32_t p = (uint32_t)(line / grid->deep * grid->side + t);
    *x = t * (grid->tile + TILE_GAP);
    if (p >= grid->parents)
        return 0;
    *first = lp_fleet_grid_first(grid, p) + (uint32_t)(line % grid->deep) * grid->per_line;
    uint32_t end = lp_fleet_grid_first(grid, p + 1);
    uint32_t count = *first < end ? end - *first : 0;
    return count < grid->per_line ? count : grid->per_line;
}

/* The cell of a line that is nearest to a column, LP_NO_INDEX: the line has none. */
static uint32_t nearest(const LpFleetGrid *grid, int line, int x) {
    uint32_t best = LP_NO_INDEX, first;
    int least = 0, from;
    for (int t = 0; t < grid->side; t++) {
        uint32_t count = lp_fleet_grid_line(grid, line, t, &first, &from);
        for (uint32_t k = 0; k < count; k++) {
            int far = abs(from + grid->label + lp_fleet_grid_offset(grid, k) - x);
            if (best != LP_NO_INDEX && far >= least)
                continue;
            best = first + k;
            least = far;
        }
    }
    return best;
}

uint32_t lp_fleet_grid_move(const LpFleetGrid *grid, uint32_t cell, int columns, int lines) {
    int64_t to = (int64_t)cell + columns, last = (int64_t)grid->cells - 1;
    int line, x;
    cell = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
    lp_fleet_grid_find(grid, cell, &line, &x);
    int step = lines < 0 ? -1 : 1;
    int goal = lines < -line ? 0 : lines > grid->lines - 1 - line ? grid->lines - 1 : line + lines;
    /* lines of a short parent may be empty: past them, else back */
    for (int at = goal; lines != 0 && at >= 0 && at < grid->lines; at += step) {
        uint32_t found = nearest(grid, at, x);
        if (found != LP_NO_INDEX)
            return found;
    }
    for (int at = goal; lines != 0 && at != line; at -= step) {
        uint32_t found = nearest(grid, at, x);
        if (found != LP_NO_INDEX)
            return found;
    }
    return cell;
}
