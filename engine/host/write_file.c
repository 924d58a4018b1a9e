/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing files: checked against what is in the place, written beside it, brought to the disk,
 * renamed. Everything goes through the open folder, so nobody can exchange that meanwhile. */
#define _GNU_SOURCE
#include "host/write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/files/file.h"

enum { HEAD = 256, PROC_NAME = 40, TRIES = 8 };

static LpErr fail(const LpWriteSpec *spec, const char *why, LpDiag *diag) {
    return lp_fail(diag, LP_EIO, "cannot write %s: %s", spec->path, why);
}

static LpErr fail_errno(const LpWriteSpec *spec, LpDiag *diag) {
    return fail(spec, strerror(errno), diag);
}

/* ---- what is in the place ---- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Does the text begin so, blanks left out? */
static bool begins_with(const char *text, size_t len, const char *begins) {
    size_t at = 0;
    for (; *begins != '\0'; begins++) {
        if (is_blank(*begins))
            continue;
        while (at < len && is_blank(text[at]))
            at++;
        if (at >= len || text[at++] != *begins)
            return false;
    }
    return true;
}

static bool ends_with(const char *text, const char *end) {
    size_t len = strlen(text), most = strlen(end);
    return len >= most && strcmp(text + len - most, end) == 0;
}

/* "node12 --", as PipeDream's profiles begin. */
static bool begins_pipedream(const char *text, size_t len) {
    static const char NODE[] = "node";
    size_t at = 0, digits = 0;
    while (at < len && is_blank(text[at]))
        at++;
    if (len - at < sizeof NODE - 1 || memcmp(text + at, NODE, sizeof NODE - 1) != 0)
        return false;
    at += sizeof NODE - 1;
    for (; at < len && text[at] >= '0' && text[at] <= '9'; at++)
        digits++;
    return digits > 0 && begins_with(text + at, len - at, "--");
}

/* Which of the things that somebody wrote, measured or waited for a file is; NULL: none. */
static const char *own_work(const LpWriter *w, const char *head, size_t len) {
    static const LpFileKind KEPT[] = {{"a scenario or result", "{\"lightpath\":"},
                                      {"a profile", "{\"lightpath_profile\":"},
                                      {"a session", "{\"lightpath-session\":"},
                                      {"a network", "{\"lightpath_network\":"},
                                      {"a theme", "{\"lightpath_theme\":"},
                                      {"a key map", "{\"lightpath_keys\":"},
                                      {"a part of a batch", "{\"lightpath_part\":"},
                                      {"a learning curve", "{\"update\":"},
                                      {"an asciicast", "{\"version\":"},
                                      {"a record of keys", "# recorded by lightpath"}};
    if (len > 0 && ends_with(w->name, ".lua"))
        return "a policy";
    if (begins_pipedream(head, len))
        return "a profile";
    for (size_t i = 0; i < LP_COUNTOF(KEPT); i++) {
        if (begins_with(head, len, KEPT[i].begins))
            return KEPT[i].what;
    }
    return NULL;
}

/* It gives way to no picture or table, however its name got there. */
static LpErr check_own_work(const LpWriter *w, const char *head, size_t len, LpDiag *diag) {
    char shown[LP_DIAG_FILE];
    const char *what = own_work(w, head, len);
    if (what == NULL)
        return LP_OK;
    return lp_fail(diag, LP_EIO, "cannot write %s: it is there and is %s: expected another name",
                   lp_str_show(shown, sizeof shown, w->spec.path), what);
}

static LpErr check_kind(const LpWriter *w, int fd, LpDiag *diag) {
    char head[HEAD];
    char shown[LP_DIAG_FILE];
    ssize_t got = pread(fd, head, sizeof head, 0);
    if (got < 0)
        return fail_errno(&w->spec, diag);
    if (w->spec.kind.what == NULL)
        return check_own_work(w, head, (size_t)got, diag);
    if (got == 0 || begins_with(head, (size_t)got, w->spec.kind.begins))
        return LP_OK;
    return lp_fail(diag, LP_EIO, "cannot write %s: it is there and is no %s: expected another name",
                   lp_str_show(shown, sizeof shown, w->spec.path), w->spec.kind.what);
}

static LpErr fail_held(const LpWriter *w, LpHolder holder, LpDiag *diag) {
    char who[48] = "another program";
    if (holder.pid > 0)
        snprintf(who, sizeof who, "process %ld", holder.pid);
    return lp_fail(diag, LP_EIO, "cannot write %s: %s is writing it: expected another name",
                   w->spec.path, who);
}

static bool same_inode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_open_as(int fd, const struct stat *about) {
    struct stat mine;
    return fd >= 0 && fstat(fd, &mine) == 0 && same_inode(&mine, about);
}

/* Is it this program that has the lock, for this very file? */
static bool is_own(const LpWriter *w, const struct stat *about) {
    const LpWriter *before = w->spec.before;
    return is_open_as(w->guard, about) ||
           (before != NULL && lp_writer_is_open(before) && is_open_as(before->fd, about));
}

static void let_go(int *fd) {
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/* Holds the lock of what is replaced until it is: so of two that want to, one does. */
static LpErr guard_it(LpWriter *w, int fd, const struct stat *about, LpDiag *diag) {
    LpHolder other;
    struct stat now;
    if (is_own(w, about))
        return LP_OK;
    if (!lp_lock_take(fd, &other))
        return fail_held(w, other, diag);
    if (fstatat(w->folder, w->name, &now, AT_SYMLINK_NOFOLLOW) != 0 || !same_inode(&now, about))
        return fail(&w->spec, "another program has just replaced it", diag);
    let_go(&w->guard);
    w->guard = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* the same open file, so the lock stays */
    return w->guard >= 0 ? LP_OK : fail_errno(&w->spec, diag);
}

/* What asks for a look into the file. */
static LpErr check_inside(LpWriter *w, const struct stat *about, LpDiag *diag) {
    struct stat opened;
    int fd = openat(w->folder, w->name,
                    (w->spec.locked ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC |
                        O_NOCTTY);
    if (fd < 0)
        return fail_errno(&w->spec, diag);
    LpErr err = LP_OK;
    if (fstat(fd, &opened) != 0 || !same_inode(&opened, about))
        err = fail(&w->spec, "another program has just replaced it", diag);
    if (err == LP_OK)
        err = check_kind(w, fd, diag);
    if (err == LP_OK && w->spec.locked)
        err = guard_it(w, fd, about, diag);
    let_go(&fd);
    return err;
}

static bool is_input(const LpWriteSpec *spec, const struct stat *about) {
    struct stat input;
    for (size_t i = 0; i < LP_COUNTOF(spec->input); i++) {
        if (spec->input[i] != NULL && stat(spec->input[i], &input) == 0 &&
            same_inode(&input, about))
            return true;
    }
    return false;
}

static LpErr check_it(LpWriter *w, const struct stat *about, LpDiag *diag) {
    const LpWriteSpec *spec = &w->spec;
    const char *why = lp_file_refusal(about->st_mode);
    if (is_input(spec, about))
        return lp_fail(diag, LP_EINVAL, "%s is read and written: expected another output file",
                       spec->path);
    if (why != NULL)
        return fail(spec, why, diag);
    if (spec->fresh)
        return fail(spec, "it exists already, expected the name of a new file", diag);
    if (faccessat(w->folder, w->name, W_OK, AT_EACCESS) != 0)
        return fail_errno(spec, diag);
    return check_inside(w, about, diag);
}

/* May what is in the place give way? *there: there is something, *about says what. */
static LpErr check_place(LpWriter *w, bool *there, struct stat *about, LpDiag *diag) {
    *there = fstatat(w->folder, w->name, about, AT_SYMLINK_NOFOLLOW) == 0;
    if (*there)
        return check_it(w, about, diag);
    return errno == ENOENT ? LP_OK : fail_errno(&w->spec, diag);
}

/* ---- folders and names ---- */

/* A folder that may be entered and not read does, but what is put there is not synced. */
static LpErr open_folder(LpWriter *w, LpDiag *diag) {
    LpBuf folder = {0};
    const char *path = w->spec.path, *slash = strrchr(path, '/');
    w->name = slash != NULL ? slash + 1 : path;
    if (path[0] == '\0')
        return lp_fail(diag, LP_EIO, "the name of a file to write is empty");
    if (w->name[0] == '\0' || strcmp(w->name, ".") == 0 || strcmp(w->name, "..") == 0)
        return fail(&w->spec, lp_file_refusal(S_IFDIR), diag);
    lp_buf_add_bytes(&folder, path, (size_t)(w->name - path));
    LpErr err = lp_buf_ok(&folder, diag);
    const char *text = folder.len > 0 ? lp_buf_text(&folder) : ".";
    if (err == LP_OK)
        w->folder = open(text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (err == LP_OK && w->folder < 0 && errno == EACCES)
        w->folder = open(text, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (err == LP_OK && w->folder < 0)
        err = fail_errno(&w->spec, diag);
    lp_buf_fini(&folder);
    return err;
}

static LpErr make_name(LpWriter *w, LpDiag *diag) {
    uint64_t chance;
    if (getrandom(&chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        return fail_errno(&w->spec, diag);
    snprintf(w->part, sizeof w->part, ".lightpath-%016llx", (unsigned long long)chance);
    return LP_OK;
}

/* ---- beside the place ---- */

static char *proc_name(int fd, char name[PROC_NAME]) {
    snprintf(name, PROC_NAME, "/proc/self/fd/%d", fd);
    return name;
}

static LpErr open_part(LpWriter *w, mode_t mode, LpDiag *diag) {
    /* A file without a name, which is gone when the program is; -1 where that is not to be had. */
    char name[PROC_NAME];
    int fd = openat(w->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    if (fd >= 0 && access(proc_name(fd, name), F_OK) != 0)
        let_go(&fd);
    w->fd = fd;
    for (int i = 0; w->fd < 0 && i < TRIES; i++) {
        LP_TRY(make_name(w, diag));
        w->fd = openat(w->folder, w->part,
                       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, mode);
        if (w->fd < 0 && errno != EEXIST)
            break;
    }
    if (w->fd >= 0)
        return LP_OK;
    w->part[0] = '\0';
    return fail_errno(&w->spec, diag);
}

/* The new file gets owner and permissions of the one that it replaces. */
static LpErr keep_permissions(LpWriter *w, const struct stat *before, LpDiag *diag) {
    struct stat mine;
    if (fstat(w->fd, &mine) != 0)
        return fail_errno(&w->spec, diag);
    bool other = mine.st_uid != before->st_uid || mine.st_gid != before->st_gid;
    if (other && fchown(w->fd, before->st_uid, before->st_gid) != 0)
        return LP_OK; /* another's file: the new one is ours, and as our files are */
    return fchmod(w->fd, before->st_mode & 0777) == 0 ? LP_OK : fail_errno(&w->spec, diag);
}

static LpErr begin(LpWriter *w, LpDiag *diag) {
    struct stat about;
    LpHolder other;
    bool there;
    LP_TRY(open_folder(w, diag));
    LP_TRY(check_place(w, &there, &about, diag));
    LP_TRY(open_part(w, w->spec.secret ? 0600 : 0666, diag));
    if (there)
        LP_TRY(keep_permissions(w, &about, diag));
    if (w->spec.locked)
        (void)lp_lock_take(w->fd, &other); /* nobody else knows of it yet */
    return LP_OK;
}

/* With a path of its own, so that what was given need not stay. */
static LpErr take_spec(LpWriter *w, const LpWriteSpec *spec, LpDiag *diag) {
    size_t size = strlen(spec->path) + 1;
    char *path = lp_alloc(size, 1);
    *w = (LpWriter){.fd = -1, .folder = -1, .guard = -1, .spec = *spec};
    if (path == NULL) {
        *w = (LpWriter){0};
        return lp_fail_memory(diag, "a file name");
    }
    w->spec.path = memcpy(path, spec->path, size);
    return LP_OK;
}

static LpErr open_by(LpErr (*how)(LpWriter *w, LpDiag *diag), LpWriter *out,
                     const LpWriteSpec *spec, LpDiag *diag) {
    LpWriter w;
    LP_TRY(take_spec(&w, spec, diag));
    LpErr err = how(&w, diag);
    if (err == LP_OK)
        *out = w;
    else
        lp_writer_drop(&w);
    return err;
}

LpErr lp_writer_open(LpWriter *out, const LpWriteSpec *spec, LpDiag *diag) {
    return open_by(begin, out, spec, diag);
}

bool lp_writer_is_open(const LpWriter *w) {
    return w->spec.path != NULL;
}

/* ---- adding ---- */

LpErr lp_writer_add(LpWriter *w, const char *bytes, size_t len, LpDiag *diag) {
    size_t done = 0;
    while (done < len) {
        ssize_t wrote = write(w->fd, bytes + done, len - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            errno = wrote == 0 ? EIO : errno;
            LpErr err = fail_errno(&w->spec, diag);
            if (ftruncate(w->fd, (off_t)w->size) == 0) /* half a line helps nobody */
                (void)lseek(w->fd, (off_t)w->size, SEEK_SET);
            return err;
        }
        done += (size_t)wrote;
    }
    w->size += len;
    return LP_OK;
}

LpErr lp_writer_sync(LpWriter *w, LpDiag *diag) {
    if (w->placed && w->synced == w->size)
        return LP_OK;
    if (fsync(w->fd) != 0 && errno != EINVAL) /* what cannot be synced is no disk */
        return fail_errno(&w->spec, diag);
    w->synced = w->size;
    return LP_OK;
}

/* ---- into place ---- */

static LpErr name_part(LpWriter *w, LpDiag *diag) {
    char name[PROC_NAME];
    for (int i = 0; i < TRIES; i++) {
        LP_TRY(make_name(w, diag));
        if (linkat(AT_FDCWD, proc_name(w->fd, name), w->folder, w->part, AT_SYMLINK_FOLLOW) == 0)
            return LP_OK;
        if (errno != EEXIST)
            break;
    }
    w->part[0] = '\0';
    return fail_errno(&w->spec, diag);
}

/* False with EEXIST where somebody has just made such a file. */
static bool rename_part(const LpWriter *w, bool there) {
    if (!there && renameat2(w->folder, w->part, w->folder, w->name, RENAME_NOREPLACE) == 0)
        return true;
    if (!there && errno != EINVAL && errno != ENOSYS) /* file systems that cannot do that */
        return false;
    return renameat(w->folder, w->part, w->folder, w->name) == 0;
}

/* Another process may have put a file in the place since this one was begun, or does so now: tried
 * again. */
static LpErr rename_it(LpWriter *w, LpDiag *diag) {
    struct stat about;
    bool there;
    for (int i = 0; i < TRIES; i++) {
        LP_TRY(check_place(w, &there, &about, diag));
        if (rename_part(w, there))
            return LP_OK;
        if (errno != EEXIST)
            break;
    }
    return fail_errno(&w->spec, diag);
}

static LpErr sync_folder(const LpWriter *w, LpDiag *diag) {
    if (fsync(w->folder) == 0 || errno == EINVAL || errno == EBADF)
        return LP_OK;
    return lp_fail(diag, LP_EIO, "%s is written, but its folder cannot be brought to the disk: %s",
                   w->spec.path, strerror(errno));
}

LpErr lp_writer_place(LpWriter *w, LpDiag *diag) {
    if (w->placed)
        return LP_OK;
    LP_TRY(lp_writer_sync(w, diag));
    if (w->part[0] == '\0')
        LP_TRY(name_part(w, diag));
    LP_TRY(rename_it(w, diag));
    w->placed = true;
    w->part[0] = '\0';
    let_go(&w->guard);
    return sync_folder(w, diag);
}

LpErr lp_writer_check(const LpWriter *w, LpDiag *diag) {
    struct stat mine, now;
    const char *how = "replaced";
    if (fstat(w->fd, &mine) != 0)
        return fail_errno(&w->spec, diag);
    if (lstat(w->spec.path, &now) != 0)
        return errno == ENOENT ? fail(&w->spec, "another program has removed it", diag)
                               : fail_errno(&w->spec, diag);
    if (same_inode(&mine, &now)) {
        if ((uint64_t)mine.st_size == w->size)
            return LP_OK;
        how = "changed";
    }
    return lp_fail(diag, LP_ESTATE, "cannot write %s: another program has %s it", w->spec.path,
                   how);
}

void lp_writer_drop(LpWriter *w) {
    if (!lp_writer_is_open(w))
        return;
    if (w->part[0] != '\0')
        (void)unlinkat(w->folder, w->part, 0);
    w->part[0] = '\0';
    let_go(&w->fd);
    let_go(&w->guard);
    let_go(&w->folder);
    lp_free((void *)(uintptr_t)w->spec.path);
    *w = (LpWriter){0};
}

LpErr lp_writer_close(LpWriter *w, LpDiag *diag) {
    LpErr err = lp_writer_sync(w, diag);
    if (err == LP_OK)
        err = lp_writer_place(w, diag);
    int fd = w->fd;
    w->fd = -1;
    if (fd >= 0 && close(fd) != 0 && errno != EINTR && err == LP_OK)
        err = fail_errno(&w->spec, diag);
    lp_writer_drop(w);
    return err;
}

/* ---- other ways ---- */

/* A file that is there, opened in place. */
static LpErr open_there(LpWriter *w, LpDiag *diag) {
    struct stat about;
    w->fd = openat(w->folder, w->name,
                   O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (w->fd < 0 || fstat(w->fd, &about) != 0)
        return fail_errno(&w->spec, diag);
    const char *why = lp_file_refusal(about.st_mode);
    if (why != NULL)
        return fail(&w->spec, why, diag);
    w->size = w->synced = (uint64_t)about.st_size;
    w->placed = true;
    return LP_OK;
}

static LpErr begin_append(LpWriter *w, LpDiag *diag) {
    struct stat about;
    bool there;
    LP_TRY(open_folder(w, diag));
    LP_TRY(check_place(w, &there, &about, diag));
    if (there)
        return open_there(w, diag);
    LP_TRY(open_part(w, w->spec.secret ? 0600 : 0666, diag));
    return lp_writer_place(w, diag);
}

LpErr lp_writer_append(LpWriter *out, const LpWriteSpec *spec, LpDiag *diag) {
    return open_by(begin_append, out, spec, diag);
}

LpErr lp_write_file(const LpWriteSpec *spec, const char *bytes, size_t len, LpDiag *diag) {
    LpWriter w;
    LP_TRY(lp_writer_open(&w, spec, diag));
    LpErr err = lp_writer_add(&w, bytes, len, diag);
    if (err == LP_OK)
        return lp_writer_close(&w, diag);
    lp_writer_drop(&w);
    return err;
}

LpErr lp_write_text(const LpWriteSpec *spec, const LpBuf *text, LpDiag *diag) {
    LP_TRY(lp_buf_ok(text, diag));
    return lp_write_file(spec, lp_buf_text(text), text->len, diag);
}

bool lp_write_same_place(const char *a, const char *b) {
    LpWriter first = {.folder = -1, .spec.path = a}, second = {.folder = -1, .spec.path = b};
    struct stat one, two;
    LpDiag diag;
    bool same = open_folder(&first, &diag) == LP_OK && open_folder(&second, &diag) == LP_OK &&
                strcmp(first.name, second.name) == 0 && fstat(first.folder, &one) == 0 &&
                fstat(second.folder, &two) == 0 && same_inode(&one, &two);
    let_go(&first.folder);
    let_go(&second.folder);
    return same;
}

LpErr lp_write_try(const LpWriteSpec *spec, LpDiag *diag) {
    LpWriter w;
    LP_TRY(lp_writer_open(&w, spec, diag));
    lp_writer_drop(&w);
    return LP_OK;
}
