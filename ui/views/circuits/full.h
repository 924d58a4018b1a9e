/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How full the network is: gauges with counts, units and shares, and what the words in them mean.
 */
#ifndef LP_UI_VIEWS_CIRCUITS_FULL_H
#define LP_UI_VIEWS_CIRCUITS_FULL_H

#include "views/circuits/circuits_view_impl.h"

enum {
    LP_FULL_WIDTH = 34, /* columns of the narrowest form */
    LP_FULL_LEAST = 5,  /* lines with its heading, without the words */
    LP_FULL_PAST =
        12 /* lines with heading and with what was lit over time, or what the words mean */
};

/* Heading, gauges of this fabric, and in lines that are left how much was lit since the run began,
 * or what held and lit mean. O(jobs that run, and their transmitters; links; columns * log
 * events). */
void lp_view_full(const LpModel *model, const LpArea *area);

#endif
