/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs get onto servers and off them: first starts, ends, and the stretches between preemptions
 * and moves. A job is a sum of stretches; whole steps are kept from one to the next. */
#include <math.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "sim/job_plan.h"
#include "sim/light/circuits_impl.h"
#include "sim/light/reserve.h"
#include "sim/place/slice.h"
#include "sim/sharing/sharing.h"
#include "sim/sim_impl.h"
#include "sim/state/earlier.h"
#include "sim/state/ends.h"
#include "sim/state/vain.h"
#include "sim/store/store.h"
#include "sim/world.h"

_Static_assert(sizeof(LpPlan) == 720,
               "lp_job_take_plan: a job takes a new member over, or need not");

void lp_job_take_plan(LpJob *job, const LpContext *context, const LpPlan *plan) {
    lp_job_book_step(context, job, plan->step);
    job->scales = context->scales;
    job->shape = plan->shape;
    job->degree = plan->degree;
    job->partition_degree = plan->partition_degree;
    job->ops = plan->ops;
    job->deps = plan->deps;
    job->servers = plan->servers;
    job->circuits = plan->circuits;
    job->peak_circuits = plan->peak_circuits;
    job->partition = plan->partition;
    job->placement = plan->placement;
    job->step = plan->step;
    job->cached = plan->cached;
    job->orders = plan->orders;
    job->ticks = plan->ticks;
    job->plan_hash = plan->hash;
    job->jct = plan->jct;
    job->step_time = plan->step_time;
    job->communication = plan->communication;
    job->computation = plan->computation;
    job->exposed = plan->exposed;
    job->busy_area = plan->busy_area;
    job->light_area = plan->light_area;
    job->worker_utilisation = plan->worker_utilisation;
    job->flow_bytes = plan->flow_bytes;
    job->part_memory = plan->part_memory;
    job->part_deps = plan->part_deps;
    job->part_sequential = plan->part_sequential;
    if (lp_job_in_pieces(job))
        job->rigid_duration = lp_plan_work(job, plan);
    job->drag = plan->drag;
    job->load = plan->load;
    job->rate = plan->rate;
    job->network = plan->network;
    job->dark = plan->dark ? LP_JOB_UNLIT : LP_JOB_LIT;
}

/* ---- servers ---- */

/* Of a job that is held up some servers are broken. */
void lp_job_mount(LpImage *m, const LpContext *context, LpJob *job) {
    const LpPlacement *placement = lp_store_placement(context->store, job->placement);
    LpServer *servers = lp_image_server(m);
    uint32_t next = LP_NO_INDEX, free = 0;
    for (uint32_t i = placement->servers; i-- > 0;) {
        uint32_t s = placement->server[i];
        LP_ASSERT(s < m->servers && servers[s].job == LP_NO_INDEX);
        LP_ASSERT(servers[s].state == LP_SERVER_IN_SERVICE || job->dark == LP_JOB_HELD);
        free += servers[s].state == LP_SERVER_IN_SERVICE;
        servers[s] = (LpServer){job->id, next, servers[s].last_job, servers[s].state, m->now};
        lp_room_set(lp_image_room(m), s, false);
        next = s;
    }
    job->first_server = next;
    LP_ASSERT(m->free_servers >= free);
    m->free_servers -= free;
    lp_world_take_light(m, context, job);
}

void lp_job_release(LpImage *m, uint32_t id) {
    LpServer *servers = lp_image_server(m);
    LpJob *job = lp_image_job(m, id);
    for (uint32_t s = job->first_server; s != LP_NO_INDEX;) {
        LP_ASSERT(servers[s].job == id && m->free_servers <= m->servers);
        uint32_t next = servers[s].next;
        servers[s] = (LpServer){LP_NO_INDEX, LP_NO_INDEX, id, servers[s].state, m->now};
        lp_room_set(lp_image_room(m), s, servers[s].state == LP_SERVER_IN_SERVICE);
        m->free_servers += servers[s].state == LP_SERVER_IN_SERVICE;
        s = next;
    }
    job->first_server = LP_NO_INDEX;
    for (uint32_t w = 0; w < m->waves; w++)
        if (lp_image_wave(m)[w] == id)
            lp_image_wave(m)[w] = LP_NO_INDEX;
}

/* ---- stretches ---- */

/* What so many seconds of work in pieces come to: the share of a rigid job, or steps. */
static double done_in_pieces(const LpJob *job, double work) {
    if (job->graph < 0)
        return work / job->rigid_duration;
    double left = (job->rigid_duration - work) / job->step_time;
    return left > 0 ? job->steps - left : job->steps;
}

double lp_job_steps_done(const LpImage *m, const LpJob *job) {
    if (job->outcome != LP_JOB_RUNNING || !(job->step_time > 0))
        return job->steps_done;
    double run = job->dark == LP_JOB_LIT ? m->now - job->running_since : 0;
    double left = job->steps - job->steps_done;
    /* an end that is due within rounding has finished its last step */
    double part = job->part_step + (run > 0 ? run / job->step_time : 0);
    double finished = part > 0 ? floor(part * (1 + 1e-12)) : 0;
    if (lp_job_in_pieces(job)) {
        LpStretch s = lp_job_stretch(job, m->now);
        finished = done_in_pieces(job, s.kept + s.open + (job->graph < 0 ? 0 : job->saved));
        finished -= job->graph < 0 ? 0 : job->steps_done;
    } else if (job->graph < 0) /* no steps to lose a part of: its progress is time */
        finished = part > 0 ? part : 0;
    return job->steps_done + (finished < left ? finished : left);
}

double lp_world_steps_done(const LpWorld *world, uint32_t job) {
    const LpJob *j = lp_world_job(world, job);
    return j->outcome == LP_JOB_COMPLETED ? j->steps : lp_job_steps_done(world->image, j);
}

double lp_world_attained(const LpWorld *world, uint32_t job) {
    const LpJob *j = lp_world_job(world, job);
    bool trains = j->outcome == LP_JOB_RUNNING && j->dark == LP_JOB_LIT;
    double run = trains ? world->image->now - j->running_since : 0;
    return j->held_area + (run > 0 ? run * j->servers : 0);
}

double lp_job_checkpoint(const LpContext *context, const LpJob *job, uint32_t from, uint32_t to,
                         double *bytes) {
    const LpFabric *f = &context->fabric;
    uint32_t ports = f->tx_ports / f->servers, fewer = from < to ? from : to;
    *bytes = job->graph < 0 ? 0
                            : context->scenario->state_factor *
                                  context->scenario->graph[job->graph]->parameter_sum;
    if (!(*bytes > 0))
        return 0;
    double rate = f->server_rate > 0 ? f->server_rate : f->port_rate * (ports > 0 ? ports : 1);
    return f->latency + *bytes / (rate * (fewer > 0 ? fewer : 1));
}

double lp_job_book_spell(const LpImage *m, LpJob *job) {
    double spell = isnan(job->waiting_since) ? 0 : m->now - job->waiting_since;
    LP_ASSERT(spell >= 0);
    *(isnan(job->start) ? &job->queued : job->stopped ? &job->requeued : &job->put_aside) += spell;
    return spell;
}

void lp_job_leave_queue(const LpImage *m, LpJob *job) {
    job->wait = (isnan(job->wait) ? 0 : job->wait) + lp_job_book_spell(m, job);
    job->waiting_since = (double)NAN;
}

void lp_job_go_on(LpImage *m, const LpContext *context, LpJob *job, double settle, double restart) {
    double stall = settle + restart;
    LP_ASSERT(job->first_server == LP_NO_INDEX);
    LP_ASSERT(stall >= 0);
    lp_job_leave_queue(m, job);
    lp_job_mount(m, context, job);
    job->outcome = LP_JOB_RUNNING;
    if (isnan(job->start))
        job->start = m->now;
    job->stopped = 0;
    job->stalled += stall;
    lp_job_book_wait(m, job, LP_WAIT_POLICY);
    job->mounted = m->now;
    job->settle_now = settle;
    job->restart_now = restart;
    bool dark = job->dark != LP_JOB_LIT;
    job->running_since = m->now + (dark ? 0 : stall);
    job->reading = dark ? stall : 0;
    job->forecast_end = job->steps_done > 0 || stall > 0
                            ? job->running_since + (job->steps - job->steps_done) * job->step_time
                            : m->now + job->jct;
    if (lp_job_in_pieces(job))
        job->forecast_end = job->running_since + lp_job_run_time(job);
    if (dark)
        job->forecast_end = (double)INFINITY;
    job->retry_at = (double)INFINITY;
    m->tally.running++;
    m->tally.busy_servers += job->servers;
    m->tally.lit_circuits += job->peak_circuits;
    LP_DEBUG(context->log, LIGHT, 1, "take job %u circuits %u, %u in all", job->id,
             job->peak_circuits, m->tally.lit_circuits);
    lp_list_append(m, lp_image_running(m), job->id);
    if (m->shared) {
        lp_ends_add(m, job);
        lp_sharing_changed(m, context, job, true);
    } else {
        lp_timer_push(m, job->forecast_end, LP_TIMER_END, job->id);
    }
}

void lp_job_start(LpImage *m, const LpContext *context, LpJob *job, double stall) {
    double settle = lp_slice_settle(context, job);
    m->tally.cross_connects += job->slice > 0 ? job->circuits : 0;
    lp_job_go_on(m, context, job, settle, stall - settle);
}

void lp_job_hold(LpImage *m, const LpContext *context, LpJob *job) {
    LP_ASSERT(job->outcome == LP_JOB_WAITING && job->first_server == LP_NO_INDEX);
    lp_list_remove(m, lp_image_waiting(m), job->id);
    m->tally.waiting--;
    job->outcome = LP_JOB_RUNNING;
    job->dark = LP_JOB_HELD;
    job->load = LP_NO_INDEX;
    job->rate = 0;
    lp_job_mount(m, context, job);
    lp_job_leave_queue(m, job);
    lp_job_book_wait(m, job, LP_WAIT_POLICY);
    job->running_since = m->now;
    job->forecast_end = (double)INFINITY;
    if (m->shared)
        lp_ends_add(m, job);
    m->tally.running++;
    m->tally.busy_servers += job->servers;
    m->tally.lit_circuits += job->peak_circuits;
    lp_list_append(m, lp_image_running(m), job->id);
}

/* What the stretch that ends now comes to but for the work that is open; the share of the work that
 * is kept. */
static double settle_stretch(const LpImage *m, LpJob *job, const LpStretch *s) {
    job->settling += s->settle;
    job->restarting += s->restart;
    job->checkpointing += s->checkpoint;
    job->slow += s->slow;
    job->saved += s->kept;
    job->mounted = m->now;
    double done = done_in_pieces(job, job->saved);
    return done < job->steps ? done : job->steps;
}

/* It ends for good: what is open is lost. */
static double end_stretch(const LpImage *m, LpJob *job) {
    LpStretch s = lp_job_stretch(job, m->now);
    double done = settle_stretch(m, job, &s);
    job->lost += s.open;
    job->mounted = (double)NAN;
    job->begun = job->paid = job->drag = 0;
    return done;
}

/* Time on servers up to now, of which so many steps came. */
static void book_run(const LpImage *m, LpJob *job, double finished) {
    double run = m->now - job->running_since;
    job->past_busy += (finished - job->steps_done) * job->busy_area;
    job->attained += run > 0 ? run : 0;
    job->held_area += run > 0 ? run * job->servers : 0;
    job->steps_done = finished;
}

void lp_job_change_pace(LpImage *m, LpJob *job, double drag) {
    LP_ASSERT(job->outcome == LP_JOB_RUNNING && job->dark == LP_JOB_LIT && lp_job_in_pieces(job));
    LpStretch s = lp_job_stretch(job, m->now);
    book_run(m, job, settle_stretch(m, job, &s));
    job->settle_now -= s.settle;
    job->restart_now -= s.restart;
    job->begun = s.open;
    job->paid = s.paid;
    job->drag = drag;
    job->running_since = m->now + job->settle_now + job->restart_now;
    job->forecast_end = job->running_since + lp_job_run_time(job);
    lp_timer_push(m, job->forecast_end, LP_TIMER_END, job->id);
}

/* Seconds that it has still to read of its checkpoint. */
static double unread(const LpImage *m, const LpJob *job) {
    if (job->dark != LP_JOB_LIT)
        return job->reading;
    return job->running_since > m->now ? job->running_since - m->now : 0;
}

/* The part of a step that it was in when it was stopped is done again. */
static double part_lost(const LpImage *m, const LpContext *context, const LpJob *job,
                        double finished) {
    double run = job->dark == LP_JOB_LIT ? m->now - job->running_since : 0;
    double part = job->part_step + (run > 0 ? run / job->step_time : 0);
    double lost = part - (finished - job->steps_done);
    if (job->graph < 0 || !(lost > 0) || finished >= job->steps)
        return 0;
    bool shared = context->fabric.network != NULL && job->step != LP_NO_INDEX;
    return shared ? lp_job_last_steps(context, job, lost, run > 0 ? run / job->step_time : 0)
                  : lost * job->step_time;
}

void lp_job_stop(LpImage *m, const LpContext *context, uint32_t id) {
    LpJob *job = lp_image_job(m, id);
    if (context->fabric.interleaved && job->load != LP_NO_INDEX)
        lp_sharing_settle(m, context, job); /* only then its steps are counted */
    bool pieces = lp_job_in_pieces(job);
    double finished = pieces ? end_stretch(m, job) : lp_job_steps_done(m, job);
    job->unread += pieces ? 0 : unread(m, job);
    job->lost += pieces ? 0 : part_lost(m, context, job, finished);
    LP_ASSERT(job->outcome == LP_JOB_RUNNING && m->tally.running > 0);
    LP_ASSERT(m->tally.busy_servers >= job->servers);
    if (job->dark != LP_JOB_LIT)
        lp_circuits_settle(m, job);
    else if (job->load != LP_NO_INDEX || (m->ports > 0 && job->graph >= 0))
        lp_sharing_settle(m, context, job);
    book_run(m, job, finished);
    job->part_step = 0;
    job->dark = LP_JOB_LIT;
    job->reading = 0;
    lp_job_release(m, id);
    lp_list_remove(m, lp_image_running(m), id);
    if (m->shared)
        lp_ends_remove(m, job);
    m->tally.running--;
    m->tally.busy_servers -= job->servers;
    m->tally.lit_circuits -= job->peak_circuits;
    LP_DEBUG(context->log, LIGHT, 1, "leave job %u circuits %u, %u in all", job->id,
             job->peak_circuits, m->tally.lit_circuits);
    lp_sharing_changed(m, context, job, false);
}

void lp_job_interrupt(LpImage *m, const LpContext *context, uint32_t id) {
    LpJob *job = lp_image_job(m, id);
    double before = job->steps_done;
    lp_job_stop(m, context, id);
    lp_vain_stop(m, (job->steps_done - before) / job->steps);
    job->stops++;
    job->stopped = 1;
    job->held = 0;
    job->retry_at = (double)INFINITY;
    m->tally.stops++;
    lp_job_wait(m, job);
}

void lp_server_set(LpImage *m, uint32_t server, bool failed) {
    LpServer *s = &lp_image_server(m)[server];
    LP_ASSERT(failed == (s->state == LP_SERVER_IN_SERVICE));
    s->state = failed ? LP_SERVER_FAILED : LP_SERVER_IN_SERVICE;
    m->tally.failed_servers += failed ? 1 : UINT32_MAX; /* one more or one less */
    if (s->job != LP_NO_INDEX) { /* who was on it has been stopped, or is held up */
        LP_ASSERT(lp_image_job(m, s->job)->dark == LP_JOB_HELD);
        return;
    }
    s->since = m->now;
    lp_room_set(lp_image_room(m), server, !failed);
    m->free_servers += failed ? UINT32_MAX : 1;
}

void lp_job_settle_totals(LpJob *job) {
    LP_ASSERT(job->outcome == LP_JOB_COMPLETED);
    if (job->paces == 0)
        return;
    job->step_time = job->attained / job->steps;
    job->communication = job->sent;
    job->exposed = job->sent_exposed;
    if (job->preemptions + job->moves + job->stops == 0)
        job->jct = job->end - job->start;
}

void lp_job_book_wait(const LpImage *m, LpJob *job, LpWaitFor next) {
    if (job->slice == 0)
        return;
    if (m->now > job->waits_since)
        job->waited[job->waits_for] += m->now - job->waits_since;
    job->waits_since = m->now;
    job->waits_for = next;
}

void lp_job_wait(LpImage *m, LpJob *job) {
    LP_ASSERT(job->first_server == LP_NO_INDEX);
    job->outcome = LP_JOB_WAITING;
    job->waiting_since = job->waits_since = m->now;
    if (m->fifo)
        lp_list_insert(m, lp_image_waiting(m), job->id);
    else
        lp_list_append(m, lp_image_waiting(m), job->id);
    m->tally.waiting++;
    if (!isinf(job->max_jct))
        lp_timer_push(m, lp_job_deadline(job), LP_TIMER_DEADLINE, job->id);
}
