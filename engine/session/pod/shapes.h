/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What if a job asked for another shape of as many accelerators? */
#ifndef LP_SESSION_POD_SHAPES_H
#define LP_SESSION_POD_SHAPES_H

#include "session/pod/pod_predict.h"
#include "sim/state/state.h"

/* More accelerators than this in a slice that has ends (static wiring), and its loads would take
 * seconds: load, gain and all_to_all_time are NAN. */
enum { LP_POD_SHAPE_OPEN_MOST = 1024 };

typedef struct LpPodShape {
    LpSlicePrediction is;
    bool asked;    /* what the job asks for */
    LpCause cause; /* LP_CAUSE_NONE: it fits now */
    char why[LP_DIAG_TEXT];
} LpPodShape;

/* All slices of as many accelerators as `asked`, by their longest extent, then the middle one,
 * plain before twisted, with what they take for collectives of `bytes` and whether they would find
 * a place in the world now. *out is owned (lp_free). Errors: LP_ENOMEM. */
LpErr lp_pod_shapes(const LpWorld *world, const LpContext *context, const LpSlice *asked,
                    double bytes, LpPodShape **out, uint32_t *count, LpDiag *diag) LP_MUST_USE;

#endif
