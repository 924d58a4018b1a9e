/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of offers: who of those that wait is asked once more, and in which order. Where nobody
 * states what he waits for, everybody is asked at every completion; else a job is asked when what
 * it needs is free, and the round ends without asking the others. Private to sim/. */
#ifndef LP_SIM_QUEUE_ROUND_H
#define LP_SIM_QUEUE_ROUND_H

#include "sim/state/image.h"
#include "sim/store/context.h"

/* Begins the round of this instant, and its event; false: there is nobody to ask. `retries`: some
 * are due. O(Q) where nobody states a need, else O(needs). */
bool lp_round_open(LpImage *image, const LpContext *context, bool retries, LpEvent *out);
/* The next one to be asked, whose decision is due from now on; false: the round is over. */
bool lp_round_next(LpImage *image, const LpContext *context, LpEvent *out);
/* In the middle of a round it ends. */
void lp_round_close(LpImage *image);

#endif
