/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Going on: by itself, step by step, by a key script in front of people. */
#ifndef LP_UI_APP_PLAY_H
#define LP_UI_APP_PLAY_H

#include "app/state/state.h"

/* ---- app/play/play.c: going on ---- */

/* Takes a changed policy file. A broken save stops playing and leaves the old policy in charge. */
void lp_app_poll(LpApp *app);
void lp_app_to_decision(LpApp *app);
/* `count` events, or decisions, on, unless the user stops it. */
void lp_app_next(LpApp *app, bool decision, long count);
/* Decides with the marked row. */
void lp_app_take_row(LpApp *app);
/* Decides so instead of the policy; takes its own answer as a step. */
void lp_app_answer(LpApp *app, const LpAnswer *answer, bool policys);
void lp_app_play(LpApp *app, bool play, int64_t now);
/* Plays what is due by `now`. */
void lp_app_tick(LpApp *app, int64_t now);
/* Looks whether the policy was saved; call when nothing else happens. */
void lp_app_wake(LpApp *app);
/* When lp_app_tick should be called next, -1: not before the next key. */
int64_t lp_app_deadline(LpApp *app);

/* ---- app/play/look.c: to when waiting was worst ---- */

/* Goes to `moment`, "worst" or "worst queue", "worst longest": what of the run is not recorded yet
 * is played from now on by lp_app_look_tick; without a clock, in a lesson and in a key script it is
 * gone there at once. `opening`: the program begins there, and where nobody waits it stays at the
 * start. Errors: those of seeking there. */
LpErr lp_app_look(LpApp *app, const char *moment, bool opening, LpDiag *diag) LP_MUST_USE;
bool lp_app_looks(const LpApp *app);
/* Plays on for a short while; when the run is over, goes there. Nothing where nothing is looked
 * for.
 */
void lp_app_look_tick(LpApp *app);
/* A key: it stays where it has got to. */
void lp_app_look_stop(LpApp *app);

/* ---- app/play/demo.c: a key script in the running program ---- */

/* Plays the script of that name, or in that file, from now on. Errors: LP_EINVAL when there is
 * none, those of reading it, LP_ESTATE from within a script. */
LpErr lp_app_demo(LpApp *app, const char *name, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_demo_end(LpApp *app);
/* When it goes on, -1: it does not by itself. */
int64_t lp_app_demo_deadline(const LpApp *app);
/* Was the key for the demo? Other keys hold it. */
bool lp_app_demo_key(LpApp *app, LpKey key, int64_t now);
/* As the keys that go on do, where it plays and nothing else is looked at; else false. */
bool lp_app_demo_on(LpApp *app, int64_t now);
/* Somebody did something else: it waits. */
void lp_app_demo_touched(LpApp *app);
/* It waits for whoever presents; and what that says, "" for the keys alone. */
void lp_app_demo_hold(LpApp *app);
void lp_app_demo_say(LpApp *app, const char *text);
void lp_app_words_demo(LpBuf *out);

#endif
