/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decision by hand: rows of a stage, a cursor on its board, one draft over all five stages that
 * Enter takes. Nothing of it changes the run before. */
#ifndef LP_UI_APP_HAND_H
#define LP_UI_APP_HAND_H

#include "app/state/state.h"

/* ---- app/hand/hand.c ---- */

/* Up, Down: another row of the stage, or the cursor. False: not here, the key means something else.
 */
bool lp_hand_move(LpApp *app, int lines);
/* Left, Right: onto the board, on it, a bar that is carried, back to the rows. */
bool lp_hand_along(LpApp *app, int by);
/* A row of the stage, by a click. */
bool lp_hand_row(LpApp *app, uint32_t row);
/* What is under the cursor joins or leaves, goes on to the next, is picked up or dropped. */
bool lp_hand_toggle(LpApp *app);
/* The next matching of circuits from port to port, behind the last one a new one, or the one
 * before. False: no cursor stands on them. */
bool lp_hand_matching(LpApp *app, int by);
/* The job's block slides to what is under the cursor. False: no cursor stands on servers to be
 * chosen. */
bool lp_hand_slide(LpApp *app);
/* What was clicked while the cursor is on the board. */
bool lp_hand_click(LpApp *app, const LpCell *at);
/* The bar that is picked up goes one place towards the bar that the mouse was dragged to, if that
 * is in the same row. False: nothing is picked up, or it is there. */
bool lp_hand_drag(LpApp *app, const LpCell *at);
/* Takes the draft as a branch; false: it cannot be, and says why. */
bool lp_hand_fork(LpApp *app);
/* Takes the draft that is shown; false: there is none. */
bool lp_hand_take(LpApp *app);
/* This stage as the policy has it. */
void lp_hand_clear(LpApp *app);
/* Off the board, then the draft is given up. */
bool lp_hand_leave(LpApp *app);
/* Another stage: the cursor stands on rows. */
void lp_hand_turn(LpApp *app);

/* ---- app/hand/cursor.c: where things stand on the screen ---- */

/* Where the pane, or the view that shows its things, lies; empty: nowhere. */
LpRect lp_hand_pane(const LpApp *app, LpPane pane);
/* The first thing of this kind in the pane, from the top left; LP_NO_INDEX: none is drawn. */
uint32_t lp_hand_first(const LpApp *app, LpPane pane, LpHit hit);
/* Things of this kind from one cell to the next in the pane; 1: each has its own cells. */
uint32_t lp_hand_step(const LpApp *app, LpPane pane, LpHit hit);
/* The nearest one from `what` in this direction; `what` itself where there is none. */
uint32_t lp_hand_next(const LpApp *app, LpPane pane, LpHit hit, uint32_t what, int dx, int dy);

#endif
