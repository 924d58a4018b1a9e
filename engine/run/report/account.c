/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of each job went, in its entry of jobs[]. */
#include "run/report/report_impl.h"
#include "sim/store/store.h"

/* The shares of each step, worked out once: equal steps have equal ones. But for jobs that run on
 * the step of another one (published cache), which need not be where they are. */
typedef struct LpReportTimes {
    struct {
        bool known;
        double share[LP_TIME_COUNT];
    } * step;
    uint32_t steps;
} LpReportTimes;

static LpErr make(LpReport *r) {
    uint64_t steps = lp_store_stats(r->context->store).steps;
    LpReportTimes *times = lp_alloc(1, sizeof *times);
    if (times != NULL)
        times->step = lp_alloc(steps + 1, sizeof *times->step);
    if (times == NULL || times->step == NULL) {
        lp_free(times);
        return lp_fail_memory(r->diag, "the accounts of jobs");
    }
    times->steps = (uint32_t)steps;
    r->times = times;
    return LP_OK;
}

static LpErr shares_of(LpReport *r, const LpJob *job, double *room, const double **share) {
    if (r->times == NULL)
        LP_TRY(make(r));
    *share = room;
    if (job->graph < 0 || job->cached || job->step >= r->times->steps)
        return lp_time_shares(r->context, job, room, r->diag);
    if (!r->times->step[job->step].known)
        LP_TRY(lp_time_shares(r->context, job, r->times->step[job->step].share, r->diag));
    r->times->step[job->step].known = true;
    *share = r->times->step[job->step].share;
    return LP_OK;
}

LpErr lp_report_account(LpReport *r, LpJsonOut *out, const LpJob *job) {
    double room[LP_TIME_COUNT];
    const double *share;
    LP_TRY(shares_of(r, job, room, &share));
    LpJobTime time = lp_job_time(r->world, r->context, job, share);
    lp_job_time_json(out, &time);
    return LP_OK;
}

void lp_report_account_fini(LpReport *r) {
    if (r->times != NULL)
        lp_free(r->times->step);
    lp_free(r->times);
    r->times = NULL;
}
