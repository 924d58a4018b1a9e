/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits from port to port that are set by hand. */
#ifndef LP_UI_BOARD_PORTS_DRAFT_H
#define LP_UI_BOARD_PORTS_DRAFT_H

#include "moment/picture/model.h"
#include "term/canvas.h"

/* The matrix of a draft, whose cells and hold the cursor goes over. False: no draft of circuits
 * from port to port is open, and nothing is drawn. */
bool lp_board_ports_draft(const LpModel *model, const LpArea *area);

#endif
