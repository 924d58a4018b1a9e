/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What outlives the screen: the session's file, what is copied, what is done as a key script,
 * other sessions. */
#ifndef LP_UI_APP_KEEP_H
#define LP_UI_APP_KEEP_H

#include "app/state/state.h"

/* ---- app/keep/yank.c, app/keep/yank_pane.c ---- */

enum { LP_YANK_MOST = 65536 }; /* bytes for the clipboard */

/* The present moment as a command line; path NULL: only shown and handed to the terminal. */
LpErr lp_app_yank(LpApp *app, const char *path, LpDiag *diag) LP_MUST_USE;
/* What a pane shows as text, LP_PANE_COUNT: what is shown alone, or over all, or everything; a path
 * FILE.csv gets its table, and no path the clipboard. LP_EINVAL, LP_ESTATE, LP_EIO, LP_ELIMIT. */
LpErr lp_app_yank_pane(LpApp *app, LpPane pane, const char *path, LpDiag *diag) LP_MUST_USE;
/* Asks as what the pane is to be kept: as text, a file with its table or picture, or the moment. */
void lp_app_ask_yank(LpApp *app);
/* The words of :yank. */
LpErr lp_app_yank_line(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;

/* ---- app/keep/save.c: the session's file ---- */

/* Saves what happened, where the session is saved at all. */
void lp_app_saved(LpApp *app, int64_t now);
/* When the file is to be brought to the disk, -1: no need. */
int64_t lp_app_sync_deadline(const LpApp *app);
/* Ends the file: all is well. Errors: what is not saved, and why. */
LpErr lp_app_end_saving(LpApp *app, LpDiag *diag) LP_MUST_USE;
/* Writes the session into a file and goes on there; path NULL: where it was to be. */
LpErr lp_app_write(LpApp *app, const char *path, LpDiag *diag) LP_MUST_USE;

/* ---- app/keep/record.c: what is done as a key script ---- */

/* Records what playing has done since the last line. */
void lp_app_record_played(LpApp *app);
/* A command was carried out. */
void lp_app_record_line(LpApp *app, const char *text);
void lp_app_record_action(LpApp *app, LpUiAction action);
void lp_app_record_mouse(LpApp *app, LpMoment from, LpPane only);
void lp_app_record_size(LpApp *app);
void lp_app_record_end(LpApp *app);
/* Notes where the run is, to see later what playing has done. */
void lp_app_record_from_here(LpApp *app);
LpErr lp_app_run_record(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;

/* ---- app/keep/open.c: another scenario in place of this one ---- */

/* Ends this session in good order and goes on with another. LP_EINVAL when there is none of the
 * name, LP_ESTATE without a terminal. */
LpErr lp_app_open_other(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
/* Ends this session and goes on with `session`, of which it takes ownership unless there is nobody
 * to lead on: then false. */
bool lp_app_adopt(LpApp *app, LpSession *session) LP_MUST_USE;
void lp_app_words_scenario(LpBuf *out);

/* ---- app/keep/as_policy.c ---- */

/* Writes what was decided by hand as a policy for an LpPolicyWidth, shows it, and says whether it
 * gets to the present state. path NULL: a new file by-hand.lua. Errors: LP_ESTATE where nothing was
 * decided by hand; those of writing. */
LpErr lp_app_as_policy(LpApp *app, int width, const char *path, LpDiag *diag) LP_MUST_USE;

#endif
