/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer: keys and time go in, commands go to the session, and a canvas comes out. It knows
 * neither terminal nor clock, so that a script of keys drives the very same program. */
#ifndef LP_UI_APP_H
#define LP_UI_APP_H

#include "app/play/play.h"
#include "app/show/show.h"
#include "app/state/state.h"

/* Goes to the first decision and makes the canvas. Errors: LP_ENOMEM, the session's. */
LpErr lp_app_open(LpApp *app, LpSession *session, const LpUiOptions *options, int rows, int cols,
                  LpDiag *diag) LP_MUST_USE;
/* Ends what is written, the record and the session: notes that all is well and brings it to the
 * disk. Nothing is to be done afterwards. Errors: what is not saved, and why. */
LpErr lp_app_end(LpApp *app, LpDiag *diag) LP_MUST_USE;
void lp_app_fini(LpApp *app);
/* Policies are looked after from now on, also those of runs that steps of a lesson show. */
void lp_app_watch(LpApp *app);
LpErr lp_app_resize(LpApp *app, int rows, int cols, LpDiag *diag) LP_MUST_USE;
/* `now` in ms on any clock that does not go back. A command of the session that fails stops
 * playing and shows its message; app->failed and app->diag keep it. */
void lp_app_key(LpApp *app, LpKey key, int64_t now);
/* What was pasted into the terminal: it goes into the line that is typed; where there is none it is
 * told, and does nothing else. */
void lp_app_paste(LpApp *app, const char *text, int64_t now);
/* Clicks mark, a second click on the same looks into it; the time line can be dragged. */
void lp_app_mouse(LpApp *app, const LpMouse *mouse, int64_t now);
/* One command as on the command line, such as "step 3". Errors: those of reading the line
 * (command.h), LP_EINVAL and others for what the command cannot do; the message is not shown. */
LpErr lp_app_command(LpApp *app, const char *text, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Does the next line of a demonstration if it is due by `now`; call after lp_app_tick. */
void lp_app_demo_tick(LpApp *app, int64_t now);

#endif
