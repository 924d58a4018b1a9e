/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder of the sessions that are saved by themselves. Their numbers count on over all
 * scenarios, so that the oldest is the one with the lowest; no clock is needed. */
#include "app/files/autosave.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "host/file_lock.h"
#include "host/paths.h"

enum { NAME_MOST = 64, TRIES = 16, TAIL = 256 };

static const char ENDING[] = ".session";

/* ---- the folder ---- */

static LpErr fail(const char *path, LpDiag *diag) {
    return lp_fail(diag, LP_EIO, "%s: %s", path, strerror(errno));
}

/* Makes the folder and those above it. */
LpErr lp_autosave_folder(char *path, LpDiag *diag) {
    for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL)
            *slash = '\0';
        LpErr err = mkdir(path, 0700) == 0 || errno == EEXIST ? LP_OK : fail(path, diag);
        if (slash == NULL)
            return err;
        *slash = '/';
        LP_TRY(err);
    }
}

static LpErr find_folder(char path[LP_AUTOSAVE_PATH], bool make, LpDiag *diag) {
    if (!lp_paths_home(LP_HOME_STATE, path, LP_AUTOSAVE_PATH - 2 * NAME_MOST))
        return lp_fail(diag, LP_EIO, "there is no folder for it: neither XDG_STATE_HOME nor HOME");
    if (make)
        LP_TRY(lp_autosave_folder(path, diag));
    /* Fails unless the folder belongs to this user and nobody else can write to it. */
    struct stat about;
    if (lstat(path, &about) != 0)
        return fail(path, diag);
    if (!S_ISDIR(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & 022) != 0)
        return lp_fail(diag, LP_EIO, "%s is not a folder that is yours alone", path);
    return LP_OK;
}

/* ---- its files ---- */

/* "NAME-12.session" -> 12; 0 for other files. */
static uint64_t number_of(const char *file) {
    char digits[32];
    uint64_t number = 0;
    size_t len = strlen(file), end = sizeof ENDING - 1;
    const char *dash = strrchr(file, '-');
    if (dash == NULL || len <= end || strcmp(file + len - end, ENDING) != 0)
        return 0;
    size_t count = len - end - (size_t)(dash + 1 - file);
    if (count == 0 || count >= sizeof digits)
        return 0;
    lp_str_copy(digits, count + 1, dash + 1);
    return lp_num_parse_u64(digits, &number, NULL) == LP_OK ? number : 0;
}

/* The scenario's name as a part of a file's. */
static void name_of(const LpSession *session, char name[NAME_MOST]) {
    lp_str_copy(name, NAME_MOST, lp_session_scenario(session)->name);
    for (char *c = name; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '_' || *c == '-' || (*c == '.' && c > name);
        if (!plain)
            *c = '_';
    }
}

/* Of this name only, where that is not NULL. */
typedef struct Scan {
    const char *name;
    uint64_t low, high; /* numbers, 0: none */
    size_t count;
    char low_file[256], high_file[256];
} Scan;

static bool is_of(const char *file, const char *name) {
    size_t len = name != NULL ? strlen(name) : 0;
    return name == NULL || (strncmp(file, name, len) == 0 && file + len == strrchr(file, '-'));
}

static void scan_file(Scan *scan, const char *file, uint64_t above) {
    uint64_t number = number_of(file);
    if (number == 0 || !is_of(file, scan->name))
        return;
    scan->count++;
    if (number > above && (scan->low == 0 || number < scan->low)) {
        scan->low = number;
        lp_str_copy(scan->low_file, sizeof scan->low_file, file);
    }
    if (number > scan->high) {
        scan->high = number;
        lp_str_copy(scan->high_file, sizeof scan->high_file, file);
    }
}

/* Lowest number above `above`, and the highest. */
static Scan scan_folder(const char *folder, const char *name, uint64_t above) {
    Scan scan = {.name = name};
    struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        scan_file(&scan, entry->d_name, above);
    if (dir != NULL)
        closedir(dir);
    return scan;
}

static int open_file(const char *folder, const char *file, char path[LP_AUTOSAVE_PATH]) {
    int len = snprintf(path, LP_AUTOSAVE_PATH, "%s/%s", folder, file);
    if (len < 0 || len >= LP_AUTOSAVE_PATH)
        return -1;
    return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

/* Removes the oldest beyond the limit. */
static void prune(const char *folder) {
    char path[LP_AUTOSAVE_PATH];
    uint64_t above = 0;
    Scan scan = scan_folder(folder, NULL, 0);
    for (size_t left = scan.count; left > LP_AUTOSAVES && scan.low > 0; left--) {
        int fd = open_file(folder, scan.low_file, path);
        if (fd >= 0 && !lp_lock_holder(fd).held)
            (void)unlink(path);
        if (fd >= 0)
            (void)close(fd);
        above = scan.low;
        scan = scan_folder(folder, NULL, above);
    }
}

static bool ended(int fd) {
    static const char last[] = "\n{\"is\":\"end\"";
    char tail[TAIL + 1];
    off_t size = lseek(fd, 0, SEEK_END);
    off_t from = size > TAIL ? size - TAIL : 0;
    ssize_t got = size > 0 ? pread(fd, tail, TAIL, from) : -1;
    if (got <= 0)
        return true; /* nothing to come back to */
    tail[got] = '\0';
    return strstr(tail, last) != NULL && tail[got - 1] == '\n';
}

/* Removes the newest of this scenario, as it was before, if nothing was done in it, and it was left
 * in good order. */
static void drop_untouched(const char *folder, const Scan *before) {
    char path[LP_AUTOSAVE_PATH];
    LpAutosaveAbout about;
    int fd = before->high > 0 ? open_file(folder, before->high_file, path) : -1;
    if (fd < 0)
        return;
    if (!lp_lock_holder(fd).held && ended(fd) && lp_autosave_about(path, &about) && !about.done)
        (void)unlink(path);
    (void)close(fd);
}

LpErr lp_autosave_open(LpSession *session, LpSave **out, LpDiag *diag) {
    char folder[LP_AUTOSAVE_PATH], path[LP_AUTOSAVE_PATH + 2 * NAME_MOST], name[NAME_MOST];
    LP_TRY(find_folder(folder, true, diag));
    name_of(session, name);
    uint64_t number = scan_folder(folder, NULL, 0).high;
    const Scan before = scan_folder(folder, name, 0);
    LpErr err = LP_EIO;
    for (int i = 0; i < TRIES && err == LP_EIO; i++) { /* another program may take the number */
        snprintf(path, sizeof path, "%s/%s-%llu%s", folder, name, (unsigned long long)++number,
                 ENDING);
        if (access(path, F_OK) == 0)
            continue;
        err = lp_save_open(session, path, false, out, diag);
        if (err == LP_EIO && access(path, F_OK) != 0)
            return err; /* not because the name was taken */
    }
    if (err == LP_OK)
        drop_untouched(folder, &before);
    if (err == LP_OK)
        prune(folder);
    return err;
}

/* ---- what was left behind ---- */

bool lp_autosave_left(const LpSession *session, char path[LP_AUTOSAVE_PATH]) {
    char folder[LP_AUTOSAVE_PATH], name[NAME_MOST];
    LpDiag ignored;
    if (find_folder(folder, false, &ignored) != LP_OK)
        return false;
    name_of(session, name);
    Scan scan = scan_folder(folder, name, 0);
    int fd = scan.high > 0 ? open_file(folder, scan.high_file, path) : -1;
    bool left = fd >= 0 && !lp_lock_holder(fd).held && !ended(fd);
    if (fd >= 0)
        (void)close(fd);
    return left;
}

/* Puts a file into its place among the newest. */
static size_t rank(uint64_t *numbers, char (*path)[LP_AUTOSAVE_PATH], size_t count, size_t most,
                   uint64_t number, const char *whole) {
    size_t at = 0;
    while (at < count && numbers[at] > number)
        at++;
    if (at == most)
        return count;
    count += count < most;
    for (size_t i = count - 1; i > at; i--) {
        numbers[i] = numbers[i - 1];
        memcpy(path[i], path[i - 1], LP_AUTOSAVE_PATH);
    }
    numbers[at] = number;
    lp_str_copy(path[at], LP_AUTOSAVE_PATH, whole);
    return count;
}

size_t lp_autosave_recent(size_t most, char (*path)[LP_AUTOSAVE_PATH]) {
    char folder[LP_AUTOSAVE_PATH], whole[LP_AUTOSAVE_PATH];
    uint64_t numbers[LP_AUTOSAVES];
    size_t count = 0;
    LpDiag ignored;
    if (find_folder(folder, false, &ignored) != LP_OK)
        return 0;
    most = most < LP_AUTOSAVES ? most : LP_AUTOSAVES;
    struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        uint64_t number = number_of(entry->d_name);
        int len = snprintf(whole, sizeof whole, "%s/%s", folder, entry->d_name);
        if (number > 0 && len > 0 && len < LP_AUTOSAVE_PATH)
            count = rank(numbers, path, count, most, number, whole);
    }
    if (dir != NULL)
        closedir(dir);
    return count;
}
