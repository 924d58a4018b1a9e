/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for the folders with the data that came with the program. */
#include "host/paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lack.h"
#include "base/mem.h"

static bool is_kind(const char *path, mode_t kind) {
    struct stat st;
    return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

static bool is_listed(const LpPaths *paths, size_t count, const char *path) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths->dir[i], path) == 0)
            return true;
    return false;
}

/* Every place where data may be, in order. */
static size_t add(LpPaths *paths, size_t count, const char *path) {
    if (path == NULL || path[0] == '\0' || strlen(path) >= LP_PATH_TEXT ||
        is_listed(paths, count, path))
        return count;
    strcpy(paths->text[count], path);
    paths->dir[count] = paths->text[count];
    return count + 1;
}

/* "/usr/bin/lightpath" -> "/usr/share/lightpath" */
static size_t add_beside_program(LpPaths *paths, size_t count) {
    static const char share[] = "/share/lightpath";
    char exe[LP_PATH_TEXT];
    ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - sizeof share);
    if (len <= 0)
        return count;
    exe[len] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(exe, '/');
        if (slash == NULL)
            return count;
        *slash = '\0';
    }
    strcat(exe, share);
    return add(paths, count, exe);
}

const char *const *lp_paths_candidates(LpPaths *paths) {
    char home[LP_PATH_TEXT];
    size_t count = add(paths, 0, getenv("LIGHTPATH_DATA"));
    if (lp_paths_home(LP_HOME_DATA, home, sizeof home))
        count = add(paths, count, home);
    count = add_beside_program(paths, count);
#ifdef LP_SOURCEDIR
    count = add(paths, count, LP_SOURCEDIR);
#endif
#ifdef LP_DATADIR
    count = add(paths, count, LP_DATADIR);
#endif
    paths->dir[count] = NULL;
    return paths->dir;
}

const char *const *lp_paths_dirs(LpPaths *paths) {
    size_t kept = 0;
    lp_paths_candidates(paths);
    for (size_t i = 0; paths->dir[i] != NULL; i++)
        if (is_kind(paths->dir[i], S_IFDIR))
            paths->dir[kept++] = paths->dir[i];
    paths->dir[kept] = NULL;
    return paths->dir;
}

bool lp_paths_home(LpHome home, char *path, size_t size) {
    static const struct {
        const char *variable, *otherwise;
    } homes[LP_HOME_COUNT] = {[LP_HOME_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
                              [LP_HOME_STATE] = {"XDG_STATE_HOME", ".local/state"},
                              [LP_HOME_DATA] = {"XDG_DATA_HOME", ".local/share"}};
    const char *own = getenv(homes[home].variable), *user = getenv("HOME");
    int len = -1;
    if (own != NULL && own[0] == '/') /* the specification: what is not absolute does not count */
        len = snprintf(path, size, "%s/lightpath", own);
    else if (user != NULL && user[0] == '/')
        len = snprintf(path, size, "%s/%s/lightpath", user, homes[home].otherwise);
    bool good = len >= 0 && (size_t)len < size;
    if (!good && size > 0)
        path[0] = '\0';
    return good;
}

bool lp_paths_in_home(LpHome home, const char *name, char *path, size_t size) {
    char folder[LP_PATH_TEXT];
    bool known = lp_paths_home(home, folder, sizeof folder);
    int len = known ? snprintf(path, size, "%s/%s", folder, name) : -1;
    bool good = len >= 0 && (size_t)len < size;
    if (!good && size > 0)
        path[0] = '\0';
    return good;
}

const char *const *lp_paths_library(LpArena *arena, const char *const *dirs) {
    static const char *const folders[] = {"scripts/lib", "scripts"};
    size_t found = 0, count = 0;
    while (dirs[found] != NULL)
        found++;
    const char **library = lp_arena_alloc(arena, found * LP_COUNTOF(folders) + 1, sizeof *library);
    for (size_t i = 0; library != NULL && i < found; i++)
        for (size_t k = 0; k < LP_COUNTOF(folders); k++) {
            char path[LP_PATH_TEXT + 16];
            snprintf(path, sizeof path, "%s/%s", dirs[i], folders[k]);
            if ((library[count++] = lp_arena_strdup(arena, path)) == NULL)
                return NULL;
        }
    return library;
}

bool lp_paths_scenario(const char *name, char *path, size_t size) {
    LpPaths paths;
    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL)
        return false;
    static const char *const folders[] = {"", "lessons/"};
    for (const char *const *dir = lp_paths_dirs(&paths); *dir != NULL; dir++)
        for (size_t i = 0; i < LP_COUNTOF(folders); i++) {
            int len = snprintf(path, size, "%s/scenarios/%s%s.json", *dir, folders[i], name);
            if (len > 0 && (size_t)len < size && is_kind(path, S_IFREG))
                return true;
        }
    return false;
}

void lp_paths_scenario_places(LpBuf *out) {
    LpPaths paths;
    const char *const *first = lp_paths_dirs(&paths);
    for (const char *const *dir = first; *dir != NULL; dir++) {
        lp_buf_add(out, dir == first ? "" : ", ");
        lp_str_escape(out, *dir, strlen(*dir));
        lp_buf_add(out, "/scenarios");
    }
}

bool lp_paths_demo(const char *name, char *path, size_t size) {
    LpPaths paths;
    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL)
        return false;
    for (const char *const *dir = lp_paths_dirs(&paths); *dir != NULL; dir++) {
        int len = snprintf(path, size, "%s/scenarios/demos/%s.keys", *dir, name);
        if (len > 0 && (size_t)len < size && is_kind(path, S_IFREG))
            return true;
    }
    return false;
}

/* ---- all scenarios, all policies ---- */

typedef struct Names {
    char **item;
    size_t count, cap;
} Names;

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The name without its ending. */
static LpErr add_name(Names *names, const char *file, const char *ending) {
    size_t len = strlen(file), end = strlen(ending);
    void *items = names->item;
    if (file[0] == '.' || len <= end || strcmp(file + len - end, ending) != 0)
        return LP_OK;
    LP_TRY(lp_grow(&items, &names->cap, names->count + 1, sizeof *names->item));
    names->item = items;
    char *name = lp_alloc(len, 1);
    if (name == NULL)
        return LP_ENOMEM;
    memcpy(name, file, len - end);
    names->item[names->count++] = name;
    return LP_OK;
}

/* A folder that is not there, or may not be read, has no names; one that cannot be opened for other
 * reasons may have some. */
static LpErr fail_folder(const char *path, LpDiag *diag) {
    char shown[LP_DIAG_FILE];
    if (errno == ENOMEM)
        return lp_fail_memory(diag, "a list of files");
    if (errno != EMFILE && errno != ENFILE && errno != EIO)
        return LP_OK;
    return lp_fail(diag, lp_err_of(errno), "cannot list %s: %s",
                   lp_str_show(shown, sizeof shown, path), strerror(errno));
}

static LpErr add_folder(Names *names, const char *dir, const char *kind, const char *ending,
                        LpDiag *diag) {
    char path[LP_PATH_TEXT];
    struct dirent *entry;
    LpErr err = LP_OK;
    int len = snprintf(path, sizeof path, "%s/%s", dir, kind);
    if (len < 0 || (size_t)len >= sizeof path)
        return LP_OK;
    DIR *folder = opendir(path);
    if (folder == NULL)
        return fail_folder(path, diag);
    while (err == LP_OK && (entry = readdir(folder)) != NULL)
        err = add_name(names, entry->d_name, ending);
    closedir(folder);
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "a list of files");
}

/* Every name once, between the two texts. */
static LpErr list(const char *kind, const char *ending, const char *before, const char *after,
                  LpBuf *out, LpDiag *diag) {
    LpPaths paths;
    Names names = {0};
    LpErr err = LP_OK;
    for (const char *const *dir = lp_paths_dirs(&paths); err == LP_OK && *dir != NULL; dir++)
        err = add_folder(&names, *dir, kind, ending, diag);
    if (names.count > 0)
        qsort(names.item, names.count, sizeof *names.item, by_name);
    for (size_t i = 0; i < names.count; i++)
        if (i == 0 || strcmp(names.item[i - 1], names.item[i]) != 0) {
            lp_buf_add(out, before);
            lp_str_escape(out, names.item[i], strlen(names.item[i]));
            lp_buf_add(out, after);
        }
    for (size_t i = 0; i < names.count; i++)
        lp_free(names.item[i]);
    lp_free(names.item);
    out->failed |= err != LP_OK;
    return err != LP_OK ? err : lp_buf_ok(out, diag);
}

LpErr lp_paths_list_scenarios(LpBuf *out, LpDiag *diag) {
    return list("scenarios", ".json", "  ", "\n", out, diag);
}

LpErr lp_paths_list_lessons(LpBuf *out, LpDiag *diag) {
    return list("scenarios/lessons", ".json", "  ", "\n", out, diag);
}

LpErr lp_paths_list_policies(LpBuf *out, LpDiag *diag) {
    return list("scripts", ".lua", "", ".lua\n", out, diag);
}

LpErr lp_paths_list_demos(LpBuf *out, LpDiag *diag) {
    return list("scenarios/demos", ".keys", "", "\n", out, diag);
}

LpErr lp_paths_list_themes(LpBuf *out, LpDiag *diag) {
    return list("themes", ".json", "", "\n", out, diag);
}
