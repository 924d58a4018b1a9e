/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a screen can be asked to point at: "op 2", "row 4", "server 7", "letter L", "curve 2",
 * "path 0-8", "text 24.7 %". */
#ifndef LP_MODEL_POINTER_H
#define LP_MODEL_POINTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* X(ID, "name", "what follows, as messages say it") */
#define LP_POINTER_TABLE(X)                                                                        \
    X(OP, "op", "the number of an op, such as op 2")                                               \
    X(ROW, "row", "a row from the top, such as row 4, or words that stand in it")                  \
    X(SERVER, "server", "a number or a name, such as server 7 or server g2r1")                     \
    X(LETTER, "letter", "the letter of a job, such as letter L")                                   \
    X(CURVE, "curve", "the number of a curve, such as curve 2")                                    \
    X(PATH, "path", "two servers, such as path 0-8")                                               \
    X(WORDS, "text", "words that stand on the screen")

typedef enum LpPointerKind {
#define X(id, name, what) LP_POINTER_##id,
    LP_POINTER_TABLE(X)
#undef X
        LP_POINTER_KINDS
} LpPointerKind;

enum { LP_POINTER_TEXT = 64 };

typedef struct LpPointer {
    LpPointerKind kind;
    bool numbered;          /* `number` says which one; else the text does */
    uint32_t number, other; /* other: the end of a path */
    char text[LP_POINTER_TEXT];
} LpPointer;

/* Whether there is such a thing is not asked. LP_EINVAL with what was expected. */
LpErr lp_pointer_parse(const char *text, LpPointer *out, LpDiag *diag) LP_MUST_USE;

#endif
