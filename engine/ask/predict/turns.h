/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath turns`: one step with circuits that turn inside it, per delay and kind of orders. */
#ifndef LP_ASK_PREDICT_TURNS_H
#define LP_ASK_PREDICT_TURNS_H

#include "base/str.h"
#include "sim/turns/turns.h"

typedef struct LpTurns LpTurns;

/* The step of "KEY=VALUE ..." (sim/turns/turns_keys.h), of stages or of layers with experts, at the
 * delays of a list such as "0,60ms,mixnet": times and names of presets. Errors: LP_EINVAL,
 * LP_ELIMIT with what is wrong; LP_ENOMEM. */
LpErr lp_turns_make(const char *step, bool experts, const char *delays, LpTurns **out,
                    LpDiag *diag) LP_MUST_USE;
void lp_turns_free(LpTurns *turns); /* NULL allowed */
/* Appends {"lightpath":1,"rows":[...],"curve":[...]} and a newline; `each`: with every transfer. */
void lp_turns_json(LpTurns *turns, bool each, LpBuf *out);
/* Appends the table for people. */
void lp_turns_text(LpTurns *turns, bool each, LpBuf *out);
/* The corners of T(D) up to the longest delay, for people. */
void lp_turns_corners(const LpTurns *turns, LpBuf *out);
/* The longest delay, and the height of a curve. */
double lp_turns_most(const LpTurns *turns);
double lp_turns_height(const LpTurns *turns, LpTurnOrders orders, double delay);

#endif
