/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of a run, job by job: what a job sends, and how busy its servers are. A sample is taken
 * where that changes, and of who has changed only (state/mark.h). */
#ifndef LP_SIM_FACTS_SAMPLES_H
#define LP_SIM_FACTS_SAMPLES_H

#include "sim/state/mark.h"
#include "sim/state/state.h"

/* Holds from `time` to the job's next sample; all 0 when the job has left its servers. */
typedef struct LpSample {
    double time;       /* s */
    double throughput; /* bytes/s over the network, all of its servers together */
    double compute;    /* share of the time in which its servers compute */
    double resident;   /* share in which they compute or communicate: kernels are resident */
    uint32_t job;
    uint32_t before : 31; /* for whoever keeps samples: which one of the job came before */
    uint32_t dark : 1;    /* it stands still for want of circuits */
} LpSample;

/* Do two samples say the same of a job, whenever that was? */
bool lp_sample_same(const LpSample *a, const LpSample *b);

/* What a job of the world does now. `context`: any of the world's family. O(1). */
LpSample lp_sample_of(const LpWorld *world, const LpContext *context, uint32_t job);

typedef LpErr (*LpSampleTake)(void *user, const LpSample *sample, LpDiag *diag);
/* Gives `take` what jobs do now that have changed since *seen, a sample each, and sets *seen to
 * now. They need not do anything else than then. Where the world does not follow from *seen (zero
 * at first) these are all jobs that may not have ended long ago. Errors: those of `take`, which
 * ends it. O(changes), or O(jobs that have not ended long ago). */
LpErr lp_samples_changed(LpStamp *seen, const LpWorld *world, const LpContext *context,
                         LpSampleTake take, void *user, LpDiag *diag) LP_MUST_USE;

#endif
