/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts are made, scaled and doubled; what one is: sim/store/context.h. */
#ifndef LP_SIM_CONTEXT_H
#define LP_SIM_CONTEXT_H

#include "sim/store/context.h"

/* scenario must outlive the context. */
LpErr lp_context_new(const LpScenario *scenario, LpContext **out, LpDiag *diag) LP_MUST_USE;
/* From now on what worlds of the family do is said there (NULL: nobody listens, as at first). A
 * twin of the context is silent: it works in another thread, on questions beside the run. */
void lp_context_log(LpContext *context, const LpDebugLog *log);
/* One more owner: as many calls of lp_context_free more are needed until it is freed. For one
 * thread, like the context. */
void lp_context_share(LpContext *context);
void lp_context_free(LpContext *context); /* NULL allowed */

/* Finds or makes the number of a scaling; numbers depend on the order of asking, so they must not
 * be part of any result. context: any of the family. Errors: LP_ENOMEM, *number unchanged.
 * O(numbers), O(links) for a new one of a packet network. */
LpErr lp_context_scale(const LpContext *context, const LpScales *scales, uint32_t *number,
                       LpDiag *diag) LP_MUST_USE;

/* A context of its own in which a world of `from` means the same, for another thread: what is in
 * the store is shared read-only, what comes later is each one's own. Call it while nobody works
 * with `from`; `from` may go on being used afterwards, and must outlive the twin. Errors:
 * LP_ENOMEM. O(entries of the store). */
LpErr lp_context_twin(const LpContext *from, LpContext **out, LpDiag *diag) LP_MUST_USE;

#endif
