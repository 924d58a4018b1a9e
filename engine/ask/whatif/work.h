/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What-if to the end on worker threads: where each alternative leads, found while the session is
 * looked at and goes on. A row's result is that of a run of its own, however many threads. */
#ifndef LP_ASK_WHATIF_WORK_H
#define LP_ASK_WHATIF_WORK_H

#include "ask/whatif/whatif.h"

typedef struct LpWhatIfWork LpWhatIfWork;

/* Begins with the `best` rows of the table (0: all; those of lp_whatif_to_end, in its order) on
 * `threads` threads (0: one per processor). The table is copied as far as it is needed. The session
 * must not be closed before the work is freed; anything else may be done with it. Errors:
 * LP_ENOMEM, LP_EIO when no thread can be made; those of asking the policy. */
LpErr lp_whatif_start(LpSession *session, const LpWhatIfs *table, uint32_t best, unsigned threads,
                      LpWhatIfWork **out, LpDiag *diag) LP_MUST_USE;
/* Copies the rows that have ended into the table that it was begun with (of equally many rows).
 * *news: some were new. Errors: of the row that failed first in order; told when nothing works any
 * more. */
LpErr lp_whatif_collect(LpWhatIfWork *work, LpWhatIfs *table, bool *news, LpDiag *diag) LP_MUST_USE;
bool lp_whatif_works(LpWhatIfWork *work); /* do threads still work? */
/* Waits until there is news or nothing works any more, at most `ms` ms. */
void lp_whatif_wait(LpWhatIfWork *work, unsigned ms);
void lp_whatif_stop(LpWhatIfWork *work); /* as soon as possible; does not wait */
/* Stops and waits for the threads; NULL allowed. */
void lp_whatif_free(LpWhatIfWork *work);

#endif
