/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small drawings that several views share. */
#ifndef LP_UI_MOMENT_DRAW_H
#define LP_UI_MOMENT_DRAW_H

#include "moment/picture/model.h"

/* How probable an answer is: a bar of `bar` columns from x on, and a number that ends at `end`. */
void lp_draw_share(const LpArea *area, int x, int bar, int end, int y, LpStyle style, double share,
                   bool brief);
/* How probable the network's answers of a degree are: a bar of `bar` columns from x on, and a
 * number that ends at `end`; nothing where it is not known. */
void lp_draw_network(const LpModel *model, const LpArea *area, int x, int bar, int end, int y,
                     uint32_t degree);

#endif
