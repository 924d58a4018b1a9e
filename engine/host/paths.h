/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the data that came with the program lies: folders that hold scripts/, scenarios/, themes/.
 */
#ifndef LP_HOST_PATHS_H
#define LP_HOST_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"

enum { LP_PATHS_MAX = 5, LP_PATH_TEXT = 4096 };

/* Room for the list; contents are private. */
typedef struct LpPaths {
    char text[LP_PATHS_MAX][LP_PATH_TEXT];
    const char *dir[LP_PATHS_MAX + 1];
} LpPaths;

/* The folders that exist, NULL-terminated, in the order in which to look: $LIGHTPATH_DATA, the
 * user's own (LP_HOME_DATA), then ../share/lightpath beside the program, the tree that it was built
 * from, and the place that it was built to be installed in. None is named twice. Points into
 * *paths. */
const char *const *lp_paths_dirs(LpPaths *paths);

/* As lp_paths_dirs, but with folders that do not exist, for messages. */
const char *const *lp_paths_candidates(LpPaths *paths);

/* The user's own folders, after the XDG base directory specification. */
typedef enum LpHome {
    LP_HOME_CONFIG, /* $XDG_CONFIG_HOME/lightpath, else ~/.config/lightpath */
    LP_HOME_STATE,  /* $XDG_STATE_HOME, ~/.local/state */
    LP_HOME_DATA,   /* $XDG_DATA_HOME, ~/.local/share */
    LP_HOME_COUNT
} LpHome;

/* path[size] gets the folder, whether it exists or not. False, path "", where neither the variable
 * nor $HOME is an absolute path, or it does not fit. */
bool lp_paths_home(LpHome home, char *path, size_t size);
/* A file in it, likewise. */
bool lp_paths_in_home(LpHome home, const char *name, char *path, size_t size);

/* Where require() looks after the policy's own folder: scripts/lib and scripts/ of each of `dirs`;
 * NULL-terminated, in the arena. NULL: out of memory. */
const char *const *lp_paths_library(LpArena *arena, const char *const *dirs);

/* Finds a scenario by bare name ("pac-ml-32") in the folders' scenarios/, and those with lessons in
 * scenarios/lessons/: path[size] gets the file. False when there is none, or the name has a slash.
 */
bool lp_paths_scenario(const char *name, char *path, size_t size);
/* Appends the folders in which it looks, with commas between. */
void lp_paths_scenario_places(LpBuf *out);
/* Appends the names of all such scenarios in alphabetical order, a line each, indented. */
LpErr lp_paths_list_scenarios(LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Appends the names of all scenarios in scenarios/lessons/, in the same form. */
LpErr lp_paths_list_lessons(LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Appends the file names of all policies that came with the program, a line each. */
LpErr lp_paths_list_policies(LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* A key script of scenarios/demos/ by bare name, likewise; all of their names, a line each. */
bool lp_paths_demo(const char *name, char *path, size_t size);
LpErr lp_paths_list_demos(LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Appends the names of all themes, a line each. */
LpErr lp_paths_list_themes(LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
