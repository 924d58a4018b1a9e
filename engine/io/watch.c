/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inotify on the folders of files; nothing on other systems. */
#include "io/watch.h"

#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include "base/mem.h"

enum { FOLDERS = 64, PATH_ROOM = 4096 };

struct LpWatch {
    int fd;
    int folder[FOLDERS]; /* watch descriptors */
    int folders;
};

#ifdef __linux__

LpWatch *lp_watch_new(void) {
    LpWatch *w = lp_alloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd >= 0)
        return w;
    lp_free(w);
    return NULL;
}

/* The same folder twice has one descriptor. */
static void watch_folder(LpWatch *w, const char *path) {
    const uint32_t events =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB;
    const char *slash = strrchr(path, '/');
    size_t len = slash != NULL ? (size_t)(slash - path) : 1;
    char folder[PATH_ROOM];
    if (len >= sizeof folder)
        return;
    memcpy(folder, slash != NULL ? path : ".", len);
    folder[len] = '\0';
    int id = inotify_add_watch(w->fd, len > 0 ? folder : "/", events);
    for (int i = 0; i < w->folders; i++)
        if (w->folder[i] == id)
            return;
    if (id >= 0)
        w->folder[w->folders++] = id;
}

void lp_watch_files(LpWatch *w, const char *const *path, size_t count) {
    for (int i = 0; i < w->folders; i++)
        (void)inotify_rm_watch(w->fd, w->folder[i]);
    w->folders = 0;
    for (size_t i = 0; i < count && w->folders < FOLDERS; i++)
        watch_folder(w, path[i]);
}

bool lp_watch_take(LpWatch *w) {
    char events[4096];
    bool any = false;
    while (read(w->fd, events, sizeof events) > 0)
        any = true;
    return any;
}

#else

LpWatch *lp_watch_new(void) {
    return NULL;
}

void lp_watch_files(LpWatch *w, const char *const *path, size_t count) {
    (void)w;
    (void)path;
    (void)count;
}

bool lp_watch_take(LpWatch *w) {
    (void)w;
    return false;
}

#endif

void lp_watch_free(LpWatch *w) {
    if (w == NULL)
        return;
    close(w->fd);
    lp_free(w);
}

int lp_watch_fd(const LpWatch *w) {
    return w != NULL ? w->fd : -1;
}
