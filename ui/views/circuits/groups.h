/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The share of a training step that jobs keep light lit from group (line) to group (column). */
#ifndef LP_UI_VIEWS_CIRCUITS_GROUPS_H
#define LP_UI_VIEWS_CIRCUITS_GROUPS_H

#include "views/circuits/circuits_view_impl.h"

/* How groups become cells. */
typedef struct LpGroupGrid {
    uint32_t groups, merge; /* groups of a cell, each way */
    uint32_t row, column;   /* first ones that are seen */
    uint32_t rows, columns; /* cells that are seen */
    int width, label;       /* columns of a cell, of a row's label */
    int pitch;              /* lines from a row to the next */
    bool cursor;            /* one cell is marked; only what runs is shown */
} LpGroupGrid;

/* All groups, where there is no room for each several to a cell. */
LpGroupGrid lp_groups_merged(const LpModel *model, int width, int height);
/* Each group by itself, where there is no room for all those around the cursor. */
LpGroupGrid lp_groups_scrolled(const LpModel *model, int width, int height);
void lp_view_groups(const LpModel *model, const LpArea *area, const LpGroupGrid *grid);

#endif
