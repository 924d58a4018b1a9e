/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in place of circuits where no job can light any. */
#ifndef LP_UI_BOARD_INSTEAD_H
#define LP_UI_BOARD_INSTEAD_H

#include "moment/picture/model.h"

/* The queue of jobs without graphs, or what plans of transformers send. False: some job can light a
 * circuit, and nothing is drawn. */
/* Rows that it makes use of, 0: it is never shown. */
int lp_board_instead_tall(const LpModel *model);
bool lp_board_instead(const LpModel *model, const LpArea *area);

#endif
