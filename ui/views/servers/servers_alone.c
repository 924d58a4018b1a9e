/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The servers where they have the screen for themselves: a letter and a height per server, rack or
 * group, and a cursor. */
#include "views/servers/servers_view_impl.h"

#include <stdio.h>

#include "board/fleet_grid.h"

enum { SIDE_COLS = 118, SIDE = 46, WIDE_COLS = 160, WIDE = 68, BELOW_MOST = 9 };

/* How the inside of the box is shared out. */
typedef struct Parts {
    LpRect board, details; /* w or h 0: none */
} Parts;

static Parts share_out(int w, int h) {
    Parts parts = {{0, 0, w, h}, {0, 0, 0, 0}};
    if (w >= SIDE_COLS) {
        int side = w >= WIDE_COLS ? WIDE : SIDE;
        parts.board.w = w - side - 2;
        parts.details = (LpRect){w - side, 0, side, h};
    } else if (h >= 6) {
        int below = h / 2 < BELOW_MOST ? h / 2 : BELOW_MOST;
        parts.board.h = h - below;
        parts.details = (LpRect){0, h - below, w, below};
    }
    return parts;
}

/* The first line of the board is for headings where there is room. */
static int heading_of(const Parts *parts) {
    return parts->board.h >= 4;
}

static LpFleetGrid grid_of(const LpModel *model, const Parts *parts) {
    const LpFleet *fleet = &lp_servers_facts(model)->fleet;
    const LpServersState *state = lp_servers_state(model);
    int w = parts->board.w, h = parts->board.h - heading_of(parts);
    bool asked = state->zoomed && lp_fleet_has(fleet, state->level);
    return lp_fleet_grid(fleet, asked ? state->level : lp_fleet_grid_level(fleet, w, h), w, h);
}

LpFleetGrid lp_view_fleet_grid(const LpModel *model, int cols, int rows) {
    Parts parts = share_out(cols - 3, rows - 5);
    return grid_of(model, &parts);
}

uint32_t lp_view_fleet_cell(const LpModel *model, LpFleetLevel level) {
    const LpFleet *fleet = &lp_servers_facts(model)->fleet;
    uint32_t server = lp_servers_state(model)->cursor;
    return lp_fleet_unit(fleet, level, fleet->place[server < fleet->servers ? server : 0]);
}

/* ---- cells ---- */

static void put_letter(const LpModel *model, const LpArea *area, int x, int y,
                       const LpServersSum *sum, uint32_t pending) {
    int letter = lp_letters_of(&model->letters, sum->job);
    if (pending)
        lp_letter_put(area, x, y, LP_ROLE_PENDING, model->decision.job, lp_model_deciding(model));
    else if (sum->broken)
        lp_area_glyph(area, x, y, LP_ROLE_BAD, LP_GLYPH_BROKEN);
    else if (sum->busy == 0)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    else if (sum->jobs > 1)
        lp_area_put(area, x, y, LP_ROLE_TEXT, '+');
    else
        lp_letter_put(area, x, y, lp_letter_hue(sum->job), sum->job, letter);
}

static void put_bar(const LpModel *model, const LpArea *area, int x, int y,
                    const LpServersSum *sum) {
    LpStyle style = sum->jobs > 1 ? (LpStyle)LP_ROLE_TEXT : lp_letter_hue(sum->job);
    double share = lp_servers_share(sum, lp_servers_state(model)->fill);
    if (sum->busy > 0)
        lp_area_put(area, x, y, style, lp_glyph_height(share, area->canvas->ascii));
}

static void draw_cell(const LpModel *model, const LpArea *area, const LpFleetGrid *grid, int x,
                      int y, uint32_t cell) {
    const LpFleet *fleet = grid->fleet;
    uint32_t from = lp_fleet_begin(fleet, grid->level, cell);
    uint32_t end = lp_fleet_begin(fleet, grid->level, cell + 1);
    if (from == end)
        return;
    LpServersSum sum = lp_servers_sum(lp_servers_facts(model), model->session, from, end);
    uint32_t pending = 0;
    for (uint32_t p = from; model->pending_count && p < end; p++)
        pending += lp_model_is_pending(model, lp_servers_facts(model)->fleet.server[p]);
    bool bar = grid->width == 1 && sum.jobs > 1 && !pending && !sum.broken;
    if (bar)
        put_bar(model, area, x, y, &sum);
    else
        put_letter(model, area, x, y, &sum, pending);
    if (grid->width > 1)
        put_bar(model, area, x + 1, y, &sum);
}

/* ---- lines ---- */

/* What a line begins with: its parent, else the rack that begins there, else a number. */
static void print_label(const LpModel *model, const LpFleetGrid *grid, uint32_t first, LpBuf *out) {
    const LpFleet *fleet = grid->fleet;
    uint32_t place = lp_fleet_begin(fleet, grid->level, first);
    bool nested = grid->parent != LP_FLEET_LEVELS;
    uint32_t parent = nested ? lp_fleet_unit(fleet, grid->parent, place) : 0;
    bool begins = nested && lp_fleet_begin(fleet, grid->parent, parent) == place;
    if (begins && grid->parent == LP_FLEET_GROUPS && (grid->deep == 1 || !fleet->plan.rack))
        lp_buf_addf(out, "%c%u", fleet->plan.group[0], (unsigned)parent);
    else if (begins && grid->parent == LP_FLEET_RACKS)
        lp_fleet_name(fleet, model->context, grid->parent, parent, out);
    else if (grid->level == LP_FLEET_GROUPS)
        lp_buf_addf(out, "%c%u", fleet->plan.group[0], (unsigned)first);
    else if (grid->level == LP_FLEET_RACKS && grid->parent == LP_FLEET_GROUPS)
        lp_fleet_name(fleet, model->context, grid->level, first, out);
    else if (fleet->plan.rack &&
             lp_fleet_begin(fleet, LP_FLEET_RACKS, lp_fleet_unit(fleet, LP_FLEET_RACKS, place)) ==
                 place)
        lp_fleet_name(fleet, model->context, LP_FLEET_RACKS,
                      lp_fleet_unit(fleet, LP_FLEET_RACKS, place), out);
    else if (!nested)
        lp_buf_addf(out, "%u", (unsigned)place);
}

static void draw_cursor(const LpArea *area, const LpFleetGrid *grid, int x, int y) {
    lp_area_choose(area, x, y, grid->width);
}

/* For the mouse: its first server, so that the cursor goes there. */
static void mark_cell(const LpArea *area, const LpFleetGrid *grid, int x, int y, uint32_t cell) {
    uint32_t place = lp_fleet_begin(grid->fleet, grid->level, cell);
    if (place < grid->fleet->servers)
        lp_area_hit(area, (LpRect){x, y, grid->width, 1}, LP_HIT_SERVER,
                    grid->fleet->server[place]);
}

static void draw_line(const LpModel *model, const LpArea *area, const LpFleetGrid *grid, int line,
                      int y, uint32_t marked) {
    for (int t = 0; t < grid->side; t++) {
        uint32_t first;
        int x;
        uint32_t count = lp_fleet_grid_line(grid, line, t, &first, &x);
        if (count == 0)
            continue;
        LpBuf name = {0};
        print_label(model, grid, first, &name);
        lp_area_fit(area, x, y, grid->label - 1, LP_ROLE_MUTED, lp_buf_text(&name));
        lp_area_done(area, &name);
        for (uint32_t k = 0; k < count; k++) {
            int at = x + grid->label + lp_fleet_grid_offset(grid, k);
            if (at >= area->rect.w)
                break;
            draw_cell(model, area, grid, at, y, first + k);
            if (first + k == marked)
                draw_cursor(area, grid, at, y);
            mark_cell(area, grid, at, y, first + k);
        }
    }
}

static void draw_board(const LpModel *model, const LpArea *area, const LpFleetGrid *grid,
                       int heading) {
    uint32_t marked = lp_view_fleet_cell(model, grid->level);
    int h = area->rect.h - heading, line, x;
    int pitch = grid->lines * 2 - 1 <= h ? 2 : 1;
    lp_fleet_grid_find(grid, marked, &line, &x);
    int top = grid->lines <= h ? 0 : line - h / 2;
    top = top > grid->lines - h ? grid->lines - h : top;
    top = top < 0 ? 0 : top;
    for (int i = top; i < grid->lines && (i - top) * pitch < h; i++)
        draw_line(model, area, grid, i, heading + (i - top) * pitch, marked);
}

/* "rack 0  rack 1" above the blocks, or how much is seen. */
static void draw_heading(const LpModel *model, const LpArea *area, const LpFleetGrid *grid, int h) {
    char a[LP_SHOW_TEXT], key[16];
    if (grid->lines > h) {
        lp_area_textf(area, 0, 0, LP_ROLE_WAIT,
                      "%s lines, not all seen: moving scrolls, %s zooms out",
                      lp_show_count((uint64_t)grid->lines, a),
                      lp_keymap_key(model->ui->keymap, LP_UI_ACTION_ZOOM_OUT, key));
        return;
    }
    bool racks = grid->level == LP_FLEET_RACKS && grid->parent == LP_FLEET_GROUPS;
    uint32_t block = racks ? 1 : grid->block;
    int pitch = lp_fleet_grid_offset(grid, block);
    if (block == 0 || grid->deep > 1 || grid->side > 1 || pitch < 4)
        return;
    for (uint32_t k = 0; k < grid->per_line; k += block)
        lp_area_textf(area, grid->label + lp_fleet_grid_offset(grid, k), 0, LP_ROLE_MUTED,
                      pitch >= 8 ? "rack %u" : "r%u", (unsigned)(k / block));
}

/* ---- the pane ---- */

/* "servers - 32 in 4 groups of 8 - cell: rack, height: memory in use" */
static void print_title(const LpModel *model, const LpFleetGrid *grid, LpBuf *out) {
    const LpFleet *fleet = grid->fleet;
    char count[LP_SHOW_TEXT];
    lp_buf_addf(out, "SERVERS %s", lp_show_count(fleet->servers, count));
    if (fleet->plan.group)
        lp_buf_addf(out, " in %u %ss", (unsigned)fleet->groups, fleet->plan.group);
    if (fleet->plan.rack && fleet->racks > 1)
        lp_buf_addf(out, "%s %u %s", fleet->plan.group ? "," : " in",
                    (unsigned)(fleet->racks - fleet->plan.loose), fleet->plan.rack_many);
    lp_buf_addf(out, "; cell: %s, height: %s",
                grid->level == LP_FLEET_SERVERS ? "server"
                : grid->level == LP_FLEET_RACKS ? fleet->plan.rack
                                                : fleet->plan.group,
                lp_fleet_fill_name(lp_servers_state(model)->fill));
}

void lp_view_fleet(const LpModel *model, const LpArea *area) {
    Parts parts = share_out(area->rect.w - 3, area->rect.h - 1);
    LpFleetGrid grid = grid_of(model, &parts);
    LpBuf title = {0};
    print_title(model, &grid, &title);
    LpArea box = lp_view_servers_head(model, area, lp_buf_text(&title));
    lp_area_done(area, &title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    LpArea board = lp_area_part(&inside, parts.board);
    LpArea details = lp_area_part(&inside, parts.details);
    int heading = heading_of(&parts);
    if (board.rect.w <= 0 || board.rect.h <= 0)
        return;
    draw_board(model, &board, &grid, heading);
    if (heading)
        draw_heading(model, &board, &grid, board.rect.h - heading);
    if (details.rect.h > 0)
        lp_view_unit(model, &details, grid.level, lp_view_fleet_cell(model, grid.level));
}
