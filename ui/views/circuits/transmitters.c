/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of circuits where every server has a transmitter towards every group: each cell is the
 * transmitters of the row's group towards the column's group, in the order of the servers. A letter
 * is the job that lights it, so what is written can be counted. */
#include <stdio.h>

#include "board/cell_size.h"
#include "views/circuits/circuits_view_impl.h"

typedef struct Board {
    uint32_t groups, per_group; /* servers of a group: transmitters of a cell */
    int label, gap, pitch;      /* columns of a row's label, between cells; lines of a row */
    int apart;                  /* columns from one transmitter to the next */
} Board;

enum {
    LABEL = 5,
    GAP_LEAST = 1,
    GAP_MOST = 7,
    GAP_SPACED = 3, /* between cells whose letters are spaced, at least */
    ROWS_MOST = 4   /* letters, bars, how many of them are lit, air */
};

static bool choose(const LpBoardPlan *plan, int width, int height, Board *b) {
    *b = (Board){
        plan->groups, plan->groups > 0 ? plan->servers / plan->groups : 0, LABEL, GAP_MOST, 1, 2};
    if (b->groups == 0 || plan->servers % plan->groups != 0 || (int)b->groups + 1 > height ||
        b->per_group > (uint32_t)width)
        return false;
    int cell = (int)b->per_group * b->apart;
    if (b->label + (int)b->groups * (cell + GAP_SPACED) - GAP_SPACED > width) {
        b->apart = 1;
        cell = (int)b->per_group;
    }
    while (b->gap >= GAP_LEAST && b->label + (int)b->groups * (cell + b->gap) - b->gap > width)
        b->gap--;
    b->pitch = lp_cell_rows(height - 1, (int)b->groups, b->apart > 1 ? ROWS_MOST : 2);
    return b->gap >= GAP_LEAST;
}

int lp_view_transmitters_tall(const LpBoardPlan *plan, int width, int most) {
    Board b;
    return choose(plan, width - 2, most, &b) ? 1 + (int)b.groups * b.pitch : 0;
}

int lp_view_transmitters_width(const LpBoardPlan *plan) {
    int per_group = plan->groups > 0 ? (int)(plan->servers / plan->groups) : 0;
    return LABEL + (int)plan->groups * (per_group + GAP_LEAST) - GAP_LEAST;
}

static int column_of(const Board *b, uint32_t group) {
    return b->label + (int)group * ((int)b->per_group * b->apart + b->gap);
}

/* Columns of a cell. */
static int width_of(const Board *b) {
    return (int)b->per_group * b->apart - (b->apart > 1);
}

/* A letter, and how long it is lit one row below. */
static void put(const LpModel *model, const LpArea *area, const Board *b, const LpRunning *job,
                const LpTransmitter *tx) {
    uint32_t row = tx->server / b->per_group;
    int x = column_of(b, tx->group) + (int)(tx->server % b->per_group) * b->apart;
    int y = 1 + (int)row * b->pitch;
    bool newest = model->motion.instant && job == &model->moving;
    lp_letter_put(area, x, y, lp_model_fill(model, job->job->id), job->job->id, job->letter);
    lp_area_hit(area, (LpRect){x, y, 1, 1}, LP_HIT_LIGHT, LP_HIT_PATHS * tx->server + tx->group);
    if (b->pitch < 2 || newest)
        return;
    if (lp_model_is_newest(model, job, tx)) {
        lp_area_glyph(area, x, y + 1, LP_ROLE_PENDING, LP_GLYPH_AT);
        return;
    }
    bool quiet = lp_model_is_quiet(model, job->job->id);
    lp_area_put(area, x, y + 1, quiet ? (LpStyle)LP_ROLE_MUTED : lp_model_ink(model, job->job->id),
                lp_glyph_height(tx->share, area->canvas->ascii));
}

/* "7 of 8 lit" below the cells that send at all. */
static void draw_counts(const LpModel *model, const LpArea *area, const Board *b) {
    for (uint32_t i = 0; i < b->groups * b->groups && b->pitch > 2; i++) {
        uint32_t lit = 0, row = i / b->groups, column = i % b->groups;
        for (uint32_t k = 0; k < model->running_count && !model->motion.instant; k++) {
            const LpRunning *job = &model->running[k];
            for (uint32_t t = 0; t < job->txs; t++)
                lit += job->tx[t].server / b->per_group == row && job->tx[t].group == column;
        }
        char text[40];
        snprintf(text, sizeof text, "%u of %u lit", (unsigned)lit, (unsigned)b->per_group);
        if (lit > 0 && lp_text_width(text) < width_of(b) + b->gap)
            lp_area_text(area, column_of(b, column), 3 + (int)row * b->pitch, LP_ROLE_MUTED, text);
    }
}

static void put_job(const LpModel *model, const LpArea *area, const Board *b,
                    const LpRunning *job) {
    for (uint32_t i = 0; i < job->txs; i++)
        if (job->tx[i].server < b->groups * b->per_group &&
            lp_model_shines(model, job, &job->tx[i]))
            put(model, area, b, job, &job->tx[i]);
}

/* Where a group's column is named. */
static int name_column(const Board *b, uint32_t group) {
    return column_of(b, group) + (width_of(b) >= 7);
}

/* The row and the column of the light that is newest; the area has one column before the rows. */
static void draw_crosshair(const LpModel *model, const LpArea *area, const Board *b) {
    const LpRunning *job = &model->moving;
    for (uint32_t i = 0; i < job->txs; i++) {
        const LpTransmitter *tx = &job->tx[i];
        uint32_t row = tx->server / b->per_group;
        if (!lp_model_is_newest(model, job, tx) || row >= b->groups)
            continue;
        lp_area_glyph(area, 0, 1 + (int)row * b->pitch, LP_ROLE_PENDING, LP_GLYPH_POINTER);
        lp_area_glyph(area, name_column(b, tx->group), 0, LP_ROLE_PENDING, LP_GLYPH_DOWN);
    }
}

/* The cell that arrows move, where the board has the screen for itself. */
static void draw_cursor(const LpModel *model, const LpArea *area, const Board *b) {
    const LpCircuitsState *state = lp_circuits_state(model);
    if (model->ui->only != LP_PANE_CIRCUITS || state->from >= b->groups || state->to >= b->groups)
        return;
    int x = 1 + column_of(b, state->to), y = 1 + (int)state->from * b->pitch;
    lp_area_choose(area, x, y, width_of(b));
}

/* "to g0" over the columns, "g0" before the rows, and a dot for every transmitter. */
static void draw_frame(const LpArea *area, const Board *b) {
    for (uint32_t g = 0; g < b->groups; g++) {
        int x = name_column(b, g), y = 1 + (int)g * b->pitch;
        if (width_of(b) + b->gap >= 6)
            lp_area_textf(area, x, 0, LP_ROLE_MUTED, "to g%u", (unsigned)g);
        else if (width_of(b) + b->gap >= 4)
            lp_area_textf(area, x, 0, LP_ROLE_MUTED, "g%u", (unsigned)g);
        lp_area_textf(area, 0, y, LP_ROLE_MUTED, "g%u", (unsigned)g);
        for (uint32_t i = 0; i < b->groups * b->per_group; i++)
            lp_area_glyph(area, column_of(b, i / b->per_group) + (int)(i % b->per_group) * b->apart,
                          y, LP_ROLE_FREE, LP_GLYPH_FREE);
    }
}

/* The title that fits into `width` columns. */
static const char *title_of(const LpModel *model, int width) {
    if (model->motion.instant)
        return "CIRCUITS lit at this instant of a step";
    if (model->board.groups == 1)
        return "CIRCUITS one transmitter a server";
    return width >= 56   ? "CIRCUITS transmitters of the row, lit to the column"
           : width >= 50 ? "CIRCUITS transmitters of row, lit to column"
                         : "CIRCUITS from row to column";
}

bool lp_view_transmitters(const LpModel *model, const LpArea *area) {
    const LpBoardPlan *plan = &model->board;
    Board b;
    if (area->rect.h < 3 || !choose(plan, area->rect.w - 2, area->rect.h - 1, &b))
        return false;
    LpArea box = lp_area_heading(area, title_of(model, area->rect.w));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    draw_frame(&inside, &b);
    for (uint32_t i = 0; i < model->running_count && !model->motion.instant; i++)
        put_job(model, &inside, &b, &model->running[i]);
    put_job(model, &inside, &b, &model->moving);
    draw_counts(model, &inside, &b);
    draw_crosshair(model, &box, &b);
    draw_cursor(model, &box, &b);
    return true;
}
