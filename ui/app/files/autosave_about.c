/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a saved session is about, from the beginnings of its lines: enough to tell it from others of
 * its scenario, and whether anything was done in it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/files/autosave.h"
#include "base/mem.h"
#include "base/str.h"

enum { LINE = 512, BLOCK = 65536, FILE_MOST = 1 << 28, NAMED_MOST = 64 };

/* The key of a step that was taken by hand; other steps have none. */
static const char hand[] = "\"hand\":";

/* A file while it is read. */
typedef struct Reader {
    LpAutosaveAbout *about;
    long branch, step; /* where it was left; step -1: not known yet */
    bool exact;        /* the time is of that branch, not only of a moment before */
    char name[NAMED_MOST][sizeof((LpAutosaveAbout *)0)->branch];
} Reader;

/* The number behind a key, -1: the line has none. */
static double number(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at ? strtod(at + strlen(key), NULL) : -1.0;
}

static bool begins(const char *line, const char *with) {
    return strncmp(line, with, strlen(with)) == 0;
}

static void read_branch(Reader *r, const char *line) {
    static const char key[] = "\"name\":\"";
    const char *at = strstr(line, key);
    long branch = (long)number(line, "\"branch\":");
    r->about->branches++;
    if (!at || branch < 0 || branch >= NAMED_MOST)
        return;
    at += sizeof key - 1;
    size_t len = strcspn(at, "\""), most = sizeof r->name[0];
    lp_str_copy(r->name[branch], len + 1 < most ? len + 1 : most, at);
    r->about->done |= branch > 0 || strcmp(r->name[0], "main") != 0;
}

static void read_step(Reader *r, const char *line) {
    double step = number(line, "\"step\":"), time = number(line, "\"time\":");
    bool own = (long)number(line, "\"branch\":") == r->branch;
    r->about->done |= strstr(line, hand) != NULL;
    if ((r->step >= 0 && step > (double)r->step) || (r->exact && !own) || time < 0)
        return;
    r->about->time = own || time > r->about->time ? time : r->about->time;
    r->exact |= own;
}

static void read_line(Reader *r, const char *line) {
    static const char *const quiet[] = {"{\"is\":\"scenario\"", "{\"is\":\"file\"",
                                        "{\"is\":\"policy\"", "{\"is\":\"end\"",
                                        "{\"lightpath-session\""};
    if (begins(line, "{\"is\":\"branch\"")) {
        read_branch(r, line);
        return;
    }
    if (begins(line, "{\"is\":\"step\"")) {
        read_step(r, line);
        return;
    }
    for (size_t i = 0; i < LP_COUNTOF(quiet); i++)
        if (begins(line, quiet[i]))
            return;
    r->about->done = true; /* renamed, deleted, another policy */
}

/* Where it was left, from its last line. */
static void read_end(Reader *r, int fd, off_t size) {
    char tail[LINE + 1];
    off_t from = size > LINE ? size - LINE : 0;
    ssize_t got = pread(fd, tail, LINE, from);
    if (got <= 0)
        return;
    tail[got] = '\0';
    const char *end = strstr(tail, "\n{\"is\":\"end\"");
    if (!end)
        return;
    r->branch = (long)number(end, "\"branch\":");
    r->step = (long)number(end, "\"step\":");
}

static void read_all(Reader *r, int fd) {
    char block[BLOCK], line[LINE];
    size_t len = 0, match = 0; /* of `hand`, which may stand far behind in a line */
    for (ssize_t got; (got = read(fd, block, sizeof block)) > 0;)
        for (ssize_t i = 0; i < got; i++) {
            match = block[i] == hand[match] ? match + 1 : block[i] == hand[0];
            r->about->done |= match == sizeof hand - 1;
            match = match == sizeof hand - 1 ? 0 : match;
            if (block[i] == '\n') {
                line[len] = '\0';
                read_line(r, line);
                len = 0;
            } else if (len + 1 < sizeof line) {
                line[len++] = block[i];
            }
        }
}

bool lp_autosave_about(const char *path, LpAutosaveAbout *out) {
    struct stat about;
    struct tm when;
    *out = (LpAutosaveAbout){0};
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    bool file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= FILE_MOST;
    Reader *r = file ? lp_alloc(1, sizeof *r) : NULL;
    if (r) {
        r->about = out;
        r->step = -1;
        read_end(r, fd, about.st_size);
        read_all(r, fd);
        if (r->branch >= 0 && r->branch < NAMED_MOST)
            lp_str_copy(out->branch, sizeof out->branch, r->name[r->branch]);
        if (localtime_r(&about.st_mtime, &when))
            strftime(out->saved, sizeof out->saved, "%Y-%m-%d %H:%M", &when);
    }
    lp_free(r);
    (void)close(fd);
    return file && out->branches > 0;
}
