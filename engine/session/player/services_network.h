/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of learn/ as services for policies, and as runs see them; not for front ends. */
#ifndef LP_SESSION_PLAYER_SERVICES_NETWORK_H
#define LP_SESSION_PLAYER_SERVICES_NETWORK_H

#include "script/policy/policy.h"
#include "session/player/player.h"

/* Fills in the services for networks. */
void lp_services_network(LpScriptServices *services);

/* Inside of such a network (lp_policy_network): the agent, and the player for the
 * context's scenario, made where there is none yet. Both are the network's. Errors: as
 * lp_player_new. */
const LpWeights *lp_network_agent(const void *network);
LpErr lp_network_player(void *network, const LpContext *context, LpPlayer **out,
                        LpDiag *diag) LP_MUST_USE;

#endif
