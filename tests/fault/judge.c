/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule: the same bytes, or an error that names its cause and nothing half done. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"

enum { PATH_SIZE = 512, ERR_SIZE = 8192 };

/* ---- files ---- */

static bool same_open(int a, int b) {
    static char left[65536], right[65536];
    struct stat first, second;
    if (fstat(a, &first) != 0 || fstat(b, &second) != 0 || first.st_size != second.st_size)
        return false;
    for (off_t at = 0; at < first.st_size;) {
        ssize_t len = pread(a, left, sizeof left, at);
        if (len <= 0 || pread(b, right, (size_t)len, at) != len ||
            memcmp(left, right, (size_t)len) != 0)
            return false;
        at += len;
    }
    return true;
}

static bool same_file(const char *left, const char *right) {
    int a = open(left, O_RDONLY | O_CLOEXEC), b = open(right, O_RDONLY | O_CLOEXEC);
    bool same = a >= 0 && b >= 0 && same_open(a, b);
    if (a >= 0)
        close(a);
    if (b >= 0)
        close(b);
    return same;
}

/* Text of a session without its last line; the last line in *last. */
static size_t without_last(char *text, size_t len, const char **last) {
    size_t at = len > 0 ? len - 1 : 0;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    *last = text + at;
    return at;
}

static size_t read_text(const char *path, char *text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, text, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[len > 0 ? len : 0] = '\0';
    return len > 0 ? (size_t)len : 0;
}

static bool replays(const char *path) {
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
        unsetenv("LD_PRELOAD");
        for (int fd = 0; fd < 3; fd++)
            dup2(nowhere, fd);
        execl("/proc/self/exe", "lightpath", "replay", "--verify", path, (char *)NULL);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Asked again for the same text, it is known. */
static bool is_known_to_replay(const char *path, const char *text, size_t len) {
    static unsigned long good[64];
    static size_t known;
    unsigned long hash = 5381;
    for (size_t i = 0; i < len; i++)
        hash = hash * 33 ^ (unsigned char)text[i];
    for (size_t i = 0; i < known; i++)
        if (good[i] == hash)
            return true;
    if (!replays(path))
        return false;
    if (known < sizeof good / sizeof *good)
        good[known++] = hash;
    return true;
}

static bool ends_in(const char *path, const char *ending) {
    size_t len = strlen(path), tail = strlen(ending);
    return len > tail && strcmp(path + len - tail, ending) == 0;
}

static bool begins_like(const char *mine, size_t len, const char *other, size_t all) {
    return len > 0 && len <= all && mine[len - 1] == '\n' && memcmp(mine, other, len) == 0;
}

/* What grows line by line and outlives the program at any moment: the beginning of what was
 * expected, in whole lines. A session (.lps) ends, if it could be written, with a line "end" of
 * its own, and then replays (lightpath-session(5)); a record (.keys) is a script; a learning curve
 * (.curve) is in its place before its first line. */
static bool is_beginning(const char *left, const char *right) {
    static char mine[65536], other[65536];
    const char *last;
    bool session = ends_in(left, ".lps"), curve = ends_in(left, ".curve");
    if (!session && !curve && !ends_in(left, ".keys"))
        return false;
    size_t len = read_text(left, mine, sizeof mine);
    size_t all = read_text(right, other, sizeof other);
    if (begins_like(mine, len, other, all) || (curve && len == 0))
        return true;
    size_t before = without_last(mine, len, &last);
    return session && begins_like(mine, before, other, all) && mine[len - 1] == '\n' &&
           strncmp(last, "{\"is\":\"end\"", 11) == 0 && is_known_to_replay(left, mine, len);
}

static bool is_folder(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* The first file below a/sub that is neither the same in b nor, if c is given, in c: its name in
 * `name`. */
static bool differs(const char *a, const char *b, const char *c, const char *sub, char *name,
                    size_t size) {
    char folder[PATH_SIZE], other[PATH_SIZE], third[PATH_SIZE], below[PATH_SIZE];
    snprintf(folder, sizeof folder, "%s%s", a, sub);
    DIR *dir = opendir(folder);
    bool found = false;
    for (struct dirent *entry; dir != NULL && !found && (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(below, sizeof below, "%s/%s", sub, entry->d_name);
        snprintf(folder, sizeof folder, "%s%s", a, below);
        snprintf(other, sizeof other, "%s%s", b, below);
        snprintf(third, sizeof third, "%s%s", c != NULL ? c : b, below);
        if (is_folder(folder))
            found = differs(a, b, c, below, name, size);
        else if (!same_file(folder, other) &&
                 (c == NULL || !(same_file(folder, third) || is_beginning(folder, other)))) {
            snprintf(name, size, "%s", below);
            found = true;
        }
    }
    if (dir != NULL)
        closedir(dir);
    return found;
}

/* ---- the rule ---- */

/* What was printed: the files that standard output and error go to. */
static void read_fd(int fd, char *text, size_t size) {
    ssize_t len;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int again = open(path, O_RDONLY | O_CLOEXEC);
    len = again >= 0 ? read(again, text, size - 1) : 0;
    if (again >= 0)
        close(again);
    text[len > 0 ? len : 0] = '\0';
}

static bool same_printed(int fd, const char *reference, const char *name) {
    char path[PATH_SIZE], own[64];
    snprintf(path, sizeof path, "%s/%s", reference, name);
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    return same_file(own, path);
}

static const char *judge_success(const FaultRun *run, char *text, size_t size) {
    char name[PATH_SIZE], tree[PATH_SIZE];
    snprintf(tree, sizeof tree, "%s/tree", run->reference);
    if (!same_printed(1, run->reference, "out"))
        return "exit 0 with other output";
    if (!run->mute && !same_printed(2, run->reference, "err"))
        return "exit 0 with other messages";
    if (run->folder == NULL)
        return NULL;
    if (differs(run->folder, tree, NULL, "", name, sizeof name) ||
        differs(tree, run->folder, NULL, "", name, sizeof name)) {
        snprintf(text, size, "exit 0 with another file %s", name);
        return text;
    }
    return NULL;
}

static const char *judge_failure(const FaultRun *run, const char *err, char *text, size_t size) {
    char name[PATH_SIZE], tree[PATH_SIZE], before[PATH_SIZE];
    snprintf(tree, sizeof tree, "%s/tree", run->reference);
    snprintf(before, sizeof before, "%s/before", run->reference);
    int code = WEXITSTATUS(run->status); /* what cannot be opened may be input: 2 */
    if (code != 1 && !(code == 2 && run->kind == FAULT_OPEN)) {
        snprintf(text, size, "exit %d, expected 1: %.200s", code, err);
        return text;
    }
    if (!run->mute && strstr(err, run->says) == NULL) {
        snprintf(text, size, "no cause in \"%.300s\"", err);
        return text;
    }
    if (run->folder != NULL && differs(run->folder, tree, before, "", name, sizeof name)) {
        snprintf(text, size, "exit 1 leaves %s", name);
        return text;
    }
    return NULL;
}

const char *fault_judge(const FaultRun *run, bool *same, char *text, size_t size) {
    static char err[ERR_SIZE];
    *same = false;
    if (run->hung)
        return "hangs";
    read_fd(2, err, sizeof err);
    if (WIFSIGNALED(run->status)) {
        snprintf(text, size, "killed by signal %d (%s): %.200s", WTERMSIG(run->status),
                 strsignal(WTERMSIG(run->status)), err);
        return text;
    }
    if (WEXITSTATUS(run->status) != 0)
        return judge_failure(run, err, text, size);
    *same = true;
    return judge_success(run, text, size);
}
