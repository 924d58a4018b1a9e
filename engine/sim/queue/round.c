/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/queue/round.h"

#include <math.h>

#include "sim/queue/queue.h"
#include "sim/queue/rank.h"

/* ---- beginning ---- */

/* A waiting job is offered again after a completion, or when its own timer is due. */
static bool offered_now(const LpImage *m, const LpJob *job) {
    if (job->queue.held)
        return false;
    return isinf(job->times.retry_at) ? m->completed_now > 0 : job->times.retry_at <= m->now;
}

/* Links the jobs of this round in queue order. */
static void link_all(LpImage *m) {
    uint32_t last = LP_NO_INDEX;
    for (uint32_t id = m->first_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        LpJob *job = lp_image_job(m, id);
        if (!offered_now(m, job))
            continue;
        job->queue.offer_next = LP_NO_INDEX;
        job->queue.round = m->round;
        *(last != LP_NO_INDEX ? &lp_image_job(m, last)->queue.offer_next : &m->offer) = id;
        last = id;
    }
}

/* Jobs whose own time has come wait from now on like those that have none. */
static void list_due(LpImage *m) {
    for (uint32_t id = m->first_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        LpJob *job = lp_image_job(m, id);
        if (job->queue.listed == LP_LISTED_NOT && job->times.retry_at <= m->now)
            lp_queue_list(m, job);
    }
}

/* The first that may be asked now, 0: none; else 1 + its number. */
static uint32_t candidate(LpImage *m, const LpContext *context) {
    const LpWaitedFor *need = lp_image_need(m);
    bool blocks = m->queue_rule & LP_QUEUE_BLOCKS, ties = m->queue_rule & LP_QUEUE_TIES;
    const LpJob *best = NULL;
    uint32_t first = blocks ? lp_queue_first(m, LP_NO_INDEX) : LP_NO_INDEX;
    for (uint32_t i = 0; i < m->needs; i++) {
        const LpJob *job = need[i].root != 0 ? lp_image_job(m, need[i].root - 1) : NULL;
        if (job == NULL || (best != NULL && lp_queue_earlier(best, job)))
            continue;
        if (blocks && job->id != first &&
            !(ties && job->queue.key == lp_image_job(m, first)->queue.key))
            continue;
        if (lp_queue_fits(m, context, need[i].servers))
            best = job;
    }
    return best != NULL ? best->id + 1 : 0;
}

bool lp_round_open(LpImage *m, const LpContext *context, bool retries, LpEvent *out) {
    bool lists = m->declared > 0 && m->completed_now > 0;
    lp_round_close(m);
    m->offer = LP_NO_INDEX;
    if (retries && m->declared > 0)
        list_due(m);
    if (m->now >= m->horizon) /* who waits at the horizon is unfinished */
        return false;
    if (m->declared > 0 && m->completed_now == 0 && !retries)
        return false;
    m->round += 2; /* that of a job is one more where it has been named (lp_world_order_queue) */
    if (lists && candidate(m, context) == 0)
        return false;
    if (!lists)
        link_all(m);
    if (!lists && m->offer == LP_NO_INDEX)
        return false;
    m->round_open = lists;
    lp_image_event(m, out, LP_EVENT_ROUND, LP_NO_INDEX);
    return true;
}

void lp_round_close(LpImage *m) {
    m->round_open = m->ordered = 0;
    lp_queue_put_back(m);
}

/* ---- going on ---- */

/* The next of the links, or of the order that a policy gave; who states a need is passed over while
 * it is not free. */
static uint32_t next_linked(LpImage *m, const LpContext *context) {
    while (m->offer != LP_NO_INDEX) {
        uint32_t id = m->offer;
        const LpJob *job = lp_image_job(m, id);
        m->offer = job->queue.offer_next;
        bool waits = job->outcome == LP_JOB_WAITING; /* else an action came first */
        if (waits && (!m->round_open || lp_queue_fits(m, context, job->queue.need)))
            return id + 1;
    }
    return 0;
}

bool lp_round_next(LpImage *m, const LpContext *context, LpEvent *out) {
    if (m->ordered == LP_ORDER_OLD) { /* one of its jobs has started */
        m->ordered = 0;
        lp_queue_put_back(m);
        if (candidate(m, context) == 0) {
            lp_round_close(m);
            return false;
        }
        lp_image_event(m, out, LP_EVENT_ROUND, LP_NO_INDEX);
        return true;
    }
    bool links = !m->round_open || m->ordered;
    uint32_t next = links ? next_linked(m, context) : candidate(m, context);
    if (next == 0) {
        lp_round_close(m);
        return false;
    }
    LpJob *job = lp_image_job(m, next - 1);
    lp_queue_unlist(m, job);
    job->outcome = LP_JOB_DECIDING;
    m->due = job->id;
    m->tally.offers++;
    lp_image_event(m, out, LP_EVENT_OFFER, job->id);
    return true;
}

/* ---- the order of a policy ---- */

/* Is it of this round? */
static bool offered(const LpImage *m, const LpJob *job) {
    return job->outcome == LP_JOB_WAITING &&
           (m->round_open ? job->queue.listed == LP_LISTED : job->queue.round >= m->round);
}

uint32_t lp_world_round(const LpWorld *world, uint32_t *jobs, uint32_t room) {
    LpImage *m = world->image;
    uint32_t count = 0;
    if (m->phase != LP_PHASE_OFFER)
        return 0;
    bool lists = m->round_open && !m->ordered;
    for (uint32_t id = lists ? m->first_waiting : m->offer; id != LP_NO_INDEX;) {
        const LpJob *job = lp_image_job(m, id);
        bool in = !lists || job->queue.listed == LP_LISTED;
        if (in && count < room)
            jobs[count] = id;
        count += in;
        id = lists ? job->queue.next : job->queue.offer_next;
    }
    return count;
}

LpErr lp_world_order_queue(LpWorld *world, const uint32_t *jobs, uint32_t count, LpDiag *diag) {
    LpImage *m = world->image;
    uint32_t good = 0;
    if (m->phase != LP_PHASE_OFFER || m->due != LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no round of offers is about to begin");
    LpErr err = LP_OK;
    for (; err == LP_OK && good < count; good++) {
        uint32_t id = jobs[good];
        LpJob *job = id < m->jobs && !lp_image_past(m, id) ? lp_image_job(m, id) : NULL;
        if (job == NULL || !offered(m, job)) {
            err = lp_fail(diag, LP_EREFUSED, "job %u is not among the jobs to be offered", id);
            break;
        }
        if (job->queue.round == m->round + 1) {
            err = lp_fail(diag, LP_EREFUSED, "job %u is named twice", id);
            break;
        }
        job->queue.round = m->round + 1;
    }
    for (uint32_t i = 0; i < good; i++) /* it may be ordered once more */
        lp_image_job(m, jobs[i])->queue.round = m->round;
    LP_TRY(err);
    m->ordered = m->round_open ? LP_ORDER_GIVEN : 0;
    m->offer = count > 0 ? jobs[0] : LP_NO_INDEX;
    for (uint32_t i = 0; i < count; i++)
        lp_image_job(m, jobs[i])->queue.offer_next = i + 1 < count ? jobs[i + 1] : LP_NO_INDEX;
    lp_mark_world(m, m->offer);
    return LP_OK;
}
