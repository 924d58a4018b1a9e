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
    GAP = 2,              /* columns between neighbours */
    WIDE_PAIR_COLS = 120, /* columns from which two panes stand side by side whatever the rows */
    VAST_COLS = 160,      /* columns from which both boards have the same */
    ROOMY = 16            /* spare rows for which the boards may be spread out */
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
    if (spec->cols >= VAST_COLS && want + other > spec->cols)
        return spec->cols / 2;
    if (want + other <= spec->cols)
        return max_int(want, min_int(spec->cols * 2 / 5, want + (spec->cols - want - other) / 2));
    int part = spec->cols >= WIDE_PAIR_COLS ? 49 : 44; /* of a hundred columns */
    return min_int(spec->cols * part / 100, spec->cols - 30);
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
    PAIR_COLS = 76, /* columns from which two panes stand side by side */
    TALL_ROWS = 16, /* two rows of panes */
    PANES_ROWS = 10 /* lines, and panes of at least six rows */
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
    LEGEND_ROWS = 30, /* rows from which the signs of the boards are explained below them */
    BOARD_LEAST = 6,  /* heading, names of the columns, four groups */
    DECISION_LEAST = 7,
    JOBS_LEAST = 5, /* where the decision could make use of more than its share */
    UNEVEN = 3,     /* rows that a board may leave empty below it for the other one */
    EVENTS_LEAST = 3,
    AXES = 2 /* rows of the curve's pane that are none of its own: heading, axis */
};

static bool shows_all(const LpLayoutSpec *spec) {
    return spec->cols >= ALL_COLS && spec->rows >= ALL_ROWS;
}

/* Rows of the curve itself, at least. */
static int curve_rows(const LpLayoutSpec *spec) {
    return spec->rows >= 60 && spec->cols >= 200 ? 16
           : spec->rows >= 40                    ? 12
           : spec->rows >= 30                    ? 9
                                                 : 7;
}

/* Rows between the ledger and the time line, and how many of them are below the boards at least. */
static int room_of(const LpLayoutSpec *spec) {
    return spec->rows - 4 - now_rows(spec) - (spec->rows >= LEGEND_ROWS);
}

static int below_least(const LpLayoutSpec *spec) {
    return curve_rows(spec) + AXES + EVENTS_LEAST;
}

static int boards_most(const LpLayoutSpec *spec) {
    return max_int(room_of(spec) - below_least(spec), BOARD_LEAST);
}

int lp_layout_boards_most(const LpLayoutSpec *spec, int *left, int *right) {
    LpRect rest = lp_pane_rest(spec->cols, spec->rows, spec->lesson);
    LpLayoutSpec others = *spec;
    others.rows = rest.h;
    others.cols = rest.w;
    *left = servers_share(&others);
    *right = rest.w - *left;
    return shows_all(&others) ? boards_most(&others) : 0;
}

/* The boards side by side, as high as they can make use of; below them the decision over the jobs
 * on the left, the curve over the events on the right. */
static LpScreenLayout arrange_all(const LpLayoutSpec *spec) {
    LpScreenLayout layout = {0};
    LpRect *pane = layout.pane;
    int want = spec->servers_rows, other = spec->circuits_rows;
    if (want > 0 && other > 0) /* neither is to be much higher than the other one */
        want = min_int(max_int(want, other), min_int(want, other) + UNEVEN);
    want += HEADING;
    int boards = max_int(min_int(want, boards_most(spec)), BOARD_LEAST);
    int below = room_of(spec) - boards, left = spec->cols * 21 / 40, right = spec->cols - left;
    int decision = max_int(DECISION_LEAST, below * 11 / 20);
    decision = max_int(decision, min_int(spec->decision_rows + HEADING, below - JOBS_LEAST));
    int curve = max_int(curve_rows(spec) + AXES, below * 3 / 5);
    int y = 2 + now_rows(spec);
    pane[LP_PANE_TITLE] = (LpRect){0, 0, spec->cols, 1};
    pane[LP_PANE_NOW] = (LpRect){0, 1, spec->cols, now_rows(spec)};
    pane[LP_PANE_LEDGER] = (LpRect){0, y - 1, spec->cols, 1};
    split(&layout, LP_PANE_SERVERS, LP_PANE_CIRCUITS, (LpRect){0, y, spec->cols, boards},
          servers_share(spec));
    y += boards;
    if (spec->rows >= LEGEND_ROWS)
        pane[LP_PANE_LEGEND] = (LpRect){0, y++, spec->cols, 1};
    pane[LP_PANE_DECISION] = (LpRect){0, y, left, decision};
    pane[LP_PANE_JOBS] = (LpRect){0, y + decision, left, below - decision};
    pane[LP_PANE_CURVE] = (LpRect){left, y, right, curve};
    pane[LP_PANE_EVENTS] = (LpRect){left, y + curve, right, below - curve};
    pane[LP_PANE_TIMELINE] = (LpRect){0, spec->rows - 2, spec->cols, 1};
    pane[LP_PANE_KEYS] = (LpRect){0, spec->rows - 1, spec->cols, 1};
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
