/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints of a job that failures stop: how often, and how long the job then takes. Seconds. */
#ifndef LP_MODEL_POD_CHECKPOINT_H
#define LP_MODEL_POD_CHECKPOINT_H

#include "base/err.h"

typedef struct LpPodCheckpoint {
    double work;    /* W, > 0 */
    double cost;    /* delta, of one checkpoint, >= 0 */
    double restart; /* R, >= 0 */
    double mean;    /* M, of the time to the next failure, > 0; failures are exponential */
} LpPodCheckpoint;

/* LP_EINVAL, with the number. */
LpErr lp_checkpoint_check(const LpPodCheckpoint *c, LpDiag *diag) LP_MUST_USE;
/* sqrt(2 delta M) (Young 1974). */
double lp_checkpoint_young(const LpPodCheckpoint *c);
/* sqrt(2 delta M) (1 + r/3 + r^2/9) - delta, r = sqrt(delta/(2M)); M where delta >= 2M (Daly 2006).
 */
double lp_checkpoint_daly(const LpPodCheckpoint *c);
/* Exact mean time of the work with a checkpoint after every `interval` > 0 of it but the last
 * piece, failures hitting restarts and checkpoints, too, and a spare at once. Infinite where it
 * overflows. */
double lp_checkpoint_time(const LpPodCheckpoint *c, double interval);
/* The same without failures: work, and checkpoints. */
double lp_checkpoint_undisturbed(const LpPodCheckpoint *c, double interval);

#endif
