/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside ask/collective: jobs that were shifted against each other, and how they are told. */
#ifndef LP_ASK_COLLECTIVE_COMBS_KIND_H
#define LP_ASK_COLLECTIVE_COMBS_KIND_H

#include "base/mem.h"
#include "base/str.h"
#include "sim/combs/combs.h"

typedef struct LpCollCombs {
    LpArena *arena; /* of the rows */
    LpCombs combs;
    uint32_t rows;
    LpCombsRow *row, best;
    bool fits;
    LpCombsFit fit; /* where it fits */
    double bound;   /* the longest step alone */
} LpCollCombs;

/* Appends the rows as a table, what fits, and a period before and after the best shift; `each`:
 * with every send. */
void lp_coll_combs_text(const void *it, bool each, bool ascii, LpBuf *out);

#endif
