/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of learn/ as services for policies; private to run/. */
#ifndef LP_RUN_SERVICES_NETWORK_H
#define LP_RUN_SERVICES_NETWORK_H

#include "script/policy.h"

/* Fills in the services for networks. */
void lp_services_network(LpScriptServices *services);

#endif
