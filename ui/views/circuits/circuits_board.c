/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circuit board: from group (row) to group (column), the share of a training step that each job
 * keeps light paths lit. */
#include "views/circuits/circuits_view_impl.h"

#include <stdio.h>

/* How groups become cells. */
typedef struct Grid {
    uint32_t side;  /* cells of a row */
    uint32_t merge; /* groups of a cell, each way */
    int width;      /* columns of a cell */
    int label;      /* columns of a row's label */
    int pitch;      /* lines from a row to the next */
} Grid;

enum { CELL_MOST = 13, JOBS_MOST = 6 };

/* How much of a step one job lights a cell. */
typedef struct Share {
    const LpRunning *job;
    double share;
} Share;

static uint32_t board_groups(const LpModel *model) {
    return model->light_groups ? model->light_groups : model->board.groups;
}

static Grid choose(uint32_t groups, int width, int height) {
    Grid grid = {groups, 1, 0, 7, 1};
    int rows = height > 1 ? height - 1 : 1;
    while (grid.merge < groups && ((int)grid.side > rows || (int)grid.side > width - grid.label)) {
        grid.merge++;
        grid.side = (groups + grid.merge - 1) / grid.merge;
    }
    grid.width = (width - grid.label) / (int)grid.side;
    if (grid.width > CELL_MOST)
        grid.width = CELL_MOST;
    if ((int)grid.side * 2 - 1 <= rows)
        grid.pitch = 2;
    return grid;
}

/* Mean over the groups that are merged into the cell. */
static double share_of(const LpRunning *job, uint32_t groups, const Grid *grid, uint32_t row,
                       uint32_t column) {
    double sum = 0.0;
    uint32_t count = 0;
    for (uint32_t i = row * grid->merge; i < groups && i < (row + 1) * grid->merge; i++)
        for (uint32_t j = column * grid->merge; j < groups && j < (column + 1) * grid->merge; j++) {
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
static uint32_t strongest(const LpModel *model, const Grid *grid, uint32_t row, uint32_t column,
                          Share *out, uint32_t room) {
    uint32_t groups = board_groups(model), lit = 0;
    for (uint32_t i = 0; i <= model->running_count; i++) {
        const LpRunning *job = i < model->running_count ? &model->running[i] : &model->moving;
        if (!job->light || (model->motion.instant && job != &model->moving))
            continue;
        Share share = {job, share_of(job, groups, grid, row, column)};
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

/* Letters with bars where there is room for both, else one letter or one bar. */
static void draw_cell(const LpModel *model, const LpArea *area, const Grid *grid, int x, int y,
                      uint32_t row, uint32_t column) {
    Share share[JOBS_MOST];
    bool ascii = area->canvas->ascii;
    uint32_t room = grid->width >= 3 ? (uint32_t)(grid->width - 1) / 2 : 1;
    room = room < JOBS_MOST ? room : JOBS_MOST;
    uint32_t lit = strongest(model, grid, row, column, share, room);
    if (lit == 0)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    for (uint32_t i = 0; i < lit && i < room; i++) {
        LpStyle style = lp_model_job_style(model, share[i].job);
        uint32_t bar = lp_glyph_height(share[i].share, ascii);
        if (grid->width < 3) {
            lp_area_put(area, x, y, lit > 1 ? LP_ROLE_TEXT : style, bar);
        } else {
            lp_area_put(area, x++, y, style, (uint32_t)lp_letter(share[i].job->letter));
            lp_area_put(area, x++, y, style, bar);
        }
    }
    if (lit > room && grid->width >= 4 && grid->width % 2 == 0)
        lp_area_put(area, x, y, LP_ROLE_MUTED, '+');
}

static void draw_headings(const LpArea *area, const Grid *grid) {
    for (uint32_t i = 0; i < grid->side; i++) {
        int x = grid->label + (int)i * grid->width;
        if (grid->width >= 4 || (grid->width > 0 && i % (uint32_t)(4 / grid->width + 1) == 0))
            lp_area_textf(area, x, 0, LP_ROLE_MUTED, "g%u", (unsigned)(i * grid->merge));
    }
}

static void print_title(const LpModel *model, const Grid *grid, bool ascii, LpBuf *out) {
    char at[LP_SHOW_TEXT], step[LP_SHOW_TEXT];
    if (model->motion.instant) {
        lp_buf_addf(out, "CIRCUITS lit %s into a step of %s, row %s col",
                    lp_show_seconds(model->motion.at, at),
                    lp_show_seconds(model->motion.step_time, step), lp_sign(LP_SIGN_ARROW, ascii));
        return;
    }
    if (grid->merge > 1)
        lp_buf_addf(out, "CIRCUITS share lit%s, cell: mean of %ux%u groups",
                    ascii ? " in eighths" : "", (unsigned)grid->merge, (unsigned)grid->merge);
    else
        lp_buf_addf(out, "CIRCUITS share of a step lit%s, row %s col", ascii ? " in eighths" : "",
                    lp_sign(LP_SIGN_ARROW, ascii));
}

static void draw_line(const LpModel *model, const LpArea *area) {
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "circuits");
    lp_area_textf(area, x + 1, 0, LP_ROLE_TEXT, "%u lit", (unsigned)lp_model_lit(model));
}

static void draw_light(const LpModel *model, const LpArea *area) {
    LpBuf title = {0};
    uint32_t groups = board_groups(model);
    if (lp_view_turning(model, area) || lp_view_transmitters(model, area))
        return;
    Grid grid = choose(groups, area->rect.w - 2, area->rect.h - 1);
    print_title(model, &grid, area->canvas->ascii, &title);
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    lp_area_done(area, &title);
    draw_headings(&inside, &grid);
    for (uint32_t row = 0; row < grid.side; row++) {
        int y = 1 + (int)row * grid.pitch;
        lp_area_textf(&inside, 0, y, LP_ROLE_MUTED, "g%u", (unsigned)(row * grid.merge));
        for (uint32_t column = 0; column < grid.side && grid.width > 0; column++)
            draw_cell(model, &inside, &grid, grid.label + (int)column * grid.width, y, row, column);
    }
}

void lp_view_circuits(const LpModel *model, const LpArea *area) {
    static void (*const boards[LP_BOARD_JOINS])(const LpModel *, const LpArea *) = {
        [LP_BOARD_LIGHT] = draw_light,
        [LP_BOARD_SLICES] = lp_view_slices,
        [LP_BOARD_PORTS] = lp_view_ports,
        [LP_BOARD_LINKS] = lp_view_links,
    };
    if (area->rect.h < 3 && !lp_board_shares(&model->board))
        draw_line(model, area);
    else
        boards[model->board.joins](model, area);
}

int lp_view_circuits_width(const LpBoardPlan *plan) {
    uint32_t groups = plan->groups < 16 ? plan->groups : 16;
    if (lp_board_shares(plan))
        return 76; /* two columns of circuits, ways between zones, links by name */
    return 5 + (int)groups * (int)(plan->servers / plan->groups + 7);
}

int lp_view_circuits_rows(const LpBoardPlan *plan) {
    enum { RACK = 10, SITES = 9 }; /* the pictures of ports, and of sites */
    return plan->sites ? SITES : plan->joins == LP_BOARD_PORTS ? RACK : 0;
}
