/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of learn/ as services for policies, and as run/ sees them; private to run/. */
#ifndef LP_RUN_PLAYER_SERVICES_NETWORK_H
#define LP_RUN_PLAYER_SERVICES_NETWORK_H

#include "run/player/player.h"
#include "script/policy/policy.h"

/* Fills in the services for networks. */
void lp_services_network(LpScriptServices *services);

/* Inside of such a network (lp_policy_network): the agent, and the player for the
 * context's scenario, made where there is none yet. Both are the network's. Errors: as
 * lp_player_new. */
const LpWeights *lp_network_agent(const void *network);
LpErr lp_network_player(void *network, const LpContext *context, LpPlayer **out,
                        LpDiag *diag) LP_MUST_USE;

#endif
