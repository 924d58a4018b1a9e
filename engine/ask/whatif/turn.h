/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes of turned knobs: the run once more with them to its end, a little at a time, beside
 * the run as it is. Nothing of it changes the session. */
#ifndef LP_ASK_WHATIF_TURN_H
#define LP_ASK_WHATIF_TURN_H

#include "ask/whatif/knob.h"
#include "sim/facts/metrics.h"

typedef struct LpKnobTurn LpKnobTurn;

/* Where knobs of a whole run are turned: from the start, on the inputs that the session was opened
 * from; what has changed in the session's run changes at the same times, what was decided by hand
 * is decided so again, what is turned from now on at the present time. Else from the present
 * moment, on the same arrivals; with no knob turned that is the run as it will be. The policy
 * decides. The session must stay where it is while the turn lives. Errors: those of
 * lp_session_variant, LP_EINVAL where the scenario refuses a value, the policy's, the condition's.
 */
LpErr lp_turn_new(const LpSession *session, const LpKnobs *knobs, LpKnobTurn **out,
                  LpDiag *diag) LP_MUST_USE;
void lp_turn_free(LpKnobTurn *turn); /* NULL allowed; before the session is closed */
/* Takes at most `steps` steps; true in *done at its end, where there is nothing left to do. Errors:
 * those of lp_session_step; then it is done. */
LpErr lp_turn_work(LpKnobTurn *turn, uint32_t steps, bool *done, LpDiag *diag) LP_MUST_USE;
/* Is anything in it decided by hand, as it was on the session's branch? */
bool lp_turn_by_hand(const LpKnobTurn *turn);
/* Is it decided from the start by a policy that decided only a later part of the session's branch?
 */
bool lp_turn_other_policy(const LpKnobTurn *turn);
/* Its world and the context of it; valid until it works again. */
const LpWorld *lp_turn_world(const LpKnobTurn *turn);
const LpContext *lp_turn_context(const LpKnobTurn *turn);

/* Makes the turned knobs of the present moment real: a branch that is the current one then, named
 * after them. Errors: LP_ESTATE where one of a whole run is turned, those of lp_session_fork and
 * lp_session_change; then nothing has changed. */
LpErr lp_knobs_fork(LpSession *session, const LpKnobs *knobs, uint32_t *branch,
                    LpDiag *diag) LP_MUST_USE;
/* Makes the turned knobs of a whole run real: a session of its own at the present time, with a time
 * line. Errors: as lp_turn_new. */
LpErr lp_knobs_open(const LpSession *session, const LpKnobs *knobs, LpSession **out,
                    LpDiag *diag) LP_MUST_USE;
/* The knobs of a whole run that are turned, as options: " --set generator.load=0.5". */
void lp_knobs_sets(const LpKnobs *knobs, LpBuf *out);

#endif
