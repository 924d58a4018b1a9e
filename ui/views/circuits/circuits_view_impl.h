/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the board of circuits. */
#ifndef LP_UI_VIEWS_CIRCUITS_IMPL_H
#define LP_UI_VIEWS_CIRCUITS_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/circuits/circuits_facts.h"
#include "widgets/widgets_keys.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpCircuitsState *lp_circuits_state(const LpModel *model) {
    return model->state[LP_PANE_CIRCUITS];
}

static inline LpCircuitsModel *lp_circuits_facts(const LpModel *model) {
    return model->facts[LP_PANE_CIRCUITS];
}

/* On the main screen: between groups, of circuit switches, of links that jobs share. */
void lp_view_circuits(const LpModel *model, const LpArea *area);
/* Every transmitter, where they all have room; false: they have not, and nothing is drawn. */
bool lp_view_transmitters(const LpModel *model, const LpArea *area);
int lp_view_transmitters_width(const LpBoardPlan *plan); /* columns below its heading, at least */
void lp_view_ports(const LpModel *model, const LpArea *area);
void lp_view_links(const LpModel *model, const LpArea *area);
/* Circuits that turn inside steps, on the main screen and alone; false: there are none, or a job
 * lights others, and nothing is drawn. */
bool lp_view_turning(const LpModel *model, const LpArea *area);
/* Rows of them for all rails and two jobs; 0: light does not turn inside steps. */
int lp_view_turning_tall(const LpModel *model);
/* What the slices of a pod hold, on the main screen and alone. */
void lp_view_slices(const LpModel *model, const LpArea *area);
/* Where it has the screen for itself: all groups, and between two of them. */
void lp_view_lights(const LpModel *model, const LpArea *area);
void lp_view_pair(const LpModel *model, const LpArea *area);
/* First of `count` that is shown where `seen` fit, so that the cursor is among them. */
uint32_t lp_view_board_first(uint32_t count, uint32_t seen, uint32_t cursor);
/* Columns that the board can make use of. */
int lp_view_circuits_width(const LpBoardPlan *plan);
/* Rows below its heading that it fills, at most `most`; 0: as many as the board of servers. */
int lp_view_circuits_tall(const LpModel *model, int width, int most);
int lp_view_transmitters_tall(const LpBoardPlan *plan, int width, int most);

#endif
