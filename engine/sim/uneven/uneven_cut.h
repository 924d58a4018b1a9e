/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside sim/uneven: a demand while it is cut. */
#ifndef LP_SIM_UNEVEN_CUT_H
#define LP_SIM_UNEVEN_CUT_H

#include "sim/uneven/uneven.h"
#include "sim/uneven/uneven_match.h"

typedef struct LpUnevenWork {
    uint32_t n;
    int64_t rest[LP_UNEVEN_SERVERS_MAX * LP_UNEVEN_SERVERS_MAX]; /* n * n, diagonal 0 */
    int64_t left;                                                /* the sum of `rest` */
    LpUnevenSlots *slots;
} LpUnevenWork;

/* The next matching: each pair of `to` carries what is left of it, at most `hold`; one that carries
 * nothing at all is left out. Errors: LP_ENOMEM. O(n). */
LpErr lp_uneven_serve(LpUnevenWork *work, const uint8_t *to, int64_t hold,
                      LpDiag *diag) LP_MUST_USE;

/* Cuts all that is left as eclipse does: again and again the matching, held for some time, that
 * carries most for its time and its turn. `rate` is that of all ports of a server. Errors:
 * LP_ENOMEM. A few O(n^3) for each matching. */
LpErr lp_uneven_eclipse(LpUnevenWork *work, double rate, double delay, LpDiag *diag) LP_MUST_USE;

#endif
