/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hook `failure`: what it is told of the failure that stopped a job, and reading its answer. */
#ifndef LP_SCRIPT_POLICY_FAILURE_H
#define LP_SCRIPT_POLICY_FAILURE_H

#include "script/policy/policy_impl.h"

/* Pushes the table of LP_API_FAILURE_FIELDS about the policy's job. */
void lp_failure_push(lua_State *L, const LpPolicy *p);
/* Reads the two results at index.. into the policy's recovery; raises, naming what was returned and
 * expected. */
void lp_hook_read_failure(lua_State *L, int index);

#endif
