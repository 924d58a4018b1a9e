/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/recover.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "base/mem.h"
#include "model/pod/place.h"
#include "sim/job_plan.h"
#include "sim/light/reserve.h"
#include "sim/outages.h"
#include "sim/place/left.h"
#include "sim/place/slice.h"
#include "sim/queue/queue.h"
#include "sim/sim_impl.h"
#include "sim/state/debug.h"
#include "sim/state/validate.h"
#include "sim/store/store.h"
#include "sim/world.h"

/* One job's answer being judged or carried out. */
typedef struct Recovery {
    LpWorld *world;
    const LpContext *context;
    uint32_t id;
    const LpRecovery *how;
    LpEventKind event; /* what came of it */
    bool light;        /* it runs, more slowly: cubes with dead cables count as broken */
    char *reason;      /* not "": it cannot be followed */
    LpDiag *diag;
} Recovery;

static LpJob *job_of(const Recovery *r) {
    return lp_image_job(r->world->image, r->id);
}

static const LpPlacement *placement_of(const Recovery *r) {
    return lp_store_placement(r->context->store, job_of(r)->placed.placement);
}

LP_PRINTF(2, 3) static void refuse(const Recovery *r, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(r->reason, LP_DIAG_TEXT, fmt, args);
    va_end(args);
}

static bool on_slice(const Recovery *r) {
    return job_of(r)->slice.row > 0;
}

/* ---- going on ---- */

/* It is cut as before, in the same order. */
static LpAnswer same_cut(const Recovery *r, const uint32_t *servers, uint32_t count) {
    const LpJob *job = job_of(r);
    LpAnswer answer = {
        .kind = LP_ANSWER_RUN, .servers = count, .slice = job->slice.shape, .server = servers};
    if (job->graph < 0)
        return answer;
    const LpPartition *p = lp_store_partition(r->context->store, job->placed.partition);
    answer.degree = job->placed.degree;
    answer.has_plan = p->planned;
    answer.ways = p->planned ? NULL : p->ways;
    if (p->planned)
        answer.parallel = p->plan;
    answer.has_partition_kind = true;
    answer.partition_kind = (LpPartitionKind)job->kind;
    answer.order_ops = lp_store_rule(r->context->store, job->placed.orders.ops);
    answer.order_flows = lp_store_rule(r->context->store, job->placed.orders.flows);
    return answer;
}

static void leave_queue(const Recovery *r) {
    lp_queue_leave(r->world->image, job_of(r));
}

/* By the plan, if it can run: `set` circuits are set now, all of the plan's where it is -1. */
static void go_on(Recovery *r, const LpPlan *plan, double settle, int64_t set) {
    LpImage *m = r->world->image;
    LpJob *job = job_of(r);
    double stall = lp_plan_stall(r->context, job, plan) - lp_slice_settle(r->context, job);
    leave_queue(r);
    lp_job_take_plan(job, r->context, plan);
    m->tally.cross_connects += job->slice.row == 0 ? 0
                               : set < 0           ? job->placed.circuits
                                                   : (uint64_t)set;
    lp_job_go_on(m, r->context, job, settle, stall);
    r->event = LP_EVENT_RESUME;
}

static LpErr resume_on(Recovery *r, const uint32_t *servers, uint32_t count, double settle,
                       int64_t set) {
    LpAnswer answer = same_cut(r, servers, count);
    LpPlan plan;
    LP_TRY(lp_plan_make(r->world, r->context, job_of(r), &answer, false, &plan, r->diag));
    if (plan.cause == LP_CAUSE_NONE)
        go_on(r, &plan, settle, set);
    return LP_OK;
}

/* ---- spares ---- */

/* Servers, or cubes, of other jobs that are still to answer are theirs. */
static bool claimed(const Recovery *r, uint32_t unit) {
    LpImage *m = r->world->image;
    uint32_t size = on_slice(r) ? r->context->fabric.per_rack : 1;
    for (uint32_t j = m->first_waiting; j != LP_NO_INDEX; j = lp_image_job(m, j)->queue.next) {
        const LpJob *job = lp_image_job(m, j);
        if (j == r->id || !job->stops.answering)
            continue;
        const LpPlacement *p = lp_store_placement(r->context->store, job->placed.placement);
        for (uint32_t i = 0; i < p->servers; i++)
            if (p->server[i] / size == unit)
                return true;
    }
    return false;
}

static bool among(const uint32_t *units, uint32_t count, uint32_t unit) {
    for (uint32_t i = 0; i < count; i++)
        if (units[i] == unit)
            return true;
    return false;
}

/* A cube of a slice, or a server. */
static bool usable(const Recovery *r, uint32_t unit) {
    return on_slice(r) ? lp_slice_usable(r->world, r->context, unit)
                       : lp_world_server_free(r->world, unit);
}

/* Does a unit of the job itself work? What it holds nobody else has taken since it was stopped. */
static bool works(const Recovery *r, uint32_t unit) {
    uint32_t size = on_slice(r) ? r->context->fabric.per_rack : 1;
    bool all = !r->light || lp_slice_cabled(r->world, unit);
    if (!r->light)
        return usable(r, unit);
    for (uint32_t s = unit * size; all && s < (unit + 1) * size; s++)
        all = lp_world_server(r->world, s)->state == LP_SERVER_IN_SERVICE;
    return all;
}

static uint32_t units(const Recovery *r) {
    return on_slice(r) ? r->context->fabric.cluster->pod.net.cubes : r->context->fabric.servers;
}

static const char *unit_word(const Recovery *r) {
    return on_slice(r) ? "cube" : "server";
}

static bool may_take(const Recovery *r, const uint32_t *unit, uint32_t count, uint32_t other) {
    return other < units(r) && !among(unit, count, other) && usable(r, other) &&
           (!r->light || lp_slice_cabled(r->world, other)) && !claimed(r, other);
}

/* What was answered for a unit; LP_NO_INDEX: nothing. */
static uint32_t swap_of(const LpRecovery *how, uint32_t unit) {
    for (uint32_t i = 0; i < how->swaps; i++)
        if (how->swap[i].from == unit)
            return how->swap[i].to;
    return LP_NO_INDEX;
}

/* Each broken one, in order, gives way to the one that was answered, else to the lowest. */
static bool replace(const Recovery *r, uint32_t *unit, bool *fresh, uint32_t count) {
    for (uint32_t o = 0; o < count; o++)
        fresh[o] = !works(r, unit[o]);
    for (uint32_t o = 0; o < count; o++) {
        uint32_t other = fresh[o] ? swap_of(r->how, unit[o]) : unit[o];
        for (uint32_t next = 0; fresh[o] && other == LP_NO_INDEX && next < units(r); next++)
            if (may_take(r, unit, count, next))
                other = next;
        if (other == LP_NO_INDEX)
            return false;
        unit[o] = other;
    }
    return true;
}

/* The units of its placement in their order; room for all its servers. */
static uint32_t list_units(const Recovery *r, uint32_t *unit) {
    const LpPlacement *p = placement_of(r);
    const LpSlice *s = lp_job_slice(r->context, job_of(r));
    if (s != NULL) {
        lp_pod_cubes_of(&r->context->fabric.cluster->pod.net, s, p->server, unit);
        return s->cubes;
    }
    memcpy(unit, p->server, p->servers * sizeof *unit);
    return p->servers;
}

static void judge_swaps(const Recovery *r, const uint32_t *unit, uint32_t count) {
    const LpRecovery *how = r->how;
    for (uint32_t i = 0; i < how->swaps && r->reason[0] == '\0'; i++) {
        LpSwap swap = how->swap[i];
        bool twice = false;
        for (uint32_t k = 0; k < i; k++)
            twice = twice || how->swap[k].to == swap.to || how->swap[k].from == swap.from;
        if (!among(unit, count, swap.from))
            refuse(r, "spare: %s %u is none of job %u", unit_word(r), swap.from, r->id);
        else if (works(r, swap.from))
            refuse(r, "spare: %s %u is not broken", unit_word(r), swap.from);
        else if (twice)
            refuse(r, "spare: %s %u or %u is named twice", unit_word(r), swap.from, swap.to);
        else if (!may_take(r, unit, count, swap.to))
            refuse(r, "spare: %s %u is not usable: it is held, broken or does not exist",
                   unit_word(r), swap.to);
    }
}

/* No other cube helps where only switches are dead. */
static void judge_spares(const Recovery *r, const uint32_t *unit, uint32_t count) {
    bool any = false;
    for (uint32_t o = 0; o < count; o++)
        any = any || !works(r, unit[o]);
    judge_swaps(r, unit, count);
    if (r->reason[0] == '\0' && r->light && !any)
        refuse(r, "spare: none of the cubes of job %u is broken, a switch is", r->id);
}

static LpErr take_spares_in(Recovery *r, uint32_t *unit, bool *fresh, uint32_t *servers) {
    const LpPod *pod = &r->context->fabric.cluster->pod.net;
    const LpSlice *s = lp_job_slice(r->context, job_of(r));
    uint32_t count = list_units(r, unit);
    judge_spares(r, unit, count);
    if (r->reason[0] != '\0' || !replace(r, unit, fresh, count))
        return LP_OK;
    if (s == NULL)
        return resume_on(r, unit, count, 0, -1);
    lp_pod_lay(pod, s, unit, servers);
    return resume_on(r, servers, s->accelerators, lp_slice_settle(r->context, job_of(r)),
                     lp_slice_circuits_at(r->world, r->context, s, unit, fresh));
}

/* Whole cubes on switched wiring; elsewhere servers, where they need not lie together. */
static LpErr take_spares(Recovery *r) {
    const LpSlice *s = lp_job_slice(r->context, job_of(r));
    bool none = s != NULL && (r->context->fabric.cluster->pod.net.fixed || s->cubes == 0);
    if (none && r->how->swaps > 0)
        refuse(r, "spare: %s",
               s->cubes == 0 ? "a part of a cube has no spare cubes"
                             : "no cube can stand in on static wiring");
    if (none)
        return LP_OK;
    uint32_t count = placement_of(r)->servers;
    uint32_t *unit = lp_alloc((size_t)count + 1, sizeof *unit);
    uint32_t *servers = lp_alloc((size_t)count + 1, sizeof *servers);
    bool *fresh = lp_alloc((size_t)count + 1, sizeof *fresh);
    LpErr err = unit != NULL && servers != NULL && fresh != NULL
                    ? take_spares_in(r, unit, fresh, servers)
                    : lp_fail_memory(r->diag, "spares");
    lp_free(unit);
    lp_free(servers);
    lp_free(fresh);
    return err;
}

/* ---- smaller ---- */

/* The job on another slice: the work that is left takes as much longer as it is smaller. */
static LpJob smaller_job(const Recovery *r, uint32_t row) {
    LpJob job = *job_of(r);
    const LpSlice *now = lp_job_slice(r->context, &job);
    job.slice.shape = row;
    job.asked.rigid_servers = lp_job_slice(r->context, &job)->accelerators;
    if (job.graph < 0)
        job.asked.rigid_duration =
            job.pieces.saved + (job.asked.rigid_duration - job.pieces.saved) * now->accelerators /
                                   job.asked.rigid_servers;
    return job;
}

static LpErr try_slice(Recovery *r, uint32_t row) {
    LpJob job = smaller_job(r, row);
    LpAnswer answer = same_cut(r, NULL, 0);
    answer.slice = row;
    LpPlan plan;
    LP_TRY(lp_plan_make(r->world, r->context, &job, &answer, false, &plan, r->diag));
    if (plan.cause != LP_CAUSE_NONE)
        return LP_OK;
    *job_of(r) = job;
    go_on(r, &plan, lp_slice_settle(r->context, &job), -1);
    return LP_OK;
}

static LpErr try_degree(Recovery *r, uint32_t degree) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN,
                       .degree = degree,
                       .has_partition_kind = true,
                       .partition_kind = (LpPartitionKind)job_of(r)->kind};
    LpPlan plan;
    LP_TRY(lp_plan_make(r->world, r->context, job_of(r), &answer, true, &plan, r->diag));
    if (plan.cause == LP_CAUSE_NONE && plan.servers < job_of(r)->placed.servers)
        go_on(r, &plan, 0, -1);
    return LP_OK;
}

static uint32_t own_row(const Recovery *r) {
    return job_of(r)->slice.shape > 0 ? job_of(r)->slice.shape : job_of(r)->slice.row;
}

static uint32_t size_of_row(const Recovery *r, uint32_t row) {
    return r->context->scenario->slice[row - 1].slice.accelerators;
}

static void judge_slice(const Recovery *r) {
    const LpScenario *scenario = r->context->scenario;
    uint32_t row = r->how->slice, size = size_of_row(r, own_row(r));
    if (row > scenario->shapes + scenario->halves)
        refuse(r, "shrink: there is no slice %u", row);
    else if (row > 0 && size_of_row(r, row) >= size)
        refuse(r, "shrink: that slice has %u accelerators, expected fewer than %u",
               size_of_row(r, row), size);
}

/* The slices that halving makes of its own come after it, the largest first. */
static LpErr shrink_slice(Recovery *r) {
    LpHalves halves = {.scenario = r->context->scenario, .of = own_row(r)};
    judge_slice(r);
    if (r->how->slice > 0)
        return r->reason[0] == '\0' ? try_slice(r, r->how->slice) : LP_OK;
    while (r->event == LP_EVENT_NONE && lp_halves_next(&halves))
        LP_TRY(try_slice(r, halves.row));
    return LP_OK;
}

static LpErr shrink(Recovery *r) {
    const LpJob *job = job_of(r);
    uint32_t degree = r->how->degree, servers = job->placed.servers;
    if (on_slice(r))
        return shrink_slice(r);
    if (job->graph < 0 || degree >= servers)
        refuse(r,
               job->graph < 0 ? "shrink: job %u has one size, %u servers"
                              : "shrink: job %u has %u servers, expected fewer",
               r->id, servers);
    else if (degree > 0)
        return try_degree(r, degree);
    for (degree = servers; r->reason[0] == '\0' && r->event == LP_EVENT_NONE && --degree > 0;)
        LP_TRY(try_degree(r, degree));
    return LP_OK;
}

/* ---- the rest ---- */

static LpErr requeue(Recovery *r) {
    (void)r;
    return LP_OK;
}

static LpErr abort_job(Recovery *r) {
    LpImage *m = r->world->image;
    LpJob *job = job_of(r);
    leave_queue(r);
    m->tally.aborted++;
    job->stops.lost += lp_job_in_pieces(job)
                           ? job->pieces.saved
                           : job->work.attained - job->work.pace_lost - job->stops.lost;
    job->pieces.saved = job->work.steps_done = 0;
    lp_job_leave_queue(m, r->context, job);
    job->outcome = LP_JOB_ABORTED;
    job->times.end = m->now;
    r->event = LP_EVENT_ABORT;
    return LP_OK;
}

static LpErr hold(Recovery *r) {
    lp_job_hold(r->world->image, r->context, job_of(r));
    r->event = LP_EVENT_HOLD;
    return LP_OK;
}

/* Lets a job that runs go on without its light. Where the scenario answers so for a job that
 * stopped, that is as requeue. */
static LpErr go_on_degraded(Recovery *r) {
    if (job_of(r)->stops.answering == LP_ANSWERS_STOPPED)
        refuse(r, "degraded: job %u was stopped, it has not only lost light", r->id);
    return LP_OK;
}

static LpErr (*const carry_out[LP_ON_FAILURE_COUNT])(Recovery *r) = {
    [LP_ON_FAILURE_SPARE] = take_spares, [LP_ON_FAILURE_REQUEUE] = requeue,
    [LP_ON_FAILURE_ABORT] = abort_job,   [LP_ON_FAILURE_HOLD] = hold,
    [LP_ON_FAILURE_SHRINK] = shrink,     [LP_ON_FAILURE_DEGRADED] = go_on_degraded,
};

/* ---- who answers ---- */

/* The first one by arrival number that has not answered. */
static uint32_t next_to_answer(LpImage *m) {
    const uint32_t lists[] = {m->first_waiting, m->first_running};
    uint32_t first = LP_NO_INDEX;
    for (size_t l = 0; l < LP_COUNTOF(lists); l++)
        for (uint32_t id = lists[l]; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
            if (lp_image_job(m, id)->stops.answering && id < first)
                first = id;
    return first;
}

void lp_world_ask(LpWorld *world, bool asks) {
    world->asks = asks;
}

uint32_t lp_world_stopped(const LpWorld *world) {
    return next_to_answer(world->image);
}

/* A job that runs, more slowly, is stopped for what it answers: where that can be followed. */
static LpErr stop_for(Recovery *r) {
    if (r->how->kind == LP_ON_FAILURE_DEGRADED)
        return LP_OK;
    r->light = true;
    if (r->how->kind == LP_ON_FAILURE_SHRINK)
        judge_slice(r);
    if (r->how->kind == LP_ON_FAILURE_SPARE) {
        uint32_t *unit = lp_alloc((size_t)placement_of(r)->servers + 1, sizeof *unit);
        if (unit == NULL)
            return lp_fail_memory(r->diag, "spares");
        judge_spares(r, unit, list_units(r, unit));
        lp_free(unit);
    }
    if (r->reason[0] != '\0')
        return LP_OK;
    lp_job_interrupt(r->world->image, r->context, r->id);
    job_of(r)->stops.answering = LP_ANSWERS_STOPPED;
    r->world->image->completed_now++; /* who waits is offered again */
    return LP_OK;
}

static LpErr recover(Recovery *r, LpEvent *event) {
    LpImage *m = r->world->image;
    if (job_of(r)->stops.answering == LP_ANSWERS_RUNNING)
        LP_TRY(stop_for(r));
    if (r->reason[0] == '\0')
        LP_TRY(carry_out[r->how->kind](r));
    if (r->reason[0] != '\0')
        return LP_OK;
    lp_image_job(m, r->id)->stops.answering = LP_ANSWERS_NOT;
    lp_mark_job(m, r->id);
    if (r->event != LP_EVENT_NONE)
        lp_image_event(m, event, r->event, r->id);
    return LP_OK;
}

/* What cannot be followed where the scenario answers is as requeue; who has only lost light goes
 * on. */
static LpErr recover_by_scenario(LpWorld *world, const LpContext *context, uint32_t id,
                                 LpEvent *event, LpDiag *diag) {
    char reason[LP_DIAG_TEXT] = "";
    LpRecovery how = {.kind = context->scenario->on_failure};
    Recovery r = {.world = world,
                  .context = context,
                  .id = id,
                  .how = &how,
                  .event = LP_EVENT_NONE,
                  .reason = reason,
                  .diag = diag};
    if (lp_image_job(world->image, id)->stops.answering == LP_ANSWERS_STOPPED)
        LP_TRY(recover(&r, event));
    lp_image_job(world->image, id)->stops.answering = LP_ANSWERS_NOT;
    lp_mark_job(world->image, id);
    return LP_OK;
}

static const LpEvent NOTHING = {.kind = LP_EVENT_NONE, .job = LP_NO_INDEX};

LpErr lp_world_recover(LpWorld *world, const LpContext *base, uint32_t id, const LpRecovery *how,
                       LpEvent *event, LpCause *cause, char reason[LP_DIAG_TEXT], LpDiag *diag) {
    *cause = LP_CAUSE_NONE;
    reason[0] = '\0';
    *event = NOTHING;
    if (id == LP_NO_INDEX || next_to_answer(world->image) != id)
        return lp_fail(diag, LP_ESTATE, "no failure stopped job %u just now", id);
    if (lp_image_reserve(world) != LP_OK)
        return lp_fail_memory(diag, "what a stopped job does");
    const LpContext *context = lp_world_context(world, base);
    if (how == NULL) {
        LP_TRY(recover_by_scenario(world, context, id, event, diag));
    } else {
        Recovery r = {.world = world,
                      .context = context,
                      .id = id,
                      .how = how,
                      .event = LP_EVENT_NONE,
                      .reason = reason,
                      .diag = diag};
        LP_TRY(recover(&r, event));
    }
    *cause = reason[0] != '\0' ? LP_CAUSE_REFUSED : LP_CAUSE_NONE;
    lp_debug_event(world, context, event, reason);
    lp_world_check_event(world, base);
    return LP_OK;
}

/* ---- who goes on since it is mended ---- */

/* Where slices go on without some of their light, only who was stopped by light waits for it. */
static bool needs_light(const Recovery *r) {
    const LpOutageEvent *by =
        lp_outages_of(r->context, lp_world_seed(r->world), job_of(r)->stops.by);
    return !r->context->fabric.cluster->pod.fault_tolerant || by == NULL ||
           by->kind == LP_OUTAGE_SWITCH || by->kind == LP_OUTAGE_CABLE;
}

static LpErr mended(const Recovery *r, bool *all) {
    const LpPlacement *p = placement_of(r);
    const LpSlice *s = lp_job_slice(r->context, job_of(r));
    LpCause cause = LP_CAUSE_NONE;
    char reason[LP_DIAG_TEXT];
    *all = true;
    for (uint32_t i = 0; *all && i < p->servers; i++)
        *all = lp_world_server(r->world, p->server[i])->state == LP_SERVER_IN_SERVICE;
    bool light = s != NULL && s->cubes > 0 && needs_light(r);
    for (uint32_t i = 0; *all && light && i < p->servers; i++)
        *all = lp_slice_lit(r->world, r->context, p->server[i] / r->context->fabric.per_rack);
    if (*all && job_of(r)->placed.partition != LP_NO_INDEX)
        LP_TRY(lp_world_check_failed(r->world, r->context, job_of(r)->placed.partition,
                                     job_of(r)->placed.placement, &cause, reason, r->diag));
    *all = *all && cause == LP_CAUSE_NONE;
    return LP_OK;
}

/* On the same servers; where even that is not possible now, it waits in the queue. */
static LpErr resume_held(Recovery *r) {
    const LpPlacement *p = placement_of(r);
    lp_job_stop(r->world->image, r->context, r->id);
    lp_job_wait(r->world->image, job_of(r));
    return resume_on(r, p->server, p->servers, 0, 0);
}

static LpErr resume_one(LpWorld *world, const LpContext *context, bool *done, LpEvent *out,
                        LpDiag *diag) {
    LpImage *m = world->image;
    char reason[LP_DIAG_TEXT] = "";
    for (uint32_t id = m->first_running, next; id != LP_NO_INDEX && !*done; id = next) {
        Recovery r = {.world = world,
                      .context = context,
                      .id = id,
                      .event = LP_EVENT_NONE,
                      .reason = reason,
                      .diag = diag};
        bool all = false;
        next = lp_image_job(m, id)->queue.next;
        if (lp_image_job(m, id)->light.dark == LP_JOB_HELD)
            LP_TRY(mended(&r, &all));
        if (all)
            LP_TRY(resume_held(&r));
        *done = r.event != LP_EVENT_NONE;
        if (*done)
            lp_image_event(m, out, r.event, id);
    }
    return LP_OK;
}

LpErr lp_recover_one(LpWorld *world, const LpContext *context, bool *done, LpEvent *out,
                     LpDiag *diag) {
    *done = false;
    if (world->image->tally.stops == 0 && world->image->fault == 0 && world->image->changes == 0)
        return LP_OK; /* nothing has broken yet */
    if (lp_image_reserve(world) != LP_OK)
        return lp_fail_memory(diag, "what a stopped job does");
    LpImage *m = world->image;
    for (uint32_t id; (id = next_to_answer(m)) != LP_NO_INDEX;) {
        *out = NOTHING;
        if (world->asks) {
            *out = (LpEvent){.kind = LP_EVENT_STOPPED, .job = id, .time = m->now};
            *done = true;
            return LP_OK;
        }
        LP_TRY(recover_by_scenario(world, context, id, out, diag));
        *done = out->kind != LP_EVENT_NONE;
        if (*done)
            return LP_OK;
    }
    return resume_one(world, context, done, out, diag);
}
