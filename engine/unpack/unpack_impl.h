/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an unpacker of one container is. */
#ifndef LP_UNPACK_UNPACK_IMPL_H
#define LP_UNPACK_UNPACK_IMPL_H

#include "unpack/unpack.h"

/* One call of a library's own. */
typedef struct LpUnpackStep {
    const unsigned char *in;
    size_t len, used;
    unsigned char *out;
    size_t room, made;
    bool ended;      /* the member is at its end */
    const char *bad; /* what is wrong with the input; NULL: nothing */
    bool no_memory;
} LpUnpackStep;

typedef struct LpUnpackKind {
    LpErr (*begin)(void **state, LpDiag *diag);
    void (*step)(void *state, LpUnpackStep *step);
    LpErr (*again)(void *state, LpDiag *diag); /* for the next member */
    void (*end)(void *state);
} LpUnpackKind;

extern const LpUnpackKind lp_unpack_gzip, lp_unpack_zstd;

#endif
