/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the fabric as a picture. */
#ifndef LP_UI_VIEWS_FABRIC_IMPL_H
#define LP_UI_VIEWS_FABRIC_IMPL_H

#include "moment/picture/model.h"
#include "moment/view.h"

/* Where the groups stand: boxes side by side, a line for each rack. */
typedef struct LpFabricPlan {
    uint32_t groups, racks, per_rack;
    int width;  /* of a box */
    int pitch;  /* columns from box to box */
    int server; /* columns of a server */
} LpFabricPlan;

/* Lays the fabric out in `width` columns and `height` lines. False: its groups have no room there,
 * or it has none. */
bool lp_fabric_plan(const LpBoardPlan *plan, int width, int height, LpFabricPlan *out);
/* The column in which the wire of a group comes down. */
int lp_fabric_wire(const LpFabricPlan *plan, uint32_t group);

/* The job in focus where it lights anything; NULL: none. */
const LpRunning *lp_fabric_focus(const LpModel *model);
/* The light between groups as wires below the boxes, each with the letters of the jobs whose it is.
 * O(groups^2 * running jobs). */
void lp_view_rails(const LpModel *model, const LpArea *area, const LpFabricPlan *plan);

#endif
