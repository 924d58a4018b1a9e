/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups by groups: in each cell the jobs that light it, the brightest first, with a bar for each.
 */
#include "views/circuits/groups.h"

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

/* The jobs that light a cell most, at most `room`; returns how many there are in all. */
static uint32_t strongest(const LpModel *model, const LpGroupGrid *grid, uint32_t row,
                          uint32_t column, Share *out, uint32_t room) {
    uint32_t lit = 0, jobs = model->running_count + !grid->cursor;
    for (uint32_t i = 0; i < jobs; i++) {
        const LpRunning *job = i < model->running_count ? &model->running[i] : &model->moving;
        if (!job->light || (model->motion.instant && !grid->cursor && job != &model->moving))
            continue;
        Share share = {job, share_of(model, job, grid->merge, row, column)};
        if (!(share.share > 0.0))
            continue;
        uint32_t at = lit < room ? lit : room;
        while (at > 0 && rank_of(model, &out[at - 1]) < rank_of(model, &share)) {
            if (at < room)
                out[at] = out[at - 1];
            at--;
        }
        if (at < room)
            out[at] = share;
        lit++;
    }
    return lit;
}

/* ---- drawing ---- */

/* Letters with bars where there is room for both, else one bar. */
static void draw_cell(const LpModel *model, const LpArea *area, const LpGroupGrid *grid, int x,
                      int y, uint32_t row, uint32_t column) {
    Share share[JOBS_MOST];
    uint32_t room = grid->width >= 3 ? (uint32_t)(grid->width - 1) / 2 : 1;
    room = room < JOBS_MOST ? room : JOBS_MOST;
    uint32_t lit = strongest(model, grid, row, column, share, room);
    if (lit == 0)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    for (uint32_t i = 0; i < lit && i < room; i++) {
        LpStyle style = lp_model_job_style(model, share[i].job);
        uint32_t bar = lp_glyph_height(share[i].share, area->canvas->ascii);
        if (grid->width < 3) {
            lp_area_put(area, x, y, lit > 1 ? LP_ROLE_TEXT : style, bar);
        } else {
            lp_letter_put(area, x++, y, style, share[i].job->job->id, share[i].job->letter);
            lp_area_put(area, x++, y, style, bar);
        }
    }
    if (lit > room && (grid->cursor || (grid->width >= 4 && grid->width % 2 == 0)))
        lp_area_put(area, x, y, LP_ROLE_MUTED, '+');
}

void lp_view_groups(const LpModel *model, const LpArea *area, const LpGroupGrid *grid) {
    const LpCircuitsState *state = lp_circuits_state(model);
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
            draw_cell(model, area, grid, x, y, row, grid->column + k);
            if (!grid->cursor || row != state->from || grid->column + k != state->to)
                continue;
            lp_area_choose(area, x, y, grid->width - 1);
        }
    }
}
