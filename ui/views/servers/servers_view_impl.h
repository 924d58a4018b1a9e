/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the board of servers. */
#ifndef LP_UI_VIEWS_SERVERS_IMPL_H
#define LP_UI_VIEWS_SERVERS_IMPL_H

#include "board/fleet_grid.h"
#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/servers/servers_facts.h"
#include "widgets/widgets_keys.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpServersState *lp_servers_state(const LpModel *model) {
    return model->state[LP_PANE_SERVERS];
}

static inline LpServersModel *lp_servers_facts(const LpModel *model) {
    return model->facts[LP_PANE_SERVERS];
}

/* On the main screen; where it has the screen for itself: the fleet. */
void lp_view_servers(const LpModel *model, const LpArea *area);
void lp_view_servers_alone(const LpModel *model, const LpArea *area);
/* The heading, with the conditions that differ from the scenario; they take the place of the
 * numbers of the cluster where there is no room for both. Returns what is below. */
LpArea lp_view_servers_head(const LpModel *model, const LpArea *area, const char *title);
void lp_view_fleet(const LpModel *model, const LpArea *area);
/* The grid that the fleet is drawn in on a screen of this size, the cell of it that is under the
 * cursor, and what is known of one cell. */
LpFleetGrid lp_view_fleet_grid(const LpModel *model, int cols, int rows);
uint32_t lp_view_fleet_cell(const LpModel *model, LpFleetLevel level);
void lp_view_unit(const LpModel *model, const LpArea *area, LpFleetLevel level, uint32_t unit);
/* The board by zones, without a box, where it fits. */
bool lp_view_zones_fit(const LpBoardPlan *plan, int width, int height);
void lp_view_zones(const LpModel *model, const LpArea *area);
/* A cell for the `unit` servers from `first` on: the letter of their job, or how many are busy. */
void lp_view_server_cell(const LpModel *model, const LpArea *area, LpRect cell, uint32_t first,
                         uint32_t unit);
/* Columns, and rows without headings, that the board can make use of. */
int lp_view_servers_width(const LpBoardPlan *plan);
int lp_view_board_rows(const LpBoardPlan *plan);
/* Rows below the heading that it fills in `width` columns, at most `most`. */
int lp_view_servers_tall(const LpModel *model, int width, int most);
int lp_view_zones_tall(const LpBoardPlan *plan, int width, int most);

#endif
