/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/failures.h"

#include "sim/outages.h"

/* The list of failures so far, gone over again. */
static LpErr count_failures(const LpWorld *world, const LpContext *context, LpFailureSummary *s) {
    LpImage *m = world->image;
    for (uint32_t at = 0; at < m->fault; at++) {
        const LpOutageEvent *e;
        LP_TRY(lp_outages_at(context, m->seed, at, &e));
        if (lp_outages_averted(m, e))
            continue;
        LpKindFailures *k = &s->kind[e->kind];
        k->failures += e->fails;
        k->repairs += !e->fails;
        k->down += e->fails ? m->now - e->time : e->time - m->now;
    }
    return LP_OK;
}

LpErr lp_failures_summary(const LpWorld *world, const LpContext *context, LpFailureSummary *out,
                          LpDiag *diag) {
    LpFailureSummary s = {.stops = lp_world_tally(world)->stops,
                          .aborted = lp_world_tally(world)->aborted,
                          .area = lp_world_now(world) * context->fabric.servers};
    for (uint32_t id = 0; id < lp_world_jobs(world); id++) {
        const LpJob *job = lp_world_job(world, id);
        LpAccounts a = lp_job_accounts(world, context, job);
        lp_accounts_add(&s.accounts, &a, job->placed.servers);
    }
    if (count_failures(world, context, &s) != LP_OK)
        return lp_fail_memory(diag, "the failures of a run");
    *out = s;
    return LP_OK;
}
