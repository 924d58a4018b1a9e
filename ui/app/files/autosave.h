/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where sessions are saved by themselves: lightpath/NAME-NUMBER.session in the user's folder for
 * state, the last twenty of them. */
#ifndef LP_UI_APP_AUTOSAVE_H
#define LP_UI_APP_AUTOSAVE_H

#include "session/file.h"

enum { LP_AUTOSAVES = 20, LP_AUTOSAVE_PATH = 4096 };

/* Begins a new file there, and removes the oldest ones beyond LP_AUTOSAVES that no other program is
 * writing. The folder ($XDG_STATE_HOME or ~/.local/state) is made, for its owner only. Errors:
 * LP_EIO saying why there is no such place. */
LpErr lp_autosave_open(LpSession *session, LpSave **out, LpDiag *diag) LP_MUST_USE;
/* The last one of this scenario, where that was not left in good order (the program was killed) and
 * nobody is writing it. False: none. */
bool lp_autosave_left(const LpSession *session, char path[LP_AUTOSAVE_PATH]);
/* The newest of all scenarios first, at most `most` of them. Returns how many. */
size_t lp_autosave_recent(size_t most, char (*path)[LP_AUTOSAVE_PATH]);
/* Makes a folder and those above it, for their owner only. LP_EIO. */
LpErr lp_autosave_folder(char *path, LpDiag *diag) LP_MUST_USE;

#endif
