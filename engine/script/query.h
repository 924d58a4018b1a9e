/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about a moment in Lua: an expression such as `job(3).state == "blocked"` over the
 * read-only views that policies see, in a sandbox of its own. */
#ifndef LP_SCRIPT_QUERY_H
#define LP_SCRIPT_QUERY_H

#include "base/str.h"
#include "script/policy/policy.h"

enum { LP_QUERY_LONGEST = 4096 }; /* bytes */

typedef struct LpQuery LpQuery;

/* Compiles an expression, or where it is none, statements. They see cluster, job(id) for every job
 * that has arrived, and what policies see. services as for policies. Errors: LP_ESCRIPT saying
 * what is wrong, LP_ELIMIT, LP_ENOMEM. */
LpErr lp_query_new(const char *text, const LpScenario *scenario, const LpScriptServices *services,
                   LpQuery **out, LpDiag *diag) LP_MUST_USE;
void lp_query_free(LpQuery *query); /* NULL allowed */

/* Asks it about a world; nothing changes, not even the policy's random stream. truth and text (NULL
 * allowed): the first value as Lua judges it, and as text after what was printed. Errors:
 * LP_ESCRIPT with the script's message, LP_ERANGE where it asks for a job that has not arrived,
 * LP_EBUDGET, LP_ENOMEM; outputs unchanged. */
LpErr lp_query_ask(LpQuery *query, const LpContext *context, const LpWorld *world, bool *truth,
                   LpBuf *text, LpDiag *diag) LP_MUST_USE;

#endif
