/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions by hand as Lua tables, and texts as Lua has them. */
#ifndef LP_ASK_DRAFT_LUA_TABLE_H
#define LP_ASK_DRAFT_LUA_TABLE_H

#include "ask/draft/by_hand.h"
#include "base/str.h"

/* Appends a text in quotes, whatever is in it. */
void lp_lua_text(LpBuf *out, const char *text, size_t len);
/* Appends the table of one choice with a comma behind it: for whom it is (every job of its graph,
 * or the one job at its moment), and what each hook answers. */
void lp_lua_choice(const LpHandChoices *choices, const LpHandChoice *choice, bool of_graph,
                   LpBuf *out);

#endif
