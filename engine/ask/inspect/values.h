/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network expects along the time line: its value estimate at every decision, and what it
 * thought of the answer that was taken. For sessions that keep a time line. */
#ifndef LP_ASK_INSPECT_VALUES_H
#define LP_ASK_INSPECT_VALUES_H

#include "base/str.h"
#include "session/time.h"

/* A decision at the moment at which it was due. */
typedef struct LpValue {
    uint64_t step;     /* of its branch, see LpMoment */
    uint64_t decision; /* its number on the branch, from 0 */
    double time;       /* s */
    uint32_t job;
    bool taken; /* an answer is known; false: it is due at the moment asked for, or nobody knows */
    uint32_t degree; /* of the answer, 0: declined; only when taken */
    double value;    /* the return that the network expects; NAN: it says nothing (rigid jobs) */
    /* its estimate for the answer, of those with this degree the one that it likes best; NAN unless
     * taken, and where the network knows no such answer */
    double q;
} LpValue;

/* Kept per branch, for the policy in charge; what is known is not asked again. */
typedef struct LpValues LpValues;

/* Errors: LP_ENOMEM. */
LpErr lp_values_new(LpValues **out, LpDiag *diag) LP_MUST_USE;
void lp_values_free(LpValues *values); /* NULL allowed */

/* Asks network `index` of the policy in charge about the decisions on the way to `moment` that are
 * not known yet, at most `most` of them (0: all). *more (NULL allowed): some are left. Begins anew
 * where another policy is in charge, or a saved one was taken. No Lua is called, and the session is
 * not moved. A policy without such a network: nothing is known. Errors: LP_ESTATE without a time
 * line, LP_ENOMEM, those of a replay. Costs the replay of what is new (steps are found in the
 * store), and an observation with three heads per decision. */
LpErr lp_values_update(LpValues *values, LpSession *session, uint32_t index, LpMoment moment,
                       uint32_t most, bool *more, LpDiag *diag) LP_MUST_USE;
/* The last known decision of a branch, or of those that it was forked from, that was due at this
 * time or before; NULL: none. Good until the next update. O(forks log decisions). */
const LpValue *lp_values_at(const LpValues *values, const LpSession *session, uint32_t branch,
                            double time);
/* Lowest and highest value and q on a branch up to a time; false: none. O(decisions). */
bool lp_values_range(const LpValues *values, const LpSession *session, uint32_t branch, double time,
                     double *low, double *high);
/* Calls each(user, value) for the decisions on the way to a moment, the earliest first. */
typedef void (*LpValuesEach)(void *user, const LpValue *value);
void lp_values_each(const LpValues *values, const LpSession *session, LpMoment moment,
                    LpValuesEach each, void *user);

/* "decision,time,job,graph,degree,value,q" and a line per decision of the current branch up to the
 * present moment; nothing for what is not known. Errors: LP_EINVAL where the policy has no network;
 * as lp_values_update. */
LpErr lp_values_csv(LpSession *session, uint32_t index, bool raw, LpBuf *out,
                    LpDiag *diag) LP_MUST_USE;

#endif
