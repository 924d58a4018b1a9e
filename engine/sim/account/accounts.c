/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/account/accounts.h"

#include "sim/store/store.h"

/* A running job's work since its last checkpoint is useful until a failure takes it. */
static LpAccounts in_pieces(const LpJob *job, double now) {
    LpStretch s = {0};
    if (job->outcome == LP_JOB_RUNNING)
        s = lp_job_stretch(job, now);
    return (LpAccounts){.useful = job->pieces.saved + s.kept + s.open,
                        .lost = job->stops.lost,
                        .checkpoint = job->pieces.checkpointing + s.checkpoint,
                        .restart = job->pieces.restarting + s.restart,
                        .settle = job->pieces.settling + s.settle,
                        .slow = job->work.pace_lost + s.slow};
}

/* What a job at its present pace takes longer than alone, as a share of the time. */
static double slower(const LpContext *context, const LpJob *job) {
    if (job->sharing.load == LP_NO_INDEX || !(job->forecast.step_time > 0))
        return 0;
    return 1 - lp_store_step(context->store, job->placed.step)->step_time / job->forecast.step_time;
}

static double positive(double x) {
    return x > 0 ? x : 0;
}

/* A job whose pace may change, and which keeps its finished steps. */
static LpAccounts by_pace(const LpContext *context, const LpJob *job, double now) {
    bool runs = job->outcome == LP_JOB_RUNNING, lit = runs && job->light.dark == LP_JOB_LIT;
    double run = lit ? positive(now - job->times.running_since) : 0;
    double unread = !runs ? 0 : lit ? positive(job->times.running_since - now) : job->light.reading;
    double slow = job->work.pace_lost + run * slower(context, job);
    LpAccounts a = {.useful = job->work.attained + run - slow - job->stops.lost,
                    .lost = job->stops.lost,
                    .restart = job->work.stalled - job->stops.restart_left - unread,
                    .settle = job->light.reconfiguring,
                    .slow = slow,
                    .stalled = job->light.unlit};
    if (runs && job->light.dark == LP_JOB_TURNING)
        a.settle += positive(now - job->times.running_since);
    if (runs && job->light.dark == LP_JOB_UNLIT)
        a.stalled += positive(now - job->times.running_since);
    return a;
}

LpAccounts lp_job_accounts(const LpWorld *world, const LpContext *base, const LpJob *job) {
    double now = lp_world_now(world);
    bool held_up = job->outcome == LP_JOB_RUNNING && job->light.dark == LP_JOB_HELD;
    LpAccounts a = lp_job_in_pieces(job) ? in_pieces(job, now) : by_pace(base, job, now);
    a.held_up = job->stops.stood_still + (held_up ? now - job->times.running_since : 0);
    a.stalled += a.held_up;
#define X(field, word) a.held += a.field;
    LP_ACCOUNTS(X)
#undef X
    return a;
}

void lp_accounts_add(LpAccounts *sum, const LpAccounts *of, double servers) {
#define X(field, word) sum->field += of->field * servers;
    LP_ACCOUNTS(X)
#undef X
    sum->held += of->held * servers;
    sum->held_up += of->held_up * servers;
}
