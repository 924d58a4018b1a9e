/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath pods`: what can be worked out of a pod without a run, as JSON or as a table. */
#ifndef LP_ASK_POD_TABLES_H
#define LP_ASK_POD_TABLES_H

#include "base/fact.h"
#include "model/pod/capacity.h"

/* As people write them, borrowed; NULL: as usual. */
typedef struct LpPodAsk {
    const char *cubes;     /* 64 */
    const char *of;        /* cubes of a slice: 16,32,48,64 */
    const char *hosts;     /* of a cube: 16 */
    const char *available; /* share of the time that a host works: .99,.995,.999 */
    const char *share;     /* of the time for which a capacity is promised: .97 */
    const char *load;      /* cubes asked for over cubes: .7 */
    const char *classes;   /* CUBES:WEIGHT,...; those of the published sample */
    const char *work, *cost, *restart, *mean; /* 86400 s, 60 s, 120 s, 7200 s */
    const char *interval;                     /* times, young, daly: young,daly */
} LpPodAsk;

/* A row of capacity. */
typedef struct LpPodOffer {
    LpPodSupply supply;
    LpPodCapacity switched, fixed;
} LpPodOffer;
extern const LpFacts lp_capacity_facts;

/* Each appends {"lightpath":1,...} and a newline, or text. Errors: LP_EINVAL in one sentence that
 * names the option; LP_ENOMEM. *out is unchanged then. */
LpErr lp_pods_capacity(const LpPodAsk *ask, bool json, LpBuf *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_pods_blocking(const LpPodAsk *ask, bool json, LpBuf *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_pods_checkpoints(const LpPodAsk *ask, bool json, LpBuf *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_pods_mix(const LpPodAsk *ask, bool json, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
