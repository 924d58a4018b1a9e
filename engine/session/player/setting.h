/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network was trained for, and whether a scenario lies outside of it. */
#ifndef LP_SESSION_PLAYER_SETTING_H
#define LP_SESSION_PLAYER_SETTING_H

#include "base/str.h"
#include "script/policy/policy.h"
#include "session/player/player.h"

/* Widens the ranges of a note to the player's scenario. */
void lp_note_widen(LpNetNote *note, const LpPlayer *player);
/* Is the player's scenario outside of what its network was trained for? Then appends a sentence
 * that says in what: "the network was trained with 32 servers, here are 128". False for networks
 * whose file does not say. A tenth more or less than the ranges is not outside. */
bool lp_player_outside(const LpPlayer *player, LpBuf *out);
/* Is one of a policy's networks outside? Then appends a sentence about the first that is. True
 * with `failed` of the text set where memory is short (lp_buf_ok). */
bool lp_policy_outside(const LpPolicy *policy, const LpContext *context, LpBuf *out);

#endif
