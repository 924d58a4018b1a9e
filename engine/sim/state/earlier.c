/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/state/earlier.h"

#include "sim/store/store.h"

/* s of work in earlier stretches that is kept. */
static double kept(const LpJob *job) {
    return lp_job_in_pieces(job) ? job->pieces.saved
                                 : job->work.attained - job->work.pace_lost - job->stops.lost;
}

/* The list without what comes after `useful` seconds of useful work: a failure took it. */
static uint32_t cut_off(LpStore *store, uint32_t earlier, double useful) {
    while (earlier > 0 && lp_store_earlier(store, earlier)->useful > useful) {
        LpEarlier e = *lp_store_earlier(store, earlier);
        double before = e.before > 0 ? lp_store_earlier(store, e.before)->useful : 0;
        e.useful = useful;
        earlier = before < useful ? lp_store_add_earlier(store, &e) : e.before;
    }
    return earlier;
}

static bool same_step(const LpEarlier *a, uint32_t step, uint32_t network) {
    return a->step == step && a->network == network;
}

/* Equal steps of two networks are two stretches: sums over them are then the same whether or not
 * anybody noticed that they are equal. */
void lp_job_book_step(const LpContext *context, LpJob *job, uint32_t next, uint32_t network) {
    if (job->graph < 0 || isnan(job->times.start) || job->placed.step == LP_NO_INDEX)
        return;
    LpStore *store = context->store;
    LpEarlier e = {.before = job->placed.earlier,
                   .step = job->placed.step,
                   .network = job->light.network,
                   .useful = kept(job)};
    e.before = cut_off(store, e.before, e.useful);
    const LpEarlier *last = e.before > 0 ? lp_store_earlier(store, e.before) : NULL;
    bool more = e.useful > (last != NULL ? last->useful : 0) && !same_step(&e, next, network);
    if (more && last != NULL && same_step(last, e.step, e.network))
        e.before = last->before;
    job->placed.earlier = more ? lp_store_add_earlier(store, &e) : e.before;
}

double lp_job_last_steps(const LpContext *context, const LpJob *job, double steps, double since) {
    const LpStore *store = context->store;
    double work = 0, until = kept(job), time = lp_store_step(store, job->placed.step)->step_time;
    for (uint32_t at = job->placed.earlier; at > 0; at = lp_store_earlier(store, at)->before) {
        const LpEarlier *e = lp_store_earlier(store, at);
        double done = since + (until - e->useful) / time;
        if (steps <= done)
            break;
        work += done * time;
        steps -= done;
        since = 0;
        until = e->useful;
        time = lp_store_step(store, e->step)->step_time;
    }
    return work + steps * time;
}
