/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside ask/collective: an uneven all-to-all that was cut and timed, and how it is told. */
#ifndef LP_ASK_COLLECTIVE_UNEVEN_KIND_H
#define LP_ASK_COLLECTIVE_UNEVEN_KIND_H

#include "base/mem.h"
#include "base/str.h"
#include "sim/uneven/uneven.h"

/* One cut at one delay. */
typedef struct LpCollCut {
    double delay;
    LpUnevenCut cut;
    uint32_t matchings; /* that are sent; the rest goes over packets */
    uint32_t all;       /* that there are */
    LpUnevenRun run;
    double bound;
    LpUnevenRun *by; /* with the first 0, 1, ... `all` matchings; NULL without packet ports */
} LpCollCut;

typedef struct LpCollUneven {
    LpArena *arena; /* of the demand and the rows */
    LpUneven all;
    uint32_t first, cuts; /* the cuts that were asked for, one after the other */
    uint32_t matchings;   /* no more of them are sent */
    uint32_t rows;
    LpCollCut *row; /* delay by delay, and cut by cut */
    double ideal;
    int64_t bytes, local;
} LpCollUneven;

/* Appends the rows as a table and times as bars; `each`: with every matching, which is cut once
 * more. Memory that lacks for it is the buffer's failure. */
void lp_coll_uneven_text(const void *it, bool each, bool ascii, LpBuf *out);

#endif
