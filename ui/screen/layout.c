/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panes of the main screen for every size of terminal. */
#include "screen/layout.h"

#include "base/err.h"

/* The horizontal bands of the main screen, top to bottom. */
typedef enum Band { TITLE, NOW, LEDGER, BOARDS, JOBS, DECISION, CURVE, TIMELINE, KEYS, BANDS } Band;

/* How much is left out, least first. */
typedef enum Drop { NOTHING, NO_EVENTS, NO_CIRCUITS, JOBS_IN_A_LINE, NO_CURVE } Drop;

enum {
    EVENTS_COLS = 92,   /* the events stand beside the curve from here on */
    CIRCUITS_COLS = 76, /* the circuits beside the servers */
    BOARD_ROWS = 6,     /* heading, names of the columns, four groups */
    HEADING = 1,
    GAP = 2,   /* columns between neighbours */
    ROOMY = 16 /* spare rows for which the boards may be spread out */
};

typedef struct Heights {
    int h[BANDS];
} Heights;

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

static int total(const Heights *heights) {
    int sum = 0;
    for (int i = 0; i < BANDS; i++)
        sum += heights->h[i];
    return sum;
}

/* A sentence; what comes next below it; a blank row above both. */
static int now_rows(const LpLayoutSpec *spec) {
    int rows = spec->rows >= 60 && spec->cols >= 200   ? 3
               : spec->rows >= 40 && spec->cols >= 120 ? 2
                                                       : 1;
    return max_int(rows, min_int(spec->told, spec->rows / 6));
}

/* What each band needs to be comfortable when `drop` is left out. */
static Heights comfortable(const LpLayoutSpec *spec, Drop drop) {
    Heights heights = {{1, now_rows(spec), 1, 0, 5, 8, 5, 1, 1}};
    heights.h[BOARDS] = min_int(max_int(spec->groups, 2) + HEADING + 1, BOARD_ROWS);
    if (drop >= JOBS_IN_A_LINE) {
        heights.h[JOBS] = 1;
        heights.h[DECISION] = 6;
    }
    if (drop >= NO_CURVE)
        heights.h[CURVE] = 0;
    return heights;
}

static Drop first_that_fits(const LpLayoutSpec *spec) {
    Drop drop = spec->cols < CIRCUITS_COLS ? NO_CIRCUITS
                : spec->cols < EVENTS_COLS ? NO_EVENTS
                                           : NOTHING;
    for (; drop < NO_CURVE; drop++) {
        Heights heights = comfortable(spec, drop);
        if (total(&heights) <= spec->rows)
            break;
    }
    return drop;
}

/* Where the terminal is lower still: what is shortened or left out, in this order, and down to how
 * many rows. */
static const struct {
    Band band;
    int least;
} cuts[] = {{BOARDS, 5}, {DECISION, 5}, {BOARDS, 4},   {DECISION, 4}, {JOBS, 0},
            {BOARDS, 3}, {DECISION, 3}, {BOARDS, 1},   {DECISION, 1}, {TITLE, 0},
            {NOW, 0},    {KEYS, 0},     {TIMELINE, 0}, {BOARDS, 0},   {DECISION, 0}};

static void shorten(Heights *heights, int rows) {
    for (size_t i = 0; i < LP_COUNTOF(cuts); i++) {
        int excess = total(heights) - rows;
        if (excess <= 0)
            return;
        int *h = &heights->h[cuts[i].band];
        /* two rows hold a heading and little else: go from three to one */
        int cut = *h - excess < cuts[i].least ? cuts[i].least : *h - excess;
        *h = min_int(*h, cut == 2 ? 1 : cut);
    }
}

/* Rows for every group first, and a blank line between groups where there is plenty. */
static int grow_boards(Heights *heights, const LpLayoutSpec *spec, int spare) {
    int *h = &heights->h[BOARDS];
    int want = max_int(spec->groups + HEADING + 1, *h), more = min_int(want - *h, spare / 2);
    if (*h < 3)
        return spare;
    if (want + spec->groups - 1 - *h + ROOMY <= spare)
        more = want + spec->groups - 1 - *h;
    *h += more;
    return spare - more;
}

/* Rows that nothing below a heading can take: lines become panes, what was left out comes back. */
static void spend(Heights *heights, int spare) {
    static const struct {
        Band band;
        int from, to;
    } steps[] = {{DECISION, 1, 3}, {BOARDS, 1, 3}, {TITLE, 0, 1}, {JOBS, 0, 1}};
    for (size_t i = 0; i < LP_COUNTOF(steps); i++) {
        int more = steps[i].to - steps[i].from;
        if (heights->h[steps[i].band] != steps[i].from || spare < more)
            continue;
        heights->h[steps[i].band] = steps[i].to;
        spare -= more;
    }
    heights->h[heights->h[DECISION] >= 3 ? DECISION : BOARDS] += spare;
}

/* Gives rows that are left over to the panes in turn, up to the most that each can use; the curve
 * takes the rest. */
static void grow(Heights *heights, const LpLayoutSpec *spec) {
    static const Band order[] = {DECISION, CURVE, JOBS};
    const int most[BANDS] = {[DECISION] = 12, [JOBS] = spec->cols >= 140 ? 7 : 12, [CURVE] = 1000};
    int spare = grow_boards(heights, spec, spec->rows - total(heights));
    bool grew = true;
    while (spare > 0 && grew) {
        grew = false;
        for (size_t i = 0; i < LP_COUNTOF(order) && spare > 0; i++) {
            int *h = &heights->h[order[i]];
            if (*h < 3 || *h >= most[order[i]])
                continue;
            (*h)++;
            spare--;
            grew = true;
        }
    }
    spend(heights, spare);
}

/* Splits a band between two panes; the left one gets `left` columns. */
static void split(LpScreenLayout *layout, LpPane a, LpPane b, LpRect band, int left) {
    layout->pane[a] = (LpRect){band.x, band.y, left, band.h};
    layout->pane[b] = (LpRect){band.x + left, band.y, band.w - left, band.h};
}

/* Width of the server board beside the circuits: what each can use, else in proportion. */
static int servers_share(const LpLayoutSpec *spec) {
    int want = spec->servers_width + GAP, other = spec->circuits_width + GAP;
    if (want + other <= spec->cols)
        return max_int(want, min_int(spec->cols * 2 / 5, want + (spec->cols - want - other) / 2));
    return min_int(spec->cols * 11 / 25, spec->cols - 30);
}

static void place(LpScreenLayout *layout, const LpLayoutSpec *spec, const Heights *heights,
                  Drop drop) {
    static const LpPane pane_of[BANDS] = {LP_PANE_TITLE,   LP_PANE_NOW,      LP_PANE_LEDGER,
                                          LP_PANE_SERVERS, LP_PANE_JOBS,     LP_PANE_DECISION,
                                          LP_PANE_CURVE,   LP_PANE_TIMELINE, LP_PANE_KEYS};
    int y = 0;
    for (int band = 0; band < BANDS; band++) {
        LpRect rect = {0, y, spec->cols, heights->h[band]};
        if (rect.h == 0)
            continue;
        bool circuits = drop < NO_CIRCUITS || (spec->lesson > 0 && spec->cols >= CIRCUITS_COLS);
        if (band == BOARDS && circuits && rect.h >= 3)
            split(layout, LP_PANE_SERVERS, LP_PANE_CIRCUITS, rect, servers_share(spec));
        else if (band == CURVE && drop < NO_EVENTS)
            split(layout, LP_PANE_CURVE, LP_PANE_EVENTS, rect, spec->cols * 27 / 50);
        else
            layout->pane[pane_of[band]] = rect;
        y += rect.h;
    }
}

/* ---- the panes that a step of a lesson wants ---- */

enum {
    PAIR_COLS = 76,       /* columns from which two panes stand side by side */
    WIDE_PAIR_COLS = 120, /* columns from which they do so whatever the rows */
    TALL_ROWS = 16,       /* two rows of panes */
    PANES_ROWS = 10       /* lines, and panes of at least six rows */
};

/* Columns of the first of two panes side by side: the boards beside each other have what each can
 * use, a table a little more than half. */
static int left_of(const LpLayoutSpec *spec, LpRect row, LpPane first, LpPane second) {
    LpLayoutSpec boards = *spec;
    boards.cols = row.w;
    if (first == LP_PANE_SERVERS && second == LP_PANE_CIRCUITS)
        return servers_share(&boards);
    if (first == LP_PANE_CIRCUITS && second == LP_PANE_SERVERS)
        return row.w - servers_share(&boards);
    if (first == LP_PANE_SERVERS && spec->servers_width + GAP < row.w / 2)
        return max_int(spec->servers_width + GAP, row.w / 3);
    bool table = first == LP_PANE_DECISION || first == LP_PANE_WHATIF;
    return table ? row.w * 3 / 5 : row.w / 2;
}

/* Panes `from` .. `from + count - 1` side by side. */
static void place_row(LpScreenLayout *layout, const LpLayoutSpec *spec, LpRect row, int from,
                      int count) {
    layout->pane[spec->pane[from]] = row;
    if (count > 1)
        split(layout, spec->pane[from], spec->pane[from + 1], row,
              left_of(spec, row, spec->pane[from], spec->pane[from + 1]));
}

/* A figure that is named first has the whole width, which its words and axes need: the next pane
 * stands below it, or has no room. False where none is. */
static bool place_figure(LpScreenLayout *layout, const LpLayoutSpec *spec, LpRect room) {
    bool both = spec->panes > 1 && room.h >= TALL_ROWS;
    int rows = both ? room.h / 2 : room.h;
    if (spec->pane[0] != LP_PANE_FIGURE)
        return false;
    layout->pane[LP_PANE_FIGURE] = (LpRect){room.x, room.y, room.w, rows};
    if (both)
        layout->pane[spec->pane[1]] = (LpRect){room.x, room.y + rows, room.w, room.h - rows};
    return true;
}

/* As many as have room: one or two beside each other, twice where the screen is high. */
static void place_panes(LpScreenLayout *layout, const LpLayoutSpec *spec, LpRect room) {
    if (room.w < WIDE_PAIR_COLS && place_figure(layout, spec, room))
        return;
    int across = room.w >= PAIR_COLS ? 2 : 1, rows = room.h >= TALL_ROWS ? 2 : 1;
    int count = min_int(spec->panes, across * rows);
    if (rows == 2 && count == 2 && room.w < WIDE_PAIR_COLS)
        across = 1;
    rows = (count + across - 1) / across;
    for (int row = 0, from = 0; row < rows; row++) {
        int top = room.h * row / rows, end = room.h * (row + 1) / rows;
        LpRect rect = {room.x, room.y + top, room.w, end - top};
        place_row(layout, spec, rect, from, min_int(across, count - from));
        from += across;
    }
}

static void place_wanted(LpScreenLayout *layout, const LpLayoutSpec *spec) {
    int now = now_rows(spec);
    layout->pane[LP_PANE_TITLE] = (LpRect){0, 0, spec->cols, 1};
    layout->pane[LP_PANE_NOW] = (LpRect){0, 1, spec->cols, now};
    layout->pane[LP_PANE_LEDGER] = (LpRect){0, 1 + now, spec->cols, 1};
    place_panes(layout, spec, (LpRect){0, 2 + now, spec->cols, spec->rows - 4 - now});
    layout->pane[LP_PANE_TIMELINE] = (LpRect){0, spec->rows - 2, spec->cols, 1};
    layout->pane[LP_PANE_KEYS] = (LpRect){0, spec->rows - 1, spec->cols, 1};
}

/* ---- everything, from 80x24 on ---- */

enum {
    ALL_COLS = 76,
    ALL_ROWS = 24,
    WIDE_COLS = 120, /* columns from which jobs have a band of their own */
    WIDE_ROWS = 36,
    VAST_COLS = 190,     /* columns from which jobs stand beside the boards */
    VAST_ROWS = 50,      /* rows from which the fabric is a picture beside the decision */
    FABRIC_BESIDE = 104, /* columns of the decision beside that picture */
    BOARD_LEAST = 6,     /* heading, names of the columns, four groups */
    DECISION_LEAST = 7,
    CURVE_LEAST = 5,
    JOBS_LEAST = 5,
    BOARDS_VAST = 12,
    FABRIC_LEAST = 10
};

/* Where the jobs stand. */
typedef enum JobsAt { BESIDE_DECISION, OWN_BAND, BESIDE_BOARDS } JobsAt;

static bool shows_all(const LpLayoutSpec *spec) {
    return spec->cols >= ALL_COLS && spec->rows >= ALL_ROWS;
}

static JobsAt jobs_at(const LpLayoutSpec *spec) {
    if (spec->cols >= VAST_COLS)
        return BESIDE_BOARDS;
    return spec->cols >= WIDE_COLS && spec->rows >= WIDE_ROWS ? OWN_BAND : BESIDE_DECISION;
}

/* Takes up to `most` rows of what is left. */
static int give(int *spare, int most) {
    int rows = max_int(min_int(most, *spare), 0);
    *spare -= rows;
    return rows;
}

/* Has the fabric room as a picture beside the decision? */
static bool draws_fabric(const LpLayoutSpec *spec) {
    return jobs_at(spec) == BESIDE_BOARDS && spec->fabric_rows > 0 && spec->fabric_width > 0 &&
           spec->fabric_width + FABRIC_BESIDE <= spec->cols && spec->rows >= VAST_ROWS;
}

/* Where nothing else can make use of the columns beside the table of ways: so the curve has all. */
static bool events_beside_decision(const LpLayoutSpec *spec) {
    return jobs_at(spec) == BESIDE_BOARDS && spec->rows >= VAST_ROWS && !draws_fabric(spec);
}

/* The rows of the bands: first what each needs, then two rows for every group on the boards, a
 * longer table, and the rest to the curve. */
static Heights all_heights(const LpLayoutSpec *spec) {
    JobsAt jobs = jobs_at(spec);
    Heights h = {{1, now_rows(spec), 1, 0, 0, DECISION_LEAST, CURVE_LEAST, 1, 1}};
    int once = max_int(spec->groups, 2) + HEADING + 1, twice = once + max_int(spec->groups, 2);
    once = max_int(once, spec->circuits_rows + HEADING);
    h.h[BOARDS] = min_int(once, BOARD_LEAST);
    h.h[JOBS] = jobs == OWN_BAND ? JOBS_LEAST : 0;
    int spare = spec->rows - total(&h) - 1; /* the legend */
    h.h[BOARDS] += give(&spare, min_int(once, BOARD_LEAST + spare / 2) - h.h[BOARDS]);
    if (twice - h.h[BOARDS] <= spare)
        h.h[BOARDS] += give(&spare, twice - h.h[BOARDS]);
    if (jobs == BESIDE_BOARDS)
        h.h[BOARDS] += give(&spare, BOARDS_VAST - h.h[BOARDS]);
    h.h[DECISION] += give(&spare, 1);
    h.h[CURVE] += give(&spare, 1);
    h.h[DECISION] += give(&spare, min_int(jobs == BESIDE_DECISION ? 4 : 1, spare / 2));
    if (jobs == BESIDE_BOARDS)
        h.h[DECISION] += give(&spare, min_int(3, spare / 3));
    if (draws_fabric(spec))
        h.h[DECISION] += give(&spare, min_int(spec->fabric_rows - h.h[DECISION], spare / 2));
    h.h[CURVE] += spare;
    return h;
}

/* The boards, and in the widest screens the jobs. */
static void place_boards(LpScreenLayout *layout, const LpLayoutSpec *spec, LpRect band) {
    int servers = servers_share(spec);
    if (jobs_at(spec) != BESIDE_BOARDS) {
        split(layout, LP_PANE_SERVERS, LP_PANE_CIRCUITS, band, servers);
        return;
    }
    int third = spec->cols / 3;
    servers = max_int(min_int(spec->servers_width + GAP, third + 4), third - 4);
    split(layout, LP_PANE_SERVERS, LP_PANE_CIRCUITS, band, servers);
    LpRect rest = layout->pane[LP_PANE_CIRCUITS];
    split(layout, LP_PANE_CIRCUITS, LP_PANE_JOBS, rest, rest.w / 2);
}

static LpScreenLayout arrange_all(const LpLayoutSpec *spec) {
    LpScreenLayout layout = {0};
    Heights heights = all_heights(spec);
    static const LpPane pane_of[BANDS] = {LP_PANE_TITLE,   LP_PANE_NOW,      LP_PANE_LEDGER,
                                          LP_PANE_SERVERS, LP_PANE_JOBS,     LP_PANE_DECISION,
                                          LP_PANE_CURVE,   LP_PANE_TIMELINE, LP_PANE_KEYS};
    int y = 0;
    for (int band = 0; band < BANDS; band++) {
        LpRect rect = {0, y, spec->cols, heights.h[band]};
        if (band == BOARDS)
            place_boards(&layout, spec, rect);
        else if (band == DECISION && jobs_at(spec) == BESIDE_DECISION)
            split(&layout, LP_PANE_DECISION, LP_PANE_JOBS, rect, spec->cols * 16 / 25);
        else if (band == DECISION && draws_fabric(spec) && rect.h >= FABRIC_LEAST)
            split(&layout, LP_PANE_FABRIC, LP_PANE_DECISION, rect, spec->cols - FABRIC_BESIDE);
        else if (band == DECISION && events_beside_decision(spec))
            split(&layout, LP_PANE_DECISION, LP_PANE_EVENTS, rect, FABRIC_BESIDE);
        else if (band == CURVE && !events_beside_decision(spec))
            split(&layout, LP_PANE_CURVE, LP_PANE_EVENTS, rect, spec->cols * 14 / 25);
        else if (rect.h > 0)
            layout.pane[pane_of[band]] = rect;
        y += rect.h;
        if (band == BOARDS)
            layout.pane[LP_PANE_LEGEND] = (LpRect){0, y++, spec->cols, 1};
    }
    return layout;
}

/* All but the lesson. */
static LpScreenLayout arrange(const LpLayoutSpec *spec) {
    LpScreenLayout layout = {0};
    if (spec->rows <= 0 || spec->cols <= 0)
        return layout;
    if (spec->panes > 0 && spec->rows >= PANES_ROWS) {
        place_wanted(&layout, spec);
        return layout;
    }
    if (spec->only != LP_PANE_COUNT && spec->rows >= 7) {
        /* One pane between title, ledger, timeline and keys. */
        layout.pane[LP_PANE_TITLE] = (LpRect){0, 0, spec->cols, 1};
        int now = spec->rows > 7 ? now_rows(spec) : 0;
        layout.pane[LP_PANE_NOW] = (LpRect){0, 1, spec->cols, now};
        layout.pane[LP_PANE_LEDGER] = (LpRect){0, 1 + now, spec->cols, 1};
        layout.pane[spec->only] = (LpRect){0, 2 + now, spec->cols, spec->rows - 4 - now};
        layout.pane[LP_PANE_TIMELINE] = (LpRect){0, spec->rows - 2, spec->cols, 1};
        layout.pane[LP_PANE_KEYS] = (LpRect){0, spec->rows - 1, spec->cols, 1};
        return layout;
    }
    if (shows_all(spec))
        return arrange_all(spec);
    Drop drop = first_that_fits(spec);
    Heights heights = comfortable(spec, drop);
    shorten(&heights, spec->rows);
    if (total(&heights) < spec->rows)
        grow(&heights, spec);
    place(&layout, spec, &heights, drop);
    return layout;
}

/* ---- the lesson ---- */

LpScreenLayout lp_layout(const LpLayoutSpec *spec) {
    LpRect rest = lp_pane_rest(spec->cols, spec->rows, spec->lesson);
    LpLayoutSpec others = *spec;
    others.rows = rest.h;
    others.cols = rest.w;
    LpScreenLayout layout = arrange(&others);
    LpRect *line = &layout.pane[LP_PANE_TIMELINE], *keys = &layout.pane[LP_PANE_KEYS];
    if (spec->lesson == 0 || rest.h == 0)
        return layout;
    if (rest.w < spec->cols) {
        layout.pane[LP_PANE_LESSON] = (LpRect){rest.w, 0, spec->cols - rest.w, spec->rows};
        return layout;
    }
    int rows = spec->rows - rest.h;
    if (rows > 0)
        layout.pane[LP_PANE_LESSON] = (LpRect){0, rest.h - line->h - keys->h, spec->cols, rows};
    line->y += line->h > 0 ? rows : 0;
    keys->y += keys->h > 0 ? rows : 0;
    return layout;
}

bool lp_layout_reads(const LpLayoutSpec *spec, const LpScreenLayout *layout, LpPane pane) {
    static const int least[LP_PANE_COUNT] = {
        [LP_PANE_JOBS] = 4, [LP_PANE_DECISION] = 6, [LP_PANE_CURVE] = 5, [LP_PANE_EVENTS] = 4};
    int rows = pane == LP_PANE_SERVERS || pane == LP_PANE_CIRCUITS
                   ? min_int(spec->groups, 4) + HEADING + 1
                   : max_int(least[pane], 1);
    return layout->pane[pane].w > 0 && layout->pane[pane].h >= rows;
}

void lp_layout_give_step(LpScreenLayout *layout) {
    static const LpPane others[] = {LP_PANE_JOBS, LP_PANE_CURVE, LP_PANE_EVENTS};
    LpRect *decision = &layout->pane[LP_PANE_DECISION], all = *decision;
    if (all.h == 0)
        return;
    for (size_t i = 0; i < LP_COUNTOF(others); i++) {
        LpRect *pane = &layout->pane[others[i]];
        if (pane->h == 0 || pane->y < decision->y)
            continue;
        int right = all.x + all.w, bottom = all.y + all.h;
        right = pane->x + pane->w > right ? pane->x + pane->w : right;
        bottom = pane->y + pane->h > bottom ? pane->y + pane->h : bottom;
        all.x = pane->x < all.x ? pane->x : all.x;
        all.w = right - all.x;
        all.h = bottom - all.y;
        *pane = (LpRect){0};
    }
    *decision = all;
}
