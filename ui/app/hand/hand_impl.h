/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that turn keys into a draft. */
#ifndef LP_UI_APP_HAND_IMPL_H
#define LP_UI_APP_HAND_IMPL_H

#include "app/hand/hand.h"

/* ---- app/hand/settle.c ---- */

/* The draft's words of the present stage. */
char *lp_hand_words(LpApp *app);
/* The later stages are held to what was changed; says what had to go. */
void lp_hand_settle(LpApp *app);
/* Takes the words of the present stage from a draft that was changed and holds later stages to it;
 * err: says why it was not changed. */
void lp_hand_take_words(LpApp *app, LpErr err, const LpDraft *draft, const LpDiag *diag);

/* ---- app/hand/split.c: ops and plans, at the first stage ---- */

/* Up, Down; Left, Right; whatever leaves it. False: the first stage is not shown, or the key means
 * something else there. */
bool lp_hand_split_move(LpApp *app, int lines);
bool lp_hand_split_along(LpApp *app, int by);
bool lp_hand_split_leave(LpApp *app);
/* Does the cursor stand on ops, or numbers of a plan? */
bool lp_hand_on_split(const LpApp *app);

#endif
