/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the data that came with the program lies: folders that hold scripts/, scenarios/, themes/.
 */
#ifndef LP_RUN_PATHS_H
#define LP_RUN_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"

enum { LP_PATHS_MAX = 4, LP_PATH_TEXT = 4096 };

/* Room for the list; contents are private. */
typedef struct LpPaths {
    char text[LP_PATHS_MAX][LP_PATH_TEXT];
    const char *dir[LP_PATHS_MAX + 1];
} LpPaths;

/* The folders that exist, NULL-terminated, in the order in which to look: $LIGHTPATH_DATA, then
 * ../share/lightpath beside the program, the tree that it was built from, and the place that it was
 * built to be installed in. None is named twice. Points into *paths. */
const char *const *lp_paths_dirs(LpPaths *paths);

/* Where require() looks after the policy's own folder: scripts/lib and scripts/ of each of `dirs`;
 * NULL-terminated, in the arena. NULL: out of memory. */
const char *const *lp_paths_library(LpArena *arena, const char *const *dirs);

/* Finds a scenario by bare name ("pac-ml-32") in the folders' scenarios/: path[size] gets the file.
 * False when there is none, or the name has a slash. */
bool lp_paths_scenario(const char *name, char *path, size_t size);
/* Appends the names of all such scenarios in alphabetical order, a line each, indented. */
void lp_paths_list_scenarios(LpBuf *out);
/* Appends the file names of all policies that came with the program, a line each. */
void lp_paths_list_policies(LpBuf *out);

#endif
