/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the panes of the main screen lie: a pure function of the terminal's size and the shape of
 * the cluster, so that nothing jumps while a run goes on. */
#ifndef LP_UI_SCREEN_LAYOUT_H
#define LP_UI_SCREEN_LAYOUT_H

#include "model/lesson/limits.h"
#include "moment/parts/pane_parts.h"

typedef struct LpLayoutSpec {
    int rows, cols;
    int groups;         /* rows of the boards wanted, >= 1 */
    int servers_width;  /* columns that the server board can make use of */
    int circuits_width; /* columns that the circuit board can make use of */
    LpPane only;        /* shown alone between the lines; LP_PANE_COUNT: the main screen */
    int lesson;         /* rows wanted by what a lesson says beside all else, 0: it says nothing */
    int panes;          /* panes that the lesson speaks of, the first most; 0: whatever there is */
    LpPane pane[LP_LESSON_PANES];
    int circuits_rows, servers_rows; /* below their headings, that the boards can make use of */
    int told;                        /* rows that the now bar needs at least */
    int decision_rows; /* below its heading, that the decision can make use of, 0: as usual */
} LpLayoutSpec;

/* A pane that is not shown has w = h = 0. Panes never overlap, always lie within rows x cols. */
typedef struct LpScreenLayout {
    LpRect pane[LP_PANE_COUNT];
} LpScreenLayout;

/* From 80x24 on every pane is there: the boards side by side, as high as they can make use of;
 * below them the decision over the jobs, and the curve over the events. The curve has at least 7
 * rows, 9 from 30 rows on, 12 from 40, 16 at 200x60. Below 80x24, panes drop in this order where
 * rows or columns are short: events, circuits, jobs to one line, the curve. The now bar has a row,
 * from 120x40 on two, from 200x60 on three. Ledger, servers, decision, timeline and keys stay down
 * to five rows (then each is one line); below that keys, timeline, servers and decision go, and the
 * ledger stays. A pane of height >= 3 has a heading, a lower one has not. A lesson takes columns on
 * the right where there are plenty, else rows above the time line; the others share the rest, and
 * circuits stay beside servers. Where it wants panes to be seen they have all room between ledger
 * and time line: the first two side by side or below each other, more of them where there is room.
 */
LpScreenLayout lp_layout(const LpLayoutSpec *spec);

/* The most rows that boards can have on a screen with everything, heading included (0 on a smaller
 * one), and the columns of each. */
int lp_layout_boards_most(const LpLayoutSpec *spec, int *left, int *right);

/* Where a training step is shown as bars, the decision takes the place of what lies beside it and
 * below: jobs, curve and events. */
void lp_layout_give_step(LpScreenLayout *layout);

/* Can the pane be read where the layout has it, or should it be shown alone to be talked about? */
bool lp_layout_reads(const LpLayoutSpec *spec, const LpScreenLayout *layout, LpPane pane);

#endif
