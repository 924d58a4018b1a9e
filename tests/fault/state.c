/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a copy of the process shares with it: files, and how far open ones were written. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fault.h"

enum { FILES_MAX = 64, FDS_MAX = 64, PATH_SIZE = 512 };

typedef struct File {
    char path[PATH_SIZE], kept[PATH_SIZE]; /* kept: a second name of the same file */
    bool folder;
    char *bytes;
    size_t size;
    ino_t number;
} File;

typedef struct Open {
    int fd;
    off_t at, size;
    bool written; /* open for writing */
} Open;

static File file[FILES_MAX];
static Open opened[FDS_MAX];
static int files, opens;

/* The library's own writing, past what it counts. */
static bool put(int fd, const char *bytes, size_t len, off_t at) {
    return len == 0 || syscall(SYS_pwrite64, fd, bytes, len, at) == (long)len;
}

/* ---- open files ---- */

static void keep_open_files(void) {
    struct stat about;
    opens = 0;
    for (int fd = 0; fd < FDS_MAX; fd++) {
        int flags = fcntl(fd, F_GETFL);
        if (flags < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        opened[opens++] =
            (Open){fd, lseek(fd, 0, SEEK_CUR), about.st_size, (flags & O_ACCMODE) != O_RDONLY};
    }
}

static bool restore_open_files(void) {
    bool good = true;
    for (int i = 0; i < opens; i++) {
        if (opened[i].written)
            good &= syscall(SYS_ftruncate, opened[i].fd, opened[i].size) == 0;
        good &= lseek(opened[i].fd, opened[i].at, SEEK_SET) == opened[i].at;
    }
    return good;
}

/* ---- the folder ---- */

static char *read_all(const char *path, size_t size) {
    char *bytes = malloc(size + 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = bytes != NULL && fd >= 0 && read(fd, bytes, size) == (ssize_t)size;
    if (fd >= 0)
        close(fd);
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}

static bool keep_file(const char *folder, const char *path, const struct stat *about) {
    if (files == FILES_MAX)
        return false;
    File *f = &file[files++];
    *f = (File){.folder = S_ISDIR(about->st_mode), .number = about->st_ino};
    snprintf(f->path, sizeof f->path, "%s", path);
    snprintf(f->kept, sizeof f->kept, "%s.kept-%d", folder, files);
    if (!S_ISREG(about->st_mode))
        return true;
    f->size = (size_t)about->st_size;
    f->bytes = read_all(path, f->size);
    return f->bytes != NULL && syscall(SYS_link, path, f->kept) == 0;
}

/* Calls `each` for what lies in the folder, folders before what lies in them. */
static bool walk(const char *top, const char *folder,
                 bool (*each)(const char *top, const char *path, const struct stat *about)) {
    DIR *dir = opendir(folder);
    bool good = dir != NULL;
    for (struct dirent *entry; good && (entry = readdir(dir)) != NULL;) {
        char path[PATH_SIZE];
        struct stat about;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int len = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        good = len > 0 && len < (int)sizeof path && lstat(path, &about) == 0 &&
               each(top, path, &about);
        if (good && S_ISDIR(about.st_mode) && access(path, F_OK) == 0)
            good = walk(top, path, each);
    }
    if (dir != NULL)
        closedir(dir);
    return good;
}

bool fault_state_keep(const char *folder) {
    keep_open_files();
    files = 0;
    return folder == NULL || walk(folder, folder, keep_file);
}

static bool remove_all(const char *top, const char *path, const struct stat *about) {
    if (S_ISDIR(about->st_mode))
        return walk(top, path, remove_all) && rmdir(path) == 0;
    return unlink(path) == 0;
}

/* Whatever is not a kept file under its own name goes. */
static bool remove_others(const char *top, const char *path, const struct stat *about) {
    for (int i = 0; i < files; i++)
        if (file[i].number == about->st_ino && strcmp(file[i].path, path) == 0)
            return true;
    return remove_all(top, path, about);
}

static bool same_bytes(const File *f) {
    struct stat about;
    if (stat(f->kept, &about) != 0 || (size_t)about.st_size != f->size)
        return false;
    char *now = read_all(f->kept, f->size);
    bool same = now != NULL && memcmp(now, f->bytes, f->size) == 0;
    free(now);
    return same;
}

static bool rewrite(const File *f) {
    int fd = open(f->kept, O_WRONLY | O_CLOEXEC);
    bool good =
        fd >= 0 && syscall(SYS_ftruncate, fd, (off_t)0) == 0 && put(fd, f->bytes, f->size, 0);
    if (fd >= 0)
        close(fd);
    return good;
}

static bool restore_file(const File *f) {
    if (f->folder)
        return access(f->path, F_OK) == 0 || syscall(SYS_mkdir, f->path, 0700) == 0;
    if (f->bytes == NULL)
        return access(f->path, F_OK) == 0;
    bool good = same_bytes(f) || rewrite(f);
    if (access(f->path, F_OK) != 0)
        good &= syscall(SYS_link, f->kept, f->path) == 0;
    return good;
}

bool fault_state_restore(const char *folder) {
    bool good = folder == NULL || walk(folder, folder, remove_others);
    for (int i = 0; i < files; i++) {
        good &= restore_file(&file[i]);
        if (file[i].bytes != NULL)
            unlink(file[i].kept);
        free(file[i].bytes);
        file[i].bytes = NULL;
    }
    return restore_open_files() && good;
}
