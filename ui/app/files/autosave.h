/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where sessions are saved by themselves: lightpath/NAME-NUMBER.session in the user's folder for
 * state, the last twenty of them. */
#ifndef LP_UI_APP_AUTOSAVE_H
#define LP_UI_APP_AUTOSAVE_H

#include "session/file.h"

enum { LP_AUTOSAVES = 20, LP_AUTOSAVE_PATH = 4096 };

/* Begins a new file there, and removes the oldest ones beyond LP_AUTOSAVES that no other program is
 * writing. The one before of this scenario makes room, too, where nothing was done in it. The
 * folder ($XDG_STATE_HOME or ~/.local/state) is made, for its owner only. Errors: LP_EIO saying why
 * there is no such place. */
LpErr lp_autosave_open(LpSession *session, LpSave **out, LpDiag *diag) LP_MUST_USE;
/* The last one of this scenario, where that was not left in good order (the program was killed) and
 * nobody is writing it. False: none. */
bool lp_autosave_left(const LpSession *session, char path[LP_AUTOSAVE_PATH]);
/* The newest of all scenarios first, at most `most` of them. Returns how many. */
size_t lp_autosave_recent(size_t most, char (*path)[LP_AUTOSAVE_PATH]);
/* What tells saved sessions of one scenario apart. */
typedef struct LpAutosaveAbout {
    char saved[24];    /* when, "2026-11-27 23:40" */
    double time;       /* s of its run where it was left */
    char branch[64];   /* on which it was left */
    uint32_t branches; /* that it has */
    bool done;         /* something was done by hand, forked, changed or renamed, not only played */
} LpAutosaveAbout;

/* Reads it from the file; false: it cannot be read, or is none. O(its bytes). */
bool lp_autosave_about(const char *path, LpAutosaveAbout *out);
/* Makes a folder and those above it, for their owner only. LP_EIO. */
LpErr lp_autosave_folder(char *path, LpDiag *diag) LP_MUST_USE;

#endif
