/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors as values: the texts of the codes, and filling and showing a diagnosis. */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

const char *lp_err_text(LpErr code) {
    switch (code) {
#define X(name, number, text)                                                                      \
    case name:                                                                                     \
        return text;
        LP_ERR_TABLE(X)
#undef X
    }
    return "unknown error";
}

static LP_PRINTF(6, 0) void fill(LpDiag *diag, LpErr code, const char *file, int line, int col,
                                 const char *fmt, va_list args) {
    /* The arguments may point into *diag (a message that wraps an earlier one), so nothing of it
     * is written before the new texts are complete. */
    char raw[LP_DIAG_TEXT + 4], text[LP_DIAG_TEXT], name[LP_DIAG_FILE];
    if (vsnprintf(raw, sizeof raw, fmt, args) < 0)
        lp_str_copy(raw, sizeof raw, lp_err_text(code));
    lp_str_show(text, sizeof text, raw);
    lp_str_show(name, sizeof name, file);
    diag->code = code;
    diag->line = line;
    diag->col = col;
    diag->kind = NULL;
    memcpy(diag->text, text, sizeof text);
    memcpy(diag->file, name, sizeof name);
}

LpErr lp_fail(LpDiag *diag, LpErr code, const char *fmt, ...) {
    if (!diag)
        return code;
    va_list args;
    va_start(args, fmt);
    fill(diag, code, "", 0, 0, fmt, args);
    va_end(args);
    return code;
}

LpErr lp_fail_at(LpDiag *diag, LpErr code, const char *file, int line, int col, const char *fmt,
                 ...) {
    if (!diag)
        return code;
    va_list args;
    va_start(args, fmt);
    fill(diag, code, file, line, col, fmt, args);
    va_end(args);
    return code;
}

LpErr lp_fail_memory(LpDiag *diag, const char *what) {
    return lp_fail(diag, LP_ENOMEM, "out of memory for %s", what ? what : "this operation");
}

const char *lp_diag_format(const LpDiag *diag, char *buf, unsigned long size) {
    char all[LP_DIAG_FILE + LP_DIAG_TEXT + 32];
    if (!diag->file[0])
        snprintf(all, sizeof all, "%s", diag->text);
    else if (diag->line <= 0)
        snprintf(all, sizeof all, "%s: %s", diag->file, diag->text);
    else if (diag->col <= 0)
        snprintf(all, sizeof all, "%s:%d: %s", diag->file, diag->line, diag->text);
    else
        snprintf(all, sizeof all, "%s:%d:%d: %s", diag->file, diag->line, diag->col, diag->text);
    return lp_str_copy(buf, size, all);
}
