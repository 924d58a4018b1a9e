/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of a run: after every event, what each running job sends and how busy its servers are. */
#ifndef LP_ASK_INSPECT_SERIES_H
#define LP_ASK_INSPECT_SERIES_H

#include "base/str.h"
#include "session/session.h"

/* Holds from `time` to the job's next sample; all 0 when the job has left its servers. */
typedef struct LpSample {
    double time; /* s */
    uint32_t job;
    bool dark;         /* it stands still for want of circuits */
    double throughput; /* bytes/s over the network, all of its servers together */
    double compute;    /* share of the time in which its servers compute */
    double resident;   /* share in which they compute or communicate: kernels are resident */
    size_t order;      /* of lp_series_by_job */
} LpSample;

typedef struct LpSeries {
    LpSample *sample; /* in order of time, then of starts */
    size_t samples, cap;
} LpSeries;

/* From the records of the session up to the moment where it is, replayed on a world of their own;
 * the session is not touched and no policy is asked. Errors: LP_ENOMEM; what a replay answers.
 * Costs as much as the run without its policy. */
LpErr lp_series_make(const LpSession *session, LpSeries *out, LpDiag *diag) LP_MUST_USE;
void lp_series_fini(LpSeries *series);

/* Puts the samples in order of jobs, each job's in order of time. */
void lp_series_by_job(LpSeries *series);
/* The job's sample that holds at a time; NULL: it has not run yet. After lp_series_by_job.
 * O(log samples). */
const LpSample *lp_series_at(const LpSeries *series, uint32_t job, double time);

/* "time,job,light,throughput,compute_busy,kernel_resident" and a line per sample. */
void lp_series_csv(const LpSeries *series, LpBuf *out);

#endif
