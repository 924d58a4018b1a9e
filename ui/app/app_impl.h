/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys, the mouse and commands: what they do is in the rooms below. */
#ifndef LP_UI_APP_IMPL_H
#define LP_UI_APP_IMPL_H

#include "app/app.h"
#include "app/fork/fork.h"
#include "app/keep/keep.h"
#include "app/teach/teach.h"

/* ---- app/acts.c ---- */

/* What a key of the action does. */
void lp_app_act(LpApp *app, LpUiAction action, int64_t now);
/* The command ":do ACTION [TIMES]", and the actions. */
LpErr lp_app_run_do(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_action(LpBuf *out);

/* ---- app/services.c: what views may ask ---- */

extern const LpHostCalls lp_app_services;

/* ---- app/demo_run.c: its lines ---- */

/* What a script without anybody to go on does at a pause: playing stops, the text is shown. */
void lp_app_pause(LpApp *app, const char *text, int64_t now);

/* ---- app/demo_back.c: back to its pauses ---- */

/* Notes the state at the pause where the script is. LP_ENOMEM. */
LpErr lp_app_demo_note(LpApp *app, const char *told, LpDiag *diag) LP_MUST_USE;
/* Notes the branches from `first` on, which the script's last line made. LP_ENOMEM. */
LpErr lp_app_demo_made(LpApp *app, uint32_t first, LpDiag *diag) LP_MUST_USE;
/* Was the key for going back to the pause before, in the demo that plays? */
bool lp_app_demo_back_key(LpApp *app, LpKey key);

/* ---- app/commands.c ---- */

/* Does what a line that was read says. */
LpErr lp_app_run(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Appends every word that may follow, a line each. */
void lp_app_words(const LpApp *app, LpUiWords kind, LpBuf *out);
/* As lp_app_run and lp_app_words, for the commands of the time machine (app/commands_time.c). */
LpErr lp_app_run_time(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;
void lp_app_words_time(const LpApp *app, LpUiWords kind, LpBuf *out);

/* ---- app/typing.c ---- */

/* A key while the command line is open. */
void lp_app_prompt_key(LpApp *app, LpKey key, int64_t now);

#endif
