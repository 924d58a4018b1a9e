/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of one session that are set aside: kept and gone back to, or many that take turns. For
 * learners, which play many episodes at once or plan ahead: no time line, nothing is recorded. */
#ifndef LP_SESSION_SEAT_H
#define LP_SESSION_SEAT_H

#include "session/session.h"

/* A run that is not at work: its world, and what the world's numbers refer to. Not after the
 * session was closed. */
typedef struct LpSeat LpSeat;

/* A copy of the present run. Errors: LP_ESTATE with a time line or a policy, whose data it would
 * not have; LP_ENOMEM. O(size of the world). */
LpErr lp_session_keep(const LpSession *session, LpSeat **out, LpDiag *diag) LP_MUST_USE;
/* Goes back to it; it stays as it is. What was logged and told of jobs is forgotten. Errors:
 * LP_ENOMEM, nothing has changed then. O(size of the world). */
LpErr lp_session_go_back(LpSession *session, const LpSeat *seat, LpDiag *diag) LP_MUST_USE;
/* The present run and the one set aside change places. O(1). */
void lp_session_exchange(LpSession *session, LpSeat *seat);
/* lp_session_restart with what is known to the run set aside, so that many of them go on sharing
 * it. Errors: as lp_session_restart. */
LpErr lp_session_restart_beside(LpSession *session, const LpSeat *seat, uint64_t seed,
                                LpDiag *diag) LP_MUST_USE;
/* Offers waiting jobs by their true deadlines from now on, the earliest first (arrival + the most
 * that it may take; without one last), instead of in the order in which they came. No policy. */
void lp_session_earliest_first(LpSession *session);
/* The same future draws from another seed from now on (lp_world_reseed). */
void lp_session_reseed(LpSession *session, uint64_t seed);
/* Decisions from now on are neither logged nor told of (lp_session_why), which takes time; and a
 * run that was muted cannot be saved. */
void lp_session_mute(LpSession *session, bool mute);
/* lp_world_fetch of the run that is set aside. */
void lp_seat_fetch(const LpSeat *seat, bool late);
void lp_seat_free(LpSeat *seat); /* NULL allowed */

#endif
