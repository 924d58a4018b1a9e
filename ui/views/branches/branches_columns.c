/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the tree of branches. */
#include "views/branches/branches_view_impl.h"

static int count_twigs(const void *model) {
    return (int)((const LpModel *)model)->time.twigs;
}

static const void *twig_at(const void *model, int row) {
    return &((const LpModel *)model)->time.twig[row];
}

static const LpTwig *twig(const LpTableRow *row) {
    return row->item;
}

/* Of its last moment, which is there. */
static const LpTally *tally(const LpTableRow *row) {
    const LpModel *model = row->list;
    return lp_world_tally(lp_session_tip_world(model->session, twig(row)->branch));
}

#define LP_TABLE_ITEM LpTwig
#define COLUMNS(X)                                                                                 \
    X(BRANCH, NULL, "branch", "", "its number", 0, NULL, it->branch)                               \
    X(PARENT, NULL, "parent", "", "the branch that it was forked from", 0, NULL,                   \
      it->info.parent == LP_NO_INDEX ? (double)NAN : it->info.parent)                              \
    X(FORK, NULL, "fork_time", "s", "where it was forked", 0, NULL, it->info.fork_time)            \
    X(TIP, NULL, "tip_time", "s", "how far it got", 0, NULL, it->info.tip_time)                    \
    X(OVER, NULL, "over", "", "its run has ended", 0, NULL, lp_table_flag(it->info.over))          \
    X(NAME, "branch", "name", "", "below the one that it was forked from", LP_TABLE_REST, NULL,    \
      lp_table_text(it->info.name))                                                                \
    X(POLICY, NULL, "policy", "", "that decides", 0, NULL, lp_table_text(it->info.policy))         \
    X(WHAT, NULL, "what", "", "the change that forked it", 0, NULL, lp_table_text(it->info.what))  \
    X(ARRIVED, "arrived", NULL, "", "jobs, up to the end of its track", 0, lp_table_count,         \
      (double)tally(row)->arrived)                                                                 \
    X(BLOCKED, "blocked", NULL, "", "jobs, up to the end of its track", 0, lp_table_count,         \
      (double)tally(row)->blocked)

enum { COLUMNS(LP_TABLE_ID) COLUMN_COUNT };

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static LpStyle style_of(const LpTableRow *row, int column) {
    return column == COLUMN_BLOCKED && tally(row)->blocked ? LP_ROLE_BAD : LP_ROLE_TEXT;
}

const LpTable lp_branches_table = {.column = columns,
                                   .columns = COLUMN_COUNT,
                                   .hit = LP_PANE_BRANCHES * LP_TABLE_COLUMNS,
                                   .rows = count_twigs,
                                   .item = twig_at,
                                   .style = style_of};

LpBranchesForm lp_branches_form(int width) {
    int name = width >= 110 ? 44 : width >= 76 ? 28 : width >= 50 ? 18 : 12;
    LpBranchesForm f = {.track = name, .track_end = width, .at = {[COLUMN_NAME] = 2}};
    if (width >= 60) {
        f.at[COLUMN_BLOCKED] = width;
        f.track_end = width - 9;
    }
    if (width >= 90) {
        f.at[COLUMN_ARRIVED] = width - 9;
        f.track_end = width - 18;
    }
    return f;
}
