/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circuits where they have the screen for themselves: group by group, with a cursor, what each
 * job keeps lit. */
#include "views/circuits/impl.h"

#include <stdio.h>

enum { LABEL = 6, JOBS_MOST = 6, SAYS = 4 };

/* How the board is cut out. */
typedef struct Board {
    uint32_t groups;
    int width;              /* columns of a cell */
    uint32_t row, column;   /* first ones that are seen */
    uint32_t rows, columns; /* seen */
    int pitch;              /* lines from row to row */
} Board;

typedef struct Share {
    const LpRunning *job;
    double share;
} Share;

uint32_t lp_view_board_first(uint32_t count, uint32_t seen, uint32_t cursor) {
    if (count <= seen)
        return 0;
    uint32_t first = cursor > seen / 2 ? cursor - seen / 2 : 0;
    return first > count - seen ? count - seen : first;
}

static int width_of(uint32_t groups, int room) {
    static const int widths[] = {14, 10, 8, 6, 3};
    for (size_t i = 0; i < LP_COUNTOF(widths); i++)
        if ((int)groups * widths[i] <= room)
            return widths[i];
    return 3;
}

static Board board_of(const LpModel *model, int w, int h) {
    const LpCircuitsState *state = lp_circuits_state(model);
    Board b = {.groups = model->context->fabric.groups, .pitch = 1};
    b.width = width_of(b.groups, w - LABEL);
    b.columns = (uint32_t)(w > LABEL + b.width ? (w - LABEL) / b.width : 1);
    b.rows = (uint32_t)(h > 2 ? h - 1 : 1);
    b.columns = b.columns < b.groups ? b.columns : b.groups;
    b.rows = b.rows < b.groups ? b.rows : b.groups;
    b.row = lp_view_board_first(b.groups, b.rows, state->from);
    b.column = lp_view_board_first(b.groups, b.columns, state->to);
    if (b.rows == b.groups && (int)b.rows * 2 <= h)
        b.pitch = 2;
    return b;
}

/* The jobs that light a cell, the brightest first; at most `room`, returns how many in all. */
static uint32_t brightest(const LpModel *model, uint32_t from, uint32_t to, Share *out,
                          uint32_t room) {
    uint32_t count = 0, groups = model->light_groups;
    for (uint32_t i = 0; i < model->running_count; i++) {
        const LpRunning *job = &model->running[i];
        double share = job->light && from < groups && to < groups
                           ? job->light[(size_t)from * groups + to]
                           : 0.0;
        if (!(share > 0.0))
            continue;
        uint32_t at = count < room ? count : room;
        while (at > 0 && out[at - 1].share < share) {
            if (at < room)
                out[at] = out[at - 1];
            at--;
        }
        if (at < room)
            out[at] = (Share){job, share};
        count++;
    }
    return count;
}

static void draw_cell(const LpModel *model, const LpArea *area, const Board *b, int x, int y,
                      uint32_t from, uint32_t to) {
    Share share[JOBS_MOST];
    uint32_t room = (uint32_t)(b->width > 3 ? b->width - 2 : b->width - 1) / 2;
    room = room < JOBS_MOST ? room : JOBS_MOST;
    uint32_t lit = brightest(model, from, to, share, room);
    if (lit == 0)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    for (uint32_t i = 0; i < lit && i < room; i++) {
        LpStyle style = lp_model_job_style(model, share[i].job);
        lp_area_put(area, x + 2 * (int)i, y, style, (uint32_t)lp_letter(share[i].job->letter));
        lp_area_put(area, x + 2 * (int)i + 1, y, style,
                    lp_glyph_height(share[i].share, area->canvas->ascii));
    }
    if (lit > room)
        lp_area_put(area, x + 2 * (int)room, y, LP_ROLE_MUTED, '+');
}

static void draw_board(const LpModel *model, const LpArea *area, const Board *b) {
    const LpCircuitsState *state = lp_circuits_state(model);
    for (uint32_t k = 0; k < b->columns; k++)
        if (b->width >= 5 || k % 2 == 0)
            lp_area_textf(area, LABEL + (int)k * b->width, 0, LP_ROLE_MUTED, "g%u",
                          (unsigned)(b->column + k));
    for (uint32_t i = 0; i < b->rows; i++) {
        int y = 1 + (int)i * b->pitch;
        lp_area_textf(area, 0, y, LP_ROLE_MUTED, "g%u", (unsigned)(b->row + i));
        for (uint32_t k = 0; k < b->columns; k++) {
            int x = LABEL + (int)k * b->width;
            draw_cell(model, area, b, x, y, b->row + i, b->column + k);
            if (b->row + i != state->from || b->column + k != state->to)
                continue;
            lp_area_glyph(area, x - 1, y, LP_ROLE_CURSOR, LP_GLYPH_POINTER);
            lp_area_mark(area, x, y, b->width - 1, LP_REVERSE);
        }
    }
}

/* What is known of the cell under the cursor. */
static void draw_says(const LpModel *model, const LpArea *area) {
    const LpCircuitsState *state = lp_circuits_state(model);
    const LpFabric *f = &model->context->fabric;
    Share share[JOBS_MOST];
    char text[LP_SHOW_TEXT];
    uint32_t lit = brightest(model, state->from, state->to, share, JOBS_MOST);
    const char *arrow = lp_sign(LP_SIGN_ARROW, area->canvas->ascii);
    lp_area_textf(area, 0, 0, LP_ROLE_LABEL,
                  "g%u %s g%u: %u transmitters, %u wavelengths to each of %u racks",
                  (unsigned)state->from, arrow, (unsigned)state->to,
                  (unsigned)(f->racks * f->per_rack), (unsigned)f->per_rack, (unsigned)f->racks);
    int x = lp_area_text(area, 0, 1, LP_ROLE_TEXT,
                         lit ? "lit, in shares of a training step:"
                             : "dark: no job that runs lights it");
    for (uint32_t i = 0; i < lit && i < JOBS_MOST && x + 16 < area->rect.w; i++)
        x = lp_area_textf(area, x + 2, 1, lp_model_job_style(model, share[i].job), "%c job %u %s",
                          lp_letter(share[i].job->letter), (unsigned)share[i].job->job->id,
                          lp_show_percent(share[i].share, text));
    lp_area_fit(area, 0, SAYS - 1, area->rect.w, LP_ROLE_MUTED,
                "arrows move  Enter transmitter by wavelength, circuit by circuit");
}

void lp_view_lights(const LpModel *model, const LpArea *area) {
    const LpTally *tally = lp_world_tally(model->world);
    char title[160];
    snprintf(title, sizeof title, "CIRCUITS share of a step lit, row %s column: %u in use",
             lp_sign(LP_SIGN_ARROW, area->canvas->ascii), (unsigned)tally->lit_circuits);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int says = inside.rect.h >= 9 ? SAYS : 0;
    LpArea board = lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, inside.rect.h - says});
    LpArea below = lp_area_part(&inside, (LpRect){0, inside.rect.h - says, inside.rect.w, says});
    if (board.rect.w <= 0 || board.rect.h <= 0)
        return;
    Board b = board_of(model, board.rect.w, board.rect.h);
    draw_board(model, &board, &b);
    draw_says(model, &below);
}
