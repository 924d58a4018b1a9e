/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server board: a cell is a server, or a rack, or several groups where there are too many
 * servers; its letter is the job that has it. */
#include "views/servers/servers_view_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "board/cell_size.h"

/* How servers become cells. Servers are numbered group by group, so a cell, a line and a tile are
 * each a run of numbers. */
typedef struct Grid {
    uint32_t unit;      /* servers of a cell */
    uint32_t per_line;  /* cells of a line */
    uint32_t per_block; /* cells that stand together */
    int pitch;          /* columns from a cell to the next */
    int gap;            /* more columns between blocks */
    int label;          /* columns of the label of a line */
    uint32_t per_label; /* servers of one thing that the labels count */
    char counts;        /* what the labels count: 'g' groups, 's' servers */
    int rows;           /* from a line to the next, 0: as many as there is room for, up to two */
} Grid;

typedef struct Fit {
    uint32_t lines, tiles; /* lines in all; side by side */
    int tile_width;
    bool fits;
} Fit;

enum { TILE_GAP = 2 };

static uint32_t divide_up(uint32_t a, uint32_t b) {
    return (a + b - 1) / b;
}

static int line_width(const Grid *grid) {
    int blocks = (int)divide_up(grid->per_line, grid->per_block);
    int one = (int)grid->per_line * grid->pitch - (grid->pitch == 2);
    return grid->label + one + (blocks - 1) * grid->gap;
}

static Fit fit(const Grid *grid, uint32_t servers, int width, int height) {
    Fit result = {0};
    result.lines = divide_up(servers, grid->unit * grid->per_line);
    if (width <= 0 || height <= 0 || grid->per_line > 4096)
        return result;
    result.tiles = divide_up(result.lines, (uint32_t)height);
    result.tile_width = line_width(grid);
    result.fits = result.tiles <= 64 &&
                  (int)result.tiles * (result.tile_width + TILE_GAP) - TILE_GAP <= width;
    return result;
}

/* Ways to show a fabric with racks, best first: wide blocks, narrower ones, letters; then racks. */
static bool choose_racks(const LpBoardPlan *plan, int width, int height, Grid *grid) {
    static const struct {
        int pitch, gap, label;
        bool rack;
    } tries[] = {{6, 2, 4, false}, {5, 1, 4, false}, {4, 1, 4, false}, {3, 1, 4, false},
                 {2, 1, 4, false}, {1, 1, 4, false}, {2, 0, 6, true},  {1, 0, 4, true}};
    for (size_t i = 0; i < LP_COUNTOF(tries); i++) {
        uint32_t unit = tries[i].rack ? plan->per_rack : 1;
        uint32_t block = tries[i].rack ? plan->racks : plan->per_rack;
        *grid = (Grid){unit,
                       plan->racks * plan->per_rack / unit,
                       block,
                       tries[i].pitch,
                       tries[i].gap,
                       tries[i].label,
                       plan->racks * plan->per_rack,
                       'g',
                       0};
        Fit result = fit(grid, plan->servers, width, height);
        if (result.fits && (result.tiles == 1 || tries[i].pitch <= 2))
            return true;
    }
    return false;
}

/* Cells in lines as long as the board is wide, each of as many servers (a multiple of `least`) as
 * it takes. */
static Grid choose_flow(const LpBoardPlan *plan, uint32_t least, char counts, int width,
                        int height) {
    Grid grid = {least, 1, 8, 2, 1, 7, least, counts, 0};
    uint32_t cells = divide_up(plan->servers, least), rows = (uint32_t)(height > 0 ? height : 1);
    for (int pitch = least > 1 ? 2 : 5; pitch >= 1; pitch--) {
        grid.pitch = pitch;
        /* The longest line, a power of two of cells, that fits. */
        uint32_t line = 1;
        for (grid.per_line = 2; line < cells && line_width(&grid) <= width; grid.per_line *= 2)
            line = grid.per_line;
        grid.per_line = line;
        if (divide_up(cells, grid.per_line) <= rows)
            return grid;
    }
    while (divide_up(plan->servers, grid.unit) > grid.per_line * rows)
        grid.unit += least;
    return grid;
}

/* Racks of a grid, a cell each: rows stand together, as many to a line as there is room for, at
 * most a layer. */
static bool choose_layers(const LpBoardPlan *plan, int width, int height, Grid *grid) {
    static const struct {
        int pitch, gap, label;
    } tries[] = {{2, 2, 7}, {2, 1, 7}, {2, 1, 5}, {1, 2, 5}, {1, 1, 5}};
    uint32_t most = plan->row > 1 ? plan->layer / plan->row : 0;
    for (size_t i = 0; i < LP_COUNTOF(tries); i++)
        for (uint32_t rows = most; rows > 0; rows--) {
            *grid = (Grid){plan->per_rack,
                           rows * plan->row,
                           plan->row,
                           tries[i].pitch,
                           tries[i].gap,
                           tries[i].label,
                           plan->per_rack,
                           'r',
                           0};
            if (most % rows == 0 && line_width(grid) <= width &&
                (int)divide_up(plan->racks, grid->per_line) <= height)
                return true;
        }
    return false;
}

/* All of a few servers in one line, where they have room in it. */
static bool choose_line(const LpBoardPlan *plan, int width, Grid *grid) {
    for (int pitch = 5; pitch >= 3; pitch--) {
        *grid = (Grid){1, plan->servers, plan->servers, pitch, 0, 4, 1, 's', 0};
        if (line_width(grid) <= width)
            return true;
    }
    return false;
}

/* Racks that lie in no groups: as few of them to a line as the height allows, as wide as they can
 * be. */
static bool choose_lines(const LpBoardPlan *plan, int width, int height, Grid *grid) {
    static const struct {
        int pitch, gap;
    } tries[] = {{6, 2}, {5, 1}, {4, 1}, {3, 1}, {2, 1}, {1, 1}};
    for (uint32_t racks = divide_up(plan->racks, (uint32_t)(height > 0 ? height : 1));
         racks <= plan->racks; racks++)
        for (size_t i = 0; i < LP_COUNTOF(tries); i++) {
            *grid = (Grid){1,
                           racks * plan->per_rack,
                           plan->per_rack,
                           tries[i].pitch,
                           tries[i].gap,
                           4,
                           plan->per_rack,
                           'r',
                           0};
            if (line_width(grid) <= width)
                return true;
        }
    return false;
}

static Grid choose_least(const LpBoardPlan *plan, int width, int height) {
    Grid grid;
    if (plan->groups == 1 && plan->racks == 1 && choose_line(plan, width, &grid))
        return grid;
    if (plan->groups == 1 && plan->racks == 1)
        return choose_flow(plan, 1, 's', width, height);
    if (plan->groups == 1 && choose_lines(plan, width, height, &grid))
        return grid;
    if (plan->groups == 1 && choose_layers(plan, width, height, &grid))
        return grid;
    if (plan->groups == 1)
        return choose_flow(plan, plan->per_rack, 'r', width, height);
    if (choose_racks(plan, width, height, &grid))
        return grid;
    return choose_flow(plan, plan->racks * plan->per_rack, 'g', width, height);
}

/* How many cells a line may have: racks of groups stay a line, other racks and servers flow. */
static uint32_t next_line(const LpBoardPlan *plan, uint32_t per_line) {
    enum { ONE_LINE = 8 };
    if (plan->groups > 1)
        return per_line == 0 ? plan->racks * plan->per_rack : plan->servers + 1;
    if (plan->racks > 1)
        return per_line + plan->per_rack;
    if (plan->servers <= ONE_LINE) /* a cursor goes along it, and ports stand in the same order */
        return per_line == 0 ? plan->servers : plan->servers + 1;
    return per_line == 0                                              ? 2
           : per_line * 2 > plan->servers && per_line < plan->servers ? plan->servers
                                                                      : per_line * 2;
}

/* What a cell of this size tells, and then how large it is. */
static int worth(LpCellSize size) {
    enum { WIDE = 12, TELLS = 4096 }; /* more columns are air */
    int rows = size.w < 6 ? 1 : size.w < 8 && size.h > 2 ? 2 : size.h > 4 ? 4 : size.h;
    return rows * TELLS + (size.w < WIDE ? size.w : WIDE) * size.h * 32 + size.w;
}

/* The grid with the largest cells: whose lines, of any length, leave the most room for each. */
static Grid choose(const LpBoardPlan *plan, int width, int height) {
    Grid best = choose_least(plan, width, height);
    int most = 0, least = best.pitch;
    if (best.unit > 1 || fit(&best, plan->servers, width, height).tiles > 1)
        return best;
    bool flow = plan->groups == 1 && plan->racks == 1;
    for (uint32_t n = next_line(plan, 0); n <= plan->servers; n = next_line(plan, n)) {
        Grid grid = best;
        uint32_t block = flow ? n : plan->per_rack;
        int lines = (int)divide_up(plan->servers, n);
        LpCellSize size =
            lp_cell_size(width - best.label, height, (int)n, (int)divide_up(n, block), lines);
        int score = worth(size);
        if (size.w < least || score <= most)
            continue;
        most = score;
        grid.per_line = n;
        grid.per_block = block;
        grid.pitch = size.w;
        grid.gap = size.gap;
        grid.rows = size.h;
        best = grid;
    }
    return best;
}

static void draw_label(const LpModel *model, const LpArea *area, const Grid *grid, int x, int y,
                       uint32_t first) {
    char text[32];
    if (grid->label <= 0)
        return;
    const char *word = model->board.rack;
    bool rack = grid->counts == 'r', leaf = rack && strcmp(word, "leaf") == 0;
    /* "c16" are cubes; "l2" would read like a number, and "s2" is a server */
    const char letter[2] = {leaf ? '\0' : rack && word[0] != 's' ? word[0] : grid->counts, '\0'};
    snprintf(text, sizeof text, "%s%u", letter, (unsigned)(first / grid->per_label));
    lp_area_fit(area, x, y, grid->label - 1, LP_ROLE_MUTED, text);
}

static int column_of(const Grid *grid, uint32_t cell) {
    return (int)cell * grid->pitch + (int)(cell / grid->per_block) * grid->gap;
}

static void draw_headings(const LpArea *area, const LpBoardPlan *plan, const Grid *grid, int x) {
    uint32_t step = grid->unit == 1 ? plan->per_rack : 1;
    int pitch = column_of(grid, step) - column_of(grid, 0);
    if (grid->unit > plan->per_rack || pitch < 3 || grid->counts == 'r')
        return;
    char last[24]; /* the longest name, which must not touch its neighbour */
    bool whole = snprintf(last, sizeof last, "rack %u", (unsigned)(plan->racks - 1)) < pitch;
    for (uint32_t rack = 0; rack < plan->racks; rack++)
        lp_area_textf(area, x + grid->label + column_of(grid, rack * step), 0, LP_ROLE_MUTED,
                      whole ? "rack %u" : "r%u", (unsigned)rack);
}

static void draw_grid(const LpModel *model, const LpArea *area, const Grid *grid, int pitch_y) {
    uint32_t servers = lp_world_servers(model->world);
    int height = (area->rect.h + pitch_y - 1) / pitch_y;
    if (area->rect.w <= 0 || height <= 0)
        return;
    Fit f = fit(grid, servers, area->rect.w, height);
    for (uint32_t line = 0; line < f.lines; line++) {
        int x = (int)(line / (uint32_t)height) * (f.tile_width + TILE_GAP);
        int y = (int)(line % (uint32_t)height) * pitch_y;
        uint32_t first = line * grid->per_line * grid->unit;
        draw_label(model, area, grid, x, y, first);
        for (uint32_t cell = 0; cell < grid->per_line; cell++)
            lp_view_server_cell(model, area,
                                (LpRect){x + grid->label + column_of(grid, cell), y,
                                         grid->unit == 1 ? grid->pitch : 1, pitch_y},
                                first + cell * grid->unit, grid->unit);
    }
}

static void print_title(const LpBoardPlan *plan, const Grid *grid, LpBuf *out) {
    uint32_t group = plan->racks * plan->per_rack;
    char count[LP_SHOW_TEXT], groups[LP_MANY_TEXT], racks[LP_MANY_TEXT];
    if (grid->unit > 1 || (plan->groups == 1 && plan->racks == 1))
        lp_buf_addf(out, "SERVERS %s", lp_show_count(plan->servers, count));
    else if (plan->groups == 1)
        lp_buf_addf(out, "SERVERS %u %s x %u", (unsigned)plan->racks, plan->rack_many,
                    (unsigned)plan->per_rack);
    else
        lp_buf_addf(out, "SERVERS %s x %s x %u", lp_str_many(groups, plan->groups, "group"),
                    lp_str_many(racks, plan->racks, "rack"), (unsigned)plan->per_rack);
    if (grid->unit == 1)
        return;
    if (grid->unit == plan->per_rack && plan->racks > 1)
        lp_buf_addf(out, "; cell: %s of %u", plan->rack, (unsigned)plan->per_rack);
    else if (plan->groups > 1 && grid->unit % group == 0)
        lp_buf_addf(out, "; cell: %u group%s", (unsigned)(grid->unit / group),
                    grid->unit == group ? "" : "s");
    else
        lp_buf_addf(out, "; cell: %u servers", (unsigned)grid->unit);
}

/* All servers in what is left of one line. */
static void draw_line(const LpModel *model, const LpArea *area) {
    const LpBoardPlan *plan = &model->board;
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, area->rect.w >= 40 ? "servers" : "srv") + 1;
    LpArea rest = lp_area_part(area, (LpRect){x, 0, area->rect.w - x, 1});
    Grid grid = {1, plan->servers, plan->servers, 1, 0, 0, 1, 's', 1};
    if (rest.rect.w <= 0)
        return;
    grid.unit = divide_up(plan->servers, (uint32_t)rest.rect.w);
    grid.per_line = grid.per_block = divide_up(plan->servers, grid.unit);
    draw_grid(model, &rest, &grid, 1);
}

void lp_view_servers(const LpModel *model, const LpArea *area) {
    const LpBoardPlan *plan = &model->board;
    LpBuf title = {0};
    if (area->rect.h < 3) {
        draw_line(model, area);
        return;
    }
    int width = area->rect.w - 2, height = area->rect.h - 1;
    if (lp_view_zones_fit(plan, width, height)) {
        LpBuf sites = {0};
        lp_buf_addf(&sites, "SERVERS %u at %u sites", (unsigned)plan->servers,
                    (unsigned)plan->count);
        LpArea frame = lp_view_servers_head(model, area, lp_buf_text(&sites));
        LpArea map = lp_area_part(&frame, (LpRect){1, 0, frame.rect.w - 1, frame.rect.h});
        lp_view_zones(model, &map);
        lp_area_done(area, &sites);
        return;
    }
    bool racks = plan->groups > 1 || plan->racks > 1;
    int heading = racks && height >= 3;
    Grid grid = choose(plan, width, height - heading);
    heading = heading && grid.counts != 'r';
    uint32_t lines = fit(&grid, plan->servers, width, height - heading).lines;
    print_title(plan, &grid, &title);
    LpArea box = lp_view_servers_head(model, area, lp_buf_text(&title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    LpArea board = lp_area_part(&inside, (LpRect){0, heading, inside.rect.w, height - heading});
    if (heading)
        draw_headings(&inside, plan, &grid, 0);
    int rows = grid.rows > 0 ? grid.rows : (int)lines * 2 <= board.rect.h ? 2 : 1;
    draw_grid(model, &board, &grid, rows);
    lp_area_done(area, &title);
}

void lp_view_servers_alone(const LpModel *model, const LpArea *area) {
    if (area->rect.h < 3 || !lp_servers_facts(model)->fleet.server) {
        lp_view_servers(model, area);
        return;
    }
    lp_view_fleet(model, area);
}

int lp_view_servers_width(const LpBoardPlan *plan) {
    Grid grid = {1, plan->racks * plan->per_rack, plan->per_rack, 12, 2, 4, 1, 'g', 0};
    if ((plan->groups == 1 && plan->racks == 1) || plan->racks * plan->per_rack > 64)
        return 76;
    return line_width(&grid) + 2;
}

int lp_view_servers_tall(const LpModel *model, int width, int most) {
    const LpBoardPlan *plan = &model->board;
    int heading = plan->groups > 1;
    if (lp_view_zones_fit(plan, width, most))
        return lp_view_zones_tall(plan, width, most);
    Grid grid = choose(plan, width - 2, most - heading);
    int lines = (int)fit(&grid, plan->servers, width - 2, most - heading).lines;
    int rows = lines * (grid.rows > 0 ? grid.rows : 2) + heading;
    return rows < most ? rows : most;
}

int lp_view_board_rows(const LpBoardPlan *plan) {
    return (int)(plan->rows < 64 ? plan->rows : 64);
}
