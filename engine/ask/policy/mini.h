/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the policy tools: mini-scenarios built in memory, and reading a script for the global
 * names that it uses. Private to ask/. */
#ifndef LP_ASK_POLICY_MINI_H
#define LP_ASK_POLICY_MINI_H

#include "base/str.h"
#include "model/scenario.h"
#include "script/policy/policy.h"

/* The first three are for all policies; the others for those that have a hook, or name what there
 * is only there: light paths that are switched, slices, servers that fail, light inside a step. */
typedef enum LpMini {
    LP_MINI_PUBLISHED,
    LP_MINI_QUEUEING,
    LP_MINI_IDEAL,
    LP_MINI_OCS,
    LP_MINI_POD,
    LP_MINI_FAILING,
    LP_MINI_TURNS,
    LP_MINI_MOST
} LpMini;
enum { LP_MINI_COUNT = LP_MINI_OCS };

/* Name of a scenario, such as "published". */
const char *lp_mini_name(int index);
/* A fresh scenario owned by the caller; largest degree 8, with `max_degree` > 0 that. */
LpErr lp_mini_open(int index, uint32_t max_degree, LpScenario **out, LpDiag *diag) LP_MUST_USE;

/* Loads a policy as a session does: with the algorithms and the shared scripts of the program, and
 * these parameters ("k=v"). */
LpErr lp_mini_policy(const char *path, const LpScenario *scenario, uint32_t params,
                     const char *const *param, LpPolicy **out, LpDiag *diag) LP_MUST_USE;
/* The same from text, called "probe". */
LpErr lp_mini_policy_text(const char *source, size_t len, const LpScenario *scenario,
                          LpPolicy **out, LpDiag *diag) LP_MUST_USE;

/* One use of a name that is not declared in the script: NAME, NAME.FIELD, or an assignment. */
typedef struct LpGlobalUse {
    int line;
    bool assigned;
    char name[64]; /* "pairs", "string.gmatch" */
} LpGlobalUse;

/* Finds the first use of each global name in a script by its scopes, without running it. Returns
 * how many there are; at most `room` are written. Of text that is no Lua, what it finds means
 * nothing, but it ends. O(len * locals in scope). */
size_t lp_globals_find(const char *source, size_t len, LpGlobalUse *out, size_t room);

#endif
