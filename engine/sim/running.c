/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs get onto servers and off them: first starts, ends, and the stretches between preemptions
 * and moves. A job is a sum of stretches; whole steps are kept from one to the next. */
#include <math.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "sim/account/belief.h"
#include "sim/job_plan.h"
#include "sim/light/circuits_impl.h"
#include "sim/light/reserve.h"
#include "sim/place/slice.h"
#include "sim/queue/queue.h"
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
    lp_job_book_step(context, job, plan->step, plan->network);
    job->placed.scales = context->scales;
    job->slice.shape = plan->shape;
    job->placed.degree = plan->degree;
    job->placed.partition_degree = plan->partition_degree;
    job->placed.ops = plan->ops;
    job->placed.deps = plan->deps;
    job->placed.servers = plan->servers;
    job->placed.circuits = plan->circuits;
    job->placed.peak_circuits = plan->peak_circuits;
    job->placed.partition = plan->partition;
    job->placed.placement = plan->placement;
    job->placed.step = plan->step;
    job->cached = plan->cached;
    job->placed.orders = plan->orders;
    job->published.ticks = plan->ticks;
    job->placed.plan_hash = plan->hash;
    job->forecast.jct = plan->jct;
    job->forecast.step_time = plan->step_time;
    job->forecast.communication = plan->communication;
    job->forecast.computation = plan->computation;
    job->forecast.exposed = plan->exposed;
    job->forecast.busy_area = plan->busy_area;
    job->forecast.light_area = plan->light_area;
    job->published.worker_utilisation = plan->worker_utilisation;
    job->forecast.flow_bytes = plan->flow_bytes;
    job->forecast.part_memory = plan->part_memory;
    job->forecast.part_deps = plan->part_deps;
    job->forecast.part_sequential = plan->part_sequential;
    if (lp_job_in_pieces(job))
        job->asked.rigid_duration = lp_plan_work(job, plan);
    job->slice.drag = plan->drag;
    job->sharing.load = plan->load;
    job->sharing.rate = plan->rate;
    job->light.network = plan->network;
    job->light.dark = plan->dark ? LP_JOB_UNLIT : LP_JOB_LIT;
}

/* ---- servers ---- */

/* Servers that are broken, as some of a job that is held up, stay so. */
void lp_job_mount(LpImage *m, const LpContext *context, LpJob *job) {
    const LpPlacement *placement = lp_store_placement(context->store, job->placed.placement);
    LpServer *servers = lp_image_server(m);
    uint32_t next = LP_NO_INDEX, free = 0;
    for (uint32_t i = placement->servers; i-- > 0;) {
        uint32_t s = placement->server[i];
        LP_ASSERT(s < m->servers && servers[s].job == LP_NO_INDEX);
        LP_ASSERT(servers[s].state == LP_SERVER_IN_SERVICE || job->light.dark == LP_JOB_HELD);
        free += servers[s].state == LP_SERVER_IN_SERVICE;
        servers[s] = (LpServer){job->id, next, servers[s].last_job, servers[s].state, m->now};
        lp_image_set_free(m, context, s, false);
        next = s;
    }
    job->placed.first_server = next;
    LP_ASSERT(m->free_servers >= free);
    m->free_servers -= free;
    lp_world_take_light(m, context, job);
}

void lp_job_release(LpImage *m, const LpContext *context, uint32_t id) {
    LpServer *servers = lp_image_server(m);
    LpJob *job = lp_image_job(m, id);
    for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX;) {
        LP_ASSERT(servers[s].job == id && m->free_servers <= m->servers);
        uint32_t next = servers[s].next;
        servers[s] = (LpServer){LP_NO_INDEX, LP_NO_INDEX, id, servers[s].state, m->now};
        lp_image_set_free(m, context, s, servers[s].state == LP_SERVER_IN_SERVICE);
        m->free_servers += servers[s].state == LP_SERVER_IN_SERVICE;
        s = next;
    }
    job->placed.first_server = LP_NO_INDEX;
    for (uint32_t w = 0; w < m->waves; w++)
        if (lp_image_wave(m)[w] == id)
            lp_image_wave(m)[w] = LP_NO_INDEX;
}

/* ---- stretches ---- */

/* What `work` seconds of work in pieces come to: the share of a rigid job, or steps. */
static double done_in_pieces(const LpJob *job, double work) {
    if (job->graph < 0)
        return work / job->asked.rigid_duration;
    double left = (job->asked.rigid_duration - work) / job->forecast.step_time;
    return left > 0 ? job->asked.steps - left : job->asked.steps;
}

double lp_job_steps_done(const LpImage *m, const LpJob *job) {
    if (job->outcome != LP_JOB_RUNNING || !(job->forecast.step_time > 0))
        return job->work.steps_done;
    double run = job->light.dark == LP_JOB_LIT ? m->now - job->times.running_since : 0;
    double left = job->asked.steps - job->work.steps_done;
    /* an end that is due within rounding has finished its last step */
    double part = job->sharing.part_step + (run > 0 ? run / job->forecast.step_time : 0);
    double finished = part > 0 ? floor(part * (1 + 1e-12)) : 0;
    if (lp_job_in_pieces(job)) {
        LpStretch s = lp_job_stretch(job, m->now);
        finished = done_in_pieces(job, s.kept + s.open + (job->graph < 0 ? 0 : job->pieces.saved));
        finished -= job->graph < 0 ? 0 : job->work.steps_done;
    } else if (job->graph < 0) /* no steps to lose a part of: its progress is time */
        finished = part > 0 ? part : 0;
    return job->work.steps_done + (finished < left ? finished : left);
}

double lp_world_steps_done(const LpWorld *world, uint32_t job) {
    const LpJob *j = lp_world_job(world, job);
    return j->outcome == LP_JOB_COMPLETED ? j->asked.steps : lp_job_steps_done(world->image, j);
}

double lp_world_attained(const LpWorld *world, uint32_t job) {
    const LpJob *j = lp_world_job(world, job);
    bool trains = j->outcome == LP_JOB_RUNNING && j->light.dark == LP_JOB_LIT;
    double run = trains ? world->image->now - j->times.running_since : 0;
    return j->work.held_area + (run > 0 ? run * j->placed.servers : 0);
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
    double spell = isnan(job->times.waiting_since) ? 0 : m->now - job->times.waiting_since;
    LP_ASSERT(spell >= 0);
    *(isnan(job->times.start) ? &job->times.queued
      : job->stops.stopped    ? &job->times.requeued
                              : &job->times.put_aside) += spell;
    return spell;
}

void lp_job_leave_queue(const LpImage *m, const LpContext *context, LpJob *job) {
    double begin = job->times.waiting_since, spell = lp_job_book_spell(m, job);
    LpSpell over = {begin, m->now, job->queue.spells, 0};
    if (spell > 0 && !isnan(job->times.start))
        job->queue.spells = lp_store_add_spell(context->store, &over);
    job->times.wait = (isnan(job->times.wait) ? 0 : job->times.wait) + spell;
    job->times.waiting_since = (double)NAN;
}

void lp_job_go_on(LpImage *m, const LpContext *context, LpJob *job, double settle, double restart) {
    double stall = settle + restart;
    LP_ASSERT(job->placed.first_server == LP_NO_INDEX);
    LP_ASSERT(stall >= 0);
    lp_job_leave_queue(m, context, job);
    lp_job_mount(m, context, job);
    job->outcome = LP_JOB_RUNNING;
    if (isnan(job->times.start))
        job->times.start = m->now;
    job->stops.stopped = 0;
    job->work.stalled += stall;
    lp_job_book_wait(m, job, LP_WAIT_POLICY);
    job->pieces.mounted = m->now;
    job->pieces.settle_now = settle;
    job->pieces.restart_now = restart;
    bool dark = job->light.dark != LP_JOB_LIT;
    job->times.running_since = m->now + (dark ? 0 : stall);
    job->light.reading = dark ? stall : 0;
    job->times.forecast_end =
        job->work.steps_done > 0 || stall > 0
            ? job->times.running_since +
                  (job->asked.steps - job->work.steps_done) * job->forecast.step_time
            : m->now + job->forecast.jct;
    if (lp_job_in_pieces(job))
        job->times.forecast_end = job->times.running_since + lp_job_run_time(job);
    if (dark)
        job->times.forecast_end = (double)INFINITY;
    job->times.retry_at = (double)INFINITY;
    m->tally.running++;
    m->tally.busy_servers += job->placed.servers;
    m->tally.lit_circuits += job->placed.peak_circuits;
    LP_DEBUG(context->log, LIGHT, 1, "take job %u circuits %u, %u in all", job->id,
             job->placed.peak_circuits, m->tally.lit_circuits);
    lp_list_append(m, lp_image_running(m), job->id);
    lp_mark_job(m, job->id);
    if (m->shared) {
        lp_ends_add(m, job);
        lp_sharing_changed(m, context, job, true);
    } else {
        lp_timer_push(m, job->times.forecast_end, LP_TIMER_END, job->id);
    }
    lp_job_limit(m, context, job);
}

void lp_job_start(LpImage *m, const LpContext *context, LpJob *job, double stall) {
    double settle = lp_slice_settle(context, job);
    m->tally.cross_connects += job->slice.row > 0 ? job->placed.circuits : 0;
    lp_job_go_on(m, context, job, settle, stall - settle);
}

void lp_job_hold(LpImage *m, const LpContext *context, LpJob *job) {
    LP_ASSERT(job->outcome == LP_JOB_WAITING && job->placed.first_server == LP_NO_INDEX);
    lp_queue_leave(m, job);
    job->outcome = LP_JOB_RUNNING;
    job->light.dark = LP_JOB_HELD;
    job->sharing.load = LP_NO_INDEX;
    job->sharing.rate = 0;
    lp_job_mount(m, context, job);
    lp_job_leave_queue(m, context, job);
    lp_job_book_wait(m, job, LP_WAIT_POLICY);
    job->times.running_since = m->now;
    job->times.forecast_end = (double)INFINITY;
    if (m->shared)
        lp_ends_add(m, job);
    m->tally.running++;
    m->tally.busy_servers += job->placed.servers;
    m->tally.lit_circuits += job->placed.peak_circuits;
    lp_list_append(m, lp_image_running(m), job->id);
    lp_job_limit(m, context, job);
    lp_mark_job(m, job->id);
}

/* What the stretch that ends now comes to but for the work that is open; the share of the work that
 * is kept. */
static double settle_stretch(const LpImage *m, LpJob *job, const LpStretch *s) {
    job->pieces.settling += s->settle;
    job->pieces.restarting += s->restart;
    job->pieces.checkpointing += s->checkpoint;
    job->work.pace_lost += s->slow;
    job->pieces.saved += s->kept;
    job->pieces.mounted = m->now;
    double done = done_in_pieces(job, job->pieces.saved);
    return done < job->asked.steps ? done : job->asked.steps;
}

/* It ends for good: what is open is lost. */
static double end_stretch(const LpImage *m, LpJob *job) {
    LpStretch s = lp_job_stretch(job, m->now);
    double done = settle_stretch(m, job, &s);
    job->stops.lost += s.open;
    job->pieces.mounted = (double)NAN;
    job->pieces.work_begun = job->pieces.checkpoint_paid = job->slice.drag = 0;
    return done;
}

/* Books the time on servers up to now, at whose end `finished` steps are done. */
static void book_run(const LpImage *m, LpJob *job, double finished) {
    double run = m->now - job->times.running_since;
    job->work.past_busy += (finished - job->work.steps_done) * job->forecast.busy_area;
    job->work.attained += run > 0 ? run : 0;
    job->work.held_area += run > 0 ? run * job->placed.servers : 0;
    job->work.steps_done = finished;
}

void lp_job_change_pace(LpImage *m, const LpContext *context, LpJob *job, double drag) {
    LP_ASSERT(job->outcome == LP_JOB_RUNNING && job->light.dark == LP_JOB_LIT &&
              lp_job_in_pieces(job));
    LpStretch s = lp_job_stretch(job, m->now);
    book_run(m, job, settle_stretch(m, job, &s));
    job->pieces.settle_now -= s.settle;
    job->pieces.restart_now -= s.restart;
    job->pieces.work_begun = s.open;
    job->pieces.checkpoint_paid = s.paid;
    job->slice.drag = drag;
    job->times.running_since = m->now + job->pieces.settle_now + job->pieces.restart_now;
    job->times.forecast_end = job->times.running_since + lp_job_run_time(job);
    lp_timer_push(m, job->times.forecast_end, LP_TIMER_END, job->id);
    lp_job_limit(m, context, job);
    lp_mark_job(m, job->id);
}

/* Seconds that it has still to read of its checkpoint. */
static double unread(const LpImage *m, const LpJob *job) {
    if (job->light.dark != LP_JOB_LIT)
        return job->light.reading;
    return job->times.running_since > m->now ? job->times.running_since - m->now : 0;
}

/* The part of a step that it was in when it was stopped is done again. */
static double part_lost(const LpImage *m, const LpContext *context, const LpJob *job,
                        double finished) {
    double run = job->light.dark == LP_JOB_LIT ? m->now - job->times.running_since : 0;
    double part = job->sharing.part_step + (run > 0 ? run / job->forecast.step_time : 0);
    double lost = part - (finished - job->work.steps_done);
    if (job->graph < 0 || !(lost > 0) || finished >= job->asked.steps)
        return 0;
    bool shared = context->fabric.network != NULL && job->placed.step != LP_NO_INDEX;
    return shared
               ? lp_job_last_steps(context, job, lost, run > 0 ? run / job->forecast.step_time : 0)
               : lost * job->forecast.step_time;
}

void lp_job_stop(LpImage *m, const LpContext *context, uint32_t id) {
    LpJob *job = lp_image_job(m, id);
    if (context->fabric.interleaved && job->sharing.load != LP_NO_INDEX)
        lp_sharing_settle(m, context, job); /* only then its steps are counted */
    bool pieces = lp_job_in_pieces(job);
    double finished = pieces ? end_stretch(m, job) : lp_job_steps_done(m, job);
    job->stops.restart_left += pieces ? 0 : unread(m, job);
    job->stops.lost += pieces ? 0 : part_lost(m, context, job, finished);
    LP_ASSERT(job->outcome == LP_JOB_RUNNING && m->tally.running > 0);
    LP_ASSERT(m->tally.busy_servers >= job->placed.servers);
    if (job->light.dark != LP_JOB_LIT)
        lp_circuits_settle(m, job);
    else if (job->sharing.load != LP_NO_INDEX || (m->ports > 0 && job->graph >= 0))
        lp_sharing_settle(m, context, job);
    book_run(m, job, finished);
    job->sharing.part_step = 0;
    job->light.dark = LP_JOB_LIT;
    job->light.reading = 0;
    lp_job_release(m, context, id);
    lp_list_remove(m, lp_image_running(m), id);
    if (m->shared)
        lp_ends_remove(m, job);
    m->tally.running--;
    m->tally.busy_servers -= job->placed.servers;
    m->tally.lit_circuits -= job->placed.peak_circuits;
    LP_DEBUG(context->log, LIGHT, 1, "leave job %u circuits %u, %u in all", job->id,
             job->placed.peak_circuits, m->tally.lit_circuits);
    lp_mark_job(m, id);
    lp_sharing_changed(m, context, job, false);
}

void lp_job_give_up(LpImage *m, LpJob *job, LpOutcome outcome) {
    job->stops.lost += lp_job_in_pieces(job)
                           ? job->pieces.saved
                           : job->work.attained - job->work.pace_lost - job->stops.lost;
    job->pieces.saved = job->work.steps_done = 0;
    job->outcome = (uint8_t)outcome;
    job->times.end = m->now;
}

void lp_job_interrupt(LpImage *m, const LpContext *context, uint32_t id) {
    LpJob *job = lp_image_job(m, id);
    double before = job->work.steps_done;
    lp_job_stop(m, context, id);
    lp_vain_stop(m, (job->work.steps_done - before) / job->asked.steps);
    job->stops.count++;
    job->stops.stopped = 1;
    job->queue.held = 0;
    job->times.retry_at = (double)INFINITY;
    m->tally.stops++;
    lp_job_wait(m, job);
}

void lp_server_set(LpImage *m, const LpContext *context, uint32_t server, bool failed) {
    LpServer *s = &lp_image_server(m)[server];
    LP_ASSERT(failed == (s->state == LP_SERVER_IN_SERVICE));
    s->state = failed ? LP_SERVER_FAILED : LP_SERVER_IN_SERVICE;
    lp_mark_servers(m, server);
    m->tally.failed_servers += failed ? 1 : UINT32_MAX; /* one more or one less */
    lp_tree_add(context->fabric.cluster->tree, lp_image_node(m), server, 0, failed ? 1 : -1);
    if (s->job != LP_NO_INDEX) { /* who was on it has been stopped, or is held up */
        LP_ASSERT(lp_image_job(m, s->job)->light.dark == LP_JOB_HELD);
        return;
    }
    s->since = m->now;
    lp_image_set_free(m, context, server, !failed);
    m->free_servers += failed ? UINT32_MAX : 1;
}

void lp_job_settle_totals(LpJob *job) {
    LP_ASSERT(job->outcome == LP_JOB_COMPLETED);
    if (job->sharing.paces == 0)
        return;
    job->forecast.step_time = job->work.attained / job->asked.steps;
    job->forecast.communication = job->sharing.sent;
    job->forecast.exposed = job->sharing.sent_exposed;
    if (job->stops.preemptions + job->stops.moves + job->stops.count == 0)
        job->forecast.jct = job->times.end - job->times.start;
}

void lp_job_book_wait(const LpImage *m, LpJob *job, LpWaitFor next) {
    if (job->slice.row == 0)
        return;
    if (m->now > job->queue.waits_since)
        job->queue.waited[job->queue.waits_for] += m->now - job->queue.waits_since;
    job->queue.waits_since = m->now;
    job->queue.waits_for = next;
}

void lp_job_wait(LpImage *m, LpJob *job) {
    LP_ASSERT(job->placed.first_server == LP_NO_INDEX);
    job->outcome = LP_JOB_WAITING;
    job->times.waiting_since = job->queue.waits_since = m->now;
    if (m->fifo)
        lp_list_insert(m, lp_image_waiting(m), job->id);
    else
        lp_list_append(m, lp_image_waiting(m), job->id);
    m->tally.waiting++;
    m->unranked += !job->queue.ranked;
    if (!job->queue.ranked)
        job->queue.entry = m->fifo ? job->id : m->entries++;
    lp_queue_list(m, job);
    if (!isinf(job->asked.max_jct))
        lp_timer_push(m, lp_job_deadline(job), LP_TIMER_DEADLINE, job->id);
}
