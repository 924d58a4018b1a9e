/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says of circuits that turn inside steps, beside what it says of every job and run.
 */
#include "base/num.h"
#include "say/report_impl.h"

static const LpStepSummary *step_of(const LpReport *r, const LpJob *job) {
    return job->placed.step != LP_NO_INDEX ? lp_store_step(r->context->store, job->placed.step)
                                           : NULL;
}

/* Sums over all steps of the jobs that completed. */
typedef struct Turned {
    double turns, waiting, exposed, lost, time;
} Turned;

static Turned add_up(const LpReport *r) {
    Turned sum = {0};
    uint64_t steps = lp_store_stats(r->context->store).steps;
    uint32_t at = 0;
    while (at < steps && !(lp_store_step(r->context->store, at)->turns > 0))
        at++;
    if (at == steps) /* nothing turns, whatever jobs did: they need not be looked at */
        return sum;
    for (uint32_t i = 0; i < lp_world_jobs(r->world); i++) {
        const LpJob *job = lp_world_job(r->world, i);
        const LpStepSummary *step = step_of(r, job);
        if (job->outcome != LP_JOB_COMPLETED || step == NULL)
            continue;
        sum.turns += job->asked.steps * step->turns;
        sum.waiting += job->asked.steps * step->waiting_turns;
        sum.exposed += job->asked.steps * step->exposed_turns;
        sum.lost += job->asked.steps * step->turn_time;
        sum.time += job->asked.steps * step->step_time;
    }
    return sum;
}

void lp_report_turning(const LpReport *r, LpJsonOut *out) {
    if (r->scenario->turning.form == LP_TURNING_NONE)
        return;
    Turned sum = add_up(r);
    lp_json_put_number(out, "turns", sum.turns);
    lp_json_put_number(out, "waiting_turns", sum.waiting);
    lp_json_put_number(out, "exposed_turns", sum.exposed);
    lp_json_put_number(out, "turn_time", sum.lost);
}

void lp_report_turning_text(const LpReport *r, LpBuf *out) {
    Turned sum = add_up(r);
    char lost[32], turns[LP_NUM_TEXT], exposed[LP_NUM_TEXT];
    if (!(sum.turns > 0))
        return;
    lp_buf_addf(out,
                "%-12s%s turn%s of circuits inside steps, %s of them exposed: %s, %.2f %% of the "
                "steps' time (completed jobs)\n",
                "turns", lp_num_print(sum.turns, turns), sum.turns > 1 ? "s" : "",
                lp_num_print(sum.exposed, exposed),
                lp_quantity_print(sum.lost, LP_DIM_TIME, lost, sizeof lost),
                100 * sum.lost / sum.time);
}
