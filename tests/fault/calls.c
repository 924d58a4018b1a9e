/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that can fail: each stands before the one of the C library. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fault.h"

/* *(pointer to function) = the next definition of the name */
static void find(void *function, const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, sizeof symbol);
}

#define REAL(type, name, ...)                                                                      \
    static type (*real)(__VA_ARGS__);                                                              \
    if (real == NULL) {                                                                            \
        fault_busy(true);                                                                          \
        find(&real, #name);                                                                        \
        fault_busy(false);                                                                         \
    }

#define FAIL_IF(kind, code, result)                                                                \
    if (fault_now(kind))                                                                           \
    return errno = (code), (result)

/* ---- memory: the C library's own names, since looking up others takes memory ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

void *malloc(size_t size) {
    FAIL_IF(FAULT_MEMORY, ENOMEM, NULL);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    FAIL_IF(FAULT_MEMORY, ENOMEM, NULL);
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    if (size > 0)
        FAIL_IF(FAULT_MEMORY, ENOMEM, NULL);
    return __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return errno = ENOMEM, NULL;
    return realloc(old, bytes);
}

void *aligned_alloc(size_t align, size_t size) {
    FAIL_IF(FAULT_MEMORY, ENOMEM, NULL);
    return __libc_memalign(align, size);
}

void *memalign(size_t align, size_t size);
void *memalign(size_t align, size_t size) {
    return aligned_alloc(align, size);
}

int posix_memalign(void **out, size_t align, size_t size) {
    void *made = aligned_alloc(align, size);
    if (made == NULL)
        return ENOMEM;
    *out = made;
    return 0;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    REAL(void *, mmap, void *, size_t, int, int, int, off_t)
    FAIL_IF(FAULT_MEMORY, ENOMEM, MAP_FAILED);
    return real(at, size, protection, flags, fd, offset);
}

/* ---- writing ---- */

static bool fails_writing(int fd) {
    if (!fault_now(FAULT_WRITE))
        return false;
    if (fd == STDERR_FILENO)
        fault_mute();
    return true;
}

ssize_t write(int fd, const void *bytes, size_t len) {
    REAL(ssize_t, write, int, const void *, size_t)
    if (fails_writing(fd))
        return errno = ENOSPC, -1;
    if (len > 1 && fault_now(FAULT_SHORT)) {
        if (fd == STDERR_FILENO)
            fault_mute();
        return real(fd, bytes, len / 2);
    }
    return real(fd, bytes, len);
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t offset) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t)
    if (fails_writing(fd))
        return errno = ENOSPC, -1;
    return real(fd, bytes, len, offset);
}

ssize_t writev(int fd, const struct iovec *part, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int)
    if (fails_writing(fd))
        return errno = ENOSPC, -1;
    return real(fd, part, count);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *)
    FAIL_IF(FAULT_WRITE, ENOSPC, -1);
    return real(from, to);
}

int renameat(int a, const char *from, int b, const char *to) {
    REAL(int, renameat, int, const char *, int, const char *)
    FAIL_IF(FAULT_WRITE, ENOSPC, -1);
    return real(a, from, b, to);
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    REAL(int, renameat2, int, const char *, int, const char *, unsigned)
    FAIL_IF(FAULT_WRITE, ENOSPC, -1);
    return real(a, from, b, to, flags);
}

int link(const char *from, const char *to) {
    REAL(int, link, const char *, const char *)
    FAIL_IF(FAULT_WRITE, ENOSPC, -1);
    return real(from, to);
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
    REAL(int, linkat, int, const char *, int, const char *, int)
    FAIL_IF(FAULT_WRITE, ENOSPC, -1);
    return real(a, from, b, to, flags);
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t)
    FAIL_IF(FAULT_WRITE, ENOSPC, -1);
    return real(path, mode);
}

int ftruncate(int fd, off_t size) {
    REAL(int, ftruncate, int, off_t)
    if (!fault_full()) /* a full disk lets files be cut */
        FAIL_IF(FAULT_WRITE, ENOSPC, -1);
    return real(fd, size);
}

int fsync(int fd) {
    REAL(int, fsync, int)
    FAIL_IF(FAULT_SYNC, EIO, -1);
    return real(fd);
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int)
    FAIL_IF(FAULT_SYNC, EIO, -1);
    return real(fd);
}

/* ---- threads and descriptors ---- */

enum { INLINED_MAX = 256 };

static void *returned[INLINED_MAX]; /* by the threads that were run at once */
static unsigned inlined;

int pthread_create(pthread_t *out, const pthread_attr_t *how, void *(*work)(void *), void *user) {
    REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
    if (fault_now(FAULT_THREAD))
        return EAGAIN;
    if (fault_inline() && inlined < INLINED_MAX) {
        returned[inlined++] = work(user);
        memset(out, 0, sizeof *out); /* no thread is at 1, 2, ... */
        memcpy(out, &inlined, sizeof inlined);
        return 0;
    }
    fault_busy(true); /* what it allocates fails as "no thread" */
    int err = real(out, how, work, user);
    fault_busy(false);
    if (err == 0)
        fault_threads(1);
    return err;
}

int pthread_join(pthread_t thread, void **result) {
    REAL(int, pthread_join, pthread_t, void **)
    unsigned at = 0;
    memcpy(&at, &thread, sizeof at);
    if (fault_inline() && at > 0 && at <= inlined) {
        if (result != NULL)
            *result = returned[at - 1];
        return 0;
    }
    int err = real(thread, result);
    if (err == 0)
        fault_threads(-1);
    return err;
}

static mode_t mode_of(int flags, va_list args) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    REAL(int, open, const char *, int, ...)
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    FAIL_IF(FAULT_OPEN, EMFILE, -1);
    return real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(int, openat, int, const char *, int, ...)
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    if ((flags & O_TMPFILE) == O_TMPFILE) /* linked by a copy, it could not be linked again */
        return errno = EOPNOTSUPP, -1;
    FAIL_IF(FAULT_OPEN, EMFILE, -1);
    return real(folder, path, flags, mode);
}

int fcntl(int fd, int command, ...) {
    REAL(int, fcntl, int, int, ...)
    va_list args;
    va_start(args, command);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        FAIL_IF(FAULT_OPEN, EMFILE, -1);
    return real(fd, command, argument);
}

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
    return open(path, flags);
}

int __openat_2(int folder, const char *path, int flags);
int __openat_2(int folder, const char *path, int flags) {
    return openat(folder, path, flags);
}

DIR *opendir(const char *path) {
    REAL(DIR *, opendir, const char *)
    FAIL_IF(FAULT_OPEN, EMFILE, NULL);
    return real(path);
}

int pipe(int end[2]) {
    REAL(int, pipe, int[2])
    FAIL_IF(FAULT_OPEN, EMFILE, -1);
    return real(end);
}

int pipe2(int end[2], int flags) {
    REAL(int, pipe2, int[2], int)
    FAIL_IF(FAULT_OPEN, EMFILE, -1);
    return real(end, flags);
}

int dup(int fd) {
    REAL(int, dup, int)
    FAIL_IF(FAULT_OPEN, EMFILE, -1);
    return real(fd);
}

int socket(int domain, int type, int protocol) {
    REAL(int, socket, int, int, int)
    FAIL_IF(FAULT_OPEN, EMFILE, -1);
    return real(domain, type, protocol);
}

int inotify_init1(int flags) {
    REAL(int, inotify_init1, int)
    FAIL_IF(FAULT_OPEN, EMFILE, -1);
    return real(flags);
}

/* ---- streams: what the C library writes for them passes here, too ---- */

static ssize_t write_stream(void *cookie, const char *bytes, size_t len) {
    size_t done = 0;
    while (done < len) {
        ssize_t wrote = write(*(int *)cookie, bytes + done, len - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            break;
        done += (size_t)wrote;
    }
    return (ssize_t)done; /* fewer: an error; errno says which */
}

static int close_stream(void *cookie) {
    int fd = *(int *)cookie;
    free(cookie);
    return close(fd);
}

static FILE *stream_on(int fd) {
    static const cookie_io_functions_t calls = {.write = write_stream, .close = close_stream};
    fault_busy(true);
    int *cookie = __libc_malloc(sizeof *cookie);
    *cookie = fd;
    FILE *stream = fopencookie(cookie, "w", calls);
    fault_busy(false);
    return stream;
}

FILE *fopen(const char *path, const char *mode) {
    REAL(FILE *, fopen, const char *, const char *)
    if (!fault_active())
        return real(path, mode);
    FAIL_IF(FAULT_OPEN, EMFILE, NULL);
    FAIL_IF(FAULT_MEMORY, ENOMEM, NULL);
    if (mode[0] == 'r')
        return real(path, mode);
    fault_busy(true);
    int fd =
        open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (mode[0] == 'a' ? O_APPEND : O_TRUNC), 0666);
    fault_busy(false);
    return fd < 0 ? NULL : stream_on(fd);
}

FILE *fdopen(int fd, const char *mode) {
    REAL(FILE *, fdopen, int, const char *)
    if (!fault_active())
        return real(fd, mode);
    FAIL_IF(FAULT_MEMORY, ENOMEM, NULL);
    return mode[0] == 'r' ? real(fd, mode) : stream_on(fd);
}

void fault_streams(void) {
    stdout = stream_on(STDOUT_FILENO);
    stderr = stream_on(STDERR_FILENO);
    setvbuf(stderr, NULL, _IONBF, 0);
}
