/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What somebody who knows all arrivals of a seed reaches: the other side of the bound. */
#ifndef LP_MANY_BOUND_REACH_H
#define LP_MANY_BOUND_REACH_H

#include "many/bound/bound.h"
#include "session/player/clairvoyant.h"

/* The clairvoyant rollout of a session that was just opened (its world stays as it is) with the
 * first of its policy's networks that lets jobs wait; see lp_player_clairvoyant. Errors: LP_EINVAL
 * where it has none; those of playing. */
LpErr lp_reach_session(const LpSession *session, uint32_t horizon, bool (*go_on)(void *user),
                       void *user, LpClairvoyant *out, bool *stopped, LpDiag *diag) LP_MUST_USE;

/* For people, and "rollout": an object. */
void lp_reach_text(const LpClairvoyant *reach, const LpBound *bound, LpBuf *out);
void lp_reach_json(const LpClairvoyant *reach, LpJsonOut *out);

#endif
