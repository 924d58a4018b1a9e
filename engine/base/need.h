/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a number of a scenario must be, and the sentence where it is not. */
#ifndef LP_BASE_NEED_H
#define LP_BASE_NEED_H

#include <stddef.h>

#include "base/err.h"

typedef enum LpNeed {
    LP_NEED_POSITIVE,     /* above 0 */
    LP_NEED_NOT_NEGATIVE, /* 0 or more */
    LP_NEED_WHOLE,        /* 1, 2, ... up to 2^53 */
    LP_NEED_SHARE         /* from 0 to 1 */
} LpNeed;

/* A number with its key, such as "cluster.ramp.slot". */
typedef struct LpNumber {
    const char *key;
    double value;
    LpNeed need;
} LpNumber;

/* LP_EINVAL "KEY is VALUE: expected a number above 0" where the number is not finite or not what it
 * must be. The list: of the first that is not. */
LpErr lp_need(const char *key, double value, LpNeed need, LpDiag *diag) LP_MUST_USE;
LpErr lp_need_all(const LpNumber *number, size_t count, LpDiag *diag) LP_MUST_USE;

/* The same sentence with another expectation: always LP_EINVAL. */
LpErr lp_need_fail(const char *key, double value, const char *expected, LpDiag *diag) LP_MUST_USE;

/* "a whole number from 1" */
const char *lp_need_text(LpNeed need);

#endif
