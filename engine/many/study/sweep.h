/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of a scenario that take several values: "cluster.ramp.slot=1ns..100us/log10". */
#ifndef LP_MANY_STUDY_SWEEP_H
#define LP_MANY_STUDY_SWEEP_H

#include "many/study/compare.h"

enum { LP_SWEEP_POINTS = 10000 };

/* One --vary. */
typedef struct LpSweepAxis {
    const char *path;
    uint32_t values;
    const char *const *value; /* texts as --set takes them */
    const char *unit;         /* of the values of a range between quantities, "s"; "" */
} LpSweepAxis;

/* PATH=A..B/N: N values (from 2) with equal steps, both ends among them. PATH=A..B/logF: A, A*F,
 * A*F*F ... up to B, F > 1 (log10: one value per decade). A and B are numbers or quantities of one
 * kind ("1 ns", "100 ms"), given to the scenario in SI. PATH=A,B,C: these values as they stand.
 * The seed does not vary so.
 * Errors: LP_EINVAL saying what was expected; LP_ELIMIT above LP_SWEEP_POINTS values. */
LpErr lp_axis_parse(const char *text, LpArena *arena, LpSweepAxis *out, LpDiag *diag) LP_MUST_USE;

/* Every combination of the axes' values, the last axis fastest, with every policy: variants[point *
 * policies + policy]. Fills head->axes, axis, unit, value and policies. Errors: LP_ELIMIT above
 * LP_SWEEP_POINTS variants; LP_ENOMEM. */
LpErr lp_sweep_variants(const LpSweepAxis *axis, uint32_t axes, const LpVariant *policy,
                        uint32_t policies, LpArena *arena, LpCompareHead *head, LpVariant **out,
                        uint32_t *count, LpDiag *diag) LP_MUST_USE;

#endif
