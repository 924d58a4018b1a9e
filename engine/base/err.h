/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors as values: a stable code, and a diagnosis that says what is wrong, where, and what was
 * expected. No function of the engine prints, exits, or keeps a "last error". */
#ifndef LP_BASE_ERR_H
#define LP_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

/* X(name, number, text): numbers are never reused. */
#define LP_ERR_TABLE(X)                                                                            \
    X(LP_OK, 0, "ok")                                                                              \
    X(LP_ENOMEM, 1, "out of memory")                                                               \
    X(LP_EINVAL, 2, "invalid value")                                                               \
    X(LP_ERANGE, 3, "value out of range")                                                          \
    X(LP_EPARSE, 4, "syntax error")                                                                \
    X(LP_EIO, 5, "input or output failed")                                                         \
    X(LP_ESCRIPT, 6, "the policy script failed")                                                   \
    X(LP_EBUDGET, 7, "the policy used up its budget")                                              \
    X(LP_ELIMIT, 8, "a size limit was reached")                                                    \
    X(LP_ESTATE, 9, "not possible in this state")                                                  \
    X(LP_ECYCLE, 10, "the graph has a cycle")                                                      \
    X(LP_EREFUSED, 11, "a rule refuses it")                                                        \
    X(LP_EMEMLIMIT, 12, "the limit on memory was reached")

typedef enum LpErr {
#define X(name, number, text) name = number,
    LP_ERR_TABLE(X)
#undef X
} LpErr;

#if defined(__GNUC__)
#define LP_MUST_USE __attribute__((warn_unused_result))
#define LP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define LP_UNUSED __attribute__((unused)) /* a parameter that one of many functions ignores */
#else
#define LP_MUST_USE
#define LP_PRINTF(fmt, args)
#define LP_UNUSED
#endif

enum { LP_DIAG_FILE = 256, LP_DIAG_TEXT = 512 };

/* What went wrong. `file` is empty and `line`/`col` are 0 where no input file is concerned; lines
 * and columns count from 1 (columns in bytes). Always NUL-terminated. */
typedef struct LpDiag {
    LpErr code;
    int line, col;
    const char
        *kind; /* of a policy's failure, a name of script/sandbox/fault.h; NULL: of nothing else */
    char file[LP_DIAG_FILE];
    char text[LP_DIAG_TEXT];
} LpDiag;

/* Fixed English text of a code; never NULL. */
const char *lp_err_text(LpErr code);

/* Fills `diag` (NULL allowed) with a code and a formatted sentence and returns the code, so that a
 * failing path reads `return lp_fail(diag, LP_EINVAL, "...", ...)`. Overlong text is cut. Control
 * bytes, invalid UTF-8 and invisible code points are escaped (lp_str_show), so that the text is one
 * line and safe on a terminal whatever it quotes. The arguments may point into *diag. */
LpErr lp_fail(LpDiag *diag, LpErr code, const char *fmt, ...) LP_PRINTF(3, 4);

/* As lp_fail, with a place in an input file: `line` and `col` count from 1. */
LpErr lp_fail_at(LpDiag *diag, LpErr code, const char *file, int line, int col, const char *fmt,
                 ...) LP_PRINTF(6, 7);

/* Out-of-memory shorthand: names what was being built. */
LpErr lp_fail_memory(LpDiag *diag, const char *what);

/* Writes "file:line:col: text" (or just the text) into buf, NUL-terminated, and returns buf. */
const char *lp_diag_format(const LpDiag *diag, char *buf, unsigned long size);

/* Propagates a failure. */
#define LP_TRY(expr)                                                                               \
    do {                                                                                           \
        LpErr lp_try_err_ = (expr);                                                                \
        if (lp_try_err_ != LP_OK)                                                                  \
            return lp_try_err_;                                                                    \
    } while (0)

#define LP_COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

#endif
