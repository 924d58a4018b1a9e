/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watching folders for files that are saved in them: inotify, or nothing. */
#include "io/files/watch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"

#if defined(__linux__) && !defined(LP_NO_INOTIFY)
#include <sys/inotify.h>
#define EVENTS 1
#else
#define EVENTS 0
#endif

uint64_t lp_file_stamp(const char *path) {
    struct stat st;
    if (stat(path, &st) != 0)
        return 0;
    uint64_t h = lp_hash_u64(LP_HASH_INIT, (uint64_t)st.st_mtim.tv_sec);
    h = lp_hash_u64(h, (uint64_t)st.st_mtim.tv_nsec);
    h = lp_hash_u64(h, (uint64_t)st.st_size);
    h = lp_hash_u64(h, (uint64_t)st.st_ino);
    return h == 0 ? 1 : h;
}

/* A name to look for in a folder that is watched. */
typedef struct Place {
    int folder; /* the kernel's number */
    const char *name, *path;
} Place;

struct LpWatch {
    int fd; /* -1: no events */
    LpArena *arena;
    const char **file; /* as they were given */
    uint32_t files;
    Place *place; /* two for each file at most: where it is named, and where it is */
    uint32_t places;
    bool lost;    /* a folder is not watched any more, or could not be */
    bool writing; /* a file was written to and not closed yet */
};

LpErr lp_watch_new(LpWatch **out, LpDiag *diag) {
    LpWatch *w = lp_alloc(1, sizeof *w);
    if (w == NULL)
        return lp_fail_memory(diag, "a watch");
    w->fd = -1;
#if EVENTS
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#endif
    *out = w;
    return LP_OK;
}

void lp_watch_free(LpWatch *w) {
    if (w == NULL)
        return;
    if (w->fd >= 0)
        (void)close(w->fd);
    lp_arena_free(w->arena);
    lp_free(w);
}

int lp_watch_fd(const LpWatch *w) {
    return w->fd;
}

#if EVENTS

enum {
    DONE = IN_CLOSE_WRITE | IN_MOVED_TO,
    GONE = IN_IGNORED | IN_MOVE_SELF | IN_DELETE_SELF | IN_UNMOUNT,
    WANTED = DONE | IN_MODIFY | IN_CREATE | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR,
    EVENT_ROOM = 4096
};

/* ---- which folders ---- */

static bool is_watched(const LpWatch *w, int folder) {
    for (uint32_t i = 0; i < w->places; i++)
        if (w->place[i].folder == folder)
            return true;
    return false;
}

static void forget_folders(LpWatch *w) {
    while (w->places > 0) {
        int folder = w->place[--w->places].folder;
        if (!is_watched(w, folder))
            (void)inotify_rm_watch(w->fd, folder);
    }
}

static LpErr watch_file(LpWatch *w, const char *path, LpDiag *diag) {
    const char *slash = strrchr(path, '/');
    const char *folder = slash == NULL ? "." : slash == path ? "/" : NULL;
    const char *kept = lp_arena_strdup(w->arena, path);
    if (folder == NULL)
        folder = lp_arena_strndup(w->arena, path, (size_t)(slash - path));
    if (folder == NULL || kept == NULL)
        return lp_fail_memory(diag, "a watch");
    int number = inotify_add_watch(w->fd, folder, WANTED);
    if (number < 0)
        w->lost = true;
    else
        w->place[w->places++] = (Place){number, slash ? kept + (slash - path) + 1 : kept, kept};
    return LP_OK;
}

static LpErr watch_files(LpWatch *w, LpDiag *diag) {
    w->lost = false;
    for (uint32_t i = 0; i < w->files; i++) {
        char *real = realpath(w->file[i], NULL);
        LpErr err = watch_file(w, w->file[i], diag);
        if (err == LP_OK && real != NULL && strcmp(real, w->file[i]) != 0)
            err = watch_file(w, real, diag);
        free(real);
        LP_TRY(err);
    }
    return LP_OK;
}

/* ---- what happened in them ---- */

static const Place *place_of(const LpWatch *w, const struct inotify_event *event) {
    for (uint32_t i = 0; i < w->places; i++)
        if (w->place[i].folder == event->wd && strcmp(w->place[i].name, event->name) == 0)
            return &w->place[i];
    return NULL;
}

/* A new file is written next and closed then; a link is there at once. */
static bool is_link(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && (!S_ISREG(st.st_mode) || st.st_nlink > 1);
}

static LpWatchNews read_event(LpWatch *w, const struct inotify_event *event) {
    if (event->mask & GONE)
        w->lost = w->lost || is_watched(w, event->wd);
    if (event->mask & IN_Q_OVERFLOW)
        return LP_WATCH_SAVED; /* who knows */
    if (event->len == 0 || (event->mask & IN_ISDIR) ||
        !(event->mask & (DONE | IN_MODIFY | IN_CREATE)))
        return LP_WATCH_NONE;
    const Place *place = place_of(w, event);
    bool done = (event->mask & DONE) != 0;
    if (place == NULL)
        return done ? LP_WATCH_NEAR : LP_WATCH_NONE;
    if (event->mask & IN_CREATE)
        done = is_link(place->path);
    w->writing = !done;
    return done ? LP_WATCH_SAVED : LP_WATCH_NONE;
}

static LpWatchNews read_events(LpWatch *w) {
    union { /* aligned */
        struct inotify_event event;
        char bytes[EVENT_ROOM];
    } room;
    LpWatchNews news = LP_WATCH_NONE;
    ssize_t got;
    while ((got = read(w->fd, &room, sizeof room)) > 0)
        for (const char *at = room.bytes; at < room.bytes + got;) {
            const struct inotify_event *event = (const void *)at;
            LpWatchNews one = read_event(w, event);
            news = one > news ? one : news;
            at += sizeof *event + event->len;
        }
    return w->writing ? LP_WATCH_WRITING : news;
}

#else

static void forget_folders(LpWatch *w) {
    w->places = 0;
}

static LpErr watch_files(LpWatch *w, LpDiag *diag) {
    (void)w;
    (void)diag;
    return LP_OK;
}

static LpWatchNews read_events(LpWatch *w) {
    (void)w;
    return LP_WATCH_NONE;
}

#endif

/* ---- both ---- */

static bool same_files(const LpWatch *w, const char *const *file, uint32_t count) {
    if (w->files != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(w->file[i], file[i]) != 0)
            return false;
    return true;
}

LpErr lp_watch_files(LpWatch *w, const char *const *file, uint32_t count, LpDiag *diag) {
    if (w->fd < 0 || (!w->lost && same_files(w, file, count)))
        return LP_OK;
    forget_folders(w);
    w->writing = false;
    w->lost = true;
    LpArena *arena = lp_arena_new(0);
    const char **kept = arena ? lp_arena_alloc(arena, (size_t)count + 1, sizeof *kept) : NULL;
    Place *place = kept ? lp_arena_alloc(arena, 2 * (size_t)count + 1, sizeof *place) : NULL;
    bool whole = place != NULL;
    for (uint32_t i = 0; whole && i < count; i++)
        whole = (kept[i] = lp_arena_strdup(arena, file[i])) != NULL;
    lp_arena_free(whole ? w->arena : arena);
    if (!whole)
        return lp_fail_memory(diag, "a watch");
    w->arena = arena;
    w->file = kept;
    w->files = count;
    w->place = place;
    return watch_files(w, diag);
}

LpWatchNews lp_watch_news(LpWatch *w) {
    return w->fd >= 0 ? read_events(w) : LP_WATCH_NONE;
}
