/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pod's formulas give, without its jobs, one value at a time: for lessons. */
#ifndef LP_ASK_POD_VALUE_H
#define LP_ASK_POD_VALUE_H

#include <stdbool.h>

#include "base/str.h"
#include "model/pod/slice.h"

/* Appends a value of a slice of this pod, "slices[4x4x8 twisted].all_to_all_load" (keys of `predict
 * slice:...`, times of 1 GB), or of what can be rented while hosts fail, "supply[16 at
 * 0.99].static" (slices of 16 cubes; keys of `pods capacity`). *done: it was such a path; else
 * nothing happened. Errors: LP_EINVAL, no such slice, number or key; LP_ENOMEM. */
LpErr lp_pod_value(const LpPod *pod, const char *path, LpBuf *out, bool *done,
                   LpDiag *diag) LP_MUST_USE;

#endif
