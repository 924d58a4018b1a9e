/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster clock: from event to event, ends before timers before offers before arrivals
 * (semantics 9.2; corrected "horizon", queueing). */
#include <math.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "base/num.h"
#include "model/scenario_failures.h"
#include "sim/condition.h"
#include "sim/forecast.h"
#include "sim/job_plan.h"
#include "sim/light/circuits_impl.h"
#include "sim/outages.h"
#include "sim/place/asked.h"
#include "sim/queue/queue.h"
#include "sim/queue/rank.h"
#include "sim/queue/round.h"
#include "sim/recover.h"
#include "sim/sharing/sharing.h"
#include "sim/sim_impl.h"
#include "sim/state/debug.h"
#include "sim/state/ends.h"
#include "sim/state/validate.h"
#include "sim/store/store.h"
#include "sim/world.h"

static bool published(const LpContext *context, LpOption option) {
    return lp_published(&context->scenario->options, option);
}

/* ---- jobs leave ---- */

static void block(LpImage *m, uint32_t id, LpCause cause) {
    LpJob *job = lp_image_job(m, id);
    LP_ASSERT(job->outcome < LP_JOB_COMPLETED && cause != LP_CAUSE_NONE);
    (void)lp_job_book_spell(m, job);
    job->times.turned_away = m->now;
    job->outcome = LP_JOB_BLOCKED;
    job->cause = (uint8_t)cause;
    job->rank = m->ranks++;
    m->tally.blocked++;
    m->tally.blocked_by[cause]++;
    lp_mark_job(m, id);
}

static void complete(LpImage *m, const LpContext *context, uint32_t id) {
    LpJob *job = lp_image_job(m, id);
    lp_job_stop(m, context, id);
    job->outcome = LP_JOB_COMPLETED;
    job->times.end = m->now;
    lp_job_settle_totals(job);
    job->rank = m->ranks++;
    m->tally.completed++;
    m->completed_now++;
}

/* ---- the end of the run ---- */

static void leave_unfinished(LpImage *m, uint32_t id) {
    LP_ASSERT(lp_image_job(m, id)->outcome < LP_JOB_COMPLETED);
    lp_image_job(m, id)->outcome = LP_JOB_UNFINISHED;
    lp_mark_job(m, id);
    m->tally.unfinished++;
}

static void finish(LpImage *m, const LpContext *context) {
    bool blocked = published(context, LP_OPT_HORIZON);
    m->phase = LP_PHASE_OVER; /* nobody goes faster because others are stopped here */
    while (m->first_running != LP_NO_INDEX) {
        uint32_t id = m->first_running;
        lp_job_stop(m, context, id);
        if (blocked)
            block(m, id, LP_CAUSE_HORIZON);
        else
            leave_unfinished(m, id);
    }
    while (m->first_waiting != LP_NO_INDEX) {
        uint32_t id = m->first_waiting;
        LpJob *job = lp_image_job(m, id);
        double key = job->queue.key;
        uint64_t entry = job->queue.entry;
        lp_queue_leave(m, job);
        job->queue.key = key; /* where it stood in the queue: sim/waits asks for it */
        job->queue.entry = entry;
        lp_job_book_wait(m, job, LP_WAIT_POLICY);
        leave_unfinished(m, id);
    }
    bool asked = m->due != LP_NO_INDEX; /* of the queue, it has left it by now */
    if (asked && lp_image_job(m, m->due)->outcome == LP_JOB_DECIDING)
        leave_unfinished(m, m->due);
    for (; m->extra != LP_NO_INDEX; m->extra = m->extra + 1 < m->jobs ? m->extra + 1 : LP_NO_INDEX)
        leave_unfinished(m, m->extra);
    m->due = LP_NO_INDEX;
    lp_mark_world(m, m->phase);
}

/* Nothing that could still come would end its jobs. */
static void give_up(LpImage *m, const LpContext *context) {
    bool any = m->first_running != LP_NO_INDEX || m->first_waiting != LP_NO_INDEX;
    if (any)
        m->stuck = m->vain >= LP_VAIN_MAX ? LP_STUCK_VAINLY : LP_STUCK_IDLE;
    LP_DEBUG(context->log, SIM, 1, "give up after %llu events in vain",
             (unsigned long long)m->vain);
    finish(m, context);
}

void lp_world_finish(LpWorld *world, const LpContext *context) {
    if (!lp_world_over(world))
        finish(world->image, lp_world_context(world, context));
    LP_DEBUG(context->log, SIM, 1, "finish");
    lp_world_check_event(world, context);
}

void lp_image_recheck(LpImage *m) {
    m->completed_now++;
    if (m->phase != LP_PHASE_OVER)
        m->phase = LP_PHASE_COMPLETE;
}

/* ---- time passes ---- */

static double next_timer(LpImage *m) {
    lp_timer_clean(m);
    double next = m->timers > 0 ? lp_image_timer(m)[0].time : (double)INFINITY;
    double end = m->shared ? lp_ends_next(m) : (double)INFINITY;
    return end < next ? end : next;
}

static double next_instant(LpImage *m, const LpContext *context) {
    double next = next_timer(m);
    if (m->next_arrival < next)
        next = m->next_arrival;
    if (m->horizon < next)
        next = m->horizon;
    double outage = lp_outages_next(m, context);
    if (outage < next)
        next = outage;
    if (m->light_at < next)
        next = m->light_at;
    /* where nothing else will ever happen, asking again would not end */
    double interval = lp_circuits_next_interval(m, context);
    if (interval < next && (!isinf(next) || lp_circuits_awaited(m, context)))
        next = interval;
    return next > m->now ? next : m->now;
}

static double left_of(const LpImage *m, const LpJob *job) {
    return job->forecast.jct - (m->now - job->times.start);
}

/* The published tick as it is written (semantics 9.2): differences of times and sums of ticks round
 * in their own way, and a tolerance makes the last digit count. */
static double published_tick(LpImage *m) {
    double tick = m->next_arrival - m->now;
    if (m->horizon - m->now < tick)
        tick = m->horizon - m->now;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        if (left_of(m, lp_image_job(m, id)) < tick)
            tick = left_of(m, lp_image_job(m, id));
    return tick > 0 ? tick : 0;
}

static void pass(LpImage *m, double dt) {
    LP_ASSERT(dt >= 0);
    LpTally *tally = &m->tally;
    tally->reserved_area += dt * tally->busy_servers;
    tally->running_area += dt * (double)tally->running;
    tally->waiting_area += dt * (double)tally->waiting;
}

/* False when nothing will ever happen again. */
static bool tick(LpImage *m, const LpContext *context) {
    bool literal = m->epsilon > 0 && m->tally.waiting == 0;
    lp_timer_clean(m);
    double dt = literal ? published_tick(m) : next_instant(m, context) - m->now;
    double next = literal ? m->now + dt : next_instant(m, context);
    if (isinf(next))
        return false;
    m->seen_busy = m->servers - m->free_servers; /* before completions: Q21 */
    pass(m, dt);
    lp_published_tick(m, context, dt);
    m->now = next;
    m->completed_now = 0;
    lp_debug_at(context->log, next);
    LP_DEBUG(context->log, SIM, 2, "instant after %.9g s, %llu running %llu waiting", dt,
             (unsigned long long)m->tally.running, (unsigned long long)m->tally.waiting);
    return true;
}

bool lp_world_pass(LpWorld *world, const LpContext *context, double time) {
    LpImage *m = world->image;
    if (m->phase == LP_PHASE_OVER || !(time < lp_world_next_time(world, context)))
        return false;
    if (!(time > m->now))
        return true;
    pass(m, time - m->now);
    m->now = time;
    m->completed_now = 0;
    lp_mark_world(m, 0);
    lp_world_check_event(world, context);
    return true;
}

/* Nothing left to do, as tested after a tick (semantics 9.2). */
static bool done(const LpImage *m) {
    if (m->now >= m->horizon)
        return true;
    return isinf(m->next_arrival) && m->first_running == LP_NO_INDEX &&
           m->first_waiting == LP_NO_INDEX && m->due == LP_NO_INDEX;
}

/* ---- what can happen at one instant ---- */

/* Published: running jobs in order of their start, within the tolerance. */
static bool complete_published(LpImage *m, const LpContext *context, LpEvent *out) {
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        if (left_of(m, lp_image_job(m, id)) - m->epsilon <= 0) {
            complete(m, context, id);
            lp_image_event(m, out, LP_EVENT_COMPLETION, id);
            return true;
        }
    return false;
}

static bool complete_shared(LpImage *m, const LpContext *context, LpEvent *out) {
    uint32_t id = lp_ends_due(m, m->now * (1 + LP_NUM_TIE));
    if (id == LP_NO_INDEX)
        return false;
    complete(m, context, id);
    lp_image_event(m, out, LP_EVENT_COMPLETION, id);
    return true;
}

/* The place of the timer of the next job that ends now, LP_NO_INDEX: none does. What only rounding
 * tells from now is now. */
static uint32_t end_due(LpImage *m) {
    for (;;) {
        uint32_t at = lp_timer_due(m, LP_TIMER_END, m->now * (1 + LP_NUM_TIE));
        if (at == LP_NO_INDEX || !lp_timer_stale(m, &lp_image_timer(m)[at]))
            return at;
        lp_timer_remove(m, at);
    }
}

/* Corrected: all that ends now does so before anything else at this instant. */
static bool complete_one(LpImage *m, const LpContext *context, LpEvent *out) {
    if (m->epsilon > 0)
        return complete_published(m, context, out);
    if (m->shared)
        return complete_shared(m, context, out);
    uint32_t at = end_due(m);
    if (at == LP_NO_INDEX)
        return false;
    uint32_t id = lp_image_timer(m)[at].job;
    lp_timer_remove(m, at);
    complete(m, context, id);
    lp_image_event(m, out, LP_EVENT_COMPLETION, id);
    return true;
}

/* The place of the timer of the next waiting job whose deadline is now, LP_NO_INDEX: none. */
static uint32_t deadline_due(LpImage *m) {
    for (;;) {
        uint32_t at = lp_timer_due(m, LP_TIMER_DEADLINE, m->now);
        if (at == LP_NO_INDEX ||
            lp_image_job(m, lp_image_timer(m)[at].job)->outcome == LP_JOB_WAITING)
            return at;
        lp_timer_remove(m, at);
    }
}

/* Who is done at this instant has been taken before. */
static bool kill_one(LpImage *m, const LpContext *context, LpEvent *out) {
    for (;;) {
        uint32_t at = lp_timer_due(m, LP_TIMER_KILL, m->now * (1 + LP_NUM_TIE));
        if (at == LP_NO_INDEX)
            return false;
        LpTimer timer = lp_image_timer(m)[at];
        lp_timer_remove(m, at);
        LpJob *job = lp_image_job(m, timer.job);
        if (job->outcome != LP_JOB_RUNNING || job->times.kill_at != timer.time)
            continue;
        lp_job_stop(m, context, timer.job);
        lp_job_give_up(m, job, LP_JOB_KILLED);
        m->tally.killed++;
        m->completed_now++;
        lp_mark_job(m, timer.job);
        lp_image_event(m, out, LP_EVENT_KILL, timer.job);
        return true;
    }
}

/* Who stood behind it is offered at this instant. */
static bool expire_one(LpImage *m, LpEvent *out) {
    uint32_t at = deadline_due(m);
    if (at == LP_NO_INDEX)
        return false;
    uint32_t id = lp_image_timer(m)[at].job;
    LpJob *job = lp_image_job(m, id);
    lp_timer_remove(m, at);
    lp_queue_leave(m, job);
    job->times.wait =
        (isnan(job->times.wait) ? 0 : job->times.wait) + m->now - job->times.waiting_since;
    lp_job_book_wait(m, job, LP_WAIT_POLICY);
    block(m, id, LP_CAUSE_DEADLINE);
    m->completed_now++;
    lp_image_event(m, out, LP_EVENT_EXPIRY, id);
    return true;
}

static bool wake_one(LpImage *m, LpEvent *out) {
    uint32_t at = lp_timer_due(m, LP_TIMER_WAKE, m->now);
    if (at == LP_NO_INDEX)
        return false;
    lp_timer_remove(m, at);
    lp_image_event(m, out, LP_EVENT_WAKE, LP_NO_INDEX);
    return true;
}

bool lp_world_settling(const LpWorld *world) {
    LpImage *m = world->image;
    if (m->phase != LP_PHASE_COMPLETE && m->phase != LP_PHASE_TIMER)
        return false;
    bool ends = m->phase == LP_PHASE_COMPLETE && m->epsilon == 0 &&
                (m->shared ? lp_ends_due(m, m->now * (1 + LP_NUM_TIE)) : end_due(m)) != LP_NO_INDEX;
    return ends || deadline_due(m) != LP_NO_INDEX ||
           lp_timer_due(m, LP_TIMER_WAKE, m->now) != LP_NO_INDEX;
}

/* Light that is due, then a decision about circuits that is. */
static LpErr light_one(LpWorld *world, const LpContext *context, bool *done_one, LpEvent *out,
                       LpDiag *diag) {
    LpImage *m = world->image;
    LP_TRY(lp_circuits_light(world, context, done_one, diag));
    if (*done_one) {
        lp_image_event(m, out, LP_EVENT_LIT, LP_NO_INDEX);
        return LP_OK;
    }
    *done_one = lp_circuits_next_interval(m, context) <= m->now;
    if (*done_one) {
        lp_circuits_take_interval(m, context);
        lp_image_event(m, out, LP_EVENT_INTERVAL, LP_NO_INDEX);
    }
    return LP_OK;
}

/* Were there any? */
static bool drop_retries(LpImage *m) {
    for (bool any = false;; any = true) {
        uint32_t at = lp_timer_due(m, LP_TIMER_RETRY, m->now);
        if (at == LP_NO_INDEX)
            return any;
        lp_timer_remove(m, at);
    }
}

void lp_job_new(LpImage *m, const LpContext *context, const LpJobSpec *spec, uint32_t spec_index) {
    LP_ASSERT(m->kept < m->jobs_cap);
    LpJob *job = lp_image_job(m, m->jobs);
    const double unknown = (double)NAN;
    double alone = spec->graph < 0 ? spec->rigid_duration
                                   : context->facts[spec->graph].sequential_time * spec->steps;
    double known = spec->requested > 0 ? spec->requested : alone;
    double fraction = spec->max_jct_fraction * m->conditions.deadline;
    *job = (LpJob){
        .id = m->jobs,
        .graph = spec->graph,
        .kind = (uint8_t)spec->kind,
        .asked = {.arrival = m->now,
                  .steps = spec->graph < 0 ? 1 : spec->steps,
                  .fraction = fraction,
                  .sequential_jct = alone,
                  .max_jct = fraction > 0 ? fraction * known : (double)INFINITY,
                  .rigid_duration = spec->rigid_duration,
                  .rigid_servers = spec->rigid_servers,
                  .spec = spec_index},
        .placed = {.valid_degrees = LP_NO_INDEX,
                   .partition = LP_NO_INDEX,
                   .placement = LP_NO_INDEX,
                   .step = LP_NO_INDEX,
                   .first_server = LP_NO_INDEX},
        .times = {.decided = unknown,
                  .start = unknown,
                  .end = unknown,
                  .wait = unknown,
                  .retry_at = (double)INFINITY,
                  .waiting_since = unknown,
                  .running_since = unknown,
                  .forecast_end = unknown},
        .forecast = {.jct = unknown,
                     .step_time = unknown,
                     .communication = unknown,
                     .computation = unknown,
                     .exposed = unknown},
        .sharing = {.load = LP_NO_INDEX},
        .pieces = {.interval = lp_checkpoint_interval(context->scenario, spec),
                   .cost = spec->checkpoint.cost,
                   .restart = spec->checkpoint.restart,
                   .mounted = unknown},
        .slice = {.row = spec->slice, .shared_part = spec->communication_share},
        .queue = {.next = LP_NO_INDEX,
                  .prev = LP_NO_INDEX,
                  .offer_next = LP_NO_INDEX,
                  .waits_since = m->now},
    };
    m->jobs++;
    m->kept++;
    lp_mark_job(m, job->id);
}

/* Corrected: a job arriving at the horizon is not admitted. Published: counted, never decided. */
static bool arrival_due(const LpImage *m, const LpContext *context) {
    if (isinf(m->next_arrival) || m->now + m->epsilon < m->next_arrival)
        return false;
    return published(context, LP_OPT_HORIZON) || m->next_arrival < m->horizon;
}

static LpErr arrive(LpWorld *world, const LpContext *context, LpEvent *out, LpDiag *diag) {
    if (lp_image_reserve(world) != LP_OK)
        return lp_fail_memory(diag, "one more job");
    LpImage *m = world->image;
    LpArrival arrival;
    if (!lp_workload_take(lp_image_workload(m), context->scenario, &arrival))
        return lp_fail(diag, LP_ESTATE, "the workload has no arrival although one is due");
    uint32_t id = m->jobs;
    m->next_arrival = arrival.next;
    lp_job_new(m, context, &arrival.spec,
               context->scenario->has_generator ? LP_NO_INDEX : (uint32_t)arrival.number);
    m->tally.arrived++;
    lp_published_arrival(m, context, id);
    lp_image_event(m, out, LP_EVENT_ARRIVAL, id);
    m->due = id;
    m->phase = LP_PHASE_TICK;
    if (m->now >= m->horizon)
        finish(m, context);
    return LP_OK;
}

/* Extra jobs have the last numbers. */
static void announce_extra(LpImage *m, LpEvent *out) {
    LP_ASSERT(m->extra < m->jobs);
    m->due = m->extra++;
    if (m->extra == m->jobs)
        m->extra = LP_NO_INDEX;
    lp_image_event(m, out, LP_EVENT_ARRIVAL, m->due);
}

static LpErr advance(LpWorld *world, const LpContext *base, LpEvent *out, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    if (world->image->due != LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "job %u has not been decided yet", world->image->due);
    if (world->image->extra != LP_NO_INDEX) {
        announce_extra(world->image, out);
        return LP_OK;
    }
    for (;;) {
        LpImage *m = world->image;
        bool done_one = false;
        switch ((LpPhase)m->phase) {
        case LP_PHASE_TICK:
            if (lp_outages_endless(m, context) || !tick(m, context))
                give_up(m, context);
            else
                m->phase = LP_PHASE_COMPLETE;
            break;
        case LP_PHASE_COMPLETE:
            if (complete_one(m, context, out) || kill_one(m, context, out))
                return LP_OK;
            LP_TRY(lp_outages_one(world, context, &done_one, out, diag));
            context = lp_world_context(world, base); /* light may be another */
            if (!done_one)
                LP_TRY(lp_recover_one(world, context, &done_one, out, diag));
            if (done_one)
                return LP_OK;
            m = world->image;
            m->phase = LP_PHASE_TIMER;
            break;
        case LP_PHASE_TIMER:
            if (expire_one(m, out) || wake_one(m, out))
                return LP_OK;
            if (m->ports > 0)
                LP_TRY(light_one(world, context, &done_one, out, diag));
            if (done_one)
                return LP_OK;
            m->phase = LP_PHASE_OFFER;
            if (lp_round_open(m, context, drop_retries(m), out))
                return LP_OK;
            break;
        case LP_PHASE_OFFER:
            if (lp_round_next(m, context, out))
                return LP_OK;
            m->phase = LP_PHASE_ARRIVE;
            break;
        case LP_PHASE_ARRIVE:
            if (arrival_due(m, context))
                return arrive(world, context, out, diag);
            m->phase = LP_PHASE_TICK;
            if (done(m))
                finish(m, context);
            break;
        case LP_PHASE_OVER:
            *out = (LpEvent){LP_EVENT_HORIZON, LP_NO_INDEX, m->now, m->serial, 0, 0};
            return LP_OK;
        }
    }
}

LpErr lp_world_advance(LpWorld *world, const LpContext *context, LpEvent *out, LpDiag *diag) {
    lp_debug_at(context->log, world->image->now);
    LpErr err = advance(world, context, out, diag);
    if (err == LP_OK)
        lp_debug_event(world, context, out, NULL);
    lp_world_check_event(world, context);
    return err;
}

double lp_world_next_time(const LpWorld *world, const LpContext *base) {
    const LpContext *context = lp_world_context(world, base);
    LpImage *m = world->image;
    if (m->due != LP_NO_INDEX || m->extra != LP_NO_INDEX || m->phase != LP_PHASE_TICK)
        return m->phase == LP_PHASE_OVER ? (double)INFINITY : m->now;
    return next_instant(m, context);
}

/* ---- decisions ---- */

static void remember_step(LpImage *m, const LpContext *context, const LpJob *job,
                          const LpPlan *plan) {
    if (!published(context, LP_OPT_CACHE) || plan->cached || plan->step == LP_NO_INDEX)
        return;
    LP_ASSERT(m->cache < m->cache_cap);
    lp_image_cache(m)[m->cache++] = (LpCachedStep){
        job->graph, plan->partition_degree, plan->step,
        0,          job->asked.steps,       lp_store_step(context->store, plan->step)->hash};
}

/* A place in the tree may be free where no block of racks is. */
static uint32_t need_of(const LpContext *context, const LpJob *job, const LpAnswer *answer) {
    LpTreeAsk ask = lp_job_tree_ask(context, job);
    return lp_tree_asks(&ask) && context->fabric.ops->racked ? 0 : answer->fits;
}

static void wait(LpImage *m, const LpContext *context, LpJob *job, const LpAnswer *answer,
                 bool waited_before) {
    job->outcome = LP_JOB_WAITING;
    job->times.retry_at = answer->has_retry ? m->now + answer->retry : (double)INFINITY;
    job->queue.need = need_of(context, job, answer);
    if (!waited_before)
        lp_job_wait(m, job);
    else
        lp_queue_list(m, job);
    if (answer->has_retry)
        lp_timer_push(m, job->times.retry_at, LP_TIMER_RETRY, job->id);
}

static void leave_queue(LpImage *m, uint32_t id, bool waited) {
    if (waited)
        lp_queue_leave(m, lp_image_job(m, id));
    else
        lp_queue_clear(lp_image_job(m, id));
}

static LpCause try_wait(const LpImage *m, const LpContext *context, const LpAnswer *answer,
                        bool waited, char *reason) {
    uint32_t capacity = context->scenario->queue_capacity;
    if (answer->has_retry && !(m->now + answer->retry > m->now)) {
        snprintf(reason, LP_DIAG_TEXT, "wait: a retry after %g s does not move the clock",
                 answer->retry);
        return LP_CAUSE_REFUSED; /* else it would be asked again now, for ever */
    }
    if (answer->has_retry && m->quiet >= LP_QUIET_MAX) {
        snprintf(reason, LP_DIAG_TEXT, "wait: %d retries and wakes while no job arrived or ended",
                 LP_QUIET_MAX);
        return LP_CAUSE_REFUSED;
    }
    if (!waited && m->tally.waiting >= capacity) {
        snprintf(reason, LP_DIAG_TEXT, "the queue holds %u job%s already (queue_capacity)",
                 capacity, capacity == 1 ? "" : "s");
        return LP_CAUSE_QUEUE_FULL;
    }
    return LP_CAUSE_NONE;
}

static const uint8_t wait_of_cause[LP_CAUSE_COUNT] = {[LP_CAUSE_RESOURCE] = LP_WAIT_RESOURCE,
                                                      [LP_CAUSE_SHAPE] = LP_WAIT_SHAPE,
                                                      [LP_CAUSE_BROKEN] = LP_WAIT_BROKEN};

/* In a fifo queue who finds no place waits, unless he never will. */
static void wait_for_place(const LpImage *m, const LpContext *context, bool waited, LpPlan *plan) {
    static const LpAnswer later = {.kind = LP_ANSWER_WAIT};
    if (wait_of_cause[plan->cause] != 0 && !plan->never) {
        plan->waits = true;
        plan->waits_for = (LpWaitFor)wait_of_cause[plan->cause];
    }
    if (plan->waits)
        plan->cause = try_wait(m, context, &later, waited, plan->reason);
}

/* A policy that declines is told on with its own words; without them also what is lacking, which
 * is why most policies do. */
static LpErr judge_decline(const LpWorld *world, const LpContext *context, uint32_t id,
                           const LpAnswer *answer, LpPlan *plan, LpDiag *diag) {
    char lack[LP_DIAG_TEXT] = "";
    plan->cause = answer->cause != LP_CAUSE_NONE ? answer->cause : LP_CAUSE_DECLINED;
    if (answer->why != NULL && answer->why[0] != '\0') {
        snprintf(plan->reason, sizeof plan->reason, "%s", answer->why);
        return LP_OK;
    }
    const char *sentence = lp_cause_sentence(plan->cause);
    if (plan->cause == LP_CAUSE_DECLINED)
        LP_TRY(lp_world_lack(world, context, id, lack, diag));
    snprintf(plan->reason, sizeof plan->reason, "%.100s%s%.150s", sentence,
             lack[0] != '\0' ? ": " : "", lack);
    return LP_OK;
}

/* A rigid job that no place can ever hold. */
static bool too_large(const LpContext *context, const LpJob *job, char reason[LP_DIAG_TEXT]) {
    const LpTree *tree = context->fabric.cluster->tree;
    uint32_t n = job->asked.rigid_servers;
    if (job->graph >= 0 || job->slice.row > 0)
        return false;
    LpTreeAsk ask = lp_job_tree_ask(context, job);
    uint32_t level = lp_tree_asked_level(tree, &ask);
    if (n > tree->servers)
        snprintf(reason, LP_DIAG_TEXT, "needs %u servers, the cluster has %u", n, tree->servers);
    else if (n > tree->most[level])
        snprintf(reason, LP_DIAG_TEXT, "needs %u servers in one %.60s, the largest has %u", n,
                 tree->level_name[level], tree->most[level]);
    return n > tree->most[level];
}

/* Judges an answer. A plan is made for RUN answers only. told: somebody reads why a deadline is
 * missed. */
static LpErr judge(const LpWorld *world, const LpContext *context, uint32_t id,
                   const LpAnswer *answer, bool waited, bool told, LpPlan *plan, LpDiag *diag) {
    const LpImage *m = world->image;
    const LpJob *job = lp_world_job(world, id);
    if (too_large(context, job, plan->reason)) {
        plan->cause = LP_CAUSE_TOO_LARGE; /* whatever the policy says */
        return LP_OK;
    }
    if (answer->kind == LP_ANSWER_DECLINE)
        return judge_decline(world, context, id, answer, plan, diag);
    if (answer->kind == LP_ANSWER_WAIT) {
        plan->cause = try_wait(m, context, answer, waited, plan->reason);
        return LP_OK;
    }
    if (m->fifo && m->first_waiting < id) { /* by arrival number: the head blocks */
        plan->waits = true;
        plan->waits_for = LP_WAIT_BEHIND;
    } else {
        LP_TRY(lp_plan_make(world, context, job, answer, true, plan, diag));
    }
    if (m->fifo)
        wait_for_place(m, context, waited, plan);
    double taken, limit;
    if (plan->cause == LP_CAUSE_NONE &&
        lp_plan_misses(m->now, context, job, plan, &taken, &limit)) {
        plan->cause = LP_CAUSE_DEADLINE;
        if (told)
            snprintf(plan->reason, sizeof plan->reason,
                     "it would take %.6g s of the %.6g s that it may take", taken, limit);
    }
    return LP_OK;
}

static void commit(LpImage *m, const LpContext *context, uint32_t id, const LpAnswer *answer,
                   bool waited, const LpPlan *plan, LpEvent *out) {
    LpJob *job = lp_image_job(m, id);
    LP_ASSERT(m->due == id && job->outcome == LP_JOB_DECIDING);
    m->due = LP_NO_INDEX;
    m->tally.decisions++;
    job->offers++;
    job->times.decided = m->now;
    if (plan->degree > 0)
        job->placed.degree = plan->degree;
    if (plan->cause == LP_CAUSE_NONE || plan->cause == LP_CAUSE_DEADLINE) {
        if (answer->kind == LP_ANSWER_RUN && !plan->waits) {
            lp_job_take_plan(job, context, plan);
            remember_step(m, context, job, plan);
        }
    }
    bool refused = plan->cause != LP_CAUSE_NONE && plan->cause != LP_CAUSE_DEADLINE;
    if (refused && (job->stops.stopped || job->stops.preemptions > 0)) {
        /* Nothing is lost: the job stays preempted, but one that a failure stopped waits for the
         * next completion or repair. */
        job->outcome = LP_JOB_WAITING;
        job->queue.held = !job->stops.stopped;
        job->times.retry_at = (double)INFINITY;
        job->queue.need = 0;
        lp_queue_list(m, job);
        lp_job_book_wait(m, job, (LpWaitFor)wait_of_cause[plan->cause]);
        lp_image_event(m, out, LP_EVENT_WAIT, id);
    } else if (plan->cause != LP_CAUSE_NONE) {
        leave_queue(m, id, waited);
        block(m, id, plan->cause);
        lp_image_event(m, out, LP_EVENT_BLOCK, id);
    } else if (answer->kind == LP_ANSWER_WAIT || plan->waits) {
        wait(m, context, job, answer, waited);
        lp_job_book_wait(m, job, plan->waits_for);
        lp_image_event(m, out, LP_EVENT_WAIT, id);
    } else {
        leave_queue(m, id, waited);
        lp_job_start(m, context, job, lp_plan_stall(context, job, plan));
        if (m->ordered == LP_ORDER_GIVEN && (m->queue_rule & LP_QUEUE_AGAIN))
            m->ordered = LP_ORDER_OLD;
        lp_image_event(m, out, LP_EVENT_START, id);
    }
}

LpErr lp_world_decide(LpWorld *world, const LpContext *base, uint32_t id, const LpAnswer *answer,
                      LpEvent *out, char reason[LP_DIAG_TEXT], LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    if (world->image->due != id || id == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "job %u is not to be decided now", id);
    if (lp_image_reserve(world) != LP_OK)
        return lp_fail_memory(diag, "a decision");
    LpPlan plan = {.partition = LP_NO_INDEX,
                   .placement = LP_NO_INDEX,
                   .step = LP_NO_INDEX,
                   .load = LP_NO_INDEX};
    LpJob *job = lp_image_job(world->image, id);
    bool waited = job->offers > 0;
    uint32_t degrees;
    lp_debug_at(context->log, world->image->now);
    LP_TRY(lp_world_list_degrees(world, context, id, &degrees, diag));
    bool told = reason != NULL || lp_debug_on(context->log, LP_DEBUG_SIM, 1);
    LP_TRY(judge(world, context, id, answer, waited, told, &plan, diag));
    job->placed.valid_degrees = degrees;
    if (reason != NULL)
        lp_str_copy(reason, LP_DIAG_TEXT, plan.reason);
    commit(world->image, context, id, answer, waited, &plan, out);
    lp_debug_event(world, context, out, plan.reason);
    lp_world_check_event(world, context);
    return LP_OK;
}
