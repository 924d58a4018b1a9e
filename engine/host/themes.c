/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Theme files by name. */
#include "host/themes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/paths.h"
#include "io/theme.h"

static bool is_path(const char *name) {
    size_t len = strlen(name);
    return strchr(name, '/') != NULL || (len > 5 && strcmp(name + len - 5, ".json") == 0);
}

/* DIR/NAME, where that is a file; dir has `len` bytes, 0: the working folder. */
static bool try_file(const char *dir, size_t len, const char *name, const char *ending, char *path,
                     size_t size) {
    int made = snprintf(path, size, "%.*s%s%s%s", (int)len, dir,
                        len > 0 && dir[len - 1] != '/' ? "/" : "", name, ending);
    return made > 0 && (size_t)made < size && access(path, F_OK) == 0;
}

/* Bytes of the folder part of a path. */
static size_t folder_len(const char *path) {
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
}

bool lp_themes_find(const char *name, const char *beside, bool nested, char *path, size_t size) {
    LpPaths paths;
    char folder[LP_PATH_TEXT + 16];
    bool given = is_path(name);
    if (name[0] == '\0')
        return false;
    if (given && nested && name[0] != '/')
        return try_file(beside, folder_len(beside), name, "", path, size);
    if (given && try_file("", 0, name, "", path, size))
        return true;
    if (strchr(name, '/') != NULL)
        return false;
    const char *ending = given ? "" : ".json";
    if (beside != NULL && try_file(beside, folder_len(beside), name, ending, path, size))
        return true;
    for (const char *const *dir = lp_paths_dirs(&paths); *dir != NULL; dir++) {
        int len = snprintf(folder, sizeof folder, "%s/themes", *dir);
        if (try_file(folder, (size_t)len, name, ending, path, size))
            return true;
    }
    return false;
}

LpErr lp_themes_load(const char *path, const char *const *role, LpThemeSpec *out, LpDiag *diag) {
    return lp_theme_load(path, role, out, diag);
}
