/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Actions of a policy: preempt, resume, migrate, resize, wake. */
#include "sim/action.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "sim/job_plan.h"
#include "sim/light/circuits_impl.h"
#include "sim/queue/queue.h"
#include "sim/sim_impl.h"
#include "sim/state/debug.h"
#include "sim/state/validate.h"
#include "sim/store/store.h"
#include "sim/world.h"

static const char *const names[LP_ACTION_COUNT] = {
#define X(id, name) [LP_ACTION_##id] = name,
    LP_ACTION_TABLE(X)
#undef X
};

const char *lp_action_name(LpActionKind kind) {
    LP_ASSERT(kind < LP_ACTION_COUNT);
    return names[kind];
}

int lp_action_find(const char *name) {
    for (int i = 0; i < LP_ACTION_COUNT; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* One action being judged or applied. */
typedef struct Act {
    LpWorld *world;
    const LpContext *context;
    const LpAction *action;
    LpJob *job; /* NULL for wake and regroup */
    LpPlan plan;
    uint32_t *to;    /* regroup: the matching; owned */
    LpAnswer answer; /* of a move, kept for its orders */
    LpCause *cause;
    char *reason;
    LpDiag *diag;
} Act;

LP_PRINTF(3, 4) static void refuse(Act *a, LpCause cause, const char *fmt, ...) {
    va_list args;
    *a->cause = cause;
    va_start(args, fmt);
    vsnprintf(a->reason, LP_DIAG_TEXT, fmt, args);
    va_end(args);
}

/* ---- moving ---- */

/* Marks the job's servers and wavelengths as free, or as its own again, and nothing else: its own
 * place counts as free while a new one is looked for, and a refusal leaves no trace. */
static void lend_place(LpImage *m, const LpContext *context, const LpJob *job, bool lend) {
    LpServer *servers = lp_image_server(m);
    for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX; s = servers[s].next) {
        LP_ASSERT(servers[s].job == (lend ? job->id : LP_NO_INDEX));
        servers[s].job = lend ? LP_NO_INDEX : job->id;
        lp_image_set_free(m, context, s, lend);
        m->free_servers += lend ? 1 : UINT32_MAX; /* one more or one less */
    }
    for (uint32_t w = 0; w < m->waves; w++)
        if (lp_image_wave(m)[w] == (lend ? job->id : LP_WAVE_LENT))
            lp_image_wave(m)[w] = lend ? LP_WAVE_LENT : job->id;
}

static LpErr plan_move(Act *a, const LpAnswer *answer) {
    LpImage *m = a->world->image;
    lend_place(m, a->context, a->job, true);
    LpErr err = lp_plan_make(a->world, a->context, a->job, answer, true, &a->plan, a->diag);
    lend_place(m, a->context, a->job, false);
    if (err == LP_OK && a->plan.cause != LP_CAUSE_NONE)
        refuse(a, a->plan.cause, "%s: %s", lp_action_name(a->action->kind), a->plan.reason);
    return err;
}

/* A list of flows is for the flows of one placement: its rule alone goes on. */
static LpErr judge_migrate(Act *a) {
    const LpJob *job = a->job;
    const LpStore *store = a->context->store;
    a->answer = (LpAnswer){.kind = LP_ANSWER_RUN,
                           .servers = a->action->servers,
                           .server = a->action->server,
                           .has_partition_kind = true,
                           .partition_kind = (LpPartitionKind)job->kind,
                           .order_ops = lp_store_rule(store, job->placed.orders.ops),
                           .order_flows = lp_store_rule(store, job->placed.orders.flows)};
    if (a->action->servers == 0) {
        refuse(a, LP_CAUSE_REFUSED, "migrate: no servers named for job %u", job->id);
        return LP_OK;
    }
    a->answer.op_priority =
        lp_store_priorities(store, job->placed.orders.ops, &a->answer.op_priorities);
    if (job->graph >= 0)
        a->answer.ways = lp_store_partition(store, job->placed.partition)->ways;
    return plan_move(a, &a->answer);
}

/* A list of parts is for the parts of one partition: its rule alone goes on. */
static LpErr judge_resize(Act *a) {
    const LpJob *job = a->job;
    const LpStore *store = a->context->store;
    a->answer = (LpAnswer){.kind = LP_ANSWER_RUN,
                           .degree = a->action->degree,
                           .order_ops = lp_store_rule(store, job->placed.orders.ops),
                           .order_flows = lp_store_rule(store, job->placed.orders.flows)};
    if (job->graph < 0) {
        refuse(a, LP_CAUSE_REFUSED, "resize: job %u is rigid", job->id);
        return LP_OK;
    }
    return plan_move(a, &a->answer);
}

/* ---- regrouping ---- */

static LpErr judge_regroup(Act *a) {
    const LpOcsParams *ocs = &a->context->scenario->cluster.ocs;
    if (a->context->circuits == NULL) {
        refuse(a, LP_CAUSE_REFUSED, "regroup: the fabric %s has no links to regroup",
               a->context->fabric.ops->name);
        return LP_OK;
    }
    a->to = lp_alloc(ocs->ports, sizeof *a->to);
    if (a->to == NULL)
        return lp_fail_memory(a->diag, "a regrouping");
    LpErr err = lp_regroup_matching(a->world, a->context, a->action->link, a->action->links, a->to,
                                    a->reason, a->diag);
    if (err != LP_EREFUSED)
        return err;
    *a->cause = LP_CAUSE_REFUSED;
    return LP_OK;
}

static LpErr regroup(Act *a, LpEvent *event) {
    const double hold = 1;
    const LpSchedule schedule = {lp_world_ports(a->world), 1, a->to, &hold};
    LP_TRY(
        lp_world_configure(a->world, a->context, &schedule, event, a->cause, a->reason, a->diag));
    return LP_OK;
}

/* ---- judging ---- */

static bool needs_job(LpActionKind kind) {
    return kind != LP_ACTION_WAKE && kind != LP_ACTION_REGROUP;
}

static void find_job(Act *a) {
    LpImage *m = a->world->image;
    const LpAction *action = a->action;
    if (!needs_job(action->kind))
        return;
    if (action->job >= m->jobs) {
        refuse(a, LP_CAUSE_REFUSED, "%s: there is no job %u", lp_action_name(action->kind),
               action->job);
        return;
    }
    const LpJob *job = lp_world_job(a->world, action->job);
    bool resume = action->kind == LP_ACTION_RESUME;
    bool right = job->outcome == (resume ? LP_JOB_WAITING : LP_JOB_RUNNING);
    bool move = action->kind == LP_ACTION_MIGRATE || action->kind == LP_ACTION_RESIZE;
    if (right && move && job->light.dark == LP_JOB_HELD)
        refuse(a, LP_CAUSE_REFUSED, "%s: job %u holds broken servers until they are mended",
               lp_action_name(action->kind), action->job);
    else if (right && !lp_image_past(m, action->job))
        a->job = lp_image_job(m, action->job);
    else
        refuse(a, LP_CAUSE_REFUSED, "%s: job %u is %s, not %s", lp_action_name(action->kind),
               action->job, lp_outcome_name((LpOutcome)job->outcome),
               resume ? "waiting" : "running");
}

static LpErr judge_kind(Act *a) {
    switch (a->action->kind) {
    case LP_ACTION_MIGRATE:
        return judge_migrate(a);
    case LP_ACTION_RESIZE:
        return judge_resize(a);
    case LP_ACTION_REGROUP:
        return judge_regroup(a);
    case LP_ACTION_WAKE:
        if (!(a->action->at > a->world->image->now) || isinf(a->action->at))
            refuse(a, LP_CAUSE_REFUSED, "wake: at must be a time after now (%.6g s)",
                   a->world->image->now);
        else if (a->world->image->quiet >= LP_QUIET_MAX)
            refuse(a, LP_CAUSE_REFUSED, "wake: %d retries and wakes while no job arrived or ended",
                   LP_QUIET_MAX);
        return LP_OK;
    case LP_ACTION_PREEMPT:
    case LP_ACTION_RESUME:
    case LP_ACTION_COUNT:
        break;
    }
    return LP_OK;
}

static LpErr judge(Act *a) {
    *a->cause = LP_CAUSE_NONE;
    a->reason[0] = '\0';
    if (lp_published(&a->context->scenario->options, LP_OPT_HORIZON)) {
        refuse(a, LP_CAUSE_REFUSED, "%s: the published semantics know no actions",
               lp_action_name(a->action->kind));
        return LP_OK;
    }
    find_job(a);
    return *a->cause == LP_CAUSE_NONE ? judge_kind(a) : LP_OK;
}

static double stall_of(const Act *a, double *bytes) {
    const LpAction *action = a->action;
    *bytes = 0;
    if (action->kind == LP_ACTION_MIGRATE || action->kind == LP_ACTION_RESIZE)
        return lp_job_checkpoint(a->context, a->job, a->job->placed.servers, a->plan.servers,
                                 bytes);
    if (action->kind == LP_ACTION_RESUME)
        return lp_job_checkpoint(a->context, a->job, a->job->placed.servers, a->job->placed.servers,
                                 bytes);
    if (action->kind == LP_ACTION_REGROUP)
        return lp_world_reconfiguration_time(a->world, a->context);
    return 0;
}

LpErr lp_world_cost(LpWorld *world, const LpContext *context, const LpAction *action,
                    LpActionCost *out, LpCause *cause, char reason[LP_DIAG_TEXT], LpDiag *diag) {
    Act a = {.world = world,
             .context = lp_world_context(world, context),
             .action = action,
             .cause = cause,
             .reason = reason,
             .diag = diag};
    LpErr err = judge(&a);
    lp_free(a.to);
    if (err != LP_OK || *cause != LP_CAUSE_NONE)
        return err;
    out->seconds = stall_of(&a, &out->bytes);
    if (needs_job(action->kind) && a.plan.dark)
        out->seconds += lp_world_reconfiguration_time(world, a.context);
    out->pauses = needs_job(action->kind) || action->kind == LP_ACTION_REGROUP;
    return LP_OK;
}

/* ---- applying ---- */

static void preempt(Act *a, LpEvent *event) {
    LpImage *m = a->world->image;
    lp_job_stop(m, a->context, a->job->id);
    a->job->queue.held = 1;
    a->job->stops.preemptions++;
    a->job->times.retry_at = (double)INFINITY;
    m->tally.preemptions++;
    lp_image_recheck(m);
    lp_job_wait(m, a->job);
    lp_image_event(m, event, LP_EVENT_PREEMPT, a->job->id);
}

static void resume(Act *a, LpEvent *event) {
    LpImage *m = a->world->image;
    lp_queue_unlist(m, a->job);
    a->job->queue.held = 0;
    a->job->outcome = LP_JOB_DECIDING;
    m->due = a->job->id;
    m->tally.offers++;
    lp_image_event(m, event, LP_EVENT_OFFER, a->job->id);
}

static void wake(Act *a) {
    lp_timer_push(a->world->image, a->action->at, LP_TIMER_WAKE, LP_NO_INDEX);
    lp_mark_world(a->world->image, LP_ACTION_WAKE);
}

static void move(Act *a, LpEvent *event) {
    LpImage *m = a->world->image;
    double bytes, stall = stall_of(a, &bytes);
    lp_job_stop(m, a->context, a->job->id);
    lp_job_take_plan(a->job, a->context, &a->plan);
    a->job->stops.moves++;
    m->tally.moves++;
    lp_job_start(m, a->context, a->job, stall);
    lp_image_recheck(m);
    lp_image_event(m, event, LP_EVENT_MOVE, a->job->id);
}

LpErr lp_world_act(LpWorld *world, const LpContext *context, const LpAction *action, LpEvent *event,
                   LpCause *cause, char reason[LP_DIAG_TEXT], LpDiag *diag) {
    if (world->image->due != LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "job %u has not been decided yet", world->image->due);
    if (lp_image_reserve(world) != LP_OK)
        return lp_fail_memory(diag, "an action");
    Act a = {.world = world,
             .context = lp_world_context(world, context),
             .action = action,
             .cause = cause,
             .reason = reason,
             .diag = diag};
    *event = (LpEvent){.kind = LP_EVENT_NONE, .job = LP_NO_INDEX, .time = world->image->now};
    lp_debug_at(context->log, world->image->now);
    LpErr err = judge(&a);
    if (err == LP_OK && *cause != LP_CAUSE_NONE)
        LP_DEBUG(context->log, SIM, 1, "refused action %s", reason);
    if (err == LP_OK && *cause == LP_CAUSE_NONE && action->kind == LP_ACTION_REGROUP)
        err = regroup(&a, event);
    lp_free(a.to);
    if (err != LP_OK || *cause != LP_CAUSE_NONE || action->kind == LP_ACTION_REGROUP)
        return err;
    if (action->kind == LP_ACTION_PREEMPT)
        preempt(&a, event);
    else if (action->kind == LP_ACTION_RESUME)
        resume(&a, event);
    else if (action->kind == LP_ACTION_WAKE)
        wake(&a);
    else
        move(&a, event);
    lp_debug_event(world, context, event, NULL);
    lp_world_check_event(world, context);
    return LP_OK;
}

void lp_world_set_aside(LpWorld *clone) {
    clone->image->aside += clone->image->due != LP_NO_INDEX;
    clone->image->due = LP_NO_INDEX;
    lp_mark_world(clone->image, clone->image->aside);
}
