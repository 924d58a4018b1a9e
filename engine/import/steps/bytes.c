/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/steps/bytes.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

LpErr lp_bytes_open(LpBytes *bytes, const char *path, uint64_t max, LpDiag *diag) {
    *bytes = (LpBytes){0};
    if (lp_grow((void **)&bytes->buf, &bytes->cap, 1, 1) != LP_OK)
        return lp_fail_memory(diag, "an input file");
    return lp_lines_open(path, max, &bytes->lines, diag);
}

void lp_bytes_close(LpBytes *bytes) {
    lp_lines_close(bytes->lines);
    lp_free(bytes->buf);
    *bytes = (LpBytes){0};
}

LpErr lp_bytes_look(LpBytes *bytes, uint64_t want, const unsigned char **data, size_t *got,
                    LpDiag *diag) {
    while (bytes->len - bytes->at < want) {
        const char *more;
        size_t len;
        LP_TRY(lp_lines_bytes(bytes->lines, &more, &len, diag));
        if (len == 0)
            break;
        memmove(bytes->buf, bytes->buf + bytes->at, bytes->len - bytes->at);
        bytes->passed += bytes->at;
        bytes->len -= bytes->at;
        bytes->at = 0;
        if (lp_grow((void **)&bytes->buf, &bytes->cap, bytes->len + len, 1) != LP_OK)
            return lp_fail_memory(diag, "an input file");
        memcpy(bytes->buf + bytes->len, more, len);
        bytes->len += len;
    }
    *data = bytes->buf + bytes->at;
    *got = bytes->len - bytes->at < want ? bytes->len - bytes->at : (size_t)want;
    return LP_OK;
}

void lp_bytes_take(LpBytes *bytes, size_t count) {
    bytes->at += count;
}

uint64_t lp_bytes_place(const LpBytes *bytes) {
    return bytes->passed + bytes->at;
}

LP_PRINTF(4, 0)
static LpErr fail(const char *file, uint64_t place, LpDiag *diag, const char *fmt, va_list args) {
    char text[LP_DIAG_TEXT];
    vsnprintf(text, sizeof text, fmt, args);
    return lp_fail_at(diag, LP_EPARSE, file, 0, 0, "byte %llu: %s", (unsigned long long)place,
                      text);
}

LpErr lp_bytes_fail(const LpBytes *bytes, uint64_t place, LpDiag *diag, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    LpErr err = fail(lp_lines_file(bytes->lines), place, diag, fmt, args);
    va_end(args);
    return err;
}

LpErr lp_bytes_fail_in(const char *file, uint64_t place, LpDiag *diag, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    LpErr err = fail(file, place, diag, fmt, args);
    va_end(args);
    return err;
}
