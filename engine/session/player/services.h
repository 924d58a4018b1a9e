/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithms of graph/ as the table of services that script/ offers to policies; not for
 * front ends. */
#ifndef LP_SESSION_PLAYER_SERVICES_H
#define LP_SESSION_PLAYER_SERVICES_H

#include "script/policy/policy.h"

/* library: folders of shared scripts, NULL-terminated; borrowed while a policy loads. */
LpScriptServices lp_services(const char *const *library);

#endif
