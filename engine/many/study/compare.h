/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a batch of runs says: each run, each variant over its seeds with 95 % intervals, each
 * variant against the first by a paired test, and where two first decided differently. */
#ifndef LP_MANY_STUDY_COMPARE_H
#define LP_MANY_STUDY_COMPARE_H

#include "many/study/batch.h"

/* "FILE" or "FILE:k=v,k=v": a policy and its parameters; the text is the label. Errors: LP_EINVAL,
 * LP_ENOMEM. */
LpErr lp_variant_parse(const char *text, LpArena *arena, LpVariant *out, LpDiag *diag) LP_MUST_USE;

/* The first job that two runs treat differently. */
typedef struct LpDivergence {
    uint32_t job; /* LP_NO_INDEX: none, they are alike */
    const LpChoice *a, *b;
} LpDivergence;
LpDivergence lp_batch_divergence(const LpRun *a, const LpRun *b);
/* What differs there: "outcome", "degree", "start" or "servers"; "nothing". */
const char *lp_divergence_name(const LpDivergence *divergence);

/* Where a variant stands in a tournament. */
typedef struct LpRank {
    uint32_t rank; /* from 1, 0: unranked */
    bool tied;     /* another one shares it */
    /* the test that decided: against the first one of this rank, or of the rank above when it is
     * the first one itself; LP_NO_INDEX for the winner and the unranked */
    uint32_t against;
    LpMetric by;
    double p;
} LpRank;

/* What was run. The keys of a sweep: `axis[i]` has the text `value[i]` for a variant. */
typedef struct LpCompareHead {
    const char *work;     /* "compare", "sweep", "tournament" */
    const char *scenario; /* as given */
    uint32_t axes;
    const char *const *axis;  /* PATHs that vary */
    const char *const *unit;  /* of each one's values, "s"; "": none, or they say it themselves */
    const char *const *value; /* [variant * axes + axis] */
    uint32_t policies;        /* variants are points x policies; a pair is compared in one point */
    const LpRank *rank;       /* of a tournament, per variant; NULL otherwise */
    const char *provenance;   /* as JSON (host/provenance.h); NULL: not known */
} LpCompareHead;

/* {"lightpath":1,"work":...,"rows":[one per run],"summary":[one per variant],"paired":[variant
 * against the first of its point],"first_difference":[...]}; null where there is no data. */
LpErr lp_compare_json(const LpCompareHead *head, const LpBatch *batch, LpBuf *out,
                      LpDiag *diag) LP_MUST_USE;
/* One line per run. */
LpErr lp_compare_csv(const LpCompareHead *head, const LpBatch *batch, bool raw, LpBuf *out,
                     LpDiag *diag) LP_MUST_USE;
/* Tables for people. */
LpErr lp_compare_text(const LpCompareHead *head, const LpBatch *batch, LpBuf *out,
                      LpDiag *diag) LP_MUST_USE;

#endif
