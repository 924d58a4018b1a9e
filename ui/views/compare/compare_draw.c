/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two clusters at the same time: a board of each, drawn as everywhere, the curves of both in one
 * chart, and numbers beside each other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/compare/compare_view_impl.h"

enum {
    BESIDE_COLS = 110, /* curves and numbers stand between the clusters from here on */
    BESIDE_ROWS = 28,
    TABLE_ROWS = 12, /* with its heading */
    WAIT_ROWS = 5,   /* of it where somebody waited */
    TABLE_COLS = 42,
    TABLE_LEAST = 6, /* of its rows that are worth showing */
    LOW_COLS = 78,
    LIST_LEAST = 4,
    WHOLE_ROWS = 2
};

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

/* ---- a cluster ---- */

/* What the cluster does with the job in focus. */
static void print_focus(const LpModel *model, const LpCompareSide *side, LpBuf *out) {
    char name[LP_WORDS_JOB];
    uint32_t job = model->focus;
    if (job == LP_NO_INDEX || job >= lp_world_jobs(side->model->world))
        return;
    lp_buf_addf(out, " %s ", lp_words_job(model, lp_world_job(model->world, job), name));
    lp_compare_fate(side, model, job, LP_FATE_BRIEF, out);
    lp_buf_add(out, " ");
}

/* "1 main meets-deadline ---- I takes 2 ways": over the board's own heading. */
static void draw_head(const LpModel *model, const LpCompareSides *s, int i, const LpArea *area) {
    const LpCompareSide *side = &s->side[i];
    LpArea line = lp_area_part(area, (LpRect){0, 0, area->rect.w, 1});
    char name[64], policy[64], title[160];
    LpBuf focus = {0};
    lp_str_copy(name, sizeof name, side->name);
    lp_str_copy(policy, sizeof policy, side->policy);
    snprintf(title, sizeof title, "%d %s", i + 1, name);
    print_focus(model, side, &focus);
    int room = area->rect.w - 3 - lp_text_width(lp_buf_text(&focus));
    bool told = strcmp(name, policy) == 0; /* it was named after its policy */
    if (!told && lp_text_width(title) + lp_text_width(policy) + 6 <= room)
        snprintf(title, sizeof title, "%d %s (%s)", i + 1, name, policy);
    else if (room > 12 && lp_text_width(title) > room)
        snprintf(title, sizeof title, "%d %.*s", i + 1, (int)lp_text_prefix(name, room - 2), name);
    lp_area_clear(&line);
    lp_area_heading(&line, title);
    lp_area_heading_note(&line, title, area->rect.w, LP_ROLE_PENDING, lp_buf_text(&focus));
    lp_area_done(area, &focus);
}

/* What is clicked there is not of the present branch: servers are those of the other one, all else
 * is of none. */
static void mark_other(const LpArea *area) {
    for (int y = 0; y < area->rect.h; y++)
        for (int x = 0; x < area->rect.w; x++) {
            const LpCell *cell = lp_canvas_at(area->canvas, area->rect.x + x, area->rect.y + y);
            LpRect at = {x, y, 1, 1};
            if (cell != NULL && cell->hit == LP_HIT_SERVER)
                lp_area_hit(area, at, LP_HIT_OTHER, cell->what);
            else if (cell != NULL && cell->hit == LP_HIT_LIGHT)
                lp_area_hit(area, at, LP_HIT_OTHER, cell->what / LP_HIT_PATHS);
            else
                lp_area_hit(area, at, LP_HIT_NONE, 0);
        }
}

static void draw_board(const LpModel *model, const LpCompareSides *s, int i, LpPane pane,
                       const LpArea *area) {
    lp_view_part(s->side[i].model, pane, area);
    if (s->side[i].model != model)
        mark_other(area);
}

/* Rows that a board of servers needs. */
static int board_rows(const LpModel *model) {
    const LpView *view = model->views[LP_PANE_SERVERS];
    int rows = view->rows ? view->rows(&model->board) : 4;
    return max_int(rows, 2) + 2;
}

/* Servers, circuits and jobs below each other, as far as there is room. */
static void draw_column(const LpModel *model, const LpCompareSides *s, int i, const LpArea *area) {
    bool circuits = lp_compare_state(model)->circuits;
    LpPane first = circuits ? LP_PANE_CIRCUITS : LP_PANE_SERVERS;
    LpPane second = circuits ? LP_PANE_SERVERS : LP_PANE_CIRCUITS;
    int h = area->rect.h, want = board_rows(model), twice = 2 * want - 2;
    int one = h >= 2 * twice + 8 ? twice : h >= 2 * want ? min_int(want, h / 2) : h;
    int jobs = h - 2 * one - 1 >= 4 ? h - 2 * one - 1 : 0;
    LpArea part = lp_area_part(area, (LpRect){0, 0, area->rect.w, one});
    draw_board(model, s, i, first, &part);
    draw_head(model, s, i, &part);
    if (h - one < 4)
        return;
    part = lp_area_part(area, (LpRect){0, one, area->rect.w, jobs ? one : h - one});
    draw_board(model, s, i, second, &part);
    part = lp_area_part(area, (LpRect){0, 2 * one + 1, area->rect.w, jobs});
    if (jobs)
        draw_board(model, s, i, LP_PANE_JOBS, &part);
}

/* ---- curves ---- */

static void draw_curves(const LpModel *model, const LpArea *area) {
    LpArea below =
        lp_area_heading(area, model->ui->completed_only ? "JCT of done: done within x"
                                                        : "JCT of arrived: done within x");
    lp_view_part(model, LP_PANE_CURVE, &below);
}

/* ---- all of it ---- */

/* Few rows: the boards, and the numbers beside them. */
static void draw_low(const LpModel *model, const LpCompareSides *s, const LpArea *area) {
    int w = area->rect.w, h = area->rect.h, numbers = h >= TABLE_LEAST && w >= LOW_COLS;
    int boards = w - (numbers ? TABLE_COLS : 0), left = boards / 2;
    LpPane pane = lp_compare_state(model)->circuits ? LP_PANE_CIRCUITS : LP_PANE_SERVERS;
    for (int i = 0; i < 2; i++) {
        LpArea part = lp_area_part(area, (LpRect){i * left, 0, i ? boards - left : left, h});
        draw_board(model, s, i, pane, &part);
        draw_head(model, s, i, &part);
    }
    LpArea table = lp_area_part(area, (LpRect){boards, 0, w - boards, h});
    if (numbers)
        lp_compare_table(model, s, &table);
}

/* Left 1, right 2, curves and numbers between; below, the jobs that differ. */
static void draw_beside(const LpModel *model, const LpCompareSides *s, const LpArea *area) {
    int w = area->rect.w, h = area->rect.h, middle = min_int(w * 3 / 10, 70);
    int side = (w - middle) / 2, list = min_int(max_int(h / 4, LIST_LEAST + 1), 16);
    middle = w - 2 * side;
    int top = h - list - WHOLE_ROWS,
        rows = TABLE_ROWS + (lp_compare_facts(model)->waited ? WAIT_ROWS : 0);
    int table = min_int(rows, top / 2);
    for (int i = 0; i < 2; i++) {
        LpArea part = lp_area_part(area, (LpRect){i * (side + middle), 0, side, top});
        draw_column(model, s, i, &part);
    }
    LpArea curve = lp_area_part(area, (LpRect){side, 0, middle, top - table});
    LpArea numbers = lp_area_part(area, (LpRect){side, top - table, middle, table});
    LpArea jobs = lp_area_part(area, (LpRect){0, top, w, list});
    LpArea whole = lp_area_part(area, (LpRect){0, top + list, w, WHOLE_ROWS});
    draw_curves(model, &curve);
    lp_compare_table(model, s, &numbers);
    lp_compare_list(model, s, &jobs);
    lp_compare_whole(model, &whole);
}

/* The boards on top of the curves and numbers; below, the jobs that differ where there is room. */
static void draw_stacked(const LpModel *model, const LpCompareSides *s, const LpArea *area) {
    int w = area->rect.w, h = area->rect.h, left = w / 2;
    LpPane pane = lp_compare_state(model)->circuits ? LP_PANE_CIRCUITS : LP_PANE_SERVERS;
    int board = min_int(board_rows(model), h - TABLE_ROWS);
    int spare = h - board - TABLE_ROWS - LIST_LEAST;
    int more = lp_compare_facts(model)->waited ? max_int(min_int(spare, WAIT_ROWS), 0) : 0;
    int list = spare >= 0 ? spare + LIST_LEAST - more : 0;
    int below = h - board - list, table = w - TABLE_COLS > left ? w - TABLE_COLS : left;
    for (int i = 0; i < 2; i++) {
        LpArea part = lp_area_part(area, (LpRect){i * left, 0, i ? w - left : left, board});
        draw_board(model, s, i, pane, &part);
        draw_head(model, s, i, &part);
    }
    LpArea curve = lp_area_part(area, (LpRect){0, board, table, below});
    LpArea numbers = lp_area_part(area, (LpRect){table, board, w - table, below});
    LpArea jobs = lp_area_part(area, (LpRect){0, board + below, w, list});
    draw_curves(model, &curve);
    lp_compare_table(model, s, &numbers);
    lp_compare_list(model, s, &jobs);
}

void lp_view_compare(const LpModel *model, const LpArea *area) {
    LpCompareSides sides;
    if (!lp_compare_sides(model, &sides)) {
        LpArea box = lp_area_heading(area, "COMPARE");
        char text[120];
        lp_area_fit(&box, 1, 0, box.rect.w - 1, LP_ROLE_MUTED,
                    lp_keymap_text(model->ui->keymap,
                                   "there is nothing to compare with yet: {compare} chooses it",
                                   text, sizeof text));
        return;
    }
    bool beside = area->rect.w >= BESIDE_COLS && area->rect.h >= BESIDE_ROWS;
    bool low = area->rect.h < TABLE_ROWS + 3;
    (beside ? draw_beside : low ? draw_low : draw_stacked)(model, &sides, area);
}
