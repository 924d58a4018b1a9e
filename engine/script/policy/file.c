/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a policy's file: regular files of text only, and small ones. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lack.h"
#include "script/policy/policy_impl.h"

static LpErr check_size(const char *path, size_t size, size_t most, LpDiag *diag) {
    if (size <= most)
        return LP_OK;
    return lp_fail(diag, LP_ELIMIT, "%s has %zu bytes; expected at most %zu", path, size, most);
}

static LpErr read_open(int file, const char *path, size_t most, char **text, size_t *len,
                       LpDiag *diag) {
    struct stat info;
    if (fstat(file, &info) != 0)
        return lp_fail(diag, LP_EIO, "cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return lp_fail(diag, LP_EIO, "%s is no regular file, expected one that a policy may read",
                       path);
    LP_TRY(check_size(path, (size_t)info.st_size, most, diag));
    char *buffer = lp_alloc(most + 1, 1);
    if (!buffer)
        return lp_fail_memory(diag, "a policy's text");
    size_t used = 0;
    ssize_t got = 1;
    while (used < most && got > 0) {
        got = read(file, buffer + used, most - used);
        used += got > 0 ? (size_t)got : 0;
    }
    if (got < 0) {
        lp_free(buffer);
        return lp_fail(diag, LP_EIO, "cannot read %s: %s", path, strerror(errno));
    }
    *text = buffer;
    *len = used;
    return LP_OK;
}

static LpErr read_from(const LpFiles *files, const char *path, size_t most, char **text,
                       size_t *len, LpDiag *diag) {
    LP_TRY(files->read(files->user, path, 0, text, len, diag));
    LpErr err = check_size(path, *len, most, diag);
    if (err != LP_OK)
        lp_free(*text);
    return err;
}

/* luac's output begins so; it is full of NUL bytes, but they are not what is wrong with it. */
static bool is_compiled(const char *text, size_t len) {
    static const char SIGNATURE[] = "\x1bLua";
    return len >= sizeof SIGNATURE - 1 && memcmp(text, SIGNATURE, sizeof SIGNATURE - 1) == 0;
}

LpErr lp_policy_check_text(const char *path, const char *text, size_t len, LpDiag *diag) {
    LpErr err = is_compiled(text, len)
                    ? lp_fail_at(diag, LP_ESCRIPT, path, 1, 0,
                                 "this is compiled code; expected Lua source text")
                    : lp_text_check(path, text, len, diag);
    if (err != LP_OK && diag)
        diag->kind = lp_fault_name(LP_FAULT_SYNTAX);
    return err;
}

/* No room for one more open file is no fault of the file, nor of a policy that asks for it. */
static LpErr fail_open(const char *path, int why, LpDiag *diag) {
    return lp_fail(diag, lp_err_of(why), "cannot open %s: %s", path, strerror(why));
}

static LpErr read_disk(const char *path, size_t most, char **text, size_t *len, LpDiag *diag) {
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a FIFO must not block */
    if (file < 0)
        return fail_open(path, errno, diag);
    LpErr err = read_open(file, path, most, text, len, diag);
    (void)close(file);
    return err;
}

LpErr lp_policy_read(const LpFiles *files, const char *path, size_t most, char **text, size_t *len,
                     LpDiag *diag) {
    char *own = NULL;
    size_t size = 0;
    LP_TRY(files ? read_from(files, path, most, &own, &size, diag)
                 : read_disk(path, most, &own, &size, diag));
    LpErr err = lp_policy_check_text(path, own, size, diag);
    if (err != LP_OK) {
        lp_free(own);
        return err;
    }
    *text = own;
    *len = size;
    return LP_OK;
}
