/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two halves of validate.h. Private to this room. */
#ifndef LP_SIM_STATE_VALIDATE_IMPL_H
#define LP_SIM_STATE_VALIDATE_IMPL_H

#include "sim/state/image.h"

typedef struct LpValidation {
    const LpWorld *world;
    LpImage *image;           /* of it; only read */
    const LpContext *context; /* of the world's conditions */
    LpDiag *diag;
} LpValidation;

/* What one more event may have changed. */
LpErr lp_validate_now(const LpValidation *v) LP_MUST_USE;
#if defined(LP_CHECKED)
/* Has anything changed without its mark since this looked last (state/mark.h)? */
LpErr lp_validate_marks(const LpValidation *v) LP_MUST_USE;
#endif
/* All jobs that ever were, what was counted of them, and the memory of those that run. */
LpErr lp_validate_past(const LpValidation *v) LP_MUST_USE;

/* Relative error that sums of times may have. */
#define LP_VALIDATE_SLACK 1e-9

#define LP_BROKEN(v, ...) lp_fail((v)->diag, LP_EINVAL, __VA_ARGS__)

#endif
