/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning curves in files, read as they grow: whole lines only, whatever is wrong with them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lack.h"
#include "base/mem.h"
#include "io/files/file.h"
#include "many/train/learning.h"

enum { BLOCK = 1 << 16, LINE_MOST = 1 << 16 };
static const size_t DEFAULT_MOST = (size_t)64 << 20;

struct LpLearnFile {
    char *path;
    size_t most;
    int fd; /* -1: there is no file any more */
    dev_t device;
    ino_t inode;
    off_t at;    /* bytes read */
    LpBuf line;  /* what was read of a line that has no end yet */
    bool skip;   /* the line is too long, and left out up to its end */
    bool closed; /* no more updates can be kept */
    LpLearnCurve curve;
    uint64_t lines, bad;
    char first_bad[LP_DIAG_TEXT + 40], trouble[LP_DIAG_TEXT]; /* without the file's name */
    bool more;
};

/* ---- opening ---- */

static LpErr check(const char *path, const struct stat *about, size_t most, LpDiag *diag) {
    const char *why = lp_file_refusal(about->st_mode);
    if (why != NULL)
        return lp_fail_at(diag, LP_EIO, path, 0, 0, "%s", why);
    if (about->st_size > 0 && (uintmax_t)about->st_size > most)
        return lp_fail_at(diag, LP_ELIMIT, path, 0, 0,
                          "the file has %.4g MiB, a learning curve at most %.4g MiB",
                          (double)about->st_size / (1 << 20), (double)most / (1 << 20));
    return LP_OK;
}

static LpErr fail_io(const char *path, LpDiag *diag) {
    return lp_fail_at(diag, lp_err_of(errno), path, 0, 0, "%s", strerror(errno));
}

/* Opens what has the name now. Looking first: opening a device may do something. */
static LpErr open_file(LpLearnFile *f, LpDiag *diag) {
    struct stat about;
    if (stat(f->path, &about) != 0)
        return fail_io(f->path, diag);
    LP_TRY(check(f->path, &about, f->most, diag));
    int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return fail_io(f->path, diag);
    LpErr err =
        fstat(fd, &about) != 0 ? fail_io(f->path, diag) : check(f->path, &about, f->most, diag);
    if (err != LP_OK) {
        close(fd);
        return err;
    }
    f->fd = fd;
    f->device = about.st_dev;
    f->inode = about.st_ino;
    return LP_OK;
}

LpErr lp_learn_open(const char *path, size_t most, LpLearnFile **out, LpDiag *diag) {
    LpLearnFile *f = lp_alloc(1, sizeof *f);
    size_t len = strlen(path);
    if (f == NULL || (f->path = lp_alloc(len + 1, 1)) == NULL) {
        lp_free(f);
        return lp_fail_memory(diag, "a learning curve");
    }
    memcpy(f->path, path, len);
    f->most = most > 0 ? most : DEFAULT_MOST;
    f->fd = -1;
    f->more = true;
    LpErr err = open_file(f, diag);
    if (err == LP_OK)
        *out = f;
    else
        lp_learn_close(f);
    return err;
}

void lp_learn_close(LpLearnFile *f) {
    if (f == NULL)
        return;
    if (f->fd >= 0)
        close(f->fd);
    lp_learn_fini(&f->curve);
    lp_buf_fini(&f->line);
    lp_free(f->path);
    lp_free(f);
}

/* ---- lines ---- */

static void say_bad(LpLearnFile *f, const LpDiag *diag) {
    f->bad++;
    if (f->first_bad[0] == '\0')
        snprintf(f->first_bad, sizeof f->first_bad, "line %d:%d: %s", diag->line, diag->col,
                 diag->text);
}

static void stop(LpLearnFile *f, const LpDiag *diag) {
    lp_str_copy(f->trouble, sizeof f->trouble, diag->text);
    f->closed = true;
}

static bool is_blank(const LpBuf *line) {
    return strspn(lp_buf_text(line), " \t\r") == line->len;
}

/* The line in f->line is whole. */
static void end_line(LpLearnFile *f) {
    LpLearnPoint point;
    LpDiag diag = {0};
    int number = f->lines < INT32_MAX ? (int)++f->lines : INT32_MAX;
    if (f->skip) {
        lp_fail_at(&diag, LP_ELIMIT, f->path, number, 1, "the line has more than %d bytes",
                   LINE_MOST);
        say_bad(f, &diag);
    } else if (f->line.failed) {
        lp_fail_memory(&diag, "a line");
        stop(f, &diag);
    } else if (!is_blank(&f->line)) {
        LpErr err =
            lp_learn_parse(f->path, number, lp_buf_text(&f->line), f->line.len, &point, &diag);
        if (err == LP_OK && lp_learn_add(&f->curve, &point, &diag) != LP_OK)
            stop(f, &diag);
        else if (err != LP_OK)
            say_bad(f, &diag);
    }
    f->skip = false;
    lp_buf_clear(&f->line);
}

static void take(LpLearnFile *f, const char *bytes, size_t len) {
    while (len > 0 && !f->closed) {
        const char *end = memchr(bytes, '\n', len);
        size_t part = end != NULL ? (size_t)(end - bytes) : len;
        if (f->line.len + part > LINE_MOST)
            f->skip = true;
        if (!f->skip)
            lp_buf_add_bytes(&f->line, bytes, part);
        if (end == NULL)
            return;
        end_line(f);
        bytes += part + 1;
        len -= part + 1;
    }
}

/* ---- following ---- */

/* Forgets all that was read. */
static void begin_anew(LpLearnFile *f) {
    lp_learn_fini(&f->curve);
    lp_buf_clear(&f->line);
    f->at = 0;
    f->lines = f->bad = 0;
    f->skip = f->closed = false;
    f->first_bad[0] = f->trouble[0] = '\0';
}

/* Is there something to read? Sees to it that it is the file of that name that is read. */
static bool look_at(LpLearnFile *f, struct stat *about) {
    char trouble[sizeof f->trouble] = "";
    LpDiag diag = {0};
    LpErr err =
        stat(f->path, about) == 0 ? check(f->path, about, f->most, &diag) : fail_io(f->path, &diag);
    bool other =
        err == LP_OK && (f->fd < 0 || about->st_dev != f->device || about->st_ino != f->inode);
    if (other) {
        if (f->fd >= 0)
            close(f->fd);
        f->fd = -1;
        begin_anew(f);
        err = open_file(f, &diag);
    } else if (err == LP_OK && about->st_size < f->at) {
        begin_anew(f);
    }
    if (err != LP_OK)
        lp_str_copy(trouble, sizeof trouble, diag.text);
    if (!f->closed)
        lp_str_copy(f->trouble, sizeof f->trouble, trouble);
    return err == LP_OK && !f->closed;
}

/* One block; false when there is no more. */
static bool read_block(LpLearnFile *f) {
    char block[BLOCK];
    ssize_t got = pread(f->fd, block, sizeof block, f->at);
    if (got < 0 && errno == EINTR)
        return true;
    if (got < 0) {
        LpDiag diag = {0};
        fail_io(f->path, &diag);
        stop(f, &diag);
    }
    if (got <= 0)
        return false;
    f->at += got;
    take(f, block, (size_t)got);
    return !f->closed;
}

bool lp_learn_poll(LpLearnFile *f, size_t budget) {
    char trouble[sizeof f->trouble];
    struct stat about = {0};
    off_t from = f->at;
    uint32_t had = f->curve.count;
    lp_str_copy(trouble, sizeof trouble, f->trouble);
    bool readable = look_at(f, &about);
    bool anew = f->at < from;
    off_t begun = f->at;
    while (readable && (size_t)(f->at - begun) < budget && f->at < about.st_size)
        readable = read_block(f);
    f->more = readable && f->at < about.st_size;
    return anew || f->at != begun || had != f->curve.count || strcmp(trouble, f->trouble) != 0;
}

LpLearnStatus lp_learn_status(const LpLearnFile *f) {
    return (LpLearnStatus){.path = f->path,
                           .curve = &f->curve,
                           .lines = f->lines,
                           .bad = f->bad,
                           .first_bad = f->first_bad,
                           .trouble = f->trouble,
                           .cut = f->line.len > 0 || f->skip,
                           .more = f->more};
}
