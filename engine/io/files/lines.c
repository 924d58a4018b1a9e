/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A buffer of unpacked bytes that is filled from the file as lines are taken from it. */
#include "io/files/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lack.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/files/file.h"
#include "unpack/unpack.h"

enum { BLOCK = 1 << 16, LINE_MAX_BYTES = 16 << 20 };

struct LpLineFile {
    char *name;
    int fd;
    bool ended; /* the file, not the buffer */
    LpUnpack *unpack;
    unsigned char *packed; /* a block of the file, where it is packed */
    size_t packed_at, packed_len;
    uint64_t max, seen; /* bytes after unpacking */
    char *buf;
    size_t cap, at, len; /* bytes at .. len wait to be taken */
    int number;
    bool started;
};

const char *lp_lines_file(const LpLineFile *lines) {
    return lines->name;
}

int lp_lines_number(const LpLineFile *lines) {
    return lines->number;
}

static LpErr fail(const LpLineFile *l, LpErr code, const char *text, LpDiag *diag) {
    return lp_fail_at(diag, code, l->name, 0, 0, "%s", text);
}

void lp_lines_close(LpLineFile *l) {
    if (l == NULL)
        return;
    if (l->fd >= 0 && l->fd != STDIN_FILENO)
        close(l->fd);
    lp_unpack_free(l->unpack);
    lp_free(l->packed);
    lp_free(l->buf);
    lp_free(l->name);
    lp_free(l);
}

static LpErr read_some(LpLineFile *l, void *to, size_t room, size_t *got, LpDiag *diag) {
    for (;;) {
        ssize_t n = read(l->fd, to, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(l, LP_EIO, strerror(errno), diag);
        *got = (size_t)n;
        return LP_OK;
    }
}

/* Packed data: at least one more byte, or the end. */
static LpErr fill_packed(LpLineFile *l, size_t *made, LpDiag *diag) {
    LpDiag inner;
    *made = 0;
    while (*made == 0) {
        if (l->packed_at == l->packed_len && !l->ended) {
            l->packed_at = 0;
            LP_TRY(read_some(l, l->packed, BLOCK, &l->packed_len, diag));
            l->ended = l->packed_len == 0;
        }
        size_t used;
        LpErr err =
            lp_unpack_step(l->unpack, l->packed + l->packed_at, l->packed_len - l->packed_at, &used,
                           l->buf + l->len, l->cap - l->len - 1, made, &inner);
        if (err == LP_OK && l->ended && *made == 0)
            err = lp_unpack_end(l->unpack, &inner);
        if (err != LP_OK)
            return fail(l, inner.code, inner.text, diag);
        l->packed_at += used;
        if (l->ended)
            return LP_OK;
    }
    return LP_OK;
}

/* Adds to the buffer at least one byte, unless the file is at its end. */
static LpErr fill(LpLineFile *l, bool *more, LpDiag *diag) {
    size_t made = 0;
    if (l->at > 0) {
        memmove(l->buf, l->buf + l->at, l->len - l->at);
        l->len -= l->at;
        l->at = 0;
    }
    if (lp_grow((void **)&l->buf, &l->cap, l->len + BLOCK + 1, 1) != LP_OK)
        return lp_fail_memory(diag, "an input file");
    if (l->unpack != NULL) {
        LP_TRY(fill_packed(l, &made, diag));
    } else if (!l->ended) {
        LP_TRY(read_some(l, l->buf + l->len, l->cap - l->len - 1, &made, diag));
        l->ended = made == 0;
    }
    l->len += made;
    l->seen += made;
    l->buf[l->len] = '\0';
    if (l->max > 0 && l->seen > l->max)
        return lp_fail_at(diag, LP_ELIMIT, l->name, 0, 0,
                          "the file has more than %llu bytes%s, which is the limit (--max-input)",
                          (unsigned long long)l->max, l->unpack != NULL ? " unpacked" : "");
    *more = made > 0;
    return LP_OK;
}

/* The first bytes say whether it is packed; they are then the first block of the packed data. */
static LpErr look(LpLineFile *l, LpDiag *diag) {
    bool more = true;
    while (l->len < LP_CONTAINER_HEAD && more)
        LP_TRY(fill(l, &more, diag));
    LpContainer container = lp_container_of(l->buf, l->len);
    if (container == LP_CONTAINER_NONE)
        return LP_OK;
    LP_TRY(lp_unpack_new(container, &l->unpack, diag));
    /* what was read before its container was known may be more than a block */
    l->packed = lp_alloc(l->len > BLOCK ? l->len : BLOCK, 1);
    if (l->packed == NULL)
        return lp_fail_memory(diag, "an input file");
    memcpy(l->packed, l->buf, l->len);
    l->packed_len = l->len;
    l->len = 0;
    l->seen = 0;
    return LP_OK;
}

LpErr lp_lines_open(const char *path, uint64_t max, LpLineFile **out, LpDiag *diag) {
    bool standard = strcmp(path, "-") == 0;
    LpLineFile *l = lp_alloc(1, sizeof *l);
    if (l == NULL)
        return lp_fail_memory(diag, "an input file");
    const char *name = standard ? "standard input" : path;
    l->fd = STDIN_FILENO;
    l->max = max;
    l->name = lp_alloc(strlen(name) + 1, 1);
    if (l->name == NULL) {
        lp_free(l);
        return lp_fail_memory(diag, "an input file");
    }
    memcpy(l->name, name, strlen(name) + 1);
    struct stat about;
    LpErr err = LP_OK;
    if (!standard) {
        /* O_NONBLOCK: opening a FIFO must not wait for its writer */
        l->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (l->fd < 0)
            err = fail(l, lp_err_of(errno), strerror(errno), diag);
        else if (fstat(l->fd, &about) != 0)
            err = fail(l, LP_EIO, strerror(errno), diag);
        else if (lp_file_refusal(about.st_mode) != NULL)
            err = fail(l, LP_EIO, lp_file_refusal(about.st_mode), diag);
    }
    if (err == LP_OK)
        err = look(l, diag);
    if (err != LP_OK) {
        lp_lines_close(l);
        return err;
    }
    *out = l;
    return LP_OK;
}

/* Nothing was taken yet: a byte-order mark is passed over. */
static LpErr start(LpLineFile *l, size_t want, LpDiag *diag) {
    bool more = true;
    if (l->started)
        return LP_OK;
    while (l->len < want && more)
        LP_TRY(fill(l, &more, diag));
    if (l->len >= 3 && memcmp(l->buf, "\xef\xbb\xbf", 3) == 0)
        l->at = 3;
    l->started = true;
    return LP_OK;
}

LpErr lp_lines_head(LpLineFile *l, const char **head, size_t *len, LpDiag *diag) {
    LP_TRY(start(l, LP_LINES_HEAD, diag));
    *head = l->buf + l->at;
    *len = l->len - l->at < LP_LINES_HEAD ? l->len - l->at : LP_LINES_HEAD;
    return LP_OK;
}

LpErr lp_lines_next(LpLineFile *l, char **line, size_t *len, LpDiag *diag) {
    size_t searched = 0; /* bytes after `at` that hold no line end */
    bool more = true;
    char *end = NULL;
    LP_TRY(start(l, 3, diag));
    for (;;) {
        end = memchr(l->buf + l->at + searched, '\n', l->len - l->at - searched);
        if (end != NULL || !more)
            break;
        searched = l->len - l->at;
        if (searched > LINE_MAX_BYTES)
            return lp_fail_at(diag, LP_ELIMIT, l->name, l->number + 1, 0,
                              "the line has more than 16 MiB");
        LP_TRY(fill(l, &more, diag));
    }
    *line = NULL;
    *len = 0;
    if (end == NULL && l->at == l->len)
        return LP_OK;
    char *from = l->buf + l->at;
    size_t n = end != NULL ? (size_t)(end - from) : l->len - l->at;
    l->at += end != NULL ? n + 1 : n;
    l->number++;
    if (n > 0 && from[n - 1] == '\r')
        n--;
    from[n] = '\0';
    const char *nul = memchr(from, '\0', n);
    if (nul != NULL)
        return lp_fail_at(diag, LP_EPARSE, l->name, l->number, (int)(nul - from) + 1,
                          "a NUL byte: expected text");
    *line = from;
    *len = n;
    return LP_OK;
}

LpErr lp_lines_bytes(LpLineFile *l, const char **bytes, size_t *len, LpDiag *diag) {
    bool more = true;
    LP_TRY(start(l, 3, diag));
    if (l->at == l->len)
        LP_TRY(fill(l, &more, diag));
    *bytes = l->buf + l->at;
    *len = l->len - l->at;
    l->at = l->len;
    return LP_OK;
}

LpErr lp_lines_rest(LpLineFile *l, bool text, char **bytes, size_t *len, LpDiag *diag) {
    LpBuf all = {0};
    const char *piece;
    size_t n;
    LpErr err;
    while ((err = lp_lines_bytes(l, &piece, &n, diag)) == LP_OK && n > 0 && !all.failed)
        lp_buf_add_bytes(&all, piece, n);
    if (err == LP_OK && all.text == NULL)
        lp_buf_add_bytes(&all, "", 0);
    if (err == LP_OK)
        err = lp_buf_ok(&all, diag);
    if (err == LP_OK && text && all.len > 0)
        err = lp_text_check(l->name, all.text, all.len, diag);
    char *out = all.text;
    if (err == LP_OK && out == NULL) {
        out = lp_alloc(1, 1);
        if (out == NULL)
            err = lp_fail_memory(diag, "an input file");
    }
    if (err != LP_OK) {
        lp_buf_fini(&all);
        return err;
    }
    *bytes = out;
    *len = all.len;
    return LP_OK;
}
