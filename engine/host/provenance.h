/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a figure comes from: program, command and inputs, as a result says them, so that it can be
 * made again half a year later. */
#ifndef LP_HOST_PROVENANCE_H
#define LP_HOST_PROVENANCE_H

#include "base/json_out.h"
#include "host/inputs.h"

/* All borrowed. */
typedef struct LpProvenance {
    /* The words of the command after "lightpath", without those that only say where results go and
     * how many threads make them. */
    uint32_t words;
    const char *const *word;
    uint32_t sets, params, seeds, sources;
    const char *const *set, *const *param; /* of all runs */
    const uint64_t *seed;
    const LpSource *source;
} LpProvenance;

/* Which sources the program was built from: a commit, with "-dirty" where they were changed, or
 * "unknown". */
const char *lp_build_sources(void);

/* {"version":...,"build":...,"command":[...],"inputs":[{"kind","file","sha256"}],"set":[...],
 * "param":[...],"seeds":[...]} under a key; NULL: at the top. */
void lp_provenance_json(const LpProvenance *provenance, const char *key, LpJsonOut *out);

#endif
