/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that load and call policies share; private to script/. */
#ifndef LP_SCRIPT_INTERNAL_H
#define LP_SCRIPT_INTERNAL_H

#include "script/views/views.h"

/* ---- call.c ---- */

extern const char *const lp_hook_names[LP_HOOK_COUNT];

/* Runs body as one call on the policy: views live, self.mem is kept afterwards, a failing script
 * sets *failed and its message is the reason. Errors: of the engine, and LP_EBUDGET for time. */
LpErr lp_policy_run(LpPolicy *p, const LpContext *context, const LpWorld *world, LpRng *rng,
                    lua_CFunction body, bool *failed, LpDiag *diag) LP_MUST_USE;
/* Calls a hook with self and the arguments of its row, and returns the stack index of the first of
 * its three results. `doing` is how messages name the call. */
int lp_hook_call(lua_State *L, LpPolicy *p, LpHook hook, const char *doing);
/* A call of a hook with other arguments: begin pushes the hook with self, the caller then pushes
 * `arguments` values, and finish calls the hook with them. */
void lp_hook_begin(lua_State *L, LpPolicy *p, LpHook hook, const char *doing);
int lp_hook_finish(lua_State *L, LpPolicy *p, int arguments);
/* Remembers the line where the hook returned from, if it gave the reason that counts. */
void lp_hook_note_where(LpPolicy *p, bool reason);
/* Makes the name of a required file in a failure its path. */
void lp_policy_find_file(const LpPolicy *p, LpDiag *diag);

/* ---- arguments.c ---- */

/* Pushes what a hook is given after self, as its row says, and returns how many that are. */
int lp_hook_push_arguments(lua_State *L, LpPolicy *p, LpHook hook);

/* ---- phase.c ---- */

/* Do circuits turn inside the step that was answered? Its turns are noted where the hook `phase`
 * is there. */
bool lp_phase_begin(lua_State *L, LpPolicy *p);
/* Asks the hook for each of them, and makes its answers those of the policy. */
void lp_phase_ask(lua_State *L, LpPolicy *p);
/* Asks the hook for an answer that is only forecast, within a call of another hook: the hook's
 * answers go into it; what it writes into self.mem and draws is forgotten. Nothing where the answer
 * has orders of its own, or a forecast is asked for by the hook itself. */
void lp_phase_foresee(lua_State *L, LpPolicy *p, uint32_t job, LpAnswer *answer);

/* ---- explain.c, algorithms.c, require.c ---- */

void lp_api_open_explain(lua_State *L); /* each defines its globals */
void lp_api_open_algorithms(lua_State *L);
void lp_api_open_require(lua_State *L);

/* ---- params.c ---- */

/* Reads the declarations in the policy table at index, applies the values given, and pushes the
 * table `self.p`. */
void lp_params_push(lua_State *L, int index, const LpPolicyParam *given, uint32_t count,
                    const LpScenario *scenario);

#endif
