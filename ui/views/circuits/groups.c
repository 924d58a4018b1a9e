/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups by groups: in each cell the jobs that light it, the brightest first, with a bar for each.
 */
#include "views/circuits/groups.h"

#include "base/mem.h"

enum { CELL_MOST = 13, JOBS_MOST = 6, LABEL_MERGED = 7, LABEL = 6 };

/* How much of a step one job lights a cell. */
typedef struct Share {
    const LpRunning *job;
    double share;
} Share;

/* ---- what has room ---- */

uint32_t lp_view_board_first(uint32_t count, uint32_t seen, uint32_t cursor) {
    if (count <= seen)
        return 0;
    uint32_t first = cursor > seen / 2 ? cursor - seen / 2 : 0;
    return first > count - seen ? count - seen : first;
}

LpGroupGrid lp_groups_merged(const LpModel *model, int width, int height) {
    uint32_t groups = model->light_groups ? model->light_groups : model->board.groups;
    LpGroupGrid g = {.groups = groups, .merge = 1, .label = LABEL_MERGED, .pitch = 1};
    int rows = height > 1 ? height - 1 : 1;
    g.rows = groups;
    while (g.merge < groups && ((int)g.rows > rows || (int)g.rows > width - g.label)) {
        g.merge++;
        g.rows = (groups + g.merge - 1) / g.merge;
    }
    g.columns = g.rows;
    g.width = (width - g.label) / (int)g.rows;
    g.width = g.width > CELL_MOST ? CELL_MOST : g.width;
    if ((int)g.rows * 2 - 1 <= rows)
        g.pitch = 2;
    return g;
}

static int width_of(uint32_t groups, int room) {
    static const int widths[] = {14, 10, 8, 6, 3};
    for (size_t i = 0; i < LP_COUNTOF(widths); i++)
        if ((int)groups * widths[i] <= room)
            return widths[i];
    return 3;
}

LpGroupGrid lp_groups_scrolled(const LpModel *model, int w, int h) {
    const LpCircuitsState *state = lp_circuits_state(model);
    LpGroupGrid g = {.groups = model->board.groups, .merge = 1, .label = LABEL, .cursor = true};
    g.width = width_of(g.groups, w - LABEL);
    g.columns = (uint32_t)(w > LABEL + g.width ? (w - LABEL) / g.width : 1);
    g.rows = (uint32_t)(h > 2 ? h - 1 : 1);
    g.columns = g.columns < g.groups ? g.columns : g.groups;
    g.rows = g.rows < g.groups ? g.rows : g.groups;
    g.row = lp_view_board_first(g.groups, g.rows, state->from);
    g.column = lp_view_board_first(g.groups, g.columns, state->to);
    g.pitch = g.rows == g.groups && (int)g.rows * 2 <= h ? 2 : 1;
    return g;
}

/* ---- who lights a cell ---- */

/* Mean over the groups that are merged into the cell. */
static double share_of(const LpModel *model, const LpRunning *job, uint32_t merge, uint32_t row,
                       uint32_t column) {
    double sum = 0.0;
    uint32_t count = 0, groups = model->light_groups;
    for (uint32_t i = row * merge; i < groups && i < (row + 1) * merge; i++)
        for (uint32_t j = column * merge; j < groups && j < (column + 1) * merge; j++) {
            sum += job->light[(size_t)i * groups + j];
            count++;
        }
    return count ? sum / count : 0.0;
}

/* The job that is shown step by step comes first, whatever its share. */
static double rank_of(const LpModel *model, const Share *share) {
    const LpMotionModel *m = &model->motion;
    bool moves = m->plan || m->frame + 1 < m->frames;
    return share->share + (share->job == &model->moving && moves ? 2.0 : 0.0);
}

/* A cell that is seen: the jobs that light it most, as many as it has room for. */
typedef struct Cell {
    uint32_t lit;  /* how many there are in all */
    uint32_t last; /* 1 + the last job that was looked at here */
    Share share[JOBS_MOST];
} Cell;

/* All cells that are seen, row by row. */
typedef struct Board {
    const LpModel *model;
    const LpGroupGrid *grid;
    Cell *cell;
    uint32_t room; /* jobs of a cell */
} Board;

static void add_share(const Board *b, Cell *cell, const LpRunning *job, uint32_t row,
                      uint32_t column) {
    Share share = {job, share_of(b->model, job, b->grid->merge, row, column)};
    if (!(share.share > 0.0))
        return;
    uint32_t at = cell->lit < b->room ? cell->lit : b->room;
    while (at > 0 && rank_of(b->model, &cell->share[at - 1]) < rank_of(b->model, &share)) {
        if (at < b->room)
            cell->share[at] = cell->share[at - 1];
        at--;
    }
    if (at < b->room)
        cell->share[at] = share;
    cell->lit++;
}

/* Adds a job, the `number`th, to the cell of two groups, unless it was looked at there. */
static void light_cell(const Board *b, const LpRunning *job, uint32_t number, uint32_t from,
                       uint32_t to) {
    const LpGroupGrid *g = b->grid;
    uint32_t row = from / g->merge - g->row, column = to / g->merge - g->column;
    if (row >= g->rows || column >= g->columns) /* also those before the first one */
        return;
    Cell *cell = &b->cell[row * g->columns + column];
    if (cell->last == number + 1)
        return;
    cell->last = number + 1;
    add_share(b, cell, job, g->row + row, g->column + column);
}

/* Each job comes to the cells that its transmitters light, so that thousands of jobs that lie in
 * few groups each cost no more than their transmitters. */
static void add_job(const Board *b, const LpRunning *job, uint32_t number) {
    const LpBoardPlan *plan = &b->model->board;
    for (uint32_t i = 0; i < job->txs; i++)
        light_cell(b, job, number, lp_board_group(plan, job->tx[i].server), job->tx[i].group);
}

/* What moves may be lit where no transmitter of it is: it is one job, and looked for everywhere. */
static void add_moving(const Board *b) {
    const LpGroupGrid *g = b->grid;
    for (uint32_t row = 0; row < g->rows; row++)
        for (uint32_t column = 0; column < g->columns; column++)
            add_share(b, &b->cell[row * g->columns + column], &b->model->moving, g->row + row,
                      g->column + column);
}

static void add_jobs(const Board *b) {
    const LpModel *model = b->model;
    bool cursor = b->grid->cursor;
    for (uint32_t i = 0; i < model->running_count; i++)
        if (model->running[i].light && (cursor || !model->motion.instant))
            add_job(b, &model->running[i], i);
    if (!cursor && model->moving.light)
        add_moving(b);
}

/* ---- drawing ---- */

/* Letters with bars where there is room for both, else one bar. */
static void draw_cell(const Board *b, const LpArea *area, int x, int y, const Cell *cell) {
    const LpGroupGrid *grid = b->grid;
    const Share *share = cell->share;
    if (cell->lit == 0)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    for (uint32_t i = 0; i < cell->lit && i < b->room; i++) {
        LpStyle style = lp_model_job_style(b->model, share[i].job);
        uint32_t bar = lp_glyph_height(share[i].share, area->canvas->ascii);
        if (grid->width < 3) {
            lp_area_put(area, x, y, cell->lit > 1 ? LP_ROLE_TEXT : style, bar);
        } else {
            lp_letter_put(area, x++, y, style, share[i].job->job->id, share[i].job->letter);
            lp_area_put(area, x++, y, style, bar);
        }
    }
    if (cell->lit > b->room && (grid->cursor || (grid->width >= 4 && grid->width % 2 == 0)))
        lp_area_put(area, x, y, LP_ROLE_MUTED, '+');
}

void lp_view_groups(const LpModel *model, const LpArea *area, const LpGroupGrid *grid) {
    const LpCircuitsState *state = lp_circuits_state(model);
    uint32_t room = grid->width >= 3 ? (uint32_t)(grid->width - 1) / 2 : 1;
    Board b = {model, grid, lp_alloc((size_t)grid->rows * grid->columns + 1, sizeof *b.cell),
               room < JOBS_MOST ? room : JOBS_MOST};
    if (b.cell == NULL) {
        area->canvas->incomplete = true;
        return;
    }
    if (grid->width > 0)
        add_jobs(&b);
    for (uint32_t k = 0; k < grid->columns; k++)
        if (grid->width >= 4 || (grid->width > 0 && k % (uint32_t)(4 / grid->width + 1) == 0))
            lp_area_textf(area, grid->label + (int)k * grid->width, 0, LP_ROLE_MUTED, "g%u",
                          (unsigned)((grid->column + k) * grid->merge));
    for (uint32_t i = 0; i < grid->rows; i++) {
        int y = 1 + (int)i * grid->pitch;
        uint32_t row = grid->row + i;
        lp_area_textf(area, 0, y, LP_ROLE_MUTED, "g%u", (unsigned)(row * grid->merge));
        for (uint32_t k = 0; k < grid->columns && grid->width > 0; k++) {
            int x = grid->label + (int)k * grid->width;
            draw_cell(&b, area, x, y, &b.cell[i * grid->columns + k]);
            if (!grid->cursor || row != state->from || grid->column + k != state->to)
                continue;
            lp_area_choose(area, x, y, grid->width - 1);
        }
    }
    lp_free(b.cell);
}
