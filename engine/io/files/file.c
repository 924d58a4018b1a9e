/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole input files: regular ones only, their size checked first; and files found by name. */
#include "io/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lack.h"
#include "base/mem.h"
#include "base/str.h"
#include "unpack/unpack.h"

enum { BLOCK = 1 << 16, SIZE_TEXT = 32 };

static const size_t DEFAULT_MAX = (size_t)64 << 20;

static const char *shown_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static const char *size_text(double bytes, char buf[SIZE_TEXT]) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < LP_COUNTOF(units)) {
        bytes /= 1024;
        unit++;
    }
    snprintf(buf, SIZE_TEXT, "%.4g %s", bytes, units[unit]);
    return buf;
}

static LpErr fail(LpDiag *diag, LpErr code, const char *path, const char *text) {
    return lp_fail_at(diag, code, shown_name(path), 0, 0, "%s", text);
}

static LpErr fail_size(LpDiag *diag, const char *path, double size, size_t max) {
    char has[SIZE_TEXT], limit[SIZE_TEXT], text[128];
    snprintf(text, sizeof text, "the file has %s%s, limit %s (--max-input)",
             size > (double)max ? "" : "more than ", size_text(size, has),
             size_text((double)max, limit));
    return fail(diag, LP_ELIMIT, path, text);
}

const char *lp_file_refusal(mode_t mode) {
    if (S_ISREG(mode))
        return NULL;
    if (S_ISLNK(mode))
        return "is a link, which is not followed: expected a regular file";
    if (S_ISDIR(mode))
        return "is a folder, expected a regular file";
    if (S_ISFIFO(mode))
        return "is a FIFO, expected a regular file";
    if (S_ISSOCK(mode))
        return "is a socket, expected a regular file";
    return "is a device, expected a regular file";
}

static LpErr check(int fd, const char *path, size_t max, size_t *hint, LpDiag *diag) {
    struct stat about;
    if (fstat(fd, &about) != 0)
        return fail(diag, LP_EIO, path, strerror(errno));
    const char *why = lp_file_refusal(about.st_mode);
    if (why != NULL)
        return fail(diag, LP_EIO, path, why);
    if (about.st_size > 0 && (uintmax_t)about.st_size > max)
        return fail_size(diag, path, (double)about.st_size, max);
    *hint = about.st_size > 0 ? (size_t)about.st_size : 0;
    return LP_OK;
}

typedef struct Input {
    char *text;
    size_t len, cap;
} Input;

/* Until the end, or until there is more than max (a file may grow, standard input has no size). */
static LpErr read_all(int fd, const char *path, size_t max, size_t hint, Input *input,
                      LpDiag *diag) {
    size_t want = hint + 2; /* the end is seen by a read into the last byte, then the NUL */
    for (;;) {
        if (lp_grow((void **)&input->text, &input->cap, want, 1) != LP_OK)
            return lp_fail_memory(diag, "an input file");
        ssize_t got = read(fd, input->text + input->len, input->cap - input->len - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(diag, LP_EIO, path, strerror(errno));
        if (got == 0)
            break;
        input->len += (size_t)got;
        if (input->len > max)
            return fail_size(diag, path, (double)max, max);
        want = input->cap - input->len < 2 ? input->len + BLOCK : input->cap;
    }
    input->text[input->len] = '\0';
    return LP_OK;
}

/* What gzip or zstd packed is what it unpacks to; `max` counts those bytes, so that a small file
 * which would fill the memory is refused. */
static LpErr unpack_all(const char *path, size_t max, Input *input, LpDiag *diag) {
    LpContainer container = lp_container_of(input->text, input->len);
    Input out = {0};
    LpUnpack *unpack = NULL;
    LpDiag inner;
    size_t at = 0, used = 0, made = 1;
    if (container == LP_CONTAINER_NONE)
        return LP_OK;
    LpErr err = lp_unpack_new(container, &unpack, &inner);
    while (err == LP_OK && (at < input->len || made > 0)) {
        err = lp_grow((void **)&out.text, &out.cap, out.len + BLOCK + 1, 1);
        if (err != LP_OK) {
            lp_fail_memory(&inner, "an input file");
            break;
        }
        err = lp_unpack_step(unpack, input->text + at, input->len - at, &used, out.text + out.len,
                             out.cap - out.len - 1, &made, &inner);
        at += used;
        out.len += made;
        if (err == LP_OK && out.len > max) {
            lp_unpack_free(unpack);
            lp_free(out.text);
            return fail_size(diag, path, (double)max, max);
        }
    }
    if (err == LP_OK)
        err = lp_unpack_end(unpack, &inner);
    lp_unpack_free(unpack);
    if (err != LP_OK) {
        lp_free(out.text);
        return fail(diag, err, path, inner.text);
    }
    out.text[out.len] = '\0';
    lp_free(input->text);
    *input = out;
    return LP_OK;
}

LpErr lp_files_read(const LpFiles *files, const char *path, size_t max, char **text, size_t *len,
                    LpDiag *diag) {
    return files != NULL ? files->read(files->user, path, max, text, len, diag)
                         : lp_file_read(path, max, text, len, diag);
}

LpErr lp_file_read(const char *path, size_t max, char **text, size_t *len, LpDiag *diag) {
    bool standard = strcmp(path, "-") == 0;
    size_t hint = 0;
    Input input = {0};
    if (max == 0)
        max = DEFAULT_MAX;
    /* O_NONBLOCK: opening a FIFO must not wait for its writer. */
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail(diag, lp_err_of(errno), path, strerror(errno));
    LpErr err = standard ? LP_OK : check(fd, path, max, &hint, diag);
    if (err == LP_OK)
        err = read_all(fd, path, max, hint, &input, diag);
    if (!standard)
        close(fd);
    if (err == LP_OK)
        err = unpack_all(path, max, &input, diag);
    if (err == LP_OK)
        err = lp_text_check(shown_name(path), input.text, input.len, diag);
    if (err != LP_OK) {
        lp_free(input.text);
        return err;
    }
    *text = input.text;
    *len = input.len;
    return LP_OK;
}

/* ---- finding ---- */

/* Joins up to three parts with '/'; empty ones are left out. False where it does not fit. */
static bool join(char *path, size_t size, const char *dir, size_t dir_len, const char *sub,
                 const char *name) {
    int len = snprintf(path, size, "%.*s%s%s%s%s", (int)dir_len, dir,
                       dir_len > 0 && dir[dir_len - 1] != '/' ? "/" : "", sub,
                       sub[0] != '\0' ? "/" : "", name);
    return len >= 0 && (size_t)len < size;
}

/* Looking for a file. */
typedef struct Search {
    const LpFiles *files;
    LpBuf tried;
} Search;

static bool exists(const LpFiles *files, const char *path) {
    struct stat about;
    return files != NULL ? files->exists(files->user, path) : stat(path, &about) == 0;
}

/* The folder part of `beside`: its length, 0 for the working folder. */
static size_t folder_len(const char *beside) {
    const char *slash = beside != NULL ? strrchr(beside, '/') : NULL;
    if (slash == NULL)
        return 0;
    return slash == beside ? 1 : (size_t)(slash - beside);
}

static bool try_place(char *path, size_t size, const char *dir, size_t dir_len, const char *sub,
                      const char *name, Search *s) {
    if (!join(path, size, dir, dir_len, sub, name))
        return false;
    if (exists(s->files, path))
        return true;
    lp_buf_addf(&s->tried, "%s%s", s->tried.len > 0 ? ", " : "", path);
    return false;
}

static bool find(const char *name, const char *beside, const char *const *dirs, const char *sub,
                 char *path, size_t size, Search *s) {
    if (name[0] == '/')
        return try_place(path, size, "", 0, "", name, s);
    if (try_place(path, size, beside != NULL ? beside : "", folder_len(beside), "", name, s))
        return true;
    if (strchr(name, '/') != NULL)
        return false;
    for (size_t i = 0; dirs != NULL && dirs[i] != NULL; i++)
        if (try_place(path, size, dirs[i], strlen(dirs[i]), sub != NULL ? sub : "", name, s))
            return true;
    return false;
}

LpErr lp_files_find(const LpFiles *files, const char *name, const char *beside,
                    const char *const *dirs, const char *sub, char *path, size_t size,
                    LpDiag *diag) {
    char found[4096], shown[128];
    Search s = {.files = files};
    LpErr err = LP_OK;
    if (name[0] == '\0')
        err = lp_fail(diag, LP_EIO, "the name of a file is empty, expected a path");
    else if (!find(name, beside, dirs, sub, found, sizeof found, &s))
        err = lp_fail(diag, LP_EIO, "there is no file \"%s\" (tried %s)",
                      lp_str_show(shown, sizeof shown, name),
                      s.tried.len > 0 ? lp_buf_text(&s.tried) : "nothing, the name is too long");
    else if (strlen(found) >= size)
        err = lp_fail(diag, LP_ELIMIT, "the path of \"%s\" is too long",
                      lp_str_show(shown, sizeof shown, name));
    else
        lp_str_copy(path, size, found);
    lp_buf_fini(&s.tried);
    return err;
}
